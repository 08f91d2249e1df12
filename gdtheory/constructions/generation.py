"""What generating and looped layers make of random examples, and their mean squared errors."""

from __future__ import annotations

from gdtheory.constructions.conventions import HuangWeights, last_token
from gdtheory.constructions.cot import append_token, prompt, weights_of
from gdtheory.constructions.lsa import gd_step_weights, lsa_layer, regression_tokens
from gdtheory.namespace import Array, Scalar, namespace


def generated_weights(layer: HuangWeights, X: Array, y: Array, w_0: Array, steps: int) -> Array:
    """Return the weight vector after some steps from w_0, shape (d, 1): one token is generated in each."""
    Z = prompt(X, y, w_0)
    for _ in range(steps):
        Z = append_token(Z, layer, X.shape[1])
    return weights_of(last_token(Z), X.shape[0])


def mean_squared_distance(layer: HuangWeights, X: Array, w_star: Array, w_0: Array, steps: int) -> Scalar:
    """Return the mean of ‖w - w*‖², w being what the layer generates on the targets w*ᵀX.

    The mean is over all random matrices in X and w*. Huang et al. (2025), eq. (7), without its half.
    """
    w = generated_weights(layer, X, w_star.T @ X, w_0, steps)
    xp = namespace(X)
    return xp.mean(xp.squared_norm(w - w_star))


def looped_squared_error(X: Array, w_star: Array, x: Array, a: Scalar, loops: int) -> Scalar:
    """Return the mean squared error at the query of one layer that is applied again and again.

    Parameters
    ----------
    X : array, shape (d, n)
        The inputs, whose targets are w* X.
    w_star, x : array, shapes (1, d) and (d, 1)
        The teacher and the query. The mean is over all random matrices in X, w* and x.
    a : number
        The preconditioner a I: the learning rate of the step that a loop takes from W_0 = 0.
    loops : int
        How often the layer is applied.
    """
    xp, (d, n) = namespace(X), X.shape
    W_0 = xp.zeros(1, d)
    tokens, layer = regression_tokens(X, w_star @ X, x, W_0), gd_step_weights(W_0, a, n)
    for _ in range(loops):
        context, _ = xp.split(tokens, (n, 1), axis=1)
        tokens = lsa_layer(tokens, context, layer)
    _, minus_prediction = xp.split(last_token(tokens), (d, 1))
    return xp.mean(xp.squared_norm(w_star @ x + minus_prediction))
