"""The gradient-descent step of a second layer, on tokens that `gdtheory.constructions.merging` has merged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdtheory.arguments import whole_number
from gdtheory.constructions.conventions import last_token
from gdtheory.constructions.lsa import gd_step_weights, lsa_layer
from gdtheory.constructions.merging import copying_head, pair_tokens, separate_tokens, successors
from gdtheory.constructions.softmax import softmax_layer
from gdtheory.matrices import column_function, matrices
from gdtheory.namespace import Array, Scalar, namespace


def gd_layer_on_slots(queries: Array, context: Array, C: Any, eta: Scalar, N: Any) -> Array:
    """Return tokens after the layer of GDT-0001 at W_0 = 0, with contents as inputs and slots as targets.

    Parameters
    ----------
    queries : array, shape (D, n_queries)
    context : array, shape (D, n)
        The tokens that they attend to.
    C : int
        Number of entries of a content.
    eta : number
        Learning rate.
    N : int
        Number of pairs.

    Returns
    -------
    array, shape (D, n_queries)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If tokens do not fit together or hold no finite numbers, or eta or a count is none.
    """
    (context,) = matrices(context=(context, "D", "n"))
    C = whole_number("C", C, 1, context.shape[0] - 1)
    W_0 = namespace(context).zeros(context.shape[0] - C, C)
    return lsa_layer(queries, context, gd_step_weights(W_0, eta, N))


def slot_targets(E: Array, C: Any, N_y: Any) -> Array:
    """Return what the slots of tokens hold where a copied target stands; shape (N_y, T).

    Parameters
    ----------
    E : array, shape (D, T)
        Merged tokens.
    C : int
        Number of entries of a content.
    N_y : int
        Number of entries of a target.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If E is no matrix of finite numbers, or a number of entries does not fit it.
    """
    (E,) = matrices(E=(E, "D", "T"))
    C = whole_number("C", C, 1, E.shape[0] // 2)
    N_y = whole_number("N_y", N_y, 1, C)
    return namespace(E).split(E, (2 * C - N_y, N_y, E.shape[0] - 2 * C))[1]


def softmax_merging_prediction(
    X: Array,
    Y: Array,
    x_query: Array,
    eta: Scalar,
    beta: Scalar,
    keys: Callable[[Array], Array] = pair_tokens,
) -> Array:
    """Return what a softmax copying layer and a gradient-descent layer predict from separate tokens.

    Parameters
    ----------
    X : array, shape (N_x, N)
    Y : array, shape (N_y, N)
    x_query : array, shape (N_x, 1)
    eta : number
        Learning rate.
    beta : number
        Scale of the logits in the first layer.
    keys : callable
        Takes all tokens after the first layer and returns those that the query reads in the second.

    Returns
    -------
    array, shape (N_y, 1)
        Minus what the second layer adds to the query's slot where a target stands.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers, or if there is no pair.

    Notes
    -----
    Claims GDT-0036 and GDT-0037.
    """
    X, Y, x_query = matrices(X=(X, "N_x", "N"), Y=(Y, "N_y", "N"), x_query=(x_query, "N_x", 1))
    keys, E = column_function("keys", keys), separate_tokens(X, Y, x_query)
    N, N_y = X.shape[1], Y.shape[0]
    C = max(X.shape[0], N_y)
    merged = softmax_layer(E, E, copying_head(E, C, successors(2 * N + 1), beta))
    query = last_token(merged)
    return slot_targets(query - gd_layer_on_slots(query, keys(merged), C, eta, N), C, N_y)
