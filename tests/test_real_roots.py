"""Roots that are known, and SymPy's."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from gdtheory.reference.real_roots import (
    Interval,
    common_factor,
    determinant,
    enclosure,
    point,
    primitive,
    real_roots,
    refined,
    squarefree,
    times,
    value,
)

small = st.fractions(-3, 3, max_denominator=4)
polynomials = st.lists(st.integers(-9, 9), max_size=8).map(primitive)


def with_roots(roots, *others):
    return primitive(reduce(times, [(-r, 1) for r in roots], reduce(times, others, (1,))))


@given(st.lists(small, max_size=7), st.booleans(), st.sampled_from([1, -1]))
def test_known_roots_are_found(roots, with_complex_ones, sign):
    p = with_roots(roots, (sign,), *([(1, 0, 1), (5, 2, 1)] if with_complex_ones else []))
    p = squarefree(p)
    found = real_roots(p)
    distinct = sorted(set(roots))
    assert len(found) == len(distinct)
    for root, x in zip(distinct, found, strict=True):
        assert x.low < root <= x.high or x == point(root)
        narrow = refined(p, x, 30)
        assert root in narrow and narrow.width <= x.width / 2**30


@given(polynomials)
def test_as_many_roots_as_sympy_counts(p):
    if p:
        expected = sympy.Poly(p[::-1], sympy.Symbol("x"))
        assert len(real_roots(squarefree(p))) == (expected.count_roots() if len(p) > 1 else 0)


def test_irrational_roots():
    low, high = (refined((-2, 0, 1), root, 60) for root in real_roots((-2, 0, 1)))
    assert high.low**2 < 2 < high.high**2 and low.high**2 < 2 < low.low**2
    assert high.width == low.width < Fraction(1, 2**57)


def test_roots_that_are_close_together():
    roots = [Fraction(1), 1 + Fraction(1, 2**40), 1 + Fraction(1, 2**39)]
    p = with_roots(roots)
    assert [root in x for root, x in zip(roots, real_roots(p), strict=True)] == [True] * 3


@given(polynomials, polynomials)
def test_common_factors(p, q):
    x = sympy.Symbol("x")
    expected = sympy.gcd(sympy.Poly(p[::-1] or (0,), x), sympy.Poly(q[::-1] or (0,), x))
    found = common_factor(p, q)
    assert len(found) - 1 == (expected.degree() if found else -1)
    assert all(not sympy.rem(sympy.Poly(r[::-1], x), sympy.Poly(found[::-1], x)) for r in (p, q) if r)


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(polynomials, min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_determinants(matrix):
    """At some numbers, one of them far beyond every root, against SymPy's determinant of numbers."""
    found = determinant(matrix)
    for x in (0, 1, -1, 2, 10**9):
        numbers = sympy.Matrix([[int(value(p, x)) for p in row] for row in matrix])
        assert value(found, x) == int(numbers.det())


@given(polynomials, small, small, small)
def test_enclosures_hold_every_value(p, a, b, share):
    x = Interval(min(a, b), max(a, b))
    assert value(p, x.low + (x.width * (share + 3) / 6)) in enclosure(p, x)
    assert enclosure(p, point(a)) == point(value(p, a))


@given(small, small, small, small)
def test_interval_arithmetic(a, b, c, d):
    x, y = Interval(min(a, b), max(a, b)), Interval(min(c, d), max(c, d))
    assert all(u + v in x + y and u * v in x * y and -u in -x for u in (a, b) for v in (c, d))
    if 0 not in x:
        assert 1 / a in x.reciprocal() and 1 / b in x.reciprocal()


@pytest.mark.parametrize("p", [(), (5,), (1, 0, 1)])
def test_no_roots(p):
    assert real_roots(p) == []
