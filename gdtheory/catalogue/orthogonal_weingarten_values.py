"""The values of the orthogonal Weingarten function of two, four and six indices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gdtheory.constructions.pairings import loops, pairings
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import ArgumentError
from gdtheory.namespace import Array, Scalar, as_objects
from gdtheory.problems import PairingsInDimension
from gdtheory.wishart import weingarten


def row_of_product(
    p: PairingsInDimension,
    gram: Callable[[Scalar, tuple[int, ...]], Scalar] = lambda d, lengths: d ** len(lengths),
    sign: Callable[[tuple[int, ...]], int] = lambda lengths: 1,
    more: int = 0,
) -> Array:
    """Return the row of the Gram matrix of one pairing times the Weingarten matrix."""
    all_, value = list(pairings(tuple(range(2 * p.m)))), weingarten(p.d + more, p.m)
    row = [
        sum(gram(p.d, loops(all_[0], q)) * value[loops(q, r)] * sign(loops(q, r)) for q in all_) for r in all_
    ]
    return as_objects(row, (1, len(all_)))


def row_of_identity(p: PairingsInDimension) -> Array:
    """Return 1, 0, 0, ..."""
    size = len(list(pairings(tuple(range(2 * p.m)))))
    return as_objects([1] + [0] * (size - 1), (1, size))


CLAIM = Claim(
    id="GDT-0092",
    revision=1,
    title="The orthogonal Weingarten function of two, four and six indices, as rational functions of d",
    statement=r"""For pairings $p$, $q$ of $2m$ indices let $\ell(p,q)$ be the lengths of the loops of their
union, halved and sorted, and $G(p,q)=d^{|\ell(p,q)|}$ with $|\ell|$ the number of loops: the sum of
$\delta_p(a)\delta_q(a)$ over all values $a_1,\dots,a_{2m}\in\{1,\dots,d\}$. For $m\le3$ the inverse of $G$
has the entries $w(\ell(p,q))$ with $$\begin{aligned}w(1)&=\frac1d;\qquad w(1,1)=\frac{d+1}{d(d-1)(d+2)},\quad
w(2)=\frac{-1}{d(d-1)(d+2)};\\ w(1,1,1)&=\frac{d^2+3d-2}D,\quad w(2,1)=\frac{-(d+2)}D,\quad
w(3)=\frac2D,\qquad D=d(d-1)(d-2)(d+2)(d+4),\end{aligned}$$ for every number $d$ that is no root of the
denominators. Held for one row of $G$, as identities of rational functions of $d$; every other row is that
row with the indices renamed, which changes neither matrix. In the source,
$E\prod_tO_{a_tb_t}=\sum_{p,q}\delta_p(a)\,\delta_q(b)\,w(\ell(p,q))$ for $O$ of the
Haar measure of the orthogonal group.""",
    source=Source(key="collins2006integration", locator="the orthogonal Weingarten function"),
    assumptions=(
        Assumption(
            name="regular Gram matrix",
            statement="d is no root of the denominators: not 1 for m ≥ 2, and not 2 for m = 3.",
            violation=Refusal(problem=lambda: PairingsInDimension.exact(d=2, m=3), error=ArgumentError),
        ),
    ),
    problem=PairingsInDimension,
    example=lambda: PairingsInDimension.exact(d=10, m=2),
    lhs=row_of_product,
    rhs=row_of_identity,
    mutants=(
        Mutant(
            name="all values positive",
            kind=MutantKind.SIGN,
            lhs=partial(row_of_product, sign=lambda lengths: (-1) ** (sum(lengths) - len(lengths))),
        ),
        Mutant(
            name="G from the length of the longest loop",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(row_of_product, gram=lambda d, lengths: d ** lengths[0]),
        ),
        Mutant(name="d + 1 for d", kind=MutantKind.INDEX, lhs=partial(row_of_product, more=1)),
    ),
    waived={"float": "the values are computed exactly and nothing computes them in floats"},
)
