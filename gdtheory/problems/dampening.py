"""Layers that are applied again and again, scaled by a damping factor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from gdtheory.inputs import matrix, number
from gdtheory.namespace import Array, Scalar
from gdtheory.records import Axis, Problem, record


@record
class DampenedTask(Problem):
    """The inputs of a task, and a layer with learning rate eta, scaled by lambda_."""

    N = Axis(largest=3)
    N_x = Axis(largest=3)

    X: Array = matrix("N_x", "N")
    eta: Scalar = number()
    lambda_: Scalar = number()

    @classmethod
    def fixed(cls) -> Iterator[Self]:
        """Yield an instance on the verge of divergence, then the usual ones; the wide one is costly."""
        yield cls.exact(X=[[2, 0], [0, 1]], eta=2, lambda_="1/2")
        yield from super().fixed()

    @classmethod
    def one_sided(cls) -> Self:
        """Return a task that diverges in the second input only."""
        return cls.exact(X=[[1, 0], [0, 3]], eta=1, lambda_="1/2")
