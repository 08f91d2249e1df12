"""Least squares and its gradient descent, for a linear model W on the columns of X and Y.

Throughout, W has shape (N_y, N_x), X (N_x, N) and Y (N_y, N), over any kind of number; a ShapeError names
an array that does not fit. Von Oswald et al. (2023), Section 2; claim GDT-0005 says that the gradient is one.
"""

from __future__ import annotations

from gdtheory.arguments import whole_number
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, namespace


def squared_loss(W: Array, X: Array, Y: Array) -> Scalar:
    r"""Return :math:`L(W) = \frac{1}{2N} \sum_i \|W x_i - y_i\|^2`.

    Examples
    --------
    >>> import numpy as np
    >>> float(squared_loss(np.zeros((1, 1)), np.ones((1, 2)), np.array([[1.0, 3.0]])))
    2.5
    """
    W, X, Y = _fitting(W, X, Y)
    return namespace(W).squared_norm(W @ X - Y) / (X.shape[1] * 2)


def squared_loss_gradient(W: Array, X: Array, Y: Array) -> Array:
    r"""Return :math:`\nabla L(W) = \frac{1}{N} \sum_i (W x_i - y_i) x_i^T`, shape (N_y, N_x)."""
    W, X, Y = _fitting(W, X, Y)
    return (W @ X - Y) @ X.T / X.shape[1]


def gd_step(W: Array, X: Array, Y: Array, eta: Scalar) -> Array:
    r"""Return :math:`W - \eta \nabla L(W)`, shape (N_y, N_x)."""
    gradient = squared_loss_gradient(W, X, Y)
    return W - gradient * number_like("eta", eta, gradient)


def gd_prediction(X: Array, Y: Array, x_query: Array, eta: Scalar) -> Array:
    """Return what one gradient-descent step from W_0 = 0 predicts, shape (N_y, 1)."""
    X, Y, x_query = matrices(X=(X, "N_x", "N"), Y=(Y, "N_y", "N"), x_query=(x_query, "N_x", 1))
    W_0 = namespace(X).zeros(Y.shape[0], X.shape[0])
    return gd_step(W_0, X, Y, eta) @ x_query


def second_moment(X: Array) -> Array:
    r"""Return :math:`S = X X^T / n`, shape (d, d), for X of shape (d, n); Huang et al. (2025)."""
    (X,) = matrices(X=(X, "d", "n"))
    return X @ X.T / whole_number("n", X.shape[1], 1)


def _fitting(W: Array, X: Array, Y: Array) -> list[Array]:
    fitting = matrices(W=(W, "N_y", "N_x"), X=(X, "N_x", "N"), Y=(Y, "N_y", "N"))
    whole_number("N", fitting[1].shape[1], 1)
    return fitting
