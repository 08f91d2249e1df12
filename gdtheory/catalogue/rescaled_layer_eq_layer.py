"""A factor may move between the two weight products of a layer."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import LSAWeights, lsa_layer, lsa_layer_folded
from gdtheory.constructions.rescaling import rescaled
from gdtheory.definition import Assumption, Claim, Kernel, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import ArgumentError
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array
from gdtheory.problems import RescaledAttention


def rescaled_layer(p: RescaledAttention, layer: Any = lsa_layer) -> Array:
    """Return the query token after the layer with products W_KQ / β and β W_PV."""
    weights = LSAWeights(W_K=p.W_K, W_Q=p.W_Q, W_V=p.W_V, P=p.P)
    return layer(p.query, p.context, rescaled(weights, p.beta))


def by_products(p: RescaledAttention, factor: Any = lambda beta: 1, shared: Any = lambda m: m) -> Array:
    """Return e + W_PV Σ e_i e_iᵀ W_KQ e."""
    W_KQ, W_PV = shared(p.W_K.T) @ p.W_Q, p.P @ p.W_V
    return p.query + W_PV @ (p.context @ (p.context.T @ (W_KQ @ p.query))) * factor(p.beta)


CLAIM = Claim(
    id="GDT-0051",
    revision=1,
    title="A layer depends on its products W_KQ and W_PV alone, up to a factor that moves between them",
    statement=r"""Let $W_{KQ}=W_K^TW_Q$ and $W_{PV}=PW_V$. For every $\beta\ne0$ the layer with the
products $W_{KQ}/\beta$ and $\beta W_{PV}$ maps every token $e$ to $e+W_{PV}\sum_{i\le
N}e_ie_i^TW_{KQ}\,e$, as the layer with $W_{KQ}$ and $W_{PV}$ does.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.3", knowls=(6,)),
    assumptions=(
        Assumption(
            name="β ≠ 0",
            statement="The factor is not zero.",
            violation=Refusal(problem=RescaledAttention.without_scale, error=ArgumentError),
        ),
    ),
    problem=RescaledAttention,
    example=RescaledAttention.smallest,
    lhs=rescaled_layer,
    rhs=by_products,
    kernel=Kernel(
        run=partial(rescaled_layer, layer=lsa_layer_compiled),
        form=partial(rescaled_layer, layer=lsa_layer_folded),
    ),
    mutants=(
        Mutant(
            name="only W_PV is rescaled",
            kind=MutantKind.DROPPED,
            rhs=partial(by_products, factor=lambda beta: beta),
        ),
        Mutant(
            name="both products are divided by β",
            kind=MutantKind.FACTOR,
            rhs=partial(by_products, factor=lambda beta: 1 / (beta * beta)),
        ),
        Mutant(
            name="W_KQ is W_K W_Q",
            kind=MutantKind.TRANSPOSED,
            rhs=partial(by_products, shared=lambda m: m.T),
        ),
    ),
)
