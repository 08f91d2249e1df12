"""Evaluation of the chain-of-thought layer: what it generates on random inputs, and how good that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Self

from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar, as_objects
from gdtheory.records import Axis, Problem, record


@record
class CornerMoments(Problem):
    """Powers i, j and k of W = X Xᵀ; n and d stand for the shape (d, n) of X and may be any numbers."""

    n: Scalar = number()
    d: Scalar = number()
    i: int = count()
    j: int = count(largest=2)
    k: int = count(largest=2)


@record
class GeneratedChain(Problem):
    """Random examples, and a layer with the rate eta that takes some steps from w_0 = 0.

    The steps are one more than the tokens that it generates before its final output. The matrix `like` only
    tells the dimension and the kind of number.
    """

    d = Axis(largest=2, wide=3)

    like: Array = matrix("d", "d")
    eta: Scalar = number()
    n: int = count(minimum=1, largest=2)
    steps: int = count(largest=2)

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and one with three steps."""
        yield from super().fixed()
        yield replace(cls.smallest(), steps=3)


@record
class ScalarChain(GeneratedChain):
    """The same, with a layer that has V = vI and W = wI, where eta = -v and w = 1 in training."""

    w: Scalar = number()

    @property
    def v(self) -> Scalar:
        """The multiple of the identity in V."""
        return -self.eta


@record
class EvaluationSteps(Problem):
    """A number of steps with the rate eta on n random examples in dimension d."""

    n: int = count(minimum=1, largest=12)
    d: int = count(minimum=1, largest=6)
    steps: int = count(minimum=1, largest=8)
    eta: Scalar = number()

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and those around the least loss of n = 20, d = 10 and eta = 2/5."""
        yield from super().fixed()
        for steps in (1, 18, 19, 20):
            yield cls.exact(n=20, d=10, steps=steps, eta="2/5")
        yield cls.exact(n=20, d=10, steps=6, eta="14/25")


@record
class RateInTenths(Problem):
    """The rate eta = tenths / 10 on n random examples in dimension d."""

    n: int = count(minimum=1, largest=5)
    d: int = count(minimum=1, largest=4)
    tenths: int = count(minimum=1, largest=20)

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, one at the best rate of one step, and four at n = 20 and d = 10."""
        yield from super().fixed()
        yield cls(n=5, d=4, tenths=5)
        for tenths in (2, 4, 6, 20):
            yield cls(n=20, d=10, tenths=tenths)

    @property
    def eta(self) -> Fraction:
        """The rate."""
        return Fraction(self.tenths, 10)


@record
class BoundedSpectrum(Problem):
    """Eigenvalues of a covariance with delta ≤ eta times each ≤ 2 - delta; any numbers stand for some."""

    d = Axis()

    places: Array = matrix("d", 1)
    margin: Scalar = number()
    rate: Scalar = number(nonzero=True)
    steps: int = count(minimum=1)

    @property
    def delta(self) -> Scalar:
        """A number in [0, 1]."""
        return _into_unit(self.margin)

    @property
    def eta(self) -> Scalar:
        """A number above 0."""
        return abs(self.rate)

    @property
    def eigenvalues(self) -> Array:
        """The eigenvalues, shape (d,)."""
        return self.spread(2 - self.delta)

    def spread(self, largest: Scalar) -> Array:
        """Return numbers from delta / eta to largest / eta, both ends included, shape (d,)."""
        width = largest - self.delta
        entries = [(self.delta + width * _into_unit(place)) / self.eta for place in self.places.flat]
        return as_objects(entries, (self.d,))


def _into_unit(x: Scalar) -> Scalar:
    """Return x or 1/x without its sign: 0 and 1 are met, and all between."""
    return abs(x) if abs(x) <= 1 else 1 / abs(x)


@record
class CorrelatedInputs(Problem):
    """Random examples whose inputs have the covariance L Lᵀ, and a rate eta."""

    d = Axis(largest=2, wide=2)

    L: Array = matrix("d", "d")
    eta: Scalar = number()
    n: int = count(minimum=1)


@record
class LoopedTask(Problem):
    """Random examples, a random query, and loops with the preconditioner a.

    The matrix `like` only tells the dimension and the kind of number.
    """

    d = Axis(largest=2, wide=3)

    like: Array = matrix("d", "d")
    a: Scalar = number()
    n: int = count(minimum=1, largest=2)
    loops: int = count(largest=1)


@record
class LoopCounts(Problem):
    """A number of loops on n random examples in dimension d."""

    n: int = count(minimum=1, largest=60)
    d: int = count(minimum=1, largest=30)
    loops: int = count(minimum=1, largest=8)


@record
class ManyLoops(LoopCounts):
    """Two loops or more."""

    loops: int = count(minimum=2, largest=12)

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and some with many examples or a large dimension."""
        yield from super().fixed()
        for n, d in ((60, 1), (60, 60), (1, 60)):
            yield cls(n=n, d=d, loops=2)


@record
class WeightedPowers(Problem):
    """The i-th power of a matrix that n random inputs and the rate eta make, times a matrix A."""

    d = Axis(largest=2, wide=3)

    A: Array = matrix("d", "d")
    eta: Scalar = number()
    n: int = count(minimum=1, largest=2)
    i: int = count()


@record
class PowerMoments(Problem):
    """The i-th power of I - eta S; n and d stand for the shape (d, n) of X and may be any numbers."""

    n: Scalar = number()
    d: Scalar = number()
    eta: Scalar = number()
    i: int = count(largest=8)


@record
class CentredPowers(Problem):
    """The 2L-th power of W - nI, W = X Xᵀ of n random inputs, times a matrix A."""

    d = Axis(largest=2, wide=3)

    A: Array = matrix("d", "d")
    n: int = count(minimum=1, largest=20)
    L: int = count(minimum=1, largest=2)

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and some with L = 3."""
        yield from super().fixed()
        for n in (1, 4):
            yield replace(cls.smallest(), n=n, L=3)


@record
class SampledSpectrum(Problem):
    """The shape (d, n) of a random matrix, and how far its singular values may be from where they gather."""

    n: int = count(minimum=1, largest=40)
    d: int = count(minimum=1, largest=6)
    distance: Scalar = number()

    @property
    def t(self) -> Fraction:
        """The distance, in units of √n: not negative."""
        return abs(self.distance)

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield some shapes and distances, at which wrong bounds fail clearly, and the usual instances."""
        shapes = ((20, 5, "2/5"), (5, 10, 1), (100, 10, "3/10"), (50, 50, "1/4"), (200, 20, "3/20"))
        for n, d, distance in shapes:
            yield cls.exact(n=n, d=d, distance=distance)
        yield from super().fixed()
