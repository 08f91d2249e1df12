"""For which numbers of tokens chain of thought beats every layer without it."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache, partial

from gdtheory.cot.comparison import winning_range
from gdtheory.cot.evaluation import binomial_mean
from gdtheory.definition import Claim, Erratum, Mutant, MutantKind, Source
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import RateInTenths
from gdtheory.wishart.one_row import zonal_trace_moment

moment = cache(zonal_trace_moment)


@cache
def loss(n: int, d: int, steps: int, eta: Fraction) -> Fraction:
    """Return ½ E tr (I - ηS)^{2 steps} by zonal polynomials."""
    return binomial_mean([d, *(moment(j, n, d) for j in range(1, 2 * steps + 1))], -eta / n) / 2


def searched(p: RateInTenths, one: int = 1, steps: int = 1) -> Array:
    """Return the least and the largest k that wins, and how many do, looking at one k after another.

    The search ends at a k that does not win and has no smaller loss than the one before: by GDT-0070 no
    later one wins. Where none wins it returns 0, -1 and 0.
    """
    one_step = Fraction(p.d * (p.d + 1), 2 * (p.n + p.d + one))
    wins, before = [], None
    for k in itertools.count():
        now = loss(p.n, p.d, k + steps, p.eta)
        if now < one_step:
            wins.append(k)
        elif before is not None and now >= before:
            break
        before = now
    ends = (wins[0], wins[-1]) if wins else (0, -1)
    return as_objects([Fraction(x) for x in (*ends, len(wins))], (3,))


def interval(p: RateInTenths, shift: int = 0) -> Array:
    """Return the same for the interval of all k between two ends."""
    first, last = winning_range(p.n, p.d, p.eta) or (0, -1)
    return as_objects([Fraction(x) for x in (first + shift, last + shift, last - first + 1)], (3,))


def always(p: RateInTenths) -> Array:
    """Return what it would be if chain of thought won from its first token on."""
    _, last, _ = searched(p)
    return as_objects([Fraction(1), last, last], (3,))


CLAIM = Claim(
    id="GDT-0071",
    revision=1,
    title="Chain of thought beats one step exactly for the k of an interval, which may be empty",
    statement=r"""Let $L=\frac12E\operatorname{tr}(I-\eta S)^{2k+2}$ be the evaluation loss after $k$
generated tokens. The $k\ge0$ with $L<\frac{d(d+1)}{2(n+d+1)}$, the least loss without chain of thought, are
all those from a first to a last one, or none: `gdtheory.cot.comparison.winning_range` finds the ends, here
against a search from $k=0$ on with moments found in another way. Held at drawn $n\le5$, $d\le4$ and
$\eta=\frac1{10},\frac2{10},\dots,2$, and at $n=20$, $d=10$. That they are an interval follows from GDT-0070.
At $n=20$ and $d=10$ they are $3\le k\le63$ for $\eta=\frac15$, $1\le k\le21$ for $\eta=\frac25$, $1\le k\le8$
for $\eta=\frac35$, and none for $\eta=2$.""",
    source=Source(key="huang2025transformers", locator="Theorem 3.2 against Corollary 3.1"),
    ours=True,
    problem=RateInTenths,
    example=partial(RateInTenths, n=5, d=2, tenths=4),
    lhs=searched,
    rhs=interval,
    mutants=(
        Mutant(name="d(d+1)/(2(n+d))", kind=MutantKind.DROPPED, lhs=partial(searched, one=0)),
        Mutant(name="the exponent is 2k", kind=MutantKind.INDEX, lhs=partial(searched, steps=0)),
        Mutant(name="d(d+1)/(2(n+d+2))", kind=MutantKind.FACTOR, lhs=partial(searched, one=2)),
        Mutant(name="steps counted, not tokens", kind=MutantKind.INDEX, rhs=partial(interval, shift=1)),
    ),
    errata=(
        Erratum(
            name="chain of thought always wins",
            locator="below eq. (8), on the proof of Theorem 3.2",
            printed='"This is strictly better than a one-step GD solution by comparing with Corollary 3.1."',
            why="The source says so of numbers n of examples and k of tokens that grow with d. At fixed n, d "
            "and η it loses for few tokens, at n = 20, d = 10 and η = 1/5 for k ≤ 2, and for many, there for "
            "k ≥ 64; with large rates it loses for all.",
            rhs=always,
        ),
    ),
    uses=("GDT-0069", "GDT-0070"),
    waived={
        "derived": "the ends of the interval are no rational functions",
        "generic": "the ends of the interval are no rational functions",
        "float": "the ends are whole numbers and nothing computes them in floats",
    },
)
