"""Checks of float arrays, counts and fractions, made once in each public function."""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError, shown

FloatArray = NDArray[np.floating[Any]]
"""An array of float32 or float64."""


def float_array(
    name: str, value: Any, *, dtype: np.dtype[Any] | None = None, min_axes: int = 0
) -> FloatArray:
    """Return `value` as an array that compiled code can read, with no number changed.

    Parameters
    ----------
    name : str
        Name of the argument, for the error.
    value : array_like
        Anything that NumPy takes for an array of float32 or float64. Integers are refused, since
        large ones have no float that equals them, and so are masked arrays.
    dtype : dtype, optional
        The only dtype allowed, where there is but one.
    min_axes : int
        Least number of axes.

    Returns
    -------
    ndarray
        Read-only, C-contiguous, aligned and in native byte order: a view of `value` where it has that
        layout, else a copy.

    Raises
    ------
    DTypeError
        If `value` is no array or holds another kind of number.
    ShapeError
        If it has too few axes.

    Examples
    --------
    >>> float_array("x", [1.0, 2.0])
    array([1., 2.])
    >>> float_array("x", [1j])
    Traceback (most recent call last):
    gdtheory.errors.DTypeError: x: expected float32 or float64, got complex128
    """
    array = as_array(name, value)
    allowed = (np.dtype(np.float32), np.dtype(np.float64)) if dtype is None else (dtype,)
    native = array.dtype.newbyteorder("=")
    if native not in allowed:
        raise DTypeError(
            name, expected=" or ".join(map(str, allowed)), got=_with_advice(name, native, allowed[-1])
        )
    if array.ndim < min_axes:
        raise ShapeError(name, expected=f"at least {min_axes} axes", got=f"shape {array.shape}")
    readable = np.require(array, native, ["C_CONTIGUOUS", "ALIGNED", "ENSUREARRAY"]).view()
    readable.flags.writeable = False
    return readable


def as_array(name: str, value: Any) -> NDArray[Any]:
    """Return `value` as an array, or raise a DTypeError if it is none or has a mask."""
    if isinstance(value, np.ma.MaskedArray):
        raise DTypeError(name, expected="an array without a mask", got="a masked array")
    try:
        return np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise DTypeError(name, expected="an array", got=f"{type(value).__name__} ({error})") from None


def _with_advice(name: str, dtype: np.dtype[Any], wanted: np.dtype[Any]) -> str:
    if dtype.kind in "iu" or dtype == np.float16:
        return f"{dtype}; convert with np.asarray({name}, dtype=np.{wanted})"
    return str(dtype)


def require_finite(name: str, array: FloatArray) -> None:
    """Raise a NonFiniteError that says where the first NaN or infinity in `array` is, if any."""
    finite = np.isfinite(array)
    if not finite.all():
        where = tuple(map(int, np.unravel_index(np.argmin(finite), array.shape)))
        raise NonFiniteError(name, expected="finite numbers", got=f"{array[where]} at {where}")


def whole_number(name: str, value: Any, minimum: int, maximum: int | None = None) -> Any:
    """Return a count between two bounds; an expression with symbols is left as it is.

    Raises
    ------
    DTypeError
        If it is no whole number.
    ShapeError
        If it is too small or too large.
    """
    if getattr(value, "free_symbols", None):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise DTypeError(name, expected="a whole number", got=shown(value))
    if value < minimum or (maximum is not None and value > maximum):
        upper = "" if maximum is None else f" and at most {maximum}"
        raise ShapeError(name, expected=f"at least {minimum}{upper}", got=value)
    return int(value)


def plain_count(name: str, value: Any, minimum: int, maximum: int | None = None) -> int:
    """Return a count between two bounds as `whole_number` does, and refuse symbols."""
    number = whole_number(name, value, minimum, maximum)
    if not isinstance(number, int):
        raise DTypeError(name, expected="a whole number, and no symbol", got=shown(value))
    return number


def listed(name: str, values: Any, expected: str) -> list[Any]:
    """Return the items of an iterable, and refuse text and what has no items with a DTypeError."""
    if not isinstance(values, (str, bytes, bytearray)):
        try:
            return list(values)
        except TypeError:  # an array without axes is an instance of Iterable too
            pass
    raise DTypeError(name, expected=expected, got=shown(values))


def boolean(name: str, value: Any) -> bool:
    """Return True or False, and refuse anything else with a DTypeError."""
    if not isinstance(value, bool):
        raise DTypeError(name, expected="True or False", got=shown(value))
    return value


LARGEST_EXPONENT = 10_000
"""The largest power of ten in a string: fractions have all their digits, and nobody means more."""


def fraction_of_text(name: str, text: str, expected: str) -> Fraction:
    """Return the fraction that a string like "1/2", "0.5" or "5e-1" says.

    Raises
    ------
    DTypeError
        If it says none; `expected` says what should have come.
    ArgumentError
        If its exponent is beyond 10 000.
    """
    try:
        exponent = int(text.lower().partition("e")[2] or 0)
        if abs(exponent) <= LARGEST_EXPONENT:
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise DTypeError(name, expected=expected, got=shown(text)) from None
    raise ArgumentError(name, expected=f"an exponent of at most {LARGEST_EXPONENT}", got=text)


EXACT = 'an integer, a fraction or a string like "1/2" or "0.5"'


def as_fraction(name: str, value: Any, expected: str = EXACT) -> Fraction:
    """Return an exact number as a fraction; a float is refused, being seldom the number that was meant.

    Not so `gdtheory.matrices.exact_number`, which takes every kind of exact number but no strings, and the
    records' `exact`, which takes a float for the fraction that it is.

    Raises
    ------
    DTypeError
        If it is no integer, fraction or string that says one.
    ArgumentError
        If it is a string with an exponent beyond 10 000.

    Examples
    --------
    >>> as_fraction("eta", "0.1")
    Fraction(1, 10)
    >>> as_fraction("eta", 0.1)
    Traceback (most recent call last):
    gdtheory.errors.DTypeError: eta: expected an integer, a fraction or a string like "1/2" or "0.5", got 0.1
    """
    if isinstance(value, Rational) and not isinstance(value, bool):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, str):
        return fraction_of_text(name, value, expected)
    raise DTypeError(name, expected=expected, got=shown(value))


Rate = int | float | str | Fraction
"""A number that is taken exactly, such as a learning rate; a float for its binary value."""


def exact_rate(name: str, value: Any) -> Fraction:
    """Return a number as a fraction; a float is taken for the binary fraction that it is.

    Raises
    ------
    DTypeError
        If it is no integer, fraction, float or string that says one.
    NonFiniteError
        If it is NaN or infinite.
    ArgumentError
        If it is a string with an exponent beyond 10 000.

    Examples
    --------
    >>> exact_rate("eta", "0.1"), exact_rate("eta", 0.5)
    (Fraction(1, 10), Fraction(1, 2))
    >>> exact_rate("eta", 0.1) == Fraction(1, 10)
    False
    """
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise NonFiniteError(name, expected="a finite number", got=value)
        return Fraction(*value.as_integer_ratio())
    return as_fraction(name, value, f"a float, {EXACT}")


def positive(name: str, value: Any) -> Fraction:
    """Return a number above zero as a fraction; otherwise raise a DTypeError or an ArgumentError."""
    number = as_fraction(name, value)
    if number <= 0:
        raise ArgumentError(name, expected="a number above 0", got=value)
    return number
