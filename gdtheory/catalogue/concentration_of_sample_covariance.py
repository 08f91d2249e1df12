"""How far the sample covariance is from the identity, with a stated probability: held on samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import SampledSpectrum
from gdtheory.wishart.sampling import sample_wishart

SAMPLES = 1000
FALSE_ALARM = 1e-9
"""The probability with which a confidence limit lies above the probability that it is a limit of."""


@cache
def singular_values(n: int, d: int) -> tuple[Any, Any]:
    """Return the least and the largest of d singular values of Xᵀ / √n, one each per sample."""
    eigenvalues = np.linalg.eigvalsh(sample_wishart(n, d, SAMPLES, seed=2025) / n).clip(0)
    return np.sqrt(eigenvalues[:, 0]), np.sqrt(eigenvalues[:, -1])


def confidence_limit(events: Any) -> Fraction:
    """Return the lower limit of Clopper and Pearson on the probability of an event, from samples of it."""
    from scipy.stats import beta

    hits = int(np.count_nonzero(events))
    return Fraction(float(beta.ppf(FALSE_ALARM, hits, events.size - hits + 1))) if hits else Fraction(0)


def radius(p: SampledSpectrum) -> float:
    """Return e = √(d/n) + t."""
    return math.sqrt(p.d / p.n) + float(p.t)


def probabilities(
    p: SampledSpectrum,
    radius: Callable[[SampledSpectrum], float] = radius,
    square: float = 1,
    linear: float = 2,
    scale: float = 1,
) -> Array:
    """Return lower limits: of P(‖S - I‖ > 2e + e²), and of P(a singular value is not within e of 1)."""
    e = radius(p)
    low, high = (scale * values for values in singular_values(p.n, p.d))
    far = np.maximum(np.abs(high**2 - 1), np.abs(low**2 - 1)) > linear * e + square * e**2
    outside = (low < 1 - e) | (high > 1 + e)
    return as_objects([confidence_limit(far), confidence_limit(outside)], (2,))


def bound(p: SampledSpectrum) -> Array:
    """Return 2 exp(-n t²/2), rounded up, twice."""
    exponent = max(float(-p.n * p.t**2 / 2), -700.0)
    return as_objects([Fraction(2 * math.exp(exponent) * (1 + 2**-40))] * 2, (2,))


CLAIM = Claim(
    id="GDT-0087",
    revision=1,
    title="The sample covariance is within 2e + e² of the identity but for 2 exp(-nt²/2), e = √(d/n) + t",
    statement=r"""Let $S=\frac1nXX^T$, where $X$ has shape $(d,n)$ and independent standard normal entries,
let $t\ge0$ and $e=\sqrt{d/n}+t$. Then with a probability of at least $1-2e^{-nt^2/2}$ all eigenvalues of $S$
are at most $(1+e)^2$, and their roots at least $1-e$: $\sqrt n-\sqrt d-u\le s_{\min}\le s_{\max}\le\sqrt
n+\sqrt d+u$ for the $d$ singular values of $X^T$ and $u=t\sqrt n$. So
$$P\bigl(\|S-I\|>2e+e^2\bigr)\le2e^{-nt^2/2}.$$ It is a theorem, Corollary 5.35 of Vershynin (2012), and
nothing here proves it. What is held is that samples do not contradict it: from 1000 samples for each shape, a
lower confidence limit of Clopper and Pearson on each probability, which is above it with a probability of at
most $10^{-9}$, is at most the bound. It cannot tell the bound from a smaller one such as $e^{-nt^2}$, as the
probabilities are far below; it does tell $2e+e^2$ from $2e$ and from $e+e^2$.""",
    source=Source(key="huang2025transformers", locator="Appendix D, from Vershynin (2012)"),
    assumptions=(
        Assumption(
            name="t ≥ 0",
            statement="The distance t is not negative.",
            violation=Variant(
                name="√(d/n) - t",
                lhs=partial(probabilities, radius=lambda p: max(0.0, math.sqrt(p.d / p.n) - float(p.t))),
            ),
        ),
        Assumption(
            name="variance one",
            statement="The inputs are N(0, I).",
            violation=Variant(name="inputs N(0, 4I)", lhs=partial(probabilities, scale=2)),
        ),
    ),
    problem=SampledSpectrum,
    example=partial(SampledSpectrum.exact, n=20, d=5, distance="2/5"),
    relation=Relation.AT_MOST,
    sampled=True,
    lhs=probabilities,
    rhs=bound,
    mutants=(
        Mutant(
            name="e = t",
            kind=MutantKind.DROPPED,
            lhs=partial(probabilities, radius=lambda p: float(p.t)),
        ),
        Mutant(
            name="e = d/n + t",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(probabilities, radius=lambda p: p.d / p.n + float(p.t)),
        ),
        Mutant(name="e + e²", kind=MutantKind.FACTOR, lhs=partial(probabilities, linear=1)),
        Mutant(name="2e alone", kind=MutantKind.DROPPED, lhs=partial(probabilities, square=0)),
        Mutant(
            name="e = √(d/n)/2 + t",
            kind=MutantKind.FACTOR,
            lhs=partial(probabilities, radius=lambda p: math.sqrt(p.d / p.n) / 2 + float(p.t)),
        ),
    ),
)
