"""The least evaluation loss of a number of steps, whatever the learning rate."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from typing import Any

from gdtheory.cot.comparison import LeastLoss, best_rate, best_single_step
from gdtheory.cot.evaluation import binomial_mean, evaluation_loss
from gdtheory.definition import Claim, Mutant, MutantKind, Relation, Source
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import EvaluationSteps
from gdtheory.wishart.one_row import zonal_trace_moment

best_rate_of = cache(best_rate)
moment = cache(zonal_trace_moment)


def loss(p: EvaluationSteps, eta: Fraction) -> Fraction:
    """Return ½ E tr (I - ηS)^{2 steps} by zonal polynomials."""
    moments = [p.d, *(moment(j, p.n, p.d) for j in range(1, 2 * p.steps + 1))]
    return binomial_mean(moments, -eta / p.n) / 2


def best(p: EvaluationSteps) -> LeastLoss:
    """Return the best rate and the least loss, each between two fractions."""
    return best_rate_of(p.n, p.d, p.steps)


def fewer_steps(p: EvaluationSteps) -> Fraction:
    """Return a lower bound on the loss of one step less."""
    return best_rate_of(p.n, p.d, p.steps - 1).loss[0] if p.steps > 1 else Fraction(p.d, 2)


def rate_of_one_step(p: EvaluationSteps) -> Fraction:
    """Return the loss at n/(n+d+1), a little above which no lower bound can be."""
    return evaluation_loss(p.n, p.d, p.steps, best_single_step(p.n, p.d)[0])


def lower(p: EvaluationSteps, bound: Any = lambda p: best(p).loss[0]) -> Array:
    """Return the lower bound, the smaller loss at the ends of the interval of η, and both widths."""
    least = best(p)
    width, gap = (high - low for low, high in (least.eta, least.loss))
    return as_objects([bound(p), min(loss(p, eta) for eta in least.eta), width, gap], (4,))


def upper(p: EvaluationSteps, half: int = 1) -> Array:
    """Return the loss at η, the upper bound, and the widths that are stated."""
    return as_objects(
        [loss(p, p.eta) / half, best(p).loss[1], Fraction("1e-12"), Fraction("1e-20") * p.d * p.steps**2],
        (4,),
    )


CLAIM = Claim(
    id="GDT-0093",
    revision=1,
    title="The least evaluation loss of s steps over all learning rates lies between two fractions",
    statement=r"""For $s\ge1$ steps $L(\eta)=\frac12E\operatorname{tr}(I-\eta S)^{2s}$ is strictly convex in
$\eta$. `gdtheory.cot.comparison.best_rate` returns two intervals of fractions: that of $\eta$ is at most
$10^{-12}$ wide and holds the one minimum, that of $L$ is at most $10^{-20}ds^2$ wide; $L$ is nowhere below
its lower end, and at an end of the first interval $L$ is at most its upper end. So no learning rate brings
chain of thought with $k=s-1$ tokens below it. For $n=20$, $d=10$ and $k=5$ it is $0.3546\ldots$, at
$\eta=0.5603\ldots$, and not at the best rate of one step, $\frac{20}{31}$. Held at drawn $n$, $d$, $s$ and
$\eta$, with the moments of $S$ found in another way.""",
    source=Source(key="huang2025transformers", locator="eq. (9) and Theorem 3.2"),
    ours=True,
    problem=EvaluationSteps,
    example=EvaluationSteps.smallest,
    relation=Relation.AT_MOST,
    lhs=lower,
    rhs=upper,
    mutants=(
        Mutant(
            name="the minimum of one step less", kind=MutantKind.INDEX, lhs=partial(lower, bound=fewer_steps)
        ),
        Mutant(name="a quarter of the mean", kind=MutantKind.FACTOR, rhs=partial(upper, half=2)),
        Mutant(
            name="the loss at the best rate of one step",
            kind=MutantKind.STALE,
            lhs=partial(lower, bound=rate_of_one_step),
        ),
        Mutant(
            name="n + 1 inputs in the loss",
            kind=MutantKind.WRONG_INPUT,
            rhs=lambda p: upper(EvaluationSteps(n=p.n + 1, d=p.d, steps=p.steps, eta=p.eta)),
        ),
    ),
    uses=("GDT-0069",),
)
