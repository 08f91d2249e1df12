"""E tr Wᵏ in closed form, by zonal polynomials, against the sum over all pairings."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

from gdtheory.constructions.random_inputs import equal_inputs, gram, inputs, power, uncentred_inputs
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import WishartPower
from gdtheory.wishart import complex_trace_moment, zonal_trace_moment


def mean_of_power(p: WishartPower, X: Callable[..., Array] = inputs) -> Array:
    """Return E[Wᵏ] A by pairing the factors X in all ways."""
    return namespace(p.A).mean(power(gram(X(p.A, p.d, p.n)), p.k)) @ p.A


def closed_form(p: WishartPower, moment: Callable[..., Scalar] = zonal_trace_moment) -> Array:
    """Return E[tr Wᵏ] A / d by the sum over partitions."""
    return p.A * moment(p.k, p.n, p.d) / p.d


def row_alone(k: int, n: Any, d: Any) -> Scalar:
    """Return A_k / (2k - 1)!!, the term of the partition (k)."""
    return prod((n + 2 * j) * (d + 2 * j) for j in range(k)) * Fraction(1, prod(range(1, 2 * k, 2)))


CLAIM = Claim(
    id="GDT-0055",
    revision=1,
    title="E tr W^k is a sum over partitions of the form (a, b, 1, ..., 1), for all n and d",
    statement=r"""Let $W=XX^T$, where $X$ of shape $(d,n)$ has independent standard normal entries. Zonal
polynomials have the mean $E\,C_\lambda(W)=C_\lambda(I)\prod_{s\in\lambda}(n+c(s))$ with the contents
$c(i,j)=2(j-1)-(i-1)$ of the boxes of $\lambda$. Let $j_\lambda$ be the product of both hook lengths,
$2a+l+1$ and $2a+l+2$ for arm $a$ and leg $l$, over all boxes. The expansion of $\operatorname{tr}W^k$ in them
gives for $k\ge1$ $$E\operatorname{tr}W^k=2k\sum_{\lambda\vdash k}\frac{\prod_{s\ne(1,1)}c(s)}{j_\lambda}
\prod_{s\in\lambda}(n+c(s))(d+c(s)),$$ in which the box $(3,2)$ has content 0. So only $(k)$ and
$\lambda=(a,b,1^c)$ with $a\ge b\ge1$ are left: $$\frac{A_k}{(2k-1)!!}-\sum_{a+b+c=k}
\frac{(-1)^c\,2k\,(2a-2b+1)\,A_aB_bC_c}{(2a-1)!!\;2^{b-1}(b-1)!\;c!\;(2a+c)(2a+c+1)(2b+c-1)(2b+c)},$$
$A_a=\prod_{j<a}(n+2j)(d+2j)$, $B_b=\prod_{j<b}(n+2j-1)(d+2j-1)$, $C_c=\prod_{i=2}^{c+1}(n-i)(d-i)$. The last
form, of $O(k^2)$ terms, is held against the sum over all pairings of the factors $X$ for $k\le7$ and all $n$
and $d$; $E\,W^k$ is $\frac1dE\operatorname{tr}W^k\,I$. The source has the mean of any product of traces.""",
    source=Source(key="hanlon1992some", locator="Theorem 3.5, one trace, projections A, B of rank d, n"),
    assumptions=(
        Assumption(
            name="centred entries",
            statement="The entries of X have mean 0.",
            violation=Variant(name="mean 1", lhs=partial(mean_of_power, X=uncentred_inputs)),
        ),
        Assumption(
            name="independent columns",
            statement="The columns of X are independent.",
            violation=Variant(name="n equal columns", lhs=partial(mean_of_power, X=equal_inputs)),
        ),
    ),
    problem=WishartPower,
    example=WishartPower.smallest,
    lhs=mean_of_power,
    rhs=closed_form,
    mutants=(
        Mutant(
            name="the partition (k) alone",
            kind=MutantKind.DROPPED,
            rhs=partial(closed_form, moment=row_alone),
        ),
        Mutant(
            name="n + 1 for n",
            kind=MutantKind.INDEX,
            rhs=partial(closed_form, moment=lambda k, n, d: zonal_trace_moment(k, n + 1, d)),
        ),
        Mutant(
            name="the moment of complex entries",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(closed_form, moment=lambda k, n, d: complex_trace_moment((k,), n, d)),
        ),
    ),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
