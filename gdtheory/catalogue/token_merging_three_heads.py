"""Three linear heads leave the pairs, zeros between them, and the query."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import LSAWeights
from gdtheory.constructions.merging import (
    clearing_head,
    copying_head,
    pairing_heads,
    separate_tokens,
)
from gdtheory.constructions.multi_head import multi_head_layer
from gdtheory.definition import ALTERNATING_TOKENS, Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array
from gdtheory.problems import SeparateTokens
from gdtheory.reference.merging import pairs_and_zeros

Heads = tuple[LSAWeights, ...]


def layers(p: SeparateTokens, heads: Any = lambda E, C: (pairing_heads(E, C),)) -> Array:
    """Return all tokens after layers of heads: by default one layer."""
    E = separate_tokens(p.X, p.Y, p.x_query)
    for layer in heads(E, max(p.N_x, p.N_y)):
        E = multi_head_layer(E, E, layer)
    return E


def pairs_and_query(p: SeparateTokens) -> Array:
    """Return the pairs with zeros between them, and the query (x, 0)."""
    return pairs_and_zeros(p.X, p.Y, p.x_query)


def inputs_cleared(E: Array, C: int) -> tuple[Heads]:
    """Return the heads that clear inputs and not targets."""
    copy, _, query = pairing_heads(E, C)
    return ((copy, clearing_head(E, C, range(0, E.shape[1] - 1, 2)), query),)


def targets_in_front(E: Array, C: int) -> tuple[Heads]:
    """Return the heads with which an input copies the target in front of it."""
    _, *clearing = pairing_heads(E, C)
    return ((copying_head(E, C, {k: k - 1 for k in range(2, E.shape[1] - 1, 2)}), *clearing),)


def copied_afterwards(E: Array, C: int) -> tuple[Heads, Heads]:
    """Return a layer that clears, and one that copies."""
    copy, *clearing = pairing_heads(E, C)
    return tuple(clearing), (copy,)


def cleared_afterwards(E: Array, C: int) -> tuple[Heads, Heads]:
    """Return a layer that copies, and one that clears."""
    copy, *clearing = pairing_heads(E, C)
    return (copy,), tuple(clearing)


CLAIM = Claim(
    id="GDT-0033",
    revision=1,
    title="Three linear heads leave the pairs, zeros between them, and the query",
    statement=r"""In the setting of GDT-0032, let one layer add what three linear heads read from all $T$
tokens, each with $P=I$ and $W_K=\begin{pmatrix}0&0\\0&I\end{pmatrix}$, and with
$W_Q=\begin{pmatrix}0&0\\0&Q\end{pmatrix}$. The first copies: $Qp_{2j}=p_{2j+1}$ for $j<N$, $Q=0$ on all
other unit vectors, and $W_V=\begin{pmatrix}0&0\\J&-Q^T\end{pmatrix}$. The second clears:
$Qp_{2j+1}=p_{2j+1}$ for $j<N$, else $Q=0$, and $W_V=-I$. The third clears the query's position:
$Qp_{2N}=p_{2N}$, else $Q=0$, and $W_V=\begin{pmatrix}0&0\\0&-I\end{pmatrix}$. The layer maps $e_{2j}$ to
the pair $(c_{2j},Jc_{2j+1})$, that is $(x_j,y_j)$, and $e_{2j+1}$ to $0$, for every $j<N$, and the query
to $(x,0)$. (The source's Appendix A.5 names the second head, and does not say how the query loses its
position.)""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 3 and Appendix A.5", knowls=(4,)),
    ours=True,
    assumptions=(
        Assumption(
            name="one layer",
            statement="All heads read the tokens as they were before the layer.",
            violation=Variant(
                name="a second layer clears, where copied targets are taken for positions",
                lhs=partial(layers, heads=cleared_afterwards),
            ),
        ),
    ),
    problem=SeparateTokens,
    example=SeparateTokens.three_pairs,
    lhs=layers,
    rhs=pairs_and_query,
    mutants=(
        Mutant(
            name="the inputs are cleared, not the targets",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(layers, heads=inputs_cleared),
        ),
        Mutant(
            name="the query keeps its position",
            kind=MutantKind.DROPPED,
            lhs=partial(layers, heads=lambda E, C: (pairing_heads(E, C)[:2],)),
        ),
        Mutant(
            name="an input copies the target in front of it",
            kind=MutantKind.INDEX,
            lhs=partial(layers, heads=targets_in_front),
        ),
        Mutant(
            name="the targets are cleared before they are copied",
            kind=MutantKind.ORDER,
            lhs=partial(layers, heads=copied_afterwards),
        ),
    ),
    uses=("GDT-0032",),
    waived=ALTERNATING_TOKENS,
)
