"""E[Sⁱ D Sʲ] for a Wishart matrix by orthogonal invariance, against the sum over all pairings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gdtheory.constructions.random_inputs import equal_inputs, gram, inputs, power
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import SandwichedMatrix
from gdtheory.wishart import power_moment, sandwich_coefficients


def mean_of_sandwich(p: SandwichedMatrix, X: Callable[..., Array] = inputs) -> Array:
    """Return E[Sⁱ D Sʲ] by pairing the factors X in all ways."""
    W, D = gram(X(p.D, p.d, p.n)), p.D / p.n ** (p.i + p.j)
    return namespace(D).mean(power(W, p.i) @ D @ power(W, p.j))


def invariant_form(
    p: SandwichedMatrix,
    coefficients: Callable[..., tuple[Scalar, Scalar]] = sandwich_coefficients,
    turned: Callable[[Array], Array] = lambda D: D.T,
    traced: int = 1,
) -> Array:
    """Return α D + β (Dᵀ + tr(D) I)."""
    xp = namespace(p.D)
    alpha, beta = coefficients(p.i, p.j, p.n, p.d)
    return p.D * alpha + (turned(p.D) + xp.eye(p.d) * (xp.trace(p.D) * traced)) * beta


def product_of_means(i: int, j: int, n: Any, d: Any) -> tuple[Scalar, Scalar]:
    """Return α and β of E[Sⁱ] D E[Sʲ]."""
    return power_moment(i, n, d) * power_moment(j, n, d), 0


CLAIM = Claim(
    id="GDT-0063",
    revision=1,
    title="E[SⁱDSʲ] = αD + β(Dᵀ + tr(D)I) for S = XXᵀ/n, standard normal X and any D",
    statement=r"""Let $S=\frac1nXX^T$, where $X$ of shape $(d,n)$ has independent standard normal entries, and
$A=E\operatorname{tr}S^i\operatorname{tr}S^j$ and $B=E\operatorname{tr}S^{i+j}$, which GDT-0054 gives. For all
$n$, $d\ge2$, $i,j\ge0$ and every matrix $D$ of shape $(d,d)$
$$E[S^iDS^j]=\alpha D+\beta\bigl(D^T+\operatorname{tr}(D)\,I\bigr),\qquad
\alpha=\frac{(d+1)A-2B}{d(d-1)(d+2)},\quad\beta=\frac{dB-A}{d(d-1)(d+2)},$$ and $E[S^iDS^j]=BD$ for $d=1$.
For the law of $S$ is that of $OSO^T$ for every orthogonal $O$, so the mean is linear in $D$ and commutes with
$D\mapsto ODO^T$: it is a combination of $D$, $D^T$ and $\operatorname{tr}(D)I$. The last two have one
coefficient, as $E[S^i_{ab}S^j_{cd}]$ does not change when $c$ and $d$ are swapped. The trace at $D=I$ is
$B=\alpha d+\beta d(d+1)$, and the entries $(a,b)$ of the means at $D=e_ae_b^T$ add up to
$A=\alpha d^2+2\beta d$. Held against the sum over all pairings of the factors $X$ for $i+j\le4$, all $n$,
$d$ and $D$. The source treats such means for every number of indices.""",
    source=Source(key="collins2006integration", locator="the orthogonal group, four indices"),
    assumptions=(
        Assumption(
            name="standard normal entries",
            statement="The entries of X are independent standard normals.",
            violation=Variant(name="n equal columns", lhs=partial(mean_of_sandwich, X=equal_inputs)),
        ),
    ),
    problem=SandwichedMatrix,
    example=SandwichedMatrix.smallest,
    lhs=mean_of_sandwich,
    rhs=invariant_form,
    mutants=(
        Mutant(name="D for Dᵀ", kind=MutantKind.TRANSPOSED, rhs=partial(invariant_form, turned=lambda D: D)),
        Mutant(name="without tr(D) I", kind=MutantKind.DROPPED, rhs=partial(invariant_form, traced=0)),
        Mutant(
            name="E[Sⁱ] D E[Sʲ]",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(invariant_form, coefficients=product_of_means),
        ),
        Mutant(
            name="α and β swapped",
            kind=MutantKind.ORDER,
            rhs=partial(
                invariant_form, coefficients=lambda i, j, n, d: sandwich_coefficients(i, j, n, d)[::-1]
            ),
        ),
    ),
    uses=("GDT-0054",),
    ours=True,
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
