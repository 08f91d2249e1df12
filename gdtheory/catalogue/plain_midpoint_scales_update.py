"""Halfway between a layer and its rescaled copy, uncorrected, the update is longer."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import LSAWeights, lsa_layer, lsa_layer_folded
from gdtheory.constructions.rescaling import midpoint, rescaled
from gdtheory.definition import Assumption, Claim, Kernel, Mutant, MutantKind, Refusal, Source, Variant
from gdtheory.errors import ArgumentError
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array
from gdtheory.problems import RescaledAttention


def midpoint_query(p: RescaledAttention, layer: Any = lsa_layer) -> Array:
    """Return the query token after the midpoint of the layer and its copy with W_KQ / β and β W_PV."""
    weights = LSAWeights(W_K=p.W_K, W_Q=p.W_Q, W_V=p.W_V, P=p.P)
    return layer(p.query, p.context, midpoint(weights, rescaled(weights, p.beta)))


def lengthened_update(p: RescaledAttention, factor: Any = lambda b: (b + 1) * (b + 1) / (b * 4)) -> Array:
    """Return e + (1+β)²/(4β) times the layer's update."""
    update = p.P @ p.W_V @ p.context @ p.context.T @ p.W_K.T @ p.W_Q @ p.query
    return p.query + update * factor(p.beta)


CLAIM = Claim(
    id="GDT-0049",
    revision=1,
    title="The plain midpoint of a layer and its rescaled copy multiplies the update by (1+β)²/(4β)",
    statement=r"""For any layer with products $W_{KQ}$ and $W_{PV}$ and every $\beta\ne0$, the layer with
products $\frac12(W_{KQ}+W_{KQ}/\beta)$ and $\frac12(W_{PV}+\beta W_{PV})$ adds to a token
$\frac{(1+\beta)^2}{4\beta}=1+\frac{(1-\beta)^2}{4\beta}$ times what the layer adds. So without a
correction of the scale the midpoint is the same layer on tokens that it moves if and only if $\beta=1$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.3", knowls=(6,)),
    ours=True,
    assumptions=(
        Assumption(
            name="β ≠ 0",
            statement="The factor is not zero.",
            violation=Refusal(problem=RescaledAttention.without_scale, error=ArgumentError),
        ),
        Assumption(
            name="means of the products",
            statement="The means are taken of W_KQ and of W_PV.",
            violation=Variant(
                name="the mean of the layers' outputs",
                rhs=partial(lengthened_update, factor=lambda b: 1),
            ),
        ),
    ),
    problem=RescaledAttention,
    example=RescaledAttention.smallest,
    lhs=midpoint_query,
    rhs=lengthened_update,
    kernel=Kernel(
        run=partial(midpoint_query, layer=lsa_layer_compiled),
        form=partial(midpoint_query, layer=lsa_layer_folded),
    ),
    mutants=(
        Mutant(
            name="the square is lost",
            kind=MutantKind.FACTOR,
            rhs=partial(lengthened_update, factor=lambda b: (b + 1) / 2),
        ),
        Mutant(
            name="(1-β)² in place of (1+β)²",
            kind=MutantKind.SIGN,
            rhs=partial(lengthened_update, factor=lambda b: (b - 1) * (b - 1) / (b * 4)),
        ),
    ),
    uses=("GDT-0051",),
)
