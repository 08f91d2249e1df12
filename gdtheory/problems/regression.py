"""Linear regression in context."""

from __future__ import annotations

from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar
from gdtheory.records import Axis, Problem, record


@record
class Pairs(Problem):
    """N pairs (x_i, y_i) and the input of a query."""

    N = Axis()
    N_x = Axis()
    N_y = Axis()

    X: Array = matrix("N_x", "N")
    Y: Array = matrix("N_y", "N")
    x_query: Array = matrix("N_x", 1)


@record
class Regression(Problem):
    """Linear regression in context: N pairs (x_i, y_i), a query, and one gradient-descent step."""

    N = Axis()
    N_x = Axis()
    N_y = Axis()

    W_0: Array = matrix("N_y", "N_x")
    X: Array = matrix("N_x", "N")
    Y: Array = matrix("N_y", "N")
    x_query: Array = matrix("N_x", 1)
    eta: Scalar = number()


@record
class RegressionSteps(Regression):
    """Linear regression in context with K gradient-descent steps."""

    K: int = count()


@record
class ShiftedWeights(Problem):
    """A linear model W on N pairs (x_i, y_i), and a change of its weights."""

    N = Axis()
    N_x = Axis()
    N_y = Axis()

    W: Array = matrix("N_y", "N_x")
    Delta_W: Array = matrix("N_y", "N_x")
    X: Array = matrix("N_x", "N")
    Y: Array = matrix("N_y", "N")
