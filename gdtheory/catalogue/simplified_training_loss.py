"""The loss of the whole layer is the simplified loss in V_31 and W_13."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.conventions import HuangWeights
from gdtheory.constructions.cot import prompt, weight_tokens
from gdtheory.constructions.cot_training import three_blocks
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, column, namespace
from gdtheory.problems import TrainingSteps
from gdtheory.reference.regression import second_moment


def layer(p: TrainingSteps, w_24: int = -1) -> HuangWeights:
    """Return the layer with V_31 = V, W_13 = W and w_24."""
    return three_blocks(p.V, p.W, w_24)


def with_V_32(p: TrainingSteps) -> HuangWeights:
    """Return the layer with a fourth block, V_32 = w_next."""
    xp, sizes = namespace(p.X), (p.d, 1, p.d, 1)
    V = [[xp.zeros(rows, columns) for columns in sizes] for rows in sizes]
    V[2][1] = p.w_next
    return replace(layer(p), V=layer(p).V + xp.block(V))


def next_iterate(p: TrainingSteps) -> Array:
    """Return the gradient-descent step from w, w - (η/n) X (Xᵀw - yᵀ)."""
    return p.w - p.X @ (p.X.T @ p.w - p.y.T) * p.eta / p.n


def whole_layer(p: TrainingSteps, layer: Any = layer, y_factor: int = 1) -> Array:
    """Return the loss of the layer where w_next, the gradient-descent step, and w* are to come next."""
    output = layer(p).next_token(prompt(p.X, p.y * y_factor, p.earlier, p.w), p.n)
    errors = (output - weight_tokens(target) for target in (p.w_next, next_iterate(p), p.w_star))
    return column(p.X, (namespace(p.X).squared_norm(error) / 2 for error in errors))


def simplified(p: TrainingSteps, sign: int = 1, W: Any = lambda p: p.W, half: int = 2) -> Array:
    """Return the loss for any next weights, and the two displayed forms of its terms."""
    square, S = namespace(p.X).squared_norm, second_moment(p.X)
    VSWw, VSw_star = p.V @ (S @ (W(p) @ p.w)), p.V @ (S @ p.w_star)
    any_next = VSWw - VSw_star + p.w - p.w_next
    step = VSWw + S @ p.w * (p.eta * sign) - VSw_star - S @ p.w_star * p.eta
    last = (p.w + VSWw) - (VSw_star + p.w_star)
    return column(p.X, (square(error) / half for error in (any_next, step, last)))


CLAIM = Claim(
    id="GDT-0072",
    revision=1,
    title="With only V₃₁, W₁₃ and w₂₄ = -1 the layer's training loss is the simplified loss, term by term",
    statement=r"""Let the layer have $V_{31}=V$, $W_{13}=W$, $w_{24}=-1$ and zeros elsewhere, and let a
training sequence hold $n\ge1$ examples with targets $y=w_*^TX$, any earlier weight tokens and the token
$(0,0,w_i,1)$. For every $X$, $w_*$ and $w_i$, with $S=\frac1nXX^T$, the squared error of the last output
token against $(0,0,w',1)$ is $\|VSWw_i-VSw_*+w_i-w'\|^2$ for every $w'$. So it is
$\|(VSW+\eta S)w_i-(V+\eta I)Sw_*\|^2$ where $w'=w_i-\eta S(w_i-w_*)$, the next iterate, and
$\|(I+VSW)w_i-(VS+I)w_*\|^2$ where $w'=w_*$. Halved, summed over $i\le k$ and averaged, these are the source's
simplified loss.""",
    source=Source(key="huang2025transformers", locator="Section 4, the simplified loss below Lemma C.2"),
    assumptions=(
        Assumption(
            name="three blocks",
            statement="All blocks but V_31, W_13 and w_24 are zero.",
            violation=Variant(name="V_32 is not zero", lhs=partial(whole_layer, layer=with_V_32)),
        ),
        Assumption(
            name="w_24 = -1",
            statement="The entry of W that meets the targets is frozen at -1.",
            violation=Variant(name="w_24 = -2", lhs=partial(whole_layer, layer=partial(layer, w_24=-2))),
        ),
        Assumption(
            name="noiseless targets",
            statement="The targets are those of w*.",
            violation=Variant(name="the targets are those of 2w*", lhs=partial(whole_layer, y_factor=2)),
        ),
    ),
    problem=TrainingSteps,
    example=TrainingSteps.smallest,
    lhs=whole_layer,
    rhs=simplified,
    mutants=(
        Mutant(
            name="w_24 = +1",
            kind=MutantKind.SIGN,
            lhs=partial(whole_layer, layer=partial(layer, w_24=1)),
        ),
        Mutant(name="-ηS for ηS", kind=MutantKind.SIGN, rhs=partial(simplified, sign=-1)),
        Mutant(name="W transposed", kind=MutantKind.TRANSPOSED, rhs=partial(simplified, W=lambda p: p.W.T)),
        Mutant(name="without the half", kind=MutantKind.FACTOR, rhs=partial(simplified, half=1)),
    ),
    errata=(
        Erratum(
            name="only three blocks affect the prediction",
            locator="below the blocks of V and W",
            printed='"we will show only V_31, W_13, and w_24 affects the prediction"',
            why="Other blocks affect it as soon as they are not zero: V_32 adds a multiple of yᵀ-weighted "
            "targets. What is shown is that training from zero leaves them at zero.",
            lhs=partial(whole_layer, layer=with_V_32),
        ),
    ),
    uses=("GDT-0008",),
)
