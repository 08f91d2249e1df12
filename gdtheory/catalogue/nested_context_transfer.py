"""Any part of any context, the whole context included, moves into the weights."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import DegenerateContextError
from gdtheory.namespace import Array, namespace
from gdtheory.problems import PromptedBlock


def nested(p: PromptedBlock) -> list[tuple[Any, Any]]:
    """Return all pairs (D, D ∪ Y) of contexts with A(D, x) ≠ 0."""
    return [(D, whole) for D in p.rests for whole in p.A if whole >= D]


def whole_context(p: PromptedBlock) -> list[tuple[Any, Any]]:
    """Return the pair of no context and all of it."""
    return [(frozenset(), p.C)]


def on_the_smaller(p: PromptedBlock, pairs: Any = nested, update: Any = weight_transfer) -> Array:
    """Return T_{W+ΔW(Y)}(D, x) for every pair, one column each."""
    columns = [p.f((p.W + update(p.W, p.A[whole], p.A[D])) @ p.A[D] + p.b) for D, whole in pairs(p)]
    return namespace(p.W).block([columns])


def on_the_larger(p: PromptedBlock) -> Array:
    """Return T_W(D ∪ Y, x) for every pair, one column each."""
    return namespace(p.W).block([[p.f(p.W @ p.A[whole] + p.b) for _, whole in nested(p)]])


def without_the_query(p: PromptedBlock) -> Array:
    """Return T_W(c_1, ..., c_n), the query left out."""
    return p.f(p.W @ p.A_without_x + p.b)


def from_the_end(W: Array, A_full: Array, A_rest: Array) -> Array:
    """Return the update that moves Y out of D ∪ Y by the larger context's row vector."""
    return weight_transfer(W, A_rest, A_full) * -1


def half(W: Array, A_full: Array, A_rest: Array) -> Array:
    """Return half the update."""
    return weight_transfer(W, A_full, A_rest) / 2


CLAIM = Claim(
    id="GDT-0013",
    revision=1,
    title="The whole context, or any part joined to any other, moves into the weights",
    statement=r"""In the setting of GDT-0011, for all disjoint contexts $D$ and $Y$ with $A(D,x)\ne0$:
$T_W(D\cup Y,x)=T_{W+\Delta W(Y)}(D,x)$ with
$\Delta W(Y)=\frac{W(A(D\cup Y,x)-A(D,x))\,A(D,x)^T}{\|A(D,x)\|^2}$. In particular ($D=\emptyset$) the
full context $C$ moves into the weights: $T_W(C,x)=T_{W+\Delta W(C)}(x)$.""",
    source=Source(key="dherin2025learning", locator="Corollary 2.3.1, eq. (8), and Remark 2.4, eq. (9)"),
    assumptions=(
        Assumption(
            name="non-zero output",
            statement="A(D, x) is not the zero vector.",
            violation=Refusal(problem=PromptedBlock.zero_output, error=DegenerateContextError),
        ),
    ),
    problem=PromptedBlock,
    example=PromptedBlock.smallest,
    lhs=on_the_smaller,
    rhs=on_the_larger,
    mutants=(
        Mutant(
            name="the roles of D and D ∪ Y are exchanged",
            kind=MutantKind.ORDER,
            lhs=partial(on_the_smaller, update=from_the_end),
        ),
        Mutant(
            name="half the update",
            kind=MutantKind.FACTOR,
            lhs=partial(on_the_smaller, update=half),
        ),
        Mutant(
            name="the update replaces W",
            kind=MutantKind.DROPPED,
            lhs=partial(on_the_smaller, update=lambda W, *A: weight_transfer(W, *A) - W),
        ),
    ),
    errata=(
        Erratum(
            name="eq. (14) without the query",
            locator="eq. (14)",
            printed="T_{W_n}(x) = T_{W_0}(c_1, ..., c_n)",
            why="The right-hand side leaves out the query x; without it the layer reads another prompt, "
            "whose output nothing ties to A(c_1, ..., c_n, x). It must read T_{W_0}(c_1, ..., c_n, x).",
            lhs=partial(on_the_smaller, pairs=whole_context),
            rhs=without_the_query,
        ),
    ),
    uses=("GDT-0011",),
)
