"""What a record may take: matrices, numbers, counts, tables and functions, and the checks of each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gdtheory.arguments import float_array, require_finite
from gdtheory.errors import DTypeError, NonFiniteError, ShapeError
from gdtheory.namespace import Array, Scalar


@dataclass(frozen=True, slots=True)
class Matrix:
    """A two-dimensional array; its axes are names, or 1."""

    axes: tuple[str | int, str | int]
    nonzero: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A single number."""


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number, such as a depth or the length of a context; also a size that axes may use."""

    minimum: int


@dataclass(frozen=True, slots=True)
class Table:
    """One matrix per key, the keys being ``keys(count)``: an arbitrary function of the key."""

    entry: Matrix
    keys: Callable[[int], list[Any]]
    count: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function from column vectors to column vectors, out of a family."""

    family: tuple[Callable[[Array], Array], ...]


Input = Matrix | Number | Count | Table | Function


def matrix(rows: str | int, columns: str | int, *, nonzero: bool = False) -> Any:
    """Declare a matrix input with the given axes."""
    return field(metadata={"input": Matrix((rows, columns), nonzero)})


def number() -> Any:
    """Declare a scalar input."""
    return field(metadata={"input": Number()})


def count(*, minimum: int = 0) -> Any:
    """Declare a whole-number input."""
    return field(metadata={"input": Count(minimum)})


def table(entry: Any, keys: Callable[[int], list[Any]], count: str) -> Any:
    """Declare one matrix per key, for example one per subset of `count` tokens."""
    return field(metadata={"input": Table(entry.metadata["input"], keys, count)})


def function(*family: Callable[[Array], Array]) -> Any:
    """Declare a function input, drawn from `family`."""
    return field(metadata={"input": Function(family)})


def subsets(n: int) -> list[frozenset[int]]:
    """Return every subset of the tokens 0..n-1, the smallest first."""
    return [frozenset(kept) for k in range(n + 1) for kept in itertools.combinations(range(n), k)]


def prefixes(n: int) -> list[int]:
    """Return the length of every prefix of n tokens."""
    return list(range(n + 1))


def key_name(key: Any) -> str:
    """Return a short label of a table's key, such as ``(0,2)`` for a subset."""
    return f"({','.join(sorted(map(str, key)))})" if isinstance(key, frozenset) else f"({key})"


# --------------------------------------------------------------------------------------- checks


def accepted(name: str, kind: Input, value: Any, sizes: dict[str, Any]) -> Any:
    """Return `value` if it is the input declared by `kind`; add the sizes of its axes to `sizes`.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If it is not.
    """
    match kind:
        case Matrix():
            array = _array(name, value)
            _match_axes(name, kind, array, sizes)
            return array
        case Number():
            return _number(name, value)
        case Count(minimum):
            sizes[name] = _whole_number(name, value, minimum)
            return sizes[name]
        case Table(entry, keys, count):
            size = sizes[count]
            if not isinstance(value, Mapping):
                raise DTypeError(name, expected="a mapping from keys to matrices", got=type(value).__name__)
            if isinstance(size, int) and set(value) != set(keys(size)):
                raise ShapeError(name, expected=f"the keys {keys(size)}", got=f"{list(value)}")
            return {k: accepted(f"{name}{key_name(k)}", entry, v, sizes) for k, v in value.items()}
        case Function():
            if not callable(value):
                raise DTypeError(name, expected="a function of a column vector", got=repr(value))
            return value


def number_kind(array: Array) -> str:
    """Return what kind of number an array holds, in words."""
    if isinstance(array, np.ndarray):
        return "exact numbers" if array.dtype == object else str(array.dtype)
    return f"{type(array).__name__} of {array.dtype}" if hasattr(array, "dtype") else type(array).__name__


def number_like(name: str, value: Scalar, array: Array) -> Scalar:
    """Return a scalar as a number of the kind that `array` holds.

    Raises
    ------
    DTypeError
        For a float beside exact numbers.
    NonFiniteError
        If it is not finite, or too large for the dtype.
    """
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


def _array(name: str, value: Any) -> Array:
    """Return `value` as an array of floats or of exact numbers."""
    if hasattr(value, "__gdtheory_namespace__"):
        return value
    if not isinstance(value, (np.ndarray, list, tuple)) and hasattr(value, "shape"):
        return value  # an array of another library, which checks its own entries
    if isinstance(value, np.ndarray) and value.dtype == object:
        inexact = [entry for entry in value.flat if isinstance(entry, (float, complex, str, type(None)))]
        if inexact:
            raise DTypeError(name, expected="exact numbers in an object array", got=repr(inexact[0]))
        return value
    array = float_array(name, value)
    require_finite(name, array)
    return array


def _match_axes(name: str, kind: Matrix, array: Array, sizes: dict[str, Any]) -> None:
    expected = f"shape ({', '.join(map(str, kind.axes))})"
    if len(array.shape) != 2:
        raise ShapeError(name, expected=expected, got=f"shape {tuple(array.shape)}")
    for axis, size in zip(kind.axes, array.shape, strict=True):
        wanted = sizes.setdefault(axis, size) if isinstance(axis, str) else axis
        if size != wanted:
            known = {a: sizes[a] for a in kind.axes if a in sizes}
            named = "".join(f", {a} = {n}" for a, n in known.items())
            raise ShapeError(name, expected=expected + named, got=f"shape {tuple(array.shape)}")


def _number(name: str, value: Any) -> Scalar:
    if isinstance(value, (str, bool, complex, type(None))) or getattr(value, "shape", ()) != ():
        raise DTypeError(name, expected="a real number", got=repr(value))
    return value


def _whole_number(name: str, value: Any, minimum: int) -> Any:
    """Return a count; a symbol is left as it is."""
    if isinstance(value, (bool, float, str, type(None))):
        raise DTypeError(name, expected="a whole number", got=repr(value))
    if isinstance(value, (int, np.integer)):
        if value < minimum:
            raise ShapeError(name, expected=f"at least {minimum}", got=value)
        return int(value)
    return value
