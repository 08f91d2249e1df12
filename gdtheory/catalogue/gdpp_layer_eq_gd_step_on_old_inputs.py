"""One GD++ layer takes a gradient-descent step and transforms the inputs, both with the old inputs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.gdpp import gdpp_step_weights
from gdtheory.constructions.lsa import LSAWeights, lsa_layer, lsa_layer_folded, regression_tokens
from gdtheory.definition import Assumption, Claim, Erratum, Kernel, Mutant, MutantKind, Source, Variant
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, namespace
from gdtheory.problems import GDPlusPlus
from gdtheory.reference.gdpp import transformed_inputs
from gdtheory.reference.regression import gd_step


def construction(p: GDPlusPlus) -> LSAWeights:
    """Return the weights of Appendix A.10."""
    return gdpp_step_weights(p.W_0, p.eta, p.gamma, p.N)


def updated_tokens(
    p: GDPlusPlus,
    weights: Any = construction,
    layer: Any = lsa_layer,
    query_attends: bool = False,
    query_factor: int = 1,
) -> Array:
    """Return all tokens after the layer; the query only reads."""
    E = regression_tokens(p.X, p.Y, p.x_query, p.W_0 * query_factor)
    context, _ = namespace(E).split(E, (p.N, 1), axis=1)
    return layer(E, E if query_attends else context, weights(p))


def tokens_of_the_step(p: GDPlusPlus, new_inputs: bool = False) -> Array:
    """Return the transformed inputs, y_j - ΔW x_j for the context and -(W_0 + ΔW) x for the query."""
    xp = namespace(p.X)
    X, x = (transformed_inputs(inputs, p.X, p.gamma) for inputs in (p.X, p.x_query))
    Delta_W = gd_step(p.W_0, p.X, p.Y, p.eta) - p.W_0
    X_read, x_read = (X, x) if new_inputs else (p.X, p.x_query)
    return xp.block([[X, x], [p.Y - Delta_W @ X_read, -(p.W_0 @ p.x_query) - Delta_W @ x_read]])


def transposed_values(p: GDPlusPlus) -> LSAWeights:
    """Return the construction with W_V transposed."""
    weights = construction(p)
    return replace(weights, W_V=weights.W_V.T)


CLAIM = Claim(
    id="GDT-0017",
    revision=1,
    title="One GD++ layer takes a gradient-descent step and transforms the inputs, both with the old inputs",
    statement=r"""For $X\in\mathbb R^{N_x\times N}$, $Y\in\mathbb R^{N_y\times N}$, any $W$, $\eta$ and
$\gamma$, let $L(W)=\frac1{2N}\sum_i\|Wx_i-y_i\|^2$ and $\Delta W=-\eta\nabla L(W)$. The layer
$e\leftarrow e+P\sum_{i\le N}(W_Ve_i)(W_Ke_i)^TW_Qe$ with $W_K=W_Q=\mathrm{diag}(I_x,0)$,
$W_V=\begin{pmatrix}I_x&0\\W&-I_y\end{pmatrix}$, $P=\begin{pmatrix}-\gamma I_x&0\\0&\frac\eta
NI_y\end{pmatrix}$ maps every context token $(x_j,y_j)$ to $((I-\gamma XX^T)x_j,\,y_j-\Delta Wx_j)$ and
the query token $(x,-Wx)$ to $((I-\gamma XX^T)x,\,-(W+\Delta W)x)$: the prediction is that of one
gradient-descent step at the old $x$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10, eqs. (22) and (23)", knowls=(2,)),
    assumptions=(
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
            statement="The query token's y-part starts at -W x.",
            violation=Variant(
                name="the query token starts at +W x",
                lhs=partial(updated_tokens, query_factor=-1),
            ),
        ),
    ),
    problem=GDPlusPlus,
    example=GDPlusPlus.smallest,
    lhs=updated_tokens,
    rhs=tokens_of_the_step,
    kernel=Kernel(
        run=partial(updated_tokens, layer=lsa_layer_compiled),
        form=partial(updated_tokens, layer=lsa_layer_folded),
    ),
    mutants=(
        Mutant(
            name="the step reads the transformed inputs",
            kind=MutantKind.STALE,
            rhs=partial(tokens_of_the_step, new_inputs=True),
        ),
        Mutant(
            name="+γ in P",
            kind=MutantKind.SIGN,
            lhs=partial(updated_tokens, weights=lambda p: gdpp_step_weights(p.W_0, p.eta, -p.gamma, p.N)),
        ),
        Mutant(
            name="γ/N in P",
            kind=MutantKind.FACTOR,
            lhs=partial(
                updated_tokens, weights=lambda p: gdpp_step_weights(p.W_0, p.eta, p.gamma / p.N, p.N)
            ),
        ),
        Mutant(
            name="P divides by N + 1",
            kind=MutantKind.INDEX,
            lhs=partial(updated_tokens, weights=lambda p: gdpp_step_weights(p.W_0, p.eta, p.gamma, p.N + 1)),
        ),
        Mutant(
            name="W_V transposed",
            kind=MutantKind.TRANSPOSED,
            lhs=partial(updated_tokens, weights=transposed_values),
        ),
    ),
    errata=(
        Erratum(
            name="the query token is (x, 0)",
            locator="Appendix A.10, below eq. (23)",
            printed='"for every token e_j = (x_j, y_j) including the query token e_{N+1} = e_test = '
            '(x_test, 0) which will give us the desired result", with a W_V that holds W',
            why="From (x, 0) the layer reaches -ΔW x: the prediction lacks W x unless W x = 0.",
            lhs=partial(updated_tokens, query_factor=0),
        ),
    ),
    uses=("GDT-0001", "GDT-0005"),
)
