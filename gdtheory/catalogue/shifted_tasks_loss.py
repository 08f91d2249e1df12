"""The mean loss of a layer on inputs and teachers of another scale than it was made for."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import gd_step_weights
from gdtheory.constructions.random_tasks import mean_squared_error
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar
from gdtheory.problems import ShiftedTasks


def same_rate(p: ShiftedTasks) -> Scalar:
    """Return the learning rate that the layer has."""
    return p.eta


def layer_loss(p: ShiftedTasks, rate: Any = same_rate, query_scale: Any = lambda p: p.alpha) -> Scalar:
    """Return the layer's mean loss on inputs multiplied by α and teachers multiplied by τ.

    All that the layer returns is linear in the targets, so the teachers' τ multiplies the errors.
    """
    shifted = ((probability, X * p.alpha) for probability, X in p.contexts())
    m_2 = p.moment(2) * query_scale(p) * query_scale(p)
    error = mean_squared_error(shifted, [gd_step_weights(p.zeros, rate(p), p.N)], m_2)
    return error * p.tau * p.tau / 2


def in_powers_of_the_scales(
    p: ShiftedTasks, first: int = 2, second: int = 4, teacher: int = 2, half: int = 2
) -> Scalar:
    """Return ½ τ² α² m_2 (d - 2 η α² d m_2 + η² α⁴ E tr S²)."""
    d, m_2 = p.d, p.moment(2)
    tr_S2 = (p.moment(4) * d + m_2 * m_2 * (d * (d - 1) + d * (p.N - 1))) / p.N
    bracket = p.eta * p.eta * p.alpha**second * tr_S2 - p.eta * p.alpha**first * m_2 * (2 * d) + d
    return m_2 * p.alpha * p.alpha * p.tau**teacher * bracket / half


CLAIM = Claim(
    id="GDT-0048",
    revision=1,
    title="At test time the loss of one step grows like τ² with teachers and by a cubic of α² with inputs",
    statement=r"""In the setting of GDT-0043, let the layer keep its $\eta$ while at test time all inputs,
the query's too, are multiplied by $\alpha$ and the teachers by $\tau$. Its mean loss is
$\frac12\tau^2\alpha^2m_2\bigl(d-2\eta\alpha^2\,d\,m_2+\eta^2\alpha^4E\operatorname{tr}S^2\bigr)$, with
$m_2$ and $S$ of the inputs at $\alpha=1$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.2", knowls=(6,)),
    ours=True,
    assumptions=(
        Assumption(
            name="same learning rate",
            statement="η does not follow the scale of the inputs.",
            violation=Variant(
                name="η is divided by α²",
                lhs=partial(layer_loss, rate=lambda p: p.eta / (p.alpha * p.alpha)),
            ),
        ),
        Assumption(
            name="scaled query",
            statement="The query is multiplied by α like the context.",
            violation=Variant(
                name="the query keeps its scale",
                lhs=partial(layer_loss, query_scale=lambda p: p.alpha / p.alpha),
            ),
        ),
    ),
    problem=ShiftedTasks,
    example=ShiftedTasks.smallest,
    lhs=layer_loss,
    rhs=in_powers_of_the_scales,
    mutants=(
        Mutant(
            name="the first power of α in the cross term",
            kind=MutantKind.INDEX,
            rhs=partial(in_powers_of_the_scales, first=1),
        ),
        Mutant(
            name="α² with E tr S²",
            kind=MutantKind.FACTOR,
            rhs=partial(in_powers_of_the_scales, second=2),
        ),
        Mutant(
            name="the loss grows like τ",
            kind=MutantKind.INDEX,
            rhs=partial(in_powers_of_the_scales, teacher=1),
        ),
        Mutant(
            name="without the half", kind=MutantKind.DROPPED, rhs=partial(in_powers_of_the_scales, half=1)
        ),
    ),
    uses=("GDT-0043",),
    waived={
        "derived": "a mean over random contexts is not a matrix expression",
        "float": "the mean is taken exactly and nothing computes it in floats",
    },
)
