"""Contextual blocks: a layer that reads a context, then a network (Dherin et al., 2025).

Part of the context can be moved into a rank-1 update of the network's first weight matrix.
"""

from __future__ import annotations

import numpy as np

from gdtheory.errors import DegenerateContextError, NonFiniteError
from gdtheory.matrices import matrices
from gdtheory.namespace import Array, Scalar, namespace


def weight_transfer(W: Array, A_full: Array, A_rest: Array) -> Array:
    r"""Return the update of W that replaces a part Y of the context.

    .. math:: \Delta W(Y) = \frac{(W \Delta A)\, A(C \setminus Y, x)^T}{\|A(C \setminus Y, x)\|^2},
              \qquad \Delta A = A(C, x) - A(C \setminus Y, x).

    Parameters
    ----------
    W : array, shape (d_ff, d)
        First weight matrix of the network.
    A_full : array, shape (d, 1)
        The contextual layer's output A(C, x) on the whole context.
    A_rest : array, shape (d, 1)
        Its output A(C∖Y, x) on what is left of the context.

    Returns
    -------
    array, shape (d_ff, d)
        The update, of rank at most 1.

    Raises
    ------
    DegenerateContextError
        If A_rest is zero: then every W gives the same output and no update can help.
    NonFiniteError
        Also if the square of a float norm under- or overflows.
    ShapeError, DTypeError
        If the arrays do not fit together or hold no finite numbers.

    Notes
    -----
    Dherin et al. (2025), eq. (1); claim GDT-0011.

    Examples
    --------
    >>> import numpy as np
    >>> W = np.array([[1.0, 1.0]])
    >>> weight_transfer(W, np.array([[3.0], [1.0]]), np.array([[2.0], [0.0]]))
    array([[1., 0.]])
    """
    W, A_full, A_rest = matrices(W=(W, "d_ff", "d"), A_full=(A_full, "d", 1), A_rest=(A_rest, "d", 1))
    xp = namespace(W)
    if xp.is_zero(A_rest):
        raise DegenerateContextError("A_rest", expected="a non-zero vector", got="the zero vector")
    squared_norm = xp.squared_norm(A_rest)
    _require_in_range(squared_norm)
    return (W @ (A_full - A_rest)) @ A_rest.T / squared_norm


def _require_in_range(squared_norm: Scalar) -> None:
    """Refuse a float that overflowed, or underflowed so far that it has lost digits."""
    if isinstance(squared_norm, np.floating):
        least = np.finfo(squared_norm).tiny / np.finfo(squared_norm).eps
        if not least <= squared_norm < np.inf:
            expected = f"a squared norm from {least:.1e} up to the range of {squared_norm.dtype}"
            raise NonFiniteError("A_rest", expected=expected, got=squared_norm)
