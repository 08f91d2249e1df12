"""Means of products of traces of Wishart matrices: recursions, closed forms and sums over all pairings."""

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
from gdtheory.reference.moments import wishart_traces
from gdtheory.wishart import complex_trace_moment, trace_moment, trace_moments, zonal_trace_moment

n, d = sympy.symbols("n d")
R, r_n, r_d = ring("n, d", ZZ)
K, k_n, k_d = field("n, d", QQ)

SIZES = st.integers(1, 10**9)
PARTS = st.lists(st.integers(0, 6), max_size=4).filter(lambda parts: sum(parts) <= 12)


def partitions(k, smallest=1):
    if k == 0:
        yield ()
    for part in range(smallest, k + 1):
        yield from ((part, *rest) for rest in partitions(k - part, part))


def loops(*pairings):
    """The number of classes of points that the pairs join."""
    class_of = {point: point for point in itertools.chain(*itertools.chain(*pairings))}
    for p, q in itertools.chain(*pairings):
        old, new = class_of[p], class_of[q]
        class_of = {point: new if label == old else label for point, label in class_of.items()}
    return len(set(class_of.values()))


def neighbours(parts):
    """The next factor W of each factor in its trace."""
    starts = itertools.accumulate(parts, initial=0)
    return [start + (a + 1) % b for start, b in zip(starts, parts, strict=False) for a in range(b)]


def by_pairings(parts, n, d):
    """W_a = X[i_a, j_a] X[i_a+1, j_a]: points 2a and 2a + 1; each pairing of the X joins rows and columns."""
    following = neighbours(parts)
    rows = [(2 * a + 1, 2 * b) for a, b in enumerate(following)]
    columns = [(2 * a, 2 * a + 1) for a in range(len(following))]
    pairings = all_pairings(tuple(range(2 * sum(parts))))
    return sum(n ** loops(pairs, columns) * d ** loops(pairs, rows) for pairs in pairings)


def by_permutations(parts, n, d):
    """X[i_a, j_a] meets the conjugate X in factor s(a): a column for each cycle of s, a row of c s."""
    following = neighbours(parts)
    total = 0
    for s in itertools.permutations(range(len(following))):
        cycles = [tuple(enumerate(s)), tuple((a, following[b]) for a, b in enumerate(s))]
        total += n ** loops(cycles[0]) * d ** loops(cycles[1])
    return total


# ------------------------------------------------------------------------------------- values


def test_values():
    means = [620, 23880, 1041000, 49248960, 2474256960, 130369034880, 7148782730880]
    assert [trace // 10 for trace in trace_moments(8, 20, 10)[2:]] == means
    assert trace_moments(1, 20, 10) == (10, 200)
    assert trace_moment((3,), n, d) == sympy.expand(n * d * (n**2 + 3 * n * d + d**2 + 3 * n + 3 * d + 4))
    fourth = n**3 + 6 * n**2 * d + 6 * n * d**2 + d**3 + 6 * n**2 + 17 * n * d + 6 * d**2
    assert trace_moment((4,), n, d) == sympy.expand(n * d * (fourth + 21 * n + 21 * d + 20))


@pytest.mark.parametrize("parts", [parts for k in range(5) for parts in partitions(k)])
@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (20, 10)])
def test_sum_over_all_pairings(parts, sizes):
    assert trace_moment(parts, *sizes) == by_pairings(parts, *sizes)
    assert complex_trace_moment(parts, *sizes) == by_permutations(parts, *sizes)


def test_sum_over_all_pairings_at_degree_five():
    for parts in partitions(5):
        expected = by_pairings(parts, r_n, r_d)  # in ZZ[n, d], so for all n and d
        assert trace_moment(parts, r_n, r_d) == expected
        assert complex_trace_moment(parts, r_n, r_d) == by_permutations(parts, r_n, r_d)


@given(PARTS, SIZES, SIZES)
@settings(max_examples=60, deadline=None)
def test_recursion_without_one_row_moments(parts, n, d):
    assert trace_moment(parts, n, d) == wishart_traces(n, d, tuple(parts))


@given(st.integers(1, 40), SIZES, SIZES)
@settings(max_examples=60, deadline=None)
def test_linear_recursion_against_the_closed_form(k, n, d):
    assert trace_moment([k], n, d) == trace_moments(k, n, d)[k] == zonal_trace_moment(k, n, d)


def test_linear_recursion_is_an_identity_of_polynomials():
    """Up to k = 30 both sides have at most degree 31 in n and d together, so a triangle of 32 decides.

    As both sides are symmetric in n and d, half of it does.
    """
    triangle = [(n, d) for n in range(1, 17) for d in range(n, 34 - n)]
    for n, d in triangle:
        m = [d, *(zonal_trace_moment(k, n, d) for k in range(1, 31))]
        t, v = n + d - 1, (n - d) ** 2
        for k in range(4, 31):
            assert (k + 1) * m[k] == (
                (4 * k - 1) * t * m[k - 1]
                + (5 * k**3 - 16 * k**2 + 17 * k - 7 - (2 * k - 3) * (2 * t**2 + v)) * m[k - 2]
                + t * ((4 * k - 11) * v - 10 * k**3 + 68 * k**2 - 150 * k + 107) * m[k - 3]
                - (k - 4) * ((2 * k - 7) ** 2 - v) * ((k - 2) ** 2 - v) * m[k - 4]
            )
        assert trace_moments(30, n, d) == tuple(m)


@pytest.mark.parametrize(("k", "n", "d"), [(150, 20, 10), (260, 3, 5), (100, 2 * 10**8, 10**8)])
def test_linear_recursion_far_out(k, n, d):
    moments = trace_moments(400, n, d)
    assert len(moments) == 401
    assert moments[k] == zonal_trace_moment(k, n, d)


@given(PARTS, SIZES)
@settings(max_examples=40, deadline=None)
def test_chi_squared(parts, n):
    assert trace_moment(parts, n, 1) == math.prod(n + 2 * i for i in range(sum(parts)))
    assert complex_trace_moment(parts, n, 1) == math.prod(n + i for i in range(sum(parts)))


@given(PARTS, SIZES, SIZES)
@settings(max_examples=40, deadline=None)
def test_symmetry_and_homogeneity(parts, n, d):
    q, positive = sum(parts), [b for b in parts if b]
    assert trace_moment([1, *parts], n, d) == (n * d + 2 * q) * trace_moment(parts, n, d)
    assert complex_trace_moment([1, *parts], n, d) == (n * d + q) * complex_trace_moment(parts, n, d)
    for mean in (trace_moment, complex_trace_moment):
        assert mean(positive, n, d) == mean(positive, d, n)
        assert mean([*parts, 0], n, d) == d * mean(parts, n, d) == d * mean(parts[::-1], n, d)


def test_long_products():
    assert trace_moment([1] * 2000, 2, 3) == math.prod(6 + 2 * i for i in range(2000))
    assert trace_moment([0] * 2000, 2, 3) == 3**2000
    assert trace_moment((2, 300), 5, 3) == (
        (5 + 3 + 1) * trace_moment((1, 300), 5, 3) + 600 * trace_moments(301, 5, 3)[301]
    )


# ------------------------------------------------------------------------------------ kinds of number

NUMBERS = {
    "ints": (20, 10, int),
    "numpy": (np.int64(20), np.uint8(10), int),
    "sympy integers": (sympy.Integer(20), sympy.Integer(10), int),
    "fractions": (Fraction(-7, 3), Fraction(1, 2), Fraction),
    "one fraction": (20, Fraction(10), Fraction),
    "sympy rational": (sympy.Rational(7, 3), 10, Fraction),
}


@pytest.mark.parametrize("function", [trace_moment, complex_trace_moment])
@pytest.mark.parametrize("parts", [(), (0,), (3,), (1, 1, 4), (0, 2, 3), (2, 2, 2)])
def test_kinds_of_number(function, parts):
    poly = function(parts, n, d)
    assert isinstance(poly, (sympy.Expr, int))
    for n_, d_, kind in NUMBERS.values():
        value = function(parts, n_, d_)
        assert type(value) is kind
        assert value == sympy.sympify(poly).subs({n: sympy.sympify(n_), d: sympy.sympify(d_)})
    for elements in [
        (r_n, r_d),
        (k_n, k_d),
        (k_n, 7),
        (Fraction(1, 3), k_d),
        (k_n / k_d, k_d + 1),
        (3, r_d + r_n),
    ]:
        value = function(parts, *elements)
        assert type(value) in {type(element) for element in elements}
        expected = sympy.sympify(poly).subs(
            {n: _expression(elements[0]), d: _expression(elements[1])}, simultaneous=True
        )
        assert sympy.cancel(value.as_expr() - expected) == 0


def _expression(value):
    return value.as_expr() if hasattr(value, "as_expr") else sympy.sympify(value)


@pytest.mark.parametrize(
    "sizes", [(n + d, 2 * d), (n, 10), (n, n), (sympy.sqrt(n), n), (1 / n, sympy.pi), (n / 2, d)]
)
def test_expressions_come_back_expanded(sizes):
    value = trace_moment((1, 3), *sizes)
    a, b = map(sympy.sympify, sizes)
    expected = sympy.expand(trace_moment((1, 3), n, d).subs({n: a, d: b}, simultaneous=True))
    assert value == sympy.expand(value) == expected


def test_rows_of_other_kinds():
    assert trace_moments(6, n, d) == tuple(trace_moment([k], n, d) for k in range(7))
    assert trace_moments(6, k_n, k_d) == tuple(trace_moment([k], k_n, k_d) for k in range(7))
    assert trace_moments(5, Fraction(1, 2), 3) == tuple(
        trace_moment([k], Fraction(1, 2), 3) for k in range(6)
    )
    assert {type(moment) for moment in trace_moments(5, Fraction(1, 2), 3)} == {Fraction}
    assert zonal_trace_moment(7, n, d) == trace_moment([7], n, d)
    assert zonal_trace_moment(7, k_n, 3) == trace_moment([7], k_n, 3)
    assert zonal_trace_moment(7, Fraction(1, 3), -Fraction(2)) == trace_moment(
        [7], Fraction(1, 3), -Fraction(2)
    )


def test_an_int_after_an_equal_fraction_is_an_int():
    assert type(trace_moment((2, 2), Fraction(13), Fraction(11))) is Fraction
    assert type(trace_moment((2, 2), 13, 11)) is int


# ------------------------------------------------------------------------------------- bad input


BAD = [
    ((2,), 0, 3, ShapeError),
    ((2,), 3, -1, ShapeError),
    ((2,), -(10**6000), 3, ShapeError),
    ((2,), sympy.Integer(0), 3, ShapeError),
    ((2,), 3.0, 3, DTypeError),
    ((2,), np.float64(3), 3, DTypeError),
    ((2,), True, 3, DTypeError),
    ((2,), np.True_, 3, DTypeError),
    ((2,), "3", 3, DTypeError),
    ((2,), None, 3, DTypeError),
    ((2,), 3, 1j, DTypeError),
    ((2,), n * 0.5, 3, DTypeError),
    ((2,), sympy.Float(3), 3, DTypeError),
    ((2,), sympy.Symbol("n", commutative=False), 3, DTypeError),
    ((2,), sympy.nan, 3, NonFiniteError),
    ((2,), 3, sympy.oo, NonFiniteError),
    ((2,), ring("x", sympy.RR)[1], 3, DTypeError),
    ((2,), n, r_d, DTypeError),
    ((2,), r_n, ring("x", ZZ)[1], DTypeError),
    ((2,), r_n, Fraction(1, 2), DTypeError),
    ((-1,), 3, 3, ShapeError),
    ((-(10**6000),), 3, 3, ShapeError),
    ((1.0,), 3, 3, DTypeError),
    ((True,), 3, 3, DTypeError),
    (("1",), 3, 3, DTypeError),
    ((n,), 3, 3, DTypeError),
    ("12", 3, 3, DTypeError),
    (2, 3, 3, DTypeError),
    (None, 3, 3, DTypeError),
    ((10**6000,), 3, 3, ArgumentError),
    ((10**400, 10**400), 3, 3, ArgumentError),
    ((50, 50, 50), 3, 3, ArgumentError),
    ((3,) * 40, 3, 3, ArgumentError),
    ((81,), n, d, ArgumentError),
    ((20, 21), n, 3, ArgumentError),
    ((0,) * 10**5, k_n, 3, ArgumentError),
]


@pytest.mark.parametrize(("parts", "n", "d", "error"), BAD, ids=range(len(BAD)))
def test_bad_input(parts, n, d, error):
    for function in (trace_moment, complex_trace_moment):
        with pytest.raises(error) as caught:
            function(parts, n, d)
        assert type(caught.value) is error
        assert str(caught.value)


@pytest.mark.parametrize("function", [trace_moments, zonal_trace_moment])
@pytest.mark.parametrize(
    ("k", "n", "d", "error"),
    [
        (-1, 3, 3, ShapeError),
        (1.0, 3, 3, DTypeError),
        (True, 3, 3, DTypeError),
        (n, 3, 3, DTypeError),
        (10**7, 3, 3, ArgumentError),
        (81, n, 3, ArgumentError),
        (3, 0, 3, ShapeError),
        (3, 3, 2.5, DTypeError),
    ],
)
def test_bad_input_of_one_row(function, k, n, d, error):
    with pytest.raises(error) as caught:
        function(k, n, d)
    assert type(caught.value) is error


def test_closed_form_begins_at_one():
    with pytest.raises(ShapeError):
        zonal_trace_moment(0, 3, 3)
