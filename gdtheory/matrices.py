"""Checks of matrices and scalars over any kind of number, made once in each public function."""

from __future__ import annotations

import contextlib
import numbers
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from gdtheory.arguments import as_array, float_array, require_finite
from gdtheory.enclosures import Enclosure
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError, shown
from gdtheory.gaussian import Polynomial
from gdtheory.namespace import Array, Scalar, as_objects

Axes = tuple[str | int, str | int]
"""The names of the axes of a matrix, or 1."""


def matrices(**declared: tuple[Any, str | int, str | int]) -> list[Array]:
    """Return matrices that fit together: each is given as (value, axis, axis), and axes by name.

    Raises
    ------
    ShapeError
        If one is no matrix, or an axis has two sizes.
    DTypeError
        If one is no array of floats or exact numbers, or they are of different kinds.
    NonFiniteError
        If one holds NaN or infinity.

    Examples
    --------
    >>> X, Y = np.ones((2, 3)), np.ones((1, 4))
    >>> matrices(X=(X, "N_x", "N"), Y=(Y, "N_y", "N"))
    Traceback (most recent call last):
    gdtheory.errors.ShapeError: Y: expected shape (N_y, N), N_y = 1, N = 3, got shape (1, 4)
    """
    sizes: dict[str, Any] = {}
    found = {}
    for name, (value, rows, columns) in declared.items():
        found[name] = matrix(name, value, (rows, columns), sizes)
    require_one_kind(found)
    return list(found.values())


def matrix(name: str, value: Any, axes: Axes, sizes: dict[str, Any]) -> Array:
    """Return `value` as a matrix; axes that are not in `sizes` are added with the sizes it has."""
    array = number_array(name, value)
    expected = f"shape ({', '.join(map(str, axes))})"
    shape = tuple(array.shape)
    if len(shape) != 2:
        raise ShapeError(name, expected=expected, got=f"shape {shape}")
    for axis, size in zip(axes, shape, strict=True):
        wanted = sizes.setdefault(axis, size) if isinstance(axis, str) else axis
        if size != wanted:
            known = "".join(f", {a} = {sizes[a]}" for a in dict.fromkeys(axes) if a in sizes)
            raise ShapeError(name, expected=expected + known, got=f"shape {shape}")
    return array


def require_one_kind(arrays: dict[str, Array]) -> None:
    """Refuse arrays of different kinds of number, which would be mixed silently."""
    first = next(iter(arrays))
    kind = _kind(arrays[first])
    for name, array in arrays.items():
        if _kind(array) != kind:
            raise DTypeError(name, expected=f"{kind}, as in {first}", got=_kind(array))


def number_like(name: str, value: Any, array: Array) -> Scalar:
    """Return a scalar as a number of the kind that `array` holds.

    Raises
    ------
    DTypeError
        If it is no real number, or a float beside exact numbers.
    NonFiniteError
        If it is not finite, or too large for the dtype.
    """
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if not isinstance(array, np.ndarray):
        return value
    if array.dtype == object:
        return exact_number(name, value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise DTypeError(name, expected="a real number", got=shown(value))
    try:
        with np.errstate(over="ignore"):
            scalar = array.dtype.type(value)
    except OverflowError:
        scalar = array.dtype.type(np.inf)
    if not np.isfinite(scalar):
        raise NonFiniteError(name, expected=f"a finite {array.dtype}", got=value)
    return scalar


def number_array(name: str, value: Any) -> Array:
    """Return `value` as an array of floats or of exact numbers, or as it is if of another library.

    Raises
    ------
    DTypeError, NonFiniteError
        If it holds other numbers, or NaN or infinity.
    """
    if hasattr(value, "__gdtheory_namespace__"):
        return value
    if not isinstance(value, (np.ndarray, list, tuple)) and hasattr(value, "shape"):
        return value
    array = as_array(name, value)
    if array.dtype == object:
        exact = as_objects([exact_number(name, entry) for entry in array.flat], array.shape)
        exact.flags.writeable = False
        return exact
    if array.dtype.kind in "iu":
        got = f"{array.dtype}; convert with np.asarray({name}, dtype=np.float64), or object for exact results"
        raise DTypeError(name, expected="floats, or fractions in an object array", got=got)
    array = float_array(name, array)
    require_finite(name, array)
    return array


def in_range(name: str, value: Any) -> Any:
    """Return `value`, or raise a NonFiniteError if it is of NumPy's floats and left their range."""
    if isinstance(value, (np.ndarray, np.floating)) and value.dtype != object:
        require_finite(name, np.asarray(value))
    return value


def column_function(name: str, value: Any) -> Callable[[Array], Array]:
    """Return a function of columns; otherwise raise a DTypeError."""
    if not callable(value):
        raise DTypeError(name, expected="a function of columns", got=shown(value))
    return value


def exact_number(name: str, value: Any) -> Any:
    """Return an exact number; integers as fractions, since their quotient would be a float.

    Raises
    ------
    DTypeError
        If it is none.
    """
    if isinstance(value, (Fraction, Enclosure, Polynomial)) or hasattr(value, "numer"):
        return value  # the last is an element of a field of rational functions
    if hasattr(value, "numerator") and not isinstance(value, (bool, np.bool_)):
        with contextlib.suppress(AttributeError, TypeError):
            return Fraction(int(value.numerator), int(value.denominator))
    raise DTypeError(name, expected="exact numbers, such as fractions", got=shown(value))


def _kind(array: Array) -> str:
    """Return what kind of number an array holds, in words. Tracers and parameters are arrays too."""
    dtype = getattr(array, "dtype", None)
    if hasattr(array, "__gdtheory_namespace__") or dtype is None:
        return type(array).__name__ if dtype is None else f"{type(array).__name__} of {dtype}"
    return "exact numbers" if str(dtype) == "object" else str(dtype)


def is_positive_semidefinite(matrix: Array, *, definite: bool = False) -> bool:
    """Whether a symmetric matrix of exact numbers has no negative eigenvalue, by elimination.

    With `definite`, whether it has no eigenvalue of zero either.

    Raises
    ------
    ShapeError, ArgumentError
        If the matrix is not square, or not symmetric.

    Examples
    --------
    >>> is_positive_semidefinite(np.array([[1, 2], [2, 4]]))
    True
    >>> is_positive_semidefinite(np.array([[1, 2], [2, 4]]), definite=True)
    False
    """
    rows, columns = matrix.shape
    if rows != columns:
        raise ShapeError("matrix", expected="a square matrix", got=f"shape {matrix.shape}")
    if not (matrix == matrix.T).all():
        raise ArgumentError("matrix", expected="a symmetric matrix", got=matrix)
    rest = matrix * Fraction(1)
    while len(rest):
        pivot, row, rest = rest[0, 0], rest[0, 1:], rest[1:, 1:]
        if pivot < 0 or (pivot == 0 and (definite or not (row == 0).all())):
            return False
        if pivot > 0:  # the Schur complement has the signs of the eigenvalues that are left
            rest = rest - np.outer(row, row) / pivot
    return True
