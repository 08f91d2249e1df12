"""Changing the weights of a linear model equals shifting its targets."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Array, Scalar
from gdtheory.problems import ShiftedWeights
from gdtheory.reference.regression import squared_loss


def loss_on_shifted_targets(
    p: ShiftedWeights, shift: Any = lambda p: -(p.Delta_W @ p.X), W: Any = lambda p: p.W
) -> Scalar:
    """Return L(W; X, Y - ΔW X)."""
    return squared_loss(W(p), p.X, p.Y + shift(p))


def loss_of_shifted_weights(p: ShiftedWeights) -> Array:
    """Return L(W + ΔW; X, Y)."""
    return squared_loss(p.W + p.Delta_W, p.X, p.Y)


CLAIM = Claim(
    id="GDT-0004",
    revision=1,
    title="Changing a linear model's weights equals shifting its targets",
    statement=r"""For all $W,\Delta W\in\mathbb R^{N_y\times N_x}$, $X$, $Y$ and
$L(W;X,Y)=\frac1{2N}\sum_i\|Wx_i-y_i\|^2$: $L(W+\Delta W;X,Y)=L(W;X,Y-\Delta W\,X)$.""",
    source=Source(key="vonoswald2023transformers", locator="eq. (4)", knowls=(1,)),
    problem=ShiftedWeights,
    example=ShiftedWeights.smallest,
    lhs=loss_on_shifted_targets,
    rhs=loss_of_shifted_weights,
    mutants=(
        Mutant(
            name="the targets shift the other way",
            kind=MutantKind.SIGN,
            lhs=partial(loss_on_shifted_targets, shift=lambda p: p.Delta_W @ p.X),
        ),
        Mutant(
            name="the shift is averaged over N + 1",
            kind=MutantKind.FACTOR,
            lhs=partial(loss_on_shifted_targets, shift=lambda p: -(p.Delta_W @ p.X) * p.N / (p.N + 1)),
        ),
        Mutant(
            name="weights and targets both move",
            kind=MutantKind.STALE,
            lhs=partial(loss_on_shifted_targets, W=lambda p: p.W + p.Delta_W),
        ),
    ),
)
