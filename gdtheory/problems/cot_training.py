"""Training of the chain-of-thought layer: sequences of weight tokens, and means over random examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.records import Axis, Problem, record


@record
class TrainingSequence(Problem):
    """Noiseless examples, m earlier weight tokens, the current one, w, and the next, w_next.

    The layer has the blocks V_31 = V and W_13 = W.
    """

    n = Axis(largest=4, wide=5)
    d = Axis(largest=4, wide=5)
    m = Axis(minimum=0, largest=2, wide=3)

    X: Array = matrix("d", "n")
    w_star: Array = matrix("d", 1)
    earlier: Array = matrix("d", "m")
    w: Array = matrix("d", 1)
    w_next: Array = matrix("d", 1)
    V: Array = matrix("d", "d")
    W: Array = matrix("d", "d")

    @property
    def y(self) -> Array:
        """The targets w*ᵀX, shape (1, n)."""
        return self.w_star.T @ self.X


@record
class TrainingSteps(TrainingSequence):
    """The same, where the iterates have the learning rate eta."""

    eta: Scalar = number()


@record
class ScaledBlocks(TrainingSequence):
    """The same, where w_24 is any number and c a scale that moves between V and W."""

    w_24: Scalar = number()
    c: Scalar = number(nonzero=True)


@record
class AllBlocks(Problem):
    """All blocks of two matrices V and W of 2d + 2 rows and columns, such as a layer."""

    d = Axis()

    V_11: Array = matrix("d", "d")
    V_12: Array = matrix("d", 1)
    V_13: Array = matrix("d", "d")
    V_14: Array = matrix("d", 1)
    V_21: Array = matrix(1, "d")
    v_22: Array = matrix(1, 1)
    V_23: Array = matrix(1, "d")
    v_24: Array = matrix(1, 1)
    V_31: Array = matrix("d", "d")
    V_32: Array = matrix("d", 1)
    V_33: Array = matrix("d", "d")
    V_34: Array = matrix("d", 1)
    V_41: Array = matrix(1, "d")
    v_42: Array = matrix(1, 1)
    V_43: Array = matrix(1, "d")
    v_44: Array = matrix(1, 1)

    W_11: Array = matrix("d", "d")
    W_12: Array = matrix("d", 1)
    W_13: Array = matrix("d", "d")
    W_14: Array = matrix("d", 1)
    W_21: Array = matrix(1, "d")
    w_22: Array = matrix(1, 1)
    W_23: Array = matrix(1, "d")
    w_24: Array = matrix(1, 1)
    W_31: Array = matrix("d", "d")
    W_32: Array = matrix("d", 1)
    W_33: Array = matrix("d", "d")
    W_34: Array = matrix("d", 1)
    W_41: Array = matrix(1, "d")
    w_42: Array = matrix(1, 1)
    W_43: Array = matrix(1, "d")
    w_44: Array = matrix(1, 1)

    @property
    def all_V(self) -> Array:
        """The matrix of the blocks V_11 to v_44."""
        return namespace(self.V_11).block(
            [
                [self.V_11, self.V_12, self.V_13, self.V_14],
                [self.V_21, self.v_22, self.V_23, self.v_24],
                [self.V_31, self.V_32, self.V_33, self.V_34],
                [self.V_41, self.v_42, self.V_43, self.v_44],
            ]
        )

    @property
    def all_W(self) -> Array:
        """The matrix of the blocks W_11 to w_44."""
        return namespace(self.W_11).block(
            [
                [self.W_11, self.W_12, self.W_13, self.W_14],
                [self.W_21, self.w_22, self.W_23, self.w_24],
                [self.W_31, self.W_32, self.W_33, self.W_34],
                [self.W_41, self.w_42, self.W_43, self.w_44],
            ]
        )


@record
class TrainingDirection(TrainingSequence, AllBlocks):
    """A training sequence, a layer with three blocks, V, W and u_24, and a direction of all blocks."""

    n = Axis(largest=2, wide=3)
    d = Axis(largest=2, wide=3)
    m = Axis(minimum=0, largest=1, wide=2)

    u_24: Scalar = number()


@record
class WholeLayer(AllBlocks):
    """A layer in the full parameter space and a first weight token w_0; n random examples."""

    d = Axis(largest=2, wide=2)

    w_0: Array = matrix("d", 1)
    n: int = count(minimum=1, largest=2)


@record
class RandomStep(Problem):
    """One step of gradient descent from w_0 with the rate eta, on n random examples."""

    d = Axis(largest=2, wide=3)

    w_0: Array = matrix("d", 1)
    n: int = count(minimum=1, largest=2)
    eta: Scalar = number()


@record
class TaughtIncrements(Problem):
    """A square matrix S, such as X Xᵀ / n, and k steps of gradient descent with the rate eta."""

    d = Axis()

    S: Array = matrix("d", "d")
    eta: Scalar = number()
    k: int = count()


@record
class TrainedV(Problem):
    """The block V_31 = V of a layer that is taught k steps of rate eta on n random examples."""

    d = Axis(largest=2, wide=2)

    V: Array = matrix("d", "d")
    eta: Scalar = number()
    n: int = count(minimum=1, largest=2)
    k: int = count(largest=2)


@record
class DirectionAtGD(Problem):
    """A direction (V, W) from the layer that takes steps of the taught rate eta, and n random examples."""

    d = Axis(largest=2, wide=2)

    V: Array = matrix("d", "d")
    W: Array = matrix("d", "d")
    eta: Scalar = number()
    n: int = count(minimum=1, largest=2)


@record
class SharedEigenvector(Problem):
    """Two matrices V and W for which u is an eigenvector from either side, and the numbers of a gradient.

    The last nine numbers are those of `gdtheory.cot.coefficients` on which the gradient depends: arbitrary,
    so that they stand for all n, k and eta.
    """

    d = Axis(largest=4, wide=4)

    u: Array = matrix("d", 1, nonzero=True)
    A: Array = matrix("d", "d")
    B: Array = matrix("d", "d")
    v: Scalar = number()
    w: Scalar = number()
    a0: Scalar = number()
    a1: Scalar = number()
    a2: Scalar = number()
    a3: Scalar = number()
    alpha_F: Scalar = number()
    beta_F: Scalar = number()
    alpha_K: Scalar = number()
    beta_K: Scalar = number()
    c: Scalar = number()

    @property
    def V(self) -> Array:
        """The matrix ‖u‖² A - uuᵀA - Auuᵀ + v uuᵀ; every matrix with these eigenvectors is one."""
        return self._with_eigenvector(self.A, self.v)

    @property
    def W(self) -> Array:
        """The matrix ‖u‖² B - uuᵀB - Buuᵀ + w uuᵀ."""
        return self._with_eigenvector(self.B, self.w)

    def _with_eigenvector(self, A: Array, v: Scalar) -> Array:
        uu = self.u @ self.u.T
        return A * namespace(A).squared_norm(self.u) - uu @ A - A @ uu + uu * v


@record
class MoreExamples(Problem):
    """An input dimension d, and n = d + more examples."""

    d: int = count(minimum=1)
    more: int = count()

    @property
    def n(self) -> int:
        """The number of examples."""
        return self.d + self.more

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield pairs that come close to the limits of large d and of large n too."""
        yield from super().fixed()
        for d, more in ((10, 10), (10**9, 0), (1, 10**9), (2, 10**9), (10**9, 10**9)):
            yield cls(d=d, more=more)
