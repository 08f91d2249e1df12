"""Hypothesis strategies for problems: drawn sizes, and drawn values of every kind of number."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st

from gdtheory.exact import as_objects
from gdtheory.inputs import Count
from gdtheory.namespace import Array, Scalar
from gdtheory.records import Maker, Problem, build, inputs, minimums

P = TypeVar("P", bound=Problem)

FORMS = ("free",) * 6 + ("zero", "equal columns")
"""What matrices are drawn; the degenerate ones are rare among free entries."""

LARGEST_AXIS = 6
LARGEST_COUNT = 3
"""The largest sizes drawn; counts are depths and numbers of tokens, whose cost is exponential."""


def fractions() -> st.SearchStrategy[Fraction]:
    """Draw a rational number; integers and zero are common."""
    return st.builds(Fraction, st.integers(-9, 9), st.integers(1, 5))


def floats(decades: int = 8) -> st.SearchStrategy[float]:
    """Draw 0, or a float of either sign with magnitude in 10^±decades, each decade as likely."""
    exponents = st.integers(-decades, decades - 1)
    magnitude = st.builds(lambda digits, e: digits * 10.0**e, st.floats(1, 10), exponents)
    return st.one_of(st.just(0.0), magnitude, magnitude.map(lambda x: -x))


@st.composite
def problems(
    draw: st.DrawFn,
    record_type: type[P],
    numbers: st.SearchStrategy[Any],
    *,
    dtype: Any = object,
    largest: int = LARGEST_AXIS,
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
    largest : int
        The largest size of an axis.
    """
    kinds = inputs(record_type)
    sizes = {
        name: draw(st.integers(least, LARGEST_COUNT if isinstance(kinds.get(name), Count) else largest))
        for name, least in minimums(record_type).items()
    }
    return build(record_type, sizes, _Drawn(draw, numbers, dtype))


class _Drawn(Maker):
    def __init__(self, draw: st.DrawFn, numbers: st.SearchStrategy[Any], dtype: Any) -> None:
        self.draw = draw
        self.numbers = numbers
        self.dtype = dtype

    def number(self, name: str, *, nonzero: bool) -> Scalar:
        value = self.draw(self.numbers.filter(bool) if nonzero else self.numbers)
        return value if self.dtype is object else np.dtype(self.dtype).type(value)

    def matrix(self, name: str, rows: int, columns: int, *, nonzero: bool) -> Array:
        form = self.draw(st.sampled_from(FORMS))
        if form == "zero" and not nonzero:
            return as_objects([Fraction(0)] * (rows * columns), (rows, columns)).astype(self.dtype)
        free = 1 if form == "equal columns" and columns else columns
        entries = st.lists(self.numbers, min_size=rows * free, max_size=rows * free)
        drawn = self.draw(entries.filter(any) if nonzero else entries)
        array = as_objects(drawn, (rows, free)).astype(self.dtype)
        return array if free == columns else np.repeat(array, columns, axis=1)

    def function(self, name: str, family: tuple[Callable[[Array], Array], ...]) -> Any:
        return self.draw(st.sampled_from(family))


class _Falsified(Exception):
    """Carries a falsifying problem out of Hypothesis."""


def falsify(
    drawn: st.SearchStrategy[P],
    holds: Callable[[P], bool],
    refusals: tuple[type[Exception], ...],
    effort: Any,
) -> tuple[P | None, int]:
    """Search for a problem on which `holds` is false, and shrink it.

    Parameters
    ----------
    drawn : strategy
        The problems.
    holds : callable
        The property; may raise one of `refusals` on a problem that is outside its assumptions.
    refusals : tuple of exception types
        Problems refused with these are drawn again.
    effort : Effort
        ``max_examples`` and ``seed``.

    Returns
    -------
    problem or None, int
        The smallest falsifying problem found, and how many problems were tried.
    """
    tried = 0
    falsifying: P | None = None

    @seed(effort.seed)
    @settings(
        max_examples=effort.max_examples,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn)
    def attempt(p: P) -> None:
        nonlocal tried, falsifying
        try:
            held = holds(p)
        except refusals:
            reject()
        tried += 1
        if not held:
            falsifying = p
            raise _Falsified

    with contextlib.suppress(_Falsified):
        attempt()
    return falsifying, tried
