"""A layer that is no multiple of the identity, with less training loss than all that are."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.cot import population_loss, scalar_minimiser
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import SkewLayer

ETA = Fraction(1, 5)
SKEW = (0, 1, -1, 0)


def at_skew_layer(
    p: SkewLayer, eta: Fraction = ETA, k: int = 1, n: Any = lambda p: p.n, J: tuple[int, ...] = SKEW
) -> Array:
    """Return the loss at V = -3/100 I - J/10 and W = -7/4 I + 30 J."""
    one, off = (
        as_objects([Fraction(x) for x in (1, 0, 0, 1)], (2, 2)),
        as_objects([*map(Fraction, J)], (2, 2)),
    )
    V, W = one * Fraction(-3, 100) - off / 10, one * Fraction(-7, 4) + off * 30
    return as_objects([population_loss(V, W, n(p), k, eta)], (1, 1))


def least_at_scalars(p: SkewLayer, eta: Fraction = ETA, k: int = 1, n: Any = lambda p: p.n) -> Array:
    """Return the least loss among multiples of the identity."""
    return as_objects([scalar_minimiser(n(p), 2, k, eta).loss], (1, 1))


def elsewhere(name: str, **change: Any) -> Variant:
    """Return the claim for another rate, or other numbers of steps or examples."""
    return Variant(name=name, lhs=partial(at_skew_layer, **change), rhs=partial(least_at_scalars, **change))


CLAIM = Claim(
    id="GDT-0098",
    revision=1,
    title="For small rates a layer with skew parts has less training loss than all multiples of the identity",
    statement=r"""Let $L$ be the mean training loss of GDT-0075 in dimension $d=2$, for $k=1$ step of rate
$\eta=\frac15$ on $n$ examples, and $J=\begin{pmatrix}0&1\\-1&0\end{pmatrix}$. At
$V_{31}=-\frac3{100}I-\frac1{10}J$, $W_{13}=-\frac74I+30J$ it is smaller than at every $V_{31}=vI$,
$W_{13}=wI$, for all $11\le n\le49$: at $n=20$ it is $0.19466\dots$ against $0.21984\dots$, the value of
GDT-0080. So the minimum among multiples of $I$ is not the least of the training loss over the whole layer,
and what training from a start with skew parts converges to is not shown to be of that form. How small the
loss gets is not shown.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.1; eq. (8)"),
    ours=True,
    assumptions=(
        Assumption(
            name="a small rate",
            statement="The rate is 1/5.",
            violation=elsewhere("a rate of 2/5", eta=Fraction(2, 5)),
        ),
        Assumption(
            name="one step",
            statement="One step comes before the last token.",
            violation=elsewhere("two steps", k=2),
        ),
        Assumption(
            name="not too few examples",
            statement="There are at least 11 examples.",
            violation=elsewhere("eight fewer", n=lambda p: p.n - 8),
        ),
        Assumption(
            name="not too many examples",
            statement="There are at most 49 examples.",
            violation=elsewhere("39 more", n=lambda p: p.n + 39),
        ),
    ),
    problem=SkewLayer,
    example=lambda: SkewLayer(more=9),
    lhs=at_skew_layer,
    rhs=least_at_scalars,
    relation=Relation.LESS,
    mutants=(
        Mutant(
            name="J symmetric",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(at_skew_layer, J=(0, 1, 1, 0)),
        ),
        Mutant(name="J = 0", kind=MutantKind.DROPPED, lhs=partial(at_skew_layer, J=(0, 0, 0, 0))),
    ),
    uses=("GDT-0075", "GDT-0080", "GDT-0097"),
)
