r"""Linear self-attention (LSA), and the weights with which it takes a gradient-descent step.

Tokens are columns. A layer moves every query token e by what it reads from the context tokens e_i:

.. math:: e \leftarrow e + P \sum_i (W_V e_i) (W_K e_i)^T W_Q e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, overload

from gdtheory.arguments import whole_number
from gdtheory.constructions.conventions import (
    AhnWeights,
    HuangWeights,
    ZhangWeights,
    last_token,
    y_part,
)
from gdtheory.errors import ConventionError, DTypeError, shown
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, namespace


@dataclass(frozen=True, slots=True, eq=False)
class LSAWeights:
    """The four matrices of a linear self-attention layer, each of shape (D, D)."""

    W_K: Array
    W_Q: Array
    W_V: Array
    P: Array

    def __post_init__(self) -> None:
        given = {name: (getattr(self, name), "D", "D") for name in ("W_K", "W_Q", "W_V", "P")}
        for name, checked in zip(given, matrices(**given), strict=True):
            object.__setattr__(self, name, checked)

    @classmethod
    def from_huang(cls, weights: HuangWeights, n: Any) -> LSAWeights:
        """Return the layer of Huang et al. as four matrices: W_K = I, W_Q = W, W_V = V, P = I / n."""
        n = whole_number("n", n, 1)
        eye = namespace(weights.W).eye(weights.W.shape[0])
        return cls(W_K=eye, W_Q=weights.W, W_V=weights.V, P=eye / n)

    @property
    def W_KQ(self) -> Array:
        """The product W_Kᵀ W_Q, by which tokens score each other; shape (D, D)."""
        return self.W_K.T @ self.W_Q

    @property
    def W_PV(self) -> Array:
        """The product P W_V, which a token adds to those that attend to it; shape (D, D)."""
        return self.P @ self.W_V

    def layer(self, E: Array) -> Array:
        """Return all tokens after the layer; E has shape (D, N + 1), the query token last."""
        _, E = matrices(W_K=(self.W_K, "D", "D"), E=(E, "D", "N + 1"))
        T = whole_number("number of tokens", E.shape[1], 1)
        context, _ = namespace(E).split(E, (T - 1, 1), axis=1)
        return lsa_layer(E, context, self)

    def predict(self, E: Array, N_y: int = 1) -> Array:
        """Return minus the y-part of the query token after the layer, shape (N_y, 1)."""
        return -y_part(last_token(self.layer(E)), N_y)

    @overload
    def to_convention(self, convention: Literal["vonoswald"], *, N: Any, N_y: Any = 1) -> LSAWeights: ...
    @overload
    def to_convention(self, convention: Literal["zhang"], *, N: Any, N_y: Any = 1) -> ZhangWeights: ...
    @overload
    def to_convention(self, convention: Literal["ahn"], *, N: Any, N_y: Any = 1) -> AhnWeights: ...
    @overload
    def to_convention(self, convention: Literal["huang"], *, N: Any, N_y: Any = 1) -> HuangWeights: ...
    def to_convention(
        self, convention: str, *, N: Any, N_y: Any = 1
    ) -> LSAWeights | ZhangWeights | AhnWeights | HuangWeights:
        """Return the layer as another paper writes it: same tokens in, same predictions out.

        Parameters
        ----------
        convention : {"vonoswald", "zhang", "ahn", "huang"}
            Whose matrices, normaliser, treatment of the query and sign of the read-out.
        N : int
            Number of context tokens; the others divide by it. The result is the same layer for exactly
            this number of context tokens.
        N_y : int
            Number of target entries in a token.

        Returns
        -------
        LSAWeights, ZhangWeights, AhnWeights or HuangWeights
            All have ``layer(E)`` and ``predict(E, N_y)`` for tokens E of shape (D, N + 1) whose query
            token, the last column, has a zero y-part.

        Raises
        ------
        ConventionError
            If `convention` is unknown, or if the query sees itself there and these weights read
            targets off inputs (the block of W_PV from x to y is not zero, as with W_0 ≠ 0).

        Notes
        -----
        A scale may move between the two matrices, (c P, Q / c); here all of it is in P, W_PV and V.
        Claims GDT-0006 (Ahn) and GDT-0007 (Zhang, Huang).
        """
        N, N_y = whole_number("N", N, 1), whole_number("N_y", N_y, 1)
        match convention:
            case "vonoswald":
                return self
            case "zhang":
                self._refuse_self_reading(convention, N_y)
                return ZhangWeights(W_PV=-self.W_PV * N, W_KQ=self.W_KQ, rho=N)
            case "ahn":
                return AhnWeights(P=self.W_PV * N, Q=self.W_KQ)
            case "huang":
                self._refuse_self_reading(convention, N_y)
                return HuangWeights(V=-self.W_PV * N, W=self.W_KQ)
        raise ConventionError("convention", expected="vonoswald, zhang, ahn or huang", got=shown(convention))

    def _refuse_self_reading(self, convention: str, N_y: int) -> None:
        xp = namespace(self.W_PV)
        N_x = whole_number("number of inputs, D - N_y", self.W_PV.shape[0] - N_y, 1)
        y_rows = xp.split(self.W_PV, (N_x, N_y))[1]
        if not xp.is_zero(xp.split(y_rows, (N_x, N_y), axis=1)[0]):
            raise ConventionError(
                "convention",
                expected="weights with W_0 = 0, where a query that sees itself reads nothing",
                got=f"{convention!r} with a non-zero block of W_PV from x to y (see GDT-0002)",
            )


def gd_step_weights(W_0: Array, eta: Scalar, N: Any) -> LSAWeights:
    """Return the weights with which one LSA layer takes one gradient-descent step.

    Parameters
    ----------
    W_0 : array, shape (N_y, N_x)
        The linear model before the step.
    eta : number
        Learning rate, for the loss averaged over N and halved.
    N : int
        Number of context tokens.

    Returns
    -------
    LSAWeights
        For tokens (x, y) of D = N_x + N_y entries.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If W_0 is no matrix of finite numbers, eta no finite number, or N no whole number from 1 on.

    Notes
    -----
    Von Oswald et al. (2023), Proposition 1; claim GDT-0001.

    Examples
    --------
    >>> import numpy as np
    >>> gd_step_weights(np.array([[3.0]]), 0.5, 1).W_V
    array([[ 0.,  0.],
           [ 3., -1.]])
    """
    (W_0,) = matrices(W_0=(W_0, "N_y", "N_x"))
    eta, N = number_like("eta", eta, W_0), whole_number("N", N, 1)
    xp = namespace(W_0)
    N_y, N_x = W_0.shape
    x_only = xp.block([[xp.eye(N_x), xp.zeros(N_x, N_y)], [xp.zeros(N_y, N_x), xp.zeros(N_y, N_y)]])
    W_V = xp.block([[xp.zeros(N_x, N_x), xp.zeros(N_x, N_y)], [W_0, -xp.eye(N_y)]])
    P = xp.block([[xp.eye(N_x), xp.zeros(N_x, N_y)], [xp.zeros(N_y, N_x), xp.eye(N_y)]]) * (eta / N)
    return LSAWeights(W_K=x_only, W_Q=x_only, W_V=W_V, P=P)


def regression_tokens(X: Array, Y: Array, x_query: Array, W_0: Array) -> Array:
    """Return the tokens (x_j, y_j) and, last, the query (x, -W_0 x).

    Parameters
    ----------
    X : array, shape (N_x, N)
    Y : array, shape (N_y, N)
    x_query : array, shape (N_x, 1)
    W_0 : array, shape (N_y, N_x)

    Returns
    -------
    array, shape (N_x + N_y, N + 1)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers.
    """
    X, Y, x_query, W_0 = matrices(
        X=(X, "N_x", "N"), Y=(Y, "N_y", "N"), x_query=(x_query, "N_x", 1), W_0=(W_0, "N_y", "N_x")
    )
    return namespace(X).block([[X, x_query], [Y, -(W_0 @ x_query)]])


def lsa_layer(queries: Array, context: Array, weights: LSAWeights) -> Array:
    """Return the query tokens after one LSA layer, as the formula above is printed.

    Parameters
    ----------
    queries : array, shape (D, n_queries)
        The tokens to move.
    context : array, shape (D, N)
        The tokens that they attend to.
    weights : LSAWeights
        The layer.

    Returns
    -------
    array, shape (D, n_queries)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If tokens and weights do not fit together or hold no finite numbers.
    """
    queries, context = fitting_tokens(queries, context, weights)
    keys = weights.W_K @ context
    values = weights.W_V @ context
    return queries + weights.P @ (values @ (keys.T @ (weights.W_Q @ queries)))


def lsa_layer_folded(queries: Array, context: Array, weights: LSAWeights) -> Array:
    r"""Return the same as `lsa_layer`, with weights and context folded into one matrix first.

    .. math:: e \leftarrow e + M e, \qquad M = W_{PV} G W_{KQ}, \qquad G = \sum_i e_i e_i^T.

    It costs O(N D² + n_queries D²) instead of O(N n_queries D), and is what `gdtheory.lsa` computes.
    """
    queries, context = fitting_tokens(queries, context, weights)
    G = context @ context.T
    M = weights.W_PV @ (G @ weights.W_KQ)
    return queries + M @ queries


def fitting_tokens(queries: Array, context: Array, weights: LSAWeights) -> tuple[Array, Array]:
    """Return query and context tokens as arrays that fit a layer's weights."""
    if not isinstance(weights, LSAWeights):
        raise DTypeError("weights", expected="LSAWeights", got=shown(weights))
    _, queries, context = matrices(
        W_K=(weights.W_K, "D", "D"), queries=(queries, "D", "n_queries"), context=(context, "D", "N")
    )
    return queries, context
