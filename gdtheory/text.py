"""Results as short text, for those whose fractions have hundreds of digits."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from typing import Any

LONGEST = 100
"""Fractions with more bits than that are shown as decimal numbers."""


def short_repr(record: Any) -> str:
    """Return the repr of a dataclass with long fractions, and intervals between them, as ``name≈decimal``.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(repr=False)
    ... class Third:
    ...     exact: Fraction
    ...     long: Fraction
    ...     __repr__ = short_repr
    >>> Third(Fraction(1, 3), Fraction(10**60, 3 * 10**60 + 1))
    Third(exact=Fraction(1, 3), long≈0.33333333)
    """
    shown = (_field(field.name, getattr(record, field.name)) for field in fields(record))
    return f"{type(record).__name__}({', '.join(shown)})"


def _field(name: str, value: Any) -> str:
    ends = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(end, Fraction) for end in ends):
        return f"{name}={value!r}"
    if sum(part.bit_length() for end in ends for part in end.as_integer_ratio()) <= LONGEST:
        return f"{name}={value!r}"
    middle = sum(ends, Fraction()) / len(ends)
    return f"{name}≈{Decimal(middle.numerator) / Decimal(middle.denominator):.8g}"
