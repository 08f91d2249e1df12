r"""Updates of a weight matrix that are kept as factors, and formed only on request.

An update u vᵀ of a matrix of shape (d_ff, d) is d_ff + d numbers in place of d_ff d, and acts on a vector in
as many multiplications. All of this works over any kind of number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gdtheory.arguments import listed
from gdtheory.errors import DTypeError, ShapeError, shown
from gdtheory.matrices import matrices
from gdtheory.namespace import Array, namespace


@dataclass(frozen=True, slots=True, eq=False)
class LowRank:
    r"""The matrix :math:`U V^T = \sum_i u_i v_i^T` with the columns :math:`u_i, v_i` of U and V.

    Parameters
    ----------
    U : array, shape (d_ff, r)
    V : array, shape (d, r)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the factors do not fit together or hold no finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> U, V = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[1.0, 1.0]])
    >>> LowRank(U, V).dense()
    array([[1.],
           [3.]])
    """

    U: Array
    V: Array

    __array_ufunc__ = None  # so that NumPy leaves W + update to the update

    def __post_init__(self) -> None:
        U, V = matrices(U=(self.U, "d_ff", "r"), V=(self.V, "d", "r"))
        object.__setattr__(self, "U", U)
        object.__setattr__(self, "V", V)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape (d_ff, d) of the matrix."""
        return self.U.shape[0], self.V.shape[0]

    def apply(self, x: Array) -> Array:
        """Return U (Vᵀ x) for columns x of shape (d, m): a (d_ff, m) array in (d_ff + d) r m products."""
        (x,) = matrices(x=(x, self.V.shape[0], "m"))
        return self.U @ (self.V.T @ x)

    def dense(self) -> Array:
        """Return the matrix itself, shape (d_ff, d)."""
        return self.U @ self.V.T

    def __add__(self, other: Any) -> Any:
        """Return the sum with another update, as factors, or with a matrix of numbers, as a matrix."""
        if not isinstance(other, LowRank):
            return self.__radd__(other)
        if other.shape != self.shape:
            raise ShapeError("summand", expected=f"shape {self.shape}", got=f"shape {other.shape}")
        block = namespace(self.U).block
        return LowRank(block([[self.U, other.U]]), block([[self.V, other.V]]))

    def __radd__(self, W: Any) -> Array:
        """Return W + U Vᵀ as a matrix."""
        (W,) = matrices(W=(W, *self.shape))
        return W + self.dense()


class Rank1(LowRank):
    r"""The update :math:`u v^T`, which has rank 1, or 0 where u or v is zero.

    Parameters
    ----------
    u : array, shape (d_ff, 1)
    v : array, shape (d, 1)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If these are no columns of finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> update = Rank1(np.array([[2.0]]), np.array([[1.0], [3.0]]))
    >>> update.apply(np.array([[1.0], [1.0]]))
    array([[8.]])
    >>> np.array([[1.0, 1.0]]) + update
    array([[3., 7.]])
    >>> (update + update).dense()
    array([[ 4., 12.]])
    """

    __slots__ = ()

    def __init__(self, u: Array, v: Array) -> None:
        u, v = matrices(u=(u, "d_ff", 1), v=(v, "d", 1))
        super().__init__(u, v)

    @property
    def u(self) -> Array:
        """The column u, shape (d_ff, 1)."""
        return self.U

    @property
    def v(self) -> Array:
        """The column v, shape (d, 1)."""
        return self.V


@dataclass(frozen=True, slots=True, eq=False)
class FactoredWeights:
    r"""The matrix :math:`W_0 (I + u_1 v_1^T) \cdots (I + u_n v_n^T)`, whose order of factors matters.

    Parameters
    ----------
    W_0 : array, shape (d_ff, d)
    factors : iterable of Rank1
        The n updates of shape (d, d), the first one next to W_0; there may be none.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the factors do not fit W_0, or it holds no finite numbers.

    Notes
    -----
    Dherin et al. (2025), eq. (35), with u_i = h_i ΔA(c_i) and v_i = A(c_{i+1}, ..., c_n, x).

    Examples
    --------
    >>> import numpy as np
    >>> first, second = (Rank1(np.eye(2)[:, [i]], np.eye(2)[:, [1 - i]]) for i in (0, 1))
    >>> weights = FactoredWeights(np.array([[1.0, 0.0]]), (first, second))
    >>> weights.dense()
    array([[2., 1.]])
    >>> weights.apply(np.array([[1.0], [1.0]]))
    array([[3.]])
    """

    W_0: Array
    factors: tuple[Rank1, ...]

    def __post_init__(self) -> None:
        (W_0,) = matrices(W_0=(self.W_0, "d_ff", "d"))
        d = W_0.shape[1]
        factors = tuple(listed("factors", self.factors, "Rank1 updates"))
        for factor in factors:
            if not isinstance(factor, Rank1):
                raise DTypeError("factors", expected="Rank1 updates", got=shown(factor))
            if factor.shape != (d, d):
                raise ShapeError("factors", expected=f"shape {(d, d)}", got=f"shape {factor.shape}")
        object.__setattr__(self, "W_0", W_0)
        object.__setattr__(self, "factors", factors)

    def apply(self, x: Array) -> Array:
        """Return the product with columns x of shape (d, m), shape (d_ff, m), and never form the matrix.

        The last factor acts first. It takes (2 n d + d_ff d) m products.
        """
        (x,) = matrices(x=(x, self.W_0.shape[1], "m"))
        for factor in reversed(self.factors):
            x = x + factor.apply(x)
        return self.W_0 @ x

    def dense(self) -> Array:
        """Return the matrix itself, shape (d_ff, d), in n rank-1 updates of W_0."""
        W = self.W_0
        for factor in self.factors:
            W = W + (W @ factor.u) @ factor.v.T
        return W
