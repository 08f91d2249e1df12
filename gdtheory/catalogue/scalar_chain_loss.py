"""The evaluation loss of a layer whose blocks are any multiples of the identity."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

from gdtheory.constructions.cot_training import three_blocks
from gdtheory.constructions.generation import mean_squared_distance
from gdtheory.constructions.random_inputs import inputs
from gdtheory.cot.evaluation import generated_loss
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar, namespace
from gdtheory.problems import ScalarChain
from gdtheory.wishart.one_row import trace_moments

HALF = Fraction(1, 2)


def generated(p: ScalarChain, w_24: int = -1, teacher: int = 1) -> Scalar:
    """Return half the mean squared error of the final output of the layer with V = vI and W = wI."""
    xp = namespace(p.like)
    layer = three_blocks(xp.eye(p.d) * p.v, xp.eye(p.d) * p.w, w_24)
    X, w_star = inputs(p.like, p.d, p.n), xp.normal("w*", p.d, 1) * teacher
    return mean_squared_distance(layer, X, w_star, xp.zeros(p.d, 1), p.steps) * HALF


def by_moments(p: ScalarChain) -> Scalar:
    """Return the loss; the library's function takes no symbols."""
    if isinstance(p.v, Fraction):
        return generated_loss(p.v, p.w, p.n, p.d, p.steps)
    return squared(p)


def squared(p: ScalarChain, cross: int = 2, late: int = 1) -> Scalar:
    """Return ½ E tr (I + Σ_j C(s, j) v^j w^{j-1} S^j)², squared term by term."""
    s, m = p.steps, trace_moments(2 * p.steps, p.n, p.d)
    terms = [(j, math.comb(s, j) * p.v**j * p.w ** (j - late) / p.n**j) for j in range(1, s + 1)]
    square = sum(a * b * m[i + j] for i, a in terms for j, b in terms)
    return (m[0] + sum(a * m[j] for j, a in terms) * cross + square) * HALF


CLAIM = Claim(
    id="GDT-0094",
    revision=1,
    title="With V₃₁ = vI and W₁₃ = wI the evaluation loss is ½ E tr (I + Σ_j C(s,j) vʲ wʲ⁻¹ Sʲ)²",
    statement=r"""Let a layer have $V_{31}=vI$, $W_{13}=wI$, $w_{24}=-1$ and zeros elsewhere, and let it
generate $k$ weight tokens from $w_0=0$ on $n$ examples with targets $w_*^TX$, where all entries of $X$ and
$w_*$ are independent and standard normal; $S=\frac1nXX^T$ and $s=k+1$. Half the mean squared distance of the
final output from $w_*$ is $$\frac12E\operatorname{tr}\Bigl(I+\sum_{j=1}^s\binom sjv^jw^{j-1}S^j\Bigr)^2,$$
which for $w\ne0$ is $\frac12E\operatorname{tr}\bigl((1-\frac1w)I+\frac1w(I+vwS)^s\bigr)^2$: where the power
tends to zero, the error tends to $(\frac1w-1)w_*$, not to $0$ unless $w=1$. Held for $s\le2$ at all $n$, $d$,
$v$ and $w$; at small sizes for $s=3$.""",
    source=Source(key="huang2025transformers", locator="eq. (7), for layers as in eq. (8)"),
    ours=True,
    assumptions=(
        Assumption(
            name="w_24 = -1",
            statement="The entry of W that meets the targets is -1.",
            violation=Variant(name="w_24 = -2", lhs=partial(generated, w_24=-2)),
        ),
        Assumption(
            name="teacher of variance one",
            statement="The teacher has independent entries of mean 0 and variance 1.",
            violation=Variant(name="a teacher N(0, 4I)", lhs=partial(generated, teacher=2)),
        ),
    ),
    problem=ScalarChain,
    example=ScalarChain.smallest,
    lhs=generated,
    rhs=by_moments,
    mutants=(
        Mutant(name="w^j for w^(j-1)", kind=MutantKind.INDEX, rhs=partial(squared, late=0)),
        Mutant(name="the mixed term once", kind=MutantKind.FACTOR, rhs=partial(squared, cross=1)),
        Mutant(name="w_24 = +1", kind=MutantKind.SIGN, lhs=partial(generated, w_24=1)),
    ),
    uses=("GDT-0054", "GDT-0069"),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
