"""A gradient-descent step misses that on centred inputs by a matrix of rank at most one."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Array, namespace
from gdtheory.problems import Regression
from gdtheory.reference.centred import centred, centred_gd_step, column_mean
from gdtheory.reference.regression import gd_step


def gaps(p: Regression, data: Any = lambda p: (centred(p.X), centred(p.Y))) -> Array:
    """Return plain gradient descent's weights minus those on centred inputs, and on centred data."""
    plain = gd_step(p.W_0, p.X, p.Y, p.eta)
    on_inputs = centred_gd_step(p.W_0, p.X, p.Y, p.eta)
    X, Y = data(p)
    on_data = gd_step(p.W_0, X, Y, p.eta)
    return namespace(p.X).block([[plain - on_inputs], [plain - on_data]])


def rank_one(p: Regression, residual: Any = lambda p: p.W_0 @ p.X - p.Y, over: Any = lambda p: 1) -> Array:
    """Return -η r̄ x̄ᵀ twice, r̄ the mean residual."""
    gap = column_mean(residual(p)) @ column_mean(p.X).T * -p.eta / over(p)
    return namespace(p.X).block([[gap], [gap]])


CLAIM = Claim(
    id="GDT-0040",
    revision=1,
    title="A gradient-descent step differs from that on centred inputs by -η r̄ x̄ᵀ, of rank at most one",
    statement=r"""Let $r_i=W_0x_i-y_i$ with the mean $\bar r$, and let $\bar x,\bar y$ be the means of the
$x_i$ and the $y_i$. The steps $\Delta W=-\frac\eta N\sum_ir_ix_i^T$ of gradient descent, $\Delta
W_c=-\frac\eta N\sum_ir_i(x_i-\bar x)^T$ with centred inputs, and $\Delta W_d$ of gradient descent on the
data $(x_i-\bar x,\,y_i-\bar y)$ satisfy $\Delta W-\Delta W_c=\Delta W-\Delta W_d=-\eta\,\bar r\bar x^T$.
So for $\eta\ne0$ all three are equal if and only if $\bar r=0$ or $\bar x=0$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.9", knowls=(5,)),
    ours=True,
    problem=Regression,
    example=Regression.smallest,
    lhs=gaps,
    rhs=rank_one,
    mutants=(
        Mutant(
            name="+η r̄ x̄ᵀ",
            kind=MutantKind.SIGN,
            rhs=partial(rank_one, over=lambda p: -1),
        ),
        Mutant(
            name="1/N left over",
            kind=MutantKind.FACTOR,
            rhs=partial(rank_one, over=lambda p: p.N),
        ),
        Mutant(
            name="the mean target for the mean residual",
            kind=MutantKind.DROPPED,
            rhs=partial(rank_one, residual=lambda p: -p.Y),
        ),
        Mutant(
            name="only the targets are centred",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(gaps, data=lambda p: (p.X, centred(p.Y))),
        ),
    ),
)
