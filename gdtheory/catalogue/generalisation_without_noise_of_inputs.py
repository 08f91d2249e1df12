"""With as many inputs as one likes, chain of thought converges on other covariances too."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.cot.generalisation import population_generalisation_loss
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, Scalar, as_objects, namespace
from gdtheory.problems import BoundedSpectrum


def inside(p: BoundedSpectrum) -> Array:
    """Return eigenvalues with δ ≤ ηλ ≤ 2 - δ."""
    return p.eigenvalues


def descended(p: BoundedSpectrum, eigenvalues: Array, factor: int = 1) -> Scalar:
    """Return half the mean squared error of gradient descent from 0 with the covariance itself for S."""
    xp = namespace(p.places)
    scales = eigenvalues.reshape(p.d, 1) * p.eta * factor
    w_star = xp.normal("w*", p.d, 1)
    w = w_star * 0
    for _ in range(p.steps):
        w = w - scales * (w - w_star)
    return xp.mean(xp.squared_norm(w - w_star)) * Fraction(1, 2)


def bound(p: BoundedSpectrum, later: int = 0, d: int = 0) -> Scalar:
    """Return d/2 (1 - δ)^{2 steps}."""
    return (1 - p.delta) ** (2 * p.steps + later) * (d or p.d) / 2


def losses(p: BoundedSpectrum, eigenvalues: Any = inside, factor: int = 1) -> Array:
    """Return the loss by descent, by its formula, and by its formula again; and the bound."""
    spectrum = eigenvalues(p)
    formula = population_generalisation_loss(spectrum, p.steps, p.eta)
    return as_objects([descended(p, spectrum, factor), formula, formula, bound(p)], (4,))


def bounds(p: BoundedSpectrum, eigenvalues: Any = inside, later: int = 0, d: int = 0) -> Array:
    """Return the loss by its formula, by descent, and the bound; and the loss where ηλ is δ or 2 - δ."""
    spectrum, ends = eigenvalues(p), (p.delta / p.eta, (2 - p.delta) / p.eta)
    formula = population_generalisation_loss(spectrum, p.steps, p.eta)
    extreme = population_generalisation_loss([ends[i % 2] for i in range(p.d)], p.steps, p.eta)
    return as_objects([formula, descended(p, spectrum), bound(p, later, d), extreme], (4,))


def up_to(p: BoundedSpectrum, largest: Any) -> Array:
    """Return eigenvalues with δ ≤ ηλ up to another number."""
    return p.spread(largest(p))


CLAIM = Claim(
    id="GDT-0083",
    revision=1,
    title="For n = ∞ and δI ≤ ηΣ ≤ (2 - δ)I, k' tokens have a loss of at most d/2 (1 - δ)^(2k'+2)",
    statement=r"""Let the covariance $\Sigma$ of the inputs have the eigenvalues $\lambda_i$ with
$\delta\le\eta\lambda_i\le2-\delta$, $0\le\delta\le1$, and let $w_*\sim N(0,I_d)$. With $\Sigma$ itself for
$S$, as for $n\to\infty$, the layer of eq. (8) that generates $k'\ge0$ weight tokens from $w_0=0$ has the loss
$$\frac12\sum_{i=1}^d(1-\eta\lambda_i)^{2k'+2}\le\frac d2(1-\delta)^{2k'+2}.$$ It is an equality where every
$\eta\lambda_i$ is $\delta$ or $2-\delta$. The steps $k'$ may be more than those of training. For finite $n$
and $\eta\Sigma\ne0$ there is no such bound for all $k'$: the loss then grows without end.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.2, for n → ∞"),
    ours=True,
    assumptions=(
        Assumption(
            name="ηΣ ≤ (2 - δ)I",
            statement="No eigenvalue of ηΣ is above 2 - δ.",
            violation=Variant(
                name="up to 3",
                lhs=partial(losses, eigenvalues=partial(up_to, largest=lambda p: 3)),
                rhs=partial(bounds, eigenvalues=partial(up_to, largest=lambda p: 3)),
            ),
        ),
        Assumption(
            name="δI ≤ ηΣ",
            statement="No eigenvalue of ηΣ is below δ.",
            violation=Variant(
                name="down to δ/2",
                lhs=partial(losses, eigenvalues=partial(up_to, largest=lambda p: p.delta / 2)),
                rhs=partial(bounds, eigenvalues=partial(up_to, largest=lambda p: p.delta / 2)),
            ),
        ),
    ),
    problem=BoundedSpectrum,
    example=BoundedSpectrum.smallest,
    relation=Relation.AT_MOST,
    lhs=losses,
    rhs=bounds,
    mutants=(
        Mutant(name="the exponent is 2k' + 3", kind=MutantKind.INDEX, rhs=partial(bounds, later=1)),
        Mutant(name="without d", kind=MutantKind.DROPPED, rhs=partial(bounds, d=1)),
        Mutant(name="(1 + ηλ)", kind=MutantKind.SIGN, lhs=partial(losses, factor=-1)),
    ),
    uses=("GDT-0010", "GDT-0070"),
)
