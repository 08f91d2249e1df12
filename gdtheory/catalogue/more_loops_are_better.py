"""Two loops or more have a smaller loss than one, at the right preconditioner."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from typing import Any

from gdtheory.cot.looped import looped_loss, looped_minimum
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import LoopCounts, ManyLoops

least_loss = cache(partial(looped_minimum, width="1e-6"))


def preconditioner(p: LoopCounts) -> Fraction:
    """Return n / (n + d + 2L)."""
    return Fraction(p.n, p.n + p.d + 2 * p.loops)


def losses(p: LoopCounts, a: Any = preconditioner) -> Array:
    """Return the loss at a, and an upper bound on the least loss."""
    at_a, least = looped_loss(p.n, p.d, p.loops, a(p)), least_loss(p.n, p.d, p.loops)
    return as_objects([at_a, least.loss[1]], (2,))


def one_loop(p: LoopCounts, half: int = 1) -> Array:
    """Return d(d+1)/(n+d+1), twice."""
    return as_objects([Fraction(p.d * (p.d + 1), (p.n + p.d + 1) * half)] * 2, (2,))


def single(side: Any, p: LoopCounts) -> Array:
    """Return a side for one loop."""
    return side(LoopCounts(n=p.n, d=p.d, loops=1))


CLAIM = Claim(
    id="GDT-0090",
    revision=1,
    title="Two to twelve loops beat one for all n and d, already at the preconditioner n/(n+d+2L)",
    statement=r"""For $2\le L\le12$ and all $n,d\ge1$, with $a=\frac n{n+d+2L}$,
$$E\operatorname{tr}(I-aS)^{2L}<\frac{d(d+1)}{n+d+1},$$ the least loss of one loop (GDT-0088). So the least
loss of $L$ loops over all $a$ is below it. Held at drawn $n$, $d$ and $L$. For all $n$ and $d$, and each $L$
from 2 to 12: times $(n+d+1)(n+d+2L)^{2L}$ the difference is a polynomial in $n-1$ and $d-1$ without a
negative coefficient, and with a positive constant. Nothing is shown here for $L>12$.""",
    source=Source(key="huang2025transformers", locator="Section 5, the theorem on looped layers, for L ≥ 2"),
    ours=True,
    assumptions=(
        Assumption(
            name="L ≥ 2",
            statement="There are two loops or more.",
            violation=Variant(name="one loop", lhs=partial(single, losses), rhs=partial(single, one_loop)),
        ),
    ),
    problem=ManyLoops,
    example=ManyLoops.smallest,
    relation=Relation.LESS,
    lhs=losses,
    rhs=one_loop,
    mutants=(
        Mutant(
            name="at the best preconditioner of one loop",
            kind=MutantKind.STALE,
            lhs=partial(losses, a=lambda p: Fraction(p.n, p.n + p.d + 1)),
        ),
        Mutant(name="at a = 1", kind=MutantKind.DROPPED, lhs=partial(losses, a=lambda p: Fraction(1))),
        Mutant(name="half the loss of one loop", kind=MutantKind.FACTOR, rhs=partial(one_loop, half=2)),
    ),
    uses=("GDT-0088",),
)
