"""At γ* = 1/(λ_1 + √(λ_1 λ_n) + λ_n) the ends λ_1 and λ_n have the same transformed eigenvalue."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import ExtremeSingularValues
from gdtheory.reference.gdpp import best_gamma, transformed_eigenvalue


def row(p: ExtremeSingularValues, *entries: Scalar) -> Array:
    """Return the entries side by side."""
    xp = namespace(p.a)
    return xp.block([[xp.ones(1, 1) * entry for entry in entries]])


def ends(p: ExtremeSingularValues) -> tuple[Scalar, Scalar]:
    """Return a and b as numbers."""
    xp = namespace(p.a)
    return xp.trace(p.a), xp.trace(p.b)


def at_the_optimum(p: ExtremeSingularValues, gamma_of: Any = best_gamma) -> Array:
    """Return f(λ_1), f(λ_n) and f(1/(3γ*)) at γ*, the last one also times 27 a²b²(a + b)²."""
    a, b = ends(p)
    gamma = gamma_of(a, b)
    peak = transformed_eigenvalue(1 / (gamma * 3), gamma)
    end = a * b * (a + b)
    at_ends = transformed_eigenvalue(a * a, gamma), transformed_eigenvalue(b * b, gamma)
    return row(p, *at_ends, peak, peak * (end * end * 27))


def closed_forms(p: ExtremeSingularValues, peak_factor: int = 4) -> Array:
    """Return m, m, 4q/27 and 4q³m for q = a² + ab + b² and m = (ab(a + b)/q)²."""
    a, b = ends(p)
    q = a * a + a * b + b * b
    root = a * b * (a + b) / q
    m = root * root
    return row(p, m, m, q * peak_factor / 27, m * (q * q * q * 4))


CLAIM = Claim(
    id="GDT-0024",
    revision=1,
    title="At γ* = 1/(λ_1 + √(λ_1λ_n) + λ_n) the ends λ_1 and λ_n have the same transformed eigenvalue",
    statement=r"""Let $\lambda_1=a^2$, $\lambda_n=b^2$, $q=a^2+ab+b^2$ with $a,b\ne0$ and $\gamma_*=1/q$;
for $a,b>0$ this is $\gamma_*=1/(\lambda_1+\sqrt{\lambda_1\lambda_n}+\lambda_n)$. With
$f(\lambda,\gamma)=\lambda(1-\gamma\lambda)^2$,
$$f(\lambda_1,\gamma_*)=f(\lambda_n,\gamma_*)=m=\Bigl(\frac{ab(a+b)}q\Bigr)^2,\qquad
f\bigl(\tfrac1{3\gamma_*},\gamma_*\bigr)=\frac4{27\gamma_*}=\frac{4q}{27},$$ and $27a^2b^2(a+b)^2$ times
the peak is $4q^3m$. So for $a>b>0$ the peak lies over $m$ by $\kappa_*=\frac{4q^3}{27a^2b^2(a+b)^2}$,
which is the condition number at $\gamma_*$ of the interval $[\lambda_n,\lambda_1]$: $q>3b^2$ and $q<3a^2$
put the peak inside it, and $q>a^2$ the root $\frac1{\gamma_*}$ outside. (Changing the sign of $b$ gives
the other solution of $f(\lambda_1)=f(\lambda_n)$, with $\frac1\gamma=a^2-ab+b^2$ inside.)""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10", knowls=(2,)),
    ours=True,
    problem=ExtremeSingularValues,
    example=ExtremeSingularValues.smallest,
    lhs=at_the_optimum,
    rhs=closed_forms,
    mutants=(
        Mutant(
            name="1/(λ_1 + λ_n), without the root",
            kind=MutantKind.DROPPED,
            lhs=partial(at_the_optimum, gamma_of=lambda a, b: 1 / (a * a + b * b)),
        ),
        Mutant(
            name="1/(√λ_1 + √λ_n)²",
            kind=MutantKind.FACTOR,
            lhs=partial(at_the_optimum, gamma_of=lambda a, b: 1 / (a * a + a * b * 2 + b * b)),
        ),
        Mutant(
            name="1/(λ_1 - √(λ_1λ_n) + λ_n)",
            kind=MutantKind.SIGN,
            lhs=partial(at_the_optimum, gamma_of=lambda a, b: 1 / (a * a - a * b + b * b)),
        ),
        Mutant(
            name="a peak of 1/(27γ*)",
            kind=MutantKind.FACTOR,
            rhs=partial(closed_forms, peak_factor=1),
        ),
    ),
    uses=("GDT-0021",),
)
