"""The extreme eigenvalues of the transformed Hessian are found among three candidates each."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.definition import Claim, Erratum, Mutant, MutantKind, Source
from gdtheory.namespace import Array, Scalar, as_objects, namespace
from gdtheory.problems import Spectrum
from gdtheory.reference.gdpp import (
    extreme_eigenvalues,
    extremes_next_to,
    transformed_eigenvalue,
    transformed_inputs,
)


def largest_and_least(p: Spectrum) -> Array:
    """Return the largest and the least eigenvalue of H⁺⁺, and 0 for the certificate that they are all.

    The columns of U are orthogonal. If their Rayleigh quotients make H⁺⁺ U - U diag(θ) zero, the θ are all
    the eigenvalues, each as often as it occurs.
    """
    xp = namespace(p.X)
    X = transformed_inputs(p.X, p.X, p.gamma)
    H, U = X @ X.T, p.U
    theta = (U * (H @ U)).sum(0) / (U * U).sum(0)
    off = xp.squared_norm(H @ U - U * theta)
    return as_objects([max(theta), min(theta), off], (1, 3))


def eigenvalues(p: Spectrum) -> list[Scalar]:
    """Return the λ_i in ascending order."""
    return sorted((p.sigma * p.sigma).flat)


def among_candidates(p: Spectrum, sign: int = 1) -> tuple[Scalar, Scalar]:
    """Return the extremes by the piecewise formula."""
    return extreme_eigenvalues(eigenvalues(p), p.gamma * sign)


def order_is_kept(p: Spectrum) -> tuple[Scalar, Scalar]:
    """Return f(λ_1) and f(λ_n)."""
    found = eigenvalues(p)
    return transformed_eigenvalue(found[-1], p.gamma), transformed_eigenvalue(found[0], p.gamma)


def next_to(p: Spectrum, peak: Any = Fraction(1, 3), root: Any = 1) -> tuple[Scalar, Scalar]:
    """Return the extremes by the formula with peak/γ and root/γ in place of 1/(3γ) and 1/γ."""
    if p.gamma <= 0:
        return among_candidates(p)
    return extremes_next_to(peak / p.gamma, root / p.gamma, eigenvalues(p), p.gamma)


def without_lambda_plus(p: Spectrum) -> tuple[Scalar, Scalar]:
    """Return the larger of f(λ_1) and f(λ⁻), and the true least eigenvalue."""
    largest, least = eigenvalues(p)[-1], among_candidates(p)[1]
    up_to_peak = [eigenvalue for eigenvalue in eigenvalues(p) if 3 * p.gamma * eigenvalue <= 1]
    return extreme_eigenvalues([*up_to_peak, largest], p.gamma)[0], least


def damped_once(p: Spectrum) -> tuple[Scalar, Scalar]:
    """Return the extremes of λ(1 - γλ)."""
    found = [eigenvalue * (1 - p.gamma * eigenvalue) for eigenvalue in eigenvalues(p)]
    return max(found), min(found)


def peak_for_the_largest(p: Spectrum) -> tuple[Scalar, Scalar]:
    """Return f(1/(3γ)) where γ > 0, and the true least eigenvalue."""
    largest, least = among_candidates(p)
    return (transformed_eigenvalue(1 / (3 * p.gamma), p.gamma) if p.gamma > 0 else largest), least


def extremes(p: Spectrum, formula: Any = among_candidates) -> Array:
    """Return the extremes by a formula, and 0."""
    return as_objects([*formula(p), 0 * p.gamma], (1, 3))


CLAIM = Claim(
    id="GDT-0021",
    revision=1,
    title="The extreme eigenvalues of the transformed Hessian are found among three candidates each",
    statement=r"""Let $H=XX^T$ have the eigenvalues $\lambda_1\ge\dots\ge\lambda_n\ge0$, let
$f(\lambda)=\lambda(1-\gamma\lambda)^2$ and $H^{++}$ as in GDT-0020. For $\gamma>0$ the largest eigenvalue
of $H^{++}$ is the largest of $f(\lambda_1)$, $f(\lambda^-)$, $f(\lambda^+)$ with the eigenvalues
$\lambda^-$, $\lambda^+$ of $H$ next to $\frac1{3\gamma}$: the last one $\le\frac1{3\gamma}$ and the first
one $\ge\frac1{3\gamma}$, where they exist. The least is the least of $f(\lambda_n)$ and of $f$ at the two
next to $\frac1\gamma$; where $\lambda_1\le\frac1\gamma$ it is the lesser of $f(\lambda_1)$ and
$f(\lambda_n)$. For $\gamma\le0$, and for $\gamma>0$ with $3\gamma\lambda_1\le1$, the largest is
$f(\lambda_1)$ and the least $f(\lambda_n)$. Hence $H^{++}$ is singular if and only if $\lambda_n=0$, as
whenever $N<N_x$, or $\gamma\lambda_i=1$ for some $i$. Then $\kappa^{++}$, the quotient of the two, is
infinite; only if $H^{++}=0$, which takes $\gamma\lambda_i=1$ for every $\lambda_i\ne0$, as trivially for
$X=0$, it is undefined. The reason: $f'(\lambda)=(1-\gamma\lambda)(1-3\gamma\lambda)$, so for $\gamma>0$
$f$ rises on $[0,\frac1{3\gamma}]$, falls on $[\frac1{3\gamma},\frac1\gamma]$ and rises from
$\frac1\gamma$ on.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10", knowls=(2,)),
    ours=True,
    problem=Spectrum,
    example=Spectrum.smallest,
    lhs=largest_and_least,
    rhs=extremes,
    mutants=(
        Mutant(
            name="+γ",
            kind=MutantKind.SIGN,
            rhs=partial(extremes, formula=partial(among_candidates, sign=-1)),
        ),
        Mutant(
            name="λ(1 - γλ), damped once",
            kind=MutantKind.DROPPED,
            rhs=partial(extremes, formula=damped_once),
        ),
        Mutant(
            name="the largest without f(λ⁺)",
            kind=MutantKind.DROPPED,
            rhs=partial(extremes, formula=without_lambda_plus),
        ),
        Mutant(
            name="next to 1/(2γ) in place of 1/(3γ)",
            kind=MutantKind.FACTOR,
            rhs=partial(extremes, formula=partial(next_to, peak=Fraction(1, 2))),
        ),
        Mutant(
            name="next to 4/(3γ) in place of 1/γ",
            kind=MutantKind.FACTOR,
            rhs=partial(extremes, formula=partial(next_to, root=Fraction(4, 3))),
        ),
    ),
    errata=(
        Erratum(
            name="the eigenvalues keep their order",
            locator="statement 2 of a digest of the paper",
            printed='"The modified eigenvalues are given by f(λ, γ) = λ - 2γλ² + γ²λ³. When γ is chosen '
            'appropriately, the condition number κ⁺⁺ = λ_1⁺⁺ / λ_n⁺⁺ of the loss Hessian is decreased"',
            why="Read with λ_i⁺⁺ = f(λ_i, γ), the order of the λ_i is not kept at every γ: at "
            "λ = (1, 0.3, 0.05) and γ = 0.9 this quotient, 0.0100 / 0.0456, would be below 1, which no "
            "condition number is.",
            rhs=partial(extremes, formula=order_is_kept),
        ),
        Erratum(
            name="the largest is the local maximum",
            locator="Appendix A.10",
            printed='"the novel maximum eigenvalues λ_1⁺⁺ = f(1/(3γ), γ) where λ = 1/(3γ) as the local '
            'maximum of f(λ, γ)"',
            why="1/(3γ) need not be an eigenvalue. With all of them in [0, 1/γ], as printed there, "
            "f(1/(3γ), γ) bounds those of H⁺⁺ from above, and is the maximum over the interval [λ_n, λ_1] "
            "where 1/(3γ) lies in it (GDT-0025, GDT-0026).",
            rhs=partial(extremes, formula=peak_for_the_largest),
        ),
    ),
    uses=("GDT-0017", "GDT-0020"),
    waived={
        "derived": "largest and least eigenvalues are not matrix expressions; the statement gives the reason",
        "generic": "free indeterminates have no order",
        "float": "error ledgers have no order: where they overlap, none is certainly the largest",
    },
)
