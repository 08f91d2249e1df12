"""Joint trace moments of a Wishart matrix by integration by parts, against the sum over all pairings."""

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
    uncentred_inputs,
)
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import WishartTraces
from gdtheory.wishart import trace_moment


def mean_of_product(p: WishartTraces, X: Callable[..., Array] = inputs) -> Array:
    """Return E[Wʳ Π_j tr W^{b_j}] A by pairing the factors X in all ways."""
    W = gram(X(p.A, p.d, p.n))
    return namespace(p.A).mean(power(W, p.r) * trace_product(W, p.parts)) @ p.A


def by_parts(p: WishartTraces, moment: Callable[..., Scalar] = trace_moment) -> Array:
    """Return E[tr Wʳ Π_j tr W^{b_j}] A / d by the recursion."""
    return p.A * moment((p.r, *p.parts), p.n, p.d) / p.d


def without_joined_traces(parts: tuple[int, ...], n: Any, d: Any) -> Scalar:
    """Return the product of the means in place of the mean of the product."""
    return prod(trace_moment([part], n, d) for part in parts)


CLAIM = Claim(
    id="GDT-0054",
    revision=1,
    title="Integration by parts gives every joint trace moment of a Wishart matrix, for all n and d",
    statement=r"""Let $W=XX^T$, where $X$ of shape $(d,n)$ has independent standard normal entries. For
$m\ge1$ and all whole numbers $b_j\ge0$, with $\operatorname{tr}W^0=d$,
$$E\Bigl[\operatorname{tr}W^m\prod_j\operatorname{tr}W^{b_j}\Bigr]
=(n+m-1)\,E\Bigl[\operatorname{tr}W^{m-1}\prod_j\operatorname{tr}W^{b_j}\Bigr]
+\sum_{q=1}^{m-1}E\Bigl[\operatorname{tr}W^q\operatorname{tr}W^{m-1-q}\prod_j\operatorname{tr}W^{b_j}\Bigr]
+2\sum_jb_j\,E\Bigl[\operatorname{tr}W^{m+b_j-1}\prod_{i\ne j}\operatorname{tr}W^{b_i}\Bigr],$$
which is $E\,x_{ia}F=E\,\partial F/\partial x_{ia}$ in the first factor $X$ of $\operatorname{tr}W^m$. It
lowers the degree, so that it gives the mean of every product of traces, a polynomial in $n$ and $d$ with
whole coefficients; and $E[W^r\prod_j\operatorname{tr}W^{b_j}]$ is
$\frac1dE[\operatorname{tr}W^r\prod_j\operatorname{tr}W^{b_j}]\,I$, since $OWO^T$ has the law of $W$ for every
orthogonal $O$. What is computed in this way is held against the sum over all pairings of the factors $X$ for
all $n$ and $d$ and every product of degree $r+\sum_jb_j\le4$, and for
$E[W\operatorname{tr}W^4]$, $E[W^3\operatorname{tr}W^3]$ and $E[W^2(\operatorname{tr}W^2)^2]$.""",
    source=Source(key="letac2004all", locator="the moments of W for Σ = I"),
    assumptions=(
        Assumption(
            name="centred entries",
            statement="The entries of X have mean 0.",
            violation=Variant(name="mean 1", lhs=partial(mean_of_product, X=uncentred_inputs)),
        ),
        Assumption(
            name="independent columns",
            statement="The columns of X are independent.",
            violation=Variant(name="n equal columns", lhs=partial(mean_of_product, X=equal_inputs)),
        ),
    ),
    problem=WishartTraces,
    example=WishartTraces.smallest,
    lhs=mean_of_product,
    rhs=by_parts,
    mutants=(
        Mutant(
            name="n + 1 for n",
            kind=MutantKind.INDEX,
            rhs=partial(by_parts, moment=lambda parts, n, d: trace_moment(parts, n + 1, d)),
        ),
        Mutant(
            name="traces taken for independent",
            kind=MutantKind.DROPPED,
            rhs=partial(by_parts, moment=without_joined_traces),
        ),
        Mutant(
            name="E tr W^r ... for its d-th part",
            kind=MutantKind.FACTOR,
            rhs=partial(by_parts, moment=lambda parts, n, d: trace_moment(parts, n, d) * d),
        ),
    ),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
