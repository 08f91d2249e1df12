"""How E (I - ηS)^i departs from (1 - η)^i I for large n, to first order in 1/n."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Scalar
from gdtheory.problems import PowerMoments
from gdtheory.wishart.one_row import trace_moments


def difference(p: PowerMoments, of: Any) -> Scalar:
    """Return Σ_j (-1)^{i-1-j} C(i - 1, j) of(n + j): zero for a polynomial in n of degree i - 2 or less."""
    order = max(p.i - 1, 0)
    terms = (of(replace(p, n=p.n + j)) * (-1) ** (order - j) * math.comb(order, j) for j in range(order + 1))
    return sum(terms)


def scaled(p: PowerMoments) -> Scalar:
    """Return d n^i c_i = E tr (nI - ηW)^i."""
    m = trace_moments(p.i, p.n, p.d)
    return sum(m[j] * math.comb(p.i, j) * (-p.eta) ** j * p.n ** (p.i - j) for j in range(p.i + 1))


def first_orders(p: PowerMoments, one: int = 1, pairs: int = 2, sign: int = 1, late: int = 0) -> Scalar:
    """Return d (n^i (1 - η)^i + n^{i-1} C(i, 2) η² (1 - η)^{i-2} (d + 1))."""
    leading = p.n**p.i * (1 - p.eta) ** p.i
    if p.i < 2:
        return leading * p.d
    rest = p.n ** (p.i - 1) * p.eta**2 * (1 - p.eta) ** (p.i - 2 + late) * (p.d + one)
    return (leading + rest * sign * Fraction(p.i * (p.i - 1), pairs)) * p.d


def mean(p: PowerMoments) -> Scalar:
    """Return the difference of order i - 1 in n of the mean."""
    return difference(p, scaled)


def corrected(p: PowerMoments, orders: Any = first_orders) -> Scalar:
    """Return the same of the first two orders."""
    return difference(p, orders)


CLAIM = Claim(
    id="GDT-0086",
    revision=1,
    title="E (I - ηS)^i = c_i I has c_i = (1 - η)^i + C(i,2) η² (1 - η)^(i-2) (d + 1)/n + O(1/n²)",
    statement=r"""In the setting of GDT-0085, $n^ic_i=\frac1dE\operatorname{tr}(nI-\eta W)^i$ is a polynomial
in $n$, whose two leading terms are $$n^i(1-\eta)^i+n^{i-1}\binom i2\eta^2(1-\eta)^{i-2}(d+1).$$ What is held
for $i\le5$ and all $n$, $d$ and $\eta$ is that its difference of order $i-1$ in $n$ is that of these two
terms: what is left over has a degree of at most $i-2$. So $c_i=(1-\eta)^i+\binom
i2\eta^2(1-\eta)^{i-2}\frac{d+1}n+O(n^{-2})$ for fixed $d$, $\eta$ and $i$. It rests on
$\frac1dE\operatorname{tr}W^j=n^j+\binom j2(d+1)n^{j-1}+\dots$ The estimate $(1-\eta)^i$ alone needs an $n$
well above $\binom i2(d+1)\eta^2/(1-\eta)^2$: at $n=20$, $d=10$ and $\eta=\frac25$, $c_{10}$ is $21.24$ times
as large, and both terms together are $12$ times as large.""",
    source=Source(key="huang2025transformers", locator="Section 4, (I - ηS)^i ≈ (1 - η)^i I"),
    ours=True,
    problem=PowerMoments,
    example=PowerMoments.smallest,
    lhs=mean,
    rhs=corrected,
    mutants=(
        Mutant(
            name="d for d + 1",
            kind=MutantKind.DROPPED,
            rhs=partial(corrected, orders=partial(first_orders, one=0)),
        ),
        Mutant(
            name="i(i - 1) for C(i, 2)",
            kind=MutantKind.FACTOR,
            rhs=partial(corrected, orders=partial(first_orders, pairs=1)),
        ),
        Mutant(
            name="the correction subtracted",
            kind=MutantKind.SIGN,
            rhs=partial(corrected, orders=partial(first_orders, sign=-1)),
        ),
        Mutant(
            name="(1 - η)^(i-1)",
            kind=MutantKind.INDEX,
            rhs=partial(corrected, orders=partial(first_orders, late=1)),
        ),
    ),
    uses=("GDT-0054", "GDT-0085"),
    waived={"float": "the moments are exact and nothing computes them in floats"},
)
