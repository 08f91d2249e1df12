"""On transformed inputs the loss has the Hessian (H - 2γH² + γ²H³)/N."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import TransformedRegression
from gdtheory.reference.gdpp import transformed_inputs
from gdtheory.reference.regression import squared_loss


def second_difference(p: TransformedRegression) -> Scalar:
    """Return L⁺⁺(W + V) + L⁺⁺(W - V) - 2 L⁺⁺(W)."""
    X = transformed_inputs(p.X, p.X, p.gamma)
    W, V = p.W, p.Delta_W
    return squared_loss(W + V, X, p.Y) + squared_loss(W - V, X, p.Y) - squared_loss(W, X, p.Y) * 2


def hessian(H: Array, gamma: Scalar) -> Array:
    """Return H - 2γH² + γ²H³."""
    H_2 = H @ H
    return H - H_2 * (gamma * 2) + H_2 @ H * (gamma * gamma)


def quadratic_form(p: TransformedRegression, H_of: Any = hessian, count: Any = lambda p: p.N) -> Scalar:
    """Return tr V (H - 2γH² + γ²H³) Vᵀ / N."""
    V = p.Delta_W
    return namespace(V).trace(V @ H_of(p.X @ p.X.T, p.gamma) @ V.T) / count(p)


CLAIM = Claim(
    id="GDT-0020",
    revision=1,
    title="On the transformed inputs the loss has the Hessian (H - 2γH² + γ²H³)/N with H = XXᵀ",
    statement=r"""Let $H=XX^T$ and $L^{++}(W)=\frac1{2N}\sum_i\|W(I-\gamma H)x_i-y_i\|^2$. For all $W$,
$V$, $X$, $Y$ and $\gamma$, $$L^{++}(W+V)+L^{++}(W-V)-2L^{++}(W)=\tfrac1N\operatorname{tr}V(H-2\gamma
H^2+\gamma^2H^3)V^T.$$ $L^{++}$ is quadratic, so this is its second derivative along $V$: each row of $W$
has the Hessian $H^{++}/N$, where $H^{++}=H-2\gamma H^2+\gamma^2H^3=(I-\gamma H)X\,((I-\gamma H)X)^T$. In
an eigenbasis $H=U\Sigma U^T$ it is $U(\Sigma-2\gamma\Sigma^2+\gamma^2\Sigma^3)U^T$ with the eigenvalues
$f(\lambda,\gamma)=\lambda(1-\gamma\lambda)^2$. The appendix prints the loss without $\frac1N$, and
therefore the Hessian without it; their ratios of eigenvalues are the same.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10, eqs. (24) and (25)", knowls=(2,)),
    problem=TransformedRegression,
    example=TransformedRegression.smallest,
    lhs=second_difference,
    rhs=quadratic_form,
    mutants=(
        Mutant(
            name="+2γH²",
            kind=MutantKind.SIGN,
            rhs=partial(quadratic_form, H_of=lambda H, gamma: hessian(H, -gamma)),
        ),
        Mutant(
            name="γ²H³ is left out",
            kind=MutantKind.DROPPED,
            rhs=partial(quadratic_form, H_of=lambda H, gamma: H - H @ H * (gamma * 2)),
        ),
        Mutant(
            name="(I - γH)H, transformed on one side only",
            kind=MutantKind.FACTOR,
            rhs=partial(quadratic_form, H_of=lambda H, gamma: H - H @ H * gamma),
        ),
        Mutant(
            name="no 1/N, as for the loss that is no mean",
            kind=MutantKind.FACTOR,
            rhs=partial(quadratic_form, count=lambda p: 1),
        ),
    ),
    uses=("GDT-0005", "GDT-0017"),
)
