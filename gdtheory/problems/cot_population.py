"""The population loss of the chain-of-thought layer: blocks of the layer, random examples, and rates."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Self

from gdtheory.inputs import count, matrix, number
from gdtheory.namespace import Array, Scalar
from gdtheory.records import Axis, Problem, record


@record
class PopulationTraining(Problem):
    """A layer with V_31 = V and W_13 = W that is taught steps of rate eta on n random examples."""

    d = Axis(largest=2, wide=3)

    V: Array = matrix("d", "d")
    W: Array = matrix("d", "d")
    eta: Scalar = number()
    n: int = count(minimum=1, largest=2)

    @property
    def ks(self) -> range:
        """The numbers of steps before w*: more of them where S has rank one, which is quick."""
        return range(3) if 1 in (self.n, self.d) else range(2)


@record
class TrainedVAtScalarW(Problem):
    """A layer with V_31 = V and W_13 = w I that is taught steps of rate eta on n random examples."""

    d = Axis(largest=2, wide=3)

    V: Array = matrix("d", "d")
    w: Scalar = number()
    eta: Scalar = number(nonzero=True)
    n: int = count(minimum=1, largest=2)

    @property
    def ks(self) -> range:
        """The numbers of steps before w*: more of them where S has rank one, which is quick."""
        return range(1, 3) if 1 in (self.n, self.d) else range(1, 2)


@record
class LossAlongDirection(Problem):
    """A direction (dV, dW) of two blocks, and any numbers for the coefficients of the population loss."""

    d = Axis(largest=3, wide=4)

    dV: Array = matrix("d", "d")
    dW: Array = matrix("d", "d")
    a0: Scalar = number()
    a1: Scalar = number()
    a2: Scalar = number()
    a3: Scalar = number()
    alpha_F: Scalar = number()
    beta_F: Scalar = number()
    alpha_K: Scalar = number()
    beta_K: Scalar = number()
    c: Scalar = number()
    r: Scalar = number()


@record
class LossDirection(LossAlongDirection):
    """The same from blocks V and W."""

    V: Array = matrix("d", "d")
    W: Array = matrix("d", "d")


@record
class SkewDirection(LossAlongDirection):
    """The same from v I and w I, in the direction of the skew parts of dV and dW."""

    v: Scalar = number()
    w: Scalar = number()


@record
class SkewLayer(Problem):
    """One step of rate 1/5 in dimension 2, on n = 11 + more examples."""

    more: int = count(largest=38)

    @property
    def n(self) -> int:
        """The number of examples."""
        return 11 + self.more

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield all that may be drawn."""
        for more in range(39):
            yield cls(more=more)


@record
class TrainedChain(Problem):
    """A layer that is taught k steps of rate 2/5 on n = 2 d + more random examples in dimension d."""

    d: int = count(minimum=2, largest=8)
    more: int = count(largest=8)
    k: int = count(minimum=1, largest=8)

    @property
    def n(self) -> int:
        """The number of examples."""
        return 2 * self.d + self.more

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield all that may be drawn, and then some with d = 10."""
        for d, more, k in itertools.product(range(2, 9), range(9), range(1, 9)):
            yield cls(d=d, more=more, k=k)
        for more, k in itertools.product((0, 20, 80), range(1, 9)):
            yield cls(d=10, more=more, k=k)
