"""Chain-of-thought generation of gradient-descent iterates."""

from __future__ import annotations

from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar
from gdtheory.records import Axis, Problem, record


@record
class ChainOfThought(Problem):
    """Regression examples (X, y), m earlier weight tokens and the current one, w.

    The ⋆ entries are what each weight token holds in the slot of the targets.
    """

    n = Axis()
    d = Axis()
    m = Axis(minimum=0)

    X: Array = matrix("d", "n")
    y: Array = matrix(1, "n")
    earlier: Array = matrix("d", "m")
    earlier_star: Array = matrix(1, "m")
    w: Array = matrix("d", 1)
    star: Array = matrix(1, 1)
    eta: Scalar = number()


@record
class Generation(Problem):
    """Regression examples (X, y), a first weight token w_0, and k chain-of-thought steps."""

    n = Axis()
    d = Axis()

    X: Array = matrix("d", "n")
    y: Array = matrix(1, "n")
    w_0: Array = matrix("d", 1)
    eta: Scalar = number()
    k: int = count()


@record
class NoiselessGeneration(Problem):
    """Chain-of-thought generation on targets y = w*ᵀX of a true weight vector w*."""

    n = Axis()
    d = Axis()

    X: Array = matrix("d", "n")
    w_star: Array = matrix("d", 1)
    w_0: Array = matrix("d", 1)
    eta: Scalar = number()
    k: int = count()

    @property
    def y(self) -> Array:
        """The targets w*ᵀX, shape (1, n)."""
        return self.w_star.T @ self.X
