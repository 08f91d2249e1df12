"""What E tr (S - I)^{2L} tends to for many inputs: a Gaussian matrix, and a Catalan number."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.constructions.random_inputs import power
from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Array, Scalar, column, namespace
from gdtheory.problems import CentredPowers
from gdtheory.wishart.one_row import trace_moments


def centred(n: Scalar, d: Scalar, L: int) -> Scalar:
    """Return f(n, d) = E tr (W - nI)^{2L}."""
    m = trace_moments(2 * L, n, d)
    return sum(m[j] * math.comb(2 * L, j) * (-n) ** (2 * L - j) for j in range(2 * L + 1))


def difference(f: Any, start: Scalar, order: int) -> Scalar:
    """Return Σ_j (-1)^{order - j} C(order, j) f(start + j)."""
    return sum(f(start + j) * (-1) ** (order - j) * math.comb(order, j) for j in range(order + 1))


def differences(p: CentredPowers, f: Any = centred, less: int = 0) -> Array:
    """Return tr(A)/d times the difference of f of order L in n; and that, of order L + 1 in d."""
    order = p.L - less
    in_n = partial(difference, start=p.n, order=order)
    first = in_n(lambda n: f(n, p.d, p.L)) * (namespace(p.A).trace(p.A) / p.d)
    second = difference(lambda d: in_n(lambda n: f(n, d, p.L)), p.d, p.L + 1)
    return column(p.A, (first, second))


def limits(p: CentredPowers, diagonal: int = 2, catalan: Any = lambda L: math.factorial(2 * L)) -> Array:
    """Return L! E tr A G^{2L} with G = (B + Bᵀ)/√2, B standard normal; and L! (L + 1)! Cat_L = (2L)!."""
    xp = namespace(p.A)
    B = xp.normal("B", p.d, p.d)
    moment = xp.mean(xp.trace(p.A @ power(B + B.T, 2 * p.L))) * Fraction(1, diagonal**p.L)
    return column(p.A, (moment * math.factorial(p.L), catalan(p.L)))


CLAIM = Claim(
    id="GDT-0091",
    revision=1,
    title="E tr (S - I)^(2L) has the leading term Cat_L d^(L+1)/n^L, and the order 1/n^L is that of a GOE",
    statement=r"""Let $f(n,d)=E\operatorname{tr}(W-nI)^{2L}$, $W=nS=XX^T$ with $X$ of shape $(d,n)$ and
independent standard normal entries, and let $G$ be a symmetric Gaussian matrix with variances 1 off and 2 on
the diagonal. The polynomial $f$ has degree $L$ in $n$, and the coefficient of $n^L$ is
$E\operatorname{tr}G^{2L}$, which has degree $L+1$ in $d$ and the leading coefficient
$\frac1{L+1}\binom{2L}L=\mathrm{Cat}_L$. What is held, for $L\le2$ at all $n$ and $d$ and for $L=3$ at small
ones, are the differences of $f$: of order $L$ in $n$ it is $L!\,E\operatorname{tr}G^{2L}$, whatever $n$ is;
of that, of order $L+1$ in $d$ it is $L!\,(L+1)!\,\mathrm{Cat}_L=(2L)!$, whatever $d$ is. So
$n^LE\operatorname{tr}(S-I)^{2L}\to E\operatorname{tr}G^{2L}$ for fixed $d$. As all terms $n^ad^b$ of $f$ have
$a\le L$ and $a+b\le2L+1$, $E\operatorname{tr}(S-I)^{2L}\sim d\,\mathrm{Cat}_L(d/n)^L$ for $d\to\infty$ and
$d/n\to0$. The least loss of $L$ loops (GDT-0088) is at most that of $a=1$, which this is.""",
    source=Source(key="huang2025transformers", locator="Section 5 and Appendix A.3, the loss of L loops"),
    ours=True,
    problem=CentredPowers,
    example=CentredPowers.smallest,
    lhs=differences,
    rhs=limits,
    mutants=(
        Mutant(
            name="S not centred",
            kind=MutantKind.DROPPED,
            lhs=partial(differences, f=lambda n, d, L: trace_moments(2 * L, n, d)[2 * L]),
        ),
        Mutant(
            name="variances 2 off and 4 on the diagonal",
            kind=MutantKind.FACTOR,
            rhs=partial(limits, diagonal=1),
        ),
        Mutant(
            name="Cat_{L+1}",
            kind=MutantKind.INDEX,
            rhs=partial(limits, catalan=lambda L: math.factorial(2 * L + 2)),
        ),
        Mutant(
            name="the difference of one order less in n",
            kind=MutantKind.INDEX,
            lhs=partial(differences, less=1),
        ),
    ),
    uses=("GDT-0054", "GDT-0088"),
    waived={"float": "the moments are exact and nothing computes them in floats"},
)
