"""One layer moves the last weight token by one gradient-descent step."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.conventions import HuangWeights, last_token
from gdtheory.constructions.cot import cot_weights, example_tokens, weight_tokens
from gdtheory.constructions.lsa import LSAWeights, lsa_layer_folded
from gdtheory.definition import Assumption, Claim, Erratum, Kernel, Mutant, MutantKind, Source, Variant
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, namespace
from gdtheory.problems import ChainOfThought
from gdtheory.reference.regression import gd_step


def empty(p: ChainOfThought) -> Array:
    """Return what the input slots of a weight token hold: zeros."""
    return p.w * 0


def tokens(p: ChainOfThought, x_part: Any = empty) -> Array:
    """Return the examples, the earlier weight tokens and the current one, (2d+2, n+m+1)."""
    xp = namespace(p.X)
    current = xp.block([[x_part(p)], [p.star], [p.w], [xp.ones(1, 1)]])
    return xp.block([[example_tokens(p.X, p.y), weight_tokens(p.earlier, p.earlier_star), current]])


def construction(p: ChainOfThought, w_24: int = -1, sign: int = 1) -> HuangWeights:
    """Return the weights of eq. (8)."""
    return cot_weights(p.d, p.eta * sign, w_24=w_24, like=p.X)


def next_token(
    p: ChainOfThought, weights: Any = construction, x_part: Any = empty, n: Any = lambda p: p.n
) -> Array:
    """Return the last token after the layer."""
    return weights(p).next_token(tokens(p, x_part), n(p))


def next_token_folded(p: ChainOfThought, layer: Any = lsa_layer_folded) -> Array:
    """Return the last token after the layer, in the form that the kernel evaluates."""
    Z = tokens(p)
    return layer(last_token(Z), Z, LSAWeights.from_huang(construction(p), p.n))


def expected_token(p: ChainOfThought, x_part: Any = empty, eta_factor: int = 1) -> Array:
    """Return (0, ⋆, w - (η/n) X (Xᵀw - yᵀ), 1)."""
    xp = namespace(p.X)
    w_next = gd_step(p.w.T, p.X, p.y, p.eta * eta_factor).T
    return xp.block([[x_part(p)], [p.star], [w_next], [xp.ones(1, 1)]])


def transposed(p: ChainOfThought) -> HuangWeights:
    """Return the construction with W transposed."""
    weights = construction(p)
    return replace(weights, W=weights.W.T)


CLAIM = Claim(
    id="GDT-0008",
    revision=1,
    title="One chain-of-thought layer moves the weight token by one gradient-descent step",
    statement=r"""Let $Z$ hold $n\ge1$ example tokens $(x_i,y_i,0,0)$, then $m\ge0$ earlier weight tokens
$(0,\star,\cdot,1)$ and the current one $(0,\star,w,1)$, with anything in the slot of the targets. With
$V_{31}=-\eta I$, $W_{13}=I$, $w_{24}=-1$ and all other blocks zero, the last column of
$Z+VZ\,(Z^TWZ)/n$ is $(0,\star,\,w-\frac\eta nX(X^Tw-y^T),\,1)$.""",
    source=Source(key="huang2025transformers", locator="eqs. (3), (4) and (8)"),
    assumptions=(
        Assumption(
            name="w_24 = -1",
            statement="The entry of W that meets the targets is frozen at -1.",
            violation=Variant(
                name="w_24 = -2", lhs=partial(next_token, weights=partial(construction, w_24=-2))
            ),
        ),
        Assumption(
            name="empty input slots",
            statement="Weight tokens hold zeros in their first d entries; the layer keeps them so.",
            violation=Variant(
                name="the current token also holds w in its input slot",
                lhs=partial(next_token, x_part=lambda p: p.w),
                rhs=partial(expected_token, x_part=lambda p: p.w),
            ),
        ),
    ),
    problem=ChainOfThought,
    example=ChainOfThought.smallest,
    lhs=next_token,
    rhs=expected_token,
    kernel=Kernel(run=partial(next_token_folded, layer=lsa_layer_compiled), form=next_token_folded),
    mutants=(
        Mutant(
            name="V_31 = +ηI",
            kind=MutantKind.SIGN,
            lhs=partial(next_token, weights=partial(construction, sign=-1)),
        ),
        Mutant(
            name="divides by the number of tokens",
            kind=MutantKind.INDEX,
            lhs=partial(next_token, n=lambda p: p.n + p.m + 1),
        ),
        Mutant(
            name="W_31 = I and w_42 = -1",
            kind=MutantKind.TRANSPOSED,
            lhs=partial(next_token, weights=transposed),
        ),
        Mutant(
            name="w_24 = 0, so the targets are dropped",
            kind=MutantKind.DROPPED,
            lhs=partial(next_token, weights=partial(construction, w_24=0)),
        ),
        Mutant(
            name="gradient of the loss without its 1/2",
            kind=MutantKind.FACTOR,
            rhs=partial(expected_token, eta_factor=2),
        ),
    ),
    errata=(
        Erratum(
            name="all ⋆ entries are irrelevant",
            locator="below (Inference)",
            printed='"The other entries in the same column are irrelevant and we denote them as ⋆": the '
            "first d + 1 entries of a weight token",
            why="V_31 reads the first d entries of every token: with anything but zero there, the next "
            "weight vector changes. Only the entry in the slot of the targets is irrelevant.",
            lhs=partial(next_token, x_part=lambda p: p.w),
            rhs=partial(expected_token, x_part=lambda p: p.w),
        ),
    ),
    uses=("GDT-0005",),
)
