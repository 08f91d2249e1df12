"""E[W A W] for a Wishart matrix with any covariance and any matrix A between the factors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gdtheory.constructions.random_inputs import equal_inputs, gram, inputs, uncentred_inputs
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import FactoredCovariance


def mean_of_sandwich(p: FactoredCovariance, Z: Callable[..., Array] = inputs) -> Array:
    """Return E[W A W] by pairing the factors of W = X Xᵀ, X = L Z, in all ways."""
    W = gram(p.L @ Z(p.L, p.d, p.n))
    return namespace(p.L).mean(W @ p.A @ W)


def three_terms(
    p: FactoredCovariance,
    turned: Callable[[Array], Array] = lambda A: A.T,
    joined: Callable[[Array, Array], Array] = lambda A, Sigma: A @ Sigma,
    squared: Any = lambda n: n * n,
) -> Array:
    """Return n² ΣAΣ + n ΣAᵀΣ + n tr(AΣ) Σ."""
    A, Sigma, n = p.A, p.L @ p.L.T, p.n
    trace = namespace(A).trace(joined(A, Sigma))
    return Sigma @ A @ Sigma * squared(n) + Sigma @ turned(A) @ Sigma * n + Sigma * trace * n


CLAIM = Claim(
    id="GDT-0058",
    revision=1,
    title="E[WAW] = n²ΣAΣ + nΣAᵀΣ + n tr(AΣ)Σ for a Wishart matrix with covariance Σ and any A",
    statement=r"""Let $W=XX^T$, where the $n$ columns of $X$ are independent with law $N(0,\Sigma)$,
$\Sigma=LL^T$. For every matrix $A$ of shape $(d,d)$, symmetric or not, and all $n$ and $d$,
$$E[WAW]=n^2\,\Sigma A\Sigma+n\,\Sigma A^T\Sigma+n\operatorname{tr}(A\Sigma)\,\Sigma.$$ In particular
$E\,W^2=n(n+1)\Sigma^2+n\operatorname{tr}(\Sigma)\,\Sigma$. Shown for $X=LZ$ with independent standard normal
entries of $Z$ and any square $L$, so that singular $\Sigma$ are covered and $n<d$ is.""",
    source=Source(key="letac2004all", locator="the moments of order two, for A = I; here for any A"),
    assumptions=(
        Assumption(
            name="centred columns",
            statement="The columns of X have mean 0.",
            violation=Variant(name="mean L1", lhs=partial(mean_of_sandwich, Z=uncentred_inputs)),
        ),
        Assumption(
            name="independent columns",
            statement="The columns of X are independent.",
            violation=Variant(name="n equal columns", lhs=partial(mean_of_sandwich, Z=equal_inputs)),
        ),
    ),
    problem=FactoredCovariance,
    example=FactoredCovariance.smallest,
    lhs=mean_of_sandwich,
    rhs=three_terms,
    mutants=(
        Mutant(name="A for Aᵀ", kind=MutantKind.TRANSPOSED, rhs=partial(three_terms, turned=lambda A: A)),
        Mutant(
            name="tr A for tr AΣ",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(three_terms, joined=lambda A, Sigma: A),
        ),
        Mutant(
            name="n(n + 1) for n²",
            kind=MutantKind.INDEX,
            rhs=partial(three_terms, squared=lambda n: n * (n + 1)),
        ),
    ),
    ours=True,
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
