"""Real roots of polynomials with integer coefficients, isolated and enclosed without rounding.

A polynomial is the tuple of its coefficients, that of the constant first and none of the last ones zero.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Polynomial = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`; sums and products enclose those of the numbers."""

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

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __contains__(self, number: Fraction | int) -> bool:
        return self.low <= number <= self.high

    def reciprocal(self) -> Interval:
        """Return the reciprocals of the numbers, none of which is zero."""
        return Interval(1 / self.high, 1 / self.low)


def point(number: Fraction | int) -> Interval:
    """Return the interval of one number."""
    return Interval(Fraction(number), Fraction(number))


# -------------------------------------------------------------------------------------- polynomials


def trimmed(coefficients: Iterable[Any]) -> tuple[Any, ...]:
    """Return the coefficients without the zeros at the end."""
    found = list(coefficients)
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def primitive(coefficients: Iterable[Fraction | int]) -> Polynomial:
    """Return the positive multiple of a polynomial that has integer coefficients without common factor."""
    found = [Fraction(c) for c in trimmed(coefficients)]
    scale = math.lcm(*(c.denominator for c in found))
    whole = [int(c * scale) for c in found]
    divisor = math.gcd(*whole) or 1
    return tuple(c // divisor for c in whole)


def plus(p: Sequence[Any], q: Sequence[Any]) -> tuple[Any, ...]:
    """Return the sum of two polynomials."""
    return trimmed(a + b for a, b in itertools.zip_longest(p, q, fillvalue=0))


def times(p: Sequence[Any], q: Sequence[Any]) -> tuple[Any, ...]:
    """Return the product of two polynomials."""
    product: list[Any] = [0] * (len(p) + len(q))
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return trimmed(product)


def determinant(matrix: Sequence[Sequence[Sequence[Any]]]) -> tuple[Any, ...]:
    """Return the determinant of a square matrix of polynomials, expanded row by row."""
    minors: dict[int, tuple[Any, ...]] = {0: (1,)}  # by the set of columns, as bits
    for row in matrix:
        larger: dict[int, tuple[Any, ...]] = {}
        for used, minor in minors.items():
            for column, entry in enumerate(row):
                if not used >> column & 1:
                    sign = (-1) ** (used >> column).bit_count()
                    columns = used | 1 << column
                    larger[columns] = plus(larger.get(columns, ()), times(times((sign,), entry), minor))
        minors = larger
    return minors[(1 << len(matrix)) - 1]


def value(p: Polynomial, x: Fraction) -> Fraction:
    """Return p(x)."""
    total = Fraction(0)
    for coefficient in reversed(p):
        total = total * x + coefficient
    return total


def enclosure(p: Sequence[Fraction | int], x: Interval) -> Interval:
    """Return an interval that holds p at every number in x."""
    total = point(0)
    for coefficient in reversed(p):
        total = total * x + point(coefficient)
    return total


def common_factor(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the greatest common factor, up to sign."""
    while q:
        p, q = q, _remainder(p, q)
    return p


# -------------------------------------------------------------------------------------------- roots


def squarefree(p: Polynomial) -> Polynomial:
    """Return a polynomial that has the roots of p, each of them once."""
    factor = common_factor(p, derivative(p))
    quotient: list[Fraction] = []
    rest = [Fraction(c) for c in p]
    while len(rest) >= len(factor):
        quotient.insert(0, rest[-1] / factor[-1])
        shift = len(rest) - len(factor)
        rest = [c - quotient[0] * f for c, f in zip(rest, (*[0] * shift, *factor), strict=True)][:-1]
    return primitive(quotient)


def derivative(p: Polynomial) -> Polynomial:
    """Return the derivative."""
    return tuple(i * c for i, c in enumerate(p))[1:]


def real_roots(p: Polynomial) -> list[Interval]:
    """Return one interval per real root of a squarefree polynomial, in increasing order.

    Each holds its root and no other one, but its lower end may be another root. Sturm's theorem counts
    the roots between two numbers, the upper one included.
    """
    if len(p) == 2:
        return [point(Fraction(-p[0], p[1]))]
    if len(p) < 2:
        return []
    chain = [p, primitive(derivative(p))]
    while len(chain[-1]) > 1:
        chain.append(tuple(-c for c in _remainder(chain[-2], chain[-1])))
    bound = Fraction(2 + max(map(abs, p)) // abs(p[-1]))  # Cauchy's
    isolated: list[Interval] = []
    waiting = [(Interval(-bound, bound), _sign_changes(chain, -bound), _sign_changes(chain, bound))]
    while waiting:
        x, at_low, at_high = waiting.pop()
        if at_low - at_high == 1:
            isolated.append(x)
        elif at_low > at_high:
            at_middle = _sign_changes(chain, x.middle)
            waiting.append((Interval(x.middle, x.high), at_middle, at_high))
            waiting.append((Interval(x.low, x.middle), at_low, at_middle))
    return isolated


def refined(p: Polynomial, root: Interval, halvings: int) -> Interval:
    """Return an isolating interval of `real_roots`, halved so many times; a point if that is the root."""
    at_high = value(p, root.high)
    if not at_high or root.low == root.high:
        return point(root.high)
    for _ in range(halvings):
        at_middle = value(p, root.middle)
        if not at_middle:
            return point(root.middle)
        same = (at_middle > 0) == (at_high > 0)
        root = Interval(root.low, root.middle) if same else Interval(root.middle, root.high)
    return root


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return a positive multiple of the remainder of p by q."""
    rest = list(p)
    while len(rest) >= len(q):
        lead, shift = rest[-1] * (1 if q[-1] > 0 else -1), len(rest) - len(q)
        rest = [abs(q[-1]) * c for c in rest]
        for i, c in enumerate(q):
            rest[shift + i] -= lead * c
        rest.pop()
    return primitive(rest)


def _sign_changes(chain: list[Polynomial], x: Fraction) -> int:
    signs = [v > 0 for v in (value(p, x) for p in chain) if v]
    return sum(a != b for a, b in itertools.pairwise(signs))
