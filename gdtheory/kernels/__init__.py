"""Compiled twins of the constructions; importing this package does not load Numba."""

from __future__ import annotations

import numpy as np

from gdtheory.constructions.lsa import LSAWeights
from gdtheory.namespace import Array


def lsa_layer_compiled(queries: Array, context: Array, weights: LSAWeights) -> Array:
    """Return the same as `gdtheory.constructions.lsa_layer`, by `gdtheory.lsa`.

    Parameters
    ----------
    queries : ndarray of float32 or float64, shape (D, n_queries)
    context : ndarray, shape (D, N)
    weights : LSAWeights

    Returns
    -------
    ndarray, shape (D, n_queries)
        Tokens are columns here, and rows in `gdtheory.lsa`.
    """
    from gdtheory.kernels.lsa import lsa

    N = context.shape[1]
    tokens = np.concatenate([context, queries], axis=1).T
    return lsa(tokens, weights, n_context=N)[N:].T
