r"""Softmax heads that read the residuals of a linear model, and weights with which they approximate a step.

A head with :math:`W_{KQ} = \mathrm{diag}(\varepsilon A, 0)` gives a context token with input x_i, read by a
query with input x, the score :math:`\varepsilon x_i^T A x`, and reads off it the residual W_0 x_i - y_i.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gdtheory.arguments import whole_number
from gdtheory.constructions.conventions import y_part
from gdtheory.constructions.lsa import LSAWeights, gd_step_weights, regression_tokens
from gdtheory.constructions.multi_head import multi_head_layer
from gdtheory.constructions.softmax import softmax_layer
from gdtheory.errors import DTypeError, NonFiniteError, RepeatedScaleError
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, as_objects, namespace


def softmax_head(W_0: Array, A: Array, factor: Scalar) -> LSAWeights:
    """Return a head with scores x_iᵀ A x that reads `factor` times the residuals W_0 x_i - y_i.

    Parameters
    ----------
    W_0 : array, shape (N_y, N_x)
        The linear model.
    A : array, shape (N_x, N_x)
        How the inputs score each other.
    factor : number
        What the residuals are multiplied by.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers, or `factor` is no finite number.
    """
    W_0, A = matrices(W_0=(W_0, "N_y", "N_x"), A=(A, "N_x", "N_x"))
    xp = namespace(W_0)
    N_y, N_x = W_0.shape
    W_Q = xp.block([[A, xp.zeros(N_x, N_y)], [xp.zeros(N_y, N_x), xp.zeros(N_y, N_y)]])
    return replace(gd_step_weights(W_0, number_like("factor", factor, W_0), 1), W_Q=W_Q)


def derivative_weights(scales: Array) -> Array:
    r"""Return the weights w_h of the differentiation formula at 0 on the nodes ε_h.

    They solve :math:`\sum_h w_h \varepsilon_h^j = [j = 1]` for j = 0, …, H - 1, so
    :math:`\sum_h w_h f(\varepsilon_h) = f'(0)` for every polynomial f of degree below H.

    Parameters
    ----------
    scales : array, shape (1, H)
        The nodes ε_h, of floats or exact numbers, no two of them equal; H is 2 or more.

    Returns
    -------
    array, shape (1, H)
        The derivatives at 0 of Lagrange's polynomials.

    Raises
    ------
    RepeatedScaleError
        If two scales are equal.
    ShapeError, DTypeError, NonFiniteError
        If `scales` is no row of at least 2 finite numbers, or the weights or what they are made of overflow.

    Examples
    --------
    >>> import numpy as np
    >>> derivative_weights(np.array([[0.5, -0.5]])).tolist()
    [[1.0, -1.0]]
    """
    (scales,) = matrices(scales=(scales, 1, "H"))
    H = whole_number("H", scales.shape[1], 2)
    nodes = list(scales[0])
    for h, node in enumerate(nodes):
        if node in nodes[:h]:
            raise RepeatedScaleError("scales", expected="distinct numbers", got=f"{node} twice")
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            found = [
                sum(
                    math.prod(
                        (nodes[n] / (nodes[n] - nodes[h]) for n in range(H) if n not in (h, m)), start=1
                    )
                    / (nodes[h] - nodes[m])
                    for m in range(H)
                    if m != h
                )
                for h in range(H)
            ]
    except FloatingPointError as error:
        raise NonFiniteError("scales", expected="numbers with finite weights", got=error) from None
    return as_objects(found, (1, H)).astype(scales.dtype)


def softmax_gd_heads(W_0: Array, A: Array, eta: Scalar, scales: Array) -> tuple[LSAWeights, ...]:
    """Return H softmax heads whose sum approximates a gradient-descent step on centred inputs.

    Head h has the scores ε_h x_iᵀ A x and reads η w_h times the residuals, with the w_h of
    `derivative_weights`. Two opposite heads are those of the scales ε and -ε.

    Parameters
    ----------
    W_0 : array, shape (N_y, N_x)
        The linear model before the step.
    A : array, shape (N_x, N_x)
        How the inputs score each other; the identity for gradient descent.
    eta : number
        Learning rate, for the loss averaged over N and halved.
    scales : array, shape (1, H)
        The ε_h, no two of them equal; H is 2 or more.

    Raises
    ------
    RepeatedScaleError, ShapeError, DTypeError, NonFiniteError
        As `derivative_weights` and `softmax_head`.

    Notes
    -----
    Claims GDT-0039 and GDT-0041. The smaller the scales ε, the larger the weights and, in exact arithmetic,
    the smaller the error. In floats rounding adds about u/ε, with u = 1.1e-16 in float64: do not go below
    scales of about 1e-4 there.

    Examples
    --------
    >>> import numpy as np
    >>> W_0, X, Y, x = np.zeros((1, 1)), np.array([[1.0, -1.0]]), np.array([[3.0, 5.0]]), np.ones((1, 1))
    >>> two = softmax_gd_heads(W_0, np.eye(1), 1.0, np.array([[0.01, -0.01]]))
    >>> float(heads_update(X, Y, x, W_0, two)[0, 0]).__round__(4)       # (1/2) Σ (W_0 x_i - y_i) x_i = 1
    1.0
    """
    if A is None:
        raise DTypeError("A", expected="a matrix, np.eye(N_x) for gradient descent", got="None")
    W_0, A, scales = matrices(W_0=(W_0, "N_y", "N_x"), A=(A, "N_x", "N_x"), scales=(scales, 1, "H"))
    eta = number_like("eta", eta, W_0)
    pairs = zip(scales[0], derivative_weights(scales)[0], strict=True)
    return tuple(softmax_head(W_0, A * scale, weight * eta) for scale, weight in pairs)


def heads_update(X: Array, Y: Array, x_query: Array, W_0: Array, heads: Iterable[LSAWeights]) -> Array:
    """Return what parallel softmax heads add to the y-part of the query token (x, -W_0 x), shape (N_y, 1).

    Parameters
    ----------
    X : array, shape (N_x, N)
    Y : array, shape (N_y, N)
    x_query : array, shape (N_x, 1)
    W_0 : array, shape (N_y, N_x)
    heads : iterable of LSAWeights
        The heads; their outputs are added up.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If arrays and heads do not fit together or hold no finite numbers, or there is no context token.
    """
    (W_0,) = matrices(W_0=(W_0, "N_y", "N_x"))
    E = regression_tokens(X, Y, x_query, W_0)
    context, query = namespace(E).split(E, (E.shape[1] - 1, 1), axis=1)
    return y_part(multi_head_layer(query, context, heads, softmax_layer) - query, W_0.shape[0])
