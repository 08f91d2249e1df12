"""The mean loss of a layer on inputs and teachers of another scale than it was made for."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import gd_step_weights
from gdtheory.constructions.random_tasks import mean_squared_error
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar
from gdtheory.problems import ShiftedTasks
from gdtheory.reference.population import one_step_error, trace_S2


def layer_loss(p: ShiftedTasks, rate: Any = lambda p: p.eta, query_scale: Any = lambda p: p.alpha) -> Scalar:
    """Return the layer's mean loss on inputs multiplied by α and teachers multiplied by τ."""
    shifted = ((probability, X * p.alpha) for probability, X in p.contexts())
    m_2 = p.moment(2) * query_scale(p) ** 2
    layer = gd_step_weights(p.zeros, rate(p), p.N)
    return mean_squared_error(shifted, [layer], m_2, teacher_scale=p.tau) / 2


def loss_of_the_scaled_rate(
    p: ShiftedTasks, power: int = 2, teacher: int = 2, unscaled: Any = lambda p: 1, half: int = 2
) -> Scalar:
    """Return τ² α² times the mean loss at α = τ = 1 with the learning rate α²η."""
    tr_S2 = trace_S2(p.d, p.N, p.moment(2), p.moment(4)) / unscaled(p)
    error = one_step_error(p.alpha**power * p.eta, p.d, p.moment(2), tr_S2)
    return p.tau**teacher * p.alpha**2 * error / half


CLAIM = Claim(
    id="GDT-0048",
    revision=1,
    title="The one-step loss scales as τ² in the teachers and as a cubic in α² of the inputs",
    statement=r"""In the setting of GDT-0043, let the layer keep its $\eta$ while at test time all inputs,
the query's too, are multiplied by $\alpha$ and the teachers by $\tau$. Its mean loss is
$\frac12\tau^2\alpha^2m_2\bigl(d-2\eta\alpha^2\,d\,m_2+\eta^2\alpha^4E\operatorname{tr}S^2\bigr)$, with
$m_2$ and $S$ of the inputs at $\alpha=1$: $\tau^2\alpha^2$ times that of the learning rate
$\alpha^2\eta$.""",
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
    rhs=loss_of_the_scaled_rate,
    mutants=(
        Mutant(
            name="the learning rate αη",
            kind=MutantKind.INDEX,
            rhs=partial(loss_of_the_scaled_rate, power=1),
        ),
        Mutant(
            name="α² with E tr S²",
            kind=MutantKind.FACTOR,
            rhs=partial(loss_of_the_scaled_rate, unscaled=lambda p: p.alpha**2),
        ),
        Mutant(
            name="the loss grows like τ",
            kind=MutantKind.INDEX,
            rhs=partial(loss_of_the_scaled_rate, teacher=1),
        ),
        Mutant(
            name="without the half", kind=MutantKind.DROPPED, rhs=partial(loss_of_the_scaled_rate, half=1)
        ),
    ),
    uses=("GDT-0043",),
    waived={
        "derived": "a mean over random contexts is not a matrix expression",
        "float": "the mean is taken exactly and nothing computes it in floats",
    },
)
