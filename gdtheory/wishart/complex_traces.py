"""Exact means of products of traces of powers of the complex Wishart matrix W = X Xᴴ."""

from __future__ import annotations

from collections.abc import Iterable

from gdtheory.wishart.sizes import Number, exponents, polynomials, quotient, require_feasible, size
from gdtheory.wishart.traces import by_parts


def complex_trace_moment(parts: Iterable[int], n: Number, d: Number) -> Number:
    r"""Return :math:`E \prod_j \operatorname{tr} W^{b_j}`, W = X Xᴴ, X of shape (d, n) complex normal.

    The entries x of X are independent, with E x = E x² = 0 and E |x|² = 1. Integration by parts in one factor
    X of :math:`\operatorname{tr} W^m` gives

    .. math::
        E\Bigl[\operatorname{tr} W^m \prod_j \operatorname{tr} W^{b_j}\Bigr]
        = n\, E\Bigl[\operatorname{tr} W^{m-1} \prod_j \operatorname{tr} W^{b_j}\Bigr]
        + \sum_{q=1}^{m-1} E\Bigl[\operatorname{tr} W^q \operatorname{tr} W^{m-1-q}
          \prod_j \operatorname{tr} W^{b_j}\Bigr]
        + \sum_j b_j\, E\Bigl[\operatorname{tr} W^{m+b_j-1} \prod_{i \ne j} \operatorname{tr} W^{b_i}\Bigr],

    and single traces :math:`m_k = E \operatorname{tr} W^k` follow the recursion of Haagerup and Thorbjørnsen
    (2003), from m_0 = d and m_1 = n d on,

    .. math:: (k + 2)\, m_{k+1} = (2k + 1)(n + d)\, m_k + (k - 1)\bigl(k^2 - (n - d)^2\bigr)\, m_{k-1}.

    Parameters, result and errors are those of `trace_moment`.

    Examples
    --------
    >>> complex_trace_moment((2,), 20, 10) == 20 * 10 * (20 + 10)
    True
    """
    n, d, powers = size("n", n), size("d", d), exponents("parts", parts)
    require_feasible("parts", powers, n, d, single=len(powers) == 1)
    degree = max(sum(powers), 1)
    return polynomials(lambda n, d: by_parts([powers], n, d, 1, _one_row), degree, n, d)[0]


def _one_row(k_max: int, n: Number, d: Number) -> list[Number]:
    row = [d, n * d]
    for k in range(1, k_max):
        total = (2 * k + 1) * (n + d) * row[k] + (k - 1) * (k * k - (n - d) ** 2) * row[k - 1]
        row.append(quotient(total, k + 2))
    return row[: k_max + 1]
