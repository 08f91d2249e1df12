"""The mean of a power of I - ηS is a multiple of the identity."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.random_inputs import gram, inputs, power
from gdtheory.cot.evaluation import binomial_mean
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import WeightedPowers
from gdtheory.wishart.one_row import trace_moments


def mean_of_power(p: WeightedPowers, stretched: bool = False, sign: int = 1) -> Array:
    """Return E (I - ηS)^i A; stretched, X is AX."""
    xp, X = namespace(p.A), inputs(p.A, p.d, p.n)
    eta_S = gram(p.A @ X if stretched else X) * (p.eta * sign / p.n)
    return xp.mean(power(xp.eye(p.d) - eta_S, p.i) @ p.A)


def coefficient(p: WeightedPowers, more: int = 0, shift: int = 0, dimension: Any = lambda p: p.d) -> Scalar:
    """Return Σ_j C(i, j) (-η)^j E tr S^j / d."""
    n, i = p.n + more, p.i + shift
    return binomial_mean(trace_moments(i, n, p.d), -p.eta / n) / dimension(p)


def multiple(p: WeightedPowers, c: Any = coefficient) -> Array:
    """Return c_i A."""
    return p.A * c(p)


CLAIM = Claim(
    id="GDT-0085",
    revision=1,
    title="E (I - ηS)^i is a multiple c_i I of the identity, by the moments E tr S^j",
    statement=r"""Let $S=\frac1nXX^T$, where $X$ has shape $(d,n)$ and independent standard normal entries.
For every $\eta$, $$E\,(I-\eta S)^i=c_i\,I,\qquad c_i=\frac1d\sum_{j=0}^i\binom
ij(-\eta)^jE\operatorname{tr}S^j.$$ Held for $i\le4$ at all $n$, $d$ and $\eta$, each side times any matrix
$A$, and at small sizes for $i=5$. That it is a multiple of $I$ for every $i$ follows from $X$ having the law
of $OX$ for every orthogonal $O$. From $i=2$ on, $c_i$ is not $(1-\eta)^i$ but another
polynomial in $\eta$.""",
    source=Source(key="huang2025transformers", locator="Section 4, estimate of E (I - ηS)^i"),
    ours=True,
    assumptions=(
        Assumption(
            name="isotropic inputs",
            statement="The inputs are N(0, I).",
            violation=Variant(name="inputs N(0, A Aᵀ)", lhs=partial(mean_of_power, stretched=True)),
        ),
    ),
    problem=WeightedPowers,
    example=WeightedPowers.smallest,
    lhs=mean_of_power,
    rhs=multiple,
    mutants=(
        Mutant(
            name="the trace without 1/d",
            kind=MutantKind.FACTOR,
            rhs=partial(multiple, c=partial(coefficient, dimension=lambda p: 1)),
        ),
        Mutant(
            name="n + 1 inputs",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(multiple, c=partial(coefficient, more=1)),
        ),
        Mutant(name="I + ηS", kind=MutantKind.SIGN, lhs=partial(mean_of_power, sign=-1)),
        Mutant(name="i + 1", kind=MutantKind.INDEX, rhs=partial(multiple, c=partial(coefficient, shift=1))),
    ),
    errata=(
        Erratum(
            name="(1 - η)^i",
            locator="Section 4, on the mean of (I - ηS)^i",
            printed='"when ‖δS‖_op is small, (I - ηS)^i ≈ (1 - η)^i I"',
            why="The source says so of small δS = S - I, for n of the order d polylog d, and bounds the "
            "tails. For the mean it is no uniform approximation: at i = 10 and η = 2/5 the mean is 21 times "
            "that at n = 20 and d = 10, and 19 times at n = 2d however large d is.",
            rhs=partial(multiple, c=lambda p: (1 - p.eta) ** p.i),
        ),
    ),
    uses=("GDT-0054",),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
