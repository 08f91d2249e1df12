"""The gradient of a token's loss is the change of the weights, times ‖A(x)‖²."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.definition import Assumption, Claim, Erratum, Iteration, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import DegenerateContextError
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import TokenStream
from gdtheory.reference.token_dynamics import token_loss_gradient

Norms = tuple[Scalar, ...]


def change(p: TokenStream, so_far: Norms, i: Any, factor: Any = lambda norm: norm * norm) -> Norms:
    """Return the norms so far, and ‖A(x)‖⁴ ‖(ΔW)_{i+1} - (ΔW)_i‖², by the `factor` of ‖A(x)‖²."""
    norm, A_x = namespace(p.W_0).squared_norm, p.A[0]
    difference = weight_transfer(p.W_0, p.A[i + 1], A_x) - weight_transfer(p.W_0, p.A[i], A_x)
    return (*so_far, norm(difference) * factor(norm(A_x)))


def gradient(p: TokenStream, so_far: Norms, i: Any, first: Any = lambda i: i) -> Norms:
    """Return the norms so far, and ‖∇L_i‖²."""
    nabla_L_i = token_loss_gradient(p.W_0, p.A[0], p.A[first(i)], p.A[i + 1])
    return (*so_far, namespace(p.W_0).squared_norm(nabla_L_i))


def of_all_tokens(norm: Any) -> Iteration[TokenStream, Norms]:
    """Return the squared norms for i = 0, ..., n - 1, side by side."""
    return Iteration(start=lambda p: (), step=norm, read=row, count=lambda p: p.n)


def row(p: TokenStream, norms: Norms) -> Array:
    """Return the row of these numbers."""
    xp = namespace(p.W_0)
    return xp.block([[xp.ones(1, 1) * norm for norm in norms]])


CLAIM = Claim(
    id="GDT-0100",
    revision=1,
    title="The gradient of a token's loss has ‖A(x)‖² times the norm of the weights' change",
    statement=r"""In the setting of GDT-0014 let $(\Delta W)_i=\Delta W_0(c_1,\dots,c_i)$. Then
$\|\nabla_WL_i(W)\|_F=\|A(x)\|^2\,\|(\Delta W)_{i+1}-(\Delta W)_i\|_F$ for every $W$ and
$i=0,\dots,n-1$; compared are the squares. Both matrices have rank at most 1, so the spectral norms are the
Frobenius norms.""",
    source=Source(key="dherin2025learning", locator="Section 4.3"),
    assumptions=(
        Assumption(
            name="non-zero output",
            statement="A(x) is not the zero vector.",
            violation=Refusal(problem=TokenStream.zero_output, error=DegenerateContextError),
        ),
    ),
    problem=TokenStream,
    example=TokenStream.smallest,
    lhs=of_all_tokens(change),
    rhs=of_all_tokens(gradient),
    mutants=(
        Mutant(
            name="‖A(x)‖ in place of ‖A(x)‖²",
            kind=MutantKind.FACTOR,
            lhs=of_all_tokens(partial(change, factor=lambda norm: norm)),
        ),
        Mutant(
            name="the gradient of all tokens up to the next",
            kind=MutantKind.INDEX,
            rhs=of_all_tokens(partial(gradient, first=lambda i: 0)),
        ),
    ),
    errata=(
        Erratum(
            name="Section 4.3 without the factor",
            locator="Section 4.3",
            printed="‖∇L_i(W)‖ = ‖(ΔW)_{i+1} - (ΔW)_i‖",
            why="A step is the gradient times the learning rate h = 1/‖A(x)‖², so the weights change by "
            "the gradient over ‖A(x)‖² alone. The two are equal only where ‖A(x)‖ = 1 or both are 0.",
            lhs=of_all_tokens(partial(change, factor=lambda norm: 1)),
        ),
    ),
    uses=("GDT-0014",),
)
