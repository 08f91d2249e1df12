"""H softmax heads of different scales cancel all orders below H of what softmax adds to a linear read-out."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.softmax_heads import (
    derivative_weights,
    heads_update,
    softmax_gd_heads,
    softmax_head,
)
from gdtheory.definition import (
    Assumption,
    Claim,
    Mutant,
    MutantKind,
    Refusal,
    Relation,
    Source,
    Variant,
)
from gdtheory.errors import RepeatedScaleError
from gdtheory.namespace import Array, namespace
from gdtheory.problems import ManyHeads
from gdtheory.reference.centred import centred_gd_step
from gdtheory.reference.regression import gd_step
from gdtheory.reference.softmax_expansion import half_range, heads_error_bound


def constructed(p: ManyHeads) -> Any:
    """Return the H heads of the construction."""
    return softmax_gd_heads(p.W_0, p.A, p.eta, p.scales)


def slopes_only(p: ManyHeads) -> Any:
    """Return heads whose linear parts add up to the step, with the weights 1/(H ε_h)."""
    return [softmax_head(p.W_0, p.A * scale, p.eta / (scale * p.H)) for scale in p.scales[0]]


def first_two(p: ManyHeads) -> Any:
    """Return the construction on the first two scales."""
    two, _ = namespace(p.X).split(p.scales, (2, p.H - 2), axis=1)
    return softmax_gd_heads(p.W_0, p.A, p.eta, two)


def distance(
    p: ManyHeads, heads: Any = constructed, step: Any = centred_gd_step, eta_factor: int = 1
) -> Array:
    """Return how far what the heads add to the query is from -ΔW A x, entry by entry."""
    added = heads_update(p.X, p.Y, p.x_query, p.W_0, heads(p))
    Delta_W = step(p.W_0, p.X, p.Y, p.eta * eta_factor) - p.W_0
    return abs(added + Delta_W @ p.A @ p.x_query)


def bound(p: ManyHeads, changed: Any = lambda bound, p: bound) -> Array:
    """Return 2 Σ |w_h| (|ε_h| R/2)^H times half the range of the values."""
    return changed(heads_error_bound(p.values, p.scores, p.scales, derivative_weights(p.scales)), p)


def signed_bound(p: ManyHeads) -> Array:
    """Return 2 |Σ w_h (ε_h R/2)^H| times half the range of the values."""
    total = abs((derivative_weights(p.scales) @ (p.scales.T * (p.R / 2)) ** p.H)[0, 0])
    return half_range(p.values) * (2 * total)


def three_heads(multiples: tuple[int, ...] = (1, 2, -1)) -> ManyHeads:
    """Return three heads with small scores."""
    return ManyHeads.one_apart(3, eta=1, scale=1, decades=3, H=3, multiples=[multiples])


CLAIM = Claim(
    id="GDT-0041",
    revision=1,
    title="H softmax heads cancel every order below H but the first, whose scores stay centred",
    statement=r"""For $H\ge2$ distinct real scales $\varepsilon_h$ let $w_h$ solve
$\sum_hw_h\varepsilon_h^j=[j=1]$ for $j=0,\ldots,H-1$. Let $H$ softmax heads as in GDT-0038 have
$W_Q=\mathrm{diag}(\varepsilon_hA,0)$ and $P=\eta w_hI$. What they add to the $y$-part of a query token
with input $x$ differs from $-\Delta W_cAx$, with the step $\Delta W_c$ of GDT-0039 on centred inputs, in
every entry $k$, by at most
$2\sum_h|w_h|\bigl(\tfrac{|\varepsilon_h|R}2\bigr)^H\cdot\frac12(\max_iv_{ik}-\min_iv_{ik})$, where
$v_i=\eta(W_0x_i-y_i)$ and $R$ is the range of the $x_i^TAx$. So with $\varepsilon_h=\varepsilon t_h$ and
any fixed distinct $t_h$ the error is of order $\varepsilon^{H-1}$ as $\varepsilon\to0$; and for every $H$
the limit $-\Delta W_cAx$ differs from plain gradient descent's by $-\eta\,\bar r\bar x^TAx$ (GDT-0040).""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.9", knowls=(5,)),
    ours=True,
    assumptions=(
        Assumption(
            name="distinct scales",
            statement="No two heads have one scale.",
            violation=Refusal(
                problem=partial(three_heads, multiples=(1, 2, 1)),
                error=RepeatedScaleError,
            ),
        ),
        Assumption(
            name="all H equations",
            statement="The weights w_h solve the equations of every order j below H.",
            violation=Variant(
                name="the equations of order 0 and 1 only",
                lhs=partial(distance, heads=first_two),
            ),
        ),
    ),
    problem=ManyHeads,
    example=three_heads,
    lhs=distance,
    rhs=bound,
    relation=Relation.AT_MOST,
    mutants=(
        Mutant(
            name="the equation of order 0 is dropped: w_h = 1/(H ε_h)",
            kind=MutantKind.DROPPED,
            lhs=partial(distance, heads=slopes_only),
        ),
        Mutant(
            name="ΔW doubled",
            kind=MutantKind.FACTOR,
            lhs=partial(distance, eta_factor=2),
        ),
        Mutant(
            name="the inputs are not centred",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(distance, step=gd_step),
        ),
        Mutant(
            name="an error of order H",
            kind=MutantKind.INDEX,
            rhs=partial(bound, changed=lambda bound, p: bound * abs(p.epsilon)),
        ),
        Mutant(
            name="R^(H+1) for R^H",
            kind=MutantKind.INDEX,
            rhs=partial(bound, changed=lambda bound, p: bound * p.R),
        ),
        Mutant(
            name="the weights add up with their signs",
            kind=MutantKind.DROPPED,
            rhs=signed_bound,
        ),
    ),
    uses=("GDT-0038", "GDT-0039", "GDT-0040"),
)
