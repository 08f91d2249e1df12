"""Gradient flow keeps the eigenvectors that V_31 and W_13 share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache, partial

from gdtheory.cot.coefficients import Coefficients
from gdtheory.cot.population import gradient
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import SharedEigenvector

Gradient = tuple[Array, Array]
GradientAt = Callable[[SharedEigenvector], Gradient]


@lru_cache(maxsize=1)
def gradients(p: SharedEigenvector, unshared: bool = False) -> Gradient:
    """Return ∇_V L and ∇_W L of the mean training loss; kept for the other side."""
    numbers = {field.name: getattr(p, field.name, 0) for field in fields(Coefficients)}
    return gradient(p.V, p.W + p.A if unshared else p.W, Coefficients(**numbers))


def with_covariance(p: SharedEigenvector) -> Gradient:
    """Return VΣ² + Σ and 0, the gradient for k = 0 and n → ∞ with inputs of the covariance Σ = AAᵀ."""
    Sigma = p.A @ p.A.T
    return p.V @ Sigma @ Sigma + Sigma, p.A - p.A


def from_the_left(p: SharedEigenvector, gradients: GradientAt = gradients) -> Array:
    """Return uuᵀ ∇_V and uuᵀ ∇_W side by side."""
    dV, dW = gradients(p)
    return namespace(p.u).block([[p.u @ (p.u.T @ dV), p.u @ (p.u.T @ dW)]])


def from_the_right(
    p: SharedEigenvector, gradients: GradientAt = gradients, one: bool = False, sign: int = 1
) -> Array:
    """Return ∇_V uuᵀ and ∇_W uuᵀ."""
    dV, dW = gradients(p)
    in_V, in_W = (D @ p.u @ p.u.T for D in (dV, dV if one else dW))
    return namespace(p.u).block([[in_V, in_W * sign]])


def with_gradients(name: str, gradients: GradientAt) -> Variant:
    """Return the claim about other gradients."""
    return Variant(
        name=name,
        lhs=partial(from_the_left, gradients=gradients),
        rhs=partial(from_the_right, gradients=gradients),
    )


CLAIM = Claim(
    id="GDT-0074",
    revision=1,
    title="An eigenvector that V₃₁ and W₁₃ share remains one along the gradient flow",
    statement=r"""Let $L(V,W)$ be the mean of the training loss of GDT-0072 for standard normal inputs and
any $n$, $d$, $k$ and $\eta$. Let $u\ne0$ be an eigenvector of $V$, $V^T$, $W$ and $W^T$; then
$V=\|u\|^2A-uu^TA-Auu^T+v\,uu^T$ and $W=\|u\|^2B-uu^TB-Buu^T+w\,uu^T$ for some $A$, $B$, $v$ and $w$,
and these are arbitrary. Then $uu^T\nabla L=\nabla L\,uu^T$ for $\nabla_VL$ and $\nabla_WL$: $u$ is an
eigenvector of these and of their transposes. So gradient flow and gradient descent from symmetric $V$
and $W$ with a common eigenbasis keep that basis. The gradient (GDT-0076) is a sum of products of $V$, $W$
and their transposes, with traces of such and with nine numbers that depend on $n$, $d$, $k$ and $\eta$ as
coefficients; the nine are arbitrary here.""",
    source=Source(key="huang2025transformers", locator="Assumption 4.1 and below"),
    assumptions=(
        Assumption(
            name="shared eigenvector",
            statement="The vector u is an eigenvector of both V_31 and W_13.",
            violation=with_gradients("W + A for W", partial(gradients, unshared=True)),
        ),
        Assumption(
            name="isotropic inputs",
            statement="The inputs have the covariance I.",
            violation=with_gradients("covariance AAᵀ, many examples and k = 0", with_covariance),
        ),
    ),
    problem=SharedEigenvector,
    example=SharedEigenvector.smallest,
    lhs=from_the_left,
    rhs=from_the_right,
    mutants=(
        Mutant(name="∇_V for ∇_W", kind=MutantKind.ORDER, rhs=partial(from_the_right, one=True)),
        Mutant(name="-∇_W", kind=MutantKind.SIGN, rhs=partial(from_the_right, sign=-1)),
    ),
    uses=("GDT-0072", "GDT-0076"),
)
