"""Hypothesis strategies for problems: drawn sizes, and drawn values of every kind of number."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st

from gdtheory.namespace import Array, Scalar, as_objects
from gdtheory.records import Maker, Problem, axes, build, largest, minimums

P = TypeVar("P", bound=Problem)

FORMS = ("free",) * 5 + ("zero", "equal columns", "two equal columns")
"""What matrices are made of: mostly free entries, and the degenerate ones that statements forget."""

VALUES = ("drawn", "sampled", "sampled", "sampled", "signs")
"""How the entries of a problem are found: drawn one by one by Hypothesis, which can shrink them; sampled
independently; or sampled from -1, 0, 1, where matrices have kernels and entries cancel."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A kind of entry: a strategy that draws one, and a sampler of many independent ones."""

    strategy: st.SearchStrategy[Any]
    sample: Callable[[np.random.Generator, int], list[Any]]


def fractions() -> Numbers:
    """Return rational entries: of small terms, and a quarter of them between 1/1000 and 10^6."""

    def sample(rng: np.random.Generator, size: int) -> list[Fraction]:
        small = rng.integers(-9, 10, size), rng.integers(1, 6, size)
        wide = rng.integers(-(10**6), 10**6, size), rng.integers(1, 1000, size)
        terms = np.where(rng.random(size) < 0.25, wide, small)
        return [Fraction(int(p), int(q)) for p, q in terms.T]

    return Numbers(st.builds(Fraction, st.integers(-9, 9), st.integers(1, 5)), sample)


def floats(decades: int = 8) -> Numbers:
    """Return float entries: zeros, and both signs with magnitudes in 10^±decades, each as likely."""

    def sample(rng: np.random.Generator, size: int) -> list[float]:
        magnitude = 10.0 ** rng.uniform(-decades, decades, size)
        return list(magnitude * rng.choice([-1.0, 1.0, 1.0, -1.0, 0.0], size))

    exponents = st.integers(-decades, decades - 1)
    magnitude = st.builds(lambda digits, e: digits * 10.0**e, st.floats(1, 10), exponents)
    return Numbers(st.one_of(st.just(0.0), magnitude, magnitude.map(lambda x: -x)), sample)


@st.composite
def problems(
    draw: st.DrawFn,
    record_type: type[P],
    numbers: Numbers,
    *,
    dtype: Any = object,
    at_most: int | None = None,
) -> P:
    """Draw a record: its sizes, then its values.

    Parameters
    ----------
    record_type : type
        Which record.
    numbers : Numbers
        The entries: `fractions` or `floats`.
    dtype : dtype
        Of the arrays.
    at_most : int, optional
        A size that no axis exceeds.
    """
    most = largest(record_type)
    if at_most is not None:
        most |= {name: min(at_most, most[name]) for name in axes(record_type)}
    sizes = {name: draw(st.integers(least, most[name])) for name, least in minimums(record_type).items()}
    return build(record_type, sizes, _Drawn(draw, numbers, dtype))


class _Drawn(Maker):
    def __init__(self, draw: st.DrawFn, numbers: Numbers, dtype: Any) -> None:
        self.draw = draw
        self.numbers = numbers
        self.dtype = dtype
        self.rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        self.values = draw(st.sampled_from(VALUES))

    def entries(self, size: int, *, nonzero: bool) -> list[Any]:
        if self.values == "drawn":
            drawn = st.lists(self.numbers.strategy, min_size=size, max_size=size)
            return self.draw(drawn.filter(any) if nonzero else drawn)
        while True:
            found = self._sample(size)
            if any(found) or not nonzero:
                return found

    def _sample(self, size: int) -> list[Any]:
        if self.values == "sampled":
            return self.numbers.sample(self.rng, size)
        return [Fraction(int(sign)) for sign in self.rng.integers(-1, 2, size)]

    def number(self, name: str, *, nonzero: bool) -> Scalar:
        (value,) = self.entries(1, nonzero=nonzero)
        return value if self.dtype is object else np.dtype(self.dtype).type(value)

    def matrix(self, name: str, rows: int, columns: int, *, nonzero: bool) -> Array:
        form = "free" if nonzero else self.rng.choice(FORMS)
        if form == "zero":
            return as_objects([Fraction(0)] * (rows * columns), (rows, columns)).astype(self.dtype)
        array = as_objects(self.entries(rows * columns, nonzero=nonzero), (rows, columns))
        if columns > 1 and form == "equal columns":
            array = np.repeat(array[:, :1], columns, axis=1)
        elif columns > 1 and form == "two equal columns":
            array[:, -1] = array[:, 0]
        return array.astype(self.dtype)

    def function(self, name: str, family: tuple[Callable[[Array], Array], ...], rows: str | None) -> Any:
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
