"""Exact means of products of traces of powers of the real Wishart matrix W = X Xᵀ, X standard normal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from gdtheory.wishart.one_row import one_row
from gdtheory.wishart.sizes import Number, exponents, polynomials, require_feasible, size

Table = dict[tuple[int, ...], Number]
"""From sorted exponents, all at least 1, to the mean of the product of their traces."""


def trace_moment(parts: Iterable[int], n: Number, d: Number) -> Number:
    r"""Return :math:`E \prod_j \operatorname{tr} W^{b_j}`, W = X Xᵀ, X of shape (d, n) standard normal.

    Gaussian integration by parts in one factor X of :math:`\operatorname{tr} W^m` gives

    .. math::
        E\Bigl[\operatorname{tr} W^m \prod_j \operatorname{tr} W^{b_j}\Bigr]
        = (n + m - 1)\, E\Bigl[\operatorname{tr} W^{m-1} \prod_j \operatorname{tr} W^{b_j}\Bigr]
        + \sum_{q=1}^{m-1} E\Bigl[\operatorname{tr} W^q \operatorname{tr} W^{m-1-q}
          \prod_j \operatorname{tr} W^{b_j}\Bigr]
        + 2 \sum_j b_j\, E\Bigl[\operatorname{tr} W^{m+b_j-1} \prod_{i \ne j} \operatorname{tr} W^{b_i}\Bigr],

    with tr W⁰ = d. It lowers the degree, and ends at single traces, which `trace_moments` knows.

    Parameters
    ----------
    parts : iterable of int
        The exponents b_j, at least 0, in any order; none of them gives 1. The number of moments on the way
        grows like the number of partitions of all exponents but the largest: they may add up to about 60,
        and the largest may be in the hundreds. Where n or d is symbolic, all add up to at most 40, and a
        single exponent is at most 80.
    n, d : int, Fraction, or exact element or expression of SymPy
        Degrees of freedom and dimension. Integers are at least 1. Fractions and symbols may be any numbers:
        the mean is a polynomial in n and d, and that is evaluated.

    Returns
    -------
    int, Fraction, element or expression
        An int if n and d are integers, a fraction if one is a fraction, otherwise an element of the ring
        or field of n and d, or an expanded expression.

    Raises
    ------
    ArgumentError
        If the mean would take more than about 10 s or 1 GB.
    DTypeError, NonFiniteError, ShapeError
        If an exponent is no whole number from 0 on, or n or d is a float, infinite or an integer below 1.

    Examples
    --------
    >>> trace_moment((2, 1), 20, 10)
    1264800
    >>> from sympy import symbols
    >>> trace_moment([2], *symbols("n d"))
    d**2*n + d*n**2 + d*n
    """
    n, d, powers = size("n", n), size("d", d), exponents("parts", parts)
    return joint_moments("parts", [powers], n, d)[0]


def joint_moments(name: str, products: Sequence[tuple[int, ...]], n: Number, d: Number) -> tuple[Number, ...]:
    """Return the means of several products of traces, each given by sorted exponents; n and d are checked."""
    for powers in products:
        require_feasible(name, powers, n, d, single=len(products) == len(powers) == 1)
    return _joint_moments(tuple(products), n, d)


@lru_cache(maxsize=256, typed=True)  # SymPy takes longer to put an expression together than all the rest
def _joint_moments(products: tuple[tuple[int, ...], ...], n: Number, d: Number) -> tuple[Number, ...]:
    degree = max(map(sum, products), default=0) or 1
    return polynomials(lambda n, d: by_parts(products, n, d, 2, one_row), degree, n, d)


def by_parts(
    products: Sequence[tuple[int, ...]],
    n: Number,
    d: Number,
    alpha: int,
    one_row: Callable[[int, Number, Number], list[Number]],
) -> list[Number]:
    """Return the means of products; alpha is 2 for real and 1 for complex W, n and d are plain numbers."""
    table = _table(n, d, alpha)
    row = one_row(max(map(sum, products), default=0), n, d)
    table.update(((k,), moment) for k, moment in enumerate(row) if k)
    return [d ** parts.count(0) * _moment(parts[parts.count(0) :], n, d, alpha, table) for parts in products]


@lru_cache(maxsize=4, typed=True)
def _table(n: Number, d: Number, alpha: int) -> Table:
    """Return the one table of the moments that were needed so far for these numbers."""
    return {(): 1}


def _moment(parts: tuple[int, ...], n: Number, d: Number, alpha: int, table: Table) -> Number:
    if parts in table:
        return table[parts]
    ones = parts.count(1)
    m, others = parts[0], parts[1:]
    if ones:  # E[tr W F] = (n d + alpha q) E[F] for F of degree q
        q = sum(parts) - ones
        total = math.prod(n * d + alpha * (q + i) for i in range(ones))
        total *= _moment(parts[ones:], n, d, alpha, table)
    else:
        # The last term of the sum, q = m - 1, holds tr W^0 = d.
        total = (n + d + (alpha - 1) * (m - 1)) * _moment(_sorted(m - 1, *others), n, d, alpha, table)
        for q in range(1, m - 1):
            total += _moment(_sorted(q, m - 1 - q, *others), n, d, alpha, table)
        for j, b in enumerate(others):
            joined = _sorted(m + b - 1, *others[:j], *others[j + 1 :])
            total += alpha * b * _moment(joined, n, d, alpha, table)
    table[parts] = total
    return total


def _sorted(*parts: int) -> tuple[int, ...]:
    return tuple(sorted(parts))
