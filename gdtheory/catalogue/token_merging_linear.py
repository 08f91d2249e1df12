"""A linear copying head gives every token its successor's content."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.lsa import LSAWeights, lsa_layer
from gdtheory.constructions.merging import copying_head, separate_tokens, successors
from gdtheory.definition import (
    ALTERNATING_TOKENS,
    Assumption,
    Claim,
    Erratum,
    Mutant,
    MutantKind,
    Source,
    Variant,
)
from gdtheory.namespace import Array, namespace
from gdtheory.problems import SeparateTokens
from gdtheory.reference.merging import interleaved, merged_tokens, pairs


def next_token(p: SeparateTokens, cyclic: bool) -> dict[int, int]:
    """Return the successor of each position."""
    return successors(2 * p.N + 1, cyclic=cyclic)


def previous_token(p: SeparateTokens, cyclic: bool) -> dict[int, int]:
    """Return the predecessor of each position."""
    return {end: start for start, end in next_token(p, cyclic).items()}


def three_further(p: SeparateTokens, cyclic: bool) -> dict[int, int]:
    """Return the third position after each one, where there is one or `cyclic`."""
    T = 2 * p.N + 1
    return {k: (k + 3) % T for k in range(T if cyclic else T - 3)}


def construction(p: SeparateTokens, E: Array, cyclic: bool, reads: Any = next_token) -> LSAWeights:
    """Return the copying head."""
    return copying_head(E, max(p.N_x, p.N_y), reads(p, cyclic))


def layer(p: SeparateTokens, weights: Any = construction, code_length: int = 1) -> Array:
    """Return all tokens after the layer, with the shift cut off and with the cyclic one."""
    E = separate_tokens(p.X, p.Y, p.x_query, code_length=code_length)
    return namespace(E).block([[lsa_layer(E, E, weights(p, E, cyclic)) for cyclic in (False, True)]])


def with_successors(p: SeparateTokens, merged: Any = merged_tokens) -> Array:
    """Return all tokens with their successor's content in the slot, as both shifts leave them."""
    xp = namespace(p.X)
    return xp.block([[merged(p.X, p.Y, p.x_query, cyclic=cyclic) for cyclic in (False, True)]])


def all_pairs(X: Array, Y: Array, x_query: Array, *, cyclic: bool) -> Array:
    """Return tokens that are all pairs, and the query (x, 0)."""
    tokens, query = pairs(X, Y, x_query)
    return interleaved(tokens, tokens, query)


def subtracting(times: int) -> Any:
    """Return a construction whose W_V subtracts the position so many times: W_V + W_Qᵀ reads contents."""

    def weights(p: SeparateTokens, E: Array, cyclic: bool) -> LSAWeights:
        head = construction(p, E, cyclic)
        return replace(head, W_V=head.W_V + head.W_Q.T * (1 - times))

    return weights


def transposed_query_map(p: SeparateTokens, E: Array, cyclic: bool) -> LSAWeights:
    """Return the head with the other shift in W_Q, but not in W_V."""
    head = construction(p, E, cyclic)
    return replace(head, W_Q=head.W_Q.T)


CLAIM = Claim(
    id="GDT-0032",
    revision=1,
    title="A linear copying head gives every token its successor's content in place of its position",
    statement=r"""Let $X\in\mathbb R^{N_x\times N}$, $Y\in\mathbb R^{N_y\times N}$, $N\ge1$, and $T=2N+1$.
The tokens $e_k=(c_k,p_k)$, $0\le k<T$, have contents $c_{2j}=(x_j,0)$, $c_{2j+1}=(0,y_j)$ for $j<N$ and
$c_{2N}=(x,0)$, all of $C=\max(N_x,N_y)$ entries, and as positions the first $T$ unit vectors of $\mathbb
R^d$, $d=\max(T,C)$. Let $J\in\mathbb R^{d\times C}$ embed contents by adding zeros below, and let
$Sp_k=p_{k+1}$ for $k<2N$ and $S=0$ on all other unit vectors. The linear layer of GDT-0001 over all $T$
tokens with $W_K=\begin{pmatrix}0&0\\0&I\end{pmatrix}$, $W_Q=\begin{pmatrix}0&0\\0&S\end{pmatrix}$,
$W_V=\begin{pmatrix}0&0\\J&-S^T\end{pmatrix}$, $P=I$ maps $e_k$ to $(c_k,Jc_{k+1})$ for every $k<2N$:
$e_{2j}$ becomes the pair $(x_j,y_j)$, and $e_{2j+1}$ becomes $(y_j,x_{j+1})$, with $x_N=x$. The last
token stays $(x,p_{2N})$; with the cyclic shift, $Sp_{2N}=p_0$, it becomes $(x,Jc_0)$ and all others are
the same.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 3 and Appendix A.5", knowls=(4,)),
    assumptions=(
        Assumption(
            name="orthonormal positions",
            statement="The positions are orthogonal and of length 1.",
            violation=Variant(name="positions of length 2", lhs=partial(layer, code_length=2)),
        ),
    ),
    problem=SeparateTokens,
    example=SeparateTokens.three_pairs,
    lhs=layer,
    rhs=with_successors,
    mutants=(
        Mutant(
            name="the position is added in W_V",
            kind=MutantKind.SIGN,
            lhs=partial(layer, weights=subtracting(-1)),
        ),
        Mutant(
            name="W_V reads contents only",
            kind=MutantKind.DROPPED,
            lhs=partial(layer, weights=subtracting(0)),
        ),
        Mutant(
            name="the shift is transposed in W_Q only",
            kind=MutantKind.TRANSPOSED,
            lhs=partial(layer, weights=transposed_query_map),
        ),
        Mutant(
            name="the last token wraps around in both versions",
            kind=MutantKind.INDEX,
            rhs=partial(with_successors, merged=lambda X, Y, x, cyclic: merged_tokens(X, Y, x, cyclic=True)),
        ),
        Mutant(
            name="the shift moves the first N_x positions only, not all 2N + 1",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(
                layer,
                weights=partial(construction, reads=lambda p, cyclic: successors(p.N_x, cyclic=cyclic)),
            ),
        ),
    ),
    errata=(
        Erratum(
            name="lower shift",
            locator="Appendix A.5",
            printed="W_V = (0, 0; I_x, -I_{x,off}), W_K = (0, 0; 0, I_x) and W_Q = (0, 0; 0, I_{x,off}ᵀ) "
            "with I_{x,off} the lower diagonal identity matrix",
            why="Then W_Q maps p_k to p_{k-1}, and tokens copy their predecessors. I_off must be the upper "
            "diagonal identity.",
            lhs=partial(layer, weights=partial(construction, reads=previous_token)),
        ),
        Erratum(
            name="the target of the next input",
            locator="Appendix A.5, equation (12)",
            printed="e_j ← (x_{j/2}, p_j) + (0, y_{j/2+1} - p_j)",
            why="With e_{2j} = (x_j) and e_{2j+1} = (0, y_j), the token after x_{j/2} holds y_{j/2}; the "
            "next target stands three tokens on.",
            lhs=partial(layer, weights=partial(construction, reads=three_further)),
        ),
        Erratum(
            name="all tokens become pairs",
            locator="Proposition 3",
            printed="Given a 1-head linear- or softmax attention layer […] all tokens e_j are transformed "
            "into tokens equivalent to the ones required in proposition 1",
            why="The tokens of targets become (y_j, x_{j+1}), which is no pair of the data set, and the slot "
            "of the query is not 0. Appendix A.5 says so of the targets and names a second head that clears "
            "them; GDT-0033 has that head, and one for the query.",
            rhs=partial(with_successors, merged=all_pairs),
        ),
    ),
    uses=("GDT-0001",),
    waived=ALTERNATING_TOKENS,
)
