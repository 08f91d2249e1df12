"""Right-hand sides: gradients against the derivatives of what they are the gradients of."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from gdtheory.errors import DegenerateContextError, DTypeError, NonFiniteError, ShapeError
from gdtheory.exact import over_indeterminates, to_fractions
from gdtheory.namespace import as_objects
from gdtheory.problems import ContextualBlock, ShiftedWeights, TokenStream
from gdtheory.problems.contextual import ACTIVATIONS, NORMALISATIONS
from gdtheory.reference.regression import gd_step, second_moment, squared_loss, squared_loss_gradient
from gdtheory.reference.token_dynamics import token_gd_step, token_loss_gradient
from gdtheory.strategies import fractions, problems

SIZES = [{"N": 1, "N_x": 1, "N_y": 1}, {"N": 3, "N_x": 2, "N_y": 1}, {"N": 2, "N_x": 2, "N_y": 3}]
at_sizes = pytest.mark.parametrize("sizes", SIZES, ids=str)


def derivative(scalar, matrix):
    """Return the matrix of the derivatives by the entries of a matrix of indeterminates."""
    return as_objects([scalar.diff(entry) for entry in matrix.flat], matrix.shape)


def trace(matrix):
    return sum(matrix.diagonal())


def array(rows):
    return to_fractions(np.array(rows, dtype=np.float64))


# ------------------------------------------------------------------------------------ regression


@at_sizes
def test_the_gradient_is_the_derivative_of_the_loss(sizes):
    p = over_indeterminates(ShiftedWeights, sizes)
    expected = derivative(squared_loss(p.W, p.X, p.Y), p.W)
    assert (squared_loss_gradient(p.W, p.X, p.Y) == expected).all()


@at_sizes
def test_the_loss_is_the_mean_of_half_squared_residuals(sizes):
    p = over_indeterminates(ShiftedWeights, sizes)
    squares = [
        (sum(p.W[a, j] * p.X[j, i] for j in range(p.N_x)) - p.Y[a, i]) ** 2
        for a in range(p.N_y)
        for i in range(p.N)
    ]
    assert squared_loss(p.W, p.X, p.Y) * (2 * p.N) == sum(squares)


@at_sizes
def test_the_second_moment_is_the_second_derivative_of_the_loss(sizes):
    p = over_indeterminates(ShiftedWeights, sizes)
    of_first_row = derivative(squared_loss(p.W, p.X, p.Y), p.W)[0]
    hessian = np.array([[entry.diff(w) for w in p.W[0]] for entry in of_first_row], dtype=object)
    assert (second_moment(p.X) == hessian).all()


@at_sizes
def test_a_step_goes_against_the_gradient(sizes):
    p = over_indeterminates(ShiftedWeights, sizes)
    eta = Fraction(2, 7)
    gradient = derivative(squared_loss(p.W, p.X, p.Y), p.W)
    assert (gd_step(p.W, p.X, p.Y, eta) == p.W - gradient * eta).all()
    assert (gd_step(p.W, p.X, p.Y, 0) == p.W).all()


@given(problems(ShiftedWeights, fractions(), at_most=3))
@settings(deadline=None)
def test_a_small_step_does_not_raise_the_loss(p):
    largest = trace(second_moment(p.X)) or 1
    after = gd_step(p.W, p.X, p.Y, 1 / Fraction(largest))
    before, moved = squared_loss(p.W, p.X, p.Y), (after != p.W).any()
    assert squared_loss(after, p.X, p.Y) < before if moved else squared_loss(after, p.X, p.Y) == before


def test_a_regression_by_hand():
    """Residuals (4 1; -2 -3): loss 30/4, gradient (4 9; -2 -7)/2."""
    W, X, Y = array([[1, 2], [0, -1]]), array([[1, 0], [2, 1]]), array([[1, 1], [0, 2]])
    assert squared_loss(W, X, Y) == Fraction(30, 4)
    assert squared_loss_gradient(W, X, Y).tolist() == [[2, Fraction(9, 2)], [-1, Fraction(-7, 2)]]
    assert gd_step(W, X, Y, Fraction(1, 2)).tolist() == [
        [0, Fraction(-1, 4)],
        [Fraction(1, 2), Fraction(3, 4)],
    ]
    assert second_moment(X).tolist() == [[Fraction(1, 2), 1], [1, Fraction(5, 2)]]


def test_a_perfect_fit_has_no_loss_and_no_gradient():
    W, X = array([[1, 2], [0, -1]]), array([[1, 0], [2, 1]])
    assert squared_loss(W, X, W @ X) == 0
    assert not squared_loss_gradient(W, X, W @ X).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_dtype_is_kept(dtype):
    W, X, Y = np.ones((1, 2), dtype), np.ones((2, 3), dtype), np.zeros((1, 3), dtype)
    for found in (squared_loss(W, X, Y), squared_loss_gradient(W, X, Y), gd_step(W, X, Y, dtype(0.5))):
        assert found.dtype == dtype
    assert (squared_loss(W, X, Y), second_moment(X).dtype) == (2, dtype)


# --------------------------------------------------------------------------------- token dynamics


@pytest.mark.parametrize("sizes", [{"d": 1, "d_ff": 1, "n": 1}, {"d": 2, "d_ff": 3, "n": 2}], ids=str)
def test_the_token_gradient_is_the_derivative_of_a_trace(sizes):
    """L(W) = tr(Δᵀ W) with Δ = W_0 (A_i - A_{i+1}) A(x)ᵀ, at an arbitrary W."""
    p, arbitrary = over_indeterminates(TokenStream, sizes), over_indeterminates(ContextualBlock, sizes)
    W = arbitrary.W
    for i in range(p.n):
        found = token_loss_gradient(p.W_0, p.A[0], p.A[i], p.A[i + 1])
        Delta = as_objects(
            [
                sum(p.W_0[a, j] * (p.A[i][j, 0] - p.A[i + 1][j, 0]) for j in range(p.d)) * p.A[0][b, 0]
                for a in range(p.d_ff)
                for b in range(p.d)
            ],
            (p.d_ff, p.d),
        )
        assert (found == Delta).all()
        # Δ is made of other indeterminates than W, so it is a constant: put numbers in its place
        numbers = as_objects([Fraction(3 * a + 1, a + 2) for a in range(Delta.size)], Delta.shape)
        assert not (derivative(trace(numbers.T @ W), W) - numbers).any()


def test_the_token_gradient_does_not_depend_on_the_current_weights():
    p = over_indeterminates(TokenStream, {"d": 2, "d_ff": 1, "n": 1})
    h = 1 / (p.A[0].T @ p.A[0])[0, 0]
    gradient = token_loss_gradient(p.W_0, p.A[0], p.A[0], p.A[1])
    for W in (p.W_0, p.W_0 * 0, p.W_0 * 5):
        assert (token_gd_step(W, p.W_0, p.A[0], p.A[0], p.A[1]) == W - gradient * h).all()


def test_a_token_step_by_hand():
    """W_0 (A_i - A_{i+1}) is -2 + 2·1 = 0 for A_{i+1} = (3, 0) and -2 + 2·(-3) = -8 for (3, 4); h = 1/5."""
    W_0, A_x, A_i = array([[1, 2]]), array([[2], [1]]), array([[1], [1]])
    assert token_loss_gradient(W_0, A_x, A_i, array([[3], [0]])).tolist() == [[0, 0]]
    assert token_loss_gradient(W_0, A_x, A_i, array([[3], [4]])).tolist() == [[-16, -8]]
    W = token_gd_step(array([[7, 7]]), W_0, A_x, A_i, array([[3], [4]]))
    assert W.tolist() == [[7 + Fraction(16, 5), 7 + Fraction(8, 5)]]


def test_equal_tokens_move_nothing():
    W_0, A = array([[1, 2]]), array([[2], [1]])
    assert not token_loss_gradient(W_0, A, A, A).any()
    assert token_gd_step(W_0, W_0, A, A, A).tolist() == W_0.tolist()


def test_a_token_step_refuses_what_does_not_fit_by_name():
    W, column = np.ones((2, 3)), np.ones((3, 1))
    for name, args, error in (
        ("W_0", (W[:, :2], W, column), ShapeError),
        ("W", (W * np.nan, W, column), NonFiniteError),
        ("A_x", (W, W, column * 0), DegenerateContextError),
    ):
        with pytest.raises(error) as caught:
            token_gd_step(*args, column, column)
        assert caught.value.argument == name


@pytest.mark.parametrize("f", [*ACTIVATIONS, *NORMALISATIONS], ids=lambda f: f.__name__)
def test_a_function_of_a_column_refuses_what_is_none(f):
    for bad, error in (
        (np.ones(3), ShapeError),
        (np.array([[np.nan]]), NonFiniteError),
        (np.array([[np.inf]]), NonFiniteError),
        (np.array([[1]]), DTypeError),
    ):
        with pytest.raises(error) as caught:
            f(bad)
        assert caught.value.argument == "z"
