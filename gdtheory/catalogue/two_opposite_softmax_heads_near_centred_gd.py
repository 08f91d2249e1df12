"""Two opposite softmax heads come near a gradient-descent step on centred inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.lsa import LSAWeights
from gdtheory.constructions.softmax_heads import heads_update, softmax_gd_heads
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import OppositeHeads
from gdtheory.reference.centred import centred_gd_step
from gdtheory.reference.regression import gd_step
from gdtheory.reference.softmax_expansion import opposite_heads_error_bound


def two_heads(p: OppositeHeads, multiples: tuple[int, int] = (1, -1)) -> Sequence[LSAWeights]:
    """Return heads whose scores are the given multiples of ε x_iᵀ A x."""
    one = namespace(p.X).ones(1, 1) * p.epsilon
    scales = namespace(p.X).block([[one * multiples[0], one * multiples[1]]])
    return softmax_gd_heads(p.W_0, p.A, p.eta, scales)


def of_one_sign(p: OppositeHeads) -> Sequence[LSAWeights]:
    """Return heads with opposite scores that read the values with one sign."""
    first, second = two_heads(p)
    return first, replace(second, P=first.P)


def distance(
    p: OppositeHeads,
    heads: Any = two_heads,
    step: Any = centred_gd_step,
    eta_factor: int = 1,
    scores: Any = lambda A: A,
) -> Array:
    """Return how far what the heads add to the query is from -ΔW A x, entry by entry."""
    added = heads_update(p.X, p.Y, p.x_query, p.W_0, heads(p))
    Delta_W = step(p.W_0, p.X, p.Y, p.eta * eta_factor) - p.W_0
    return abs(added + Delta_W @ scores(p.A) @ p.x_query)


def bound(p: OppositeHeads, changed: Any = lambda bound, p: bound) -> Array:
    """Return ε² R³/24 times half the range of the values."""
    return changed(opposite_heads_error_bound(p.values, p.scores, p.epsilon), p)


def nearly_attained() -> OppositeHeads:
    """Return two tokens with different scores and values."""
    return OppositeHeads.one_apart(2, eta=1, scale=1, decades=2)


CLAIM = Claim(
    id="GDT-0039",
    revision=1,
    title="Two opposite softmax heads miss a centred gradient-descent step by at most ε²R³/24 half ranges",
    statement=r"""Let two softmax heads as in GDT-0038 have $W_Q=\pm\mathrm{diag}(\varepsilon A,0)$ and
$P=\pm\frac\eta{2\varepsilon}I$, $\varepsilon\ne0$. With $\bar x=\frac1N\sum_ix_i$ and $\Delta
W_c=-\frac\eta N\sum_i(W_0x_i-y_i)(x_i-\bar x)^T$, what they add to the $y$-part of a query token with
input $x$ differs from $-\Delta W_cAx$, in every entry $k$, by at most
$\frac{\varepsilon^2R^3}{24}\cdot\frac12(\max_iv_{ik}-\min_iv_{ik})$, where $v_i=\eta(W_0x_i-y_i)$ and $R$
is the range of the $x_i^TAx$: for every real $\varepsilon\ne0$, $\eta$, $A$, $W_0$ and every context. So
for $A=I$ and $\varepsilon\to0$ they take the step of gradient descent with centred inputs. No constant
below $\frac1{24}$ will do.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.9", knowls=(5,)),
    ours=True,
    assumptions=(
        Assumption(
            name="opposite scores",
            statement="The second head has the scores of the first, with the other sign.",
            violation=Variant(
                name="the second head has -2 times the scores of the first",
                lhs=partial(distance, heads=partial(two_heads, multiples=(1, -2))),
            ),
        ),
        Assumption(
            name="opposite values",
            statement="The second head reads the values of the first, with the other sign.",
            violation=Variant(
                name="both heads read the values with one sign",
                lhs=partial(distance, heads=of_one_sign),
            ),
        ),
    ),
    problem=OppositeHeads,
    example=nearly_attained,
    lhs=distance,
    rhs=bound,
    relation=Relation.AT_MOST,
    mutants=(
        Mutant(
            name="ΔW doubled",
            kind=MutantKind.FACTOR,
            lhs=partial(distance, eta_factor=2),
        ),
        Mutant(
            name="Aᵀ for A",
            kind=MutantKind.TRANSPOSED,
            lhs=partial(distance, scores=lambda A: A.T),
        ),
        Mutant(
            name="an error of third order",
            kind=MutantKind.INDEX,
            rhs=partial(bound, changed=lambda bound, p: bound * abs(p.epsilon)),
        ),
        Mutant(
            name="R⁴ for R³",
            kind=MutantKind.INDEX,
            rhs=partial(bound, changed=lambda bound, p: bound * p.R),
        ),
        Mutant(
            name="the range of the residuals, without η",
            kind=MutantKind.DROPPED,
            rhs=lambda p: opposite_heads_error_bound(p.W_0 @ p.X - p.Y, p.scores, p.epsilon),
        ),
        Mutant(
            name="the bound with 1/25 for 1/24",
            kind=MutantKind.FACTOR,
            rhs=partial(bound, changed=lambda bound, p: bound * 24 / 25),
        ),
    ),
    errata=(
        Erratum(
            name="linear gradient descent is recovered",
            locator="Appendix A.9",
            printed="P₁V₁ softmax(K₁ᵀW_Q x_j) + P₂V₂ softmax(K₂ᵀW_Q x_j) ≈ … = "
            "PV(x_1ᵀ(W_{1,KQ} - W_{2,KQ})x_j, …, x_Nᵀ(W_{1,KQ} - W_{2,KQ})x_j) ∝ PVKᵀq_j",
            why="Opposite heads cancel the mean value, not the mean score: the inputs stay centred. The step "
            "is that of plain gradient descent only where the residuals or the inputs have the mean zero.",
            lhs=partial(distance, step=gd_step),
        ),
    ),
    uses=("GDT-0038", "GDT-0040"),
)
