"""The mean loss of the one-step layer over random tasks, in two moments of the inputs."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import gd_step_weights
from gdtheory.constructions.random_tasks import coordinate_errors, mean_squared_error
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar, namespace
from gdtheory.problems import RandomTasks
from gdtheory.reference.population import one_step_error, trace_S2


def mean_layer_loss(
    p: RandomTasks, normaliser: Any = lambda p: p.N, one_sided: bool = False, mean: Any = mean_squared_error
) -> Scalar:
    """Return half the squared error of the layer, averaged over teachers, contexts and queries."""
    layer = gd_step_weights(p.zeros, p.eta, normaliser(p))
    contexts, m = p.contexts(one_sided=one_sided), p.mean(one_sided=one_sided)
    return mean(contexts, [layer], p.moment(2), mean=m) / 2


def mean_error_on_the_context(contexts: Any, layers: Any, m_2: Scalar, *, mean: Scalar) -> Scalar:
    """Return the mean squared error on the inputs of the context themselves."""
    errors = (
        namespace(X).squared_norm(coordinate_errors(X, X, layers)) * probability / X.shape[1]
        for probability, X in contexts
    )
    return sum(errors, start=m_2 * 0)


def in_two_moments(p: RandomTasks, tr_S2: Any = trace_S2, half: int = 2) -> Scalar:
    """Return ½ m_2 (d - 2 η d m_2 + η² E tr S²)."""
    m_2, m_4 = p.moment(2), p.moment(4)
    return one_step_error(p.eta, p.d, m_2, tr_S2(p.d, p.N, m_2, m_4)) / half


CLAIM = Claim(
    id="GDT-0043",
    revision=1,
    title="The mean loss of one step depends on the inputs through their second and fourth moment alone",
    statement=r"""Let the entries of $X\in\mathbb R^{d\times N}$ and of the query $x$ be independent, of
one law with mean zero and moments $m_2,m_4$; let $w\sim\mathcal N(0,I_d)$, $y_i=w^Tx_i$, $S=XX^T/N$. The
layer of GDT-0001 with $W_0=0$ has the mean loss $E\,\frac12(w^Tx-\hat y)^2=\frac12m_2\,(d-2\eta\,d\,m_2+
\eta^2E\operatorname{tr}S^2)$ with
$E\operatorname{tr}S^2=\frac{d\,m_4+d(d-1)m_2^2}N+\frac{N-1}N\,d\,m_2^2$; $N^2E\operatorname{tr}S^2$ has
degree 2 in $d$ and in $N$. Uniform inputs on $(-b,b)$ have $m_2=b^2/3$ and $m_4=b^4/5$, normal ones of
variance $\sigma^2$ have $m_2=\sigma^2$ and $m_4=3\sigma^4$.""",
    source=Source(key="vonoswald2023transformers", locator="Section 3, one step", knowls=(6, 10)),
    ours=True,
    assumptions=(
        Assumption(
            name="mean zero",
            statement="The entries of the inputs have mean zero.",
            violation=Variant(
                name="inputs on one side of zero", lhs=partial(mean_layer_loss, one_sided=True)
            ),
        ),
        Assumption(
            name="new query",
            statement="The query is independent of the context.",
            violation=Variant(
                name="the queries are the inputs of the context",
                lhs=partial(mean_layer_loss, mean=mean_error_on_the_context),
            ),
        ),
    ),
    problem=RandomTasks,
    example=RandomTasks.smallest,
    lhs=mean_layer_loss,
    rhs=in_two_moments,
    mutants=(
        Mutant(
            name="the square of an average square for the fourth moment",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(in_two_moments, tr_S2=lambda d, N, m_2, m_4: trace_S2(d, N, m_2, m_2**2)),
        ),
        Mutant(
            name="N pairs of inputs in place of N - 1",
            kind=MutantKind.INDEX,
            rhs=partial(
                in_two_moments, tr_S2=lambda d, N, m_2, m_4: trace_S2(d, N, m_2, m_4) + d * m_2**2 / N
            ),
        ),
        Mutant(
            name="the layer divides by N + 1",
            kind=MutantKind.INDEX,
            lhs=partial(mean_layer_loss, normaliser=lambda p: p.N + 1),
        ),
        Mutant(
            name="without the half",
            kind=MutantKind.FACTOR,
            rhs=partial(in_two_moments, half=1),
        ),
    ),
    uses=("GDT-0001",),
    waived={
        "derived": "a mean over random contexts is not a matrix expression",
        "float": "the mean is taken exactly and nothing computes it in floats",
    },
)
