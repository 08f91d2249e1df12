"""A softmax head gives the token that it copies a weight below 1, and all others the rest."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.merging import copying_head, separate_tokens, successors
from gdtheory.constructions.softmax import softmax_weights
from gdtheory.definition import EXPONENTIALS, Assumption, Claim, Erratum, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import SoftmaxCopy
from gdtheory.reference.merging import copy_attention, exponential


def attention(p: SoftmaxCopy, code_length: int = 1, cyclic: bool = False) -> Array:
    """Return the attention of all tokens, one column for each."""
    xp = namespace(p.X)
    E = separate_tokens(p.X, p.Y, p.x_query)
    C = max(p.N_x, p.N_y)
    contents, positions = xp.split(E, (C, E.shape[0] - C))
    E = xp.block([[contents], [positions * code_length]])
    return softmax_weights(E, E, copying_head(E, C, successors(2 * p.N + 1, cyclic=cyclic), p.beta))


def closed_form(p: SoftmaxCopy, e_beta: Any = lambda p: exponential(p.beta, p.X)) -> Array:
    """Return e^β / (e^β + T - 1) for the successor, and 1 / (e^β + T - 1) elsewhere."""
    return copy_attention(e_beta(p), 2 * p.N + 1, p.X)


def exact_copy(p: SoftmaxCopy) -> Array:
    """Return 1 for the successor and 0 elsewhere; the last token, without one, attends to all alike."""
    xp = namespace(p.X)
    T = 2 * p.N + 1
    return xp.block([[xp.block([[xp.zeros(1, T - 1)], [xp.eye(T - 1)]]), xp.ones(T, 1) / T]])


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
    source=Source(
        key="vonoswald2023transformers", locator="sharpens Proposition 3 and Appendix A.5", knowls=(4,)
    ),
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
            rhs=partial(closed_form, e_beta=lambda p: exponential(-p.beta, p.X)),
        ),
        Mutant(
            name="e^β + T in the denominator",
            kind=MutantKind.INDEX,
            rhs=lambda p: copy_attention(exponential(p.beta, p.X), 2 * p.N + 2, p.X),
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
            locator="Proposition 3",
            printed="the copy is exact in a layer of linear or of softmax self-attention",
            why="A softmax gives every token a positive weight: at β = 1 and T = 7 the successor gets 0.31.",
            rhs=exact_copy,
        ),
    ),
    uses=("GDT-0032",),
    waived=EXPONENTIALS,
    ours=True,
)
