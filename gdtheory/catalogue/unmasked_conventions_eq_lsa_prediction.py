"""The layers of Zhang et al. and of Huang et al. predict what von Oswald et al.'s layer predicts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.conventions import HuangWeights, ZhangWeights
from gdtheory.constructions.lsa import LSAWeights
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import TargetAttention


def tokens(p: TargetAttention, y_query: Any = None) -> Array:
    """Return the context tokens (x_j, y_j) and, last, the query (x, 0)."""
    y = namespace(p.X).zeros(p.N_y, 1) if y_query is None else y_query(p)
    return namespace(p.X).block([[p.X, p.x_query], [p.Y, y]])


def weights(p: TargetAttention, V_yx: Any = None) -> LSAWeights:
    """Return the layer with W_Q = KQ and W_V = V."""
    xp = namespace(p.X)
    eye = xp.block(
        [
            [xp.eye(p.N_x), xp.zeros(p.N_x, p.N_y)],
            [xp.zeros(p.N_y, p.N_x), xp.eye(p.N_y)],
        ]
    )
    lower = xp.zeros(p.N_y, p.N_x) if V_yx is None else V_yx(p)
    return LSAWeights(
        W_K=eye,
        W_Q=xp.block([[p.KQ_xx, p.KQ_xy], [p.KQ_yx, p.KQ_yy]]),
        W_V=xp.block([[p.V_xx, p.V_xy], [lower, p.V_yy]]),
        P=eye,
    )


def converted(p: TargetAttention) -> tuple[ZhangWeights, HuangWeights]:
    """Return the layer as Zhang et al. and as Huang et al. write it."""
    zhang = weights(p).to_convention("zhang", N=p.N, N_y=p.N_y)
    huang = weights(p).to_convention("huang", N=p.N, N_y=p.N_y)
    return zhang, huang


def reading_inputs(p: TargetAttention) -> tuple[ZhangWeights, HuangWeights]:
    """Return, unrefused, the conversion of a layer that reads targets off inputs by Y Xᵀ."""
    layer = weights(p, V_yx=lambda p: p.Y @ p.X.T)
    V = -layer.W_PV * p.N
    return ZhangWeights(W_PV=V, W_KQ=layer.W_KQ, rho=p.N), HuangWeights(V=V, W=layer.W_KQ)


def changed(p: TargetAttention, change: Any) -> tuple[ZhangWeights, HuangWeights]:
    """Return the conversion with one change of (V, W) in both conventions."""
    zhang, huang = converted(p)
    V, W = change(p, huang.V, huang.W)
    return replace(zhang, W_PV=V, W_KQ=W), replace(huang, V=V, W=W)


def converted_predictions(p: TargetAttention, layers: Any = converted, y_query: Any = None) -> Array:
    """Return Zhang's prediction above Huang's, (2 N_y, 1)."""
    E = tokens(p, y_query)
    return namespace(E).block([[layer.predict(E, p.N_y)] for layer in layers(p)])


def original_predictions(p: TargetAttention, y_query: Any = None, V_yx: Any = None) -> Array:
    """Return von Oswald's prediction twice, (2 N_y, 1)."""
    prediction = weights(p, V_yx).predict(tokens(p, y_query), p.N_y)
    return namespace(p.X).block([[prediction], [prediction]])


CLAIM = Claim(
    id="GDT-0007",
    revision=1,
    title="Zhang et al.'s and Huang et al.'s layers predict what von Oswald et al.'s layer predicts",
    statement=r"""Let $PW_V$ have a zero block from $x$ to $y$, let tokens be
$E=((x_1,y_1),\dots,(x_N,y_N),(x,0))$, and let $\hat y$ be minus the query's $y$-part after the layer
$e\leftarrow e+P\sum_{i\le N}(W_Ve_i)(W_Ke_i)^TW_Qe$. With $W^{PV}=-N\,PW_V$ and $W^{KQ}=W_K^TW_Q$, the
last token of $E+\frac1NW^{PV}E\,(E^TW^{KQ}E)$, in which the query sees itself, has the $y$-part $+\hat y$.
Zhang et al. write $\rho$ for $N$; Huang et al. write $V,W,n$ for $W^{PV},W^{KQ},N$.""",
    source=Source(key="zhang2024trained", locator="definition of f_LSA"),
    ours=True,
    assumptions=(
        Assumption(
            name="targets from targets",
            statement="The block of P W_V from x to y is zero (for a gradient step: W_0 = 0).",
            violation=Variant(
                name="the layer reads targets off inputs",
                lhs=partial(converted_predictions, layers=reading_inputs),
                rhs=partial(original_predictions, V_yx=lambda p: p.Y @ p.X.T),
            ),
        ),
        Assumption(
            name="empty query slot",
            statement="The query token is (x, 0).",
            violation=Variant(
                name="the query token is (x, Y Xᵀx)",
                lhs=partial(converted_predictions, y_query=lambda p: p.Y @ p.X.T @ p.x_query),
                rhs=partial(original_predictions, y_query=lambda p: p.Y @ p.X.T @ p.x_query),
            ),
        ),
    ),
    problem=TargetAttention,
    example=TargetAttention.smallest,
    lhs=converted_predictions,
    rhs=original_predictions,
    mutants=(
        Mutant(
            name="the sign of the read-out is not moved into W_PV",
            kind=MutantKind.SIGN,
            lhs=partial(
                converted_predictions,
                layers=partial(changed, change=lambda p, V, W: (-V, W)),
            ),
        ),
        Mutant(
            name="W_PV carries the number of all tokens, N + 1",
            kind=MutantKind.INDEX,
            lhs=partial(
                converted_predictions,
                layers=partial(changed, change=lambda p, V, W: (V / p.N * (p.N + 1), W)),
            ),
        ),
        Mutant(
            name="W_KQ = W_Qᵀ W_K",
            kind=MutantKind.TRANSPOSED,
            lhs=partial(
                converted_predictions,
                layers=partial(changed, change=lambda p, V, W: (V, W.T)),
            ),
        ),
    ),
)
