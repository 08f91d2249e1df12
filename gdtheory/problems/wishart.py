"""Products and traces of a random matrix W = X Xᵀ, X of shape (d, n) with standard normal entries."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Self, TypeVar

from gdtheory.errors import ShapeError
from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar
from gdtheory.records import Axis, Problem, record

T = TypeVar("T")

PARTITIONS = (
    *((), (1,), (2,), (1, 1), (3,), (2, 1), (1, 1, 1), (4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)),
)
"""The powers in a product of traces, up to the total 4."""


@record
class WishartTraces(Problem):
    """The power r, and a product of traces of powers by its place in `PARTITIONS`; any matrix A."""

    d = Axis(largest=2, wide=3)

    A: Array = matrix("d", "d")
    n: int = count(minimum=1, largest=2)
    r: int = count(largest=2)
    place: int = count(largest=5)

    @property
    def parts(self) -> tuple[int, ...]:
        """The powers of W in the traces."""
        return at_place(self.place, PARTITIONS)


def at_place(place: int, choices: tuple[T, ...]) -> T:
    """Return what stands at a place, or raise a ShapeError if nothing does."""
    if place >= len(choices):
        raise ShapeError("place", expected=f"below {len(choices)}", got=place)
    return choices[place]


@record
class WishartPower(Problem):
    """The power k in Wᵏ A, with any matrix A."""

    d = Axis(largest=2, wide=3)

    A: Array = matrix("d", "d")
    n: int = count(minimum=1, largest=2)
    k: int = count(minimum=1)

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and others with up to six factors W."""
        yield from super().fixed()
        for k in range(3, 7):
            yield cls.exact(A=[[1, 2], [-1, 3]], n=1, k=k)
            yield cls.exact(A=[[1]], n=2, k=k)


@record
class MomentIndex(Problem):
    """The k-th moment E tr Wᵏ, k = 4 + more: a polynomial in n and d, which are any numbers."""

    n: Scalar = number()
    d: Scalar = number()
    more: int = count(largest=8)

    @property
    def k(self) -> int:
        """Which moment."""
        return 4 + self.more

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and k up to 30 at n = 20 and d = 10."""
        yield from super().fixed()
        for more in range(27):
            yield cls.exact(n=20, d=10, more=more)


@record
class FactoredCovariance(Problem):
    """A factor L of the covariance Σ = L Lᵀ of the columns, and any matrix A between two factors W."""

    d = Axis(largest=2, wide=3)

    L: Array = matrix("d", "d")
    A: Array = matrix("d", "d")
    n: int = count(minimum=1, largest=2)


PRODUCTS = (
    *sorted(
        ((r, parts) for r in range(5) for parts in PARTITIONS if r + sum(parts) <= 4),
        key=lambda product: (product[0] + sum(product[1]) != 3, len(product[1]), product),
    ),
    (1, (4,)),
)
"""A power and the powers in a product of traces up to the total 4, that of 3 first; and W tr W⁴."""


@record
class CovariantTraces(Problem):
    """A factor L of the covariance Σ = L Lᵀ of the columns, and Wʳ times a product of traces by its place."""

    d = Axis(largest=2, wide=2)

    L: Array = matrix("d", "d")
    n: int = count(minimum=1, largest=2)
    place: int = count(largest=len(PRODUCTS) - 1)

    @property
    def r(self) -> int:
        """The power of W."""
        return at_place(self.place, PRODUCTS)[0]

    @property
    def parts(self) -> tuple[int, ...]:
        """The powers of W in the traces."""
        return at_place(self.place, PRODUCTS)[1]


@record
class ComplexPower(Problem):
    """The power k + 1 in Wᵏ⁺¹ C, W = X Xᴴ with complex normal entries of X, and C any real matrix."""

    d = Axis(largest=2, wide=2)

    C: Array = matrix("d", "d")
    n: int = count(minimum=1, largest=2)
    k: int = count(minimum=1, largest=1)


@record
class SandwichedMatrix(Problem):
    """The powers i and j in Sⁱ D Sʲ, S = W / n, with any matrix D."""

    d = Axis(largest=2, wide=3)

    D: Array = matrix("d", "d")
    n: int = count(minimum=1, largest=2)
    i: int = count(largest=2)
    j: int = count(largest=2)


EXPONENTS = tuple(
    sorted(
        (powers for powers in itertools.product(range(5), repeat=3) if sum(powers) <= 4),
        key=lambda powers: (sum(powers) != 3, powers),
    )
)
"""The powers i, j and k, up to the total 4; those of the total 3 stand first."""


@record
class ThreeFactors(Problem):
    """Any matrices A, B and C, and the powers in tr Sⁱ A Sʲ B Sᵏ C by their place in `EXPONENTS`."""

    d = Axis(largest=2, wide=3)

    A: Array = matrix("d", "d")
    B: Array = matrix("d", "d")
    C: Array = matrix("d", "d")
    n: int = count(minimum=1, largest=2)
    place: int = count(largest=len(EXPONENTS) - 1)

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and all powers without a zero in three dimensions."""
        yield from super().fixed()
        A, B, C = [[1, 2, 0], [0, -1, 1], [3, 0, 1]], [[0, 1, 1], [2, 0, -1], [1, 0, 3]], [[1, 0, 2]] * 3
        for powers in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2)):
            yield cls.exact(A=A, B=B, C=C, n=1, place=EXPONENTS.index(powers))

    @property
    def powers(self) -> tuple[int, ...]:
        """The powers of S."""
        return at_place(self.place, EXPONENTS)


@record
class PairingsInDimension(Problem):
    """The pairings of 2m indices, each of which takes d values; d may be any number."""

    d: Scalar = number()
    m: int = count(minimum=1, largest=2)

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and up to six indices in a few dimensions."""
        yield from super().fixed()
        yield cls.exact(d=10, m=3)
        for m in (1, 2, 3):
            for d in (3, 4, "1/2", -3):
                yield cls.exact(d=d, m=m)
