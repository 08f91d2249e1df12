"""The layer of Ahn et al. is the layer of von Oswald et al., token by token."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.conventions import HuangWeights
from gdtheory.constructions.lsa import LSAWeights
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import Attention


def tokens(p: Attention) -> Array:
    """Return the context tokens and, last, the query."""
    return namespace(p.query).block([[p.context, p.query]])


def weights(p: Attention) -> LSAWeights:
    """Return the layer as von Oswald et al. write it."""
    return LSAWeights(W_K=p.W_K, W_Q=p.W_Q, W_V=p.W_V, P=p.P)


def converted_layer(p: Attention, change: Any = lambda p, ahn: ahn) -> Array:
    """Return all tokens after the converted layer."""
    return change(p, weights(p).to_convention("ahn", N=p.N)).layer(tokens(p))


def original_layer(p: Attention) -> Array:
    """Return all tokens after the original layer."""
    return weights(p).layer(tokens(p))


CLAIM = Claim(
    id="GDT-0006",
    revision=1,
    title="Ahn et al.'s masked layer is von Oswald et al.'s layer",
    statement=r"""For any $W_K,W_Q,W_V,P\in\mathbb R^{D\times D}$ and tokens $Z=(e_1,\dots,e_N,e)$, with
$M=\mathrm{diag}(I_N,0)$: $Z+\frac1N(N\,PW_V)\,ZM\,(Z^T\,W_K^TW_Q\,Z)$ has the columns
$e_j+P\sum_{i\le N}(W_Ve_i)(W_Ke_i)^TW_Qe_j$ for every token, the query among them. Both papers read a
prediction as minus the query's $y$-part, so the predictions agree too.""",
    source=Source(key="ahn2023transformers", locator="definition of Attn_{P,Q} and of the layer"),
    ours=True,
    assumptions=(
        Assumption(
            name="query masked",
            statement="The mask M keeps the query from being a key.",
            violation=Variant(
                name="no mask",
                lhs=partial(converted_layer, change=lambda p, w: HuangWeights(w.P, w.Q)),
            ),
        ),
    ),
    problem=Attention,
    example=Attention.smallest,
    lhs=converted_layer,
    rhs=original_layer,
    mutants=(
        Mutant(
            name="P carries N + 1 for N",
            kind=MutantKind.FACTOR,
            lhs=partial(converted_layer, change=lambda p, w: replace(w, P=w.P / p.N * (p.N + 1))),
        ),
        Mutant(
            name="Q = W_Qᵀ W_K",
            kind=MutantKind.TRANSPOSED,
            lhs=partial(converted_layer, change=lambda p, w: replace(w, Q=w.Q.T)),
        ),
        Mutant(
            name="P = N W_V P",
            kind=MutantKind.ORDER,
            lhs=partial(converted_layer, change=lambda p, w: replace(w, P=p.W_V @ p.P * p.N)),
        ),
    ),
)
