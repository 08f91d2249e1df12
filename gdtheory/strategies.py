"""Hypothesis strategies for problems: drawn sizes, and drawn values of every kind of number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from gdtheory.exact import as_objects
from gdtheory.namespace import Array, Scalar
from gdtheory.records import Count, Maker, Problem, build, inputs, minimums

P = TypeVar("P", bound=Problem)

LARGEST_AXIS = 6
LARGEST_COUNT = 3
"""The largest sizes drawn; counts are depths and numbers of tokens, whose cost is exponential."""


def fractions() -> st.SearchStrategy[Fraction]:
    """Draw a rational number; integers and zero are common."""
    return st.builds(Fraction, st.integers(-9, 9), st.integers(1, 5))


def floats() -> st.SearchStrategy[float]:
    """Draw zero, or a float of either sign between 1e-8 and 1e8 in magnitude, any magnitude as likely."""
    magnitude = st.builds(lambda digits, e: digits * 10.0**e, st.floats(1, 10), st.integers(-8, 7))
    return st.one_of(st.just(0.0), magnitude, magnitude.map(lambda x: -x))


@st.composite
def problems(
    draw: st.DrawFn,
    record_type: type[P],
    numbers: st.SearchStrategy[Any],
    dtype: Any = object,
) -> P:
    """Draw a record: its sizes, then its values.

    Parameters
    ----------
    record_type : type
        Which record.
    numbers : strategy
        The entries, such as `fractions` or `floats`.
    dtype : dtype
        Of the arrays.
    """
    kinds = inputs(record_type)
    sizes = {
        name: draw(
            st.integers(
                least, LARGEST_COUNT if isinstance(kinds.get(name), Count) else LARGEST_AXIS
            )
        )
        for name, least in minimums(record_type).items()
    }
    return build(record_type, sizes, _Drawn(draw, numbers, dtype))


class _Drawn(Maker):
    def __init__(self, draw: st.DrawFn, numbers: st.SearchStrategy[Any], dtype: Any) -> None:
        self.draw = draw
        self.numbers = numbers
        self.dtype = dtype

    def number(self, name: str) -> Scalar:
        value = self.draw(self.numbers)
        return value if self.dtype is object else np.dtype(self.dtype).type(value)

    def matrix(self, name: str, rows: int, columns: int, *, nonzero: bool) -> Array:
        size = rows * columns
        entries = st.lists(self.numbers, min_size=size, max_size=size)
        drawn = self.draw(entries.filter(any) if nonzero else entries)
        return as_objects(drawn, (rows, columns)).astype(self.dtype)

    def function(self, name: str, family: tuple[Callable[[Array], Array], ...]) -> Any:
        return self.draw(st.sampled_from(family))
