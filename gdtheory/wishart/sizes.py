"""The numbers n and d: integers, fractions, elements of a SymPy ring or field, or SymPy expressions.

A mean of products of traces of W is a polynomial in n and d, whose coefficients are whole and not negative:
it is a sum of one power product of n and d for each pairing of the entries of X. On integers and fractions
a formula for it runs as it stands. For everything else it runs once, on two powers of two that keep the
coefficients apart in the binary digits of the value, and what came is put into the polynomial.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from gdtheory.arguments import exact_rate, listed
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError, shown

Number = Any
"""An int, a Fraction, a PolyElement or FracElement of SymPy, or a SymPy expression."""

Formula = Callable[[Number, Number], Sequence[Number]]
"""From n and d, both ints or fractions, to some means of products of traces."""

Terms = dict[tuple[int, int], int]
"""A polynomial: from (i, j) to the coefficient of nⁱ dʲ."""

LARGEST_SYMBOLIC_DEGREE = 80
"""The largest degree of the mean of one trace where n or d is symbolic; that of other means is half of it."""

LARGEST_WORK = 10**10
"""The largest product of a number of moments and the number of bits of each."""

EXPECTED = "an integer, a fraction, or an exact element or expression of SymPy"


def size(name: str, value: Number) -> Number:
    """Return n or d as an int, a Fraction, a ring or field element, or an expression that is no fraction.

    Raises
    ------
    DTypeError
        If it is a float, a bool or no number at all.
    NonFiniteError
        If it is an infinity or NaN of SymPy.
    ShapeError
        If it is an integer below 1.
    """
    sympy = sys.modules.get("sympy")  # where SymPy is not loaded, nothing of SymPy can have come
    if sympy is not None and isinstance(value, sympy.Expr):
        value = _expression(name, value)
    elif isinstance(value, np.integer):
        value = int(value)
    domain = getattr(home_of(value), "domain", None)
    if isinstance(value, bool) or not (
        isinstance(value, (int, Fraction))
        or (sympy is not None and isinstance(value, sympy.Expr))
        or (domain is not None and domain.is_Exact)
    ):
        raise DTypeError(name, expected=EXPECTED, got=shown(value))
    if isinstance(value, int) and value < 1:
        raise ShapeError(name, expected="at least 1", got=value)
    return value


def symbolic_or_rate(name: str, value: Number) -> Number:
    """Return a learning rate as a Fraction, an element of a ring or field, or an expression of SymPy.

    Raises
    ------
    DTypeError, NonFiniteError, ArgumentError
        If it is none, or as `exact_rate`.
    """
    sympy = sys.modules.get("sympy")
    if sympy is not None and isinstance(value, sympy.Expr):
        return _expression(name, value)
    if home_of(value) is not None and home_of(value).domain.is_Exact:
        return value
    return exact_rate(name, value)


def _expression(name: str, value: Number) -> Number:
    import sympy

    if value.has(sympy.nan, sympy.oo, -sympy.oo, sympy.zoo):
        raise NonFiniteError(name, expected="a finite number", got=value)
    if value.has(sympy.Float) or not value.is_commutative:
        raise DTypeError(name, expected=EXPECTED, got=shown(value))
    if value.is_Integer:
        return int(value)
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else value


def home_of(value: Number) -> Any:
    """Return the SymPy ring or field that `value` is an element of, or None."""
    return getattr(value, "ring", None) or getattr(value, "field", None)


def in_its_field(value: Number) -> Number:
    """Return an element of a ring as one of its field, where division is exact, and others as they are."""
    home = home_of(value)
    return home.to_field()(value) if hasattr(home, "to_field") else value


def is_plain(*values: Number) -> bool:
    """Whether all are integers or fractions."""
    return all(isinstance(value, (int, Fraction)) for value in values)


def in_field(n: Number, d: Number) -> tuple[Number, Number, Number, Callable[[Number], Number]]:
    """Return n and d, the one of a field in which they can be divided, and what turns quotients back.

    Plain numbers stay as they are and have Fraction(1); elements of a ring become those of its field, and
    expressions elements of a field that are turned back into expressions.
    """
    if is_plain(n, d):
        return n, d, Fraction(1), Fraction
    home = common_home(n, d)
    if home is None:
        from sympy import sfield

        field, (n, d) = sfield([n, d])
        return n, d, field.one, lambda value: value.as_expr()
    field = home.to_field() if hasattr(home, "to_field") else home
    return _element("n", n, field), _element("d", d, field), field.one, field


def exponents(name: str, values: Iterable[int]) -> tuple[int, ...]:
    """Return exponents of W as ints, sorted, or raise a DTypeError or a ShapeError."""
    expected = "a list of whole numbers from 0 on"
    found = tuple(listed(name, values, expected))
    if not all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) for value in found):
        raise DTypeError(name, expected=expected, got=shown(found))
    if min(found, default=0) < 0:
        raise ShapeError(name, expected=expected, got=int(min(found)))
    return tuple(sorted(map(int, found)))


def require_feasible(
    name: str, powers: tuple[int, ...], n: Number, d: Number, *, single: bool = False
) -> None:
    """Raise an ArgumentError if the mean of a product of traces of powers takes too long or too much memory.

    The recursion meets about as many products as there are partitions of all exponents but the largest, and
    the estimate of Hardy and Ramanujan is taken for their number; each is a number of as many bits as
    the sum of the exponents times those of n and d. Where n or d is symbolic, the degree is bounded: by 80 if
    `single`, for one mean of one trace, otherwise by 40. The bounds keep a call below about 10 s and 1 GB.
    """
    degree = 1 + len(powers) + sum(powers)
    if not is_plain(n, d):
        largest = LARGEST_SYMBOLIC_DEGREE if single else LARGEST_SYMBOLIC_DEGREE // 2
        if sum(powers) + powers.count(0) > largest:
            expected = f"a degree of at most {largest} where n or d is symbolic"
            raise ArgumentError(name, expected=expected, got=sum(powers) + powers.count(0))
        return
    rest = min(sum(power for power in powers[:-1] if power > 1), 10**6)
    partitions = math.pi * math.sqrt(2 * rest / 3) - math.log(4 * math.sqrt(3) * max(rest, 1))
    bits = sum(number.numerator.bit_length() + number.denominator.bit_length() for number in (n, d))
    bits *= 1 if isinstance(n, int) and isinstance(d, int) else 8  # fractions are reduced in every step
    work = math.log(degree) + math.log(bits + degree.bit_length())
    if work + max(partitions, math.log(degree)) > math.log(LARGEST_WORK):
        expected = "a total degree of which the mean takes less than about 10 s"
        raise ArgumentError(name, expected=expected, got=sum(powers))


def polynomials(formula: Formula, degree: int, n: Number, d: Number) -> tuple[Number, ...]:
    """Return ``formula(n, d)`` for any kind of number; `degree` is at least the degree in W, and 1."""
    if is_plain(n, d):
        kind = int if isinstance(n, int) and isinstance(d, int) else Fraction
        return tuple(map(kind, formula(n, d)))
    # There are (2 degree - 1)!! pairings, so no coefficient is larger than that.
    width = math.prod(range(1, 2 * degree, 2)).bit_length() // 8 + 1
    values = formula(1 << 8 * width, 1 << 8 * width * (degree + 1))
    return substituted([_digits(value, width, degree) for value in values], n, d)


def _digits(value: int, width: int, degree: int) -> Terms:
    """Return the polynomial whose value at n = 256^width and d = n^(degree + 1) is given."""
    data = value.to_bytes(value.bit_length() // 8 + 1, "little")
    digits = (int.from_bytes(data[start : start + width], "little") for start in range(0, len(data), width))
    return {divmod(place, degree + 1)[::-1]: digit for place, digit in enumerate(digits) if digit}


def substituted(polynomials: Sequence[Terms], n: Number, d: Number) -> tuple[Number, ...]:
    """Return the values of polynomials; where n or d is an expression, they come back expanded."""
    home = common_home(n, d)
    if home is None:
        from sympy import sring

        _, elements = sring([n, d])
        return tuple(value.as_expr() for value in substituted(polynomials, *elements))
    n, d = _element("n", n, home), _element("d", d, home)
    return tuple(_value(terms, n, d, home) for terms in polynomials)


def common_home(n: Number, d: Number) -> Any:
    """Return the ring or field of n and d, or None for expressions and plain numbers."""
    homes = [home for home in (home_of(n), home_of(d)) if home is not None]
    if homes and not all(home_of(x) == homes[0] or is_plain(x) for x in (n, d)):
        raise DTypeError("d", expected="a number of one kind with n", got=shown(d))
    return homes[0] if homes else None


def _element(name: str, value: Number, home: Any) -> Number:
    from sympy.polys.polyerrors import CoercionFailed

    try:
        return home(value)
    except CoercionFailed:
        raise DTypeError(name, expected=f"a number in {home}", got=shown(value)) from None


def _value(terms: Terms, n: Number, d: Number, home: Any) -> Number:
    """Return the value of a polynomial at two elements of one ring or field."""
    if n in home.gens and d in home.gens and n != d:
        first, second = home.gens.index(n), home.gens.index(d)
        ring = getattr(home, "ring", home)
        exponents = {powers: [0] * ring.ngens for powers in terms}
        for (i, j), exponent in exponents.items():
            exponent[first], exponent[second] = i, j
        return home(ring.from_dict({tuple(exponents[powers]): terms[powers] for powers in terms}))
    total = home.zero
    for i in range(max(i for i, _ in terms), -1, -1):  # Horner's rule in n and in d
        row = home.zero
        for j in range(max(j for _, j in terms), -1, -1):
            row = row * d + terms.get((i, j), 0)
        total = total * n + row
    return home(total)  # SymPy takes a sum with zero for the other summand, also for an int


def divided(value: Number, divisor: Number) -> Number:
    """Return ``value / divisor`` in a field, by exact division of polynomials where it leaves no remainder.

    That spares SymPy a greatest common divisor, the search for which it gives up on some long polynomials.
    """
    home = home_of(value)
    if home is not None and home_of(divisor) == home and divisor.denom == 1 and hasattr(home, "ring"):
        exact, remainder = divmod(value.numer, divisor.numer)
        if not remainder:
            return home(exact) / home(value.denom)
    return value / divisor


def quotient(value: Number, divisor: int) -> Number:
    """Return ``value / divisor``, where an integer is known to be divisible."""
    return value / divisor if isinstance(value, Fraction) else value // divisor
