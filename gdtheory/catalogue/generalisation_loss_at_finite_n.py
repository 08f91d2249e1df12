"""The evaluation loss on inputs with any covariance, in traces of its powers."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.constructions.cot import cot_weights
from gdtheory.constructions.generation import mean_squared_distance
from gdtheory.constructions.random_inputs import inputs, power
from gdtheory.cot.evaluation import binomial_mean
from gdtheory.cot.generalisation import generalisation_loss
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import CorrelatedInputs
from gdtheory.wishart.covariance import moment_table

HALF = Fraction(1, 2)


def generated(p: CorrelatedInputs, steps: int = 1, teacher: Any = None, half: Fraction = HALF) -> Scalar:
    """Return half the mean squared error of the layer of eq. (8) after some steps, X being L Z."""
    xp = namespace(p.L)
    X, w_star = p.L @ inputs(p.L, p.d, p.n), xp.normal("w*", p.d, 1)
    w_star = teacher(p) @ w_star if teacher else w_star
    return mean_squared_distance(cot_weights(p.d, p.eta, like=p.L), X, w_star, xp.zeros(p.d, 1), steps) * half


def covariance(p: CorrelatedInputs) -> Array:
    """Return Σ = L Lᵀ."""
    return p.L @ p.L.T


def in_traces(p: CorrelatedInputs, steps: int = 1, Sigma: Any = covariance, more: int = 0) -> Scalar:
    """Return ½ E tr (I - ηS)^{2 steps}, each E tr W^j being a sum of products of traces of powers of Σ."""
    xp, S, n = namespace(p.L), Sigma(p), p.n + more
    if isinstance(p.eta, Fraction):
        return generalisation_loss(S, n, steps, p.eta)

    def moment(j: int) -> Scalar:
        terms = moment_table(0, (j,)).items()
        coefficients = [(mu, sum(n**i * c for i, c in enumerate(row))) for (_, mu), row in terms]
        return sum(math.prod((xp.trace(power(S, q)) for q in mu), start=1) * c for mu, c in coefficients)

    return binomial_mean([p.d, *map(moment, range(1, 2 * steps + 1))], -p.eta / n) * HALF


CLAIM = Claim(
    id="GDT-0084",
    revision=1,
    title="On inputs N(0, Σ) the loss of one and two steps is a polynomial in traces of powers of Σ",
    statement=r"""Let the columns of $X$ be $n$ independent inputs $N(0,\Sigma)$, $\Sigma=LL^T$ for any square
matrix $L$, let $w_*\sim N(0,I_d)$ and $y=w_*^TX$. The layer of eq. (8) that takes $s$ steps from $w_0=0$ has
the loss $\frac12E\operatorname{tr}(I-\eta S)^{2s}=\frac12\sum_j\binom{2s}j(-\frac\eta
n)^jE\operatorname{tr}W^j$, $W=nS=XX^T$, in which $E\operatorname{tr}W^j$ is a sum of products of
$\operatorname{tr}\Sigma^q$ with polynomials in $n$ for coefficients: for $s=1$
$$\frac12\Bigl(d-2\eta\operatorname{tr}\Sigma+\frac{\eta^2}n\bigl((n+1)\operatorname{tr}\Sigma^2+
(\operatorname{tr}\Sigma)^2\bigr)\Bigr).$$ Held for $s=1$ and $2$ at all $n$, $d$, $L$ and $\eta$. So it
depends on $\Sigma$ through its eigenvalues alone.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.2, eq. (9) with other inputs"),
    ours=True,
    assumptions=(
        Assumption(
            name="isotropic teacher",
            statement="The teacher is N(0, I).",
            violation=Variant(name="a teacher N(0, Σ)", lhs=partial(generated, teacher=lambda p: p.L)),
        ),
    ),
    problem=CorrelatedInputs,
    example=CorrelatedInputs.smallest,
    lhs=generated,
    rhs=in_traces,
    mutants=(
        Mutant(
            name="Σ² for Σ",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(in_traces, Sigma=lambda p: covariance(p) @ covariance(p)),
        ),
        Mutant(name="n + 1 inputs", kind=MutantKind.INDEX, rhs=partial(in_traces, more=1)),
        Mutant(name="without the half", kind=MutantKind.FACTOR, lhs=partial(generated, half=Fraction(1))),
    ),
    uses=("GDT-0010",),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
