"""The squared loss expands around any weights; its first-order term names the gradient."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import ShiftedWeights
from gdtheory.reference.regression import squared_loss, squared_loss_gradient


def inner(a: Array, b: Array) -> Scalar:
    """Return the Frobenius inner product ⟨a, b⟩, by polarisation."""
    norm = namespace(a).squared_norm
    return (norm(a + b) - norm(a) - norm(b)) / 2


def expansion(p: ShiftedWeights, slope: Any = 1, curvature: Any = 2) -> Scalar:
    """Return L(W) + ⟨∇L(W), ΔW⟩ + ‖ΔW X‖²/2N."""
    gradient = squared_loss_gradient(p.W, p.X, p.Y)
    quadratic = namespace(p.W).squared_norm(p.Delta_W @ p.X) / (p.N * curvature)
    return squared_loss(p.W, p.X, p.Y) + inner(gradient, p.Delta_W) * slope + quadratic


def loss_of_shifted_weights(p: ShiftedWeights) -> Scalar:
    """Return L(W + ΔW)."""
    return squared_loss(p.W + p.Delta_W, p.X, p.Y)


CLAIM = Claim(
    id="GDT-0005",
    revision=1,
    title="The squared loss expands exactly to second order, which names its gradient",
    statement=r"""For $L(W)=\frac1{2N}\sum_i\|Wx_i-y_i\|^2$ and $\nabla L(W)=\frac1N\sum_i(Wx_i-y_i)x_i^T$,
all $W$ and $\Delta W$: $L(W+\Delta W)=L(W)+\langle\nabla L(W),\Delta W\rangle+\frac1{2N}\|\Delta W\,X\|_F^2$.
The linear part in $\Delta W$ is unique, so $\nabla L$ is the gradient of $L$.""",
    source=Source(key="vonoswald2023transformers", locator="Section 2, the squared-error loss", knowls=(1,)),
    ours=True,
    problem=ShiftedWeights,
    example=ShiftedWeights.smallest,
    lhs=expansion,
    rhs=loss_of_shifted_weights,
    mutants=(
        Mutant(
            name="the gradient has the other sign",
            kind=MutantKind.SIGN,
            lhs=partial(expansion, slope=-1),
        ),
        Mutant(
            name="the gradient of the loss without its 1/2",
            kind=MutantKind.FACTOR,
            lhs=partial(expansion, slope=2),
        ),
        Mutant(
            name="the second-order term has no 1/2",
            kind=MutantKind.DROPPED,
            lhs=partial(expansion, curvature=1),
        ),
    ),
)
