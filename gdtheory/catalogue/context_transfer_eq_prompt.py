"""A contextual block moves any part of its context into its first weight matrix."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import DegenerateContextError
from gdtheory.namespace import Array, namespace
from gdtheory.problems import ContextualBlock


def on_the_rest(p: ContextualBlock, update: Any = weight_transfer) -> Array:
    """Return T_{W+ΔW(Y)}(C∖Y, x) for every Y with A(C∖Y, x) ≠ 0, one column each."""
    columns = [p.f((p.W + update(p.W, p.A[p.C], p.A[rest])) @ p.A[rest] + p.b) for rest in p.rests]
    return namespace(p.W).block([columns])


def on_the_whole(p: ContextualBlock) -> Array:
    """Return T_W(C, x), once for every part Y."""
    return namespace(p.W).block([[p.f(p.W @ p.A[p.C] + p.b) for _ in p.rests]])


def flipped(W: Array, A_full: Array, A_rest: Array) -> Array:
    """Return the update with the sign of ΔA flipped."""
    return -weight_transfer(W, A_full, A_rest)


def over_full_norm(W: Array, A_full: Array, A_rest: Array) -> Array:
    """Return the update divided by ‖A(C, x)‖²."""
    norm = namespace(W).squared_norm
    return weight_transfer(W, A_full, A_rest) * norm(A_rest) / norm(A_full)


def onto_full(W: Array, A_full: Array, A_rest: Array) -> Array:
    """Return the update with A(C, x)ᵀ as its row vector."""
    norm = namespace(W).squared_norm
    return W @ (A_full - A_rest) @ A_full.T / norm(A_rest)


CLAIM = Claim(
    id="GDT-0011",
    revision=1,
    title="A contextual block moves any part of its context into a rank-1 weight update",
    statement=r"""Let $T_W(C,x)=f(WA(C,x)+b)$ with any contextual layer $A$, any context $C$ and any function
$f$. For every $Y\subseteq C$ with $A(C\setminus Y,x)\ne0$ let
$\Delta W(Y)=\frac{W\,\Delta A\;A(C\setminus Y,x)^T}{\|A(C\setminus Y,x)\|^2}$ and
$\Delta A=A(C,x)-A(C\setminus Y,x)$. Then $T_W(C,x)=T_{W+\Delta W(Y)}(C\setminus Y,x)$.""",
    source=Source(key="dherin2025learning", locator="Theorem 2.2, eq. (1)"),
    assumptions=(
        Assumption(
            name="non-zero output",
            statement="A(C∖Y, x) is not the zero vector.",
            violation=Refusal(problem=ContextualBlock.zero_output, error=DegenerateContextError),
        ),
        Assumption(
            name="sub-contexts are contexts",
            statement="The layer takes C∖Y, with positions counted anew.",
            sufficient="A is any function of the tokens kept; the claim asks nothing else of it",
        ),
    ),
    problem=ContextualBlock,
    example=ContextualBlock.smallest,
    lhs=on_the_rest,
    rhs=on_the_whole,
    mutants=(
        Mutant(
            name="ΔA has the other sign",
            kind=MutantKind.SIGN,
            lhs=partial(on_the_rest, update=flipped),
        ),
        Mutant(
            name="divided by ‖A(C, x)‖²",
            kind=MutantKind.FACTOR,
            lhs=partial(on_the_rest, update=over_full_norm),
        ),
        Mutant(
            name="A(C, x)ᵀ in place of A(C∖Y, x)ᵀ",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(on_the_rest, update=onto_full),
        ),
        Mutant(
            name="no update",
            kind=MutantKind.DROPPED,
            lhs=partial(on_the_rest, update=lambda W, A_full, A_rest: W * 0),
        ),
    ),
)
