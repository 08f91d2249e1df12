"""Reading a context token by token descends one loss per token in weight space."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.definition import Assumption, Claim, Erratum, Iteration, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import DegenerateContextError
from gdtheory.namespace import Array, namespace
from gdtheory.problems import TokenStream
from gdtheory.reference.token_dynamics import token_gd_step

Weights = tuple[Array, ...]


def transfer_of_prefix(p: TokenStream, so_far: Weights, k: Any, accumulate: bool = False) -> Weights:
    """Return W_0..W_{k+1}, the last one W_0 + ΔW_0(c_1..c_{k+1}) of eqs. (10) to (13)."""
    W = so_far[-1] if accumulate else p.W_0
    return (*so_far, W + weight_transfer(p.W_0, p.A[k + 1], p.A[0]))


def descend(
    p: TokenStream,
    so_far: Weights,
    k: Any,
    of_token: Any = lambda k: k,
    base: Any = lambda p, i: p.A[0],
) -> Weights:
    """Return W_0..W_{k+1}, the last one W_k - h ∇L_k(W_k)."""
    i = of_token(k)
    return (*so_far, token_gd_step(so_far[-1], p.W_0, base(p, i), p.A[i], p.A[i + 1]))


def ascend(p: TokenStream, so_far: Weights, k: Any) -> Weights:
    """Return W_0..W_{k+1}, the last one W_k + h ∇L_k(W_k)."""
    return (*so_far, so_far[-1] * 2 - descend(p, so_far, k)[-1])


def trajectory(step: Any, count: Any = lambda p: p.n) -> Iteration[TokenStream, Weights]:
    """Return W_0, ..., W_n side by side, (d_ff, (n + 1) d)."""
    return Iteration(
        start=lambda p: (p.W_0,),
        step=step,
        read=lambda p, weights: namespace(p.W_0).block([list(weights)]),
        count=count,
    )


def but_the_last(p: TokenStream) -> int:
    """Return the number of tokens but the last."""
    return p.n - 1


CLAIM = Claim(
    id="GDT-0014",
    revision=1,
    title="Reading a context token by token is online gradient descent on the weights",
    statement=r"""Let $W_i=W_0+\Delta W_0(c_1,\dots,c_i)$ be the weights into which the first $i$ tokens move
(GDT-0013), $h=1/\|A(x)\|^2$ and $L_i(W)=\operatorname{tr}(\Delta_i^TW)$ with
$\Delta_i=W_0\big(A(c_1..c_i,x)-A(c_1..c_{i+1},x)\big)A(x)^T$. Then $W_{i+1}=W_i-h\,\nabla_WL_i(W_i)$
for $i=0,\dots,n-1$.""",
    source=Source(key="dherin2025learning", locator="Proposition 3.1, eqs. (16) to (20)"),
    assumptions=(
        Assumption(
            name="non-zero output",
            statement="A(x) is not the zero vector.",
            violation=Refusal(problem=TokenStream.zero_output, error=DegenerateContextError),
        ),
    ),
    problem=TokenStream,
    example=TokenStream.smallest,
    lhs=trajectory(transfer_of_prefix),
    rhs=trajectory(descend),
    mutants=(
        Mutant(
            name="gradient ascent",
            kind=MutantKind.SIGN,
            rhs=trajectory(ascend),
        ),
        Mutant(
            name="the updates of all prefixes are added up",
            kind=MutantKind.STALE,
            lhs=trajectory(partial(transfer_of_prefix, accumulate=True)),
        ),
        Mutant(
            name="A(c_1..c_i, x) in place of A(x)",
            kind=MutantKind.WRONG_INPUT,
            rhs=trajectory(partial(descend, base=lambda p, i: p.A[i])),
        ),
    ),
    errata=(
        Erratum(
            name="eq. (15) is shifted by one",
            locator="Proposition 3.1, eq. (15)",
            printed="W_i = W_{i-1} - h ∇L_i(W_{i-1})",
            why="With Δ_i as printed the step from W_{i-1} to W_i descends L_{i-1}: L_i already contains "
            "token c_{i+1}. The paper's own proof, eq. (20), has W_{i+1} = W_i - h ∇L_i(W_i). Compared here "
            "are W_0 to W_{n-1}, because for W_n eq. (15) asks for a token beyond the context.",
            lhs=trajectory(transfer_of_prefix, count=but_the_last),
            rhs=trajectory(partial(descend, of_token=lambda k: k + 1), count=but_the_last),
        ),
    ),
    uses=("GDT-0013",),
)
