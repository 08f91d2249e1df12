"""Moments of the inverse of a Wishart matrix, against means of its adjugate."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.adjugate import adjugate, lowering_factor
from gdtheory.constructions.random_inputs import gram, inputs, power, trace_product
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import ArgumentError, MomentDoesNotExistError
from gdtheory.namespace import Array, namespace
from gdtheory.problems import InverseMoment
from gdtheory.problems.inverse_wishart import TooFewColumns
from gdtheory.wishart.inverse import inverse_matrix_moment


def by_parts(p: InverseMoment, more: int = 0, Sigma: Any = lambda p: p.L @ p.L.T) -> Array:
    """Return E V^r p_λ(V) from the table."""
    return inverse_matrix_moment(*p.moment, Sigma(p), p.n + more)


def by_adjugate(p: InverseMoment, lowered: int = 2, more: int = 0) -> Array:
    """Return the mean of adj(W)^r p_λ(adj W) over n - 2k columns, divided by what lowers n by 2k."""
    xp, (r, parts), k = namespace(p.L), p.moment, p.degree
    A = adjugate(gram(p.L @ inputs(p.L, p.d, p.n - lowered * k)))
    Sigma = p.L @ p.L.T
    det = xp.trace(Sigma @ adjugate(Sigma)) / p.d
    return xp.mean(power(A, r) * trace_product(A, parts)) / (det**k * lowering_factor(p.n + more, p.d, k))


CLAIM = Claim(
    id="GDT-0060",
    revision=1,
    title="Moments of an inverse Wishart matrix, by parts, are means of the adjugate with fewer columns",
    statement=r"""Let $W=XX^T$, where the $n$ columns of $X$ in dimension $d$ are independent $N(0,\Sigma)$
with $\Sigma$ positive definite, $V=W^{-1}$, $p_\lambda(V)=\prod_j\operatorname{tr}V^{\lambda_j}$ and
$k=r+\sum_j\lambda_j$. The mean of $V^rp_\lambda(V)$ is finite if and only if $n-d+1>2k$. These means are the
solution of
$$(n-d-r)\,E[V^rp_\lambda]-\sum_{q=1}^{r-1}E[V^{r-q}\operatorname{tr}V^q\,p_\lambda]
-2\sum_j\lambda_jE[V^{r+\lambda_j}p_{\lambda\setminus\lambda_j}]=\Sigma^{-1}E[V^{r-1}p_\lambda],\quad r\ge1,$$
with traces for $r=0$: for example $E[V]=\frac{\Sigma^{-1}}{n-d-1}$. They are held against
$$E_n[V^rp_\lambda(V)]=\frac{E_{n-2k}[\operatorname{adj}(W)^rp_\lambda(\operatorname{adj}W)]}
{(\det\Sigma)^k\prod_{j=1}^k\prod_{i=1}^d(n-2j-i+1)},$$ which holds because the density of $W$ is a multiple
of $(\det W)^{(n-d-1)/2}e^{-\operatorname{tr}\Sigma^{-1}W/2}$ and $V=\operatorname{adj}(W)/\det W$; the mean
on the right is that of a polynomial in the entries of $X$. It is shown for the 13 moments of degree $k\le3$
at $d\le2$ with $d+2k$ and $d+2k+1$ columns, and for those of degree 1 at $d=3$ with 5.""",
    source=Source(key="vonrosen1988moments", locator="moments of the inverted Wishart distribution"),
    assumptions=(
        Assumption(
            name="the moment is finite",
            statement="n - d + 1 > 2k.",
            violation=Refusal(
                problem=lambda: TooFewColumns.exact(L=[[1, 2], [0, 1]], extra=0, place=5),
                error=MomentDoesNotExistError,
            ),
        ),
        Assumption(
            name="a definite covariance",
            statement="Σ = L Lᵀ is positive definite.",
            violation=Refusal(
                problem=lambda: InverseMoment.exact(L=[[1, 1], [1, 1]], extra=0, place=0), error=ArgumentError
            ),
        ),
    ),
    problem=InverseMoment,
    example=lambda: InverseMoment.exact(L=[[1, 2], [-1, 3]], extra=0, place=3),
    lhs=by_parts,
    rhs=by_adjugate,
    mutants=(
        Mutant(name="n + 1 for n", kind=MutantKind.INDEX, lhs=partial(by_parts, more=1)),
        Mutant(
            name="Σ for its inverse",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(by_parts, Sigma=lambda p: adjugate(p.L @ p.L.T)),
        ),
        Mutant(name="n - k columns", kind=MutantKind.FACTOR, rhs=partial(by_adjugate, lowered=1)),
    ),
    waived={
        "derived": "an adjugate has no size-free form",
        "float": "the mean is taken exactly and nothing computes it in floats",
    },
)
