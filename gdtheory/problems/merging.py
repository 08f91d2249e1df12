"""Linear regression in context whose inputs and targets are tokens of their own."""

from __future__ import annotations

from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar
from gdtheory.records import Axis, Problem, record


@record
class SeparateTokens(Problem):
    """The inputs x_j and targets y_j of N pairs, and the input of a query."""

    N_x = Axis()
    N_y = Axis()

    N: int = count(minimum=1)
    X: Array = matrix("N_x", "N")
    Y: Array = matrix("N_y", "N")
    x_query: Array = matrix("N_x", 1)


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
