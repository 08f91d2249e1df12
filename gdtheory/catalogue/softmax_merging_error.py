"""A softmax copy mixes the prediction of gradient descent with that of uniform attention."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.merged_regression import softmax_merging_prediction
from gdtheory.definition import EXPONENTIALS, Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array
from gdtheory.problems import SoftmaxRegression
from gdtheory.reference.merging import (
    copy_weight,
    exponential,
    uniform_merging_prediction,
    uniform_share,
)
from gdtheory.reference.regression import gd_prediction


def prediction(p: SoftmaxRegression, **options: Any) -> Array:
    """Return the prediction of both layers."""
    return softmax_merging_prediction(p.X, p.Y, p.x_query, p.eta, p.beta, **options)


def share(p: SoftmaxRegression, weight: Any = uniform_share, more: int = 0) -> Any:
    """Return τ = T / (e^β + T - 1)."""
    return weight(exponential(p.beta, p.X) + more, 2 * p.N + 1)


def mixture(p: SoftmaxRegression, tau: Any = share, uniform: Any = uniform_merging_prediction) -> Array:
    """Return (1 - τ) times the prediction of gradient descent plus τ times that of uniform attention."""
    exact = gd_prediction(p.X, p.Y, p.x_query, p.eta)
    return exact + (uniform(p.X, p.Y, p.x_query, p.eta) - exact) * tau(p)


CLAIM = Claim(
    id="GDT-0036",
    revision=1,
    title="A softmax copy errs by τ = T/(e^β + T - 1) times the error of uniform attention",
    statement=r"""Let the copying head of GDT-0035, in a softmax layer over all $T=2N+1$ separate tokens
at any scale $\beta\in\mathbb R$, move the tokens of any $X\in\mathbb R^{N_x\times N}$, $Y\in\mathbb
R^{N_y\times N}$ and query $x$. Let a linear layer with the second weights of GDT-0034 follow, with the
tokens $0,2,\dots,2N-2$ as keys, and let $\hat y_\beta$ be minus what it adds to the query's slot where
pairs hold $y_j$. Then $$\hat y_\beta-\hat y_{GD}=\tau\,(\hat y_0-\hat y_{GD}),\qquad\tau=\frac
T{e^\beta+T-1},$$ where $\hat y_{GD}=\frac\eta N\sum_jy_jx_j^Tx$ and $\hat y_0$, the prediction of uniform
attention, is $\frac\eta N\sum_jR\,(p_{2j}+J\bar c-\frac1T\sum_{i<2N}p_i)\,x_j^Tx$, with the mean $\bar c$
of all $T$ contents and with $R$ reading the entries of a slot at which pairs hold $y_j$.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 3 and Appendix A.5", knowls=(4,)),
    ours=True,
    assumptions=(
        Assumption(
            name="only pairs are keys",
            statement="The second layer's keys and values are the N tokens that copied a target.",
            violation=Variant(name="all tokens are keys", lhs=partial(prediction, keys=lambda E: E)),
        ),
    ),
    problem=SoftmaxRegression,
    example=partial(SoftmaxRegression.three_pairs, beta=1, eta="1/2"),
    lhs=prediction,
    rhs=mixture,
    mutants=(
        Mutant(
            name="τ is what the successor does not get, (T - 1)/(e^β + T - 1)",
            kind=MutantKind.FACTOR,
            rhs=partial(mixture, tau=lambda p: 1 - share(p, weight=copy_weight)),
        ),
        Mutant(
            name="T/(e^β + T)",
            kind=MutantKind.INDEX,
            rhs=partial(mixture, tau=partial(share, more=1)),
        ),
        Mutant(
            name="the error has the other sign",
            kind=MutantKind.SIGN,
            rhs=partial(mixture, tau=lambda p: -share(p)),
        ),
        Mutant(
            name="uniform attention reads nothing",
            kind=MutantKind.DROPPED,
            rhs=partial(mixture, uniform=lambda *task: gd_prediction(*task) * 0),
        ),
    ),
    uses=("GDT-0034", "GDT-0035"),
    waived=EXPONENTIALS,
)
