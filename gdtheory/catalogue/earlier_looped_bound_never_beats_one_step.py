"""The bound of earlier work on looped layers is larger than what one step reaches."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from gdtheory.cot.looped import earlier_bound_squared
from gdtheory.definition import Claim, Mutant, MutantKind, Relation, Source
from gdtheory.namespace import Scalar
from gdtheory.problems import LoopCounts


def one_step_squared(p: LoopCounts, factor: int = 32) -> Scalar:
    """Return 32 times the square of d(d+1)/(n+d+1)."""
    return factor * Fraction(p.d * (p.d + 1), p.n + p.d + 1) ** 2


def earlier_squared(p: LoopCounts) -> Scalar:
    """Return the square of d^{5/2} L 4^L / √n."""
    return earlier_bound_squared(p.n, p.d, p.loops)


def mistaken(p: LoopCounts, base: int = 16, n_power: int = 1) -> Scalar:
    """Return the same with another base or another power of n."""
    return Fraction(p.d**5 * p.loops**2 * base**p.loops, p.n**n_power)


CLAIM = Claim(
    id="GDT-0089",
    revision=1,
    title="The earlier bound d^(5/2) L 4^L / √n on a looped layer is above 5.6 times the loss of one step",
    statement=r"""For all $n,d,L\ge1$, $$\frac{d^{5/2}L\,4^L}{\sqrt n}\ge\sqrt{32}\,\frac{d(d+1)}{n+d+1},$$
with equality at $d=L=1$ and $n=2$. On the right is the loss that one loop has at best (GDT-0088). So a
guarantee that the loss is at most the left-hand side never shows that loops beat one gradient-descent step.
The left-hand side rises with $L$, and for $L=1$ the ratio of the squares is
$\frac{16\,d^3(n+d+1)^2}{n(d+1)^2}\ge\frac{64\,d^3}{d+1}\ge32$, as $(n+d+1)^2\ge4n(d+1)$. Held, for the
squares, at drawn $n$, $d$ and $L$.""",
    source=Source(key="huang2025transformers", locator="Section 5, on Theorem 4.2 of Gatmiry et al. (2024)"),
    problem=LoopCounts,
    example=LoopCounts.smallest,
    relation=Relation.AT_MOST,
    lhs=one_step_squared,
    rhs=earlier_squared,
    mutants=(
        Mutant(name="33 for 32", kind=MutantKind.FACTOR, lhs=partial(one_step_squared, factor=33)),
        Mutant(name="2^L for 4^L", kind=MutantKind.WRONG_INPUT, rhs=partial(mistaken, base=4)),
        Mutant(name="n for √n", kind=MutantKind.FACTOR, rhs=partial(mistaken, n_power=2)),
        Mutant(name="4^(L-1)", kind=MutantKind.INDEX, rhs=lambda p: mistaken(p) / 16),
    ),
    uses=("GDT-0088",),
)
