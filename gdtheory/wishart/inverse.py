r"""Moments of the inverse V of a Wishart matrix W, exactly, and the risk of least squares.

W = X Xᵀ, where X has shape (d, n) and independent columns N(0, Σ); write :math:`p_\mu(V)` for the product
of the traces :math:`\operatorname{tr} V^{\mu_j}`. The mean of :math:`V^r p_\mu(V)`, of degree
k = r + sum(μ), is finite if and only if n - d + 1 > 2k. For :math:`1 / a^T V a` is a multiple of a
chi-square number with n - d + 1 degrees of freedom, whose power -k has a finite mean only then; and the
trace of :math:`V^r p_\mu(V)` lies between two positive multiples of :math:`(\operatorname{tr} V)^k`, where
tr V is a sum of d inverses of such numbers.

The coefficients are those of `gdtheory.wishart.inverse_tables`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from gdtheory.arguments import plain_count, positive, whole_number
from gdtheory.errors import ArgumentError, DTypeError, MomentDoesNotExistError, shown
from gdtheory.namespace import Array, as_objects, namespace
from gdtheory.wishart.covariance import Key, combination, scaled, with_zeros
from gdtheory.wishart.inverse_tables import tables_of_degree
from gdtheory.wishart.laws import Partition, checked_powers, covariance, degrees_of_freedom, plain_or_symbolic
from gdtheory.wishart.sizes import Number, home_of, in_its_field, is_plain

MAX_DEGREE = 10
"""The largest r + sum(parts): a second or so, the first time for each n - d."""

MOST_WORK = 2_500_000
"""The largest product of the fourth power of the degree and the bits of n - d: some 10 s."""

MAX_SYMBOLIC_DEGREE = 6
"""The same where n or d is symbolic."""


def inverse_matrix_moment(r: int, parts: Iterable[int], Sigma: Array, n: Number) -> Array:
    r"""Return :math:`E\bigl[W^{-r} \prod_j \operatorname{tr} W^{-b_j}\bigr]` for the parts :math:`b_j`.

    Parameters
    ----------
    r : int
        Power of the inverse, at least 0; with r = 0 the moment is a multiple of the identity.
    parts : iterable of int
        At least 0 each, in any order; r + sum(parts) is at most 10, and 6 where n is symbolic.
    Sigma : (d, d) array
        Covariance of the columns, of one of the kinds of number that `matrix_moment` takes: symmetric and
        positive definite, which is not checked for entries that have no sign. In floats an eigenvalue counts
        as 0 that is below d times the unit of rounding times the largest.
    n : int, Fraction or symbolic
        Number of columns, with n - d + 1 > 2 (r + sum(parts)), which is not checked where n is symbolic.

    Returns
    -------
    (d, d) array
        Of the dtype of `Sigma`; of factored expressions where n is one.

    Raises
    ------
    DTypeError, ShapeError, ArgumentError
        If an argument is not as described.
    MomentDoesNotExistError
        If n is too small.
    NonFiniteError
        If `Sigma` holds NaN or infinity, or the result left the range of its dtype.

    Examples
    --------
    >>> inverse_matrix_moment(1, (), np.diag([1.0, 2.0]), 5)  # Σ⁻¹ / (n - d - 1)
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    r, parts = checked_powers(r, parts, MAX_DEGREE)
    Sigma = covariance(Sigma, definite=True)
    n = degrees_of_freedom(n, Sigma)
    d = len(Sigma)
    Sigma, exponent = scaled(Sigma)
    moment = combination(_coefficients(r, parts, n, d), _inverse(Sigma), Sigma.dtype, -exponent)
    if _is_expression(n):
        return as_objects([_factored(entry, n - d) for entry in moment.flat], moment.shape)
    return moment


def inverse_trace_moment(parts: Iterable[int], n: Number, d: Number) -> Number:
    r"""Return :math:`E \prod_j \operatorname{tr} W^{-b_j}` for Σ = I and the parts :math:`b_j`.

    Parameters
    ----------
    parts : iterable of int
        As for `inverse_matrix_moment`.
    n, d : int or symbolic
        Number of columns and their dimension; n may be a fraction. What is symbolic may be an expression
        of SymPy, or an element of a field or a ring; then it is not checked whether the moment exists.

    Returns
    -------
    Fraction or symbolic
        A rational function of what is symbolic; factored if it is an expression.

    Raises
    ------
    DTypeError, ShapeError, ArgumentError
        If an argument is not as described.
    MomentDoesNotExistError
        If n - d + 1 is not above 2 sum(parts).

    Examples
    --------
    >>> inverse_trace_moment((1,), 20, 10)  # d / (n - d - 1)
    Fraction(10, 9)
    >>> inverse_trace_moment((2,), 13, 10)
    Traceback (most recent call last):
    gdtheory.errors.MomentDoesNotExistError: n: expected n - d + 1 above 4, got 4
    """
    _, parts = checked_powers(0, parts, MAX_DEGREE)
    n, d = plain_or_symbolic("n", n), plain_or_symbolic("d", d)
    if is_plain(d):
        d = whole_number("d", d, 1)
    n, d = _in_one_field(n, d)
    by_power: Counter[int] = Counter()  # of tr I = d
    for (_, mu), c in _coefficients(0, parts, n, d).items():
        by_power[len(mu)] += c
    if _is_expression(n, d):
        import sympy

        return sympy.factor(sum(_factored(c, n - d) * d**power for power, c in by_power.items()))
    return sum(c * d**power for power, c in by_power.items())


def least_squares_risk(n: int, d: int, sigma2: int | str | Fraction = 1) -> Fraction:
    r"""Return :math:`E \lVert \hat w - w^* \rVert^2 = \sigma^2 d / (n - d - 1)` of ordinary least squares.

    The n inputs are independent and N(0, I) in d dimensions, the targets have independent noise of mean 0
    and variance :math:`\sigma^2`, and :math:`\hat w = (X X^T)^{-1} X y`, so that the risk is
    :math:`\sigma^2 E \operatorname{tr} (X X^T)^{-1}`.

    Parameters
    ----------
    n, d : int
        Number of pairs and dimension, at least 1.
    sigma2 : int, Fraction or str
        Variance of the noise, above 0.

    Raises
    ------
    DTypeError, ShapeError, ArgumentError
        If a size is no whole number from 1 on, or `sigma2` is a float or not above 0.
    MomentDoesNotExistError
        If n <= d + 1: the risk is infinite at n = d and n = d + 1, and below there is more than one fit.

    Examples
    --------
    >>> least_squares_risk(20, 10)
    Fraction(10, 9)
    """
    n, d = plain_count("n", n, 1), plain_count("d", d, 1)
    variance = positive("sigma2", sigma2)
    return variance * inverse_trace_moment((1,), n, d)


# ---------------------------------------------------------------------------------- coefficients


def _coefficients(r: int, parts: Partition, n: Number, d: Number) -> dict[Key, Number]:
    r"""Return the factor of each :math:`\Sigma^{-i} p_\mu(\Sigma^{-1})` in :math:`E[V^r p_{parts}(V)]`.

    Where n or d is an expression they are rational functions of m = n - d.
    """
    k = r + sum(parts)
    key = (r, tuple(part for part in parts if part))
    freedom = _without_symbols(n - d + 1)
    if freedom is not None and freedom <= 2 * k:
        raise MomentDoesNotExistError("n", expected=f"n - d + 1 above {2 * k}", got=freedom)
    if is_plain(n, d):
        bits = sum(part.bit_length() for part in (n - d).as_integer_ratio())
        if k**4 * bits > MOST_WORK:
            raise ArgumentError(
                "n", expected=f"shorter numbers n and d for a degree of {k}", got=f"{bits} bits"
            )
        divisor, tables = tables_of_degree(k, *(n - d).as_integer_ratio())
        found = {term: Fraction(c, divisor) for term, c in tables[key].items()}
    else:
        if k > MAX_SYMBOLIC_DEGREE:
            expected = f"r + sum(parts) at most {MAX_SYMBOLIC_DEGREE} where n or d is symbolic"
            raise ArgumentError("parts", expected=expected, got=k)
        m = _generator()
        divisor, tables = tables_of_degree(k, m.numer, 1)
        found = {term: m.field(c) / m.field(divisor) for term, c in tables[key].items()}
        if not _is_expression(n, d):
            found = {term: _at(c, n - d) for term, c in found.items()}
    return {(i, with_zeros(mu, parts)): c for (i, mu), c in found.items()}


# ------------------------------------------------------------------------------ the inverse of Σ


def _inverse(Sigma: Array) -> Array:
    if Sigma.dtype != object:
        inverse = np.linalg.inv(Sigma.astype(np.float64))
        return inverse / 2 + inverse.T / 2
    d = len(Sigma)
    rows = np.hstack([Sigma, namespace(Sigma).eye(d)])
    try:
        for i in range(d):  # no leading minor of a positive definite matrix is 0
            pivot = rows[i] = rows[i] / rows[i, i]
            others = np.arange(d) != i
            rows[others] = rows[others] - np.outer(rows[others, i], pivot)
    except ZeroDivisionError:
        raise ArgumentError("Sigma", expected="leading minors other than 0", got=Sigma) from None
    return rows[:, d:]


# -------------------------------------------------------------------------------- symbolic n and d


@cache
def _generator() -> Any:
    """Return m as an element of the field of rational functions in it."""
    from sympy import ZZ
    from sympy.polys.fields import field

    return field("m", ZZ)[1]


def _at(c: Any, m: Number) -> Number:
    """Return the value of a rational function of one variable at any kind of number."""
    values = []
    for poly in (c.numer, c.denom):
        total: Number = 0
        for coefficient in poly.to_dense():
            total = total * m + int(coefficient)
        values.append(total)
    numerator, denominator = values
    return numerator / denominator


def _in_one_field(n: Number, d: Number) -> tuple[Number, Number]:
    """Return n and d with elements of a ring as elements of its field, where division is exact."""
    n, d = in_its_field(n), in_its_field(d)
    homes = {home_of(x) for x in (n, d)} - {None}
    if len(homes) > 1 or (homes and _is_expression(n, d)):
        raise DTypeError("d", expected="a number of the same field as n", got=shown(d))
    return n, d


def _without_symbols(number: Number) -> Number | None:
    """Return a number in which all symbols cancel, else None."""
    if is_plain(number):
        return number
    if home_of(number) is None:
        import sympy

        number = sympy.cancel(number)
        return number if number.is_number else None
    if number.numer.is_ground and number.denom.is_ground:
        parts = (number.numer.LC, number.denom.LC)
        numerator, denominator = (Fraction(int(part.numerator), int(part.denominator)) for part in parts)
        return numerator / denominator
    return None


def _is_expression(*numbers: Number) -> bool:
    return any(not is_plain(number) and home_of(number) is None for number in numbers)


def _factored(c: Any, m: Number) -> Any:
    """Return the value of a rational function of one variable at an expression, factored."""
    import sympy

    expression = sympy.factor(c.as_expr())
    return expression.xreplace({symbol: m for symbol in expression.free_symbols})
