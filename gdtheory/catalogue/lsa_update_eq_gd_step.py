"""One linear self-attention layer performs one gradient-descent step."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.lsa import (
    LSAWeights,
    gd_step_weights,
    lsa_layer,
    lsa_layer_folded,
    regression_tokens,
)
from gdtheory.definition import Assumption, Claim, Kernel, Mutant, MutantKind, Source, Variant
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, namespace
from gdtheory.problems import Regression
from gdtheory.reference.regression import gd_step


def construction(p: Regression) -> LSAWeights:
    """Return the weights of Proposition 1."""
    return gd_step_weights(p.W_0, p.eta, p.N)


def updated_tokens(
    p: Regression,
    weights: Any = construction,
    layer: Any = lsa_layer,
    query_attends: bool = False,
    query_sign: int = 1,
) -> Array:
    """Return all tokens after the layer; the query only reads."""
    E = regression_tokens(p.X, p.Y, p.x_query, p.W_0 * query_sign)
    context, _ = namespace(E).split(E, (p.N, 1), axis=1)
    return layer(E, E if query_attends else context, weights(p))


def shifted_tokens(p: Regression, eta_factor: int = 1) -> Array:
    """Return (x_j, y_j - ΔW x_j) for the context and (x, -(W_0 + ΔW) x) for the query."""
    xp = namespace(p.X)
    W_1 = gd_step(p.W_0, p.X, p.Y, p.eta * eta_factor)
    Delta_W = W_1 - p.W_0
    return xp.block([[p.X, p.x_query], [p.Y - Delta_W @ p.X, -(W_1 @ p.x_query)]])


def positive_targets(p: Regression) -> LSAWeights:
    """Return the construction with +I_y in W_V."""
    weights = construction(p)
    negated = gd_step_weights(-p.W_0, p.eta, p.N)
    return replace(weights, W_V=-negated.W_V)


CLAIM = Claim(
    id="GDT-0001",
    revision=1,
    title="One linear self-attention layer performs one gradient-descent step",
    statement=r"""For $X\in\mathbb R^{N_x\times N}$, $Y\in\mathbb R^{N_y\times N}$, any $W_0$ and $\eta$, let
$L(W)=\frac1{2N}\sum_i\|Wx_i-y_i\|^2$ and $\Delta W=-\eta\nabla L(W_0)$. The layer
$e\leftarrow e+P\sum_{i\le N}(W_Ve_i)(W_Ke_i)^TW_Qe$ with $W_K=W_Q=\mathrm{diag}(I_x,0)$,
$W_V=\begin{pmatrix}0&0\\W_0&-I_y\end{pmatrix}$, $P=\frac\eta NI$ maps every context token $(x_j,y_j)$ to
$(x_j,\,y_j-\Delta Wx_j)$ and the query token $(x,-W_0x)$ to $(x,\,-(W_0+\Delta W)x)$.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 1", knowls=(1,)),
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
            statement="The query token's y-part starts at -W_0 x.",
            violation=Variant(
                name="the query token starts at +W_0 x",
                lhs=partial(updated_tokens, query_sign=-1),
            ),
        ),
    ),
    problem=Regression,
    example=Regression.smallest,
    lhs=updated_tokens,
    rhs=shifted_tokens,
    kernel=Kernel(
        run=partial(updated_tokens, layer=lsa_layer_compiled),
        form=partial(updated_tokens, layer=lsa_layer_folded),
    ),
    mutants=(
        Mutant(
            name="+I_y in W_V",
            kind=MutantKind.SIGN,
            lhs=partial(updated_tokens, weights=positive_targets),
        ),
        Mutant(
            name="P without 1/N",
            kind=MutantKind.FACTOR,
            lhs=partial(updated_tokens, weights=lambda p: gd_step_weights(p.W_0, p.eta, 1)),
        ),
        Mutant(
            name="P divides by N + 1",
            kind=MutantKind.INDEX,
            lhs=partial(updated_tokens, weights=lambda p: gd_step_weights(p.W_0, p.eta, p.N + 1)),
        ),
        Mutant(
            name="W_0 dropped from W_V",
            kind=MutantKind.DROPPED,
            lhs=partial(updated_tokens, weights=lambda p: gd_step_weights(p.W_0 * 0, p.eta, p.N)),
        ),
        Mutant(
            name="gradient of the loss without its 1/2",
            kind=MutantKind.FACTOR,
            rhs=partial(shifted_tokens, eta_factor=2),
        ),
    ),
    uses=("GDT-0005",),
)
