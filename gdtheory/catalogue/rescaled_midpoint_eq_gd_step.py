"""Halfway between the gradient-descent layer and a rescaled copy of it lies the same layer."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import (
    LSAWeights,
    gd_step_weights,
    lsa_layer,
    lsa_layer_folded,
    regression_tokens,
)
from gdtheory.constructions.rescaling import midpoint, rescaled, score_scale
from gdtheory.definition import Assumption, Claim, Erratum, Kernel, Mutant, MutantKind, Source, Variant
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import RescaledRegression
from gdtheory.reference.regression import gd_step


def by_inputs(p: RescaledRegression, layer: LSAWeights) -> Scalar:
    """Return the mean of the diagonal of W_KQ over the inputs."""
    return score_scale(layer, p.N_x)


def by_whole_diagonal(p: RescaledRegression, layer: LSAWeights) -> Scalar:
    """Return the mean of the whole diagonal of W_KQ, targets included."""
    return namespace(p.X).trace(layer.W_KQ) / (p.N_x + p.N_y)


def midpoint_tokens(
    p: RescaledRegression, scale: Any = by_inputs, correct: Any = rescaled, layer: Any = lsa_layer
) -> Array:
    """Return all tokens after the midpoint of the gradient-descent layer and its corrected copy."""
    E = regression_tokens(p.X, p.Y, p.x_query, p.W_0)
    context, _ = namespace(E).split(E, (p.N, 1), axis=1)
    theta_GD = gd_step_weights(p.W_0, p.eta, p.N)
    theta = rescaled(theta_GD, 1 / p.b)
    return layer(E, context, midpoint(theta_GD, correct(theta, scale(p, theta))))


def scores_only(weights: LSAWeights, beta: Scalar) -> LSAWeights:
    """Return the layer with W_KQ corrected and W_PV as it was."""
    return LSAWeights(W_K=weights.W_K, W_Q=weights.W_Q / beta, W_V=weights.W_V, P=weights.P)


def gd_tokens(p: RescaledRegression) -> Array:
    """Return (x_j, y_j - ΔW x_j) for the context and (x, -(W_0 + ΔW) x) for the query."""
    xp = namespace(p.X)
    W_1 = gd_step(p.W_0, p.X, p.Y, p.eta)
    return xp.block([[p.X, p.x_query], [p.Y - (W_1 - p.W_0) @ p.X, -(W_1 @ p.x_query)]])


CLAIM = Claim(
    id="GDT-0052",
    revision=1,
    title="The midpoint of the gradient-descent layer and a copy with its scale corrected is the same layer",
    statement=r"""Let $\theta_{GD}$ be the layer of GDT-0001 with products $W_{KQ}=\mathrm{diag}(I_x,0)$
and $W_{PV}=PW_V$, and $\theta$ its copy with $bW_{KQ}$ and $W_{PV}/b$ for some $b\ne0$. Let $\beta$ be
the mean of the diagonal of $bW_{KQ}$ over its $N_x$ input entries. Then the layer whose products are the
means of those of $\theta_{GD}$ and of $\theta$ corrected to $bW_{KQ}/\beta$ and $\beta W_{PV}/b$ performs
the gradient-descent step of GDT-0001 on every token. So its loss on any task is the same.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.3", knowls=(6,)),
    ours=True,
    assumptions=(
        Assumption(
            name="scale corrected",
            statement="The copy is divided by β before the mean is taken.",
            violation=Variant(
                name="the midpoint of the layers as they are",
                lhs=partial(midpoint_tokens, correct=lambda weights, beta: weights),
            ),
        ),
    ),
    problem=RescaledRegression,
    example=RescaledRegression.smallest,
    lhs=midpoint_tokens,
    rhs=gd_tokens,
    kernel=Kernel(
        run=partial(midpoint_tokens, layer=lsa_layer_compiled),
        form=partial(midpoint_tokens, layer=lsa_layer_folded),
    ),
    mutants=(
        Mutant(
            name="W_PV is not multiplied by β",
            kind=MutantKind.DROPPED,
            lhs=partial(midpoint_tokens, correct=scores_only),
        ),
        Mutant(
            name="multiplied by β where it is to be divided",
            kind=MutantKind.FACTOR,
            lhs=partial(midpoint_tokens, correct=lambda weights, beta: rescaled(weights, 1 / beta)),
        ),
    ),
    errata=(
        Erratum(
            name="β from the whole diagonal",
            locator="Appendix A.3 and Section 3, linear mode connectivity",
            printed="β = mean(diag(W_KQ))",
            why="The N_y target entries of the diagonal are zero: the mean is too small by N_x/(N_x + N_y).",
            lhs=partial(midpoint_tokens, scale=by_whole_diagonal),
        ),
    ),
    uses=("GDT-0001", "GDT-0051"),
)
