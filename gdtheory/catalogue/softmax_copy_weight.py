"""A softmax head gives the token that it copies a weight below 1, and all others the rest."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.merging import copying_head, separate_tokens, successors
from gdtheory.constructions.softmax import softmax_weights
from gdtheory.definition import EXPONENTIALS, Assumption, Claim, Erratum, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar
from gdtheory.problems import SoftmaxCopy
from gdtheory.reference.merging import copy_attention, copy_weight, exponential


def attention(p: SoftmaxCopy, code_length: int = 1, cyclic: bool = False) -> Array:
    """Return the attention of all tokens, one column for each."""
    E = separate_tokens(p.X, p.Y, p.x_query, code_length=code_length)
    reads = successors(2 * p.N + 1, cyclic=cyclic)
    return softmax_weights(E, E, copying_head(E, max(p.N_x, p.N_y), reads, p.beta))


def successor_weight(p: SoftmaxCopy, sign: int = 1, more: int = 0) -> Scalar:
    """Return e^β / (e^β + T - 1)."""
    return copy_weight(exponential(p.beta * sign, p.X), 2 * p.N + 1 + more)


def closed_form(p: SoftmaxCopy, weight: Any = successor_weight) -> Array:
    """Return the weight of the successor, and the rest shared among the others."""
    return copy_attention(weight(p), 2 * p.N + 1, p.X)


CLAIM = Claim(
    id="GDT-0035",
    revision=1,
    title="A softmax copying head gives the successor the weight e^β/(e^β + T - 1), which is below 1",
    statement=r"""In the setting of GDT-0032, let $W_Q$ be scaled by any $\beta\in\mathbb R$ and let the
scores $(W_Ke_i)^TW_Qe_k$ of all $T$ tokens go through a softmax over $i$. Then every token $k<2N$ attends
to its successor $k+1$ with the weight $\frac{e^\beta}{e^\beta+T-1}$ and to each of the $T-1$ others,
itself too, with $\frac1{e^\beta+T-1}$, whatever the contents; the last token, whose scores are all $0$,
attends to each token with $\frac1T$. So for no $\beta$ is a softmax copy exact; at $\beta=1$ and $T=7$
the weight is $\frac1{1+6/e}\approx0.31$.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 3 and Appendix A.5", knowls=(4,)),
    ours=True,
    assumptions=(
        Assumption(
            name="orthonormal positions",
            statement="The positions are orthogonal and of length 1.",
            violation=Variant(name="positions of length 2", lhs=partial(attention, code_length=2)),
        ),
        Assumption(
            name="cut-off shift",
            statement="The last token reads no position.",
            violation=Variant(name="the last token reads the first", lhs=partial(attention, cyclic=True)),
        ),
    ),
    problem=SoftmaxCopy,
    example=partial(SoftmaxCopy.three_pairs, beta=1),
    lhs=attention,
    rhs=closed_form,
    mutants=(
        Mutant(
            name="e^-β for e^β",
            kind=MutantKind.SIGN,
            rhs=partial(closed_form, weight=partial(successor_weight, sign=-1)),
        ),
        Mutant(
            name="e^β + T in the denominator",
            kind=MutantKind.INDEX,
            rhs=partial(closed_form, weight=partial(successor_weight, more=1)),
        ),
        Mutant(
            name="a row of weights per token",
            kind=MutantKind.TRANSPOSED,
            rhs=lambda p: closed_form(p).T,
        ),
    ),
    errata=(
        Erratum(
            name="exact under softmax",
            locator="Appendix A.5",
            printed="it chooses the j + 1 element of V which stays p_{j+1} if we apply the softmax operation "
            "on Kᵀq_j",
            why="A softmax gives every token a positive weight: at β = 1 and T = 7 the successor gets 0.31.",
            rhs=partial(closed_form, weight=lambda p: 1),
        ),
    ),
    uses=("GDT-0032",),
    waived=EXPONENTIALS,
)
