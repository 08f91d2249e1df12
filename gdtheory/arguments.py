"""Checks of arguments, made once in each public function: floats for kernels, any number elsewhere."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdtheory.errors import DTypeError, NonFiniteError, ShapeError

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
    array = _array(name, value)
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


def _array(name: str, value: Any) -> NDArray[Any]:
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


def integer_between(name: str, value: Any, low: int, high: int) -> int:
    """Return `value` as an int, or raise a ShapeError if it is none of `low`, ..., `high`."""
    expected = f"an integer from {low} to {high}"
    if isinstance(value, (bool, np.bool_)):
        raise ShapeError(name, expected=expected, got=value)
    try:
        number = operator.index(value)
    except TypeError:
        raise ShapeError(name, expected=expected, got=repr(value)) from None
    if not low <= number <= high:
        raise ShapeError(name, expected=expected, got=number)
    return number


# ------------------------------------------------------------------------- any kind of number


def number_array(name: str, value: Any) -> Any:
    """Return `value` as an array of floats, or of whatever kind of number it holds.

    Raises
    ------
    DTypeError
        If it is no array, or holds numbers that are neither floats nor exact.
    NonFiniteError
        If it holds NaN or infinity.
    """
    if hasattr(value, "__gdtheory_namespace__"):
        return value
    if not isinstance(value, (np.ndarray, list, tuple)) and hasattr(value, "shape"):
        return value  # an array of another library, which checks its own entries
    if isinstance(value, np.ndarray) and value.dtype == object:
        inexact = next((x for x in value.flat if isinstance(x, (float, complex, str, type(None)))), 0)
        if not isinstance(inexact, int):
            raise DTypeError(name, expected="exact numbers in an object array", got=repr(inexact))
        return value
    array = float_array(name, value)
    require_finite(name, array)
    return array


def number_matrix(name: str, value: Any, rows: Any = None, columns: Any = None) -> Any:
    """Return `value` as a matrix of any kind of number, of the given sizes where they are given.

    Raises
    ------
    ShapeError
        If it is no matrix of that shape; DTypeError and NonFiniteError as `number_array`.
    """
    array = number_array(name, value)
    shape = tuple(array.shape)
    expected = tuple("any" if size is None else size for size in (rows, columns))
    if len(shape) != 2 or any(want not in ("any", got) for want, got in zip(expected, shape, strict=True)):
        text = ", ".join(map(str, expected))
        raise ShapeError(name, expected=f"shape ({text})", got=f"shape {shape}")
    return array


def number_kind(array: Any) -> str:
    """Return what kind of number an array holds, in words."""
    if isinstance(array, np.ndarray):
        return "exact numbers" if array.dtype == object else str(array.dtype)
    return f"{type(array).__name__} of {array.dtype}" if hasattr(array, "dtype") else type(array).__name__


def number_like(name: str, value: Any, array: Any) -> Any:
    """Return a scalar as a number of the kind that `array` holds.

    Raises
    ------
    DTypeError
        If it is no real number, or a float beside exact numbers.
    NonFiniteError
        If it is not finite, or too large for the dtype.
    """
    if isinstance(value, (str, bool, complex, type(None))) or getattr(value, "shape", ()) != ():
        raise DTypeError(name, expected="a real number", got=repr(value))
    if not isinstance(array, np.ndarray):
        return value
    if array.dtype == object:
        if isinstance(value, (float, np.floating)):
            raise DTypeError(name, expected="an exact number, as in the arrays", got=repr(value))
        return value
    with np.errstate(over="ignore"):
        scalar = array.dtype.type(value)
    if not np.isfinite(scalar):
        raise NonFiniteError(name, expected=f"a finite {array.dtype}", got=value)
    return scalar


def whole_number(name: str, value: Any, minimum: int) -> Any:
    """Return a count of at least `minimum`; a symbol is left as it is.

    Raises
    ------
    DTypeError, ShapeError
        If it is no whole number, or too small.
    """
    if isinstance(value, (bool, float, str, type(None))):
        raise DTypeError(name, expected="a whole number", got=repr(value))
    if isinstance(value, (int, np.integer)):
        if value < minimum:
            raise ShapeError(name, expected=f"at least {minimum}", got=value)
        return int(value)
    return value
