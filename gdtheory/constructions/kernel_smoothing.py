"""Softmax attention that smooths with a Gaussian kernel, and the tokens that it needs."""

from __future__ import annotations

from typing import Any

from gdtheory.arguments import whole_number
from gdtheory.constructions.lsa import LSAWeights
from gdtheory.errors import NonFiniteError
from gdtheory.matrices import matrices, number_array, number_like
from gdtheory.namespace import Array, Scalar, namespace


def smoothing_tokens(X: Array, Y: Array, x_query: Array) -> Array:
    r"""Return the tokens (x_j, ‖x_j‖², 1, y_j) and, last, the query (x, ‖x‖², 1, 0).

    They are what a map :math:`m(x) = (x, \|x\|^2, 1)` makes of (x_j, y_j) and (x, 0).

    Parameters
    ----------
    X : array, shape (N_x, N)
    Y : array, shape (N_y, N)
    x_query : array, shape (N_x, 1)

    Returns
    -------
    array, shape (N_x + 2 + N_y, N + 1)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> smoothing_tokens(np.array([[2.0]]), np.array([[5.0]]), np.array([[3.0]]))
    array([[2., 3.],
           [4., 9.],
           [1., 1.],
           [5., 0.]])
    """
    X, Y, x_query = matrices(X=(X, "N_x", "N"), Y=(Y, "N_y", "N"), x_query=(x_query, "N_x", 1))
    xp = namespace(X)
    inputs = xp.block([[X, x_query]])
    squared_norms = xp.ones(1, X.shape[0]) @ (inputs * inputs)
    targets = xp.block([[Y, xp.zeros(Y.shape[0], 1)]])
    return xp.block([[inputs], [squared_norms], [xp.ones(1, inputs.shape[1])], [targets]])


def nadaraya_watson_weights(N_x: Any, N_y: Any, h: Scalar, *, like: Array) -> LSAWeights:
    r"""Return the weights with which softmax attention smooths with a Gaussian kernel.

    The score of a context token is :math:`-\|x_i - x\|^2 / (2h^2)` up to a constant of the query,

    .. math:: (W_K e_i)^T W_Q e = \frac{x_i^T x}{h^2} - \frac{\|x_i\|^2}{2h^2},

    and its value is its target.

    Parameters
    ----------
    N_x, N_y : int
        Sizes of inputs and targets.
    h : number
        Bandwidth of the kernel, not zero.
    like : array
        Any array of the kind of number that the tokens hold: floats or exact numbers.

    Returns
    -------
    LSAWeights
        For `smoothing_tokens`, of D = N_x + 2 + N_y entries. Use with `softmax_layer`; `.layer` and
        `.predict` of LSAWeights are those of linear attention.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the sizes are no whole numbers from 1 on, `like` holds neither floats nor exact numbers, or h is no
        finite number or h² is zero.

    Notes
    -----
    Claim GDT-0031.

    Examples
    --------
    >>> import numpy as np
    >>> nadaraya_watson_weights(1, 1, 0.5, like=np.ones((1, 1))).W_KQ
    array([[ 4.,  0.,  0.,  0.],
           [ 0.,  0., -2.,  0.],
           [ 0.,  0.,  0.,  0.],
           [ 0.,  0.,  0.,  0.]])

    The query is as far from one input as from the other, so the estimate is the mean of their targets:

    >>> from gdtheory.constructions.softmax import softmax_layer
    >>> X, Y, N_y = np.array([[2.0, 4.0]]), np.array([[5.0, 8.0]]), 1
    >>> T = smoothing_tokens(X, Y, np.array([[3.0]]))
    >>> weights = nadaraya_watson_weights(1, N_y, 0.5, like=X)
    >>> softmax_layer(T[:, -1:], T[:, :-1], weights)[-N_y:]
    array([[6.5]])
    """
    N_x, N_y = whole_number("N_x", N_x, 1), whole_number("N_y", N_y, 1)
    like = number_array("like", like)
    h = number_like("h", h, like)
    if h * h == 0:
        raise NonFiniteError("h", expected="a number whose square is not zero", got=h)
    xp = namespace(like)
    eye_x, eye_1 = xp.eye(N_x), xp.eye(1)
    sizes = (N_x, 1, 1, N_y)

    def embedded(*blocks: tuple[int, int, Array]) -> Array:
        """Return the square matrix with the given blocks, and zeros elsewhere."""
        grid = [[xp.zeros(m, n) for n in sizes] for m in sizes]
        for row, column, block in blocks:
            grid[row][column] = block
        return xp.block(grid)

    return LSAWeights(
        W_K=embedded((0, 0, eye_x), (1, 1, eye_1)),
        W_Q=embedded((0, 0, eye_x / (h * h)), (1, 2, -eye_1 / (h * h * 2))),
        W_V=embedded((3, 3, xp.eye(N_y))),
        P=xp.eye(N_x + 2 + N_y),
    )
