r"""Inputs and targets as tokens of their own, and the attention that merges them into pairs.

A sequence of T = 2N + 1 tokens alternates inputs x_j and targets y_j and ends with the query's input. A
token holds a content of C = max(N_x, N_y) entries, x from the top and y down to the bottom, and below it
a slot of max(T, C) entries with its position, one-hot. A copying head replaces the position of a token
by the content of the token that it reads. Von Oswald et al. (2023), Proposition 3 and Appendix A.5.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from gdtheory.arguments import listed, whole_number
from gdtheory.constructions.lsa import LSAWeights
from gdtheory.errors import ArgumentError, DTypeError, ShapeError, shown
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, namespace


def separate_tokens(X: Array, Y: Array, x_query: Array, *, code_length: Scalar = 1) -> Array:
    """Return the tokens x_0, y_0, x_1, y_1, ..., x_query, each with its position.

    The slots are max(T, C) rows below the C = max(N_x, N_y) rows of content: C is how many rows the longer
    of an input and a target takes, and T = 2N + 1 how many tokens there are.

    Parameters
    ----------
    X : array, shape (N_x, N)
    Y : array, shape (N_y, N)
    x_query : array, shape (N_x, 1)
    code_length : number
        The entry of a position that is not 0.

    Returns
    -------
    array, shape (C + max(T, C), T)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers, if there is no pair, or if code_length is
        no finite number.

    Examples
    --------
    >>> import numpy as np
    >>> separate_tokens(np.array([[2.0]]), np.array([[3.0]]), np.array([[4.0]]))
    array([[2., 3., 4.],
           [1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    X, Y, x_query = matrices(X=(X, "N_x", "N"), Y=(Y, "N_y", "N"), x_query=(x_query, "N_x", 1))
    N = whole_number("N", X.shape[1], 1)
    xp = namespace(X)
    C, T = max(X.shape[0], Y.shape[0]), 2 * N + 1
    inputs = xp.block([[X, x_query], [xp.zeros(C - X.shape[0], N + 1)]])
    targets = xp.block([[xp.zeros(C - Y.shape[0], N)], [Y]])
    *context, query = xp.split(inputs, (1,) * (N + 1), axis=1)
    pairs = zip(context, xp.split(targets, (1,) * N, axis=1), strict=True)
    contents = xp.block([[*itertools.chain(*pairs), query]])
    positions = xp.eye(T) * number_like("code_length", code_length, X)
    return xp.block([[contents], [positions], [xp.zeros(max(T, C) - T, T)]])


def pair_tokens(E: Array) -> Array:
    """Return every other token but the last, the query: those that copied a target; shape (D, N)."""
    (E,) = matrices(E=(E, "D", "T"))
    T = 2 * _pair_count(E) + 1
    return namespace(E).block([namespace(E).split(E, (1,) * T, axis=1)[0:-1:2]])


# ---------------------------------------------------------------------------------------- heads


def successors(T: Any, *, cyclic: bool = False) -> dict[int, int]:
    """Return, for each of T positions, the next one; for the last none, or the first if `cyclic`.

    Examples
    --------
    >>> successors(3), successors(3, cyclic=True)
    ({0: 1, 1: 2}, {0: 1, 1: 2, 2: 0})
    """
    T = whole_number("T", T, 1)
    return {k: (k + 1) % T for k in range(T if cyclic else T - 1)}


def copying_head(E: Array, C: Any, reads: Mapping[int, int], beta: Scalar = 1) -> LSAWeights:
    r"""Return a head by which tokens replace their position by the content of another token.

    With S the matrix of :math:`S p_k = p_{k'}` for every k' = reads[k] and J the embedding of contents
    in slots,

    .. math:: W_K = \begin{pmatrix}0&0\\0&I\end{pmatrix}, \quad
              W_Q = \beta \begin{pmatrix}0&0\\0&S\end{pmatrix}, \quad
              W_V = \begin{pmatrix}0&0\\J&-S^T\end{pmatrix}, \quad P = I.

    Parameters
    ----------
    E : array, shape (D, T)
        Tokens as of `separate_tokens`.
    C : int
        Number of entries of a content.
    reads : mapping of int to int
        The position that each position reads, no two the same one.
    beta : number
        Scale of the logits: 1 in linear attention.

    Returns
    -------
    LSAWeights

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If E has no room for contents of C entries above slots of max(T, C) or more, if a position has no
        place in the slot, or if beta is no finite number.
    ArgumentError
        If two positions read the same one.

    Notes
    -----
    Von Oswald et al. (2023), Proposition 3; claims GDT-0032 and GDT-0035.

    Examples
    --------
    >>> import numpy as np
    >>> from gdtheory.constructions.lsa import lsa_layer
    >>> E = separate_tokens(np.array([[2.0]]), np.array([[3.0]]), np.array([[4.0]]))
    >>> lsa_layer(E, E, copying_head(E, 1, successors(3)))
    array([[2., 3., 4.],
           [3., 4., 0.],
           [0., 0., 0.],
           [0., 0., 1.]])
    """
    E, C, slot = _layout(E, C)
    xp = namespace(E)
    if not isinstance(reads, Mapping):
        raise DTypeError("reads", expected="a mapping of positions to positions", got=shown(reads))
    S = _moves("reads", reads, E, slot)
    if len(set(reads.values())) < len(reads):
        raise ArgumentError("reads", expected="no position that is read twice", got=shown(reads))
    return LSAWeights(
        W_K=_on_slots(xp.eye(slot), C),
        W_Q=_on_slots(S, C) * number_like("beta", beta, E),
        W_V=xp.block(
            [
                [xp.zeros(C, C), xp.zeros(C, slot)],
                [xp.block([[xp.eye(C)], [xp.zeros(slot - C, C)]]), -S.T],
            ]
        ),
        P=xp.eye(C + slot),
    )


def clearing_head(E: Array, C: Any, positions: Iterable[int], *, content: bool = True) -> LSAWeights:
    """Return a head by which the tokens at some positions subtract themselves, or only their slots.

    Parameters
    ----------
    E : array, shape (D, T)
        Tokens as of `separate_tokens`.
    C : int
        Number of entries of a content.
    positions : iterable of int
        Of the tokens that are cleared.
    content : bool
        Whether the content is cleared too.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        As `copying_head`.
    """
    E, C, slot = _layout(E, C)
    xp = namespace(E)
    kept = [whole_number("positions", k, 0, slot - 1) for k in listed("positions", positions, "positions")]
    W_K = _on_slots(xp.eye(slot), C)
    return LSAWeights(
        W_K=W_K,
        W_Q=_on_slots(_moves("positions", {k: k for k in kept}, E, slot), C),
        W_V=-xp.eye(C + slot) if content else -W_K,
        P=xp.eye(C + slot),
    )


def pairing_heads(E: Array, C: Any) -> tuple[LSAWeights, LSAWeights, LSAWeights]:
    """Return three heads that leave pairs (x_j, y_j), cleared tokens between them, and the query (x, 0).

    Inputs copy the targets behind them, targets clear themselves, and the query clears its position.
    The slots are max(T, C) rows below the C = max(N_x, N_y) rows of content.

    Parameters
    ----------
    E : array, shape (D, T)
        Tokens as of `separate_tokens`.
    C : int
        Number of entries of a content: max(N_x, N_y), which E does not say.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        As `copying_head`.

    Notes
    -----
    Claim GDT-0033; claim GDT-0034 for the layer that follows in the example.

    Examples
    --------
    From separate tokens, two linear layers predict what one gradient-descent step predicts:

    >>> import numpy as np
    >>> from gdtheory.constructions.conventions import last_token
    >>> from gdtheory.constructions.merged_regression import gd_layer_on_slots, slot_targets
    >>> from gdtheory.constructions.multi_head import multi_head_layer
    >>> from gdtheory.reference.regression import gd_prediction
    >>> X, Y, x = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[3.0, 5.0]]), np.array([[2.0], [1.0]])
    >>> (N_x, N), N_y, eta = X.shape, Y.shape[0], 0.5
    >>> C = max(N_x, N_y)
    >>> E = separate_tokens(X, Y, x)
    >>> merged = multi_head_layer(E, E, pairing_heads(E, C))
    >>> query = gd_layer_on_slots(last_token(merged), merged, C, eta, N)
    >>> -slot_targets(query, C, N_y), gd_prediction(X, Y, x, eta)
    (array([[4.25]]), array([[4.25]]))
    """
    E, C, _ = _layout(E, C)
    last = 2 * _pair_count(E)
    return (
        copying_head(E, C, {k: k + 1 for k in range(0, last, 2)}),
        clearing_head(E, C, range(1, last, 2)),
        clearing_head(E, C, [last], content=False),
    )


# --------------------------------------------------------------------------------------- blocks


def _layout(E: Array, C: Any) -> tuple[Array, int, int]:
    """Return tokens, the number of entries of a content, and that of a slot."""
    (E,) = matrices(E=(E, "D", "T"))
    C = whole_number("C", C, 1)
    D, T = E.shape
    largest = min(D - T, D // 2)
    if largest < 1:
        expected = f"slots of {T} entries or more below contents of 1 or more"
        raise ShapeError("E", expected=expected, got=f"shape {(D, T)}")
    if largest < C:
        expected = f"at most {largest}, for slots of max(T, C) rows or more below it in E of shape {(D, T)}"
        raise ShapeError("C", expected=expected, got=C)
    return E, C, D - C


def _pair_count(E: Array) -> int:
    """Return N for 2N + 1 tokens."""
    T = whole_number("T", E.shape[1], 3)
    if T % 2 == 0:
        raise ShapeError("T", expected="an odd number of tokens", got=T)
    return (T - 1) // 2


def _moves(name: str, reads: Mapping[int, int], E: Array, slot: int) -> Array:
    """Return the matrix that maps the one-hot code of k to that of reads[k], and others to zero."""
    for position in itertools.chain(*reads.items()):
        whole_number(name, position, 0, slot - 1)
    xp = namespace(E)
    codes = xp.split(xp.eye(slot), (1,) * slot, axis=1)
    return xp.block([[codes[reads[k]] if k in reads else xp.zeros(slot, 1) for k in range(slot)]])


def _on_slots(block: Array, C: int) -> Array:
    """Return a matrix that acts on slots and is zero on contents."""
    xp = namespace(block)
    slot = block.shape[0]
    return xp.block([[xp.zeros(C, C), xp.zeros(C, slot)], [xp.zeros(slot, C), block]])
