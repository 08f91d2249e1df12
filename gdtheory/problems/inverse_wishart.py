"""Moments of the inverse of a Wishart matrix, where they are finite."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Self

from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar
from gdtheory.problems.wishart import at_place
from gdtheory.records import Axis, Problem, record

MOMENTS: tuple[tuple[int, tuple[int, ...]], ...] = (
    *((1, ()), (0, (1,)), (2, ()), (1, (1,)), (0, (2,)), (0, (1, 1))),
    *((3, ()), (2, (1,)), (1, (2,)), (1, (1, 1)), (0, (3,)), (0, (2, 1)), (0, (1, 1, 1))),
)
"""Powers r and products of traces, up to the total degree 3."""


@record
class InverseMoment(Problem):
    """The mean of V^r times traces of powers of V = W⁻¹, by its place in `MOMENTS`, and Σ = L Lᵀ."""

    d = Axis(largest=2, wide=2)

    L: Array = matrix("d", "d", nonzero=True)
    extra: int = count(largest=1)
    place: int = count(largest=len(MOMENTS) - 1)

    @property
    def moment(self) -> tuple[int, tuple[int, ...]]:
        """The power of V and the powers in the traces."""
        return at_place(self.place, MOMENTS)

    @property
    def degree(self) -> int:
        """The number of factors V."""
        r, parts = self.moment
        return r + sum(parts)

    @property
    def n(self) -> int:
        """The number of columns: the least for which the moment is finite, or more."""
        return self.d + 2 * self.degree + self.extra

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, every moment at d = 1 and d = 2, and those of degree 1 at d = 3."""
        yield from super().fixed()
        for L, place, extra in itertools.product(([[2]], [[1, 2], [-1, 3]]), range(len(MOMENTS)), (0, 1)):
            yield cls.exact(L=L, place=place, extra=extra)
        for place in (0, 1):
            yield cls.exact(L=[[1, 2, 0], [0, -1, 1], [3, 0, 1]], place=place, extra=0)


@record
class TooFewColumns(InverseMoment):
    """The same with one column too few."""

    @property
    def n(self) -> int:
        """The largest number of columns for which the moment is infinite."""
        return self.d + 2 * self.degree - 1


@record
class NoisyLeastSquares(Problem):
    """Least squares with n = d + 2 + extra random inputs and noise of the given standard deviation."""

    sigma: Scalar = number(nonzero=True)
    d: int = count(minimum=1, largest=2)
    extra: int = count(largest=2)

    @property
    def n(self) -> int:
        """The number of examples."""
        return self.d + 2 + self.extra

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and one in three dimensions."""
        yield from super().fixed()
        yield cls.exact(sigma="1/2", d=3, extra=0)


@record
class OneExampleTooFew(NoisyLeastSquares):
    """The same with n = d + 1, where the risk is infinite."""

    @property
    def n(self) -> int:
        """The number of examples."""
        return self.d + 1
