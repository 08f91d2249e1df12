r"""Exact means of products of powers of S = W / n with fixed matrices between them, W = X Xᵀ real Wishart.

The law of W does not change under W → O W Oᵀ for an orthogonal O, so a mean like
:math:`E S^i_{ab} S^j_{cd}` is a combination of products of Kronecker deltas, one for each pairing of the
indices. Its coefficients follow from means of products of traces by the inverse of the Gram matrix of the
pairings (Collins and Śniady 2006), which is here called the Weingarten matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import prod

import numpy as np

from gdtheory.arguments import plain_count
from gdtheory.errors import ArgumentError, ShapeError
from gdtheory.matrices import in_range, matrices, number_like
from gdtheory.namespace import Array, namespace
from gdtheory.wishart.sizes import Number, divided, in_field, size
from gdtheory.wishart.traces import joint_moments


def weingarten(d: Number, order: int) -> dict[tuple[int, ...], Number]:
    r"""Return the entries of the inverse of the Gram matrix of pairings of 2, 4 or 6 indices.

    The entry of two pairings p and q in the Gram matrix is :math:`d^{\ell}` for the number ℓ of loops of
    their union, and that of its inverse depends on the lengths of the loops only: halved and sorted they are
    a partition of the order. With

    .. math::
        (1): \frac1d; \qquad (1, 1): \frac{d + 1}{d (d - 1)(d + 2)}, \quad
        (2): \frac{-1}{d (d - 1)(d + 2)}; \\
        (1, 1, 1): \frac{d^2 + 3d - 2}{D}, \quad (2, 1): \frac{-(d + 2)}{D}, \quad (3): \frac2D, \qquad
        D = d (d - 1)(d - 2)(d + 2)(d + 4).

    Parameters
    ----------
    d : int, Fraction, or exact element or expression of SymPy
        Dimension; no root of the denominators.
    order : int
        Half the number of indices: 1, 2 or 3.

    Returns
    -------
    dict
        From the partition to the entry: a fraction, a field element or an expression.

    Raises
    ------
    ArgumentError
        If the Gram matrix is singular: for d = 1 with order 2 or 3, and d = 2 with order 3.
    DTypeError, NonFiniteError, ShapeError
        If the order is another one, or d is a float, infinite or an integer below 1.

    Examples
    --------
    >>> weingarten(3, 2)
    {(1, 1): Fraction(2, 15), (2,): Fraction(-1, 30)}
    """
    order = plain_count("order", order, 1, 3)
    _, d, one, back = in_field(1, size("d", d))
    return {loops: back(entry) for loops, entry in weingarten_entries(d, order, one).items()}


def weingarten_entries(d: Number, order: int, one: Number) -> dict[tuple[int, ...], Number]:
    """Return what `weingarten` does, for a checked d of the field of `one`."""
    numerators: dict[tuple[int, ...], Number]
    if order == 1:
        numerators, factors = {(1,): 1}, [d]
    elif order == 2:
        numerators, factors = {(1, 1): d + 1, (2,): -1}, [d, d - 1, d + 2]
    else:
        numerators = {(1, 1, 1): d**2 + 3 * d - 2, (2, 1): -(d + 2), (3,): 2}
        factors = [d, d - 1, d - 2, d + 2, d + 4]
    if 0 in factors:
        raise ArgumentError("d", expected=f"a regular Gram matrix of {2 * order} indices", got=d)
    return {loops: one * numerator / prod(factors) for loops, numerator in numerators.items()}


# --------------------------------------------------------------------------- one and two powers of S


def power_moment(k: int, n: Number, d: Number) -> Number:
    r"""Return m_k with :math:`E S^k = m_k I`, that is :math:`E \operatorname{tr} W^k / (n^k d)`.

    Parameters
    ----------
    k : int
        At least 0; at most 80 where n or d is symbolic.
    n, d : int, Fraction, or exact element or expression of SymPy
        Degrees of freedom and dimension, not 0. Integers are at least 1.

    Returns
    -------
    Fraction, element or expression
        A fraction where n and d are integers or fractions.

    Raises
    ------
    ArgumentError
        If n or d is 0, or the mean would take more than about 10 s or 1 GB.
    DTypeError, NonFiniteError, ShapeError
        If k is no whole number from 0 on, or n or d is a float, infinite or an integer below 1.

    Examples
    --------
    >>> power_moment(2, 20, 10)
    Fraction(31, 20)
    """
    n, d, one, back = in_field(size("n", n), size("d", d))
    (mean,) = means("k", [{(plain_count("k", k, 0),): Fraction(1)}], n, d, one)
    if d == 0:
        raise ArgumentError("d", expected="a number other than 0", got=0)
    return back(mean / d)


def means(
    name: str, combinations: Sequence[Mapping[tuple[int, ...], Fraction]], n: Number, d: Number, one: Number
) -> list[Number]:
    """Return the means of linear combinations of products of traces of powers of S."""
    if n == 0:
        raise ArgumentError("n", expected="a number other than 0", got=0)
    products = sorted(set().union(*combinations))
    moments = dict(zip(products, joint_moments(name, products, n, d), strict=True))
    top = max(map(sum, products), default=0)
    found = []
    for combination in combinations:
        by_degree = [0 * one] * (top + 1)
        for b, c in combination.items():
            by_degree[sum(b)] += c * moments[b]
        found.append(reduce(lambda total, mean: total * n + mean, by_degree) / n**top)
    return found


def sandwich_coefficients(i: int, j: int, n: Number, d: Number) -> tuple[Number, Number]:
    r"""Return α and β with :math:`E[S^i D S^j] = \alpha D + \beta (D^T + \operatorname{tr}(D)\, I)`.

    With :math:`A = E \operatorname{tr} S^i \operatorname{tr} S^j` and
    :math:`B = E \operatorname{tr} S^{i+j}`,

    .. math::
        \alpha = \frac{(d + 1) A - 2B}{d (d - 1)(d + 2)}, \qquad
        \beta = \frac{d B - A}{d (d - 1)(d + 2)},

    and α = B, β = 0 for d = 1, where the three matrices are one.

    Parameters and errors are those of `power_moment`, but that d is no root of the denominator. The smaller
    of i and j is at most about 60, and both add up to at most 40 where n or d is symbolic.

    Examples
    --------
    >>> sandwich_coefficients(1, 1, 20, 10)
    (Fraction(1, 1), Fraction(1, 20))
    """
    n, d, one, back = in_field(size("n", n), size("d", d))
    i, j = plain_count("i", i, 0), plain_count("j", j, 0)
    pair = (min(i, j), max(i, j))
    A, B = means("i", [{pair: Fraction(1)}, {(i + j,): Fraction(1)}], n, d, one)
    if d == 1:
        return back(B), back(0 * one)
    weingarten_entries(d, 2, one)  # refuses the roots of the denominator
    alpha, beta = (divided(x, d * (d - 1) * (d + 2)) for x in ((d + 1) * A - 2 * B, d * B - A))
    return back(alpha), back(beta)


def sandwich_moment(i: int, j: int, D: Array, n: Number) -> Array:
    r"""Return :math:`E[S^i D S^j]` for a fixed matrix D, by `sandwich_coefficients`.

    Parameters
    ----------
    i, j : int
        Exponents, at least 0.
    D : array, shape (d, d)
        Floats or exact numbers, or a matrix of another library.
    n : int, Fraction or element of a SymPy field
        Degrees of freedom.

    Returns
    -------
    array, shape (d, d)
        Of the kind of number of D. The coefficients are exact, and rounded once where D holds floats.

    Raises
    ------
    ArgumentError, DTypeError, NonFiniteError, ShapeError
        As for `sandwich_coefficients`, and if D is no square matrix of finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> sandwich_moment(1, 1, np.array([[0.0, 1.0], [0.0, 2.0]]), 20)
    array([[0.1 , 1.  ],
           [0.05, 2.2 ]])
    """
    (D,) = matrices(D=(D, "d", "d"))
    d, xp = D.shape[0], namespace(D)
    if d == 0:
        raise ShapeError("D", expected="at least one row", got="shape (0, 0)")
    alpha, beta = (number_like("n", value, D) for value in sandwich_coefficients(i, j, n, d))
    with np.errstate(over="ignore", invalid="ignore"):
        return in_range("D", D * alpha + (D.T + xp.eye(d) * xp.trace(D)) * beta)
