"""A scale that moves from W_13 and w_24 to V_31 leaves the layer's output."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.cot import prompt
from gdtheory.constructions.cot_training import three_blocks
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import ScaledBlocks
from gdtheory.reference.regression import second_moment


def scaled_layer(
    p: ScaledBlocks,
    V: Any = lambda p: p.V * p.c,
    w_24: Any = lambda p: p.w_24 / p.c,
) -> Array:
    """Return the last token after the layer with V_31 = cV, W_13 = W/c and w_24/c."""
    Z = prompt(p.X, p.y, p.earlier, p.w)
    return three_blocks(V(p), p.W / p.c, w_24(p)).next_token(Z, p.n)


def unscaled(p: ScaledBlocks, sign: int = 1, W: Any = lambda p: p.W) -> Array:
    """Return (0, 0, w + VS(Ww + w_24 w*), 1)."""
    xp = namespace(p.X)
    w_next = p.w + p.V @ second_moment(p.X) @ (W(p) @ p.w + p.w_star * (p.w_24 * sign))
    return xp.block([[xp.zeros(p.d, 1)], [xp.zeros(1, 1)], [w_next], [xp.ones(1, 1)]])


CLAIM = Claim(
    id="GDT-0081",
    revision=1,
    title="The layers (cV₃₁, W₁₃/c, w₂₄/c) all have the same output, so minimisers come in whole curves",
    statement=r"""For every $c\ne0$ the layer with the blocks $cV$, $W/c$ and $w_{24}/c$ in the places of
$V_{31}$, $W_{13}$ and $w_{24}$, and zeros elsewhere, takes the training sequence of GDT-0072 to the last
token $(0,0,w_i+VS(Ww_i+w_{24}w_*),1)$, in which $c$ does not occur. So a minimiser of the loss with $V\ne0$
lies on a curve of minimisers unless $w_{24}$ is frozen; frozen at $-1$ it leaves no such scale.""",
    source=Source(key="huang2025transformers", locator="below Assumption 4.1, on w_24 = -1"),
    ours=True,
    assumptions=(
        Assumption(
            name="w_24 is free",
            statement="The scale moves out of w_24 as well as out of W_13.",
            violation=Variant(name="w_24 is frozen", lhs=partial(scaled_layer, w_24=lambda p: p.w_24)),
        ),
    ),
    problem=ScaledBlocks,
    example=ScaledBlocks.smallest,
    lhs=scaled_layer,
    rhs=unscaled,
    mutants=(
        Mutant(name="V_31 = V/c", kind=MutantKind.FACTOR, lhs=partial(scaled_layer, V=lambda p: p.V / p.c)),
        Mutant(name="-w_24", kind=MutantKind.SIGN, rhs=partial(unscaled, sign=-1)),
        Mutant(name="W transposed", kind=MutantKind.TRANSPOSED, rhs=partial(unscaled, W=lambda p: p.W.T)),
    ),
    uses=("GDT-0072",),
)
