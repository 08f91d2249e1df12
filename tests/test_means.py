"""Means over random matrices: exact polynomials at fixed sizes, and Wick's theorem at symbolic ones."""

from __future__ import annotations

import functools
import operator
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from gdtheory.errors import ArgumentError, DTypeError, ShapeError
from gdtheory.gaussian import variable
from gdtheory.ledger import exactly
from gdtheory.namespace import as_objects, namespace
from gdtheory.problems import ContextualBlock
from gdtheory.proofs import blocks, means
from gdtheory.proofs.blocks import BlockNamespace, free

SIZES = n, d = sympy.symbols("n d", integer=True, positive=True)
SIZE_FREE = BlockNamespace()


def fractions(entries, rows, columns):
    return as_objects([Fraction(entry) for entry in entries], (rows, columns))


@given(st.lists(st.integers(0, 6), min_size=3, max_size=3))
def test_the_mean_of_a_monomial_is_a_product_of_double_factorials(powers):
    monomial, expected = Fraction(1), 1
    for i, power in enumerate(powers):
        for _ in range(power):
            monomial = monomial * variable("x", i, 0)
        expected *= 0 if power % 2 else sympy.factorial2(power - 1)
    assert namespace(fractions([0], 1, 1)).mean(monomial) == expected


def test_arithmetic_of_polynomials():
    x, y = variable("x", 0, 0), variable("y", 0, 0)
    assert (x + y) * (x - y) == x * x - y * y
    assert 3 - x == -(x - 3) and (x - x) == 0 and not (x - x)
    assert (x * x / Fraction(2)).mean() == Fraction(1, 2)
    assert variable("x", 0, 0) == x
    for operation in (lambda: x + 0.5, lambda: x * np.float64(2)):
        with pytest.raises(DTypeError, match="an exact number"):
            operation()


def test_coefficients_stay_fractions_and_what_is_not_exact_is_refused():
    x = variable("x", 0, 0)
    assert ((x + 1) / 3).mean() == Fraction(1, 3) and (x * np.int64(2**62) * 4 * x).mean() == 2**64
    assert all(type(p.mean()) is Fraction for p in ((x + 1) / 3, x, x - x))
    for bad in (0.5, np.float32(1), True, None, "1", 1j, sympy.Symbol("q"), sympy.Float(1)):
        for operation in (lambda b: x + b, lambda b: x * b, lambda b: x / b):
            with pytest.raises(DTypeError, match="an exact number"):
                operation(bad)
    with pytest.raises(DTypeError, match="an exact number"):
        x / x


def test_a_power_that_would_run_into_the_next_variable_is_refused():
    power = variable("x", 0, 0)
    for _ in range(7):
        power = power * power
    assert power.mean() == sympy.factorial2(127)
    with pytest.raises(ArgumentError, match="degree: expected at most 255, got 256"):
        power * power


def test_a_random_matrix_has_a_size_that_can_be_averaged():
    xp = namespace(fractions([0], 1, 1))
    assert xp.normal("X", np.int64(2), 0).shape == (2, 0)
    for m, n in ((-1, 2), (2, 1.0), (True, 2), ("a", 2), (None, 2), (10**9, 10**9), (2, d)):
        with pytest.raises(ShapeError, match=r"whole number from 0|at most 1000 entries"):
            xp.normal("X", m, n)


def test_matrices_of_one_name_and_two_shapes_are_independent():
    xp = namespace(fractions([0], 1, 1))
    assert xp.mean(xp.trace(xp.normal("X", 2, 1) @ xp.normal("X", 1, 2))) == 0
    assert SIZE_FREE.mean(SIZE_FREE.trace(SIZE_FREE.normal("X", d, n) @ SIZE_FREE.normal("X", n, d))) == 0


def test_only_polynomials_in_random_matrices_have_means():
    X = SIZE_FREE.normal("X", d, n)
    trace = SIZE_FREE.trace(X @ X.T)
    for scalar in (1 / trace, trace / (1 + trace), sympy.sqrt(trace)):
        with pytest.raises(DTypeError, match="a polynomial in random matrices"):
            SIZE_FREE.mean(scalar)
        with pytest.raises(DTypeError, match="a polynomial in random matrices"):
            SIZE_FREE.mean(X * scalar)
    with pytest.raises(DTypeError, match="nothing random"):
        blocks.size_free(ContextualBlock).f(X)


def test_a_mean_needs_exact_numbers():
    for array in (np.eye(2), exactly(np.eye(2))):
        with pytest.raises(DTypeError, match="exact numbers, whose means are exact"):
            namespace(array).normal("X", 2, 2)
    with pytest.raises(DTypeError, match="exact numbers"):
        namespace(exactly(np.eye(2))).mean(exactly(np.eye(2)))
    for value in (np.eye(2), 1.0):
        with pytest.raises(DTypeError, match="exact numbers"):
            namespace(np.eye(2)).mean(value)


# What both kinds of mean are compared on: words and traces in random and fixed matrices, of n ≠ d columns.
def cases(xp, A, B, C, d, n):
    X, Y, w, g = xp.normal("X", d, n), xp.normal("Y", n, d), xp.normal("w", d, 1), xp.normal("g", 1, 1)
    W = X @ X.T
    yield "E W", W
    yield "E W A W", W @ A @ W
    yield "E W A W B W", W @ A @ W @ B @ W
    yield "E tr(W A) W", W * xp.trace(W @ A)
    yield "E tr(W A) tr(B W)", xp.trace(W @ A) * xp.trace(B @ W)
    yield "E XᵀAX", X.T @ A @ X
    yield "E w wᵀ W", w @ w.T @ W
    yield "E (wᵀAWw)²", xp.squared_norm(w.T @ A @ W @ w)
    yield "E w, of odd degree", W @ w
    yield "E ‖AWw + BWWw‖²", xp.squared_norm(A @ W @ w + B @ W @ W @ w)
    yield "E X tr XCᵀ, traces of one normal", X * xp.trace(X @ C.T) + C * xp.trace(C.T @ X)
    XC, YC = xp.trace(X @ C.T), xp.trace(Y @ C)
    yield "E (tr XCᵀ)² tr(YC) tr(CᵀYᵀ)", XC * XC * YC * xp.trace(C.T @ Y.T)
    yield "E XYX, of odd degree", X @ Y @ X
    yield "E XYXY", X @ Y @ A @ X @ Y
    yield "E tr(XY)² XCᵀX / (n + d)", X @ C.T @ X * xp.trace(X @ Y) * xp.trace(X @ Y) / (n + d)
    yield "E g⁴ AWw wᵀ tr(wᵀBw)", A @ W @ w @ (g @ g @ g @ w.T) * xp.trace(g) * xp.trace(w.T @ B @ w)


MATRICES = {
    "A": fractions([1, 2, -1, 3], 2, 2),
    "B": fractions([0, 1, 4, -2], 2, 2),
    "C": fractions([1, -2, 3, 5, 1, -1], 2, 3),
}


@pytest.mark.parametrize("case", range(16))
def test_wick_agrees_with_the_means_of_all_entries(case):
    xp = namespace(MATRICES["A"])
    name, value = list(cases(xp, *MATRICES.values(), 2, 3))[case]
    fixed = [free("A", d, d), free("B", d, d), free("C", d, n)]
    _, symbolic = list(cases(SIZE_FREE, *fixed, d, n))[case]
    assert (evaluated(SIZE_FREE.mean(symbolic)) == xp.mean(value)).all(), name


def evaluated(value):
    """Return a size-free matrix or scalar at d = 2 and n = 3, as an array."""
    from gdtheory.proofs import words

    def size(symbol):
        return int(sympy.sympify(symbol).subs({d: 2, n: 3}))

    def product(word, rows):
        factors = [MATRICES[f.arg.name].T if f.is_Transpose else MATRICES[f.name] for f in word]
        return functools.reduce(operator.matmul, factors, namespace(MATRICES["A"]).eye(size(rows)))

    def scalar(expression):
        found = sympy.sympify(expression)
        known = {s: words.word_of[s] for s in found.free_symbols if s in words.word_of}
        traces = {
            s: sympy.Rational(str(product(word, word[0].shape[0]).trace())) for s, word in known.items()
        }
        return Fraction(str(found.subs(traces).subs({d: 2, n: 3})))

    if not isinstance(value, blocks.Block):
        return np.array(scalar(value))
    ((terms,),), (rows,), (columns,) = value.grid, value.heights, value.widths
    zero = namespace(MATRICES["A"]).zeros(size(rows), size(columns))
    return sum((product(word, rows) * scalar(c) for word, c in terms.items()), start=zero)


def test_the_mean_leaves_what_is_not_random():
    A = free("A", d, d)
    assert SIZE_FREE.is_zero(SIZE_FREE.mean(A) - A)
    assert SIZE_FREE.mean(SIZE_FREE.trace(A) * n) == SIZE_FREE.trace(A) * n


def test_random_matrices_of_two_names_are_independent():
    X, Y = SIZE_FREE.normal("X", d, n), SIZE_FREE.normal("Y", d, n)
    assert SIZE_FREE.mean(SIZE_FREE.trace(X @ Y.T)) == 0
    assert SIZE_FREE.mean(SIZE_FREE.trace(X @ X.T)) == d * n
    assert isinstance(next(iter(X.grid[0][0]))[0], means.Normal)
