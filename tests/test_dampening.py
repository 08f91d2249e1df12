"""Which tasks make repeated steps diverge."""

from __future__ import annotations

import numpy as np
import pytest

from gdtheory.errors import DTypeError, NonFiniteError, ShapeError
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
    ("X", "eta", "lambda_", "expected"),
    [
        (np.ones((2, 3)) * 1e160, 1.0, 1.0, True),
        (np.ones((2, 3)) * 1e160, 1e-300, 1e-22, False),
        (np.ones((2, 3)) * 1e160, -1e-300, 1e-300, True),
        (np.ones((2, 3)) * 1e-170, 1e300, 1e300, True),
        (np.ones((2, 3)) * 1e-170, 1e300, 1e30, False),
        (np.full((2, 3), 5e-324), 1e308, 1e308, False),
        (np.ones((2, 3), np.float32) * np.float32(1e30), 1.0, 1.0, True),
    ],
)
def test_large_and_tiny_numbers_are_as_good_as_others(X, eta, lambda_, expected):
    with np.errstate(all="raise"):
        assert diverges(X, eta, lambda_) == expected


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
