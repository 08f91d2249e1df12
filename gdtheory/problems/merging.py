"""Linear regression in context whose inputs and targets are tokens of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from gdtheory.inputs import number
from gdtheory.namespace import Scalar
from gdtheory.problems.regression import Pairs
from gdtheory.records import Axis, record


@record
class SeparateTokens(Pairs):
    """Pairs (x_j, y_j) and a query whose inputs and targets are tokens of their own."""

    # Attention over 2N + 1 tokens that hold a position each is costly.
    N = Axis(largest=2)
    N_x = Axis(largest=4)
    N_y = Axis(largest=4)

    @classmethod
    def three_pairs(cls, **numbers: Any) -> Self:
        """Return a task of three pairs, over fractions."""
        X, Y, x_query = [[1, 2, -1], [3, 5, -2]], [[4, -3, 7]], [[1], [-4]]
        return cls.exact(X=X, Y=Y, x_query=x_query, **numbers)


@record
class SeparateRegression(SeparateTokens):
    """The same, and the learning rate of one gradient-descent step."""

    eta: Scalar = number()


@record
class SoftmaxCopy(SeparateTokens):
    """The same tokens, and the scale of the logits of softmax attention."""

    beta: Scalar = number()


@record
class SoftmaxRegression(SoftmaxCopy):
    """The same tokens, the scale of the logits, and the learning rate of one gradient-descent step."""

    eta: Scalar = number()

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield `farthest`, two with larger contents, of two pairs and of two targets, and the usual ones."""
        yield cls.farthest()
        yield cls.exact(X=[[99, 99]], Y=[[-99, -99]], x_query=[[99]], beta="1/2", eta="1/2")
        yield cls.exact(X=[[9]], Y=[[9], [9]], x_query=[[9]], beta="1/2", eta="1/2")
        yield from super().fixed()

    @classmethod
    def farthest(cls) -> Self:
        """Return a task of one pair, on which a softmax copy errs as much as it can."""
        return cls.exact(X=[[2]], Y=[[-2]], x_query=[[2]], beta="1/2", eta="1/2")
