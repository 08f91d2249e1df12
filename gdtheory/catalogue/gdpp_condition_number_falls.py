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
from gdtheory.reference.gdpp import extreme_eigenvalues


def given_spectrum(p: FallingGammas) -> list[Scalar]:
    """Return the spectrum of the problem."""
    return p.spectrum


Extremes = tuple[Scalar, Scalar]
"""The largest and the least eigenvalue."""


def extremes(
    p: FallingGammas, spectrum: Any = given_spectrum, gamma_factor: Any = lambda p: 1, sign: int = 1
) -> tuple[Extremes, Extremes]:
    """Return the extreme eigenvalues at γ and at γ'."""
    gammas = p.gamma * sign, p.gamma_next * gamma_factor(p) * sign
    at_gamma, at_next = (extreme_eigenvalues(spectrum(p), gamma) for gamma in gammas)
    return at_gamma, at_next


def later(p: FallingGammas, **changes: Any) -> Scalar:
    """Return the largest eigenvalue at γ' times the least at γ."""
    (_, least), (largest, _) = extremes(p, **changes)
    return largest * least


def earlier(p: FallingGammas, **changes: Any) -> Scalar:
    """Return the largest eigenvalue at γ times the least at γ'."""
    (largest, _), (_, least) = extremes(p, **changes)
    return largest * least


def both(**changes: Any) -> dict[str, Any]:
    """Return both sides with the same changes."""
    return {"lhs": partial(later, **changes), "rhs": partial(earlier, **changes)}


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
$\kappa^{++}(0)=\kappa=\lambda_1/\lambda_n$. It is checked as $\max f(\cdot,\gamma')\min f(\cdot,\gamma)<
\max f(\cdot,\gamma)\min f(\cdot,\gamma')$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10", knowls=(2,)),
    ours=True,
    relation=Relation.LESS,
    assumptions=(
        Assumption(
            name="two eigenvalues",
            statement="λ_1 > λ_n.",
            violation=Variant(name="all eigenvalues equal", **both(spectrum=lambda p: [max(p.spectrum)] * 2)),
        ),
        Assumption(
            name="full rank",
            statement="λ_n > 0, which takes N ≥ N_x.",
            violation=Variant(name="0 is an eigenvalue", **both(spectrum=lambda p: [0, *p.spectrum])),
        ),
        Assumption(
            name="γ' ≤ 1/(3λ_1)",
            statement="The larger γ' is at most 1/(3λ_1).",
            violation=Variant(name="γ' up to 1/λ_1", **both(gamma_factor=lambda p: 3)),
        ),
    ),
    problem=FallingGammas,
    example=FallingGammas.smallest,
    lhs=later,
    rhs=earlier,
    mutants=(
        Mutant(name="+γ", kind=MutantKind.SIGN, **both(sign=-1)),
        Mutant(
            name="γ' up to 1/(3λ_n)",
            kind=MutantKind.WRONG_INPUT,
            **both(gamma_factor=lambda p: max(p.spectrum) / min(p.spectrum)),
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
