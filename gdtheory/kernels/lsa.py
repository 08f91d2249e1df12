r"""Linear self-attention on batches of tokens. Tokens are rows here, and columns on paper."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange
from numpy.typing import ArrayLike

from gdtheory.arguments import FloatArray, float_array, require_finite, whole_number
from gdtheory.constructions.lsa import LSAWeights
from gdtheory.errors import DTypeError, NonFiniteError, ShapeError
from gdtheory.kernels.compiling import compiled

CHUNK = 1024
"""Context tokens per partial sum of outer products. It fixes the order of summation, so that results
do not depend on the number of threads."""

TILE = 64
"""Tokens that are worked on at a time, few enough to stay in the first-level cache."""

MANY_TASKS = 64
"""From this many tasks on, threads share out tasks, and below it chunks of tokens."""

BATCHES = 256
"""Tasks are dealt out in at most this many batches. The tasks of a batch share their scratch memory."""

VECTOR_BYTES = 64
"""Rows of scratch arrays are padded with zeros to a multiple of this, the longest vector register."""


def lsa(tokens: ArrayLike, weights: LSAWeights, *, n_context: int | None = None) -> FloatArray:
    r"""Return the tokens of each task after one layer of linear self-attention.

    .. math:: e_j \leftarrow e_j + P \sum_i (W_V e_i) (W_K e_i)^T W_Q e_j, \qquad i \le n_{context}.

    Parameters
    ----------
    tokens : array_like of float32 or float64, shape (..., T, D)
        T tokens of D features per task, one token a row; any number of task axes. Any layout and byte
        order; it is never written to.
    weights : LSAWeights
        Four arrays of shape (D, D) and of the dtype of `tokens`.
    n_context : int, optional
        The first `n_context` tokens of each task are its context, which gives keys and values; all T by
        default. Every token is a query and is updated.

    Returns
    -------
    ndarray, shape (..., T, D)
        A new C-contiguous array of the dtype of `tokens`; the same bits for any number of threads of
        Numba.

    Raises
    ------
    DTypeError
        If an array is not float32 or float64, the weights are not of the tokens' dtype, or `weights` is
        not LSAWeights, or `n_context` is no whole number.
    ShapeError
        If there is no token or no feature, a weight is not (D, D), or `n_context` is not from 1
        to T. No task is allowed, and gives an empty array.
    NonFiniteError
        If tokens or weights hold NaN or infinity, or a result is too large for the dtype.

    See Also
    --------
    gdtheory.constructions.lsa.lsa_layer_folded : The same on one task, for any kind of number.

    Notes
    -----
    It costs O(n_context D² + T D² + D³) per task. Rounding errors are within the forward error bound of
    ``e + M e``, ``M = W_PV (G W_KQ)``, where each scalar product is summed in any order, with or
    without fused multiply-add, and the last sum is rounded by itself.

    Do not fork a process that has called this and call it in the child: Numba's threads do not survive
    a fork. Start workers by ``spawn`` or ``forkserver``.

    Von Oswald et al. (2023), Proposition 1; claim GDT-0001.

    Examples
    --------
    One step of gradient descent from W_0 = 0 on the pair (x, y) = (2, 3), learning rate 1/2, moves the
    prediction for x = 1 from 0 to 3; the layer carries it with its sign turned.

    >>> import numpy as np
    >>> from gdtheory.constructions.lsa import gd_step_weights
    >>> weights = gd_step_weights(np.zeros((1, 1)), eta=0.5, N=1)
    >>> lsa(np.array([[2.0, 3.0], [1.0, 0.0]]), weights, n_context=1)
    array([[ 2., -3.],
           [ 1., -3.]])
    """
    tokens = float_array("tokens", tokens, min_axes=2)
    T, D = tokens.shape[-2:]
    if T == 0 or D == 0:
        raise ShapeError("tokens", expected="at least one token of one feature", got=f"shape {tokens.shape}")
    W_KQ, W_PV_T = _products(weights, D, tokens.dtype)
    n_context = T if n_context is None else whole_number("n_context", n_context, 1, T)
    moved = np.empty(tokens.shape, tokens.dtype)
    if moved.size:
        batch = tokens.reshape(-1, T, D)
        run = _lsa_by_task if len(batch) >= MANY_TASKS or T <= CHUNK else _lsa_by_chunk
        run(batch, n_context, W_KQ, W_PV_T, moved.reshape(batch.shape))
        _require_finite_result(moved, tokens)
    return moved


def _products(weights: LSAWeights, D: int, dtype: np.dtype[Any]) -> tuple[FloatArray, FloatArray]:
    """Return W_KQ and W_PVᵀ, padded, of valid weights. Overflow is left to show in the result."""
    if not isinstance(weights, LSAWeights):
        raise DTypeError("weights", expected="LSAWeights", got=type(weights).__name__)
    valid = {}
    for name in ("W_K", "W_Q", "W_V", "P"):
        array = float_array(f"weights.{name}", getattr(weights, name), dtype=dtype)
        if array.shape != (D, D):
            raise ShapeError(
                f"weights.{name}",
                expected=f"shape {(D, D)}, as tokens are rows of {D} features",
                got=f"shape {array.shape}",
            )
        require_finite(f"weights.{name}", array)
        valid[name] = array
    with np.errstate(all="ignore"):
        layer = LSAWeights(**valid)
        return _padded(layer.W_KQ), _padded(layer.W_PV.T)


def _padded(matrix: FloatArray) -> FloatArray:
    """Return a copy with columns of zeros on the right, up to whole vector registers."""
    rows, columns = matrix.shape
    lanes = VECTOR_BYTES // matrix.itemsize
    padded = np.zeros((rows, -(-columns // lanes) * lanes), matrix.dtype)
    padded[:, :columns] = matrix
    return padded


def _require_finite_result(moved: FloatArray, tokens: FloatArray) -> None:
    """Raise a NonFiniteError if tokens are not finite or what came out of them is not.

    A token is a term of its own result, so that NaN and infinity cannot get lost on the way: tokens
    need a look only if the result is not finite.
    """
    if not np.isfinite(moved).all():
        require_finite("tokens", tokens)
        raise NonFiniteError("result", expected=f"numbers in the range of {moved.dtype}", got="overflow")


# In the functions below, W_KQ, W_PV_T and the scratch arrays e, y, G, GW and M_T are padded. What is in
# the columns beyond D reaches only columns beyond D of a product, and these are never read.


@compiled(parallel=True)
def _lsa_by_task(
    tokens: FloatArray, n_context: int, W_KQ: FloatArray, W_PV_T: FloatArray, moved: FloatArray
) -> None:
    """Write the tokens after the layer to `moved`; both have shape (tasks, T, D).

    For the tokens e_1, ..., e_T of one task, as columns, and i = 1, ..., n_context:

        e_j ← e_j + P Σ_i (W_V e_i) (W_K e_i)ᵀ (W_Q e_j)        the layer
            = e_j + P Σ_i (W_V e_i) (e_iᵀ W_Kᵀ W_Q e_j)         as (W_K e_i)ᵀ = e_iᵀ W_Kᵀ
            = e_j + (P W_V) (Σ_i e_i e_iᵀ) (W_Kᵀ W_Q) e_j       as products are linear and associative
            = e_j + W_PV (G W_KQ) e_j                           with G = Σ_i e_i e_iᵀ
            = e_j + M e_j                                       with M = W_PV (G W_KQ)

    The last three lines of the code are G, M and e_j + M e_j.
    """
    n_tasks, width = len(tokens), W_KQ.shape[1]
    n_batches = min(n_tasks, BATCHES)
    for batch in prange(n_batches):
        e, y = np.zeros((TILE, width), tokens.dtype), np.zeros((TILE, width), tokens.dtype)
        G, GW, M_T = np.zeros_like(W_KQ), np.zeros_like(W_KQ), np.zeros_like(W_KQ)
        for task in range(batch * n_tasks // n_batches, (batch + 1) * n_tasks // n_batches):
            _gram(tokens[task, :n_context], e, G)
            _fold(G, W_KQ, W_PV_T, GW, M_T)
            _move(tokens[task], M_T, e, y, moved[task])


@compiled(parallel=True)
def _lsa_by_chunk(
    tokens: FloatArray, n_context: int, W_KQ: FloatArray, W_PV_T: FloatArray, moved: FloatArray
) -> None:
    """Do the same as `_lsa_by_task`, to the bit, with the threads inside of the tasks.

    G = Σ_i e_i e_iᵀ is a sum over chunks of sums within a chunk, and every e_j + M e_j is by itself.
    """
    n_tasks, T, _ = tokens.shape
    D, width = W_KQ.shape
    n_chunks = (n_context + CHUNK - 1) // CHUNK
    grams = np.zeros((n_tasks, n_chunks, D, width), tokens.dtype)
    for item in prange(n_tasks * n_chunks):
        task, chunk = item // n_chunks, item % n_chunks
        context = tokens[task, chunk * CHUNK : min((chunk + 1) * CHUNK, n_context)]
        _add_outer_products(context, np.zeros((TILE, width), tokens.dtype), grams[task, chunk])
    M_T = np.zeros((n_tasks, D, width), tokens.dtype)
    for task in prange(n_tasks):
        G = grams[task, 0]
        for chunk in range(1, n_chunks):
            G += grams[task, chunk]
        _fold(G, W_KQ, W_PV_T, np.zeros_like(W_KQ), M_T[task])
    n_blocks = (T + CHUNK - 1) // CHUNK
    for item in prange(n_tasks * n_blocks):
        task, start = item // n_blocks, item % n_blocks * CHUNK
        queries = slice(start, start + CHUNK)
        e, y = np.zeros((TILE, width), tokens.dtype), np.zeros((TILE, width), tokens.dtype)
        _move(tokens[task, queries], M_T[task], e, y, moved[task, queries])


@compiled()
def _gram(context: FloatArray, e: FloatArray, G: FloatArray) -> None:
    """Write Σ_i e_i e_iᵀ over the rows of `context` to G: chunk by chunk, in order."""
    G[:] = 0
    _add_outer_products(context[:CHUNK], e, G)
    for start in range(CHUNK, len(context), CHUNK):
        of_chunk = np.zeros_like(G)
        _add_outer_products(context[start : start + CHUNK], e, of_chunk)
        G += of_chunk


@compiled()
def _add_outer_products(context: FloatArray, e: FloatArray, G: FloatArray) -> None:
    """Add Σ_i e_i e_iᵀ = CᵀC to G, where the e_iᵀ are the rows of C, here `context`."""
    for start in range(0, len(context), TILE):
        rows = _load(context[start : start + TILE], e)
        _add_product(rows, rows, G)


@compiled()
def _fold(G: FloatArray, W_KQ: FloatArray, W_PV_T: FloatArray, GW: FloatArray, M_T: FloatArray) -> None:
    """Write Mᵀ = (W_PV (G W_KQ))ᵀ = (G W_KQ)ᵀ W_PVᵀ to M_T, by G W_KQ = Gᵀ W_KQ, as G is symmetric.

    Rounding may leave G not quite symmetric, but the bound on its error is: Gᵀ is as near as G.
    """
    GW[:] = 0
    _add_product(G, W_KQ, GW)
    M_T[:] = 0
    _add_product(GW, W_PV_T, M_T)


@compiled()
def _move(tokens: FloatArray, M_T: FloatArray, e: FloatArray, y: FloatArray, moved: FloatArray) -> None:
    """Write e_j + M e_j to `moved`; as rows, e_jᵀ + e_jᵀ Mᵀ.

    The sum is rounded by itself after M e_j, as the error bound asks: this function is compiled without
    ``contract``, and LLVM fuses only operations that both allow it, also after inlining.
    """
    for start in range(0, len(tokens), TILE):
        rows = _load(tokens[start : start + TILE], e)
        product = y[: len(rows)]
        product[:] = 0
        _add_product(rows.T, M_T, product)
        for j in range(len(rows)):
            for d in range(tokens.shape[1]):
                moved[start + j, d] = tokens[start + j, d] + product[j, d]


@compiled()
def _load(tokens: FloatArray, e: FloatArray) -> FloatArray:
    """Copy tokens to the first rows of e, and return these."""
    for i in range(tokens.shape[0]):
        for d in range(tokens.shape[1]):
            e[i, d] = tokens[i, d]
    return e[: len(tokens)]


# Multiply-adds may be fused here, and only here: a sum of products is all that this function computes.
@compiled(fastmath=("contract",))
def _add_product(left: FloatArray, right: FloatArray, total: FloatArray) -> None:
    """Add leftᵀ right = Σ_k (row k of left)ᵀ (row k of right) to `total`, k over the rows of right.

    Rows are taken eight at a time, then four, so that `total` is read and written less often. The
    innermost loops run over independent sums: they become vector code with no sum reordered.
    """
    n, columns = right.shape
    rows = len(total)
    eights, fours = n - n % 8, n - n % 4
    for k in range(0, eights, 8):
        for i in range(rows):
            a0, a1, a2, a3 = left[k, i], left[k + 1, i], left[k + 2, i], left[k + 3, i]
            a4, a5, a6, a7 = left[k + 4, i], left[k + 5, i], left[k + 6, i], left[k + 7, i]
            for j in range(columns):
                total[i, j] += (
                    a0 * right[k, j]
                    + a1 * right[k + 1, j]
                    + a2 * right[k + 2, j]
                    + a3 * right[k + 3, j]
                    + a4 * right[k + 4, j]
                    + a5 * right[k + 5, j]
                    + a6 * right[k + 6, j]
                    + a7 * right[k + 7, j]
                )
    for k in range(eights, fours, 4):
        for i in range(rows):
            a0, a1, a2, a3 = left[k, i], left[k + 1, i], left[k + 2, i], left[k + 3, i]
            for j in range(columns):
                total[i, j] += (
                    a0 * right[k, j] + a1 * right[k + 1, j] + a2 * right[k + 2, j] + a3 * right[k + 3, j]
                )
    for k in range(fours, n):
        for i in range(rows):
            a0 = left[k, i]
            for j in range(columns):
                total[i, j] += a0 * right[k, j]
