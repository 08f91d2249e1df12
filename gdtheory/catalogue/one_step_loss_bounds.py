"""The best loss without chain of thought lies between d²/(4n) and d²/n."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import MoreExamples


def best_loss(n: int, d: int, more: int) -> Fraction:
    """Return d(d+1)/(2(n+d+1))."""
    return Fraction(d * (d + more), 2 * (n + d + 1))


def lower(p: MoreExamples, least: str = "1/4", fewer: bool = False, more: int = 1) -> Array:
    """Return the lower bound, and the loss."""
    n, d = (1, p.n + 1) if fewer else (p.n, p.d)
    return as_objects([Fraction(least) * Fraction(d**2, n), best_loss(n, d, more)], (2, 1))


def upper(p: MoreExamples, largest: str = "1", fewer: bool = False, more: int = 1) -> Array:
    """Return the loss, and the upper bound."""
    n, d = (1, p.n + 1) if fewer else (p.n, p.d)
    return as_objects([best_loss(n, d, more), Fraction(largest) * Fraction(d**2, n)], (2, 1))


CLAIM = Claim(
    id="GDT-0068",
    revision=1,
    title="For n ≥ d the best loss without chain of thought is between d²/(4n) and d²/n, and no closer",
    statement=r"""For $n\ge d\ge1$, $$\frac{d^2}{4n}<\frac{d(d+1)}{2(n+d+1)}<\frac{d^2}n.$$ The ratio to
$\frac{d^2}n$ is $r=\frac{n(d+1)}{2d(n+d+1)}$, which rises with $n$. At $n=d$ it is $\frac{d+1}{2(2d+1)}
=\frac14+\frac1{4(2d+1)}$, which falls to $\frac14$ as $d\to\infty$; as $n\to\infty$ it rises to
$\frac{d+1}{2d}\le1$, with equality for $d=1$. So neither constant can be improved, though neither is reached.
For $d\ge2$ the upper constant is $\frac34$. The upper bound needs no $n\ge d$.""",
    source=Source(key="huang2025transformers", locator="Corollary 3.1"),
    ours=True,
    assumptions=(
        Assumption(
            name="n ≥ d",
            statement="There are as many examples as input dimensions, or more.",
            violation=Variant(
                name="one example, two or more dimensions",
                lhs=partial(lower, fewer=True),
                rhs=partial(upper, fewer=True),
            ),
        ),
    ),
    problem=MoreExamples,
    example=partial(MoreExamples, d=10, more=10),
    relation=Relation.LESS,
    lhs=lower,
    rhs=upper,
    mutants=(
        Mutant(name="0.2501 for 1/4", kind=MutantKind.FACTOR, lhs=partial(lower, least="0.2501")),
        Mutant(name="0.9999 for 1", kind=MutantKind.FACTOR, rhs=partial(upper, largest="0.9999")),
        Mutant(
            name="d² for d(d+1)",
            kind=MutantKind.DROPPED,
            lhs=partial(lower, more=0),
            rhs=partial(upper, more=0),
        ),
    ),
    uses=("GDT-0066", "GDT-0067"),
)
