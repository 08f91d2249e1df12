"""Real numbers that are no fractions, such as exponentials, enclosed in intervals of 256 bits.

The intervals and their outward rounding are mpmath's. Fractions and integers may stand beside an
enclosure; the result encloses every value that the exact operation can have. So an order between two
enclosures that do not overlap is certain. Two that overlap count as equal where the difference
is known to 2^-64, and the comparison is refused where it is not.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gdtheory.errors import ArgumentError, DTypeError, UndecidedError, shown

PRECISION = 256
"""Bits of the ends of an interval."""

LARGEST_EXPONENT = 10**100
"""The largest number whose exponential is taken: the time grows with the digits of its whole part."""

TIGHT = Fraction(1, 2**64)
"""How well a difference must be known to count as zero."""


@functools.cache
def _context() -> Any:
    """Return mpmath's interval arithmetic at our precision; the caller's own is left alone."""
    from mpmath.ctx_iv import MPIntervalContext

    context = MPIntervalContext()
    context.prec = PRECISION
    return context


@dataclass(frozen=True, slots=True, eq=False)
class Enclosure:
    """A real number somewhere in an interval.

    Examples
    --------
    >>> exp(Fraction(1)) * Fraction(1, 2)
    ≈1.3591409142295226177
    >>> exp(Fraction(1)) < 3
    True
    """

    interval: Any

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The least and the largest value that the number may have."""
        from mpmath.libmp import to_rational

        lower, upper = (Fraction(*map(int, to_rational(end))) for end in self.interval._mpi_)
        return lower, upper

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are finite."""
        from mpmath.libmp import finf, fnan, fninf

        return not any(end in (finf, fninf, fnan) for end in self.interval._mpi_)

    def __repr__(self) -> str:
        from mpmath.libmp import to_str

        return f"≈{to_str(self.interval.mid._mpi_[0], 20)}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Make enclosures picklable, which mpmath's intervals are not."""
        return _restored, (self.interval._mpi_,)

    def __add__(self, other: Any) -> Enclosure:
        return Enclosure(self.interval + enclosed(other).interval)

    def __sub__(self, other: Any) -> Enclosure:
        return Enclosure(self.interval - enclosed(other).interval)

    def __mul__(self, other: Any) -> Enclosure:
        return Enclosure(self.interval * enclosed(other).interval)

    def __truediv__(self, other: Any) -> Enclosure:
        divisor = enclosed(other)
        if 0 in divisor.interval:
            raise ZeroDivisionError(f"{self} / {divisor}, which may be 0")
        return Enclosure(self.interval / divisor.interval)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: Any) -> Enclosure:
        return enclosed(other) - self

    def __rtruediv__(self, other: Any) -> Enclosure:
        return enclosed(other) / self

    def __neg__(self) -> Enclosure:
        return Enclosure(-self.interval)

    def __abs__(self) -> Enclosure:
        return Enclosure(abs(self.interval))

    def _sign(self) -> int:
        """Return -1, 0 or 1; 0 where the number is known to be as good as zero."""
        if not self.is_bounded:
            raise UndecidedError("sign", expected="an enclosure with finite ends", got=self.interval)
        if 0 not in self.interval:
            return 1 if self.interval > 0 else -1
        if not self.interval.delta <= float(TIGHT):  # fractions of the ends may be too long to write down
            raise UndecidedError("sign", expected="an enclosure that does not contain 0", got=self.interval)
        return 0

    def __eq__(self, other: object) -> bool:
        return (self - other)._sign() == 0

    def __lt__(self, other: Any) -> bool:
        return (self - other)._sign() < 0

    def __le__(self, other: Any) -> bool:
        return (self - other)._sign() <= 0

    def __gt__(self, other: Any) -> bool:
        return (self - other)._sign() > 0

    def __ge__(self, other: Any) -> bool:
        return (self - other)._sign() >= 0

    __hash__ = None  # type: ignore[assignment]  # equality is no equivalence here


def _restored(ends: Any) -> Enclosure:
    return Enclosure(_context().make_mpf(ends))


def enclosed(number: Any) -> Enclosure:
    """Return an integer, a fraction or an enclosure as an enclosure.

    Raises
    ------
    DTypeError
        If it is another kind of number.
    """
    if isinstance(number, Enclosure):
        return number
    if isinstance(number, bool) or not isinstance(number, (int, Fraction)):
        raise DTypeError("number", expected="an integer, a fraction or an enclosure", got=shown(number))
    iv = _context()
    return Enclosure(iv.mpf(number.numerator) / iv.mpf(number.denominator))


def exp(number: Any) -> Enclosure:
    """Return e to the power of an integer, a fraction or an enclosure.

    Raises
    ------
    DTypeError, ArgumentError
        If it is another kind of number, or larger in size than `LARGEST_EXPONENT`.
    """
    x = enclosed(number)
    if not (x.is_bounded and abs(x).interval <= LARGEST_EXPONENT):
        raise ArgumentError("number", expected=f"at most {LARGEST_EXPONENT} in size", got=x)
    return Enclosure(_context().exp(x.interval))
