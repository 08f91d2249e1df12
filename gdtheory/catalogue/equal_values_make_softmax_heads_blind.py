"""Softmax heads that read equal values add an amount that does not depend on the query."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import LSAWeights, lsa_layer
from gdtheory.constructions.multi_head import multi_head_layer
from gdtheory.constructions.softmax import softmax_layer
from gdtheory.definition import EXPONENTIALS, Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import EqualTargets
from gdtheory.reference.regression import gd_prediction


def equal_targets(p: EqualTargets) -> Array:
    """Return the target y for every input."""
    return p.y @ namespace(p.y).ones(1, p.N)


def first_doubled(p: EqualTargets) -> Array:
    """Return 2y for the first input and y for the others."""
    xp = namespace(p.y)
    return xp.block([[p.y * 2, p.y @ xp.ones(1, p.N - 1)]])


def head(p: EqualTargets, h: int) -> LSAWeights:
    """Return head h, whose values are V[h] times the targets."""
    xp = namespace(p.X)
    eye = xp.eye(p.N_x + p.N_y)
    W_Q = xp.block([[p.KQ_x[h], xp.zeros(p.N_x, p.N_y)], [p.KQ_y[h], xp.zeros(p.N_y, p.N_y)]])
    W_V = xp.block([[xp.zeros(p.N_x, p.N_x), xp.zeros(p.N_x, p.N_y)], [xp.zeros(p.N_y, p.N_x), p.V[h]]])
    return LSAWeights(W_K=eye, W_Q=W_Q, W_V=W_V, P=eye)


def added(
    p: EqualTargets, layer: Any = softmax_layer, targets: Any = equal_targets, null_tokens: int = 0
) -> Array:
    """Return what all heads add to the query (x, 0)."""
    xp = namespace(p.X)
    context = xp.block([[p.X], [targets(p)]])
    query = xp.block([[p.x_query], [xp.zeros(p.N_y, 1)]])
    tokens = xp.block([[context, xp.zeros(p.N_x + p.N_y, null_tokens)]])
    heads = [head(p, h) for h in range(p.H)]
    return multi_head_layer(query, tokens, heads, layer) - query


def query_free(p: EqualTargets, count: Any = lambda p: 1) -> Array:
    """Return the sum of the V[h] y."""
    total = p.y * 0
    for h in range(p.H):
        total = total + p.V[h] @ p.y
    return namespace(p.y).block([[p.x_query * 0], [total * count(p)]])


def plain_step(p: EqualTargets) -> Array:
    """Return what gradient descent from W_0 = 0 adds to the y-part of the query, minus ΔW x, for η = 1."""
    return namespace(p.y).block([[p.x_query * 0], [-gd_prediction(p.X, equal_targets(p), p.x_query, 1)]])


CLAIM = Claim(
    id="GDT-0042",
    revision=1,
    title="Softmax heads that read equal values are blind to the query",
    statement=r"""Let the tokens be $(x_i,y)$, $i\le N$, all with one target $y$, and the query $(x,0)$.
Any number of softmax heads with any $W_{K,h}$ and $W_{Q,h}$, and with any $V_h$ as the block of
$P_hW_{V,h}$ from targets to targets and zeros elsewhere, add $(0,\sum_hV_hy)$ to the query, whatever $x$,
$X$ and the scores are. Gradient descent from $W_0=0$ adds $-\eta\,y\,\bar x^Tx$ to the $y$-part, $\bar
x=\frac1N\sum_ix_i$; so no such heads take its step for every query unless $\eta\,y\,\bar x^T=0$. With a
further token, such as one of zeros, what they add may depend on the query.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.9", knowls=(5,)),
    ours=True,
    assumptions=(
        Assumption(
            name="equal targets",
            statement="All context tokens have one target.",
            violation=Variant(
                name="the first target is doubled",
                lhs=partial(added, targets=first_doubled),
            ),
        ),
        Assumption(
            name="no further token",
            statement="The heads attend to the N context tokens only.",
            violation=Variant(
                name="a null token of zeros",
                lhs=partial(added, null_tokens=1),
            ),
        ),
    ),
    problem=EqualTargets,
    example=EqualTargets.smallest,
    lhs=added,
    rhs=query_free,
    mutants=(
        Mutant(
            name="the scores without softmax",
            kind=MutantKind.DROPPED,
            lhs=partial(added, layer=lsa_layer),
        ),
        Mutant(
            name="weights that add up to N",
            kind=MutantKind.FACTOR,
            rhs=partial(query_free, count=lambda p: p.N),
        ),
        Mutant(
            name="what gradient descent adds",
            kind=MutantKind.WRONG_INPUT,
            rhs=plain_step,
        ),
    ),
    waived=EXPONENTIALS,
)
