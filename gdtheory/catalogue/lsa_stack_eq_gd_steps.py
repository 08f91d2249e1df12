"""K stacked linear self-attention layers perform K gradient-descent steps."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import (
    gd_step_weights,
    lsa_layer,
    lsa_layer_folded,
    regression_tokens,
)
from gdtheory.definition import Assumption, Claim, Iteration, Kernel, Mutant, MutantKind, Source, Variant
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, namespace
from gdtheory.problems import RegressionSteps
from gdtheory.reference.regression import gd_step


def tokens(p: RegressionSteps) -> Array:
    """Return the tokens before the first layer."""
    return regression_tokens(p.X, p.Y, p.x_query, p.W_0)


def same_W_0(p: RegressionSteps, k: Any) -> Array:
    """Return what W_V holds in layer k: W_0 in every layer."""
    return p.W_0


def first_step(p: RegressionSteps, k: Any) -> Array:
    """Return W_0 for the first layer and W_1 from then on."""
    return p.W_0 if k == 0 else gd_step(p.W_0, p.X, p.Y, p.eta)


def update(
    p: RegressionSteps,
    E: Array,
    k: Any,
    layer: Any = lsa_layer,
    W_0_of: Any = same_W_0,
    query_attends: bool = False,
    frozen_context: bool = False,
) -> Array:
    """Return all tokens after layer k."""
    xp = namespace(E)
    context, _ = xp.split(E, (p.N, 1), axis=1)
    weights = gd_step_weights(W_0_of(p, k), p.eta, p.N)
    updated = layer(E, E if query_attends else context, weights)
    if frozen_context:
        return xp.block([[context, xp.split(updated, (p.N, 1), axis=1)[1]]])
    return updated


def stack(step: Any = update) -> Iteration[RegressionSteps, Array]:
    """Return K layers."""
    return Iteration(start=tokens, step=step, read=lambda p, E: E, count=lambda p: p.K)


def tokens_after(p: RegressionSteps, W_k: Array) -> Array:
    """Return (x_j, y_j - (W_k - W_0) x_j) for the context and (x, -W_k x) for the query."""
    xp = namespace(p.X)
    return xp.block([[p.X, p.x_query], [p.Y - (W_k - p.W_0) @ p.X, -(W_k @ p.x_query)]])


def gradient_descent(count: Any = lambda p: p.K) -> Iteration[RegressionSteps, Array]:
    """Return the tokens that belong to the weights after K gradient-descent steps."""
    return Iteration(
        start=lambda p: p.W_0,
        step=lambda p, W_k, k: gd_step(W_k, p.X, p.Y, p.eta),
        read=tokens_after,
        count=count,
    )


CLAIM = Claim(
    id="GDT-0003",
    revision=1,
    title="K stacked linear self-attention layers perform K gradient-descent steps",
    statement=r"""Let $W_{k+1}=W_k-\eta\nabla L(W_k)$ be gradient descent on
$L(W)=\frac1{2N}\sum_i\|Wx_i-y_i\|^2$ from any $W_0$. After $K\ge0$ layers of GDT-0001, all with the same
weights ($W_0$ in $W_V$), every context token $(x_j,y_j)$ has become $(x_j,\,y_j-(W_K-W_0)x_j)$ and the
query $(x,-W_0x)$ has become $(x,\,-W_Kx)$.""",
    source=Source(key="vonoswald2023transformers", locator="Section 2, below Proposition 1", knowls=(1,)),
    assumptions=(
        Assumption(
            name="query masked",
            statement="In every layer keys and values come from the N context tokens.",
            violation=Variant(
                name="the query attends in every layer",
                lhs=stack(partial(update, query_attends=True)),
            ),
        ),
        Assumption(
            name="context updated",
            statement="The context tokens go through every layer too.",
            violation=Variant(
                name="only the query goes through the layers",
                lhs=stack(partial(update, frozen_context=True)),
            ),
        ),
    ),
    problem=RegressionSteps,
    example=RegressionSteps.smallest,
    lhs=stack(),
    rhs=gradient_descent(),
    kernel=Kernel(
        run=stack(partial(update, layer=lsa_layer_compiled)),
        form=stack(partial(update, layer=lsa_layer_folded)),
    ),
    mutants=(
        Mutant(
            name="W_V of later layers holds W_1",
            kind=MutantKind.STALE,
            lhs=stack(partial(update, W_0_of=first_step)),
        ),
        Mutant(
            name="W_0 dropped after the first layer",
            kind=MutantKind.DROPPED,
            lhs=stack(partial(update, W_0_of=lambda p, k: p.W_0 if k == 0 else p.W_0 * 0)),
        ),
        Mutant(
            name="K layers are K + 1 steps",
            kind=MutantKind.INDEX,
            rhs=gradient_descent(lambda p: p.K + 1),
        ),
    ),
    uses=("GDT-0001",),
)
