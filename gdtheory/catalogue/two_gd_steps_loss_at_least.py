"""What two steps of gradient descent cannot fall below on the tasks of the source."""

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


def certified_minima(p: TwoLayers, K: int = 2, half: bool = True) -> Array:
    """Return what K steps with one η cannot fall below, and what no K steps can."""
    return as_objects(list(loss_bounds(LAW, D, D, K, gdpp=False, half=half)), (1, 2))


def losses(p: TwoLayers, N: int = D) -> Array:
    """Return the mean losses of two steps with the rates (η_1, η_1), and with (η_1, η_2)."""
    shared = loss_of_rates(LAW, D, N, [(p.eta_1, 0)] * 2)
    return as_objects([shared, loss_of_rates(LAW, D, N, [(p.eta_1, 0), (p.eta_2, 0)])], (1, 2))


def printed(p: TwoLayers) -> Array:
    """Return the loss that two steps are said to have."""
    return as_objects([Fraction(12, 100)] * 2, (1, 2))


CLAIM = Claim(
    id="GDT-0046",
    revision=1,
    title="Two gradient-descent steps have a mean loss of at least 0.1566, or 0.1412 with two learning rates",
    statement=r"""In the setting of GDT-0043 with inputs uniform on $(-\frac12,\frac12)$ and $d=N=10$, two
gradient-descent steps with the same learning rate have a mean loss of at least $0.15661$ (reached at
$\eta\approx5.984$), and with any two learning rates of at least $0.14126$ (reached at $\eta\approx4.00$
and $11.57$).""",
    source=Source(key="vonoswald2023transformers", locator="Section 3, multiple steps", knowls=(7,)),
    ours=True,
    assumptions=(
        Assumption(
            name="N = 10",
            statement="The context holds ten pairs.",
            violation=Variant(name="twenty pairs", rhs=partial(losses, N=20)),
        ),
    ),
    problem=TwoLayers,
    example=partial(TwoLayers.exact, eta_1=6, eta_2=6, gamma=0),
    relation=Relation.AT_MOST,
    lhs=certified_minima,
    rhs=losses,
    mutants=(
        Mutant(name="the minimum of one step", kind=MutantKind.INDEX, lhs=partial(certified_minima, K=1)),
        Mutant(
            name="the minimum without the half",
            kind=MutantKind.FACTOR,
            lhs=partial(certified_minima, half=False),
        ),
    ),
    errata=(
        Erratum(
            name="two steps reach 0.12",
            locator="Section 3, multiple steps, and the figure on two layers",
            printed="2 steps of standard GD: MSE loss ≈ 0.12",
            why="No learning rates reach it: 0.157 is the least with the same rate twice, 0.141 with two.",
            rhs=printed,
        ),
    ),
    uses=("GDT-0045",),
)
