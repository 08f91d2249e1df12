"""GD++: gradient descent in context that also transforms its inputs, and the spectra that this changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems.regression import Regression, ShiftedWeights
from gdtheory.records import Axis, Problem, record


@record
class GDPlusPlus(Regression):
    """Linear regression in context, one gradient-descent step, and a transformation of the inputs."""

    gamma: Scalar = number()


@record
class GDPlusPlusSteps(GDPlusPlus):
    """Linear regression in context with K steps of GD++."""

    K: int = count(largest=2)


@record
class TransformedRegression(ShiftedWeights):
    """A linear model W on N pairs (x_i, y_i), a change of its weights, and a transformation of the inputs."""

    gamma: Scalar = number()


@record
class Spectrum(Problem):
    """Inputs X = U diag(σ) with orthogonal U = I - 2vvᵀ/‖v‖²: X Xᵀ has any eigenvalues σ_i² and vectors U."""

    n = Axis()

    sigma: Array = matrix(1, "n")
    v: Array = matrix("n", 1, nonzero=True)
    gamma: Scalar = number()

    @property
    def U(self) -> Array:
        """The eigenvectors of X Xᵀ, shape (n, n)."""
        xp = namespace(self.v)
        return xp.eye(self.n) - self.v @ self.v.T * 2 / xp.squared_norm(self.v)

    @property
    def X(self) -> Array:
        """The inputs, shape (n, n)."""
        return self.U * self.sigma

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and some with eigenvalues on both sides of 1/(3γ) or of 1/γ.

        Together they tell each candidate for the extremes from the others, and 1/(3γ) and 1/γ from other
        multiples of 1/γ.
        """
        yield from super().fixed()
        yield cls.exact(sigma=[[3, 2, 1]], v=[[1], [2], [0]], gamma="1/5")
        yield cls.exact(sigma=[["7/2", 3]], v=[[1], [2]], gamma="1/12")
        yield cls.exact(sigma=[[5, 4, "1/2"]], v=[[1], [2], [0]], gamma="1/20")
        yield cls.exact(sigma=[[5, 4, "7/2", 3, "5/2"]], v=[[1], [2], [0], [0], [0]], gamma="1/20")


@record
class EndsAndGammas(Problem):
    """A largest and a least eigenvalue, and two values of γ."""

    lambda_1: Scalar = number()
    lambda_n: Scalar = number()
    gamma: Scalar = number()
    gamma_next: Scalar = number()

    @classmethod
    def distinct(cls) -> Self:
        """Return an instance whose numbers all differ."""
        return cls.exact(lambda_1=3, lambda_n=1, gamma=0, gamma_next="1/9")


@record
class EigenvalueAndGammas(Problem):
    """An eigenvalue and two values of γ."""

    eigenvalue: Scalar = number()
    gamma: Scalar = number()
    gamma_next: Scalar = number()

    @classmethod
    def distinct(cls) -> Self:
        """Return an instance whose numbers all differ."""
        return cls.exact(eigenvalue=2, gamma=1, gamma_next="1/3")


@record
class ExtremeSingularValues(Problem):
    """The largest and the least singular value of X, as matrices of one entry, to put several in a row."""

    a: Array = matrix(1, 1, nonzero=True)
    b: Array = matrix(1, 1, nonzero=True)


@record
class FallingGammas(Problem):
    r"""A spectrum with :math:`\lambda_1>\lambda_n>0`, and :math:`0\le\gamma<\gamma'\le1/(3\lambda_1)`.

    The numbers are free; the properties make the spectrum and both γ of them, so that every instance is
    inside this region and both of its closed ends are reached: γ = 0 where `start` is 0, and
    γ' = 1/(3λ_1) where `slack` is 0.
    """

    n = Axis()

    least: Scalar = number(nonzero=True)
    above: Array = matrix(1, "n", nonzero=True)
    start: Scalar = number()
    slack: Scalar = number()

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and one at both ends of the region."""
        yield from super().fixed()
        yield cls.exact(least=1, above=[[1]], start=0, slack=0)

    @property
    def spectrum(self) -> list[Scalar]:
        """The eigenvalues: the least one, and that much above it."""
        least = abs(self.least)
        return [least, *(least + abs(entry) for entry in self.above.flat)]

    @property
    def gamma_next(self) -> Scalar:
        """The larger γ'."""
        return 1 / (3 * max(self.spectrum) * (1 + self.slack**2))

    @property
    def gamma(self) -> Scalar:
        """The smaller γ."""
        return self.gamma_next * share(self.start)


@record
class IntervalAndGamma(Problem):
    r"""Singular values a > b > 0 and any γ but :math:`\gamma_*=1/(a^2+ab+b^2)`.

    `regime` says between which landmarks γ lies, and `place` where in between; 0 is on the landmark.
    With λ_1 = a² and λ_n = b² the regimes are γ ≤ 0; [0, 1/(3λ_1)); [1/(3λ_1), γ*); (γ*, 1/(3λ_n)];
    (γ*, 1/λ_1]; between 1/(3λ_n) and 1/λ_1, whichever is less; [1/λ_1, 1/λ_n); and from 1/λ_n on.
    """

    regime: int = count(largest=7)
    least: Scalar = number(nonzero=True)
    gap: Scalar = number(nonzero=True)
    place: Scalar = number()

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, one close to γ*, and one with 1/γ inside and f alike at both ends."""
        yield from super().fixed()
        yield cls.exact(regime=2, least=1, gap=2, place=5)
        yield cls.exact(regime=6, least=1, gap=4, place="1/5")

    @property
    def b(self) -> Scalar:
        """The least singular value."""
        return abs(self.least)

    @property
    def a(self) -> Scalar:
        """The largest singular value; half the gap, so that a² < 3b² is drawn as often as not."""
        return self.b + abs(self.gap) / 2

    @property
    def gamma(self) -> Scalar:
        """The value of γ."""
        lambda_1, lambda_n = self.a**2, self.b**2
        optimum = 1 / (lambda_1 + self.a * self.b + lambda_n)
        onwards = share(self.place)
        gammas = (
            -(self.place**2),
            onwards / (3 * lambda_1),
            (1 - onwards) / (3 * lambda_1) + onwards * optimum,
            (1 - onwards) / (3 * lambda_n) + onwards * optimum,
            (1 - onwards) / lambda_1 + onwards * optimum,
            (1 - onwards) / (3 * lambda_n) + onwards / lambda_1,
            (1 - onwards) / lambda_1 + onwards / lambda_n,
            (1 + self.place**2) / lambda_n,
        )
        return gammas[min(self.regime, 7)]


def share(x: Scalar) -> Scalar:
    """Return x²/(1 + x²), a share below 1 of a whole."""
    return x**2 / (1 + x**2)
