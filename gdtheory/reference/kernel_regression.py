r"""Regression with a kernel k, in terms of its values alone.

`G` holds the values :math:`k(x_i, x_j)` on the context, shape (N, N), `Y` the targets, shape (N_y, N), and
`k_x` the values :math:`k(x_i, x)` at a query, shape (N, 1). All over any kind of number, but for
`kernel_least_squares`; a ShapeError names an array that does not fit. Von Oswald et al. (2023), Proposition
2 and Appendix A.8.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from gdtheory.arguments import whole_number
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, as_objects, namespace


def inner_product_kernel(Phi: Array, Psi: Array) -> Array:
    r"""Return :math:`k(u, v) = m(u)^T m(v)`, (M, n), of Phi = m(u), (D, M), and Psi = m(v), (D, n)."""
    Phi, Psi = matrices(Phi=(Phi, "D", "M"), Psi=(Psi, "D", "n"))
    return Phi.T @ Psi


def kernel_gd_step(F: Array, Y: Array, G: Array, eta: Scalar) -> Array:
    r"""Return the values of a function after one step of kernel gradient descent.

    .. math:: f_{k+1}(z) = f_k(z) - \frac{\eta}{N} \sum_{i \le N} (f_k(x_i) - y_i)\, k(x_i, z).

    Parameters
    ----------
    F : array, shape (N_y, N + M)
        The values of f_k at the N context points and at M further points.
    Y : array, shape (N_y, N)
        The targets at the context points.
    G : array, shape (N, N + M)
        The kernel :math:`k(x_i, z)` between the context points and all points.
    eta : number
        Learning rate, for the loss averaged over N and halved.

    Returns
    -------
    array, shape (N_y, N + M)
        The values of f_{k+1} at the same points.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers, or eta is none.

    Notes
    -----
    Claim GDT-0029.

    Examples
    --------
    >>> import numpy as np
    >>> F, Y = np.zeros((1, 2)), np.array([[3.0]])
    >>> kernel_gd_step(F, Y, np.array([[4.0, 2.0]]), eta=0.5)
    array([[6., 3.]])
    """
    F, Y, G = matrices(F=(F, "N_y", "N + M"), Y=(Y, "N_y", "N"), G=(G, "N", "N + M"))
    eta = number_like("eta", eta, F)
    N = whole_number("N", Y.shape[1], 1)
    points = whole_number("number of points, N + M", F.shape[1], N)
    on_context, _ = namespace(F).split(F, (N, points - N), axis=1)
    return F - (on_context - Y) @ G * (eta / N)


def nadaraya_watson(X: Array, Y: Array, x_query: Array, h: Scalar) -> Array:
    r"""Return the Nadaraya-Watson estimate with a Gaussian kernel of bandwidth h, shape (N_y, 1).

    .. math:: \frac{\sum_i y_i\, k_h(x_i, x)}{\sum_i k_h(x_i, x)}, \qquad
              k_h(u, v) = \exp\Big(-\frac{\|u - v\|^2}{2h^2}\Big).

    Nadaraya (1964); Watson (1964); claim GDT-0031. Fractions give enclosures.

    Raises
    ------
    NonFiniteError
        Also if h² is zero, or in floats the kernel is, because the query is too far from every x_i.
    ShapeError, DTypeError
        If the arrays do not fit together or hold no finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> X, Y = np.array([[-1.0, 1.0]]), np.array([[2.0, 4.0]])
    >>> nadaraya_watson(X, Y, np.zeros((1, 1)), h=1.0)
    array([[3.]])
    """
    k_x = gaussian_kernel(X, x_query, h)
    Y, k_x = matrices(Y=(Y, "N_y", "N"), k_x=(k_x, "N", 1))
    xp = namespace(k_x)
    total = xp.ones(1, k_x.shape[0]) @ k_x
    if xp.is_zero(total):
        raise NonFiniteError("x_query", expected="a kernel that is not zero", got="distances too large for h")
    return Y @ k_x / total


def gaussian_kernel(X: Array, x_query: Array, h: Scalar) -> Array:
    r"""Return :math:`k_h(x_i, x) = \exp(-\|x_i - x\|^2 / (2h^2))` for the columns of X, shape (N, 1)."""
    X, x_query = matrices(X=(X, "N_x", "N"), x_query=(x_query, "N_x", 1))
    h = number_like("h", h, X)
    if h * h == 0:
        raise NonFiniteError("h", expected="a number whose square is not zero", got=h)
    xp = namespace(X)
    N_x, N = X.shape
    differences = X - x_query @ xp.ones(1, N)
    squared_distances = (differences * differences).T @ xp.ones(N_x, 1)
    return xp.exp(-squared_distances / (h * h * 2))


def kernel_least_squares(G: Array, Y: Array, k_x: Array) -> Array:
    r"""Return the prediction of kernel least squares, :math:`Y G^+ k_x`, shape (N_y, 1).

    Of all W that minimise :math:`\sum_i \|W m(x_i) - y_i\|^2` the one of least norm predicts this, where
    :math:`G^+` is the pseudo-inverse. Layers with a small enough learning rate converge to it (GDT-0030).

    Parameters
    ----------
    G : array of floats or fractions, shape (N, N)
        The kernel on the context: symmetric, for floats up to rounding, and positive semi-definite, of any
        rank.
    Y : array, shape (N_y, N)
        The targets.
    k_x : array, shape (N, 1)
        The kernel at the query.

    Returns
    -------
    array, shape (N_y, 1)
        Exact for fractions. For floats G counts as singular where its eigenvalues vanish beside the largest
        one, as in `numpy.linalg.pinv`.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold neither floats nor fractions, or are not finite.
    ArgumentError
        If G is not symmetric.

    Examples
    --------
    >>> import numpy as np
    >>> G = np.array([[4.0, 4.0], [4.0, 4.0]])  # one input twice, with two targets
    >>> kernel_least_squares(G, np.array([[1.0, 2.0]]), np.array([[4.0], [4.0]])).round(12)
    array([[1.5]])
    """
    G, Y, k_x = matrices(G=(G, "N", "N"), Y=(Y, "N_y", "N"), k_x=(k_x, "N", 1))
    if not isinstance(G, np.ndarray):
        raise DTypeError("G", expected="a NumPy array", got=type(G).__name__)
    if G.dtype != object:
        if (abs(G - G.T) > np.sqrt(np.finfo(G.dtype).eps) * abs(G).max(initial=0)).any():
            raise ArgumentError("G", expected="a symmetric matrix", got="one that is not")
        return Y @ (np.linalg.pinv(G, hermitian=True) @ k_x)
    if (G != G.T).any():
        raise ArgumentError("G", expected="a symmetric matrix", got="one that is not")
    # G³c = G k_x has a solution, and Gc is then in the range of G with G(Gc) the projection of k_x on it.
    return Y @ (G @ _solution(G @ G @ G, G @ k_x))


def _solution(A: Array, b: Array) -> Array:
    """Return a solution of the consistent system A c = b of exact numbers, by elimination."""
    rows = [[*row, *right] for row, right in zip(A.tolist(), b.tolist(), strict=True)]
    pivots: list[int] = []
    for column in range(A.shape[1]):
        done = len(pivots)
        found = next((i for i in range(done, len(rows)) if rows[i][column] != 0), None)
        if found is None:
            continue
        rows[done], rows[found] = rows[found], rows[done]
        rows[done] = [entry / rows[done][column] for entry in rows[done]]
        for i, row in enumerate(rows):
            if i != done and row[column] != 0:
                rows[i] = [a - row[column] * b for a, b in zip(row, rows[done], strict=True)]
        pivots.append(column)
    solution = [Fraction(0)] * A.shape[1]
    for row, column in zip(rows, pivots, strict=False):
        solution[column] = row[-1]
    return as_objects(solution, (A.shape[1], 1))
