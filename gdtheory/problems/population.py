"""Random regression tasks, averaged exactly."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Self

from gdtheory.inputs import count, number
from gdtheory.namespace import Array, Scalar, as_objects
from gdtheory.records import Problem, record


@record
class RandomTasks(Problem):
    """Contexts of N columns whose d entries are -a, 0 or a, independently, and a learning rate eta.

    An entry is 0 with probability u²/(1 + u²). With a and u free, the second and fourth moments of an entry
    are those of any law: what depends on the law through them alone is general.
    """

    d: int = count(minimum=1, largest=2)
    N: int = count(minimum=1, largest=2)
    a: Scalar = number(nonzero=True)
    u: Scalar = number()
    eta: Scalar = number()

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instances, and larger ones: up to 2, d(d - 1) is 2(d - 1) and (N - 1)² is N - 1."""
        yield from super().fixed()
        for d, N in ((1, 3), (3, 1), (1, 4), (4, 1), (2, 3), (3, 2)):
            yield replace(cls.smallest(), d=d, N=N)

    @property
    def q(self) -> Scalar:
        """The probability of a, and of -a: at most 1/2."""
        return 1 / ((self.u * self.u + 1) * 2)

    def moment(self, k: int) -> Scalar:
        """Return the mean of the k-th power of an entry, for even k ≥ 2."""
        return self.a**k * self.q * 2

    def mean(self, *, one_sided: bool = False) -> Scalar:
        """Return the mean of an entry, which is 0 unless the entries are 0 and a."""
        return self.a * self.q * (2 if one_sided else 0)

    @property
    def zeros(self) -> Array:
        """The model before the first step: one zero row for each of d teachers; shape (d, d)."""
        return as_objects([self.a * 0] * self.d**2, (self.d, self.d))

    def contexts(self, *, one_sided: bool = False) -> Iterator[tuple[Scalar, Array]]:
        """Yield every context, shape (d, N), after its probability; one-sided, the entries are 0 and a.

        Contexts that differ in the order or the signs of whole columns come once: with targets that are
        linear in the inputs, pairs (x_i, y_i) and (-x_i, -y_i) act alike.
        """
        weight = {-1: self.q, 0: 1 - self.q * 2, 1: self.q}
        columns: dict[tuple[int, ...], Scalar] = {}
        for signs in itertools.product(weight, repeat=self.d):
            flipped = tuple(-sign for sign in signs)
            column = tuple(map(abs, signs)) if one_sided else max(signs, flipped)
            columns[column] = columns.get(column, 0) + math.prod(weight[sign] for sign in signs)
        for chosen in itertools.combinations_with_replacement(columns, self.N):
            orders = math.factorial(self.N) // math.prod(map(math.factorial, Counter(chosen).values()))
            X = as_objects(
                [self.a * sign for row in zip(*chosen, strict=True) for sign in row], (self.d, self.N)
            )
            yield math.prod(columns[column] for column in chosen) * orders, X


@record
class ShiftedTasks(RandomTasks):
    """Random tasks whose inputs are multiplied by alpha and whose teachers by tau, at test time."""

    alpha: Scalar = number(nonzero=True)
    tau: Scalar = number()


@record
class CurvatureTasks(RandomTasks):
    """Random tasks, and the curvature correction gamma of two GD++ steps."""

    gamma: Scalar = number()


@record
class LearningRate(Problem):
    """The learning rate of one step."""

    eta: Scalar = number()


@record
class TwoLayers(Problem):
    """The learning rates of two layers, and the curvature correction of the first."""

    eta_1: Scalar = number()
    eta_2: Scalar = number()
    gamma: Scalar = number()

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield the usual instance, and rates that are nearly the best for d = N = 10 and U(-1/2, 1/2)."""
        yield from super().fixed()
        yield cls.exact(eta_1=6, eta_2=6, gamma=0)
        yield cls.exact(eta_1=4, eta_2="23/2", gamma=0)
        yield cls.exact(eta_1="27/2", eta_2="27/2", gamma="22/125")
        yield cls.exact(eta_1="33/8", eta_2="73/2", gamma="2/5")
