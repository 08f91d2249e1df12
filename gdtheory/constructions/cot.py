"""Chain of thought: the one-layer transformer of Huang et al. (2025) that generates weight vectors.

A prompt holds example tokens (x_i, y_i, 0, 0) and weight tokens (0, ⋆, w, 1), all of 2d + 2 entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gdtheory.arguments import whole_number
from gdtheory.constructions.conventions import HuangWeights, last_token
from gdtheory.constructions.lsa import LSAWeights, lsa_layer_folded
from gdtheory.matrices import matrices, number_array, number_like
from gdtheory.namespace import Array, Scalar, namespace


def cot_weights(d: Any, eta: Scalar, *, w_24: Any = -1, like: Array = None) -> HuangWeights:
    """Return the weights of eq. (8), with which each generated token is one gradient-descent step.

    Parameters
    ----------
    d : int
        Length of a weight vector.
    eta : number
        Learning rate, for the loss averaged over n and halved.
    w_24 : number
        The entry of W that meets the targets; -1 in the source.
    like : array, optional
        An array of the kind of number wanted; float64 by default.

    Returns
    -------
    HuangWeights
        V has the single block V_31 = -eta I; W has W_13 = I and w_24; both (2d+2, 2d+2).

    Notes
    -----
    Huang et al. (2025), eq. (8); claim GDT-0008.

    Examples
    --------
    >>> cot_weights(1, 0.5).V
    array([[ 0. ,  0. ,  0. ,  0. ],
           [ 0. ,  0. ,  0. ,  0. ],
           [-0.5,  0. ,  0. ,  0. ],
           [ 0. ,  0. ,  0. ,  0. ]])
    """
    like = number_array("like", np.empty(0) if like is None else like)
    d, eta, w_24 = whole_number("d", d, 1), number_like("eta", eta, like), number_like("w_24", w_24, like)
    xp = namespace(like)
    sizes = (d, 1, d, 1)
    V = [[xp.zeros(rows, columns) for columns in sizes] for rows in sizes]
    W = [[xp.zeros(rows, columns) for columns in sizes] for rows in sizes]
    V[2][0] = xp.eye(d) * -eta
    W[0][2] = xp.eye(d)
    W[1][3] = xp.ones(1, 1) * w_24
    return HuangWeights(V=xp.block(V), W=xp.block(W))


def example_tokens(X: Array, y: Array) -> Array:
    """Return the tokens (x_i, y_i, 0, 0) of the examples X (d, n) and y (1, n)."""
    X, y = matrices(X=(X, "d", "n"), y=(y, 1, "n"))
    d, n = X.shape
    xp = namespace(X)
    return xp.block([[X], [y], [xp.zeros(d, n)], [xp.zeros(1, n)]])


def weight_tokens(w: Array, star: Array | None = None) -> Array:
    """Return the tokens (0, ⋆, w, 1) of the columns of w (d, m); ⋆ is zero by default, else (1, m)."""
    (w,) = matrices(w=(w, "d", "m"))
    d, m = w.shape
    xp = namespace(w)
    _, star = matrices(w=(w, "d", "m"), star=(xp.zeros(1, m) if star is None else star, 1, "m"))
    return xp.block([[xp.zeros(d, m)], [star], [w], [xp.ones(1, m)]])


def prompt(X: Array, y: Array, *weights: Array) -> Array:
    """Return the example tokens, then a weight token for every column of the weights."""
    examples = example_tokens(X, y)
    for w in weights:
        matrices(X=(X, "d", "n"), w=(w, "d", "m"))
    return namespace(examples).block([[examples, *map(weight_tokens, weights)]])


def append_token(Z: Array, weights: HuangWeights, n: Any) -> Array:
    """Return the prompt of n examples with the generated token appended."""
    (Z,) = matrices(Z=(Z, "D", "tokens"))
    return namespace(Z).block([[Z, weights.next_token(Z, n)]])


def append_token_folded(Z: Array, weights: HuangWeights, n: Any, layer: Any = lsa_layer_folded) -> Array:
    """Return the same as `append_token`, by a layer in the form that `gdtheory.lsa` evaluates."""
    (Z,) = matrices(Z=(Z, "D", "tokens"))
    return namespace(Z).block([[Z, layer(last_token(Z), Z, LSAWeights.from_huang(weights, n))]])


def weights_of(tokens: Array, d: Any) -> Array:
    """Return the weight vectors (d, m) that m tokens carry."""
    return namespace(tokens).split(tokens, (d, 1, d, 1))[2]
