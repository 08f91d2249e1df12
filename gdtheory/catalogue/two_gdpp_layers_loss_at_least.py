"""What two layers of GD++ cannot fall below on the tasks of the source."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial

from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import TwoLayers
from gdtheory.reference.minima import loss_bounds
from gdtheory.reference.moments import Uniform
from gdtheory.reference.population import loss_of_rates

LAW, D = Uniform("1/2"), 10


Pair = tuple[Fraction, Fraction]
STATED = (Fraction("0.11049"), Fraction("0.09147"))
LAST_DIGIT = Fraction("0.00001")


@cache
def reached() -> Pair:
    """Return the mean losses at η = 13.50, γ = 0.1760 twice, and at η = 4.129, γ = 0.3996 and η = 36.54."""
    shared = [("13.50", "0.1760")] * 2
    return loss_of_rates(LAW, D, D, shared), loss_of_rates(LAW, D, D, [("4.129", "0.3996"), ("36.54", 0)])


def bounds(p: TwoLayers, degree: int = 4, N: int = D, half: bool = True) -> Array:
    """Return four rows of pairs: for two layers with one η and γ, and for two layers with any.

    What the loss cannot fall below, M being of that degree; by how much that is less than stated, and
    more; the losses at the stated rates.
    """
    minima = loss_bounds(LAW, D, N, degree, gdpp=True, half=half)
    missing = [stated - least for stated, least in zip(STATED, minima, strict=True)]
    return as_objects([*minima, *missing, *(-difference for difference in missing), *reached()], (4, 2))


def losses(p: TwoLayers, N: int = D) -> Pair:
    """Return the mean losses of two layers that share η_1 and γ, and of two with η_1 and η_2."""
    shared = loss_of_rates(LAW, D, N, [(p.eta_1, p.gamma)] * 2)
    return shared, loss_of_rates(LAW, D, N, [(p.eta_1, p.gamma), (p.eta_2, 0)])


def printed(p: TwoLayers) -> Pair:
    """Return the loss of a trained two-layer recurrent transformer, said to align with GD++."""
    return Fraction("0.08"), Fraction("0.08")


def limits(p: TwoLayers, losses: Callable[[TwoLayers], Pair] = losses) -> Array:
    """Return the losses, zeros, one unit of the last digit, and what the losses at the stated rates reach."""
    shared = STATED[0] + LAST_DIGIT
    return as_objects([*losses(p), 0, 0, LAST_DIGIT, LAST_DIGIT, shared, Fraction("0.09215")], (4, 2))


CLAIM = Claim(
    id="GDT-0047",
    revision=1,
    title="Two layers of GD++ have a mean loss of at least 0.1104, or 0.0914 whatever each layer's η and γ",
    statement=r"""In the setting of GDT-0045 with inputs uniform on $(-\frac12,\frac12)$ and $d=N=10$, two
layers of GD++ with the same $\eta$ and $\gamma$ have a mean loss of at least $0.11049$, and below
$0.11050$ at $\eta=13.50$ and $\gamma=0.1760$. With any $\eta$ and $\gamma$ in each layer it is not below
$0.09147$, which is, but for further decimals, the least of $\frac12m_2E\operatorname{tr}M^2$ over all
polynomials $M$ in $S$ of degree 4 with $M(0)=I$; it is below $0.09215$ at $\eta=4.129$ and
$\gamma=0.3996$ in the first layer and $\eta=36.54$ in the second, whose $\gamma$ plays no part.""",
    source=Source(key="vonoswald2023transformers", locator="Section 3, multiple steps", knowls=(2, 7)),
    ours=True,
    assumptions=(
        Assumption(
            name="N = 10",
            statement="The context holds ten pairs.",
            violation=Variant(name="twenty pairs", rhs=partial(limits, losses=partial(losses, N=20))),
        ),
    ),
    problem=TwoLayers,
    example=partial(TwoLayers.exact, eta_1="27/2", eta_2="27/2", gamma="22/125"),
    relation=Relation.AT_MOST,
    lhs=bounds,
    rhs=limits,
    mutants=(
        Mutant(name="M of degree 3", kind=MutantKind.INDEX, lhs=partial(bounds, degree=3)),
        Mutant(
            name="the minimum without the half",
            kind=MutantKind.FACTOR,
            lhs=partial(bounds, half=False),
        ),
        Mutant(name="the minimum for eleven pairs", kind=MutantKind.WRONG_INPUT, lhs=partial(bounds, N=11)),
    ),
    errata=(
        Erratum(
            name="two layers that align with GD++ reach 0.08",
            locator="Section 3, multiple steps, and the figure on two layers",
            printed="2-layer recurrent transformer: MSE loss ≈ 0.08; cosine similarity ≈ 1.0 with GD++ using"
            " meta-learned η and γ",
            why="The loss is that of a trained transformer, which then is no GD++: two layers of GD++ have at"
            " least 0.110 with the same η and γ twice, and 0.091 with any in each.",
            rhs=partial(limits, losses=printed),
        ),
    ),
    uses=("GDT-0045",),
)
