"""Layers of parallel heads: each reads the same tokens, and what they add is added up."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gdtheory.arguments import listed
from gdtheory.constructions.lsa import LSAWeights, lsa_layer
from gdtheory.errors import DTypeError, shown
from gdtheory.matrices import matrices
from gdtheory.namespace import Array


def multi_head_layer(
    queries: Array,
    context: Array,
    heads: Iterable[LSAWeights],
    layer: Callable[[Array, Array, LSAWeights], Array] = lsa_layer,
) -> Array:
    """Return the query tokens after a layer of several heads.

    Parameters
    ----------
    queries : array, shape (D, n_queries)
        The tokens to move.
    context : array, shape (D, N)
        The tokens that they attend to.
    heads : iterable of LSAWeights
    layer : callable
        The layer of one head: `lsa_layer`, or `gdtheory.constructions.softmax.softmax_layer`.

    Returns
    -------
    array, shape (D, n_queries)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If tokens and weights do not fit together or hold no finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.eye(1)
    >>> head = LSAWeights(W_K=one, W_Q=one, W_V=one, P=one)
    >>> lsa_layer(one, one * 2, head).tolist(), multi_head_layer(one, one * 2, [head, head]).tolist()
    ([[5.0]], [[9.0]])
    """
    queries, context = matrices(queries=(queries, "D", "n_queries"), context=(context, "D", "N"))
    moved = queries
    for head in listed("heads", heads, "one LSAWeights or more"):
        if not isinstance(head, LSAWeights):
            raise DTypeError("heads", expected="LSAWeights", got=shown(head))
        moved = moved + (layer(queries, context, head) - queries)
    return moved
