"""The freedom in a layer's scale, and linear interpolation between layers once it is removed.

A layer depends on its weights only through W_KQ = W_Kᵀ W_Q and W_PV = P W_V, and on these only up to a
factor that one gains and the other loses. Von Oswald et al. (2023), Appendix A.3.
"""

from __future__ import annotations

from typing import Any

from gdtheory.arguments import whole_number
from gdtheory.constructions.lsa import LSAWeights
from gdtheory.errors import ArgumentError, DTypeError, shown
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Scalar, namespace


def _layer(name: str, weights: LSAWeights) -> LSAWeights:
    if not isinstance(weights, LSAWeights):
        raise DTypeError(name, expected="LSAWeights", got=shown(weights))
    return weights


def rescaled(weights: LSAWeights, beta: Scalar) -> LSAWeights:
    """Return the layer with products W_KQ / β and β W_PV: the same layer, claim GDT-0051.

    Raises
    ------
    DTypeError, NonFiniteError, ArgumentError
        If the weights are no layer, or β is zero, not finite or no number of their kind.
    """
    beta = number_like("beta", beta, _layer("weights", weights).P)
    if beta == 0:
        raise ArgumentError("beta", expected="a number other than 0", got=beta)
    return LSAWeights(W_K=weights.W_K, W_Q=weights.W_Q / beta, W_V=weights.W_V, P=weights.P * beta)


def score_scale(weights: LSAWeights, N_x: Any) -> Scalar:
    """Return the mean diagonal entry of W_KQ over the N_x inputs: what `rescaled` makes 1.

    The target entries of the diagonal are zero in the gradient-descent layer and are no part of the mean.

    Raises
    ------
    ShapeError, DTypeError
        If the weights are no layer, or N_x is no whole number from 1 to D.
    """
    xp = namespace(_layer("weights", weights).W_KQ)
    D = weights.W_KQ.shape[0]
    N_x = whole_number("N_x", N_x, 1, D)
    N_y = D - N_x
    x_rows, _ = xp.split(weights.W_KQ, (N_x, N_y))
    return xp.trace(xp.split(x_rows, (N_x, N_y), axis=1)[0]) / N_x


def midpoint(first: LSAWeights, second: LSAWeights) -> LSAWeights:
    """Return the layer whose products W_KQ and W_PV are the means of those of two layers.

    Raises
    ------
    ShapeError, DTypeError
        If they are no layers, or of different widths or kinds of number.
    """
    first, second = _layer("first", first), _layer("second", second)
    P, _ = matrices(first=(first.P, "D", "D"), second=(second.P, "D", "D"))
    eye = namespace(P).eye(P.shape[0])
    W_KQ, W_PV = (first.W_KQ + second.W_KQ) / 2, (first.W_PV + second.W_PV) / 2
    return LSAWeights(W_K=eye, W_Q=W_KQ, W_V=W_PV, P=eye)
