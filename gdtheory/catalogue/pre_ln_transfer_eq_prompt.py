"""A Pre-LN block moves its context into weights that act on the normalised residual stream."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Refusal, Source, Variant
from gdtheory.errors import DegenerateContextError
from gdtheory.namespace import Array, namespace
from gdtheory.problems import PreLNBlock


def block(p: PreLNBlock, A: Array, Delta_W: Array, Delta_b: Array) -> Array:
    """Return v + W' f((W + ΔW) LN(v) + b) + b' + Δb' on the residual stream v = x + A."""
    v = p.x + A
    return v + p.W_out @ p.f((p.W + Delta_W) @ p.normalise(v) + p.b) + (p.b_out + Delta_b)


def transfer(p: PreLNBlock, A_full: Array, A_rest: Array) -> Array:
    """Return the update of W on the normalised residual streams."""
    return weight_transfer(p.W, p.normalise(p.x + A_full), p.normalise(p.x + A_rest))


def on_the_rest(
    p: PreLNBlock, update: Any = transfer, bias: Any = lambda A_full, A_rest: A_full - A_rest
) -> Array:
    """Return the patched block on C∖Y for every part Y of the context, one column each."""
    A_full = p.A[p.C]
    columns = [
        block(p, A_rest, update(p, A_full, A_rest), bias(A_full, A_rest))
        for A_rest in map(p.A.__getitem__, p.rests)
    ]
    return namespace(p.W).block([columns])


def on_the_whole(p: PreLNBlock) -> Array:
    """Return T(C, x), once for every part Y."""
    v = p.x + p.A[p.C]
    whole = v + p.W_out @ p.f(p.W @ p.normalise(v) + p.b) + p.b_out
    return namespace(p.W).block([[whole for _ in p.rests]])


def without_residual(p: PreLNBlock, A_full: Array, A_rest: Array) -> Array:
    """Return the update on LN(A) in place of LN(x + A)."""
    return weight_transfer(p.W, p.normalise(A_full), p.normalise(A_rest))


def zero_streams() -> PreLNBlock:
    """Return a block whose residual stream is always zero."""
    p = PreLNBlock.zero_output()
    return replace(p, x=p.x * 0)


CLAIM = Claim(
    id="GDT-0016",
    revision=1,
    title="A Pre-LN block moves its context into the weights through its normalised residual stream",
    statement=r"""Let $T(C,x)=v+W'f(W\,\mathrm{LN}(v)+b)+b'$ on $v=v(C)=x+A(C,x)$, with any contextual layer
$A$, any $f$ and any normalisation $\mathrm{LN}:\mathbb R^d\to\mathbb R^d$. For every $Y\subseteq C$ with
$z=\mathrm{LN}(v(C\setminus Y))\ne0$, the updates $\Delta W=\frac{W(\mathrm{LN}(v(C))-z)\,z^T}{\|z\|^2}$ and
$\Delta b'=A(C,x)-A(C\setminus Y,x)$ give $T_{W,b'}(C,x)=T_{W+\Delta W,\,b'+\Delta b'}(C\setminus Y,x)$.""",
    source=Source(key="dherin2025learning", locator="Appendix A"),
    ours=True,
    assumptions=(
        Assumption(
            name="non-zero stream",
            statement="The normalised residual stream LN(x + A(C∖Y, x)) is not the zero vector.",
            violation=Refusal(problem=zero_streams, error=DegenerateContextError),
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
    problem=PreLNBlock,
    example=PreLNBlock.smallest,
    lhs=on_the_rest,
    rhs=on_the_whole,
    mutants=(
        Mutant(
            name="LN(A) in place of LN(x + A)",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(on_the_rest, update=without_residual),
        ),
        Mutant(
            name="Δb' = -ΔA",
            kind=MutantKind.SIGN,
            lhs=partial(on_the_rest, bias=lambda A_full, A_rest: A_rest - A_full),
        ),
        Mutant(
            name="W is not updated",
            kind=MutantKind.DROPPED,
            lhs=partial(on_the_rest, update=lambda p, A_full, A_rest: p.W * 0),
        ),
    ),
    errata=(
        Erratum(
            name="Theorem A.2 on a Pre-LN block",
            locator="Definition A.1 and Theorem A.2",
            printed="the theorem with ΔW = (W ΔA) A(C∖Y, x)ᵀ / ‖A(C∖Y, x)‖² is said to cover the "
            "standard Pre-LN transformer block",
            why="In a Pre-LN block W acts on LN(x + A), not on A, so the printed update has the wrong row "
            "vector and the wrong effect; the theorem's block x + A + W' f(W A + b) + b' is no Pre-LN block.",
            lhs=partial(on_the_rest, update=lambda p, A_full, A_rest: weight_transfer(p.W, A_full, A_rest)),
        ),
    ),
    uses=("GDT-0015",),
)
