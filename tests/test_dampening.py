"""Divergence of repeated steps, and the freedom in a layer's scale."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gdtheory.constructions.lsa import gd_step_weights, lsa_layer
from gdtheory.constructions.rescaling import midpoint, rescaled, score_scale
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.exact import is_positive_semidefinite, to_fractions
from gdtheory.reference.dampening import diverges


def test_the_verdict_agrees_with_repeated_steps():
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, (200, 3, 4))
    verdicts = diverges(X, 2.0, 1.5)
    S = X @ X.mT / 4
    error = np.linalg.matrix_power(np.eye(3) - 3.0 * S, 200)
    assert (verdicts == (np.abs(error).max((1, 2)) > 1.001)).all()
    assert 20 < verdicts.sum() < 180


def test_a_single_task_and_a_batch_of_them():
    X = np.diag([2.0, 1.0])
    assert diverges(X, 1.01).shape == () and bool(diverges(X, 1.01))
    assert not diverges(X, 0.99) and not diverges(X, 1.01, 0.5)
    assert diverges(X, -0.01) and not diverges(X * 0, -1.0)
    assert diverges(np.zeros((0, 2, 3)), 1.0).shape == (0,)


@pytest.mark.parametrize(
    ("X", "eta", "error", "argument"),
    [
        (np.ones(3), 1.0, ShapeError, "X"),
        (np.ones((2, 0)), 1.0, ShapeError, "N"),
        (np.ones((0, 2)), 1.0, ShapeError, "N_x"),
        (np.ones((2, 2), int), 1.0, DTypeError, "X"),
        (np.full((2, 2), np.nan), 1.0, NonFiniteError, "X"),
        (np.ones((2, 2)), np.inf, NonFiniteError, "eta"),
        (np.ones((2, 2)), "1", DTypeError, "eta"),
    ],
)
def test_bad_input_is_named(X, eta, error, argument):
    with pytest.raises(error) as caught:
        diverges(X, eta)
    assert caught.value.argument == argument


def test_semidefiniteness_agrees_with_eigenvalues():
    rng = np.random.default_rng(5)
    for _ in range(300):
        a = rng.integers(-2, 3, (rng.integers(1, 5), rng.integers(1, 5))).astype(float)
        shift = rng.integers(-1, 2)
        matrix = a @ a.T + shift * np.eye(len(a))
        least = np.linalg.eigvalsh(matrix)[0]
        assert is_positive_semidefinite(to_fractions(matrix)) is bool(least > -1e-9)


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
    exact = gd_step_weights(np.array([[Fraction(1)]], object), Fraction(1), 1)
    with pytest.raises(DTypeError):
        midpoint(theta, exact)
    with pytest.raises(ShapeError):
        midpoint(theta, gd_step_weights(np.ones((1, 2)), 0.5, 1))
