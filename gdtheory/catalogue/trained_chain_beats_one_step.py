"""The chain of the layer with the least training loss of its form beats one step, and what it was taught."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.cot import evaluation_loss, generated_loss, scalar_minimiser
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import TrainedChain

ETA = Fraction(2, 5)
FIFTH = Fraction(1, 5)


def trained(
    p: TrainedChain, n: Any = lambda p: p.n, eta: Fraction = ETA, late: int = 1, at_gd: bool = False
) -> Array:
    """Return the evaluation loss of the layer with the least training loss, twice."""
    best = scalar_minimiser(n(p), p.d, p.k, eta)
    v, w = (-eta, 1) if at_gd else (best.v, best.w or 0)
    return as_objects([generated_loss(v, w, n(p), p.d, p.k + late)] * 2, (2, 1))


def others(p: TrainedChain, n: Any = lambda p: p.n, eta: Fraction = ETA) -> Array:
    """Return the least loss of one step, and the loss of gradient descent with the rate that is taught."""
    one_step = Fraction(p.d * (p.d + 1), 2 * (n(p) + p.d + 1))
    return as_objects([one_step, evaluation_loss(n(p), p.d, p.k + 1, eta)], (2, 1))


def elsewhere(name: str, **change: Any) -> Variant:
    """Return the claim for other numbers of examples or rates."""
    return Variant(name=name, lhs=partial(trained, **change), rhs=partial(others, **change))


CLAIM = Claim(
    id="GDT-0082",
    revision=2,
    title="The chain of the best layer with V₃₁ = vI, W₁₃ = wI beats one step, and the descent it was taught",
    statement=r"""Let $V_{31}=v_*I$, $W_{13}=w_*I$ be the minimum of GDT-0080, the least training loss among
multiples of $I$, for $k$ steps of rate $\eta=\frac25$ on $n$ examples in dimension $d$. The
weight vector that this layer generates after $k$ tokens
from $w_0=0$ has an evaluation loss (7) below $\frac{d(d+1)}{2(n+d+1)}$, which no layer without chain of
thought goes below, and below that of $k+1$ steps of gradient descent of rate $\eta$: for all $2\le d\le8$,
$2d\le n\le2d+8$ and $1\le k\le8$, and for $d=10$, $n\in\{20,40,100\}$ and $1\le k\le8$; no other sizes are
shown. At $n=20$, $d=10$ and $k=5$ the three losses are $0.49826\dots$, $1.77419\dots$ and $0.52395\dots$.
That the gradient flow ends at this minimum is not shown: at this rate it was seen to from many small starts,
while at $d=2$, $n=20$ and $\eta=\frac15$, quoted below, it is a saddle for $k=1$ and $2$ (GDT-0097); and for
$n=8$, $d=4$, $k=12$ it runs off from $V_{31}=\frac1{10}I$, $W_{13}=-\frac1{10}I$ along a valley where
$V_{31}$ falls to 0. The source's Theorem 4.1 is for large $d$, with $n=\Theta(d\operatorname{poly}\log d)$
and constants that are not printed.

The inequality with one step does not hold everywhere. With few examples it fails for large $k$ (at $d=2$,
$n=1$ and $\eta=\frac25$ for $k=2,\dots,8$), as rare large eigenvalues of $S$ make the mean loss grow; with
many examples, or a small rate, it fails for small $k$ (at $d=2$ and $n=60$ for $k=1$; at $d=2$, $n=20$ and
$\eta=\frac15$ for $k\le3$), where $k+1$ small steps do not come far enough.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.1, and Corollary 3.1 to compare"),
    ours=True,
    assumptions=(
        Assumption(
            name="enough examples",
            statement="There are at least 2d examples.",
            violation=elsewhere("one example", n=lambda p: 1),
        ),
        Assumption(
            name="not too many examples for the number of steps",
            statement="There are at most 10d examples.",
            violation=elsewhere("30d examples", n=lambda p: 30 * p.d),
        ),
        Assumption(
            name="a rate of 2/5",
            statement="The steps that are taught have the rate 2/5.",
            violation=elsewhere("a rate of 1/5", eta=FIFTH),
        ),
    ),
    problem=TrainedChain,
    example=lambda: TrainedChain(d=10, more=0, k=5),
    lhs=trained,
    rhs=others,
    relation=Relation.LESS,
    mutants=(
        Mutant(name="k steps for k + 1", kind=MutantKind.INDEX, lhs=partial(trained, late=0)),
        Mutant(name="at (-η, 1)", kind=MutantKind.WRONG_INPUT, lhs=partial(trained, at_gd=True)),
    ),
    uses=("GDT-0080", "GDT-0095", "GDT-0097"),
)
