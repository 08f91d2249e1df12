"""γ f(λ, γ), over which the middle regime's condition number is 4/27, changes by an explicit product."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Scalar
from gdtheory.problems import EigenvalueAndGammas
from gdtheory.reference.gdpp import transformed_eigenvalue


def change(p: EigenvalueAndGammas) -> Scalar:
    """Return γ' f(λ, γ') - γ f(λ, γ)."""
    at_next = p.gamma_next * transformed_eigenvalue(p.eigenvalue, p.gamma_next)
    return at_next - p.gamma * transformed_eigenvalue(p.eigenvalue, p.gamma)


def product(
    p: EigenvalueAndGammas,
    last: Any = lambda u, v: (1 - u - v) * (1 - u - v) - u * v,
) -> Scalar:
    """Return (u' - u)((1 - u - u')² - u u') with u = γλ and u' = γ'λ."""
    u, u_next = p.gamma * p.eigenvalue, p.gamma_next * p.eigenvalue
    return (u_next - u) * last(u, u_next)


CLAIM = Claim(
    id="GDT-0025",
    revision=1,
    title="Between peak and root the condition number is the larger of 4/(27γf(λ_1)) and 4/(27γf(λ_n))",
    statement=r"""With $f(\lambda,\gamma)=\lambda(1-\gamma\lambda)^2$, $u=\gamma\lambda$ and
$u'=\gamma'\lambda$, for all $\lambda$, $\gamma$ and $\gamma'$, $$\gamma'f(\lambda,\gamma')-\gamma
f(\lambda,\gamma)=(u'-u)\bigl((1-u-u')^2-uu'\bigr).$$ For $u,u'\in[0,\frac13]$ that are not both
$\frac13$, $1-u-u'>\sqrt{uu'}$, since $u+u'+\sqrt{uu'}<1$: the last factor is positive and $\gamma f$
rises with $\gamma$. For $u,u'\in[\frac13,1]$, neither both $\frac13$ nor both $1$, it is negative, as
$1-u-u'<\sqrt{uu'}$ and $u+u'-1\le uu'<\sqrt{uu'}$, because $(1-u)(1-u')\ge0$ and $uu'<1$; $\gamma f$
falls. Where $\lambda_n\le\frac1{3\gamma}\le\lambda_1<\frac1\gamma$, the condition number of the interval
$[\lambda_n,\lambda_1]$ is the larger of $K_n$ and $K_1$, $K_i(\gamma)=\frac4{27\,\gamma
f(\lambda_i,\gamma)}$. So $K_n$ falls and $K_1$ rises with $\gamma$, and the larger of them is least where
they are equal.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10", knowls=(2,)),
    ours=True,
    problem=EigenvalueAndGammas,
    example=EigenvalueAndGammas.distinct,
    lhs=change,
    rhs=product,
    mutants=(
        Mutant(
            name="+ u u'",
            kind=MutantKind.SIGN,
            rhs=partial(product, last=lambda u, v: (1 - u - v) * (1 - u - v) + u * v),
        ),
        Mutant(
            name="the square alone",
            kind=MutantKind.DROPPED,
            rhs=partial(product, last=lambda u, v: (1 - u - v) * (1 - u - v)),
        ),
        Mutant(
            name="2u u'",
            kind=MutantKind.FACTOR,
            rhs=partial(product, last=lambda u, v: (1 - u - v) * (1 - u - v) - u * v * 2),
        ),
    ),
    uses=("GDT-0021",),
)
