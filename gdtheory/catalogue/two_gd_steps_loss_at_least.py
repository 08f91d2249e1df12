"""What two steps of gradient descent cannot fall below on the tasks of the source."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial

from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import TwoLayers
from gdtheory.reference.minima import loss_bounds
from gdtheory.reference.moments import Uniform
from gdtheory.reference.population import Exact, loss_of_rates

LAW, D = Uniform("1/2"), 10


Pair = tuple[Fraction, Fraction]
STATED = (Fraction("0.15661"), Fraction("0.14126"))


@cache
def reached() -> Pair:
    """Return the mean losses at η = 5.984 twice, and at η = 4.00 and 11.57."""
    return loss(LAW, D, D, "5.984", "5.984"), loss(LAW, D, D, "4.00", "11.57")


def loss(law: Uniform, d: int, N: int, eta_1: Exact, eta_2: Exact) -> Fraction:
    """Return the mean loss of two steps."""
    return loss_of_rates(law, d, N, [(eta_1, 0), (eta_2, 0)])


def bounds(p: TwoLayers, K: int = 2, half: bool = True) -> Array:
    """Return three rows of pairs: for two steps with one η, and for two steps with any.

    What K steps cannot fall below; by how much that is less than stated; the losses at the stated rates.
    """
    minima = loss_bounds(LAW, D, D, K, gdpp=False, half=half)
    missing = (stated - least for stated, least in zip(STATED, minima, strict=True))
    return as_objects([*minima, *missing, *reached()], (3, 2))


def losses(p: TwoLayers, N: int = D) -> Pair:
    """Return the mean losses of two steps with the rates (η_1, η_1), and with (η_1, η_2)."""
    return loss(LAW, D, N, p.eta_1, p.eta_1), loss(LAW, D, N, p.eta_1, p.eta_2)


def printed(p: TwoLayers) -> Pair:
    """Return the loss that two steps are said to have."""
    return Fraction("0.12"), Fraction("0.12")


def limits(p: TwoLayers, losses: Callable[[TwoLayers], Pair] = losses) -> Array:
    """Return the losses, zeros, and the stated bounds with their last digits raised by one."""
    return as_objects([*losses(p), 0, 0, *(stated + Fraction("0.00001") for stated in STATED)], (3, 2))


CLAIM = Claim(
    id="GDT-0046",
    revision=1,
    title="Two gradient-descent steps have a mean loss of at least 0.1566, or 0.1412 with two learning rates",
    statement=r"""In the setting of GDT-0043 with inputs uniform on $(-\frac12,\frac12)$ and $d=N=10$, two
gradient-descent steps with the same learning rate have a mean loss of at least $0.15661$, and below
$0.15662$ at $\eta=5.984$; with any two learning rates of at least $0.14126$, and below $0.14127$ at
$\eta=4.00$ and $11.57$.""",
    source=Source(key="vonoswald2023transformers", locator="Section 3, multiple steps", knowls=(7,)),
    ours=True,
    assumptions=(
        Assumption(
            name="N = 10",
            statement="The context holds ten pairs.",
            violation=Variant(name="twenty pairs", rhs=partial(limits, losses=partial(losses, N=20))),
        ),
    ),
    problem=TwoLayers,
    example=partial(TwoLayers.exact, eta_1=6, eta_2=6, gamma=0),
    relation=Relation.AT_MOST,
    lhs=bounds,
    rhs=limits,
    mutants=(
        Mutant(name="the minimum of one step", kind=MutantKind.INDEX, lhs=partial(bounds, K=1)),
        Mutant(
            name="the minimum without the half",
            kind=MutantKind.FACTOR,
            lhs=partial(bounds, half=False),
        ),
        Mutant(name="the minimum of three steps", kind=MutantKind.INDEX, lhs=partial(bounds, K=3)),
    ),
    errata=(
        Erratum(
            name="two steps reach 0.12",
            locator="Section 3, multiple steps, and the figure on two layers",
            printed="2 steps of standard GD: MSE loss ≈ 0.12",
            why="No learning rates reach it: 0.157 is the least with the same rate twice, 0.141 with two.",
            rhs=partial(limits, losses=printed),
        ),
    ),
    uses=("GDT-0045",),
)
