r"""Means, centred columns, and gradient descent on centred data."""

from __future__ import annotations

from gdtheory.arguments import whole_number
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, namespace


def column_mean(X: Array) -> Array:
    r"""Return the mean :math:`\bar x = \frac1N \sum_i x_i` of the columns, shape (N_x, 1).

    Parameters
    ----------
    X : array, shape (N_x, N)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If X is no matrix of finite numbers with at least one column.
    """
    (X,) = matrices(X=(X, "N_x", "N"))
    N = whole_number("N", X.shape[1], 1)
    return X @ namespace(X).ones(N, 1) / N


def centred(X: Array) -> Array:
    r"""Return the columns :math:`x_i - \bar x`, shape (N_x, N).

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        As `column_mean`.

    Examples
    --------
    >>> import numpy as np
    >>> centred(np.array([[1.0, 3.0]])).tolist()
    [[-1.0, 1.0]]
    """
    (X,) = matrices(X=(X, "N_x", "N"))
    return X - column_mean(X) @ namespace(X).ones(1, X.shape[1])


def centred_gd_step(W: Array, X: Array, Y: Array, eta: Scalar) -> Array:
    r"""Return :math:`W - \frac{\eta}{N} \sum_i (W x_i - y_i) (x_i - \bar x)^T`, shape (N_y, N_x).

    It is the step of gradient descent on the centred data :math:`x_i - \bar x`, :math:`y_i - \bar y` (claim
    GDT-0040), and so that of W in :math:`W x + b` with the best b for this W.

    Parameters
    ----------
    W : array, shape (N_y, N_x)
    X : array, shape (N_x, N)
    Y : array, shape (N_y, N)
    eta : number
        Learning rate, for the loss averaged over N and halved.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers, or eta is no finite number.
    """
    W, X, Y = matrices(W=(W, "N_y", "N_x"), X=(X, "N_x", "N"), Y=(Y, "N_y", "N"))
    gradient = (W @ X - Y) @ centred(X).T / X.shape[1]
    return W - gradient * number_like("eta", eta, gradient)
