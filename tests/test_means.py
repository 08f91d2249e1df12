"""Means over random matrices: exact polynomials at fixed sizes, and Wick's theorem at symbolic ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from gdtheory.errors import DTypeError
from gdtheory.gaussian import variable
from gdtheory.ledger import exactly
from gdtheory.namespace import as_objects, namespace
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


def test_a_mean_needs_exact_numbers():
    for array in (np.eye(2), exactly(np.eye(2))):
        with pytest.raises(DTypeError, match="exact numbers, whose means are exact"):
            namespace(array).normal("X", 2, 2)
    with pytest.raises(DTypeError, match="exact numbers"):
        namespace(exactly(np.eye(2))).mean(exactly(np.eye(2)))


# What both kinds of mean are compared on: words and traces in X, w and fixed matrices.
def cases(xp, A, B, d, n):
    X, w = xp.normal("X", d, n), xp.normal("w", d, 1)
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


@pytest.mark.parametrize("case", range(10))
def test_wick_agrees_with_the_means_of_all_entries(case):
    at = {n: 2, d: 2}
    A, B = fractions([1, 2, -1, 3], 2, 2), fractions([0, 1, 4, -2], 2, 2)
    name, value = list(cases(namespace(A), A, B, 2, 2))[case]
    expected = namespace(A).mean(value)
    _, symbolic = list(cases(SIZE_FREE, free("A", d, d), free("B", d, d), d, n))[case]
    found = SIZE_FREE.mean(symbolic)
    matrices = {"A": sympy.Matrix(2, 2, list(A.flat)), "B": sympy.Matrix(2, 2, list(B.flat))}
    assert (evaluated(found, matrices, at) == expected).all(), name


def evaluated(value, matrices, at):
    """Return a size-free matrix or scalar at given sizes and matrices, as an array."""
    from gdtheory.proofs import words

    def product(word):
        factors = [matrices[f.arg.name].T if f.is_Transpose else matrices[f.name] for f in word]
        return sympy.prod(factors, start=sympy.eye(at[d])) if factors else sympy.eye(at[d])

    def scalar(expression):
        expression = sympy.sympify(expression)
        known = {s: product(words.word_of[s]).trace() for s in expression.free_symbols if s in words.word_of}
        return expression.subs(known).subs(at)

    if not isinstance(value, blocks.Block):
        return np.array(Fraction(int(scalar(value))))
    (terms,) = value.grid[0]
    if not terms:
        return np.array(0)
    if value.shape == (n, n):
        at = {d: at[n]}
    total = sum((product(word) * scalar(c) for word, c in terms.items()), start=sympy.zeros(at[d], at[d]))
    return np.array(total.tolist(), dtype=object)


def test_the_mean_leaves_what_is_not_random():
    A = free("A", d, d)
    assert SIZE_FREE.is_zero(SIZE_FREE.mean(A) - A)
    assert SIZE_FREE.mean(SIZE_FREE.trace(A) * n) == SIZE_FREE.trace(A) * n


def test_random_matrices_of_two_names_are_independent():
    X, Y = SIZE_FREE.normal("X", d, n), SIZE_FREE.normal("Y", d, n)
    assert SIZE_FREE.mean(SIZE_FREE.trace(X @ Y.T)) == 0
    assert SIZE_FREE.mean(SIZE_FREE.trace(X @ X.T)) == d * n
    assert isinstance(next(iter(X.grid[0][0]))[0], means.Normal)
