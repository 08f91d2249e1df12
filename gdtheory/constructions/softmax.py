r"""Softmax self-attention: what `gdtheory.constructions.lsa` scores linearly goes through a softmax here.

Tokens are columns. A layer moves every query token e by a mean of what it reads from the context tokens,
the columns of C, with weights that add up to one:

.. math:: e \leftarrow e + P W_V C \,\mathrm{softmax}\big((W_K C)^T W_Q e\big).
"""

from __future__ import annotations

import numpy as np

from gdtheory.arguments import whole_number
from gdtheory.constructions.lsa import LSAWeights, fitting_tokens
from gdtheory.matrices import number_array
from gdtheory.namespace import Array, namespace


def softmax_weights(queries: Array, context: Array, weights: LSAWeights) -> Array:
    """Return how much every query token attends to every context token: one column per query.

    Parameters
    ----------
    queries : array, shape (D, n_queries)
        The tokens that attend.
    context : array, shape (D, N)
        The tokens that they attend to, at least one.
    weights : LSAWeights
        The layer.

    Returns
    -------
    array, shape (N, n_queries)
        Positive, each column with the sum 1; enclosures where the tokens are fractions.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If tokens and weights do not fit together or hold no finite numbers, if there is no context token,
        if the scores overflow, or if the kind of number has no exponential.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.eye(1)
    >>> layer = LSAWeights(W_K=one, W_Q=one, W_V=one, P=one)
    >>> softmax_weights(np.zeros((1, 1)), np.array([[1.0, 3.0]]), layer).tolist()
    [[0.5], [0.5]]
    """
    queries, context = fitting_tokens(queries, context, weights)
    whole_number("N", context.shape[1], 1)
    keys = weights.W_K @ context
    with np.errstate(over="ignore", invalid="ignore"):
        scores = number_array("scores", keys.T @ (weights.W_Q @ queries))
    return namespace(context).softmax(scores)


def softmax_layer(queries: Array, context: Array, weights: LSAWeights) -> Array:
    """Return the query tokens after one softmax self-attention layer, as the formula above is printed.

    Parameters
    ----------
    queries : array, shape (D, n_queries)
        The tokens to move.
    context : array, shape (D, N)
        The tokens that they attend to, at least one.
    weights : LSAWeights
        The layer.

    Returns
    -------
    array, shape (D, n_queries)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        As `softmax_weights`.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.eye(1)
    >>> layer = LSAWeights(W_K=one, W_Q=one, W_V=one, P=one)
    >>> softmax_layer(np.zeros((1, 1)), np.array([[1.0, 3.0]]), layer).tolist()
    [[2.0]]
    """
    queries, context = fitting_tokens(queries, context, weights)
    return queries + weights.W_PV @ context @ softmax_weights(queries, context, weights)
