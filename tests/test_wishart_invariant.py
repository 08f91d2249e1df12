"""Powers of S between fixed matrices: against means of polynomials in the entries of X, in full."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from pairings import all_pairings
from sympy import QQ, ZZ
from sympy.polys.fields import field
from sympy.polys.rings import ring

from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import equal, free
from gdtheory.wishart import (
    contraction,
    mixed_coefficients,
    mixed_moment,
    power_moment,
    sandwich_coefficients,
    sandwich_moment,
    trace_moment,
    trace_moments,
    weingarten,
)

n, d = sympy.symbols("n d")
K, k_n, k_d = field("n, d", QQ)
SIZES = st.integers(3, 10**6)


def some_matrix(size, seed):
    entries = np.random.default_rng(seed).integers(-5, 6, (size, size, 2))
    return np.array([[Fraction(int(a), 6 - abs(int(b))) for a, b in row] for row in entries], dtype=object)


def gram(size, columns):
    """S over QQ[x], an indeterminate for each entry of X."""
    _, *entries = ring([f"x{i}" for i in range(size * columns)], QQ)
    X = np.array(entries, dtype=object).reshape(size, columns)
    return X @ X.T * QQ(1, columns)


def mean(poly):
    """The mean over standard normal entries: (e - 1)!! for each even power e."""
    total = Fraction(0)
    for powers, c in poly.terms():
        if not any(e % 2 for e in powers):
            total += Fraction(c.numerator, c.denominator) * math.prod(
                math.prod(range(1, e, 2)) for e in powers
            )
    return total


def over_ring(matrix, S):
    return np.vectorize(lambda x: S[0, 0].ring(QQ(x.numerator, x.denominator)), otypes=[object])(matrix)


def value(coefficients, S):
    power = over_ring(np.vectorize(Fraction, otypes=[object])(np.eye(len(S), dtype=int)), S)
    total = power * 0
    for coefficient in coefficients:
        coefficient = Fraction(coefficient)
        total, power = total + power * QQ(coefficient.numerator, coefficient.denominator), power @ S
    return total


def loops(p, q):
    """The halved lengths of the loops of two pairings, sorted downwards."""
    partners = [dict([*pairs, *(pair[::-1] for pair in pairs)]) for pairs in (p, q)]
    left, lengths = set(partners[0]), []
    while left:
        point, length = min(left), 0
        while point in left:
            left -= {point, partners[0][point]}
            point, length = partners[1][partners[0][point]], length + 1
        lengths.append(length)
    return tuple(sorted(lengths, reverse=True))


# ------------------------------------------------------------------------------------- one power


def test_power_moments():
    means = [620, 23880, 1041000, 49248960, 2474256960, 130369034880, 7148782730880]
    assert [power_moment(k, 20, 10) * 20**k for k in range(2, 9)] == means
    assert type(power_moment(0, 20, 10)) is Fraction
    assert power_moment(0, n, d) == 1 == power_moment(1, n, d)
    assert power_moment(2, n, d) == (n + d + 1) / n
    assert power_moment(2, k_n, k_d) == (k_n + k_d + 1) / k_n
    _, r_n, r_d = ring("n, d", ZZ)
    assert power_moment(2, r_n, r_d).as_expr() == sympy.cancel((n + d + 1) / n)


# ------------------------------------------------------------------------------------- Weingarten


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("size", [3, 4, 7, Fraction(1, 2)])
def test_weingarten_matrix_inverts_the_gram_matrix(order, size):
    pairings = list(all_pairings(tuple(range(2 * order))))
    entries = weingarten(size, order)
    for p, q in itertools.product(pairings, pairings):
        total = sum(entries[loops(p, r)] * size ** len(loops(r, q)) for r in pairings)
        assert total == (p == q)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_weingarten_entries_of_symbols(order):
    for loops_, entry in weingarten(d, order).items():
        assert entry.subs(d, 5) == sympy.sympify(weingarten(5, order)[loops_])
        assert weingarten(k_d, order)[loops_].as_expr() == sympy.cancel(entry)


# ------------------------------------------------------------------------------------- sandwiches

SANDWICHES = [
    (1, 1, (2, 3)),
    (1, 2, (2, 2)),
    (0, 3, (2, 2)),
    (2, 2, (1, 3)),
    (3, 1, (4, 1)),
    (2, 1, (3, 2)),
    (1, 1, (1, 4)),
]


@pytest.mark.parametrize(("i", "j", "shape"), SANDWICHES)
def test_sandwiches_entry_by_entry(i, j, shape):
    columns, size = shape
    S, D = gram(size, columns), some_matrix(size, seed=i + 3 * j)
    full = value([0] * i + [1], S) @ over_ring(D, S) @ value([0] * j + [1], S)
    expected = np.vectorize(mean, otypes=[object])(full)
    found = sandwich_moment(i, j, D, columns)
    assert (found == expected).all()
    assert {type(entry) for entry in found.flat} == {Fraction}


@given(st.integers(0, 5), st.integers(0, 5), SIZES, SIZES)
@settings(max_examples=40, deadline=None)
def test_sandwich_coefficients_of_symbols_and_numbers(i, j, n_, d_):
    alpha, beta = sandwich_coefficients(i, j, n_, d_)
    assert (alpha, beta) == sandwich_coefficients(j, i, n_, d_)
    A, B = (Fraction(trace_moment(parts, n_, d_), n_ ** (i + j)) for parts in ((i, j), (i + j,)))
    assert alpha * d_**2 + 2 * beta * d_ == A  # the traces of both sides of E S^i_ab S^j_cd
    assert alpha * d_ + beta * d_ * (d_ + 1) == B
    for symbolic in (sandwich_coefficients(i, j, n, d), sandwich_coefficients(i, j, k_n, k_d)):
        expressions = [sympy.sympify(getattr(x, "as_expr", lambda x=x: x)()) for x in symbolic]
        assert [x.subs({n: n_, d: d_}) for x in expressions] == list(map(sympy.sympify, (alpha, beta)))


def test_sandwiches_of_other_kinds_of_number():
    D = some_matrix(3, seed=1)
    exact = sandwich_moment(2, 3, D, 7)
    for dtype, tolerance in ((np.float64, 1e-14), (np.float32, 1e-6)):
        found = sandwich_moment(2, 3, D.astype(dtype), 7)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, exact.astype(dtype), rtol=10 * tolerance)
    over_field = np.vectorize(lambda x: K(x), otypes=[object])(D)
    symbolic = sandwich_moment(2, 3, over_field, k_n)
    assert [entry.as_expr().subs(n, 7) for entry in symbolic.flat] == list(map(sympy.sympify, exact.flat))
    integers = np.array([[1, 2], [3, 4]], dtype=object)
    assert {type(entry) for entry in sandwich_moment(1, 1, integers, 7).flat} == {Fraction}
    assert sandwich_moment(2, 3, D[:1, :1], 7)[0, 0] == D[0, 0] * power_moment(5, 7, 1)
    readonly = D.astype(float)[::-1, ::-1]
    readonly.flags.writeable = False
    np.testing.assert_allclose(
        sandwich_moment(2, 3, readonly, 7), exact.astype(float)[::-1, ::-1], rtol=1e-13
    )


# ------------------------------------------------------------------------------- three polynomials

MIXED = [
    ([1, 2], ["1/3", -1, 1], [0, 1], (2, 2)),
    ([0, 0, 1], [0, 1], [2, 0.5], (1, 3)),
    ([1, 1], [0, 1], [2, "-3/4"], (2, 3)),
    ([0, 1], [0, 1], [0, 1], (1, 4)),
    ([1, -1], [0, 2, 1], [0, 1, 1], (3, 1)),
    ([2], [0, 0, 1], [0, 1], (2, 2)),
    ([], [0, 1], [1], (2, 2)),
]


@pytest.mark.parametrize(("f", "g", "h", "shape"), MIXED)
def test_mixed_moments_entry_by_entry(f, g, h, shape):
    columns, size = shape
    S = gram(size, columns)
    A, B, C = (some_matrix(size, seed) for seed in (5, 6, 7))
    factors = [value(f, S), over_ring(A, S), value(g, S), over_ring(B, S), value(h, S), over_ring(C, S)]
    full = factors[0]
    for factor in factors[1:]:
        full = full @ factor
    found = mixed_moment(f, g, h, A, B, C, columns)
    assert found == mean(full.trace())
    assert type(found) is Fraction
    floats = mixed_moment(f, g, h, *(M.astype(float) for M in (A, B, C)), columns)
    np.testing.assert_allclose(floats, float(found), rtol=1e-10, atol=1e-10)


@given(st.integers(1, 3), SIZES, SIZES)
@settings(max_examples=20, deadline=None)
def test_mixed_coefficients_give_back_the_joint_traces(degree, n_, d_):
    f, g, h = [1, 2], [0, 1, 3][: degree + 1], [1] * degree
    c = mixed_coefficients(f, g, h, n_, d_)
    product = np.polymul(np.polymul(f[::-1], g[::-1]), h[::-1])[::-1]
    together = sum(int(a) * power_moment(k, n_, d_) * d_ for k, a in enumerate(product))
    # A = B = C = I joins the indices to tr f g h: d, d^2 + d and d^3 + 3 d^2 + 4 d.
    assert c[0] * d_ + sum(c[1:4]) * (d_**2 + d_) + c[4] * (d_**3 + 3 * d_**2 + 4 * d_) == together
    symbolic = mixed_coefficients(f, g, h, n, d)
    assert [sympy.sympify(x).subs({n: n_, d: d_}) for x in symbolic] == list(map(sympy.sympify, c))


@given(st.integers(0, 4), st.integers(0, 4), st.sampled_from([1, 2, 3, 5]))
@settings(max_examples=20, deadline=None)
def test_two_polynomials_are_a_sandwich(i, j, size):
    A, B = some_matrix(size, seed=i), some_matrix(size, seed=9 + j)
    identity = np.vectorize(Fraction, otypes=[object])(np.eye(size, dtype=int))
    f, g = [0] * i + [1], [0] * j + [1]
    expected = (sandwich_moment(i, j, A, 6) @ B).trace()
    assert mixed_moment(f, g, [1], A, B, identity, 6) == expected
    assert mixed_moment(f, [1], g, A, identity, B, 6) == expected
    assert mixed_moment([1], f, g, B, A, identity, 6) == expected


def test_high_degree_in_the_middle():
    identity = np.vectorize(Fraction, otypes=[object])(np.eye(3, dtype=int))
    found = mixed_moment([0, 1], [0] * 400 + [1], [0, 1], *[identity] * 3, 7)
    assert found * 7**402 == trace_moments(402, 7, 3)[402]


def test_blocks_of_symbolic_size():
    A, B, C = (free(name, d, d) for name in "ABC")
    found = mixed_moment([0, 1], [0, 1], [0, 1], A, B, C, n)
    c = (1, 1 / n, 1 / n, 1 / n, 1 / n**2)  # S is a mean of n independent x xᵀ
    assert sympy.simplify(found - contraction(c, A, B, C)) == 0
    D, xp = free("D", d, d), namespace(A)
    expected = D + (D.T + xp.eye(d) * xp.trace(D)) * (1 / n)
    assert equal(sandwich_moment(1, 1, D, n), expected)


# ------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(("i", "j"), [(0, 30), (1, 36), (17, 23), (20, 20)])
def test_long_polynomials_whose_divisor_sympy_does_not_find(i, j):
    alpha, beta = sandwich_coefficients(i, j, *sympy.symbols("n d"))
    numbers = tuple(sympy.Rational(str(x)) for x in sandwich_coefficients(i, j, 7, 5))
    assert (alpha.subs({"n": 7, "d": 5}), beta.subs({"n": 7, "d": 5})) == numbers


I2 = np.eye(2)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: power_moment(-1, 3, 3), ShapeError),
        (lambda: power_moment(1.0, 3, 3), DTypeError),
        (lambda: power_moment(2, 3.0, 3), DTypeError),
        (lambda: power_moment(2, 3, 0), ShapeError),
        (lambda: power_moment(2, Fraction(0), 3), ArgumentError),
        (lambda: power_moment(2, 3, Fraction(0)), ArgumentError),
        (lambda: power_moment(10**8, 3, 3), ArgumentError),
        (lambda: weingarten(1, 2), ArgumentError),
        (lambda: weingarten(2, 3), ArgumentError),
        (lambda: weingarten(Fraction(-4), 3), ArgumentError),
        (lambda: weingarten(3, 4), ShapeError),
        (lambda: weingarten(3, 1.0), DTypeError),
        (lambda: weingarten(3.0, 2), DTypeError),
        (lambda: sandwich_coefficients(1, True, 3, 3), DTypeError),
        (lambda: sandwich_coefficients(1, n, 3, 3), DTypeError),
        (lambda: sandwich_coefficients(1, 1, 3, Fraction(-2)), ArgumentError),
        (lambda: sandwich_moment(1, 1, np.ones((2, 3)), 3), ShapeError),
        (lambda: sandwich_moment(1, 1, np.ones(3), 3), ShapeError),
        (lambda: sandwich_moment(1, 1, np.ones((0, 0)), 3), ShapeError),
        (lambda: sandwich_moment(1, 1, np.ones((2, 2), dtype=int), 3), DTypeError),
        (lambda: sandwich_moment(1, 1, np.ones((2, 2), dtype=bool), 3), DTypeError),
        (lambda: sandwich_moment(1, 1, np.array([[np.nan, 1], [1, 1]]), 3), NonFiniteError),
        (lambda: sandwich_moment(1, 90, I2.astype(np.float32), 1), NonFiniteError),
        (lambda: sandwich_moment(1, 1, I2 * 1e308, 1), NonFiniteError),
        (lambda: sandwich_moment(1, 1, I2, n), DTypeError),
        (lambda: mixed_coefficients("1", [1], [1], 3, 3), DTypeError),
        (lambda: mixed_coefficients([1], 2, [1], 3, 3), DTypeError),
        (lambda: mixed_coefficients([1], [1], ["x"], 3, 3), DTypeError),
        (lambda: mixed_coefficients([1], [1], [1j], 3, 3), DTypeError),
        (lambda: mixed_coefficients([1], [float("inf")], [1], 3, 3), NonFiniteError),
        (lambda: mixed_coefficients([0] * 80 + [1], [0] * 80 + [1], [1], 3, 3), ArgumentError),
        (lambda: mixed_coefficients([1] * 30, [1] * 30, [1] * 30, 3, 3), ArgumentError),
        (lambda: mixed_coefficients([1] * 11, [1] * 11, [1] * 11, n, d), ArgumentError),
        (lambda: mixed_coefficients([1], [1], [1], 3, Fraction(-4)), ArgumentError),
        (lambda: mixed_moment([1], [1], [1], I2, np.eye(3), I2, 3), ShapeError),
        (lambda: mixed_moment([1], [1], [1], *[np.ones((0, 0))] * 3, 3), ShapeError),
        (lambda: mixed_moment([1], [1], [1], I2, I2.astype(np.float32), I2, 3), DTypeError),
        (lambda: mixed_moment([1], [1], [1], *[I2 * 1e200] * 3, 3), NonFiniteError),
        (lambda: mixed_moment(["1e400"], [1], [1], *[I2] * 3, 3), NonFiniteError),
        (lambda: contraction([1] * 4, I2, I2, I2), ShapeError),
        (lambda: contraction(1, I2, I2, I2), DTypeError),
        (lambda: mixed_coefficients(np.array(1), [1], [1], 3, 3), DTypeError),
        (lambda: contraction([1, 1, 1, 1, "1"], I2, I2, I2), DTypeError),
    ],
)
def test_bad_input(call, error):
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert len(str(caught.value)) < 500
