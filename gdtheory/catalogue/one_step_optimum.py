"""The learning rate of one step with the least mean loss."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import gd_step_weights
from gdtheory.constructions.random_tasks import mean_squared_error
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar
from gdtheory.problems import RandomTasks
from gdtheory.reference.population import trace_S2


def tr_S2(p: RandomTasks, fourth: Any = lambda p: p.moment(4)) -> Scalar:
    """Return E tr S²."""
    return trace_S2(p.d, p.N, p.moment(2), fourth(p))


def best_rate(p: RandomTasks, fourth: Any = lambda p: p.moment(4), factor: int = 1) -> Scalar:
    """Return η* = d m_2 / E tr S²."""
    return factor * p.d * p.moment(2) / tr_S2(p, fourth)


def excess(p: RandomTasks, best: Any = best_rate, one_sided: bool = False) -> Scalar:
    """Return by how much the layer's mean loss at η exceeds that at η*."""

    def loss(eta: Scalar) -> Scalar:
        contexts, layer = p.contexts(one_sided=one_sided), gd_step_weights(p.zeros, eta, p.N)
        return mean_squared_error(contexts, [layer], p.moment(2), mean=p.mean(one_sided=one_sided)) / 2

    return loss(p.eta) - loss(best(p))


def completed_square(p: RandomTasks, half: int = 2) -> Scalar:
    """Return ½ m_2 E tr S² (η - η*)²."""
    distance = p.eta - best_rate(p)
    return p.moment(2) * tr_S2(p) * distance**2 / half


CLAIM = Claim(
    id="GDT-0044",
    revision=1,
    title="The best learning rate of one step is d·m₂/E tr S², and the excess loss is quadratic in η - η*",
    statement=r"""In the setting of GDT-0043, let $m_2>0$ and $\eta^*=d\,m_2/E\operatorname{tr}S^2$. Then
$L(\eta)-L(\eta^*)=\frac12m_2\,E\operatorname{tr}S^2\,(\eta-\eta^*)^2$ for every $\eta$, so $\eta^*$ is
the only minimum, with $L(\eta^*)=\frac12m_2\bigl(d-d^2m_2^2/E\operatorname{tr}S^2\bigr)$. For inputs
uniform on $(-\frac12,\frac12)$ and $d=N=10$: $\eta^*=\frac{200}{33}$, $L(0)=\frac5{12}$ and
$L(\eta^*)=\frac{245}{1188}\approx0.2062$, which the source's figure shows as about 0.20. Uniform on
$(-1,1)$ and without the half, as the source's protocol reads, $\eta^*=\frac{50}{33}$ and the loss is
$\frac{490}{297}\approx1.650$.""",
    source=Source(key="vonoswald2023transformers", locator="Section 3 and Appendix A.12", knowls=(6, 10)),
    ours=True,
    assumptions=(
        Assumption(
            name="mean zero",
            statement="The entries of the inputs have mean zero.",
            violation=Variant(name="inputs on one side of zero", lhs=partial(excess, one_sided=True)),
        ),
    ),
    problem=RandomTasks,
    example=RandomTasks.smallest,
    lhs=excess,
    rhs=completed_square,
    mutants=(
        Mutant(
            name="η* of normal inputs",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(excess, best=partial(best_rate, fourth=lambda p: 3 * p.moment(2) ** 2)),
        ),
        Mutant(
            name="η* doubled, as for the loss without its half",
            kind=MutantKind.FACTOR,
            lhs=partial(excess, best=partial(best_rate, factor=2)),
        ),
        Mutant(
            name="the square without the half", kind=MutantKind.DROPPED, rhs=partial(completed_square, half=1)
        ),
    ),
    uses=("GDT-0043",),
    waived={
        "derived": "a mean over random contexts is not a matrix expression",
        "float": "the mean is taken exactly and nothing computes it in floats",
    },
)
