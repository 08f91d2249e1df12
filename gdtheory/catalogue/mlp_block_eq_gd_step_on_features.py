"""An MLP and a linear self-attention layer perform one gradient-descent step on features."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import LSAWeights, gd_step_weights, lsa_layer, lsa_layer_folded
from gdtheory.constructions.token_maps import mapped_tokens, residual_mlp
from gdtheory.definition import (
    Assumption,
    Claim,
    Kernel,
    Mutant,
    MutantKind,
    Refusal,
    Source,
    Variant,
)
from gdtheory.errors import ShapeError
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, namespace
from gdtheory.problems import ResidualRegression
from gdtheory.reference.regression import gd_step


def residual_map(p: ResidualRegression, x: Array) -> Array:
    """Return m(x) = x + m̃(x)."""
    return x + p.m_tilde(x)


def query_target(p: ResidualRegression) -> Array:
    """Return the query token's y-part, -W_0 m(x)."""
    return -(p.W_0 @ residual_map(p, p.x_query))


def after_mlp(
    p: ResidualRegression, query_target: Any = query_target, query_mlp: Any = residual_mlp
) -> Array:
    """Return the tokens (m(x_j), y_j) and (m(x), -W_0 m(x)) after the MLP."""
    xp = namespace(p.X)
    context = residual_mlp(xp.block([[p.X], [p.Y]]), p.m_tilde, p.N_y)
    query = query_mlp(xp.block([[p.x_query], [query_target(p)]]), p.m_tilde, p.N_y)
    return xp.block([[context, query]])


def without_residual(p: ResidualRegression) -> Array:
    """Return the tokens after an MLP that puts m̃(x) in the place of x."""
    return mapped_tokens(p.X, p.Y, p.x_query, p.W_0, p.m_tilde)


def construction(p: ResidualRegression) -> LSAWeights:
    """Return the weights of Proposition 1."""
    return gd_step_weights(p.W_0, p.eta, p.N)


def updated_tokens(
    p: ResidualRegression,
    tokens: Any = after_mlp,
    weights: Any = construction,
    layer: Any = lsa_layer,
    query_attends: bool = False,
) -> Array:
    """Return all tokens after the block: the MLP, then linear self-attention."""
    E = tokens(p)
    context, _ = namespace(E).split(E, (p.N, 1), axis=1)
    return layer(E, E if query_attends else context, weights(p))


def shifted_tokens(p: ResidualRegression, gradient_inputs: Any = residual_map) -> Array:
    """Return (m(x_j), y_j - ΔW m(x_j)) for the context and (m(x), -(W_0 + ΔW) m(x)) for the query."""
    Phi, phi = residual_map(p, p.X), residual_map(p, p.x_query)
    W_1 = gd_step(p.W_0, gradient_inputs(p, p.X), p.Y, p.eta)
    Delta_W = W_1 - p.W_0
    return namespace(Phi).block([[Phi, phi], [p.Y - Delta_W @ Phi, -(W_1 @ phi)]])


CLAIM = Claim(
    id="GDT-0027",
    revision=1,
    title="An MLP and a linear self-attention layer perform one gradient-descent step on features",
    statement=r"""For any map $\tilde m:\mathbb R^{N_x}\to\mathbb R^{N_x}$ let $m(x)=x+\tilde m(x)$. For
any $W_0\in\mathbb R^{N_y\times N_x}$ and $\eta$ let $L(W)=\frac1{2N}\sum_i\|Wm(x_i)-y_i\|^2$ and $\Delta
W=-\eta\nabla L(W_0)$. The MLP $e\leftarrow e+(\tilde m(x),0)$ on every token, followed by the layer of
GDT-0001, maps every context token $(x_j,y_j)$ to $(m(x_j),\,y_j-\Delta W\,m(x_j))$ and the query token
$(x,-W_0m(x))$ to $(m(x),\,-(W_0+\Delta W)\,m(x))$.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 2", knowls=(3,)),
    assumptions=(
        Assumption(
            name="the residual map keeps the width",
            statement="The number of features D is N_x: only then can m̃(x) be added to x.",
            violation=Refusal(problem=ResidualRegression.changed_width, error=ShapeError),
        ),
        Assumption(
            name="query masked",
            statement="Keys and values come from the N context tokens, not from the query.",
            violation=Variant(
                name="the query attends to itself",
                lhs=partial(updated_tokens, query_attends=True),
            ),
        ),
        Assumption(
            name="query token",
            statement="The query token's y-part starts at -W_0 m(x), the model on features.",
            violation=Variant(
                name="the query token starts at -W_0 x",
                lhs=partial(
                    updated_tokens, tokens=partial(after_mlp, query_target=lambda p: -(p.W_0 @ p.x_query))
                ),
            ),
        ),
    ),
    problem=ResidualRegression,
    example=ResidualRegression.smallest,
    lhs=updated_tokens,
    rhs=shifted_tokens,
    kernel=Kernel(
        run=partial(updated_tokens, layer=lsa_layer_compiled),
        form=partial(updated_tokens, layer=lsa_layer_folded),
    ),
    mutants=(
        Mutant(
            name="the MLP has no residual connection",
            kind=MutantKind.DROPPED,
            lhs=partial(updated_tokens, tokens=without_residual),
        ),
        Mutant(
            name="the MLP passes over the query",
            kind=MutantKind.STALE,
            lhs=partial(updated_tokens, tokens=partial(after_mlp, query_mlp=lambda E, m_tilde, N_y: E)),
        ),
        Mutant(
            name="the gradient is taken at the raw inputs",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(shifted_tokens, gradient_inputs=lambda p, x: x),
        ),
        Mutant(
            name="P without 1/N",
            kind=MutantKind.FACTOR,
            lhs=partial(updated_tokens, weights=lambda p: gd_step_weights(p.W_0, p.eta, 1)),
        ),
    ),
    uses=("GDT-0001",),
)
