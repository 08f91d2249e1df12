r"""Random Wishart matrices and errors of gradient descent, exactly in law, at a cost that n does not enter.

X has shape (d, n) and independent standard normal entries, W = X Xᵀ and S = W / n.

**Bartlett.** Reflections from the right turn X into a lower trapezoid A, one row after another: the i-th maps
what is left of row i, n - i + 1 independent normal entries, to its length, and being chosen by row i alone it
leaves all rows below as they were in law. So W = A Aᵀ, where all entries of A are independent,
:math:`A_{ii} \sim \chi_{n-i+1}` and :math:`A_{ij} \sim N(0, 1)` below the diagonal.

**Golub and Kahan.** Reflections from the right and from the left, in turn, make X lower bidiagonal: after row
1 has become :math:`(a_1, 0, \ldots)`, the d - 1 entries below a_1, still independent of all else, are mapped
to their length b_1, and (d - 1, n - 1) independent normal entries are left to go on with. So X = U B Vᵀ with
orthogonal U and V, :math:`U e_1 = e_1`, and independent

.. math:: a_i = B_{ii} \sim \chi_{n-i+1}, \qquad b_i = B_{i+1,i} \sim \chi_{d-i}.

A step of gradient descent with learning rate eta on noiseless targets :math:`y = X^T w^*` multiplies the
error :math:`w - w^*` by I - eta S. As X is the same in law in every orthonormal basis, let the first basis
vector be :math:`w^* / \|w^*\|`. From w_0 = 0, and up to the sign, K steps leave :math:`\|w^*\|` times

.. math:: (I - \eta S)^K e_1 = U \Bigl(I - \frac{\eta}{n} B B^T\Bigr)^K e_1

where :math:`\|w^*\|`, of law χ_d, is independent of X. B Bᵀ is tridiagonal, so K steps see a_1, ..., a_K and
b_1, ..., b_K and no more of X; and fewer where X has fewer rows or columns: b_d is χ_0, which is zero, and
after b_n no column is left.

Sources: Muirhead (1982), Theorem 3.2.14, for d ≤ n; Silverstein (1985); Dumitriu and Edelman (2002).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gdtheory.arguments import FloatArray, boolean, exact_rate, float_array, plain_count, require_finite
from gdtheory.errors import ArgumentError, NonFiniteError, ShapeError

Floats = NDArray[np.float64]

LARGEST_SIZE = 2**53
"""The largest n and d: up to here every number of degrees of freedom is a float."""

MOST_STEPS = 10**6
"""The most steps of gradient descent. They cost up to MOST_STEPS² operations per sample."""

MOST_NUMBERS = 2**36
"""The most numbers in a result, 512 GiB; more are a slip."""

CHUNK_NUMBERS = 2**15
"""Samples are drawn in chunks of about this many numbers, each chunk with its own stream of random bits,
so that they do not depend on the number of threads."""


def sample_wishart(n: int, d: int, size: int, *, Sigma: ArrayLike | None = None, seed: int = 0) -> Floats:
    r"""Draw W = X Xᵀ, where X has n independent columns :math:`x_i \sim N(0, \Sigma)`.

    Parameters
    ----------
    n, d : int
        Degrees of freedom and dimension, from 1 to 2⁵³. W has rank min(n, d).
    size : int
        Number of samples.
    Sigma : array_like of float64, shape (d, d), optional
        Covariance of a column, symmetric to the last bit and positive definite; the identity by default.
    seed : int
        At least 0.

    Returns
    -------
    ndarray of float64, shape (size, d, d)
        Independent samples; not divided by n. One seed gives the same random numbers on every machine with
        the same version of NumPy; their products may differ in the last bits with its linear algebra.

    Raises
    ------
    ArgumentError
        If the result would have more than 2⁴⁰ numbers, or `Sigma` is not symmetric and positive definite.
    DTypeError
        If a count is no whole number, or `Sigma` is not float64.
    NonFiniteError
        If `Sigma` holds NaN or infinity, or a result is too large for float64.
    ShapeError
        If a count is out of range, or `Sigma` is not (d, d).

    Notes
    -----
    Bartlett's factor A has shape (d, min(n, d)), and W = L A (L A)ᵀ with Σ = L Lᵀ. A sample costs O(d²)
    random numbers and O(d³) operations, whatever n. Muirhead (1982), Theorem 3.2.14.

    Examples
    --------
    >>> W = sample_wishart(10**9, 2, 1000)
    >>> W.shape
    (1000, 2, 2)
    >>> (W / 10**9).mean(axis=0).round(4) + 0.0
    array([[1., 0.],
           [0., 1.]])
    """
    n, d = _sizes(n, d)
    size = _count(size, numbers=d * d)
    rng = np.random.default_rng(plain_count("seed", seed, 0))
    L = None if Sigma is None else _cholesky(Sigma, d)
    r = min(n, d)
    i = np.arange(r)
    A = np.zeros((size, d, r))
    A[:, i, i] = np.sqrt(2 * rng.standard_gamma((n - i) / 2, (size, r)))  # row i + 1 on paper
    below = np.tril_indices(d, -1, r)
    A[:, *below] = rng.standard_normal((size, len(below[0])))
    with np.errstate(all="ignore"):
        root = A if L is None else L @ A
        return _finite(root @ root.mT)


def sample_bidiagonal(n: int, d: int, rows: int, size: int, *, seed: int = 0) -> tuple[Floats, Floats]:
    r"""Draw the first rows of B in X = U B Vᵀ, U e_1 = e_1, where B is lower bidiagonal and not negative.

    Parameters
    ----------
    n, d : int
        Columns and rows of X, from 1 to 2⁵³.
    rows : int
        Number of rows of B, from 1 to d.
    size : int
        Number of samples.
    seed : int
        At least 0.

    Returns
    -------
    diagonal : ndarray of float64, shape (size, rows)
        Independent :math:`B_{ii} \sim \chi_{n-i+1}`, i = 1, ..., rows; zero for i > n, where B has no column.
    below : ndarray of float64, shape (size, rows - 1)
        Independent :math:`B_{i+1,i} \sim \chi_{d-i}`; zero for i > n. One seed gives the same numbers for
        any number of threads, and on every machine of one architecture with the same version of NumPy;
        the first samples do not depend on `size`.

    Raises
    ------
    ArgumentError
        If the result would have more than 2⁴⁰ numbers.
    DTypeError, ShapeError
        If a count is no whole number or out of range.

    Notes
    -----
    The module's text derives the law. Silverstein (1985); Dumitriu and Edelman (2002).

    Examples
    --------
    A matrix X of one column has B = (B_11, B_21, 0, ...)ᵀ.

    >>> diagonal, below = sample_bidiagonal(1, 4, 3, 5)
    >>> diagonal.shape, below.shape
    ((5, 3), (5, 2))
    >>> diagonal[:, 1:].any(), below[:, 1:].any()
    (np.False_, np.False_)
    """
    n, d = _sizes(n, d)
    rows = plain_count("rows", rows, 1, d)
    size = _count(size, numbers=2 * rows - 1)
    seed = plain_count("seed", seed, 0)
    diagonal, below = np.zeros((size, rows)), np.zeros((size, rows - 1))
    n_a, n_b = min(rows, n), min(rows - 1, n)
    dof = np.concatenate([n - np.arange(n_a), d - 1 - np.arange(n_b)])

    def fill(chi: Floats, samples: slice) -> None:
        diagonal[samples, :n_a], below[samples, :n_b] = chi[:, :n_a], chi[:, n_a:]

    _by_chunk(dof, size, seed, fill)
    return diagonal, below


def sample_gd_error(
    n: int, d: int, steps: int, eta: Any, size: int, *, seed: int = 0, trajectory: bool = False
) -> Floats:
    r"""Draw :math:`\tfrac12 \|w_{steps} - w^*\|^2` of gradient descent on random noiseless least squares.

    .. math::
        w_{t+1} = w_t + \frac{\eta}{n} X (y - X^T w_t), \quad w_0 = 0, \quad
        y = X^T w^*, \quad w^* \sim N(0, I_d), \quad X_{ij} \sim N(0, 1).

    Parameters
    ----------
    n, d : int
        Number of pairs (x_i, y_i) and dimension of x_i, from 1 to 2⁵³.
    steps : int
        From 0 to 10⁶.
    eta : int, float, Fraction or str
        Learning rate.
    size : int
        Number of samples, each with an X and a w* of its own.
    seed : int
        At least 0.
    trajectory : bool
        Whether to return the errors after 0, 1, ..., `steps` steps and not only after the last.

    Returns
    -------
    ndarray of float64, shape (size,) or (size, steps + 1)
        Independent samples. One seed gives the same numbers for any number of threads, and on every machine
        of one architecture with the same versions of NumPy and Numba. The first samples do not depend on
        `size`; and X and w* do not depend on `eta`.

    Raises
    ------
    ArgumentError
        If the result would have more than 2⁴⁰ numbers, or `eta` has an exponent beyond 10 000.
    DTypeError
        If a count is no whole number, `eta` no number or `trajectory` no bool.
    NonFiniteError
        If `eta` is not finite, or eta / n or a result too large for float64, as when gradient descent
        diverges.
    ShapeError
        If a count is out of range.

    Notes
    -----
    The law is exact: the module's text derives it from the bidiagonal form of X. A sample costs
    2r + 1 random numbers, r = min(steps, n, d), and O(r · steps) operations, whatever n and d.
    Rounding perturbs the matrix I - eta S of each step by a few 2⁻⁵³ (1 + |eta| ‖S‖).

    The mean of many samples need not be near the expectation, which can be made by divergence so rare that
    none of them shows it: for n = 20, d = 10, eta = 20/31 = n / (n + d + 1) and 20 steps the median is
    0.008 and the expectation 1.2 · 10¹⁰.

    Examples
    --------
    The first step leaves, in the mean, (1 - 2 eta + eta² (n + d + 1) / n) of the error d/2.

    >>> errors = sample_gd_error(2 * 10**8, 10**8, 20, "2/3", 1000, trajectory=True)
    >>> errors.shape
    (1000, 21)
    >>> (errors[:, :2].mean(axis=0) / (10**8 / 2)).round(3)
    array([1.   , 0.333])
    """
    n, d = _sizes(n, d)
    steps = plain_count("steps", steps, 0, MOST_STEPS)
    rate = _rate(eta, n)
    first = 0 if boolean("trajectory", trajectory) else steps
    size = _count(size, numbers=steps + 1 - first)
    seed = plain_count("seed", seed, 0)
    errors = np.empty((size, steps + 1 - first))
    i = np.arange(min(steps, n, d))
    from gdtheory.kernels.wishart import gd_errors

    def fill(chi: Floats, samples: slice) -> None:
        gd_errors(chi, rate, first, errors[samples])

    _by_chunk(np.concatenate([[d], n - i, d - 1 - i]), size, seed, fill)
    return _finite(errors if trajectory else errors[:, 0])


def _by_chunk(dof: NDArray[np.int64], size: int, seed: int, fill: Callable[[Floats, slice], None]) -> None:
    """Draw `size` rows of independent chi variables, and have `fill` take them, chunk by chunk.

    Chunks run on all processors: NumPy draws without holding the interpreter's lock.
    """
    per_chunk = max(1, CHUNK_NUMBERS // len(dof))

    def run(start: int) -> None:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(start // per_chunk,)))
        samples = slice(start, min(start + per_chunk, size))
        chi = rng.standard_gamma(dof / 2, (samples.stop - start, len(dof)))
        chi *= 2
        fill(np.sqrt(chi, out=chi), samples)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, range(0, size, per_chunk)))  # the list is what raises an error of a chunk


def _sizes(n: Any, d: Any) -> tuple[int, int]:
    return plain_count("n", n, 1, LARGEST_SIZE), plain_count("d", d, 1, LARGEST_SIZE)


def _count(size: Any, *, numbers: int) -> int:
    """Return the number of samples, where each has as many `numbers`; there must be room for one."""
    count = plain_count("size", size, 0)
    if max(count, 1) * numbers > MOST_NUMBERS:
        expected = f"at most 2**36 numbers in all, at {numbers} for each sample"
        raise ArgumentError("size", expected=expected, got=count)
    return count


def _rate(eta: Any, n: int) -> float:
    try:
        return float(exact_rate("eta", eta) / n)
    except OverflowError:
        raise NonFiniteError("eta", expected="a number in the range of float64", got="a larger one") from None


def _cholesky(Sigma: ArrayLike, d: int) -> FloatArray:
    """Return the lower triangular L with Sigma = L Lᵀ."""
    matrix = float_array("Sigma", Sigma, dtype=np.dtype(np.float64))
    if matrix.shape != (d, d):
        raise ShapeError("Sigma", expected=f"shape {(d, d)}", got=f"shape {matrix.shape}")
    require_finite("Sigma", matrix)
    if (matrix != matrix.T).any():
        got = "one that is not; take (Sigma + Sigma.T) / 2"
        raise ArgumentError("Sigma", expected="a symmetric matrix", got=got)
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise ArgumentError("Sigma", expected="a positive definite matrix", got="one that is not") from None


def _finite(result: Floats) -> Floats:
    if not np.isfinite(result).all():
        raise NonFiniteError("result", expected="numbers in the range of float64", got="overflow")
    return result
