"""Linear regression in context, read by softmax heads whose scores are small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from gdtheory.inputs import count, matrix, number, table
from gdtheory.namespace import Array, Scalar
from gdtheory.problems.regression import Regression
from gdtheory.records import Axis, Problem, record


@record
class SoftmaxHead(Regression):
    """Linear regression in context, and a softmax head with the scores ε x_iᵀ A x, ε = scale / 10^decades."""

    A: Array = matrix("N_x", "N_x")
    scale: Scalar = number()
    decades: int = count()

    @property
    def epsilon(self) -> Scalar:
        """What the scores are multiplied by."""
        return self.scale / 10**self.decades

    @property
    def scores(self) -> Array:
        """The scores x_iᵀ A x, shape (N, 1), before they are scaled."""
        return self.X.T @ self.A @ self.x_query

    @property
    def R(self) -> Scalar:
        """The range of the scores."""
        return self.scores.max() - self.scores.min()

    @property
    def values(self) -> Array:
        """What a head may read, η (W_0 x_i - y_i) as columns, shape (N_y, N)."""
        return (self.W_0 @ self.X - self.Y) * self.eta

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and those of `telling`."""
        yield from super().fixed()
        yield from cls.telling()

    @classmethod
    def telling(cls) -> Iterator[Self]:
        """Yield instances with errors near their bounds, where no power of ε, R or η passes for another."""
        yield cls.one_apart(5, R="1/1000", eta=2, scale=10, decades=0)
        yield cls.one_apart(5, R=10, eta="1/2", scale=1, decades=3)

    @classmethod
    def one_apart(cls, N: int, *, R: Any = 1, **numbers: Any) -> Self:
        """Return N tokens that are alike but for the first, with scores of range R.

        There are two targets, with values of opposite sign and different size.
        """
        return cls.exact(
            W_0=[[1], [-2]],
            X=[[1] + [0] * (N - 1)],
            Y=[[0] + [1] * (N - 1), [0] + [-2] * (N - 1)],
            x_query=[[1]],
            A=[[R]],
            **numbers,
        )


@record
class OppositeHeads(SoftmaxHead):
    """Linear regression in context, and two softmax heads with the scores ±ε x_iᵀ A x, ε ≠ 0."""

    scale: Scalar = number(nonzero=True)

    @classmethod
    def telling(cls) -> Iterator[Self]:
        """Yield instances as those of one head, at which two heads come near their bound."""
        yield cls.one_apart(2, R="1/1000", eta=2, scale=10, decades=0)
        yield cls.one_apart(2, R=10, eta="1/2", scale=1, decades=3)


@record
class ManyHeads(SoftmaxHead):
    """Linear regression in context, and H softmax heads: head h has the scores ε ε_h x_iᵀ A x."""

    H: int = count(minimum=2)
    multiples: Array = matrix(1, "H")

    @property
    def scales(self) -> Array:
        """What the scores are multiplied by in every head, shape (1, H)."""
        return self.multiples * self.epsilon

    @classmethod
    def telling(cls) -> Iterator[Self]:
        """Yield instances as those of one head, and two heads whose weights cancel with their signs."""
        two = {"H": 2, "multiples": [[1, 2]]}
        yield cls.one_apart(3, R="1/100000", eta=100, scale=1000, decades=0, **two)
        yield cls.one_apart(3, R=10, eta="1/100", scale=1, decades=4, **two)
        yield cls.one_apart(3, eta=1, scale=1, decades=3, H=2, multiples=[[1, -1]])


def heads(n: int) -> list[int]:
    """Return the numbers of n heads."""
    return list(range(n))


@record
class EqualTargets(Problem):
    """Inputs x_i that all have the target y, and H softmax heads with any scores and any values.

    The block of W_KQ that a query (x, 0) meets has the rows KQ_x[h] and KQ_y[h]; V[h] is the block of
    P W_V from targets to targets.
    """

    N = Axis()
    N_x = Axis()
    N_y = Axis()

    H: int = count(minimum=1)
    X: Array = matrix("N_x", "N")
    y: Array = matrix("N_y", 1)
    x_query: Array = matrix("N_x", 1)
    KQ_x: dict[Any, Array] = table(matrix("N_x", "N_x"), heads, "H")
    KQ_y: dict[Any, Array] = table(matrix("N_y", "N_x"), heads, "H")
    V: dict[Any, Array] = table(matrix("N_y", "N_y"), heads, "H")
