"""E tr Sⁱ A Sʲ B Sᵏ C for a Wishart matrix: fifteen pairings of six indices, in five classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from gdtheory.constructions.random_inputs import equal_inputs, gram, inputs, power
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import ThreeFactors
from gdtheory.wishart import contraction, mixed_coefficients


def mean_of_trace(p: ThreeFactors, X: Callable[..., Array] = inputs) -> Scalar:
    """Return E tr Sⁱ A Sʲ B Sᵏ C by pairing the factors X in all ways."""
    xp, W = namespace(p.A), gram(X(p.A, p.d, p.n))
    i, j, k = p.powers
    A = p.A / p.n ** (i + j + k)
    return xp.mean(xp.trace(power(W, i) @ A @ power(W, j) @ p.B @ power(W, k) @ p.C))


def by_pairings(
    p: ThreeFactors,
    classes: Callable[[tuple[Scalar, ...]], Sequence[Scalar]] = lambda c: c,
    factors: Callable[[ThreeFactors], tuple[Array, ...]] = lambda p: (p.A, p.B, p.C),
) -> Scalar:
    """Return what the five classes of pairings join A, B and C to."""
    f, g, h = ([0] * exponent + [1] for exponent in p.powers)
    return contraction(classes(mixed_coefficients(f, g, h, p.n, p.d)), *factors(p))


CLAIM = Claim(
    id="GDT-0064",
    revision=1,
    title="E tr SⁱASʲBSᵏC is a sum over the 15 pairings of six indices, with five coefficients",
    statement=r"""Let $S=\frac1nXX^T$, where $X$ of shape $(d,n)$ has independent standard normal entries.
Since $OSO^T$ has the law of $S$ for every orthogonal $O$, $E[S^i_{ab}S^j_{cd}S^k_{ef}]$ is a combination of
the 15 products of three Kronecker deltas, one for each pairing of the indices, and as powers of $S$ are
symmetric it has five coefficients: $c_0$ where each power is paired with itself, $c_1$, $c_2$ or $c_3$ where
only $S^i$, $S^j$ or $S^k$ is (2 pairings each), $c_4$ where none is (8). For all matrices $A$, $B$, $C$ of
shape $(d,d)$
$$\begin{aligned}E\operatorname{tr}S^iAS^jBS^kC={}&c_0\operatorname{tr}ABC
+c_1(\operatorname{tr}AB^TC+\operatorname{tr}B\operatorname{tr}AC)
+c_2(\operatorname{tr}ABC^T+\operatorname{tr}C\operatorname{tr}AB)
+c_3(\operatorname{tr}A^TBC+\operatorname{tr}A\operatorname{tr}BC)\\
&+c_4(\operatorname{tr}A\operatorname{tr}B\operatorname{tr}C+\operatorname{tr}A\operatorname{tr}BC^T
+\operatorname{tr}B\operatorname{tr}AC^T+\operatorname{tr}C\operatorname{tr}AB^T\\
&\qquad+\operatorname{tr}ACB+\operatorname{tr}ACB^T+\operatorname{tr}AC^TB+\operatorname{tr}A^TCB).
\end{aligned}$$
Let $a_0=E\operatorname{tr}S^i\operatorname{tr}S^j\operatorname{tr}S^k$,
$a_1=E\operatorname{tr}S^i\operatorname{tr}S^{j+k}$, $a_2=E\operatorname{tr}S^j\operatorname{tr}S^{i+k}$,
$a_3=E\operatorname{tr}S^k\operatorname{tr}S^{i+j}$ and $a_4=E\operatorname{tr}S^{i+j+k}$, which GDT-0054
gives, and let $w_1=\frac{d^2+3d-2}D$, $w_2=-\frac{d+2}D$ and
$w_3=\frac2D$ with $D=d(d-1)(d-2)(d+2)(d+4)$. For $d\ge3$ $$\begin{aligned}
c_0&=w_1a_0+2w_2(a_1+a_2+a_3)+8w_3a_4,\\
c_1&=w_2a_0+(w_1+w_2)a_1+2w_3(a_2+a_3)+4(w_2+w_3)a_4,\qquad\text{so $c_2$, $c_3$ in turn},\\
c_4&=w_3a_0+(w_2+w_3)(a_1+a_2+a_3)+(w_1+3w_2+4w_3)a_4.\end{aligned}$$ The products of deltas are dependent for
$d\le2$; then $c_4=0$, $c_0=\frac1{16}(5a_0-2(a_1+a_2+a_3))$ and $c_i=\frac1{16}(2a_i-a_0)$ for $d=2$ and
$c_0=a_0$ alone for $d=1$ give the same means. Held against the sum over all pairings of the factors $X$ for
all $n$, all $d\ge3$ and all $A$, $B$, $C$ where $i+j+k\le3$ or $(i,j,k)$ is $(2,1,1)$, $(1,2,1)$ or
$(1,1,2)$; for $i+j+k\le4$ and $d\le2$ over fractions. The source treats such means for every number of
indices.""",
    source=Source(key="collins2006integration", locator="the orthogonal group, six indices"),
    assumptions=(
        Assumption(
            name="standard normal entries",
            statement="The entries of X are independent standard normals.",
            violation=Variant(name="n equal columns", lhs=partial(mean_of_trace, X=equal_inputs)),
        ),
    ),
    problem=ThreeFactors,
    example=ThreeFactors.smallest,
    lhs=mean_of_trace,
    rhs=by_pairings,
    mutants=(
        Mutant(
            name="c_1 and c_2 swapped",
            kind=MutantKind.ORDER,
            rhs=partial(by_pairings, classes=lambda c: (c[0], c[2], c[1], c[3], c[4])),
        ),
        Mutant(
            name="Bᵀ for B",
            kind=MutantKind.TRANSPOSED,
            rhs=partial(by_pairings, factors=lambda p: (p.A, p.B.T, p.C)),
        ),
        Mutant(
            name="c_0 alone",
            kind=MutantKind.DROPPED,
            rhs=partial(by_pairings, classes=lambda c: (c[0], 0, 0, 0, 0)),
        ),
    ),
    uses=("GDT-0054",),
    ours=True,
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
