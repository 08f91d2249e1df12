"""The risk of least squares on random inputs."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.adjugate import adjugate, lowering_factor
from gdtheory.constructions.random_inputs import gram, inputs
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import MomentDoesNotExistError
from gdtheory.namespace import Scalar, as_objects, namespace
from gdtheory.problems import NoisyLeastSquares
from gdtheory.problems.inverse_wishart import OneExampleTooFew
from gdtheory.wishart.inverse import least_squares_risk


def risk(p: NoisyLeastSquares) -> Scalar:
    """Return σ² d / (n - d - 1)."""
    return least_squares_risk(p.n, p.d, p.sigma**2)


def mean_of_adjugate(p: NoisyLeastSquares, variance: Any = lambda p: p.sigma**2, more: int = 0) -> Scalar:
    """Return σ² E tr W⁻¹ as a mean of tr adj(W) over n - 2 inputs."""
    like = as_objects([p.sigma], (1, 1))
    A = adjugate(gram(inputs(like, p.d, p.n - 2)))
    return variance(p) * namespace(like).mean(A.trace()) / lowering_factor(p.n + more, p.d, 1)


CLAIM = Claim(
    id="GDT-0061",
    revision=1,
    title="The risk of least squares on n standard normal inputs is σ² d / (n - d - 1)",
    statement=r"""Let the $n$ columns of $X$ be independent $N(0,I_d)$, $y=w_*^TX+\varepsilon$ with
noise of mean 0 and variance
$\sigma^2>0$ that is independent of $X$, and $\hat w=(XX^T)^{-1}Xy^T$. For $n\ge d+2$,
$$E\|\hat w-w_*\|^2=\sigma^2E\operatorname{tr}(XX^T)^{-1}=\frac{\sigma^2d}{n-d-1},$$ and at $n=d$ and $n=d+1$
it is infinite. The first equation holds because, given $X$, the error is $(XX^T)^{-1}X\varepsilon^T$. The
second is held against $E_{n-2}\operatorname{tr}\operatorname{adj}(XX^T)\big/\prod_{i=1}^d(n-1-i)$, as in
GDT-0060, for $d\le2$ and $d+2\le n\le d+4$, and for $d=3$ and $n=5$.""",
    source=Source(key="vonrosen1988moments", locator="the mean of an inverse Wishart matrix"),
    assumptions=(
        Assumption(
            name="the risk is finite",
            statement="n ≥ d + 2.",
            violation=Refusal(
                problem=lambda: OneExampleTooFew.exact(sigma=1, d=2, extra=0), error=MomentDoesNotExistError
            ),
        ),
    ),
    problem=NoisyLeastSquares,
    example=lambda: NoisyLeastSquares.exact(sigma="1/2", d=2, extra=1),
    lhs=risk,
    rhs=mean_of_adjugate,
    mutants=(
        Mutant(name="n - d for n - d - 1", kind=MutantKind.INDEX, rhs=partial(mean_of_adjugate, more=1)),
        Mutant(
            name="σ for σ²",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(mean_of_adjugate, variance=lambda p: p.sigma),
        ),
    ),
    uses=("GDT-0060",),
    waived={
        "derived": "an adjugate has no size-free form",
        "generic": "the risk is a library function of integers and fractions",
        "float": "the mean is taken exactly and nothing computes it in floats",
    },
)
