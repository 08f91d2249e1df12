"""While W_13 is zero the mean training loss is a square about a plateau that is free of the rate."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.cot_training import random_task, three_blocks, training_loss
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import TrainedV


def excess_loss(p: TrainedV, x_scale: int = 1, w_scale: int = 1) -> Scalar:
    """Return by how much the layer's mean training loss at V_31 = V exceeds that at -η*/(k+1) I."""
    xp = namespace(p.V)
    X, w_star = random_task(p.V, p.d, p.n)

    def loss(V: Array) -> Scalar:
        return training_loss(three_blocks(V, xp.zeros(p.d, p.d)), X * x_scale, w_star * w_scale, p.eta, p.k)

    plateau = xp.eye(p.d) * -p.n / ((p.n + p.d + 1) * (p.k + 1))
    return xp.mean(loss(p.V) - loss(plateau))


def square(p: TrainedV, sign: int = 1, steps: Any = lambda p: p.k + 1, more: int = 1) -> Scalar:
    """Return (k+1)/(2η*) ‖V + η*/(k+1) I‖² with 1/η* = (n+d+1)/n."""
    xp, curvature = namespace(p.V), (p.n + p.d + more) * steps(p)
    return xp.squared_norm(p.V + xp.eye(p.d) * (sign * p.n) / curvature) * curvature / (p.n * 2)


CLAIM = Claim(
    id="GDT-0078",
    revision=1,
    title="While W₁₃ = 0 the mean training loss is a square about V₃₁ = -η*/(k+1) I, whatever the rate η",
    statement=r"""Let $W_{13}=0$ and $w_{24}=-1$ in the layer of GDT-0072, trained on the iterates of rate
$\eta$ from $w_0=0$, with independent standard normal entries of $X$ and $w_*$. With
$\eta^*=\frac n{n+d+1}$ and $\hat V=-\frac{\eta^*}{k+1}I$, the mean of the loss of eq. (5) is
$$L(V,0)=L(\hat V,0)+\frac{k+1}{2\eta^*}\|V-\hat V\|_F^2$$ for every $V$ and $\eta$. So $\hat V$, in which
$\eta$ does not occur, is the only minimiser while $W_{13}$ stays at zero. The mean over the whole layer is
taken for $k\le2$ and all $n$ and $d$. For every $k$: the terms are $\frac12\|VS+R_i\|_F^2$ with
$\sum_{i\le k}R_i=I$ by GDT-0077, so that $L(V,0)$ is $\frac12(k+1)\operatorname{tr}VE[S^2]V^T+
\operatorname{tr}VE[S]$ and a constant, where $E[S]=I$ and $E[S^2]=I/\eta^*$.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.1, the first stage"),
    ours=True,
    assumptions=(
        Assumption(
            name="standard normal inputs",
            statement="The entries of X are independent standard normals.",
            violation=Variant(name="covariance 4I", lhs=partial(excess_loss, x_scale=2)),
        ),
        Assumption(
            name="standard normal teacher",
            statement="The entries of w* are independent standard normals.",
            violation=Variant(name="w* of covariance 4I", lhs=partial(excess_loss, w_scale=2)),
        ),
    ),
    problem=TrainedV,
    example=TrainedV.smallest,
    lhs=excess_loss,
    rhs=square,
    mutants=(
        Mutant(name="V̂ = +η*/(k+1) I", kind=MutantKind.SIGN, rhs=partial(square, sign=-1)),
        Mutant(name="V̂ = -η*I", kind=MutantKind.INDEX, rhs=partial(square, steps=lambda p: 1)),
        Mutant(name="η* = n/(n+d)", kind=MutantKind.DROPPED, rhs=partial(square, more=0)),
    ),
    uses=("GDT-0072", "GDT-0077"),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
