"""The training of the chain-of-thought layer: its slope, and its claims for more steps than they average."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gdtheory.constructions.conventions import HuangWeights
from gdtheory.constructions.cot_training import (
    TaughtToken,
    taught_tokens,
    three_blocks,
    training_loss,
    training_slope,
)
from gdtheory.constructions.random_inputs import complex_gram, equal_inputs, gram, power, trace_product
from gdtheory.cot.population import population_gradient, population_loss
from gdtheory.errors import DTypeError, ShapeError
from gdtheory.wishart import trace_moments


def fractions(rng, *shape):
    return np.vectorize(lambda i: Fraction(int(i), 2))(rng.integers(-4, 5, shape)).astype(object)


def test_the_slope_is_the_derivative_of_the_loss():
    rng = np.random.default_rng(0)
    X, w_star, task = fractions(rng, 2, 3), fractions(rng, 2, 1), (Fraction(1, 3), 2)
    layer, direction = (HuangWeights(fractions(rng, 6, 6), fractions(rng, 6, 6)) for _ in range(2))

    def loss(t):
        moved = HuangWeights(layer.V + direction.V * t, layer.W + direction.W * t)
        return training_loss(moved, X, w_star, *task)

    # The loss is a polynomial of degree 4 in t, for which this difference is exact.
    difference = (8 * (loss(1) - loss(-1)) - (loss(2) - loss(-2))) / 12
    assert training_slope(layer, direction, X, w_star, *task) == difference != 0


def test_the_iterates_are_taught_and_then_the_teacher():
    rng = np.random.default_rng(1)
    X, w_star = rng.normal(size=(3, 5)), rng.normal(size=(3, 1))
    Q = np.eye(3) - 0.3 * X @ X.T / 5
    tokens = taught_tokens(X, w_star, 0.3, 3)
    for i, token in enumerate(tokens[:-1], 1):
        np.testing.assert_allclose(token.target, w_star - np.linalg.matrix_power(Q, i) @ w_star, atol=1e-12)
        assert len(token.weights) == i
        assert tokens[i].weights[-1] is token.target
    assert (tokens[-1].target == w_star).all()


@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_the_gradient_at_gradient_descent_weights_for_any_number_of_steps(k):
    n, d, eta = 7, 3, Fraction(2, 5)
    m = [Fraction(moment, n**j) for j, moment in enumerate(trace_moments(2 * k + 2, n, d))]

    def mean_SQ(power):
        binomial = [1]
        for j in range(power):
            binomial.append(binomial[-1] * (power - j) // (j + 1))
        return sum(b * (-eta) ** j * m[j + 1] for j, b in enumerate(binomial))

    eye = np.vectorize(Fraction)(np.eye(d, dtype=int)).astype(object)
    dV, dW = population_gradient(eye * -eta, eye, n, k, eta)
    assert (dV == eye * (mean_SQ(2 * k + 1) / d)).all()
    assert (dW == eye * (eta * (mean_SQ(k + 1) - mean_SQ(2 * k + 1)) / d)).all()
    assert (eta * dV + dW).trace() > 0 or k % 2 == 0


@pytest.mark.parametrize("k", [0, 3, 6])
def test_the_plateau_for_any_number_of_steps(k):
    n, d, eta = 7, 3, Fraction(2, 5)
    V, eye = fractions(np.random.default_rng(2), d, d), np.vectorize(Fraction)(np.eye(d, dtype=int))
    plateau = eye.astype(object) * Fraction(-n, (n + d + 1) * (k + 1))
    excess = population_loss(V, V * 0, n, k, eta) - population_loss(plateau, V * 0, n, k, eta)
    assert excess == ((V - plateau) ** 2).sum() * Fraction((k + 1) * (n + d + 1), 2 * n)


def test_no_layer_beats_one_step_in_samples():
    """GDT-0066 at d = 3 and n = 5, more than its fractions reach, within six standard errors."""
    rng = np.random.default_rng(3)
    n, d, size = 5, 3, 20000
    layer = HuangWeights(rng.normal(size=(8, 8)) / 4, rng.normal(size=(8, 8)) / 4)
    X, w_star = rng.normal(size=(size, d, n)), rng.normal(size=(size, d, 1))
    excess = np.empty(size)
    for i in range(size):
        y = w_star[i].T @ X[i]
        examples = np.vstack([X[i], y, np.zeros((d + 1, n))])
        token = np.eye(8)[:, 7:]
        Z = np.hstack([examples, token])
        f = (token + layer.V @ Z @ (Z.T @ layer.W @ token) / n)[d + 1 : 2 * d + 1]
        step = X[i] @ y.T / (n + d + 1)
        excess[i] = (((f - w_star[i]) ** 2).sum() - ((f - step) ** 2).sum()) / 2
    expected = d * (d + 1) / (2 * (n + d + 1))
    assert abs(excess.mean() - expected) < 6 * excess.std() / np.sqrt(size)


def test_powers_and_traces_of_gram_matrices():
    A, B = np.random.default_rng(4).normal(size=(2, 3, 5))
    X = (A + 1j * B) / np.sqrt(2)
    W = X @ X.conj().T
    np.testing.assert_allclose(
        complex_gram(A, B), np.block([[W.real, -W.imag], [W.imag, W.real]]), atol=1e-12
    )
    W = gram(A)
    np.testing.assert_allclose(power(W, 4), np.linalg.matrix_power(A @ A.T, 4))
    np.testing.assert_allclose(trace_product(W, (1, 3, 0)), np.trace(W) * np.trace(W @ W @ W) * 3)
    assert trace_product(W, ()) == 1


LAYER = HuangWeights(np.ones((6, 6)), np.ones((6, 6)))


def taught_token(**changes):
    columns = {"weights": (np.ones((2, 1)),), "target": np.ones((2, 1))}
    return TaughtToken(**{"X": np.ones((2, 3)), "y": np.ones((1, 3)), **columns, **changes})


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: three_blocks(np.ones((2, 3)), np.ones((2, 2))), ShapeError),
        (lambda: three_blocks(np.ones((2, 2)), np.ones((3, 3))), ShapeError),
        (lambda: three_blocks(np.ones((2, 2)), np.ones((2, 2)), "1"), DTypeError),
        (lambda: taught_tokens(np.ones((2, 3)), np.ones((3, 1)), 0.1, 1), ShapeError),
        (lambda: taught_tokens(np.ones((2, 3)), np.ones((2, 1)), None, 1), DTypeError),
        (lambda: taught_tokens(np.ones((2, 3)), np.ones((2, 1)), 0.1, -1), ShapeError),
        (lambda: taught_tokens(np.ones((2, 3)), np.ones((2, 1)), 0.1, 1.5), DTypeError),
        (lambda: taught_tokens(np.ones((2, 3)), np.ones((2, 1)), 0.1, 10**9), ShapeError),
        (lambda: taught_tokens(np.ones((2, 0)), np.ones((2, 1)), 0.1, 1), ShapeError),
        (lambda: taught_token(target=np.ones((2, 2))), ShapeError),  # would be spread over the output
        (lambda: taught_token(y=np.ones((2, 3))), ShapeError),
        (lambda: taught_token(weights=()), DTypeError),
        (lambda: taught_token(weights=None), DTypeError),
        (lambda: taught_token(weights=(np.ones((3, 1)),)).loss(LAYER), ShapeError),
        (lambda: taught_token().loss(None), DTypeError),
        (lambda: taught_token().slope(LAYER, np.ones((6, 6))), DTypeError),
        (lambda: gram(2.0), ShapeError),
        (lambda: complex_gram(np.ones((2, 3)), np.ones((2, 2))), ShapeError),
        (lambda: power(np.ones((2, 3)), 1), ShapeError),
        (lambda: power(np.ones((2, 2)), -1), ShapeError),
        (lambda: power(np.ones((2, 2)), 10**9), ShapeError),
        (lambda: trace_product(np.ones((2, 2)), 1), DTypeError),
        (lambda: equal_inputs(fractions(np.random.default_rng(0), 2, 2), 2, 0), ShapeError),
    ],
)
def test_bad_input_is_refused(call, error):
    with pytest.raises(error):
        call()
