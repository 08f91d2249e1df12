"""What a record may take: matrices, numbers, counts, tables and functions, and the checks of each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gdtheory.arguments import whole_number
from gdtheory.errors import DTypeError, ShapeError, shown
from gdtheory.matrices import Axes
from gdtheory.matrices import matrix as matrix_of
from gdtheory.namespace import Array

LARGEST_AXIS = 6
"""The largest size of an axis that is drawn."""

LARGEST_COUNT = 3
"""The largest count that is drawn: counts are depths and numbers of tokens, whose cost is exponential."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """A two-dimensional array; its axes are names, or 1.

    With `nonzero` no zero matrix is drawn: statements about the record exclude it.
    """

    axes: Axes
    nonzero: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A single number; with `nonzero`, statements about the record exclude zero."""

    nonzero: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number, such as a depth or the length of a context; also a size that axes may use.

    None larger than `largest` is drawn: a low one is for costs that grow fast.
    """

    minimum: int
    largest: int

    @property
    def deep(self) -> int:
        """What a problem that is deep on purpose has."""
        return self.largest if self.largest < LARGEST_COUNT else 5


@dataclass(frozen=True, slots=True)
class Table:
    """One matrix per key, the keys being ``keys(count)``: an arbitrary function of the key."""

    entry: Matrix
    keys: Callable[[int], list[Any]]
    count: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function from column vectors to column vectors, out of a family.

    `rows` names the size of its values, where that is not the size of its argument.
    """

    family: tuple[Callable[[Array], Array], ...]
    rows: str | None = None


MOST_KEYS = 2**16
"""The largest table; more subsets than this would not fit in memory anyway."""

Input = Matrix | Number | Count | Table | Function


def matrix(rows: str | int, columns: str | int, *, nonzero: bool = False) -> Any:
    """Declare a matrix input with the given axes."""
    return field(metadata={"input": Matrix((rows, columns), nonzero)})


def number(*, nonzero: bool = False) -> Any:
    """Declare a scalar input."""
    return field(metadata={"input": Number(nonzero)})


def count(*, minimum: int = 0, largest: int = LARGEST_COUNT) -> Any:
    """Declare a whole-number input."""
    return field(metadata={"input": Count(minimum, largest)})


def table(entry: Any, keys: Callable[[int], list[Any]], count: str) -> Any:
    """Declare one matrix per key, for example one per subset of `count` tokens."""
    return field(metadata={"input": Table(entry.metadata["input"], keys, count)})


def function(*family: Callable[[Array], Array], rows: str | None = None) -> Any:
    """Declare a function input, drawn from `family`."""
    return field(metadata={"input": Function(family, rows)})


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
        case Matrix(axes):
            return matrix_of(name, value, axes, sizes)
        case Number():
            return value  # which kind of number it must be, the arrays tell
        case Count(minimum, _):
            sizes[name] = whole_number(name, value, minimum)
            return sizes[name]
        case Table(entry, keys, count):
            size = sizes[count]
            if not isinstance(value, Mapping):
                raise DTypeError(name, expected="a mapping from keys to matrices", got=type(value).__name__)
            ordered = list(value)
            if isinstance(size, int):
                needed = 2**size if keys is subsets else size + 1
                if needed > MOST_KEYS:
                    raise ShapeError(count, expected=f"at most {MOST_KEYS} {keys.__name__}", got=needed)
                ordered = keys(size)
            if set(value) != set(ordered):
                raise ShapeError(name, expected=f"the keys {ordered}", got=f"{list(value)}")
            return {k: accepted(f"{name}{key_name(k)}", entry, value[k], sizes) for k in ordered}
        case Function():
            if not callable(value):
                raise DTypeError(name, expected="a function of a column vector", got=shown(value))
            return value
