"""The training of the chain-of-thought layer of Huang et al. (2025) on gradient-descent iterates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gdtheory.arguments import plain_count, whole_number
from gdtheory.constructions.conventions import HuangWeights, last_token
from gdtheory.constructions.cot import prompt, weight_tokens
from gdtheory.constructions.random_inputs import inputs
from gdtheory.errors import DTypeError, shown
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, namespace

LARGEST_K = 1000
"""The most steps that are taught."""


def three_blocks(V_31: Array, W_13: Array, w_24: Scalar = -1) -> HuangWeights:
    """Return the layer with these blocks and zeros elsewhere; V_31 and W_13 have shape (d, d).

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If V_31 and W_13 are not square matrices of one size and kind, or w_24 is no number of that kind.

    Notes
    -----
    Huang et al. (2025), Assumption 4.1; eq. (8) has V_31 = -eta I, W_13 = I and w_24 = -1.

    Examples
    --------
    >>> import numpy as np
    >>> three_blocks(np.array([[2.0]]), np.array([[3.0]])).W
    array([[ 0.,  0.,  3.,  0.],
           [ 0.,  0.,  0., -1.],
           [ 0.,  0.,  0.,  0.],
           [ 0.,  0.,  0.,  0.]])
    """
    V_31, W_13 = matrices(V_31=(V_31, "d", "d"), W_13=(W_13, "d", "d"))
    xp, d = namespace(V_31), V_31.shape[0]
    sizes = (d, 1, d, 1)
    V = [[xp.zeros(rows, columns) for columns in sizes] for rows in sizes]
    W = [[xp.zeros(rows, columns) for columns in sizes] for rows in sizes]
    V[2][0], W[0][2], W[1][3] = V_31, W_13, xp.ones(1, 1) * number_like("w_24", w_24, V_31)
    return HuangWeights(V=xp.block(V), W=xp.block(W))


@dataclass(frozen=True, slots=True, eq=False)
class TaughtToken:
    """A training sequence and the weight vector that is to come next.

    Attributes
    ----------
    X, y : array, shapes (d, n) and (1, n)
        The examples.
    weights : sequence of array, each of shape (d, m)
        The columns of the weight tokens so far; the last one is the current w_i.
    target : array, shape (d, 1)
        The next weight vector, w_{i+1}; the layer should output the token (0, 0, w_{i+1}, 1).
    """

    X: Array
    y: Array
    weights: Sequence[Array]
    target: Array

    def __post_init__(self) -> None:
        matrices(X=(self.X, "d", "n"), y=(self.y, 1, "n"), target=(self.target, "d", 1))
        if not isinstance(self.weights, (list, tuple)) or not self.weights:
            raise DTypeError("weights", expected="a list or tuple of arrays", got=shown(self.weights))

    def error(self, layer: HuangWeights) -> Array:
        """Return how far the last token after the layer is from the target's, shape (2d + 2, 1)."""
        _require_layer("layer", layer)
        Z = prompt(self.X, self.y, *self.weights)
        return layer.next_token(Z, self.X.shape[1]) - weight_tokens(self.target)

    def loss(self, layer: HuangWeights) -> Scalar:
        """Return half the squared error, one term of eq. (5)."""
        return namespace(self.X).squared_norm(self.error(layer)) / 2

    def slope(self, layer: HuangWeights, direction: HuangWeights) -> Scalar:
        """Return the derivative of the loss along a direction; the output is linear in V, and in W."""
        _require_layer("layer", layer)
        _require_layer("direction", direction)
        Z, n = prompt(self.X, self.y, *self.weights), self.X.shape[1]
        turned_V, turned_W = HuangWeights(direction.V, layer.W), HuangWeights(layer.V, direction.W)
        change = turned_V.next_token(Z, n) + turned_W.next_token(Z, n) - last_token(Z) * 2
        return namespace(self.X).trace(self.error(layer).T @ change)


def _require_layer(name: str, layer: Any) -> None:
    if not isinstance(layer, HuangWeights):
        raise DTypeError(name, expected="HuangWeights", got=shown(layer))


def random_task(like: Array, d: Any, n: Any) -> tuple[Array, Array]:
    """Return X (d, n) and w* (d, 1) of eq. (1), over the kind of number of `like`."""
    return inputs(like, d, n), namespace(like).normal("w*", d, 1)


def taught_tokens(X: Array, w_star: Array, eta: Scalar, k: int) -> list[TaughtToken]:
    """Return the k + 1 training sequences of eq. (5): the iterates from w_0 = 0, then w* itself.

    Parameters
    ----------
    X : array, shape (d, n)
        The inputs.
    w_star : array, shape (d, 1)
        The teacher, whose targets are w*ᵀ X.
    eta : number
        Learning rate of the steps that are taught.
    k : int
        Number of gradient-descent steps before the token of w*, from 0 to 1000.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If X and w* do not fit together, or a number is none of its kind or out of range.

    Examples
    --------
    >>> import numpy as np
    >>> tokens = taught_tokens(np.ones((1, 2)), np.array([[4.0]]), 0.5, 1)
    >>> [float(token.target[0, 0]) for token in tokens]
    [2.0, 4.0]
    """
    X, w_star = matrices(X=(X, "d", "n"), w_star=(w_star, "d", 1))
    y, eta, k = w_star.T @ X, number_like("eta", eta, X), plain_count("k", k, 0, LARGEST_K)
    n = whole_number("n", X.shape[1], 1)
    w = [w_star - w_star]
    for _ in range(k):
        w.append(w[-1] - X @ (X.T @ w[-1] - y.T) * eta / n)
    targets = [*w[1:], w_star]
    return [TaughtToken(X, y, w[: i + 1], target) for i, target in enumerate(targets)]


def training_loss(layer: HuangWeights, X: Array, w_star: Array, eta: Scalar, k: int) -> Any:
    """Return the loss of eq. (5) on one set of examples; parameters as in `taught_tokens`."""
    return sum(token.loss(layer) for token in taught_tokens(X, w_star, eta, k))


def training_slope(
    layer: HuangWeights, direction: HuangWeights, X: Array, w_star: Array, eta: Scalar, k: int
) -> Any:
    """Return the derivative of `training_loss` along a direction of all blocks."""
    return sum(token.slope(layer, direction) for token in taught_tokens(X, w_star, eta, k))
