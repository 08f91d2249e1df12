"""K stacked GD++ layers with W = 0 perform K steps of gradient descent on inputs that they transform."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.gdpp import gdpp_step_weights
from gdtheory.constructions.lsa import lsa_layer, lsa_layer_folded, regression_tokens
from gdtheory.definition import Assumption, Claim, Iteration, Kernel, Mutant, MutantKind, Source, Variant
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, namespace
from gdtheory.problems import GDPlusPlusSteps
from gdtheory.reference.gdpp import gdpp_step, transformed_inputs


def zero(p: GDPlusPlusSteps) -> Array:
    """Return W = 0, the model before the first step."""
    return namespace(p.X).zeros(p.N_y, p.N_x)


def update(
    p: GDPlusPlusSteps,
    E: Array,
    k: Any,
    layer: Any = lsa_layer,
    W: Any = zero,
    query_attends: bool = False,
    frozen_context: bool = False,
) -> Array:
    """Return all tokens after layer k."""
    xp = namespace(E)
    context, _ = xp.split(E, (p.N, 1), axis=1)
    weights = gdpp_step_weights(W(p), p.eta, p.gamma, p.N)
    updated = layer(E, E if query_attends else context, weights)
    if frozen_context:
        return xp.block([[context, xp.split(updated, (p.N, 1), axis=1)[1]]])
    return updated


def stack(step: Any = update, W: Any = zero) -> Iteration[GDPlusPlusSteps, Array]:
    """Return K layers with the same weights."""
    return Iteration(
        start=lambda p: regression_tokens(p.X, p.Y, p.x_query, W(p)),
        step=partial(step, W=W),
        read=lambda p, E: E,
        count=lambda p: p.K,
    )


State = tuple[Array, Array, Array, Array]
"""X_k, x_k, and the predictions F_k and f_k at them."""


def step_on_current_inputs(p: GDPlusPlusSteps, state: State, k: Any) -> State:
    """Return the inputs and the predictions after one more step."""
    X, x, F, f = state
    return gdpp_step(X, x, p.Y, F, f, p.eta, p.gamma)


def first_predictions(p: GDPlusPlusSteps, W: Any = zero) -> State:
    """Return the inputs as they are, and what W predicts at them."""
    return p.X, p.x_query, W(p) @ p.X, W(p) @ p.x_query


def tokens_after(p: GDPlusPlusSteps, state: State, W: Any = zero) -> Array:
    """Return (X_k, Y - (F_k - W X)) for the context and (x_k, -f_k) for the query."""
    X, x, F, f = state
    return namespace(X).block([[X, x], [p.Y - (F - W(p) @ p.X), -f]])


def gdpp(
    step: Any = step_on_current_inputs, W: Any = zero, count: Any = lambda p: p.K
) -> Iteration[GDPlusPlusSteps, State]:
    """Return the tokens that belong to the inputs and the predictions after K steps from W."""
    return Iteration(
        start=partial(first_predictions, W=W), step=step, read=partial(tokens_after, W=W), count=count
    )


def step_on_first_inputs(p: GDPlusPlusSteps, state: State, k: Any) -> State:
    """Descend on the inputs of the prompt in every step; only the inputs themselves move on."""
    X, x, F, f = state
    _, _, F, f = step_on_current_inputs(p, (p.X, p.x_query, F, f), k)
    return transformed_inputs(X, X, p.gamma), transformed_inputs(x, X, p.gamma), F, f


def step_with_positive_gamma(p: GDPlusPlusSteps, state: State, k: Any) -> State:
    """Return a step that adds γ X Xᵀ x to the inputs."""
    X, x, F, f = state
    return gdpp_step(X, x, p.Y, F, f, p.eta, -p.gamma)


def step_on_all_targets(p: GDPlusPlusSteps, state: State, k: Any) -> State:
    """Descend on the targets and not on the residuals."""
    X, x, F, f = state
    X_next, x_next, dF, df = gdpp_step(X, x, p.Y, F * 0, f * 0, p.eta, p.gamma)
    return X_next, x_next, F + dF, f + df


CLAIM = Claim(
    id="GDT-0018",
    revision=1,
    title="K stacked GD++ layers with W = 0 take K gradient-descent steps on the inputs they transform",
    statement=r"""Let $X_0=X$, $x_0=x$, and predictions $F_0=0$ in context, $f_0=0$ at $x$. A step of
$\text{GD}^{++}$ takes, with the residuals $R_k=Y-F_k$, the gradient-descent step $\Delta W_k=\frac\eta
NR_kX_k^T$ from $0$ on $\frac1{2N}\|\Delta W\,X_k-R_k\|_F^2$, and with the same $X_k$ $$F_{k+1}=F_k+\Delta
W_kX_k,\quad f_{k+1}=f_k+\Delta W_kx_k,\quad X_{k+1}=(I-\gamma X_kX_k^T)X_k,\quad x_{k+1}=(I-\gamma
X_kX_k^T)x_k.$$ After $K\ge0$ layers of GDT-0017, all with $W=0$ and the same $\eta,\gamma$, the context
tokens $(x_j,y_j)$ have become the columns of $(X_K,\,Y-F_K)$ and the query $(x,0)$ has become
$(x_K,-f_K)$. To start from $W_0\ne0$, put $y_j-W_0x_j$ for $y_j$ into the tokens and keep $W=0$: then
$f_K$ is what the prediction gains over $W_0x$.""",
    source=Source(key="vonoswald2023transformers", locator="Section 3, GD++, and Appendix A.10", knowls=(2,)),
    assumptions=(
        Assumption(
            name="W = 0",
            statement="W_V holds W = 0 in every layer, so the query starts at (x, 0).",
            violation=Variant(
                name="any W_0 in every W_V, the query from (x, -W_0 x)",
                lhs=stack(W=lambda p: p.W_0),
                rhs=gdpp(W=lambda p: p.W_0),
            ),
        ),
        Assumption(
            name="query masked",
            statement="In every layer keys and values come from the N context tokens.",
            violation=Variant(
                name="the query attends in every layer",
                lhs=stack(partial(update, query_attends=True)),
            ),
        ),
        Assumption(
            name="context updated",
            statement="The context tokens go through every layer too.",
            violation=Variant(
                name="only the query goes through the layers",
                lhs=stack(partial(update, frozen_context=True)),
            ),
        ),
    ),
    problem=GDPlusPlusSteps,
    example=GDPlusPlusSteps.smallest,
    lhs=stack(),
    rhs=gdpp(),
    kernel=Kernel(
        run=stack(partial(update, layer=lsa_layer_compiled)),
        form=stack(partial(update, layer=lsa_layer_folded)),
    ),
    mutants=(
        Mutant(
            name="the inputs move by +γ",
            kind=MutantKind.SIGN,
            rhs=gdpp(step_with_positive_gamma),
        ),
        Mutant(
            name="every step descends on the first inputs",
            kind=MutantKind.STALE,
            rhs=gdpp(step_on_first_inputs),
        ),
        Mutant(
            name="every step descends on all of Y",
            kind=MutantKind.DROPPED,
            rhs=gdpp(step_on_all_targets),
        ),
        Mutant(
            name="K layers are K - 1 steps",
            kind=MutantKind.INDEX,
            rhs=gdpp(count=lambda p: p.K - 1),
        ),
    ),
    uses=("GDT-0017",),
)
