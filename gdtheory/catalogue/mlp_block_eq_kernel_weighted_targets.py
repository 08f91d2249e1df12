"""From W_0 = 0, a transformer block predicts the targets weighted by a kernel."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import gd_step_weights
from gdtheory.constructions.token_maps import mapped_tokens
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array
from gdtheory.problems import KernelRegression
from gdtheory.reference.kernel_regression import inner_product_kernel


def prediction(p: KernelRegression, W_0: Any = KernelRegression.zero_model, sign: int = 1) -> Array:
    """Return minus the y-part of the query token after the map and the layer."""
    W = W_0(p)
    layer = gd_step_weights(W, p.eta, p.N)
    return layer.predict(mapped_tokens(p.X, p.Y, p.x_query, W, p.m), p.N_y) * sign


def weighted_targets(
    p: KernelRegression, factor: Any = lambda p: p.eta / p.N, m: Any = lambda p: p.m
) -> Array:
    """Return (η/N) Σ y_i k(x_i, x) with k(u, v) = m(u)ᵀ m(v)."""
    k_x = inner_product_kernel(m(p)(p.X), m(p)(p.x_query))
    return p.Y @ k_x * factor(p)


CLAIM = Claim(
    id="GDT-0028",
    revision=1,
    title="From W_0 = 0, a transformer block predicts the targets weighted by a kernel",
    statement=r"""For any map $m:\mathbb R^{N_x}\to\mathbb R^D$ let $k(u,v)=m(u)^Tm(v)$. The layer of
GDT-0001 with $W_0=0\in\mathbb R^{N_y\times D}$, on the tokens $(m(x_j),y_j)$ and the query $(m(x),0)$,
leaves in the query's y-part $-\hat y$ with $\hat y=-\eta\nabla L(0)\,m(x)=\frac\eta
N\sum_iy_i\,k(x_i,x)$, where $L(W)=\frac1{2N}\sum_i\|Wm(x_i)-y_i\|^2$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.8, on Proposition 2", knowls=(3,)),
    assumptions=(
        Assumption(
            name="W_0 = 0",
            statement="The model before the step is zero, in W_V and in the query token.",
            violation=Variant(
                name="W_0 = Σ y_i m(x_i)ᵀ", lhs=partial(prediction, W_0=KernelRegression.nonzero_model)
            ),
        ),
    ),
    problem=KernelRegression,
    example=KernelRegression.smallest,
    lhs=prediction,
    rhs=weighted_targets,
    mutants=(
        Mutant(
            name="the query's y-part is read without its minus sign",
            kind=MutantKind.SIGN,
            lhs=partial(prediction, sign=-1),
        ),
        Mutant(
            name="divided by N + 1",
            kind=MutantKind.INDEX,
            rhs=partial(weighted_targets, factor=lambda p: p.eta / (p.N + 1)),
        ),
        Mutant(
            name="the kernel of the raw inputs",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(weighted_targets, m=lambda p: lambda x: x),
        ),
    ),
    errata=(
        Erratum(
            name="no η/N",
            locator="Appendix A.8, on Proposition 2",
            printed="ŷ = ΔW m(x_test) = -η∇L(0) m(x_test) = Σ y_i m(x_i)ᵀ m(x_test) = Σ y_i k(x_i, x_test)",
            why="The gradient of L brings the factor 1/N and the step the factor η, so the second equality "
            "holds with η/N in front of the sum only.",
            rhs=partial(weighted_targets, factor=lambda p: 1),
        ),
    ),
    uses=("GDT-0001",),
)
