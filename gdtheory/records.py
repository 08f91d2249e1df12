"""Records with named axes: the machinery behind `gdtheory.problems`.

A record declares each input once, by the axes of its shape. From that one declaration come its
validation and the instances over every kind of number: `build` asks a `Maker` for each input in
turn, and there is one maker per kind (`gdtheory.exact`, `gdtheory.strategies`, `gdtheory.proofs.blocks`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Self, TypeVar, dataclass_transform, overload

import numpy as np

from gdtheory import functions
from gdtheory.arguments import fraction_of_text
from gdtheory.errors import DTypeError, NonFiniteError, ShapeError, shown
from gdtheory.inputs import (
    LARGEST_AXIS,
    Count,
    Function,
    Input,
    Matrix,
    Number,
    Table,
    accepted,
    count,
    function,
    key_name,
    matrix,
    number,
    table,
)
from gdtheory.matrices import number_like, require_one_kind
from gdtheory.namespace import Array, Scalar, as_objects

T = TypeVar("T")


class Axis:
    """The size of a named axis of a record, read off its arrays.

    Parameters
    ----------
    minimum : int
        The smallest size that statements about the record cover.
    largest : int
        The largest size that is drawn: a low one is for costs that grow fast.
    wide : int
        The size in a problem that is wide on purpose.
    """

    def __init__(self, *, minimum: int = 1, largest: int = LARGEST_AXIS, wide: int = 9) -> None:
        self.minimum = minimum
        self.largest = largest
        self.wide = wide

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: Problem, owner: type) -> int: ...
    def __get__(self, record: Problem | None, owner: type) -> Any:
        return self if record is None else record.sizes[self.name]


# ------------------------------------------------------------------------------------ the record


@dataclass_transform(
    kw_only_default=True,
    frozen_default=True,
    field_specifiers=(field, matrix, number, count, table, function),
)
def record(cls: type[T]) -> type[T]:
    """Make a record type of a class that declares its inputs (a class decorator)."""
    return dataclass(frozen=True, kw_only=True, eq=False, repr=False)(cls)


@record
class Problem:
    """Base of the input records; subclasses declare inputs and `Axis` attributes."""

    def __post_init__(self) -> None:
        sizes: dict[str, Any] = {}
        for name, kind in inputs(type(self)).items():
            object.__setattr__(self, name, accepted(name, kind, getattr(self, name), sizes))
        for name, axis in axes(type(self)).items():
            if isinstance(sizes[name], int) and sizes[name] < axis.minimum:
                raise ShapeError(name, expected=f"at least {axis.minimum}", got=sizes[name])
        object.__setattr__(self, "sizes", sizes)
        self._unify_numbers()

    sizes: dict[str, Any] = field(init=False)
    """Every axis and count, by name."""

    def _unify_numbers(self) -> None:
        """Refuse arrays of different kinds of number; give scalars the kind of the arrays."""
        arrays = dict(self._arrays())
        if not arrays:
            return  # nothing whose kind the scalars could take
        require_one_kind(arrays)
        like = next(iter(arrays.values()))
        for name, declared in inputs(type(self)).items():
            if isinstance(declared, Number):
                object.__setattr__(self, name, number_like(name, getattr(self, name), like))

    def _arrays(self) -> Iterator[tuple[str, Array]]:
        for name, kind in inputs(type(self)).items():
            match kind:
                case Matrix():
                    yield name, getattr(self, name)
                case Table():
                    for key, entry in getattr(self, name).items():
                        yield f"{name}{key_name(key)}", entry

    @classmethod
    def exact(cls, **values: Any) -> Self:
        """Build the record over fractions, from nested lists of integers, fractions or strings "p/q".

        The inputs and their shapes are those that ``gdtheory show`` prints for a claim of this problem.

        Raises
        ------
        TypeError
            If an input is missing or unknown.
        ArgumentError
            If one is of another kind of number or another shape.
        """
        kinds = inputs(cls)
        return cls(**{n: _exact(n, kinds[n], v) if n in kinds else v for n, v in values.items()})

    @classmethod
    def smallest(cls) -> Self:
        """Return the smallest instance, over fractions, whose axes are no mere scalars."""
        return build(cls, {name: max(2, low) for name, low in minimums(cls).items()}, _Filler())

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield an instance over fractions for all sizes up to 2, the smallest first, then two large ones.

        Of these one is deep, with counts of 5, and one is wide, with axes of 9, unless they are declared
        smaller: what is wrong from a certain size on is wrong there.
        """
        least = minimums(cls)
        deep = {name: kind.deep for name, kind in inputs(cls).items() if isinstance(kind, Count)}
        ranges = [range(low, max(2, low) + 1) for low in least.values()]
        for sizes in sorted(itertools.product(*ranges), key=lambda sizes: (0 in sizes, sum(sizes))):
            yield build(cls, dict(zip(least, sizes, strict=True)), _Filler())
        yield build(cls, {name: deep.get(name, 2) for name in least}, _Filler())
        wide = {name: axis.wide for name, axis in axes(cls).items()}
        yield build(cls, {name: wide.get(name, 2) for name in least}, _Filler())

    def convert(self, convert: Callable[[Any], Any]) -> Self:
        """Return the record with `convert` applied to every array and every scalar."""
        changed: dict[str, Any] = {}
        for name, kind in inputs(type(self)).items():
            value = getattr(self, name)
            match kind:
                case Matrix() | Number():
                    changed[name] = convert(value)
                case Table():
                    changed[name] = {key: convert(entry) for key, entry in value.items()}
                case _:
                    changed[name] = value
        return type(self)(**changed)

    def __repr__(self) -> str:
        """Return the call of `exact` that makes this record, where its numbers are rational."""
        values = (f"{name}={literal(getattr(self, name))}" for name in inputs(type(self)))
        home = "gd.problems." if type(self).__module__.startswith("gdtheory.problems.") else ""
        return f"{home}{type(self).__name__}.exact({', '.join(values)})"


def inputs(record_type: type[Problem]) -> dict[str, Input]:
    """Return the declared inputs of a record type, by name."""
    return {f.name: f.metadata["input"] for f in fields(record_type) if "input" in f.metadata}


def axes(record_type: type[Problem]) -> dict[str, Axis]:
    """Return the named axes of a record type."""
    names = itertools.chain.from_iterable(vars(base).items() for base in reversed(record_type.__mro__))
    return {name: value for name, value in names if isinstance(value, Axis)}


def minimums(record_type: type[Problem]) -> dict[str, int]:
    """Return the smallest size of every axis and count of a record type."""
    counts = {n: kind.minimum for n, kind in inputs(record_type).items() if isinstance(kind, Count)}
    return {name: axis.minimum for name, axis in axes(record_type).items()} | counts


def largest(record_type: type[Problem]) -> dict[str, int]:
    """Return the largest size of every axis and count of a record type that is drawn."""
    counts = {n: kind.largest for n, kind in inputs(record_type).items() if isinstance(kind, Count)}
    return {name: axis.largest for name, axis in axes(record_type).items()} | counts


P = TypeVar("P", bound=Problem)


class Maker:
    """Makes the inputs of a record over one kind of number."""

    def matrix(self, name: str, rows: Any, columns: Any, *, nonzero: bool) -> Array:
        """Return a matrix."""
        raise NotImplementedError

    def number(self, name: str, *, nonzero: bool) -> Scalar:
        """Return a scalar."""
        raise NotImplementedError

    def function(self, name: str, family: tuple[Callable[[Array], Array], ...], rows: str | None) -> Any:
        """Return a function out of `family`, or one that stands for any."""
        return family[0]

    def keys(self, keys: Callable[[int], list[Any]], size: Any) -> list[Any]:
        """Return the keys of a table over a count of the given size."""
        return keys(size)


def build(record_type: type[P], sizes: Mapping[str, Any], maker: Maker) -> P:
    """Make a record of the given sizes, input by input."""

    def size(axis: str | int) -> Any:
        return sizes[axis] if isinstance(axis, str) else axis

    def make(name: str, kind: Input) -> Any:
        match kind:
            case Matrix((rows, columns), nonzero):
                return maker.matrix(name, size(rows), size(columns), nonzero=nonzero)
            case Number(nonzero):
                return maker.number(name, nonzero=nonzero)
            case Count():
                return sizes[name]
            case Table(entry, keys, over):
                named = {key: f"{name}{key_name(key)}" for key in maker.keys(keys, sizes[over])}
                return {key: make(label, entry) for key, label in named.items()}
            case Function(family, rows):
                return maker.function(name, family, rows)

    return record_type(**{name: make(name, kind) for name, kind in inputs(record_type).items()})


# -------------------------------------------------------------------------------- exact and text


def _exact(name: str, kind: Input, value: Any) -> Any:
    """Return an input over fractions."""
    match kind:
        case Matrix():
            try:
                array = np.asarray(value, dtype=object)
            except ValueError:
                raise ShapeError(name, expected="rows of one length", got=shown(value)) from None
            return as_objects([_fraction(name, entry) for entry in array.flat], array.shape)
        case Number():
            return _fraction(name, value)
        case Table(entry) if isinstance(value, Mapping):
            return {key: _exact(f"{name}{key_name(key)}", entry, v) for key, v in value.items()}
        case _:
            return value


def _fraction(name: str, value: Any) -> Fraction:
    """Return the fraction that a number or a string "p/q" is exactly."""
    plain = value.item() if isinstance(value, np.generic) else value
    expected = 'integers, fractions, floats or strings "p/q"'
    if isinstance(plain, float) and not np.isfinite(plain):
        raise NonFiniteError(name, expected="finite numbers", got=plain)
    if isinstance(plain, str):
        return fraction_of_text(name, plain, expected)
    if isinstance(plain, (int, float, Fraction)) and not isinstance(plain, bool):
        return Fraction(plain)
    raise DTypeError(name, expected=expected, got=shown(value))


def literal(value: Any) -> str:
    """Return a number, an array or an input as a Python literal, fractions as integers or "p/q"."""
    match value:
        case Fraction(denominator=1):
            return str(value.numerator)
        case Fraction():
            return f'"{value}"'
        case np.ndarray():
            return "[" + ", ".join(literal(entry) for entry in value) + "]"
        case dict():
            return "{" + ", ".join(f"{key!r}: {literal(v)}" for key, v in value.items()) + "}"
        case np.generic():
            return repr(value.item())
        case _ if callable(value) and value in vars(functions).values():
            return f"gd.functions.{value.__name__}"
        case _:
            return repr(value)


class _Filler(Maker):
    """Fills matrices with small integers and scalars with small fractions, none of them zero."""

    def __init__(self) -> None:
        self.values: Iterator[int] = itertools.cycle((1, 2, -1, 3, 5, -2, 4, -3, 7, 1, -4, 6, 2))
        self.scalars = itertools.cycle((Fraction(1, 2), Fraction(3, 4), Fraction(3, 2), Fraction(1, 4)))

    def matrix(self, name: str, rows: int, columns: int, *, nonzero: bool) -> Array:
        entries = [Fraction(next(self.values)) for _ in range(rows * columns)]
        return as_objects(entries, (rows, columns))

    def number(self, name: str, *, nonzero: bool) -> Scalar:
        return next(self.scalars)
