"""The polynomials E W, ..., E W⁶ of the real Wishart matrix, and what two packages return in their place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gdtheory.constructions.random_inputs import equal_inputs, gram, inputs, power, uncentred_inputs
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import WishartPower


def mean_of_power(p: WishartPower, X: Callable[..., Array] = inputs) -> Array:
    """Return E[Wᵏ] A by pairing the factors X in all ways."""
    return namespace(p.A).mean(power(gram(X(p.A, p.d, p.n)), p.k)) @ p.A


def table(n: Any, d: Any) -> tuple[Scalar, ...]:
    """Return w_1, ..., w_6."""
    third = n**2 + 3 * n * d + d**2 + 3 * (n + d) + 4
    fourth = n**3 + 6 * n**2 * d + 6 * n * d**2 + d**3
    fourth += 6 * n**2 + 17 * n * d + 6 * d**2 + 21 * (n + d) + 20
    fifth = n**4 + 10 * n**3 * d + 20 * n**2 * d**2 + 10 * n * d**3 + d**4
    fifth += 10 * n**3 + 55 * n**2 * d + 55 * n * d**2 + 10 * d**3
    fifth += 65 * n**2 + 175 * n * d + 65 * d**2 + 160 * (n + d) + 148
    sixth = n**5 + 15 * n**4 * d + 50 * n**3 * d**2 + 50 * n**2 * d**3 + 15 * n * d**4 + d**5
    sixth += 15 * n**4 + 135 * n**3 * d + 262 * n**2 * d**2 + 135 * n * d**3 + 15 * d**4
    sixth += 155 * n**3 + 787 * n**2 * d + 787 * n * d**2 + 155 * d**3
    sixth += 701 * n**2 + 1827 * n * d + 701 * d**2 + 1620 * (n + d) + 1348
    return n, n * (n + d + 1), n * third, n * fourth, n * fifth, n * sixth


def from_table(
    p: WishartPower,
    entry: Callable[..., Scalar] = lambda k, n, d: table(n, d)[k - 1],
    divisor: Callable[[WishartPower], Scalar] = lambda p: 1,
) -> Array:
    """Return w_k A."""
    return p.A * entry(p.k, p.n, p.d) / divisor(p)


CLAIM = Claim(
    id="GDT-0056",
    revision=1,
    title="The polynomials E W^k = w_k(n, d) I of the real Wishart matrix for k = 1, ..., 6",
    statement=r"""Let $W=XX^T$, where $X$ of shape $(d,n)$ has independent standard normal entries. For all
$n$ and $d$ and $k\le6$, $E\,W^k=w_kI$ with $$\begin{aligned}
w_1&=n,\qquad w_2=n(n+d+1),\qquad w_3=n\bigl(n^2+3nd+d^2+3(n+d)+4\bigr),\\
w_4&=n\bigl(n^3+6n^2d+6nd^2+d^3+6n^2+17nd+6d^2+21(n+d)+20\bigr),\\
w_5&=n\bigl(n^4+10n^3d+20n^2d^2+10nd^3+d^4+10n^3+55n^2d+55nd^2+10d^3\\
&\qquad+65n^2+175nd+65d^2+160(n+d)+148\bigr),\\
w_6&=n\bigl(n^5+15n^4d+50n^3d^2+50n^2d^3+15nd^4+d^5+15n^4+135n^3d+262n^2d^2+135nd^3+15d^4\\
&\qquad+155n^3+787n^2d+787nd^2+155d^3+701n^2+1827nd+701d^2+1620(n+d)+1348\bigr).\end{aligned}$$
At $n=20$ and $d=10$ they are 20, 620, 23880, 1041000, 49248960 and 2474256960. So $S=\frac1nW$ has
$E\,S^2=\frac{n+d+1}nI$.""",
    source=Source(key="letac2004all", locator="E(U^k) for Σ = I"),
    assumptions=(
        Assumption(
            name="centred entries",
            statement="The entries of X have mean 0.",
            violation=Variant(name="mean 1", lhs=partial(mean_of_power, X=uncentred_inputs)),
        ),
        Assumption(
            name="independent columns",
            statement="The columns of X are independent.",
            violation=Variant(name="n equal columns", lhs=partial(mean_of_power, X=equal_inputs)),
        ),
    ),
    problem=WishartPower,
    example=WishartPower.smallest,
    lhs=mean_of_power,
    rhs=from_table,
    mutants=(
        Mutant(
            name="w_2 = n(n + d)",
            kind=MutantKind.DROPPED,
            rhs=partial(from_table, entry=lambda k, n, d: n * (n + d) if k == 2 else table(n, d)[k - 1]),
        ),
        Mutant(
            name="E tr W^k for E[W^k]_11",
            kind=MutantKind.FACTOR,
            rhs=partial(from_table, entry=lambda k, n, d: table(n, d)[k - 1] * d),
        ),
        Mutant(
            name="w_(k+1) for w_k",
            kind=MutantKind.INDEX,
            rhs=partial(from_table, entry=lambda k, n, d: table(n, d)[k]),
        ),
    ),
    errata=(
        Erratum(
            name="wishmom_sym",
            locator="R package wishmom 1.1.0, function wishmom_sym, k ≥ 2",
            printed="1194 for E[W³]_11 at n = 20, Σ = I, d = 10",
            why="The factor n that all terms share is dropped: w_3 is 20 · 1194 = 23880.",
            rhs=partial(from_table, divisor=lambda p: p.n if p.k > 1 else 1),
        ),
        Erratum(
            name="WishartMoments.evaluate_moment",
            locator="Python package WishartMoments 0.0.3, method evaluate_moment",
            printed="1240 for E[W²]_11 at n = 20, Σ = I, d = 10",
            why="The moment comes k times: w_2 is 1240 / 2 = 620. The symbolic result is right.",
            rhs=partial(from_table, entry=lambda k, n, d: table(n, d)[k - 1] * k),
        ),
    ),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
