"""Of all updates that stand for a part of a context, the rank-1 update has the least norm."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Refusal, Source, Variant
from gdtheory.errors import DegenerateContextError
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import UpdatedBlock


def with_the_effect(p: UpdatedBlock, rest: Any) -> Array:
    """Return M + (W ΔA - M a) aᵀ / ‖a‖², a = A(C∖Y, x): every U with U a = W ΔA is one, that of M = U."""
    a = p.A[rest]
    return p.M + (p.W @ (p.A[p.C] - a) - p.M @ a) @ a.T / namespace(a).squared_norm(a)


def any_update(p: UpdatedBlock, update: Any = with_the_effect) -> Array:
    """Return U a, and below it ‖U‖², for every Y with A(C∖Y, x) ≠ 0, one column each."""
    updates = [(update(p, rest), p.A[rest]) for rest in p.rests]
    return effects_and_norms(p, [(U @ a, namespace(U).squared_norm(U)) for U, a in updates])


def rank_one_and_the_rest(
    p: UpdatedBlock, transfer: Any = weight_transfer, sign: int = 1, other: Any = with_the_effect
) -> Array:
    """Return ΔW a, and below it ‖ΔW‖² + ‖U - ΔW‖²."""
    norm, columns = namespace(p.W).squared_norm, []
    for rest in p.rests:
        U, Delta_W = other(p, rest), transfer(p.W, p.A[p.C], p.A[rest])
        columns.append((Delta_W @ p.A[rest], norm(Delta_W) + norm(U - Delta_W) * sign))
    return effects_and_norms(p, columns)


def effects_and_norms(p: UpdatedBlock, columns: list[tuple[Array, Scalar]]) -> Array:
    """Return the effects side by side, and the norms below them."""
    xp = namespace(p.W)
    effects, norms = zip(*columns, strict=True)
    return xp.block([list(effects), [xp.ones(1, 1) * norm for norm in norms]])


def onto_full(W: Array, A_full: Array, A_rest: Array) -> Array:
    """Return the update that has A(C, x)ᵀ for A(C∖Y, x)ᵀ."""
    return W @ (A_full - A_rest) @ A_full.T / namespace(W).squared_norm(A_rest)


CLAIM = Claim(
    id="GDT-0099",
    revision=1,
    title="Of all updates that stand for a part of a context, the rank-1 update alone has the least norm",
    statement=r"""In the setting of GDT-0011 let $a=A(C\setminus Y,x)\ne0$. A matrix $U$ can be added to $W$
in place of $Y$, whatever $f$ is, if $Ua=W\,\Delta A$. These are the matrices
$M+\frac{(W\,\Delta A-Ma)\,a^T}{\|a\|^2}$ for arbitrary $M$, $\Delta W(Y)$ is the one of $M=0$, and for each
$$\|U\|_F^2=\|\Delta W(Y)\|_F^2+\|U-\Delta W(Y)\|_F^2.$$ So $\Delta W(Y)$ is the one of least Frobenius norm,
and no other has this norm.""",
    source=Source(key="dherin2025learning", locator="Theorem 2.2, eq. (1)"),
    ours=True,
    assumptions=(
        Assumption(
            name="non-zero output",
            statement="A(C∖Y, x) is not the zero vector.",
            violation=Refusal(problem=UpdatedBlock.zero_output, error=DegenerateContextError),
        ),
        Assumption(
            name="the same effect",
            statement="U A(C∖Y, x) = W ΔA.",
            violation=Variant(
                name="any matrix M",
                lhs=partial(any_update, update=lambda p, rest: p.M),
                rhs=partial(rank_one_and_the_rest, other=lambda p, rest: p.M),
            ),
        ),
    ),
    problem=UpdatedBlock,
    example=UpdatedBlock.smallest,
    lhs=any_update,
    rhs=rank_one_and_the_rest,
    mutants=(
        Mutant(
            name="‖ΔW‖² - ‖U - ΔW‖²",
            kind=MutantKind.SIGN,
            rhs=partial(rank_one_and_the_rest, sign=-1),
        ),
        Mutant(
            name="no update in place of ΔW",
            kind=MutantKind.DROPPED,
            rhs=partial(rank_one_and_the_rest, transfer=lambda W, A_full, A_rest: W * 0),
        ),
        Mutant(
            name="A(C, x)ᵀ as the row vector",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(rank_one_and_the_rest, transfer=onto_full),
        ),
        Mutant(
            name="twice the update",
            kind=MutantKind.FACTOR,
            rhs=partial(rank_one_and_the_rest, transfer=lambda *layer: weight_transfer(*layer) * 2),
        ),
    ),
    uses=("GDT-0011",),
)
