"""On the interval of the eigenvalues no γ has a condition number as low as γ* has."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, Scalar, as_objects
from gdtheory.problems import IntervalAndGamma
from gdtheory.reference.gdpp import best_gamma, extremes_on_interval, inverse_condition_number


def inverse_kappa(a: Scalar, b: Scalar, gamma: Scalar) -> Scalar:
    """Return 1/κ(γ) of the interval [b², a²], which is a fraction for every γ."""
    return inverse_condition_number(*extremes_on_interval(b**2, a**2, gamma))


def inverse_kappa_star(a: Scalar, b: Scalar, peak_factor: int = 4) -> Scalar:
    """Return 1/κ_* = 27 a²b²(a + b)²/(4 q³) with q = a² + ab + b²."""
    return 27 * (a * b * (a + b)) ** 2 / (peak_factor * (a**2 + a * b + b**2) ** 3)


def singular_values(p: IntervalAndGamma) -> tuple[Scalar, Scalar]:
    """Return a and b."""
    return p.a, p.b


def at_gamma(
    p: IntervalAndGamma,
    gamma: Any = lambda p, a, b: p.gamma,
    ends: Any = singular_values,
    inverse_star: Any = inverse_kappa_star,
) -> Array:
    """Return 1/κ(γ), and 0 if κ(γ*) is κ_*, else 1."""
    a, b = ends(p)
    off = inverse_kappa(a, b, best_gamma(a, b)) != inverse_star(a, b)
    return as_objects([inverse_kappa(a, b, gamma(p, a, b)), Fraction(off)], (1, 2))


def at_best(p: IntervalAndGamma, gamma: Any = best_gamma, ends: Any = singular_values) -> Array:
    """Return 1/κ(γ*), and 1, below which only 0 is."""
    a, b = ends(p)
    return as_objects([inverse_kappa(a, b, gamma(a, b)), Fraction(1)], (1, 2))


def both(ends: Any) -> dict[str, Any]:
    """Return both sides with another interval."""
    return {"lhs": partial(at_gamma, ends=ends), "rhs": partial(at_best, ends=ends)}


CLAIM = Claim(
    id="GDT-0026",
    revision=1,
    title="γ* = 1/(λ_1 + √(λ_1λ_n) + λ_n) alone makes the condition number of the interval least",
    statement=r"""Let $\lambda_1=a^2>\lambda_n=b^2>0$, $f(\lambda,\gamma)=\lambda(1-\gamma\lambda)^2$, and
let $\kappa(\gamma)$ be $\max f/\min f$ over the interval $[\lambda_n,\lambda_1]$, infinite where $\min
f=0$: the least upper bound on $\kappa^{++}$ of the spectra in it. For every real
$\gamma\ne\gamma_*=1/(\lambda_1+\sqrt{\lambda_1\lambda_n}+\lambda_n)$,
$\kappa(\gamma)>\kappa(\gamma_*)=\kappa_*$ of GDT-0024. The reason, with
$\frac1{3\lambda_1}<\gamma_*<\min(\frac1{3\lambda_n},\frac1{\lambda_1})$: (1) for $\gamma<0$,
$\kappa(\gamma)>\kappa(0)=\lambda_1/\lambda_n$; (2) on $[0,\frac1{3\lambda_1}]$ it is
$f(\lambda_1)/f(\lambda_n)$ and falls (GDT-0022); (3) on $[\frac1{3\lambda_1},\frac1{3\lambda_n}]$, below
$\frac1{\lambda_1}$, it is the larger of a falling and a rising function (GDT-0025), which are equal at
$\gamma_*$ (GDT-0024); (4) on $[\frac1{3\lambda_n},\frac1{\lambda_1})$, if that is not empty, it is
$f(\lambda_n)/f(\lambda_1)$ and rises (GDT-0022); (5) on $[\frac1{\lambda_1},\frac1{\lambda_n}]$ it is
infinite; (6) beyond, it is
$\frac{\lambda_1}{\lambda_n}\bigl(\frac{\gamma\lambda_1-1}{\gamma\lambda_n-1}\bigr)^2
>(\lambda_1/\lambda_n)^3$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10", knowls=(2,)),
    ours=True,
    relation=Relation.LESS,
    assumptions=(
        Assumption(
            name="γ ≠ γ*",
            statement="γ is not γ*, where the two are equal.",
            violation=Variant(name="γ = γ*", lhs=partial(at_gamma, gamma=lambda p, a, b: best_gamma(a, b))),
        ),
        Assumption(
            name="an interval",
            statement="λ_1 > λ_n; on a single point every κ is 1 or infinite.",
            violation=Variant(name="λ_1 = λ_n", **both(lambda p: (p.b, p.b))),
        ),
        Assumption(
            name="full rank",
            statement="λ_n > 0; from 0 on every κ is infinite.",
            violation=Variant(name="λ_n = 0", **both(lambda p: (p.a, p.b * 0))),
        ),
    ),
    problem=IntervalAndGamma,
    example=IntervalAndGamma.smallest,
    lhs=at_gamma,
    rhs=at_best,
    mutants=(
        Mutant(
            name="1/(λ_1 + λ_n), without the root",
            kind=MutantKind.DROPPED,
            rhs=partial(at_best, gamma=lambda a, b: 1 / (a**2 + b**2)),
        ),
        Mutant(
            name="1/(√λ_1 + √λ_n)²",
            kind=MutantKind.FACTOR,
            rhs=partial(at_best, gamma=lambda a, b: 1 / (a + b) ** 2),
        ),
        Mutant(
            name="1/(3λ_1), where the peak enters",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(at_best, gamma=lambda a, b: 1 / (3 * a**2)),
        ),
        Mutant(
            name="1/(λ_1 - √(λ_1λ_n) + λ_n)",
            kind=MutantKind.SIGN,
            rhs=partial(at_best, gamma=lambda a, b: 1 / (a**2 - a * b + b**2)),
        ),
        Mutant(
            name="κ_* = q³/(27a²b²(a + b)²)",
            kind=MutantKind.FACTOR,
            lhs=partial(at_gamma, inverse_star=partial(inverse_kappa_star, peak_factor=1)),
        ),
    ),
    uses=("GDT-0021", "GDT-0022", "GDT-0024", "GDT-0025"),
)
