"""The gradient of the mean training loss at the layer that takes the taught gradient-descent steps."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

from gdtheory.constructions.cot import cot_weights
from gdtheory.constructions.cot_training import random_task, three_blocks, training_slope
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, column, namespace
from gdtheory.problems import DirectionAtGD
from gdtheory.wishart import trace_moments

STEPS = (0, 1, 2)
"""The values of k for which the mean of the whole layer is taken."""


def mean_slope(p: DirectionAtGD, x_scale: int = 1, w_scale: int = 1) -> Array:
    """Return the derivative of the layer's mean training loss along V_31 = V, W_13 = W, from eq. (8)."""
    X, w_star = random_task(p.V, p.d, p.n)
    task = X * x_scale, w_star * w_scale, p.eta
    layer, direction = cot_weights(p.d, p.eta, like=p.V), three_blocks(p.V, p.W, 0)
    slopes = (training_slope(layer, direction, *task, k) for k in STEPS)
    return column(p.V, map(namespace(p.V).mean, slopes))


def mean_SQ(p: DirectionAtGD, power: int) -> Scalar:
    """Return E tr S Q^power = E tr S (I - ηS)^power."""
    one = namespace(p.V).trace(namespace(p.V).ones(1, 1))
    rows = [one * moment / p.n**j for j, moment in enumerate(trace_moments(power + 1, p.n, p.d))]
    for _ in range(power):
        rows = [SQ - SSQ * p.eta for SQ, SSQ in pairwise(rows)]
    return rows[1]


def formula(
    p: DirectionAtGD, shift: int = 0, sign: int = 1, last: int = 1, eta: Any = lambda p: p.eta
) -> Array:
    """Return (E tr SQ^(2k+1) tr V + η E tr SQ^(k+1)(I - Q^k) tr W) / d for each k."""
    trace = namespace(p.V).trace
    in_V = [mean_SQ(p, 2 * k + 1 + shift) for k in STEPS]
    in_W = [mean_SQ(p, k + 1) - mean_SQ(p, 2 * k + 1) * last for k in STEPS]
    both = zip(in_V, in_W, strict=True)
    return column(p.V, ((trace(p.V) * v + trace(p.W) * w * eta(p) * sign) / p.d for v, w in both))


CLAIM = Claim(
    id="GDT-0079",
    revision=1,
    title="At gradient-descent weights the training loss has an explicit gradient, not zero for odd k",
    statement=r"""Let the layer be that of eq. (8) with the rate $\eta$ of the iterates that it is taught, in
the setting of GDT-0078. With $Q=I-\eta S$ the gradient of the mean of the loss of eq. (5) is there
$$\nabla_{V_{31}}L=\tfrac1dE\operatorname{tr}\bigl(SQ^{2k+1}\bigr)I,\qquad
\nabla_{W_{13}}L=\tfrac\eta dE\operatorname{tr}\bigl(SQ^{k+1}(I-Q^k)\bigr)I.$$ The mean over the whole layer
is taken for $k\le2$ and all $n$ and $d$. For every $k$: the layer predicts $w_1,\dots,w_k$ exactly and misses
$w_*$ by $-Q^{k+1}w_*$, so that only the last term contributes, and as $OX$ with orthogonal $O$ has the law of
$X$, both means are multiples of $I$. Along $V_{31}=vI$ and $W_{13}=wI$,
$\eta\,\partial_vL+\partial_wL=\eta E\operatorname{tr}SQ^{k+1}$, which is positive for odd $k$ and $\eta>0$:
for odd $k$ no rate $\eta>0$ makes gradient descent a critical point. For $k=0$ it is one if and only if
$\eta=\frac n{n+d+1}$.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.1, the limit of the training"),
    ours=True,
    assumptions=(
        Assumption(
            name="standard normal inputs",
            statement="The entries of X are independent standard normals.",
            violation=Variant(name="covariance 4I", lhs=partial(mean_slope, x_scale=2)),
        ),
        Assumption(
            name="standard normal teacher",
            statement="The entries of w* are independent standard normals.",
            violation=Variant(name="w* of covariance 4I", lhs=partial(mean_slope, w_scale=2)),
        ),
    ),
    problem=DirectionAtGD,
    example=DirectionAtGD.smallest,
    lhs=mean_slope,
    rhs=formula,
    mutants=(
        Mutant(name="SQ^(2k) for SQ^(2k+1)", kind=MutantKind.INDEX, rhs=partial(formula, shift=-1)),
        Mutant(name="-∇_W", kind=MutantKind.SIGN, rhs=partial(formula, sign=-1)),
        Mutant(name="I for I - Q^k", kind=MutantKind.DROPPED, rhs=partial(formula, last=0)),
        Mutant(name="∇_W without η", kind=MutantKind.FACTOR, rhs=partial(formula, eta=lambda p: 1)),
    ),
    uses=("GDT-0010", "GDT-0078"),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
