"""With W_13 = w I the mean training loss is a quadratic form about its least value."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.cot_training import random_task, three_blocks, training_loss
from gdtheory.cot.coefficients import exact_coefficients
from gdtheory.cot.minimiser import scalar_form
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, column, namespace
from gdtheory.problems import TrainedVAtScalarW


def mean_loss(p: TrainedVAtScalarW, scale: int = 1) -> Array:
    """Return the mean of the layer's training loss for each number of steps."""
    xp = namespace(p.V)
    X, w_star = random_task(p.V, p.d, p.n)
    layer = three_blocks(p.V, xp.eye(p.d) * p.w)
    return column(p.V, (xp.mean(training_loss(layer, X, w_star * scale, p.eta, k)) for k in p.ks))


def numbers(p: TrainedVAtScalarW, k: int) -> tuple[Scalar, ...]:
    """Return a, b, c, e and r."""
    x = exact_coefficients(p.n, p.d, k, p.eta)
    return *scalar_form(x, p.d), x.r


def at_minimum(a: Scalar, b: Scalar, c: Scalar, e: Scalar) -> tuple[Scalar, Scalar]:
    """Return u* and v*."""
    minor = a * c - b * b
    return (c * e - b) / minor, (b * e - a) / minor


def square(p: TrainedVAtScalarW, numbers: Any = numbers, best: Any = at_minimum, cross: int = 2) -> Array:
    """Return the least loss and the quadratic form, for each number of steps."""
    xp = namespace(p.V)

    def loss(k: int) -> Scalar:
        a, b, c, e, r = numbers(p, k)
        u, v = best(a, b, c, e)
        least = (r - xp.trace(xp.eye(p.d)) * (a - b * e * 2 + c * e * e) / (a * c - b * b)) / 2
        U, V = p.V * p.w - xp.eye(p.d) * u, p.V - xp.eye(p.d) * v
        form = xp.squared_norm(U) * a - xp.trace(U.T @ V) * b * cross + xp.squared_norm(V) * c
        return least + form / 2

    return column(p.V, map(loss, p.ks))


def at_gd(p: TrainedVAtScalarW, **given: Any) -> Array:
    """Return the form about the weights of gradient descent, V = -η I and w = 1."""
    return square(p, best=lambda a, b, c, e: (-p.eta, -p.eta), **given)


CLAIM = Claim(
    id="GDT-0080",
    revision=1,
    title="With W₁₃ = wI the mean training loss is a positive quadratic form about one minimum, V₃₁ = v* I",
    statement=r"""Let $S$, $P_i$, $R_i$ and the mean training loss $L$ be as in GDT-0075, $k\ge1$,
$\eta\ne0$ and
$$a=\tfrac1d\sum_iE\operatorname{tr}S^2P_i^2,\quad b=\tfrac1d\sum_iE\operatorname{tr}S^2P_i,\quad
c=(k+1)\tfrac{n+d+1}n,\quad e=\tfrac1d\sum_iE\operatorname{tr}SP_iR_i,$$
$r=\sum_iE\operatorname{tr}R_i^2$, $u_*=\frac{ce-b}{ac-b^2}$ and $v_*=\frac{be-a}{ac-b^2}$. For every
matrix $V$ and number $w$, at $V_{31}=V$ and $W_{13}=wI$, with $U=wV-u_*I$ and $V_0=V-v_*I$,
$$L=\tfrac12r-\tfrac d2\,\frac{a-2be+ce^2}{ac-b^2}
+\tfrac12\bigl[a\|U\|_F^2-2b\langle U,V_0\rangle+c\|V_0\|_F^2\bigr].$$
By Cauchy and Schwarz $ac>b^2$, as $P_0=0$ and not all $P_i$ are zero. So if $v_*\ne0$ the only minimum over
all $V$ and $w$ is $V=v_*I$, $w_*=u_*/v_*$; if $v_*=0$ the least value is only approached. The mean over the
whole layer is taken for $k=1$ at all $n$, $d$ and $\eta$, and for $k=2$ where $n=1$ or $d=1$.
At $n=20$, $d=10$, $k=1$ and $\eta=\frac25$ it is $v_*=-0.48348\dots$, $w_*=0.86404\dots$, $L=1.36003\dots$:
not the weights $(-\eta,1)$ of the source's eq. (8), which take the steps that are taught. For $k=1$ the
difference does not vanish with more examples: as $n\to\infty$, $v_*\to-\eta$ but
$w_*\to\frac{2\eta-1}{\eta^2}$, where the loss tends to 0: the last token asks for $w_*$ itself.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.1; eq. (8)"),
    ours=True,
    assumptions=(
        Assumption(
            name="standard normal inputs and teacher",
            statement="The entries of X and w* are independent standard normals.",
            violation=Variant(name="w* of covariance 4I", lhs=partial(mean_loss, scale=2)),
        ),
    ),
    problem=TrainedVAtScalarW,
    example=TrainedVAtScalarW.smallest,
    lhs=mean_loss,
    rhs=square,
    mutants=(
        Mutant(name="the minimum is at (-η, 1)", kind=MutantKind.WRONG_INPUT, rhs=at_gd),
        Mutant(name="-b for -2b", kind=MutantKind.FACTOR, rhs=partial(square, cross=1)),
    ),
    uses=("GDT-0075",),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
