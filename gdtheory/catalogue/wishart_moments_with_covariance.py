"""Moments of a Wishart matrix with any covariance, from one table of whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

from gdtheory.constructions.random_inputs import (
    equal_inputs,
    gram,
    inputs,
    power,
    trace_product,
)
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import CovariantTraces
from gdtheory.wishart.covariance import moment_table


def mean_of_product(p: CovariantTraces, Z: Callable[..., Array] = inputs) -> Array:
    """Return E[Wʳ p_λ(W)] by pairing the factors of W = X Xᵀ, X = L Z, in all ways."""
    W = gram(p.L @ Z(p.L, p.d, p.n))
    return namespace(p.L).mean(power(W, p.r) * trace_product(W, p.parts))


def polynomial(coefficients: tuple[int, ...], n: Any) -> Scalar:
    """Return c(n)."""
    return sum(c * n**m for m, c in enumerate(coefficients))


def from_table(
    p: CovariantTraces,
    c: Callable[..., Scalar] = polynomial,
    covariance: Callable[[Array], Array] = lambda L: L @ L.T,
    trace: Callable[[Array, int], Scalar] = lambda Sigma, j: namespace(Sigma).trace(power(Sigma, j)),
) -> Array:
    """Return the sum of c(n) Σⁱ tr Σ^{μ_1} tr Σ^{μ_2} ... over the entries of the table."""
    Sigma = covariance(p.L)
    total = namespace(p.L).zeros(p.d, p.d)
    for (i, mu), coefficients in moment_table(p.r, p.parts).items():
        total = total + power(Sigma, i) * prod((trace(Sigma, j) for j in mu), start=c(coefficients, p.n))
    return total


CLAIM = Claim(
    id="GDT-0059",
    revision=1,
    title="Wishart moments are sums of c(n) Σⁱ Π_j tr Σ^{μ_j}, with the same c for every covariance Σ",
    statement=r"""Let $W=XX^T$, where the $n$ columns of $X$ are independent with law $N(0,\Sigma)$,
$\Sigma=LL^T$, and let $p_\mu(A)=\prod_j\operatorname{tr}A^{\mu_j}$. Integration by parts,
$E\,x_{ia}F=\sum_k\Sigma_{ik}E\,\partial F/\partial x_{ka}$, in the first factor $X$ of $W^r$ gives for
$r\ge1$ $$\begin{aligned}E[W^rp_\mu(W)]=\Sigma\Bigl\{&(n+r-1)E[W^{r-1}p_\mu(W)]
+\sum_{q=1}^{r-1}E[W^{r-1-q}\operatorname{tr}W^q\,p_\mu(W)]\\
&+2\sum_j\mu_jE[W^{r-1+\mu_j}p_{\mu\setminus\mu_j}(W)]\Bigr\},\end{aligned}$$
and $E[\operatorname{tr}W^m\,p_\mu(W)]$ is the trace of the case $r=m$. So
$E[W^rp_\lambda(W)]=\sum_{i,\mu}c_{i,\mu}(n)\,\Sigma^ip_\mu(\Sigma)$ over $i+|\mu|=r+|\lambda|$, where the
$c_{i,\mu}$ are polynomials in $n$ with natural coefficients and depend neither on $d$ nor on $\Sigma$:
$$E\,W^3=(n^3+3n^2+4n)\Sigma^3+(2n^2+2n)\operatorname{tr}(\Sigma)\Sigma^2
+(n^2+n)\operatorname{tr}(\Sigma^2)\Sigma+n(\operatorname{tr}\Sigma)^2\Sigma.$$ The table of the $c_{i,\mu}$
is held against the sum over all pairings of the factors of $X=LZ$, $Z$ with independent standard normal
entries and any square $L$, for all $n$ and $d$, every $r+|\lambda|\le4$ and $E[W\operatorname{tr}W^4]$.
The source finds the same means from zonal polynomials.""",
    source=Source(key="letac2004all", locator="the moments of W for any Σ"),
    assumptions=(
        Assumption(
            name="independent columns",
            statement="The columns of X are independent with law N(0, Σ).",
            violation=Variant(name="n equal columns", lhs=partial(mean_of_product, Z=equal_inputs)),
        ),
    ),
    problem=CovariantTraces,
    example=CovariantTraces.smallest,
    lhs=mean_of_product,
    rhs=from_table,
    mutants=(
        Mutant(
            name="the leading power of n alone",
            kind=MutantKind.DROPPED,
            rhs=partial(from_table, c=lambda c, n: c[-1] * n ** (len(c) - 1)),
        ),
        Mutant(
            name="Σ = LᵀL",
            kind=MutantKind.TRANSPOSED,
            rhs=partial(from_table, covariance=lambda L: L.T @ L),
        ),
        Mutant(
            name="(tr Σ)^j for tr Σ^j",
            kind=MutantKind.ORDER,
            rhs=partial(from_table, trace=lambda Sigma, j: namespace(Sigma).trace(Sigma) ** j),
        ),
    ),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
