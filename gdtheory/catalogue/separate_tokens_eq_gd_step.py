"""From separate tokens, two linear layers predict what one gradient-descent step predicts."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.conventions import last_token
from gdtheory.constructions.merged_regression import gd_layer_on_slots, slot_targets
from gdtheory.constructions.merging import (
    pairing_heads,
    separate_tokens,
)
from gdtheory.constructions.multi_head import multi_head_layer
from gdtheory.definition import ALTERNATING_TOKENS, Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array
from gdtheory.problems import SeparateRegression
from gdtheory.reference.regression import gd_prediction


def prediction(
    p: SeparateRegression,
    heads: Any = pairing_heads,
    divisor: Any = lambda p: p.N,
    stale: bool = False,
    sign: int = -1,
) -> Array:
    """Return minus the target part of the query's slot after both layers."""
    E = separate_tokens(p.X, p.Y, p.x_query)
    C = max(p.N_x, p.N_y)
    merged = multi_head_layer(E, E, heads(E, C))
    query = gd_layer_on_slots(last_token(merged), E if stale else merged, C, p.eta, divisor(p))
    return slot_targets(query, C, p.N_y) * sign


def gd_step_prediction(p: SeparateRegression, eta_factor: int = 1) -> Array:
    """Return the prediction of the linear model after the step."""
    return gd_prediction(p.X, p.Y, p.x_query, p.eta * eta_factor)


CLAIM = Claim(
    id="GDT-0034",
    revision=1,
    title="From separate tokens, two linear layers predict what one gradient-descent step predicts",
    statement=r"""Let the layer of GDT-0033 merge the $2N+1$ separate tokens of any $X\in\mathbb
R^{N_x\times N}$, $Y\in\mathbb R^{N_y\times N}$ and query $x$, $N\ge1$. Let a second layer, with the
weights of GDT-0001 at $W_0=0$, take contents for inputs and slots for targets:
$W_K=W_Q=\begin{pmatrix}I&0\\0&0\end{pmatrix}$, $W_V=\begin{pmatrix}0&0\\0&-I\end{pmatrix}$, $P=\frac\eta
NI$. Then minus the entries of the query's slot at which pairs hold $y_j$ is the prediction
$W_1x=\frac\eta N\sum_jy_jx_j^Tx$ of one gradient-descent step from $W_0=0$. All $2N+1$ tokens, the query
too, may be keys: cleared tokens and the query, whose slot is $0$, contribute nothing.""",
    source=Source(key="vonoswald2023transformers", locator="Propositions 1 and 3", knowls=(1, 4)),
    ours=True,
    assumptions=(
        Assumption(
            name="cleared tokens",
            statement="Targets clear themselves, and the query its position, when pairs are merged.",
            violation=Variant(
                name="the first layer only copies",
                lhs=partial(prediction, heads=lambda E, C: pairing_heads(E, C)[:1]),
            ),
        ),
    ),
    problem=SeparateRegression,
    example=partial(SeparateRegression.three_pairs, eta="1/2"),
    lhs=prediction,
    rhs=gd_step_prediction,
    mutants=(
        Mutant(
            name="the query's slot is read without its minus sign",
            kind=MutantKind.SIGN,
            lhs=partial(prediction, sign=1),
        ),
        Mutant(
            name="P divides by the number of tokens",
            kind=MutantKind.INDEX,
            lhs=partial(prediction, divisor=lambda p: 2 * p.N + 1),
        ),
        Mutant(
            name="the second layer reads the tokens before they are merged",
            kind=MutantKind.STALE,
            lhs=partial(prediction, stale=True),
        ),
        Mutant(
            name="gradient of the loss without its 1/2",
            kind=MutantKind.FACTOR,
            rhs=partial(gd_step_prediction, eta_factor=2),
        ),
    ),
    uses=("GDT-0001", "GDT-0033"),
    waived=ALTERNATING_TOKENS,
)
