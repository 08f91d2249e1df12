"""Polynomials in independent standard normals, whose mean is exact.

The entries of random matrices are such polynomials, so a construction that adds and multiplies runs on random
matrices as it runs on numbers. The coefficients are exact numbers of any kind.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

from gdtheory.errors import DTypeError

BITS = 8
"""An exponent has this many bits of a monomial: powers reach 255, far beyond what can be expanded."""

_variables: dict[tuple[str, int, int], int] = {}


def variable(name: str, i: int, j: int) -> Polynomial:
    """Return entry (i, j) of the random matrix of that name: the same variable each time."""
    place = _variables.setdefault((name, i, j), len(_variables))
    return Polynomial({1 << BITS * place: Fraction(1)})


class Polynomial:
    """A polynomial in standard normals: from monomials, packed into integers, to coefficients.

    The sum of two packed monomials is their product.

    Examples
    --------
    >>> x, y = variable("x", 0, 0), variable("x", 0, 1)
    >>> ((x + y) * (x + y)).mean(), (x * x * x * x).mean()
    (Fraction(2, 1), Fraction(3, 1))
    """

    __slots__ = ("terms",)

    def __init__(self, terms: dict[int, Any]) -> None:
        self.terms = terms

    def mean(self) -> Any:
        """Return the mean: an even power 2m of a standard normal has the mean (2m - 1)!!."""
        found = ((coefficient, _mean(monomial)) for monomial, coefficient in self.terms.items())
        return sum((coefficient * mean for coefficient, mean in found if mean), start=0)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Any) -> Polynomial:
        added = dict(self.terms)
        for monomial, coefficient in _terms(other).items():
            total = added.get(monomial, 0) + coefficient
            if total == 0:
                del added[monomial]
            else:
                added[monomial] = total
        return Polynomial(added)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Polynomial:
        product: dict[int, Any] = {}
        for left, a in self.terms.items():
            for right, b in _terms(other).items():
                monomial = left + right
                product[monomial] = product.get(monomial, 0) + a * b
        return Polynomial({monomial: c for monomial, c in product.items() if c != 0})

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Polynomial:
        return Polynomial({monomial: c / divisor for monomial, c in self.terms.items()})

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -c for monomial, c in self.terms.items()})

    def __sub__(self, other: Any) -> Polynomial:
        return self + -other

    def __rsub__(self, other: Any) -> Polynomial:
        return -self + other

    def __eq__(self, other: object) -> bool:
        return self.terms == (other.terms if isinstance(other, Polynomial) else {0: other} if other else {})

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<polynomial of {len(self.terms)} terms in standard normals>"


def _terms(other: Any) -> dict[int, Any]:
    if isinstance(other, Polynomial):
        return other.terms
    if isinstance(other, float):
        raise DTypeError("operand", expected="an exact number", got=repr(other))
    return {0: other} if other != 0 else {}


@cache
def _mean(monomial: int) -> int:
    exponents = (monomial >> shift & (1 << BITS) - 1 for shift in range(0, monomial.bit_length(), BITS))
    mean = 1
    for exponent in exponents:
        if exponent % 2:
            return 0
        mean *= math.prod(range(1, exponent, 2))
    return mean
