"""The condition number falls strictly while γ rises from 0 to 1/(3λ_1)."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import (
    Assumption,
    Claim,
    Erratum,
    Mutant,
    MutantKind,
    Relation,
    Source,
    Variant,
)
from gdtheory.namespace import Scalar
from gdtheory.problems import FallingGammas
from gdtheory.reference.gdpp import extreme_eigenvalues, inverse_condition_number


def inverse_kappa(p: FallingGammas, gamma: Any, spectrum: Any = lambda p: p.spectrum) -> Scalar:
    """Return 1/κ⁺⁺(γ), which is a fraction for every γ."""
    return inverse_condition_number(*extreme_eigenvalues(spectrum(p), gamma(p)))


earlier = partial(inverse_kappa, gamma=lambda p: p.gamma)
later = partial(inverse_kappa, gamma=lambda p: p.gamma_next)


def both(spectrum: Any) -> dict[str, Any]:
    """Return both sides with another spectrum."""
    return {"lhs": partial(earlier, spectrum=spectrum), "rhs": partial(later, spectrum=spectrum)}


def distance_of_the_least(p: FallingGammas, gamma: Any) -> Scalar:
    """Return |1 - γλ_n|: how far λ_n is from the root 1/γ, in units of the root."""
    return abs(1 - gamma(p) * min(p.spectrum))


CLAIM = Claim(
    id="GDT-0023",
    revision=1,
    title="The condition number falls strictly while γ rises from 0 to 1/(3λ_1)",
    statement=r"""Let $\lambda_1\ge\dots\ge\lambda_n$ be any spectrum with $\lambda_1>\lambda_n>0$ and
$\kappa^{++}(\gamma)=\max_if(\lambda_i,\gamma)/\min_if(\lambda_i,\gamma)$,
$f(\lambda,\gamma)=\lambda(1-\gamma\lambda)^2$. For $0\le\gamma<\gamma'\le\frac1{3\lambda_1}$,
$\kappa^{++}(\gamma')<\kappa^{++}(\gamma)$: up to $\frac1{3\lambda_1}$ every $\gamma>0$ improves on
$\kappa^{++}(0)=\kappa=\lambda_1/\lambda_n$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10", knowls=(2,)),
    ours=True,
    relation=Relation.LESS,
    assumptions=(
        Assumption(
            name="two eigenvalues",
            statement="λ_1 > λ_n.",
            violation=Variant(name="all eigenvalues equal", **both(lambda p: [max(p.spectrum)] * 2)),
        ),
        Assumption(
            name="full rank",
            statement="λ_n > 0, which takes N ≥ N_x.",
            violation=Variant(name="0 is an eigenvalue", **both(lambda p: [0, *p.spectrum])),
        ),
        Assumption(
            name="γ' ≤ 1/(3λ_1)",
            statement="The larger γ' is at most 1/(3λ_1).",
            violation=Variant(name="γ' up to 1/λ_1", rhs=partial(later, gamma=lambda p: 3 * p.gamma_next)),
        ),
    ),
    problem=FallingGammas,
    example=FallingGammas.smallest,
    lhs=earlier,
    rhs=later,
    mutants=(
        Mutant(
            name="+γ",
            kind=MutantKind.SIGN,
            lhs=partial(earlier, gamma=lambda p: -p.gamma),
            rhs=partial(later, gamma=lambda p: -p.gamma_next),
        ),
        Mutant(
            name="γ' up to 1/(3λ_n)",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(later, gamma=lambda p: p.gamma_next * max(p.spectrum) / min(p.spectrum)),
        ),
    ),
    errata=(
        Erratum(
            name="too small a γ",
            locator="Appendix A.10",
            printed='"Note that with too small γ, we move the original λ_n closer to the root of f(λ, γ) '
            'i.e. λ = 1/γ and therefore can change the smallest eigenvalue."',
            why="The smaller γ is, the farther is the root 1/γ from λ_n, and from all other eigenvalues. It "
            "must read too large a γ, and λ_1: as γ grows, 1/γ comes down to λ_1 first.",
            lhs=partial(distance_of_the_least, gamma=lambda p: p.gamma),
            rhs=partial(distance_of_the_least, gamma=lambda p: p.gamma_next),
        ),
    ),
    uses=("GDT-0021", "GDT-0022"),
)
