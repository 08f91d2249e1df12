"""The mean loss of the layer that takes one gradient step, without chain of thought."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.cot import cot_weights
from gdtheory.constructions.cot_training import TaughtToken, random_task
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, column, namespace
from gdtheory.problems import RandomStep


def layer_losses(
    p: RandomStep, x_scale: int = 1, w_scale: int = 1, best: Any = lambda p: p.n + p.d + 1
) -> Array:
    """Return the mean loss of the layer of eq. (8), from w_0 with the rate η, and from 0 with η*."""
    xp = namespace(p.w_0)
    X, w_star = random_task(p.w_0, p.d, p.n)
    X, w_star = X * x_scale, w_star * w_scale
    eta_star = xp.trace(xp.ones(1, 1)) * p.n / best(p)

    def loss(w_0: Array, eta: Scalar) -> Scalar:
        token = TaughtToken(X, w_star.T @ X, (w_0,), w_star)
        return xp.mean(token.loss(cot_weights(p.d, eta, like=p.w_0)))

    return column(p.w_0, (loss(p.w_0, p.eta), loss(p.w_0 - p.w_0, eta_star)))


def polynomial(p: RandomStep, more: int = 1, sign: int = -1, factor: int = 1) -> Array:
    """Return ½ (d + ‖w_0‖²)(1 - 2η + η²(n+d+1)/n), and d(d+1)/(2(n+d+1))."""
    xp, curvature = namespace(p.w_0), p.n + p.d + more
    d = xp.trace(xp.eye(p.d))
    at_eta = (d + xp.squared_norm(p.w_0)) * (1 + p.eta * 2 * sign + p.eta * p.eta * curvature / p.n) / 2
    return column(p.w_0, (at_eta, d * (p.d + 1) * factor / ((p.n + p.d + 1) * 2)))


CLAIM = Claim(
    id="GDT-0067",
    revision=1,
    title="One step without chain of thought has the mean loss ½d(1 - 2η + η²(n+d+1)/n)",
    statement=r"""In the setting of GDT-0066 let the layer be that of eq. (8) with the rate $\eta$. From a
fixed $w_0$ its mean loss is $\frac12E\|f-(0,0,w_*,1)\|^2=\frac12(d+\|w_0\|^2)
\bigl(1-2\eta+\eta^2\frac{n+d+1}n\bigr)$. From $w_0=0$ and at $\eta^*=\frac n{n+d+1}$ it is
$\frac{d(d+1)}{2(n+d+1)}$, the least of all layers; the source states its order, $\Theta(d^2/n)$. For $n=20$
and $d=10$ it is $\frac{55}{31}$.""",
    source=Source(key="huang2025transformers", locator="Corollary 3.1"),
    ours=True,
    assumptions=(
        Assumption(
            name="standard normal inputs",
            statement="The entries of X are independent standard normals.",
            violation=Variant(name="covariance 4I", lhs=partial(layer_losses, x_scale=2)),
        ),
        Assumption(
            name="standard normal teacher",
            statement="The entries of w* are independent standard normals.",
            violation=Variant(name="w* of covariance 4I", lhs=partial(layer_losses, w_scale=2)),
        ),
    ),
    problem=RandomStep,
    example=RandomStep.smallest,
    lhs=layer_losses,
    rhs=polynomial,
    mutants=(
        Mutant(name="E S² = (n+d)/n I", kind=MutantKind.DROPPED, rhs=partial(polynomial, more=0)),
        Mutant(name="+2η", kind=MutantKind.SIGN, rhs=partial(polynomial, sign=1)),
        Mutant(
            name="η* = n/(n+d)", kind=MutantKind.DROPPED, lhs=partial(layer_losses, best=lambda p: p.n + p.d)
        ),
        Mutant(
            name="the best loss without the half", kind=MutantKind.FACTOR, rhs=partial(polynomial, factor=2)
        ),
    ),
    uses=("GDT-0066",),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
