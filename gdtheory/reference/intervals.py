"""Intervals with fractions as ends, for polynomials: they enclose sums, products and quotients exactly.

Unlike the enclosures of `gdtheory.enclosures` they are never rounded, and as wide as a caller makes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`.

    Examples
    --------
    >>> x = Interval(Fraction(1), Fraction(2))
    >>> x * -x
    Interval(low=Fraction(-4, 1), high=Fraction(-1, 1))
    """

    low: Fraction
    high: Fraction

    @property
    def middle(self) -> Fraction:
        """The number half way."""
        return (self.low + self.high) / 2

    @property
    def width(self) -> Fraction:
        """The distance from end to end."""
        return self.high - self.low

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Interval) -> Interval:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __truediv__(self, other: Interval) -> Interval:
        if 0 in other:
            raise ZeroDivisionError(f"{self} / {other}, which may be 0")
        return self * Interval(1 / other.high, 1 / other.low)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __contains__(self, number: Fraction | int) -> bool:
        return self.low <= number <= self.high


def point(number: Fraction | int) -> Interval:
    """Return the interval of one number."""
    return Interval(Fraction(number), Fraction(number))


def polynomial_within(coefficients: Iterable[Interval], x: Interval) -> Interval:
    """Return an interval that holds a polynomial at every number in x; the leading coefficient is first."""
    total = point(0)
    for coefficient in coefficients:
        total = total * x + coefficient
    return total
