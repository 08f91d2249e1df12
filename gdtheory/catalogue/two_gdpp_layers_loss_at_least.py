"""What two layers of GD++ cannot fall below on the tasks of the source."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import TwoLayers
from gdtheory.reference.minima import loss_bounds
from gdtheory.reference.moments import Uniform
from gdtheory.reference.population import loss_of_rates

LAW, D = Uniform("1/2"), 10


def certified_minima(p: TwoLayers, degree: int = 4, half: bool = True) -> Array:
    """Return what two layers with one η and γ cannot fall below, and what no two layers can."""
    return as_objects(list(loss_bounds(LAW, D, D, degree, gdpp=True, half=half)), (1, 2))


def losses(p: TwoLayers, N: int = D) -> Array:
    """Return the mean losses of two layers that share η_1 and γ, and of two with η_1 and η_2."""
    shared = loss_of_rates(LAW, D, N, [(p.eta_1, p.gamma)] * 2)
    return as_objects([shared, loss_of_rates(LAW, D, N, [(p.eta_1, p.gamma), (p.eta_2, 0)])], (1, 2))


def printed(p: TwoLayers) -> Array:
    """Return the loss that a trained two-layer transformer, which GD++ is said to match, has."""
    return as_objects([Fraction(8, 100)] * 2, (1, 2))


CLAIM = Claim(
    id="GDT-0047",
    revision=1,
    title="Two layers of GD++ have a mean loss of at least 0.1104, or 0.0914 whatever each layer's η and γ",
    statement=r"""In the setting of GDT-0045 with inputs uniform on $(-\frac12,\frac12)$ and $d=N=10$, two
layers of GD++ with the same $\eta$ and $\gamma$ have a mean loss of at least $0.11049$ (reached at
$\eta\approx13.50$ and $\gamma\approx0.1760$), and with any $\eta$ and $\gamma$ in each layer of at least
$0.09147$, the least that $E\operatorname{tr}M^2$ allows for a polynomial $M$ in $S$ of degree 4 with
$M(0)=I$.""",
    source=Source(key="vonoswald2023transformers", locator="Section 3, multiple steps", knowls=(2, 7)),
    ours=True,
    assumptions=(
        Assumption(
            name="N = 10",
            statement="The context holds ten pairs.",
            violation=Variant(name="twenty pairs", rhs=partial(losses, N=20)),
        ),
    ),
    problem=TwoLayers,
    example=partial(TwoLayers.exact, eta_1="27/2", eta_2="27/2", gamma="22/125"),
    relation=Relation.AT_MOST,
    lhs=certified_minima,
    rhs=losses,
    mutants=(
        Mutant(name="M of degree 3", kind=MutantKind.INDEX, lhs=partial(certified_minima, degree=3)),
        Mutant(
            name="the minimum without the half",
            kind=MutantKind.FACTOR,
            lhs=partial(certified_minima, half=False),
        ),
    ),
    errata=(
        Erratum(
            name="two layers reach 0.08",
            locator="Section 3, multiple steps, and the figure on two layers",
            printed="2-layer recurrent transformer, as GD++ with meta-learned η and γ: MSE loss ≈ 0.08",
            why="With the same η and γ twice 0.110 is the least, and 0.091 with any in each layer.",
            rhs=printed,
        ),
    ),
    uses=("GDT-0045",),
)
