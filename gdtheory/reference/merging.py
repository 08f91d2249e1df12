"""What merging inputs and targets that are tokens of their own gives, written down token by token.

There are T = 2N + 1 tokens: x_0, y_0, x_1, y_1, ..., and last the query's x. Each has a content of
C = max(N_x, N_y) entries, x from the top and y down to the bottom, above a slot of max(T, C) entries.
Throughout, X has shape (N_x, N), Y (N_y, N) and x_query (N_x, 1), over any kind of number; a ShapeError
names an array that does not fit. Claims GDT-0032 to GDT-0037.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from gdtheory.arguments import whole_number
from gdtheory.errors import ArgumentError, NonFiniteError
from gdtheory.matrices import exact_number, matrices, number_array, number_like
from gdtheory.namespace import Array, Scalar, namespace


def interleaved(inputs: Array, targets: Array, query: Array) -> Array:
    """Return the columns of two matrices in turn, and a last one; shapes (D, N), (D, N) and (D, 1).

    Examples
    --------
    >>> import numpy as np
    >>> interleaved(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]), np.array([[5.0]]))
    array([[1., 3., 2., 4., 5.]])
    """
    inputs, targets, query = matrices(
        inputs=(inputs, "D", "N"), targets=(targets, "D", "N"), query=(query, "D", 1)
    )
    xp = namespace(inputs)
    columns = (xp.split(each, (1,) * each.shape[1], axis=1) for each in (inputs, targets))
    return xp.block([[*chain(*zip(*columns, strict=True)), query]])


def pairs(X: Array, Y: Array, x_query: Array) -> tuple[Array, Array]:
    """Return the tokens (x_j, y_j), shape (D, N), and the query (x, 0), shape (D, 1)."""
    inputs, targets, query, spare = _parts(X, Y, x_query)
    xp = namespace(inputs)
    tokens = xp.block([[inputs], [targets], [xp.zeros(spare, inputs.shape[1])]])
    return tokens, xp.block([[query], [xp.zeros(tokens.shape[0] - query.shape[0], 1)]])


def pairs_and_zeros(X: Array, Y: Array, x_query: Array) -> Array:
    """Return the pairs (x_j, y_j) with zeros between them, and the query (x, 0); shape (D, T)."""
    tokens, query = pairs(X, Y, x_query)
    return interleaved(tokens, tokens * 0, query)


def merged_tokens(X: Array, Y: Array, x_query: Array, *, cyclic: bool = False) -> Array:
    """Return all tokens when each holds its successor's content in its slot; shape (D, T).

    The last token, which has no successor, keeps its position there, or holds x_0 if `cyclic`.

    Examples
    --------
    >>> import numpy as np
    >>> merged_tokens(np.array([[2.0]]), np.array([[3.0]]), np.array([[4.0]]), cyclic=True)
    array([[2., 3., 4.],
           [3., 4., 2.],
           [0., 0., 0.],
           [0., 0., 0.]])
    """
    inputs, targets, query, spare = _parts(X, Y, x_query)
    xp = namespace(inputs)
    C, N = inputs.shape
    first, others = xp.split(inputs, (1, N - 1), axis=1)
    unused = xp.zeros(spare, N)
    behind = xp.block([[first], [xp.zeros(spare, 1)]]) if cyclic else _position(inputs, 2 * N, C + spare)
    following = xp.block([[others, query]])
    return interleaved(
        xp.block([[inputs], [targets], [unused]]),
        xp.block([[targets], [following], [unused]]),
        xp.block([[query], [behind]]),
    )


# -------------------------------------------------------------------------------------- softmax


def exponential(beta: Scalar, like: Array) -> Scalar:
    r"""Return :math:`e^\beta`, enclosed where β is a fraction.

    Parameters
    ----------
    beta : number
    like : array
        Any array of the kind of number that beta is.

    Raises
    ------
    NonFiniteError
        Also if floats of this kind hold the exponential as 0 or infinity only.
    DTypeError
        If `like` is no array, or beta no number of its kind.

    Examples
    --------
    >>> import numpy as np
    >>> float(exponential(0.0, np.ones((1, 1))))
    1.0
    """
    like = number_array("like", like)
    xp = namespace(like)
    with np.errstate(over="ignore"):
        e_beta = xp.trace(xp.exp(xp.ones(1, 1) * number_like("beta", beta, like)))
    if isinstance(e_beta, np.floating) and not 0 < e_beta < np.inf:
        raise NonFiniteError("beta", expected=f"a number with an exponential in {e_beta.dtype}", got=beta)
    return e_beta


def copy_weight(e_beta: Scalar, T: Any) -> Scalar:
    r"""Return :math:`e^\beta / (e^\beta + T - 1)`, what softmax gives the one of T tokens that is read.

    Parameters
    ----------
    e_beta : number
        The exponential of the scale β of the logits: ``math.exp(beta)``, or `exponential`.
    T : int
        Number of tokens.

    Raises
    ------
    ArgumentError, DTypeError, NonFiniteError, ShapeError
        If e_beta is no finite number above 0, or T no whole number from 1 on.

    Examples
    --------
    >>> copy_weight(1.0, 4)
    0.25
    """
    e_beta, T = _positive("e_beta", e_beta), whole_number("T", T, 1)
    return e_beta / (e_beta + (T - 1))


def uniform_share(e_beta: Scalar, T: Any) -> Scalar:
    r"""Return :math:`\tau = T / (e^\beta + T - 1)`, the share of uniform attention in a softmax copy.

    The attention is (1 - τ) times an exact copy and τ times the uniform one. The arguments and errors are
    those of `copy_weight`.

    Examples
    --------
    >>> uniform_share(1.0, 4)
    1.0
    """
    e_beta, T = _positive("e_beta", e_beta), whole_number("T", T, 1)
    return T / (e_beta + (T - 1))


def copy_attention(weight: Scalar, T: Any, like: Array) -> Array:
    """Return the attention of T tokens, each reading the next one: a column per token, shape (T, T).

    The rest of a token's attention goes to the T - 1 others alike. The last token, which has nothing to read,
    attends to all alike.

    Parameters
    ----------
    weight : number
        What a token gives the next one: `copy_weight` in softmax attention, 1 in an exact copy.
    T : int
        Number of tokens.
    like : array
        Any array of the kind of number that the result is to have.

    Examples
    --------
    >>> import numpy as np
    >>> copy_attention(0.75, 2, np.ones((1, 1)))
    array([[0.25, 0.5 ],
           [0.75, 0.5 ]])
    """
    like = number_array("like", like)
    T, weight = whole_number("T", T, 2), number_like("weight", weight, like)
    xp = namespace(like)
    next_one = xp.block([[xp.zeros(1, T - 1)], [xp.eye(T - 1)]])
    others = xp.ones(T, T - 1) - next_one
    return xp.block([[next_one * weight + others * ((1 - weight) / (T - 1)), xp.ones(T, 1) / T]])


def uniform_merging_prediction(X: Array, Y: Array, x_query: Array, eta: Scalar) -> Array:
    r"""Return the prediction from pairs whose targets are what uniform attention copies; (N_y, 1).

    The slot of the token x_j then holds :math:`p_{2j} + J \bar c - \frac1T \sum_{i<2N} p_i`, with the mean
    :math:`\bar c` of all contents, positions p_i and the embedding J of contents in slots.
    """
    inputs, targets, query, spare = _parts(X, Y, x_query)
    xp = namespace(inputs)
    C, N = inputs.shape
    T, N_y = 2 * N + 1, len(Y)
    mean = (inputs @ xp.ones(N, 1) + targets @ xp.ones(N, 1) + query) / T
    positions = [_position(inputs, k, C + spare) for k in range(2 * N)]
    read = xp.block([positions]) @ xp.ones(2 * N, 1) / T
    slots = xp.block([positions[::2]]) + (xp.block([[mean], [xp.zeros(spare, 1)]]) - read) @ xp.ones(1, N)
    copied = xp.split(slots, (C - N_y, N_y, spare))[1]
    return copied @ (inputs.T @ query) * (number_like("eta", eta, inputs) / N)


def softmax_merging_error_bound(X: Array, Y: Array, x_query: Array, eta: Scalar, e_beta: Scalar) -> Scalar:
    r"""Return what no entry of the prediction after a softmax copy is further off than.

    .. math:: \frac{T-1}{e^\beta+T-1}\,(1+2M)\,\frac{|\eta|}N \sum_j |x_j^T x|,

    with M the largest absolute entry of X, Y and x.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.ones((1, 1))
    >>> float(softmax_merging_error_bound(one, -one, one, 0.5, 1.0))
    1.0
    """
    X, Y, x_query = matrices(X=(X, "N_x", "N"), Y=(Y, "N_y", "N"), x_query=(x_query, "N_x", 1))
    for axis, size in (("N_x", X.shape[0]), ("N_y", Y.shape[0])):
        whole_number(axis, size, 1)
    N = whole_number("N", X.shape[1], 1)
    M = max(abs(part).max() for part in (X, Y, x_query))
    scores = abs(X.T @ x_query).sum()
    e_beta = _positive("e_beta", number_like("e_beta", e_beta, X))
    return scores * abs(number_like("eta", eta, X)) / N * (1 + M * 2) * (2 * N) / (e_beta + 2 * N)


# ---------------------------------------------------------------------------------------- parts


def _positive(name: str, value: Any) -> Scalar:
    """Return a number above 0 of any kind, an integer as a fraction; symbols are left as they are."""
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise NonFiniteError(name, expected="a finite number", got=value)
    elif hasattr(value, "free_symbols") or (
        hasattr(value, "shape") and not isinstance(value, (np.ndarray, np.generic))
    ):
        return value  # an expression of SymPy, or a scalar of an array library
    else:
        value = exact_number(name, value)
    if not value > 0:
        raise ArgumentError(name, expected="a number above 0", got=value)
    return value


def _parts(X: Array, Y: Array, x_query: Array) -> tuple[Array, Array, Array, int]:
    """Return inputs, targets and query as contents, and the number of entries of a slot below C."""
    X, Y, x_query = matrices(X=(X, "N_x", "N"), Y=(Y, "N_y", "N"), x_query=(x_query, "N_x", 1))
    N = whole_number("N", X.shape[1], 1)
    xp = namespace(X)
    N_x, N_y = X.shape[0], Y.shape[0]
    below, above = max(N_y - N_x, 0), max(N_x - N_y, 0)
    inputs = xp.block([[X], [xp.zeros(below, N)]])
    targets = xp.block([[xp.zeros(above, N)], [Y]])
    return inputs, targets, xp.block([[x_query], [xp.zeros(below, 1)]]), max(2 * N + 1 - N_x - below, 0)


def _position(like: Array, k: int, slot: int) -> Array:
    """Return the one-hot code of position k."""
    xp = namespace(like)
    return xp.block([[xp.zeros(k, 1)], [xp.ones(1, 1)], [xp.zeros(slot - k - 1, 1)]])
