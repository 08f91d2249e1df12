"""Gradient descent in weight space with one loss per token of a context (Dherin et al., 2025, §3)."""

from __future__ import annotations

from gdtheory.errors import DegenerateContextError
from gdtheory.matrices import matrices
from gdtheory.namespace import Array, namespace


def token_loss_gradient(W_0: Array, A_x: Array, A_i: Array, A_next: Array) -> Array:
    r"""Return the gradient of :math:`L_i(W) = \mathrm{tr}(\Delta_i^T W)`, which is Δ_i for every W.

    .. math:: \Delta_i = W_0 \big(A(c_1..c_i, x) - A(c_1..c_{i+1}, x)\big) A(x)^T.

    Parameters
    ----------
    W_0 : array, shape (d_ff, d)
    A_x, A_i, A_next : array, shape (d, 1)
        The layer's output without context, after i tokens and after i + 1 tokens.

    Returns
    -------
    array, shape (d_ff, d)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers.

    Notes
    -----
    Dherin et al. (2025), eq. (16).
    """
    W_0, A_x, A_i, A_next = matrices(
        W_0=(W_0, "d_ff", "d"), A_x=(A_x, "d", 1), A_i=(A_i, "d", 1), A_next=(A_next, "d", 1)
    )
    return W_0 @ (A_i - A_next) @ A_x.T


def token_gd_step(W: Array, W_0: Array, A_x: Array, A_i: Array, A_next: Array) -> Array:
    r"""Return :math:`W - h \nabla L_i(W)` with :math:`h = 1 / \|A(x)\|^2`, shape (d_ff, d).

    A DegenerateContextError refuses A(x) = 0; the other errors are those of `token_loss_gradient`.
    """
    W, W_0, A_x = matrices(W=(W, "d_ff", "d"), W_0=(W_0, "d_ff", "d"), A_x=(A_x, "d", 1))
    xp = namespace(A_x)
    if xp.is_zero(A_x):
        raise DegenerateContextError("A_x", expected="a non-zero vector", got="the zero vector")
    return W - token_loss_gradient(W_0, A_x, A_i, A_next) / xp.squared_norm(A_x)
