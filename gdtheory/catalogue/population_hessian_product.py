"""The Hessian of the population loss, applied to a direction, in closed form."""

from __future__ import annotations

from functools import partial

from gdtheory.cot import population
from gdtheory.cot.coefficients import Coefficients
from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Array, namespace
from gdtheory.problems import LossDirection


def change_of_gradient(p: LossDirection) -> Array:
    """Return the derivative of the gradient in the direction (dV, dW), as a difference that is exact."""

    def along(t: int) -> Array:
        gradient = population.gradient(p.V + p.dV * t, p.W + p.dW * t, Coefficients.of(p))
        return namespace(p.V).block([[part] for part in gradient])

    return ((along(1) - along(-1)) * 8 - (along(2) - along(-2))) / 12


def hessian_product(p: LossDirection, swap: bool = False, of_W: int = 1) -> Array:
    """Return both parts of the product, one above the other."""
    directions = (p.dW, p.dV) if swap else (p.dV, p.dW * of_W)
    product = population.hessian_product(p.V, p.W, *directions, Coefficients.of(p))
    return namespace(p.V).block([[part] for part in product])


CLAIM = Claim(
    id="GDT-0096",
    revision=1,
    title="The Hessian of the mean training loss times a direction (V', W'), in closed form",
    statement=r"""Let $L$ and its coefficients be as in GDT-0076. With the bilinear
$$\begin{aligned}T(W,D)={}&(a_0+a_2)WD^T+(a_1+a_3)\bigl(WD+D^TW^T+(D+D^T)\operatorname{tr}W\bigr)+2a_3W^TD\\
&+\bigl(a_2\operatorname{tr}WD^T+a_3\operatorname{tr}W\operatorname{tr}D+a_3\operatorname{tr}WD\bigr)I,\\
U(C,W)={}&(a_0+a_2)CW+(a_1+a_3)\bigl(CW^T+W^TC+\operatorname{tr}(WC)I+\operatorname{tr}(W)C\bigr)+2a_3WC\\
&+\operatorname{tr}(C)\bigl(a_2W+a_3(W^T+\operatorname{tr}(W)I)\bigr),\\
\phi_J(D)={}&\alpha_JD+\beta_J(D^T+\operatorname{tr}(D)I),\qquad J=F,K,\end{aligned}$$
$A(W)=T(W,W)-\phi_F(W)-\phi_F(W)^T+cI$, $A'=T(W,W')+T(W',W)-\phi_F(W')-\phi_F(W')^T$ and $C'=V'^TV+V^TV'$, the
derivative of the gradient of $L$ at $(V,W)$ in the direction $(V',W')$ is
$$\bigl(V'A(W)+VA'-\phi_K(W')^T,\quad U(C',W)+U(V^TV,W')-\phi_F(C')-\phi_K(V'^T)\bigr).$$
It is shown entry by entry as the difference
$\frac1{12}\bigl(8\,(g(1)-g(-1))-(g(2)-g(-2))\bigr)$ of the gradient $g(t)$ at $(V+tV',W+tW')$,
exact for a polynomial of degree 3 in $t$.""",
    source=Source(key="huang2025transformers", locator="eqs. (5) and (6)"),
    ours=True,
    problem=LossDirection,
    example=LossDirection.smallest,
    lhs=change_of_gradient,
    rhs=hessian_product,
    mutants=(
        Mutant(name="V' and W' swapped", kind=MutantKind.ORDER, rhs=partial(hessian_product, swap=True)),
        Mutant(name="W' stays 0", kind=MutantKind.DROPPED, rhs=partial(hessian_product, of_W=0)),
        Mutant(name="-W' for W'", kind=MutantKind.SIGN, rhs=partial(hessian_product, of_W=-1)),
    ),
    uses=("GDT-0076",),
    waived={"float": "the difference of gradients is for exact numbers; among floats it cancels"},
)
