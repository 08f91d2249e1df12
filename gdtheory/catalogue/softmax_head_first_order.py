"""A softmax head adds the mean value and a centred linear read-out, up to second order in its scores."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.softmax_heads import heads_update, softmax_head
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import SoftmaxHead
from gdtheory.reference.centred import column_mean
from gdtheory.reference.softmax_expansion import first_order_error_bound, softmax_first_order


def distance(p: SoftmaxHead, expansion: Any = softmax_first_order, query_attends: bool = False) -> Array:
    """Return how far what the head adds to the query is from its expansion, entry by entry."""
    X, Y, xp = p.X, p.Y, namespace(p.X)
    if query_attends:
        X, Y = xp.block([[X, p.x_query]]), xp.block([[Y, -(p.W_0 @ p.x_query)]])
    head = softmax_head(p.W_0, p.A * p.epsilon, p.eta)
    added = heads_update(X, Y, p.x_query, p.W_0, (head,))
    return abs(added - expansion(p.values, p.scores, p.epsilon))


def bound(p: SoftmaxHead, changed: Any = lambda bound, p: bound) -> Array:
    """Return ε² R²/10 times half the range of the values."""
    return changed(first_order_error_bound(p.values, p.scores, p.epsilon), p)


def uncentred(values: Array, scores: Array, epsilon: Any) -> Array:
    """Return the expansion with the scores themselves."""
    return column_mean(values) + values @ scores * (epsilon / values.shape[1])


def summed(values: Array) -> Array:
    """Return the sum over all entries of a value, once for every entry."""
    return namespace(values).ones(len(values), len(values)) @ values


def nearly_attained() -> SoftmaxHead:
    """Return one score apart from four, and values that tell it from them."""
    return SoftmaxHead.one_apart(5, eta=1, scale=1, decades=2)


CLAIM = Claim(
    id="GDT-0038",
    revision=1,
    title="A softmax head adds the mean value and a read-out with centred scores, up to second order",
    statement=r"""Let a softmax head with $W_K=\mathrm{diag}(I_x,0)$, $W_Q=\mathrm{diag}(\varepsilon
A,0)$, $P=\eta I$ and the $W_V$ of GDT-0001 read the tokens $(x_i,y_i)$, $i\le N$. With
$v_i=\eta(W_0x_i-y_i)$, $s_i=x_i^TAx$, $\bar s=\frac1N\sum_is_i$ and $R=\max_is_i-\min_is_i$, what it adds
to the $y$-part of a query token with input $x$ differs from $\frac1N\sum_iv_i+\frac\varepsilon
N\sum_iv_i(s_i-\bar s)$, in every entry $k$, by at most
$\frac{\varepsilon^2R^2}{10}\cdot\frac12(\max_iv_{ik}-\min_iv_{ik})$: for every real $\varepsilon$,
$\eta$, $A$, $W_0$ and every context. With $\frac1{6\sqrt3}=0.0962\ldots$ for $\frac1{10}$ it holds too,
and with nothing smaller.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.9", knowls=(5,)),
    ours=True,
    assumptions=(
        Assumption(
            name="query masked",
            statement="Keys and values come from the N context tokens, not from the query.",
            violation=Variant(
                name="the query attends to itself",
                lhs=partial(distance, query_attends=True),
            ),
        ),
    ),
    problem=SoftmaxHead,
    example=nearly_attained,
    lhs=distance,
    rhs=bound,
    relation=Relation.AT_MOST,
    mutants=(
        Mutant(
            name="the mean value is dropped",
            kind=MutantKind.DROPPED,
            lhs=partial(
                distance, expansion=lambda v, s, epsilon: softmax_first_order(v, s, epsilon) - column_mean(v)
            ),
        ),
        Mutant(
            name="the centred scores without 1/N",
            kind=MutantKind.FACTOR,
            lhs=partial(
                distance, expansion=lambda v, s, epsilon: softmax_first_order(v, s, epsilon * v.shape[1])
            ),
        ),
        Mutant(
            name="ε/2 for ε",
            kind=MutantKind.FACTOR,
            lhs=partial(distance, expansion=lambda v, s, epsilon: softmax_first_order(v, s, epsilon / 2)),
        ),
        Mutant(
            name="-ε for ε",
            kind=MutantKind.SIGN,
            lhs=partial(distance, expansion=lambda v, s, epsilon: softmax_first_order(v, s, -epsilon)),
        ),
        Mutant(
            name="an error of third order",
            kind=MutantKind.INDEX,
            rhs=partial(bound, changed=lambda bound, p: bound * abs(p.epsilon)),
        ),
        Mutant(
            name="R³ for R²",
            kind=MutantKind.INDEX,
            rhs=partial(bound, changed=lambda bound, p: bound * p.R),
        ),
        Mutant(
            name="the range of the residuals, without η",
            kind=MutantKind.DROPPED,
            rhs=lambda p: first_order_error_bound(p.W_0 @ p.X - p.Y, p.scores, p.epsilon),
        ),
        Mutant(
            name="the range of the sum of all entries",
            kind=MutantKind.WRONG_INPUT,
            rhs=lambda p: first_order_error_bound(summed(p.values), p.scores, p.epsilon),
        ),
        Mutant(
            name="the bound with 1/11 for 1/10",
            kind=MutantKind.FACTOR,
            rhs=partial(bound, changed=lambda bound, p: bound * 10 / 11),
        ),
    ),
    errata=(
        Erratum(
            name="a normaliser that does not depend on the query",
            locator="Appendix A.9, after equation (21)",
            printed="Here we assume that PV 1) subsumes the dividing factor of the softmax",
            why="That factor is 1/(N (1 + εs̄)) to first order, and s̄ changes with the query x, so no PV can "
            "subsume it: it takes s̄ from every score. With 1/N in its place the scores are not centred.",
            lhs=partial(distance, expansion=uncentred),
        ),
    ),
    uses=("GDT-0001",),
)
