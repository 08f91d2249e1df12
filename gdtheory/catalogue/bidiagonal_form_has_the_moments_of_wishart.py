"""What gradient descent sees of a random matrix is the corner of a bidiagonal one, moment by moment."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from gdtheory.constructions.bidiagonal import chi_degrees, chi_squared_moment, mean_of_corners
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar
from gdtheory.problems import CornerMoments
from gdtheory.wishart.traces import trace_moment


def bidiagonal(
    p: CornerMoments,
    degrees: Any = chi_degrees,
    moment: Any = chi_squared_moment,
    length: Any = chi_squared_moment,
) -> Scalar:
    """Return E r⁶ (T^i)_11 (T^j)_11 (T^k)_11, where r² has d degrees of freedom."""
    return length(p.d, 3) * mean_of_corners((p.i, p.j, p.k), partial(degrees, p.n, p.d), moment)


def shifted(n: Scalar, d: Scalar, edge: int, a: int = 0, b: int = 0) -> Scalar:
    """Return wrong degrees of freedom of a_i or of b_i."""
    return chi_degrees(n, d, edge) + (b if edge % 2 else a)


def wishart(p: CornerMoments, pair: int = 2) -> Scalar:
    """Return E (gᵀW^i g)(gᵀW^j g)(gᵀW^k g) for normal g: over all permutations, the product of the traces."""
    i, j, k = p.i, p.j, p.k
    pairs = sum(trace_moment(parts, p.n, p.d) for parts in ((i + j, k), (i + k, j), (j + k, i)))
    every, joined = (trace_moment(parts, p.n, p.d) for parts in ((i, j, k), (i + j + k,)))
    return every + pairs * pair + joined * 8


CLAIM = Claim(
    id="GDT-0065",
    revision=1,
    title="Gradient descent's error has the moments that a bidiagonal matrix of chi variables gives it",
    statement=r"""Let $W=XX^T$, where $X$ has shape $(d,n)$ and independent standard normal entries, and let
$g\sim N(0,I_d)$ be independent of it. Let $B$, of shape $(d,n)$, be lower bidiagonal with independent entries
$a_i=B_{ii}\sim\chi_{n-i+1}$ and $b_i=B_{i+1,i}\sim\chi_{d-i}$, $T=BB^T$, and let $r\sim\chi_d$ be independent
of $B$. Then, with $\tau_q=\operatorname{tr}W^q$, $$E\,r^6\,(T^i)_{11}(T^j)_{11}(T^k)_{11}
=E\,(g^TW^ig)(g^TW^jg)(g^TW^kg)$$ $$=E\bigl[\tau_i\tau_j\tau_k
+2(\tau_{i+j}\tau_k+\tau_{i+k}\tau_j+\tau_{j+k}\tau_i)+8\,\tau_{i+j+k}\bigr].$$ Held is that the first and the
last are the same polynomial in $n$ and $d$ for all $i+j+k\le5$; and at drawn $n$ and $d$ for $i\le3$,
$j,k\le2$. With $j=k=0$ it says $E(T^i)_{11}=\frac1dE\operatorname{tr}W^i$. The squared error of gradient
descent from $0$ on the teacher $g$ is $g^T(I-\frac\eta nW)^{2K}g$, so its first three moments are those of
$r^2\bigl((I-\frac\eta nT)^{2K}\bigr)_{11}$, from which it can be drawn: as reflections make $X$ bidiagonal,
the two agree in law.""",
    source=Source(key="dumitriu2002matrix", locator="the bidiagonal form of the real Laguerre ensemble"),
    ours=True,
    assumptions=(
        Assumption(
            name="normal teacher",
            statement="The teacher is g ~ N(0, I).",
            violation=Variant(
                name="a teacher of length √d, uniform on the sphere",
                lhs=partial(bidiagonal, length=lambda d, m: d**m),
            ),
        ),
    ),
    problem=CornerMoments,
    example=CornerMoments.smallest,
    lhs=bidiagonal,
    rhs=wishart,
    mutants=(
        Mutant(
            name="a_i has n - i degrees of freedom",
            kind=MutantKind.INDEX,
            lhs=partial(bidiagonal, degrees=partial(shifted, a=-1)),
        ),
        Mutant(
            name="b_i has d - i + 1 degrees of freedom",
            kind=MutantKind.INDEX,
            lhs=partial(bidiagonal, degrees=partial(shifted, b=1)),
        ),
        Mutant(
            name="n and d swapped in B",
            kind=MutantKind.ORDER,
            lhs=partial(bidiagonal, degrees=lambda n, d, edge: chi_degrees(d, n, edge)),
        ),
        Mutant(
            name="squared entries replaced by their means",
            kind=MutantKind.DROPPED,
            lhs=partial(bidiagonal, moment=lambda degrees, m: math.prod([degrees] * m, start=1)),
        ),
        Mutant(name="pairs weigh 1", kind=MutantKind.FACTOR, rhs=partial(wishart, pair=1)),
    ),
    uses=("GDT-0054",),
    waived={"float": "the moments are exact and nothing computes them in floats"},
)
