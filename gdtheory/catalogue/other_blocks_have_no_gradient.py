"""Blocks that start at zero have no gradient, since the teacher is as likely as its negative."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.conventions import HuangWeights
from gdtheory.constructions.cot_training import TaughtToken, three_blocks
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar, namespace
from gdtheory.problems import TrainingDirection
from gdtheory.reference.regression import second_moment


def layer(p: TrainingDirection) -> HuangWeights:
    """Return the layer with V_31 = V, W_13 = W and w_24 = u_24."""
    return three_blocks(p.V, p.W, p.u_24)


def with_W_14(p: TrainingDirection) -> HuangWeights:
    """Return the layer with a fourth block, W_14 = w_*."""
    xp, sizes = namespace(p.X), (p.d, 1, p.d, 1)
    W = [[xp.zeros(rows, columns) for columns in sizes] for rows in sizes]
    W[0][3] = p.w_star
    return replace(layer(p), W=layer(p).W + xp.block(W))


def flipped(p: TrainingDirection, sign: int, fixed: tuple[str, ...] = ()) -> TaughtToken:
    """Return the sequence of the teacher ±w*, whose iterates change sign with it, but for some."""
    w = {
        name: getattr(p, name) * (1 if name in fixed else sign)
        for name in ("w_star", "earlier", "w", "w_next")
    }
    return TaughtToken(p.X, w["w_star"].T @ p.X, (w["earlier"], w["w"]), w["w_next"])


def mean_slope(
    p: TrainingDirection, layer: Any = layer, signs: tuple[int, int] = (1, -1), fixed: tuple[str, ...] = ()
) -> Scalar:
    """Return the derivative of the loss along all 32 blocks, averaged over w* and -w*."""
    direction = HuangWeights(p.all_V, p.all_W)
    first, second = (flipped(p, sign, fixed).slope(layer(p), direction) for sign in signs)
    return (first + second) / 2


def slope_of_three(
    p: TrainingDirection,
    w_24: Any = lambda p: p.w_24,
    W_13: Any = lambda p: p.W_13,
) -> Scalar:
    """Return ⟨r, V'S(Ww + u_24 w*) + VS(W'w + w'_24 w*)⟩ with r = VS(Ww + u_24 w*) + w - w_next."""
    S, trace = second_moment(p.X), namespace(p.X).trace
    seen = S @ (p.W @ p.w + p.w_star * p.u_24)
    change = p.V_31 @ seen + p.V @ S @ (W_13(p) @ p.w + p.w_star @ w_24(p))
    return trace((p.V @ seen + p.w - p.w_next).T @ change)


CLAIM = Claim(
    id="GDT-0073",
    revision=1,
    title="From V₃₁, W₁₃ and w₂₄ alone no other block has a gradient: w* ↦ -w* suffices, for any inputs",
    statement=r"""Let all blocks of the layer but $V_{31}$, $W_{13}$ and $w_{24}$ be zero, these three being
arbitrary, and let the current, earlier and next weights of a training sequence change sign with $w_*$, as
the iterates from $w_0=0$ and $w_*$ itself do. For every $X$, the mean over $w_*$ and $-w_*$ of the loss
$\frac12\|f-(0,0,w_{i+1},1)\|^2$ has, along a direction with any 32 blocks $V'_{jl}$, $W'_{jl}$, the
derivative $$\bigl\langle VS(Ww_i+w_{24}w_*)+w_i-w_{i+1},\;V'_{31}S(Ww_i+w_{24}w_*)+VS(W'_{13}w_i+w'_{24}w_*)
\bigr\rangle.$$ So the other 29 blocks have no gradient and stay zero along the gradient flow of any mean
over such $w_*$. The source gives Gaussian data as the reason; the inputs need not be random. The gradient in
$w_{24}$ does not vanish: $w_{24}$ stays at $-1$ only because it is frozen.""",
    source=Source(key="huang2025transformers", locator="Lemma C.2"),
    assumptions=(
        Assumption(
            name="symmetric teacher",
            statement="w* is as likely as -w*.",
            violation=Variant(name="w* alone", lhs=partial(mean_slope, signs=(1, 1))),
        ),
        Assumption(
            name="iterates from zero",
            statement="The current weights change sign with w*, as they do from w_0 = 0.",
            violation=Variant(name="w stays while w* flips", lhs=partial(mean_slope, fixed=("w",))),
        ),
        Assumption(
            name="other blocks at zero",
            statement="All blocks but V_31, W_13 and w_24 are zero where the gradient is taken.",
            violation=Variant(name="W_14 is not zero", lhs=partial(mean_slope, layer=with_W_14)),
        ),
    ),
    problem=TrainingDirection,
    example=TrainingDirection.smallest,
    lhs=mean_slope,
    rhs=slope_of_three,
    mutants=(
        Mutant(
            name="w_24 has no gradient either",
            kind=MutantKind.DROPPED,
            rhs=partial(slope_of_three, w_24=lambda p: p.w_24 - p.w_24),
        ),
        Mutant(
            name="W'_13 transposed",
            kind=MutantKind.TRANSPOSED,
            rhs=partial(slope_of_three, W_13=lambda p: p.W_13.T),
        ),
    ),
    uses=("GDT-0072",),
    waived={"float": "the mean over w* and -w* is taken exactly and nothing computes it in floats"},
)
