"""A block with skip connections moves its context into the first weights and the last bias."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Refusal, Source, Variant
from gdtheory.errors import DegenerateContextError
from gdtheory.namespace import Array, namespace
from gdtheory.problems import SkipBlock


def block(p: SkipBlock, A: Array, Delta_W: Array, Delta_b: Array) -> Array:
    """Return x + A + W' f((W + ΔW) A + b) + b' + Δb', eq. (22)."""
    return p.x + A + p.W_out @ p.f((p.W + Delta_W) @ A + p.b) + (p.b_out + Delta_b)


def on_the_rest(
    p: SkipBlock, update: Any = weight_transfer, bias: Any = lambda A_full, A_rest: A_full - A_rest
) -> Array:
    """Return the patched block on C∖Y for every part Y of the context, one column each."""
    A_full = p.A[p.C]
    columns = [
        block(p, A_rest, update(p.W, A_full, A_rest), bias(A_full, A_rest))
        for A_rest in map(p.A.__getitem__, p.rests)
    ]
    return namespace(p.W).block([columns])


def on_the_whole(p: SkipBlock) -> Array:
    """Return T(C, x), once for every part Y."""
    whole = p.x + p.A[p.C] + p.W_out @ p.f(p.W @ p.A[p.C] + p.b) + p.b_out
    return namespace(p.W).block([[whole for _ in p.rests]])


def doubled(W: Array, A_full: Array, A_rest: Array) -> Array:
    """Return twice the update."""
    return weight_transfer(W, A_full, A_rest) * 2


CLAIM = Claim(
    id="GDT-0015",
    revision=1,
    title="With skip connections a context moves into the first weights and the last bias",
    statement=r"""Let $T(C,x)=x+A(C,x)+W'f(WA(C,x)+b)+b'$ with any contextual layer $A$ and any $f$. For every
$Y\subseteq C$ with $A(C\setminus Y,x)\ne0$, the updates $\Delta W(Y)$ of GDT-0011 and
$\Delta b'(Y)=\Delta A(Y)$ give $T_{W,b'}(C,x)=T_{W+\Delta W(Y),\,b'+\Delta b'(Y)}(C\setminus Y,x)$.""",
    source=Source(key="dherin2025learning", locator="Theorem A.2, eqs. (23) to (26)"),
    assumptions=(
        Assumption(
            name="non-zero output",
            statement="A(C∖Y, x) is not the zero vector.",
            violation=Refusal(problem=SkipBlock.zero_output, error=DegenerateContextError),
        ),
        Assumption(
            name="an output bias",
            statement="The block has a bias b' after the network, which takes up ΔA.",
            violation=Variant(
                name="the bias is not updated",
                lhs=partial(on_the_rest, bias=lambda A_full, A_rest: A_full * 0),
            ),
        ),
    ),
    problem=SkipBlock,
    example=SkipBlock.smallest,
    lhs=on_the_rest,
    rhs=on_the_whole,
    mutants=(
        Mutant(
            name="Δb' = -ΔA",
            kind=MutantKind.SIGN,
            lhs=partial(on_the_rest, bias=lambda A_full, A_rest: A_rest - A_full),
        ),
        Mutant(
            name="Δb' = A(C, x)",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(on_the_rest, bias=lambda A_full, A_rest: A_full),
        ),
        Mutant(
            name="twice the update of W",
            kind=MutantKind.FACTOR,
            lhs=partial(on_the_rest, update=doubled),
        ),
        Mutant(
            name="W is not updated",
            kind=MutantKind.DROPPED,
            lhs=partial(on_the_rest, update=lambda W, A_full, A_rest: W * 0),
        ),
    ),
    uses=("GDT-0011",),
)
