"""Between two values of γ the ratio of the end eigenvalues falls by an explicit product."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Scalar
from gdtheory.problems import EndsAndGammas
from gdtheory.reference.gdpp import transformed_eigenvalue


def cross_difference(p: EndsAndGammas) -> Scalar:
    """Return f_1(γ) f_n(γ') - f_1(γ') f_n(γ)."""
    f = transformed_eigenvalue
    one, other = p.gamma, p.gamma_next
    return f(p.lambda_1, one) * f(p.lambda_n, other) - f(p.lambda_1, other) * f(p.lambda_n, one)


def product(
    p: EndsAndGammas,
    last: Any = lambda A, B: A + B,
    gap: Any = lambda largest, least: largest - least,
    scale: Any = lambda largest, least: largest * least,
) -> Scalar:
    """Return λ_1 λ_n (γ' - γ)(λ_1 - λ_n)(A + B)."""
    A = (1 - p.gamma * p.lambda_1) * (1 - p.gamma_next * p.lambda_n)
    B = (1 - p.gamma_next * p.lambda_1) * (1 - p.gamma * p.lambda_n)
    ends = p.lambda_1, p.lambda_n
    return scale(*ends) * (p.gamma_next - p.gamma) * gap(*ends) * last(A, B)


CLAIM = Claim(
    id="GDT-0022",
    revision=1,
    title="f(λ_1, γ)/f(λ_n, γ) falls with γ by an explicit product",
    statement=r"""With $f_i(\gamma)=\lambda_i(1-\gamma\lambda_i)^2$, for all $\lambda_1$, $\lambda_n$,
$\gamma$ and $\gamma'$,
$$f_1(\gamma)f_n(\gamma')-f_1(\gamma')f_n(\gamma)=\lambda_1\lambda_n(\gamma'-\gamma)(\lambda_1-\lambda_n)(A+B),$$
$A=(1-\gamma\lambda_1)(1-\gamma'\lambda_n)$, $B=(1-\gamma'\lambda_1)(1-\gamma\lambda_n)$. For
$\lambda_1>\lambda_n>0$ and $0\le\gamma<\gamma'<\frac1{\lambda_1}$ every factor is positive, and so are
$f_n(\gamma)$ and $f_n(\gamma')$: $f_1/f_n$ falls strictly in $\gamma$ up to $\frac1{\lambda_1}$. For
$\gamma\le\frac1{3\lambda_1}$ it is $\kappa^{++}$ (GDT-0021).""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10", knowls=(2,)),
    ours=True,
    problem=EndsAndGammas,
    example=EndsAndGammas.distinct,
    lhs=cross_difference,
    rhs=product,
    mutants=(
        Mutant(name="A - B", kind=MutantKind.SIGN, rhs=partial(product, last=lambda A, B: A - B)),
        Mutant(name="A alone, twice", kind=MutantKind.DROPPED, rhs=partial(product, last=lambda A, B: A + A)),
        Mutant(
            name="λ_1 + λ_n",
            kind=MutantKind.SIGN,
            rhs=partial(product, gap=lambda largest, least: largest + least),
        ),
        Mutant(
            name="λ_n² in place of λ_1 λ_n",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(product, scale=lambda largest, least: least * least),
        ),
    ),
    uses=("GDT-0021",),
)
