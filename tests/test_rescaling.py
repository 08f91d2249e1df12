"""The freedom in a layer's scale, and midpoints of layers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gdtheory.constructions.lsa import gd_step_weights, lsa_layer
from gdtheory.constructions.rescaling import midpoint, rescaled, score_scale
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError


def test_the_scale_of_a_layer():
    theta = gd_step_weights(np.array([[1.0, 2.0]]), 0.5, 4)
    assert score_scale(rescaled(theta, 0.25), 2) == 4.0
    tokens = np.random.default_rng(0).standard_normal((3, 4))
    moved = lsa_layer(tokens, tokens, theta)
    np.testing.assert_allclose(lsa_layer(tokens, tokens, rescaled(theta, -3.0)), moved)
    np.testing.assert_allclose(lsa_layer(tokens, tokens, midpoint(theta, theta)), moved)


def test_a_layer_without_a_scale_is_refused():
    theta = gd_step_weights(np.array([[1.0]]), 0.5, 1)
    for beta, error in ((0, ArgumentError), (np.nan, NonFiniteError), ("2", DTypeError)):
        with pytest.raises(error, match="beta"):
            rescaled(theta, beta)
    with pytest.raises(ShapeError, match="N_x"):
        score_scale(theta, 3)
    for call in (lambda: rescaled(None, 2), lambda: score_scale(None, 1), lambda: midpoint(theta, None)):
        with pytest.raises(DTypeError, match="expected LSAWeights, got None"):
            call()
    exact = gd_step_weights(np.array([[Fraction(1)]], object), Fraction(1), 1)
    with pytest.raises(DTypeError):
        midpoint(theta, exact)
    with pytest.raises(ShapeError):
        midpoint(theta, gd_step_weights(np.ones((1, 2)), 0.5, 1))
