"""Problems over exact numbers: independent indeterminates, and fractions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from gdtheory.namespace import Array, Scalar, as_objects
from gdtheory.records import Maker, Problem, build

P = TypeVar("P", bound=Problem)


def over_indeterminates(record_type: type[P], sizes: Mapping[str, int]) -> P:
    """Return a record whose entries are independent indeterminates of one field over the rationals.

    An identity between two such matrices is an identity of rational functions: it holds for all
    values at these sizes.
    """
    from sympy import ZZ, Symbol
    from sympy.polys.fields import field

    naming = _Indeterminates(None)
    build(record_type, sizes, naming)
    _, *generators = field([Symbol(name) for name in naming.names], ZZ)
    return build(record_type, sizes, _Indeterminates(iter(generators)))


class _Indeterminates(Maker):
    """Takes generators from an iterator; without one, only collects their names."""

    def __init__(self, generators: Iterator[Any] | None) -> None:
        self.names: list[str] = []
        self.generators = generators

    def number(self, name: str, *, nonzero: bool = False) -> Scalar:
        self.names.append(name)
        return next(self.generators) if self.generators else Fraction(1)

    def matrix(self, name: str, rows: int, columns: int, *, nonzero: bool) -> Array:
        entries = [self.number(f"{name}_{i}_{j}") for i in range(rows) for j in range(columns)]
        return as_objects(entries, (rows, columns))


def to_fractions(value: Any) -> Any:
    """Return a float, or an array of floats, as the fractions that they are exactly."""
    if isinstance(value, np.ndarray):
        return as_objects([Fraction(float(entry)) for entry in value.flat], value.shape)
    return Fraction(float(value))


def rank(matrix: Array) -> int:
    """Return the rank of a matrix of exact numbers, by elimination.

    Examples
    --------
    >>> rank(to_fractions(np.array([[1.0, 2.0], [2.0, 4.0]])))
    1
    """
    rows = [[entry * Fraction(1) for entry in row] for row in matrix]
    found = 0
    for column in range(matrix.shape[1]):
        pivot = next((row for row in rows[found:] if row[column] != 0), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(found, pivot)
        found += 1
        for i in range(found, len(rows)):
            factor = rows[i][column] / pivot[column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], pivot, strict=True)]
    return found
