"""The gradient of the population loss in closed form."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.cot import population
from gdtheory.cot.coefficients import Coefficients
from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Scalar, namespace
from gdtheory.problems import LossDirection


def slope(p: LossDirection) -> Scalar:
    """Return the derivative of the loss in the direction (dV, dW), as a difference that is exact."""

    def along(t: int) -> Scalar:
        return population.loss(p.V + p.dV * t, p.W + p.dW * t, Coefficients.of(p))

    return ((along(1) - along(-1)) * 8 - (along(2) - along(-2))) / 12


def pairing(p: LossDirection, dV: Any = lambda p: p.dV, factor: int = 1) -> Scalar:
    """Return ⟨∂L/∂V, dV⟩ + ⟨∂L/∂W, dW⟩."""
    of_V, of_W = population.gradient(p.V, p.W, Coefficients.of(p))
    trace = namespace(p.V).trace
    return trace(of_V.T @ dV(p)) + trace(of_W.T @ p.dW) * factor


CLAIM = Claim(
    id="GDT-0076",
    revision=1,
    title="The gradient of the mean training loss in V₃₁ and W₁₃, in closed form",
    statement=r"""Let $L$, $A$ and $B$ be as in GDT-0075, for any numbers $a_0,\dots,a_3$, $\alpha_F,\beta_F,
\alpha_K,\beta_K$, $c$ and $r$. For all $V$ and $W$, with $C=V^TV$,
$$\begin{aligned}\frac{\partial L}{\partial V}={}&VA(W)-B(W)^T,\\
\frac{\partial L}{\partial W}={}&(a_0+a_2)CW
+(a_1+a_3)\bigl(CW^T+W^TC+\operatorname{tr}(WC)I+\operatorname{tr}(W)C\bigr)+2a_3WC\\
&+\operatorname{tr}(C)\bigl(a_2W+a_3(W^T+\operatorname{tr}(W)I)\bigr)
-\alpha_FC-\beta_F(C+\operatorname{tr}(C)I)-\alpha_KV^T-\beta_K(V+\operatorname{tr}(V)I).\end{aligned}$$
It is shown as $\langle\partial L/\partial V,V'\rangle+\langle\partial L/\partial W,W'\rangle=
\frac1{12}\bigl(8\,(L(1)-L(-1))-(L(2)-L(-2))\bigr)$ for every direction, where $L(t)$ is $L$ at $V+tV'$ and
$W+tW'$: a polynomial of degree 4 in $t$, of which this difference is the derivative at 0. With the
coefficients of GDT-0075 it is the exact gradient of the population loss; the source bounds its moments.""",
    source=Source(key="huang2025transformers", locator="Section 4, the gradient of the simplified loss"),
    ours=True,
    problem=LossDirection,
    example=LossDirection.smallest,
    lhs=slope,
    rhs=pairing,
    mutants=(
        Mutant(
            name="∂L/∂V transposed",
            kind=MutantKind.TRANSPOSED,
            rhs=partial(pairing, dV=lambda p: p.dV.T),
        ),
        Mutant(name="twice ∂L/∂W", kind=MutantKind.FACTOR, rhs=partial(pairing, factor=2)),
        Mutant(name="V alone moves", kind=MutantKind.DROPPED, rhs=partial(pairing, factor=0)),
    ),
    uses=("GDT-0075",),
    waived={"float": "the difference of losses is for exact numbers; among floats it cancels"},
)
