"""The weights with which a linear self-attention layer takes one step of GD++ (von Oswald et al., 2023)."""

from __future__ import annotations

from typing import Any

from gdtheory.arguments import whole_number
from gdtheory.constructions.lsa import LSAWeights
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, namespace


def gdpp_step_weights(W: Array, eta: Scalar, gamma: Scalar, N: Any) -> LSAWeights:
    r"""Return the weights with which one LSA layer takes a gradient-descent step and transforms its inputs.

    .. math:: (x_j, y_j) \leftarrow (x_j - \gamma X X^T x_j,\; y_j - \Delta W x_j).

    Parameters
    ----------
    W : array, shape (N_y, N_x)
        The linear model before the step; in a stack of more than one layer it must be zero.
    eta : number
        Learning rate, for the loss averaged over N and halved.
    gamma : number
        How far the inputs are transformed; with 0 this is `gd_step_weights`.
    N : int
        Number of context tokens.

    Returns
    -------
    LSAWeights
        For tokens (x, y) of D = N_x + N_y entries.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If W is no matrix of finite numbers, eta or gamma no finite number, or N no whole number from 1 on.

    Notes
    -----
    Von Oswald et al. (2023), Appendix A.10; claims GDT-0017 (one layer) and GDT-0018 (a stack).

    Examples
    --------
    >>> import numpy as np
    >>> weights = gdpp_step_weights(np.array([[3.0]]), eta=0.5, gamma=0.25, N=1)
    >>> weights.W_V
    array([[ 1.,  0.],
           [ 3., -1.]])
    >>> weights.P
    array([[-0.25,  0.  ],
           [ 0.  ,  0.5 ]])
    """
    (W,) = matrices(W=(W, "N_y", "N_x"))
    eta, gamma, N = number_like("eta", eta, W), number_like("gamma", gamma, W), whole_number("N", N, 1)
    xp = namespace(W)
    N_y, N_x = W.shape
    zeros = xp.zeros(N_x, N_y)
    x_only = xp.block([[xp.eye(N_x), zeros], [zeros.T, xp.zeros(N_y, N_y)]])
    W_V = xp.block([[xp.eye(N_x), zeros], [W, -xp.eye(N_y)]])
    P = xp.block([[xp.eye(N_x) * -gamma, zeros], [zeros.T, xp.eye(N_y) * (eta / N)]])
    return LSAWeights(W_K=x_only, W_Q=x_only, W_V=W_V, P=P)
