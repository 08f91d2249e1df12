"""The bound of earlier work on looped layers is larger than what one step reaches."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.cot.looped import earlier_bound_squared
from gdtheory.definition import Claim, Mutant, MutantKind, Relation, Source
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import LoopCounts


def one_step_squared(n: int, d: int) -> Fraction:
    """Return the square of d(d+1)/(n+d+1)."""
    return Fraction(d * (d + 1), n + d + 1) ** 2


def ratio(d: int) -> Fraction:
    """Return 64 d³/(d+1)."""
    return Fraction(64 * d**3, d + 1)


def multiples_of_one_step(p: LoopCounts, least: int = 32) -> Array:
    """Return 32 and 64 d³/(d+1) times that square; and the earlier one at n = d + 1 and L = 1."""
    square = one_step_squared(p.n, p.d)
    return as_objects([least * square, ratio(p.d) * square, earlier_bound_squared(p.d + 1, p.d, 1)], (3,))


def earlier(p: LoopCounts, squared: Any = earlier_bound_squared) -> Array:
    """Return the squares of d^{5/2} L 4^L / √n for L and for 1; and the multiple at n = d + 1."""
    equal = ratio(p.d) * one_step_squared(p.d + 1, p.d)
    return as_objects([squared(p.n, p.d, p.loops), squared(p.n, p.d, 1), equal], (3,))


def mistaken(n: int, d: int, L: int, base: int = 16, n_power: int = 1, first: int = 1) -> Fraction:
    """Return the square with another base, another power of n, or 4^(L-1)."""
    return Fraction(d**5 * L**2 * base**L, first * n**n_power)


CLAIM = Claim(
    id="GDT-0089",
    revision=1,
    title="The earlier bound d^(5/2) L 4^L / √n on a looped layer is above 5.6 times the loss of one step",
    statement=r"""For all $n,d,L\ge1$, $$\frac{d^{5/2}L\,4^L}{\sqrt n}\ge\sqrt{32}\,\frac{d(d+1)}{n+d+1},$$
with equality at $d=L=1$ and $n=2$. On the right is the loss that one loop has at best (GDT-0088). So a
guarantee that the loss is at most the left-hand side never shows that loops beat one gradient-descent step.
The left-hand side rises with $L$, and for $L=1$ the ratio of the squares is
$\frac{16\,d^3(n+d+1)^2}{n(d+1)^2}\ge\frac{64\,d^3}{d+1}\ge32$, as $(n+d+1)^2\ge4n(d+1)$; the first of
these is an equality at $n=d+1$. Held, for the squares, at drawn $n$, $d$ and $L$.""",
    source=Source(key="huang2025transformers", locator="Section 5, on Theorem 4.2 of Gatmiry et al. (2024)"),
    problem=LoopCounts,
    example=LoopCounts.smallest,
    relation=Relation.AT_MOST,
    lhs=multiples_of_one_step,
    rhs=earlier,
    mutants=(
        Mutant(name="33 for 32", kind=MutantKind.FACTOR, lhs=partial(multiples_of_one_step, least=33)),
        Mutant(
            name="2^L for 4^L",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(earlier, squared=partial(mistaken, base=4)),
        ),
        Mutant(
            name="n for √n",
            kind=MutantKind.FACTOR,
            rhs=partial(earlier, squared=partial(mistaken, n_power=2)),
        ),
        Mutant(
            name="4^(L-1)",
            kind=MutantKind.INDEX,
            rhs=partial(earlier, squared=partial(mistaken, first=16)),
        ),
    ),
    uses=("GDT-0088",),
)
