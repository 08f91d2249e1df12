r"""Token-wise maps before an attention layer: what the MLP of a transformer block does to (x, y).

The MLP writes features into the tokens, :math:`(x, y) \to (m(x), y)`; the attention layer that follows
then works on features. A map acts on every column by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdtheory.arguments import whole_number
from gdtheory.matrices import column_function, matrices
from gdtheory.namespace import Array, namespace

TokenMap = Callable[[Array], Array]
"""A function of columns, each of which it maps by itself."""


def residual_mlp(E: Array, m_tilde: TokenMap, N_y: Any = 1) -> Array:
    r"""Return the tokens after an MLP with a residual connection: :math:`e + (\tilde m(x), 0)`.

    Parameters
    ----------
    E : array, shape (N_x + N_y, n)
        Tokens (x, y).
    m_tilde : callable
        Maps the inputs, shape (N_x, n), to what is added to them, of the same shape.
    N_y : int
        Number of target entries in a token.

    Returns
    -------
    array, shape (N_x + N_y, n)
        Tokens (m(x), y) with m(x) = x + m̃(x).

    Raises
    ------
    ShapeError
        If m̃ changes the shape: what has another width than x cannot be added to it.
    DTypeError, NonFiniteError
        If tokens or values hold no finite numbers, or N_y is no whole number.

    Notes
    -----
    Von Oswald et al. (2023), Proposition 2; claim GDT-0027.

    Examples
    --------
    >>> import numpy as np
    >>> residual_mlp(np.array([[3.0], [5.0]]), lambda x: x * x)
    array([[12.],
           [ 5.]])
    """
    x, y = _inputs_and_targets(E, N_y)
    m_tilde = column_function("m_tilde", m_tilde)
    x, added = matrices(x=(x, "N_x", "n"), **{"m_tilde(x)": (m_tilde(x), "N_x", "n")})
    return namespace(y).block([[x + added], [y]])


def mapped_tokens(X: Array, Y: Array, x_query: Array, W_0: Array, m: TokenMap) -> Array:
    """Return the tokens (m(x_j), y_j) and, last, the query (m(x), -W_0 m(x)).

    Parameters
    ----------
    X : array, shape (N_x, N)
    Y : array, shape (N_y, N)
    x_query : array, shape (N_x, 1)
    W_0 : array, shape (N_y, D)
        A linear model on features.
    m : callable
        Maps columns of N_x entries to columns of D features.

    Returns
    -------
    array, shape (D + N_y, N + 1)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays and the values of m do not fit together or hold no finite numbers.

    Notes
    -----
    Von Oswald et al. (2023), Proposition 2; claims GDT-0028 and GDT-0029.

    Examples
    --------
    >>> import numpy as np
    >>> X, Y, x = np.array([[1.0, 3.0]]), np.array([[5.0, 7.0]]), np.array([[2.0]])
    >>> mapped_tokens(X, Y, x, np.ones((1, 1)), lambda z: z * z)
    array([[ 1.,  9.,  4.],
           [ 5.,  7., -4.]])
    """
    X, x_query = matrices(X=(X, "N_x", "N"), x_query=(x_query, "N_x", 1))
    m = column_function("m", m)
    Phi, Y, phi, W_0 = matrices(
        **{"m(X)": (m(X), "D", X.shape[1])},
        Y=(Y, "N_y", X.shape[1]),
        **{"m(x_query)": (m(x_query), "D", 1)},
        W_0=(W_0, "N_y", "D"),
    )
    return namespace(Phi).block([[Phi, phi], [Y, -(W_0 @ phi)]])


def _inputs_and_targets(E: Array, N_y: Any) -> tuple[Array, Array]:
    (E,) = matrices(E=(E, "N_x + N_y", "n"))
    N_y = whole_number("N_y", N_y, 1)
    N_x = whole_number("N_x, the rows of E less N_y", E.shape[0] - N_y, 1)
    return namespace(E).split(E, (N_x, N_y))
