"""Least squares and its gradient descent, for a linear model W on the columns of X and Y."""

from __future__ import annotations

from gdtheory.namespace import Array, Scalar, namespace


def squared_loss(W: Array, X: Array, Y: Array) -> Scalar:
    r"""Return :math:`L(W) = \frac{1}{2N} \sum_i \|W x_i - y_i\|^2`.

    Parameters
    ----------
    W : array, shape (N_y, N_x)
    X : array, shape (N_x, N)
    Y : array, shape (N_y, N)

    Examples
    --------
    >>> import numpy as np
    >>> float(squared_loss(np.zeros((1, 1)), np.ones((1, 2)), np.array([[1.0, 3.0]])))
    2.5
    """
    return namespace(W).squared_norm(W @ X - Y) / (X.shape[1] * 2)


def squared_loss_gradient(W: Array, X: Array, Y: Array) -> Array:
    r"""Return :math:`\nabla L(W) = \frac{1}{N} \sum_i (W x_i - y_i) x_i^T`, shape (N_y, N_x)."""
    return (W @ X - Y) @ X.T / X.shape[1]


def gd_step(W: Array, X: Array, Y: Array, eta: Scalar) -> Array:
    r"""Return :math:`W - \eta \nabla L(W)`, shape (N_y, N_x)."""
    return W - squared_loss_gradient(W, X, Y) * eta


def second_moment(X: Array) -> Array:
    r"""Return :math:`S = X X^T / n`, shape (d, d)."""
    return X @ X.T / X.shape[1]
