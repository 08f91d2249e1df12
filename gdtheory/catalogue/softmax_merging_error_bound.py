"""The error of a softmax copy decays exponentially in the scale of its logits."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.merged_regression import softmax_merging_prediction
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import SoftmaxRegression
from gdtheory.reference.merging import exponential, softmax_merging_error_bound
from gdtheory.reference.regression import gd_prediction


def error(p: SoftmaxRegression, **options: Any) -> Array:
    """Return the absolute error of the prediction, entry by entry."""
    predicted = softmax_merging_prediction(p.X, p.Y, p.x_query, p.eta, p.beta, **options)
    return abs(predicted - gd_prediction(p.X, p.Y, p.x_query, p.eta))


def largest_content(p: SoftmaxRegression) -> Any:
    """Return the largest absolute entry of all tokens' contents."""
    return max(abs(part).max() for part in (p.X, p.Y, p.x_query))


def range_of_entries(p: SoftmaxRegression) -> Any:
    """Return the largest entry of all tokens' contents minus the smallest, zeros beside them left out."""
    parts = (p.X, p.Y, p.x_query)
    return max(part.max() for part in parts) - min(part.min() for part in parts)


def bound(p: SoftmaxRegression, more: int = 0, factor: Any = lambda M: 1) -> Array:
    """Return the bound, once for every entry."""
    e_beta = exponential(p.beta, p.X) + more
    limit = softmax_merging_error_bound(p.X, p.Y, p.x_query, p.eta, e_beta)
    return namespace(p.X).ones(p.N_y, 1) * (limit * factor(largest_content(p)))


CLAIM = Claim(
    id="GDT-0037",
    revision=1,
    title="The error of a softmax copy decays as e^-β in the scale β of its logits",
    statement=r"""In the setting of GDT-0036, at any $\beta\in\mathbb R$ and any $\eta$, every entry
satisfies $$|\hat y_\beta-\hat y_{GD}|\le\frac{T-1}{e^\beta+T-1}\,(1+2M)\,\frac{|\eta|}N\sum_j|x_j^Tx|,$$
where $M$ is the largest absolute entry of $X$, $Y$ and $x$; so it is at most
$2N(1+2M)\frac{|\eta|}N\sum_j|x_j^Tx|$ times $e^{-\beta}$. The first bound is attained, at $N=N_x=N_y=1$,
$x_0=x=M$, $y_0=-M$, whatever $\beta$.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 3 and Appendix A.5", knowls=(4,)),
    ours=True,
    assumptions=(
        Assumption(
            name="only pairs are keys",
            statement="The second layer's keys and values are the N tokens that copied a target.",
            violation=Variant(name="all tokens are keys", lhs=partial(error, keys=lambda E: E)),
        ),
    ),
    problem=SoftmaxRegression,
    example=SoftmaxRegression.farthest,
    lhs=error,
    rhs=bound,
    relation=Relation.AT_MOST,
    mutants=(
        Mutant(name="e^β + T in the denominator", kind=MutantKind.INDEX, rhs=partial(bound, more=1)),
        Mutant(
            name="contents differ by M at most",
            kind=MutantKind.FACTOR,
            rhs=partial(bound, factor=lambda M: (M + 1) / (M * 2 + 1)),
        ),
        Mutant(
            name="positions copied along are forgotten",
            kind=MutantKind.DROPPED,
            rhs=partial(bound, factor=lambda M: M * 2 / (M * 2 + 1)),
        ),
        Mutant(
            name="the sum of the |x_jᵀx| is divided by N² in place of N",
            kind=MutantKind.FACTOR,
            rhs=lambda p: bound(p) / p.N,
        ),
        Mutant(
            name="1 + the range of all entries in place of 1 + 2M",
            kind=MutantKind.WRONG_INPUT,
            rhs=lambda p: bound(p, factor=lambda M: (1 + range_of_entries(p)) / (1 + M * 2)),
        ),
    ),
    uses=("GDT-0036",),
)
