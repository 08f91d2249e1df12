"""Polynomials in independent standard normals, whose mean is exact.

The entries of random matrices are such polynomials, so a construction that adds and multiplies runs on random
matrices as it runs on numbers. The coefficients are exact numbers of any kind.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

from gdtheory.errors import ArgumentError, DTypeError, shown

BITS = 8
"""An exponent has this many bits of a monomial."""

LARGEST_DEGREE = 2**BITS - 1
"""No exponent runs into the bits of the next variable."""

_variables: dict[tuple[object, int, int], int] = {}


def variable(name: object, i: int, j: int) -> Polynomial:
    """Return entry (i, j) of the random matrix of that name: the same variable each time."""
    place = _variables.setdefault((name, i, j), len(_variables))
    return Polynomial({1 << BITS * place: Fraction(1)}, degree=1)


class Polynomial:
    """A polynomial in standard normals: from monomials, packed into integers, to coefficients.

    The sum of two packed monomials is their product.

    Examples
    --------
    >>> x, y = variable("x", 0, 0), variable("x", 0, 1)
    >>> ((x + y) * (x + y)).mean(), (x * x * x * x).mean()
    (Fraction(2, 1), Fraction(3, 1))
    """

    __slots__ = ("degree", "terms")

    def __init__(self, terms: dict[int, Any], degree: int) -> None:
        if degree > LARGEST_DEGREE:
            raise ArgumentError("degree", expected=f"at most {LARGEST_DEGREE}", got=degree)
        self.terms = terms
        self.degree = degree  # no term has a larger one

    def mean(self) -> Any:
        """Return the mean: an even power 2m of a standard normal has the mean (2m - 1)!!."""
        found = ((_mean(monomial), coefficient) for monomial, coefficient in self.terms.items())
        return sum((_times(mean, coefficient) for mean, coefficient in found if mean), start=Fraction(0))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Any) -> Polynomial:
        other = _polynomial(other)
        added = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            total = added[monomial] + coefficient if monomial in added else coefficient
            if total == 0:
                del added[monomial]
            else:
                added[monomial] = total
        return Polynomial(added, max(self.degree, other.degree))

    __radd__ = __add__

    def __mul__(self, other: Any) -> Polynomial:
        other = _polynomial(other)
        product: dict[int, Any] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial, ab = left + right, _times(a, b)
                product[monomial] = product[monomial] + ab if monomial in product else ab
        kept = {monomial: coefficient for monomial, coefficient in product.items() if coefficient != 0}
        return Polynomial(kept, self.degree + other.degree)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Polynomial:
        divisor = _exact(divisor)
        return Polynomial({monomial: c / divisor for monomial, c in self.terms.items()}, self.degree)

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -c for monomial, c in self.terms.items()}, self.degree)

    def __sub__(self, other: Any) -> Polynomial:
        return self + -other

    def __rsub__(self, other: Any) -> Polynomial:
        return -self + other

    def __eq__(self, other: object) -> bool:
        return self.terms == (other.terms if isinstance(other, Polynomial) else {0: other} if other else {})

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<polynomial of {len(self.terms)} terms in standard normals>"


def _polynomial(operand: Any) -> Polynomial:
    if isinstance(operand, Polynomial):
        return operand
    constant = _exact(operand)
    return Polynomial({0: constant} if constant != 0 else {}, degree=0)


def _exact(operand: Any) -> Any:
    """Return an exact number; integers as fractions, since their quotient would be a float."""
    if isinstance(operand, Fraction) or hasattr(operand, "numer"):
        return operand  # the latter is an element of a field
    if hasattr(operand, "numerator") and not isinstance(operand, bool):
        return Fraction(int(operand.numerator), int(operand.denominator))
    raise DTypeError("operand", expected="an exact number", got=shown(operand))


def _times(a: Any, b: Any) -> Any:
    """Return a b; that most coefficients are 1 saves most of the time, as a field has slow products."""
    if type(a) is not type(b):
        if a == 1:
            return b
        if b == 1:
            return a
    return a * b


@cache
def _mean(monomial: int) -> int:
    exponents = (monomial >> shift & (1 << BITS) - 1 for shift in range(0, monomial.bit_length(), BITS))
    mean = 1
    for exponent in exponents:
        if exponent % 2:
            return 0
        mean *= math.prod(range(1, exponent, 2))
    return mean
