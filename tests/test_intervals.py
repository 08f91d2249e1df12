"""Intervals hold what the same operations make of their numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gdtheory.reference.intervals import Interval, point, polynomial_within

small = st.fractions(-3, 3, max_denominator=4)


@st.composite
def intervals(draw):
    """An interval, and a number in it."""
    low, number, high = sorted(draw(st.tuples(small, small, small)))
    return Interval(low, high), number


@given(intervals(), intervals())
def test_interval_arithmetic(first, second):
    (x, a), (y, b) = first, second
    assert a in x and x.middle in x and abs(a - x.middle) <= x.width / 2
    assert a + b in x + y and a * b in x * y and -a in -x
    if 0 not in y:
        assert a / b in x / y


@given(intervals(), st.lists(intervals(), max_size=6))
def test_polynomials(at, coefficients):
    x, a = at
    numbers = [c for _, c in coefficients]
    value = sum(c * a**i for i, c in enumerate(reversed(numbers)))
    assert value in polynomial_within([c for c, _ in coefficients], x)
    assert polynomial_within(map(point, numbers), point(a)) == point(value)


def test_ends_are_reached():
    x, y = Interval(Fraction(-1), Fraction(2)), Interval(Fraction(3), Fraction(4))
    assert x + y == Interval(Fraction(2), Fraction(6))
    assert x * y == Interval(Fraction(-4), Fraction(8))
    assert x / y == Interval(Fraction(-1, 3), Fraction(2, 3))


@pytest.mark.parametrize("low", [-1, 0])
def test_division_by_what_may_be_zero(low):
    with pytest.raises(ZeroDivisionError, match="may be 0"):
        point(1) / Interval(Fraction(low), Fraction(1))
