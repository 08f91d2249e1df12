"""The mean loss of two layers of GD++, as a polynomial in eta and gamma."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.gdpp import gdpp_step_weights
from gdtheory.constructions.random_tasks import mean_squared_error
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar
from gdtheory.problems import CurvatureTasks
from gdtheory.reference.moments import ThreePoint
from gdtheory.reference.population import loss_at, loss_polynomial


def mean_stack_loss(
    p: CurvatureTasks, gammas: Any = lambda p: (p.gamma, p.gamma), one_sided: bool = False
) -> Scalar:
    """Return half the squared error of two layers, averaged over teachers, contexts and queries."""
    layers = [gdpp_step_weights(p.zeros, p.eta, gamma, p.N) for gamma in gammas(p)]
    contexts, m = p.contexts(one_sided=one_sided), p.mean(one_sided=one_sided)
    return mean_squared_error(contexts, layers, p.moment(2), mean=m) / 2


def by_closed_walks(
    p: CurvatureTasks, K: int = 2, gamma: Any = lambda p: p.gamma, half: bool = True
) -> Scalar:
    """Return ½ m_2 E tr (I - ηS)² (I - ηSH²)², its traces counted by closed walks."""
    polynomial = loss_polynomial(ThreePoint(abs(p.a), p.q), p.d, p.N, K, curvature=True, half=half)
    return loss_at(polynomial, p.eta, gamma(p))


CLAIM = Claim(
    id="GDT-0045",
    revision=1,
    title="Two GD++ layers' loss: a polynomial in η, γ whose coefficients are multiples of E tr S^p, p ≤ 8",
    statement=r"""In the setting of GDT-0043 with a law symmetric about zero, let two layers of GDT-0018
share $\eta$ and $\gamma$, and let $H=I-\gamma XX^T$. Their prediction misses $w^Tx$ by $w^TMx$ with
$M=(I-\eta S)(I-\eta SH^2)$, so that the mean loss is $\frac12m_2E\operatorname{tr}M^2$, a polynomial in
$\eta$ and $\gamma$ whose coefficients are multiples of $E\operatorname{tr}S^p$, $p\le8$; with $\gamma=0$
it is $\frac12m_2E\operatorname{tr}(I-\eta S)^4$, that of two gradient-descent steps. Each
$E\operatorname{tr}(XX^T)^p$ is the sum, over the closed walks of $2p$ steps between $d$ rows and $N$
columns that use every edge an even number $2k$ of times, of the products of the $m_{2k}$.""",
    source=Source(key="vonoswald2023transformers", locator="Section 3 and Appendix A.10", knowls=(2, 7)),
    ours=True,
    assumptions=(
        Assumption(
            name="symmetric law",
            statement="The entries of the inputs are distributed symmetrically about zero.",
            violation=Variant(
                name="inputs on one side of zero", lhs=partial(mean_stack_loss, one_sided=True)
            ),
        ),
    ),
    problem=CurvatureTasks,
    example=CurvatureTasks.smallest,
    lhs=mean_stack_loss,
    rhs=by_closed_walks,
    mutants=(
        Mutant(name="one step", kind=MutantKind.INDEX, rhs=partial(by_closed_walks, K=1)),
        Mutant(
            name="the first layer leaves the inputs",
            kind=MutantKind.DROPPED,
            lhs=partial(mean_stack_loss, gammas=lambda p: (p.gamma * 0, p.gamma)),
        ),
        Mutant(
            name="γ for S in place of XXᵀ",
            kind=MutantKind.FACTOR,
            rhs=partial(by_closed_walks, gamma=lambda p: p.gamma / p.N),
        ),
        Mutant(
            name="+γ in place of -γ",
            kind=MutantKind.SIGN,
            rhs=partial(by_closed_walks, gamma=lambda p: -p.gamma),
        ),
        Mutant(name="without the half", kind=MutantKind.FACTOR, rhs=partial(by_closed_walks, half=False)),
    ),
    uses=("GDT-0018", "GDT-0043"),
    waived={
        "derived": "a mean over random contexts is not a matrix expression",
        "generic": "the law of the inputs is given by fractions",
        "float": "the mean is taken exactly and nothing computes it in floats",
    },
)
