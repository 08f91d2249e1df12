r"""Moments of a Wishart matrix with any covariance, as polynomials in the covariance.

W = X Xᵀ, where X has shape (d, n) and independent columns N(0, Σ). Write :math:`p_\mu(A)` for the product of
the traces :math:`\operatorname{tr} A^{\mu_j}` over the parts of μ. Gaussian integration by parts,
:math:`E[x_{ia} F] = \sum_k \Sigma_{ik} E[\partial F / \partial x_{ka}]`, in the first factor x of
:math:`W^r = X (X^T W^{r-1})` takes one Σ out and one degree off: for r > 0

.. math::
    E[W^r p_\mu(W)] = \Sigma\, \Bigl\{ (n + r - 1)\, E[W^{r-1} p_\mu(W)]
    + \sum_{q=1}^{r-1} E[W^{r-1-q} \operatorname{tr} W^q\, p_\mu(W)]
    + 2 \sum_j \mu_j\, E[W^{r-1+\mu_j} p_{\mu \setminus \mu_j}(W)] \Bigr\}.

For r = 0 one part m is the trace of the case r = m. So every such mean is a sum of
:math:`c\, \Sigma^i p_\mu(\Sigma)` in which c is a polynomial in n with coefficients that are natural numbers
and depend on nothing else. Letac and Massam (2004) find the same means by another way.

Σ is an array of float32 or float64, or an object array of fractions, integers or elements of one field of
SymPy; floats are worked on in float64 and rounded to their dtype at the end. n is a whole number from 1 on;
a fraction above d - 1, the law of which has the density of the others; or an exact element or expression
of SymPy, which may stand beside fractions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from gdtheory.arguments import require_finite
from gdtheory.errors import DTypeError, ShapeError, shown
from gdtheory.matrices import matrices
from gdtheory.namespace import Array, Scalar, as_objects, namespace
from gdtheory.wishart.laws import Partition, checked_powers, covariance, degrees_of_freedom
from gdtheory.wishart.sizes import Number, home_of, is_plain, size

Key = tuple[int, Partition]
r"""(i, μ) for :math:`A^i p_\mu(A)`."""

MAX_DEGREE = 16
"""The largest r + sum(parts): half a second the first time, and twice as long with each further one."""

MAX_EXPRESSION_DEGREE = 12
"""The same for expressions of SymPy, which take some seconds there."""

# A polynomial in n is held as its value at n = 2^64. All coefficients of one moment of degree k together are
# its value at n = d = Σ = 1, the moment (2k - 1)!! of a normal number, below 2^64 up to k = 17.
_BITS = 64


def moment_table(r: int, parts: Iterable[int]) -> dict[Key, tuple[int, ...]]:
    r"""Return the coefficients of :math:`E[W^r p_{parts}(W)]`, which are free of n, d and Σ.

    Parameters
    ----------
    r : int
        Power of W, at least 0.
    parts : iterable of int
        At least 0 each, in any order; r + sum(parts) is at most 16.

    Returns
    -------
    dict
        From (i, μ), with i + sum(μ) = r + sum(parts), to the coefficients of :math:`n^0, n^1, \dots`
        before :math:`\Sigma^i p_\mu(\Sigma)`. A part 0 stands for the trace d of the identity.

    Raises
    ------
    DTypeError, ShapeError
        If `r` or a part is no whole number from 0 on.
    ArgumentError
        If the degree is too large.

    Examples
    --------
    >>> moment_table(2, ())  # n (n + 1) Σ² + n tr(Σ) Σ
    {(2, ()): (0, 1, 1), (1, (1,)): (0, 1)}
    """
    r, parts = checked_powers(r, parts, MAX_DEGREE)
    packed = _table(r, tuple(part for part in parts if part))
    return {(i, with_zeros(mu, parts)): _unpacked(c) for (i, mu), c in packed.items()}


@cache
def _table(r: int, parts: Partition) -> Mapping[Key, int]:
    if r == 0:
        return traced(_table(parts[0], parts[1:])) if parts else {(0, ()): 1}
    inner: Counter[Key] = Counter()

    def add(factor: int, power: int, mu: Partition) -> None:
        for key, c in _table(power, mu).items():
            inner[key] += factor * c

    add((1 << _BITS) + r - 1, r - 1, parts)
    for q in range(1, r):
        add(1, r - 1 - q, merged(q, *parts))
    for j, b in enumerate(parts):
        add(2 * b, r - 1 + b, parts[:j] + parts[j + 1 :])
    return {(i + 1, mu): c for (i, mu), c in inner.items()}


def _unpacked(packed: int) -> tuple[int, ...]:
    return tuple(packed >> at & (1 << _BITS) - 1 for at in range(0, packed.bit_length(), _BITS))


def traced(table: Mapping[Key, Number]) -> dict[Key, Number]:
    """Return the table of the trace of a matrix, from the matrix's own."""
    traces: dict[Key, Number] = {}
    for (i, mu), c in table.items():
        key = (0, merged(i, *mu))
        traces[key] = traces.get(key, 0) + c
    return traces


def merged(*parts: int) -> Partition:
    """Return the partition with these parts."""
    return tuple(sorted(parts))


def with_zeros(mu: Partition, parts: Partition) -> Partition:
    """Return μ with as many parts 0 as `parts` has: the trace d of the identity is no random number."""
    return (0,) * parts.count(0) + mu


# ----------------------------------------------------------------------------------------- means


def matrix_moment(r: int, parts: Iterable[int], Sigma: Array, n: Number) -> Array:
    r"""Return :math:`E\bigl[W^r \prod_j \operatorname{tr} W^{b_j}\bigr]` for the parts :math:`b_j`.

    Parameters
    ----------
    r, parts
        As for `moment_table`; with r = 0 the moment is a multiple of the identity.
    Sigma : (d, d) array
        Covariance of the columns: symmetric, and positive semidefinite, which is not checked for entries
        that have no sign.
    n : int, Fraction or symbolic
        Number of columns.

    Returns
    -------
    (d, d) array
        Of the dtype of `Sigma`; of expanded expressions where n is one.

    Raises
    ------
    DTypeError, ShapeError, ArgumentError
        If an argument is not as described.
    NonFiniteError
        If `Sigma` holds NaN or infinity, or the result left the range of its dtype.

    Examples
    --------
    >>> matrix_moment(2, (), np.diag([1.0, 2.0]), 5)
    array([[ 45.,   0.],
           [  0., 150.]])
    """
    r, parts = checked_powers(r, parts, MAX_DEGREE)
    Sigma = covariance(Sigma)
    n = degrees_of_freedom(n, Sigma)
    coefficients = {key: _at(c, n) for key, c in moment_table(r, parts).items()}
    return _expanded(combination(coefficients, Sigma, Sigma.dtype), n)


def covariance_trace_moment(parts: Iterable[int], Sigma: Array, n: Number) -> Scalar:
    r"""Return :math:`E \prod_j \operatorname{tr} W^{b_j}` for the parts :math:`b_j`.

    Parameters and errors are those of `matrix_moment`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> covariance_trace_moment((1, 1), np.diag([Fraction(1), Fraction(2)]), 5)  # (n tr Σ)² + 2n tr Σ²
    Fraction(275, 1)
    """
    return matrix_moment(0, parts, Sigma, n)[0, 0]


def sandwich_mean(A: Array, Sigma: Array, n: Number) -> Array:
    r"""Return the mean of W A W.

    .. math:: E[W A W] = n^2 \Sigma A \Sigma + n \Sigma A^T \Sigma + n \operatorname{tr}(A \Sigma) \Sigma.

    Parameters
    ----------
    A : (d, d) array
        Any square matrix, symmetric or not, of the kind of number that `Sigma` holds.
    Sigma, n
        As for `matrix_moment`.

    Raises
    ------
    DTypeError, ShapeError, ArgumentError, NonFiniteError
        As `matrix_moment`.

    Examples
    --------
    >>> sandwich_mean(np.array([[0.0, 1.0], [0.0, 0.0]]), np.eye(2), 5)
    array([[ 0., 25.],
           [ 5.,  0.]])
    """
    Sigma = covariance(Sigma)
    A, Sigma = matrices(A=(A, "d", "d"), Sigma=(Sigma, "d", "d"))
    n = degrees_of_freedom(n, Sigma)
    (A, a), (S, s) = scaled(_widened(A)), scaled(_widened(Sigma))
    scale = Fraction(2) ** (a + 2 * s) if S.dtype != object else 1
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        first, N = (_working(c * scale, S) for c in (n**2, n))
        mean = (S @ A @ S) * first + (S @ A.T @ S) * N + S * ((A @ S).trace() * N)
        return _expanded(mean, n) if S.dtype == object else _rounded(mean, Sigma.dtype)


def matrix_moment_expression(r: int, parts: Iterable[int], Sigma: Any, n: Number) -> Any:
    r"""Return :math:`E\bigl[W^r \prod_j \operatorname{tr} W^{b_j}\bigr]` as a matrix expression of SymPy.

    Parameters
    ----------
    r, parts
        As for `moment_table`, but that r + sum(parts) is at most 12.
    Sigma : MatrixExpr
        The covariance, such as a MatrixSymbol; the formula holds for symmetric ones.
    n : int, Fraction or symbolic
        Number of columns.

    Raises
    ------
    DTypeError, ShapeError, ArgumentError
        If an argument is not as described.

    Examples
    --------
    >>> from sympy import MatrixSymbol, Symbol
    >>> matrix_moment_expression(2, (), MatrixSymbol("Sigma", 3, 3), Symbol("n"))
    (n*(n + 1))*Sigma**2 + (n*Trace(Sigma))*Sigma
    """
    import sympy

    r, parts = checked_powers(r, parts, MAX_EXPRESSION_DEGREE)
    if not isinstance(Sigma, sympy.MatrixExpr):
        raise DTypeError("Sigma", expected="a matrix expression of SymPy", got=shown(Sigma))
    if Sigma.shape[0] != Sigma.shape[1]:
        raise ShapeError("Sigma", expected="shape (d, d)", got=f"shape {Sigma.shape}")
    n = size("n", n)
    n = n.as_expr() if home_of(n) is not None else sympy.sympify(n)
    terms = []
    for (i, mu), c in moment_table(r, parts).items():
        traces = sympy.Mul(*(sympy.Trace(Sigma**j).doit() for j in mu))
        terms.append(sympy.MatMul(sympy.factor(_at(c, n)) * traces, (Sigma**i).doit()))
    return sympy.MatAdd(*terms).doit()


def _at(coefficients: tuple[int, ...], n: Number) -> Number:
    total: Number = 0
    for c in reversed(coefficients):
        total = total * n + c
    return total


# ------------------------------------------------------------ polynomials in a matrix


def scaled(A: Array) -> tuple[Array, int]:
    """Return A / 2^e and e, such that the largest entry of floats is near 1 and their powers are in range."""
    if A.dtype == object:
        return A, 0
    exponent = int(np.frexp(np.abs(A).max())[1])
    return np.ldexp(A, -exponent), exponent


def combination(
    coefficients: Mapping[Key, Number], A: Array, dtype: np.dtype[Any], exponent: int = 0
) -> Array:
    r"""Return the sum of :math:`c B^i p_\mu(B)`, of one degree, for B = 2^exponent A, in `dtype`."""
    A, more = scaled(_widened(A))
    degrees = {i + sum(mu) for i, mu in coefficients}
    scale = Fraction(2) ** ((exponent + more) * max(degrees)) if A.dtype != object else 1
    powers = [namespace(A).eye(len(A))]
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for _ in range(max(max((i, *mu)) for i, mu in coefficients)):
            powers.append(powers[-1] @ A)
        traces = [power.trace() for power in powers]
        weights: dict[int, Scalar] = {}
        for (i, mu), c in coefficients.items():
            weights[i] = weights.get(i, 0) + _working(c * scale, A) * math.prod(traces[j] for j in mu)
        total = sum(powers[i] * weight for i, weight in weights.items())
        # Symmetric to the last bit, so that it is a covariance again.
        return total if A.dtype == object else _rounded(total / 2 + total.T / 2, dtype)


def _widened(A: Array) -> Array:
    return A if A.dtype == object else A.astype(np.float64)


def _working(c: Number, A: Array) -> Scalar:
    """Return c, which is not negative beside floats, as a number that goes with A."""
    if A.dtype == object:
        return c
    try:
        return np.float64(float(c))
    except OverflowError:
        return np.float64(np.inf)


def _rounded(total: Array, dtype: np.dtype[Any]) -> Array:
    total = total.astype(dtype)
    require_finite("result", total)
    return total


def _expanded(total: Array, n: Number) -> Array:
    if is_plain(n) or home_of(n) is not None:
        return total
    import sympy

    return as_objects([sympy.expand(entry) for entry in total.flat], total.shape)
