"""The loss of a looped layer; with one loop it is that of one gradient-descent step."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.constructions.generation import looped_squared_error
from gdtheory.constructions.random_inputs import inputs
from gdtheory.cot.evaluation import binomial_mean
from gdtheory.cot.looped import looped_loss
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, column, namespace
from gdtheory.problems import LoopedTask
from gdtheory.wishart.one_row import trace_moments


def looped(p: LoopedTask, stretch: int = 1, query: int = 1, more: int = 0) -> Array:
    """Return the mean squared errors after `loops` loops and after one."""
    xp = namespace(p.like)
    X, w_star = inputs(p.like, p.d, p.n) * stretch, xp.normal("w*", 1, p.d)
    x = xp.normal("x", p.d, 1) * query
    return column(p.like, (looped_squared_error(X, w_star, x, p.a, L + more) for L in (p.loops, 1)))


def in_moments(p: LoopedTask) -> Scalar:
    """Return E tr (I - aS)^{2L}; the library's function takes no symbols."""
    if isinstance(p.a, Fraction):
        return looped_loss(p.n, p.d, p.loops, p.a)
    return binomial_mean(trace_moments(2 * p.loops, p.n, p.d), -p.a / p.n)


def completed_square(p: LoopedTask, one: int = 1, sign: int = 1) -> Scalar:
    """Return d(d+1)/(n+d+1) + d(n+d+1)/n (a - n/(n+d+1))², over the common denominator n(n+d+1)."""
    total = p.n + p.d + one
    return ((p.a * total - p.n * sign) ** 2 + p.n * (p.d + 1)) * p.d / (p.n * total)


def exact(p: LoopedTask, one_loop: Any = completed_square) -> Array:
    """Return the losses of `loops` loops and of one."""
    return column(p.like, (in_moments(p), one_loop(p)))


CLAIM = Claim(
    id="GDT-0088",
    revision=1,
    title="L loops have the loss E tr (I - aS)^(2L); one is d(d+1)/(n+d+1) + d(n+d+1)/n (a - n/(n+d+1))²",
    statement=r"""Let one linear self-attention layer with the preconditioner $aI$, as in GDT-0003 with
learning rate $a$ and $W_0=0$, be applied $L$ times to $n$ examples $(x_i,w_*x_i)$ and a query $x$, where all
entries of $w_*$, $x$ and the $x_i$ are independent and standard normal. With $S=\frac1n\sum_ix_ix_i^T$ the
mean squared error at the query is $E\operatorname{tr}(I-aS)^{2L}$. For one loop it is $$\frac{d(d+1)}{n+d+1}+
\frac{d(n+d+1)}n\Bigl(a-\frac n{n+d+1}\Bigr)^2,$$ so the best $a$ is $\frac n{n+d+1}$, and the loss is that of
the best single gradient-descent step. Held for $L\le2$ at all $n$, $d$ and $a$, with the moments of $S$ as
polynomials in $n$ and $d$.""",
    source=Source(key="huang2025transformers", locator="Section 5 and Appendix A.3"),
    assumptions=(
        Assumption(
            name="isotropic inputs",
            statement="The inputs are N(0, I).",
            violation=Variant(name="inputs N(0, 4I)", lhs=partial(looped, stretch=2)),
        ),
        Assumption(
            name="query of variance one",
            statement="The query is N(0, I).",
            violation=Variant(name="a query N(0, 4I)", lhs=partial(looped, query=2)),
        ),
    ),
    problem=LoopedTask,
    example=LoopedTask.smallest,
    lhs=looped,
    rhs=exact,
    mutants=(
        Mutant(
            name="n + d for n + d + 1",
            kind=MutantKind.DROPPED,
            rhs=partial(exact, one_loop=partial(completed_square, one=0)),
        ),
        Mutant(name="one loop less", kind=MutantKind.INDEX, lhs=partial(looped, more=-1)),
        Mutant(
            name="a + n/(n+d+1)",
            kind=MutantKind.SIGN,
            rhs=partial(exact, one_loop=partial(completed_square, sign=-1)),
        ),
    ),
    uses=("GDT-0003", "GDT-0054"),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
