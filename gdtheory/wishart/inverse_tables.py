r"""The coefficients of the moments of V = W⁻¹, W a Wishart matrix, before powers and traces of Σ⁻¹.

Gaussian integration by parts in the first factor x of :math:`W V^r = X (X^T V^r)`, with
:math:`\partial V_{lm} / \partial x_{ka} = -V_{lk} (X^T V)_{am} - (V X)_{la} V_{km}`, gives for r > 0

.. math::
    (n - d - r)\, E[V^r p_\mu(V)] - \sum_{q=1}^{r-1} E[V^{r-q} \operatorname{tr} V^q\, p_\mu(V)]
    - 2 \sum_j \mu_j\, E[V^{r+\mu_j} p_{\mu \setminus \mu_j}(V)] = \Sigma^{-1} E[V^{r-1} p_\mu(V)].

(X loses its rank on a set of codimension n - d + 1 > 2, which almost every line misses, and the derivatives
are of degree k, so that their means are finite. Where n is no whole number, integrate by parts in W.) These
are as many equations as there are means of degree k with r > 0, and the right sides have degree k - 1. The
sizes of the numbers off the diagonal of a row add up to (r - 1) + 2 (k - r), less than n - d - r: the matrix
is strictly diagonally dominant, so the means are the only solution. It is an M-matrix, too, so that no
coefficient of the solution is negative. For r = 0 one part m is the trace of the case r = m.

The relation is Haff's (1979); von Rosen (1988) and Letac and Massam (2004) find moments by other ways.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

import numpy as np

from gdtheory.wishart.covariance import Key, merged, traced
from gdtheory.wishart.laws import Partition
from gdtheory.wishart.sizes import Number


@lru_cache(maxsize=64)
def tables_of_degree(k: int, m: Number, q: int) -> tuple[Number, dict[Key, dict[Key, Number]]]:
    r"""Return a divisor, and the coefficients of all means of degree k times it, by their (r, μ).

    Here k is at least 0, and n - d = m / q, where m is a whole number or an element of a ring; everything
    that is returned is of its kind.

    The equations are (n - d - T) x = y, for a matrix T of whole numbers. Its minimal polynomial has only
    simple roots :math:`c_1, c_2, \dots` (checked by the tests for every k in use), and Newton's interpolation
    of 1 / (n - d - t) in them gives

    .. math:: (n - d - T)^{-1} = \sum_l q\, \prod_{s<l} q\, (T - c_s) \prod_{s \le l} (m - q c_s)^{-1}.
    """
    if k == 0:
        return m**0, {(0, ()): {(0, ()): m**0}}
    divisor, lower = tables_of_degree(k - 1, m, q)
    T, roots = _equations(k), _roots(k)
    at = {key: i for i, key in enumerate(T)}
    y = np.full((len(T), len(T)), m * 0, dtype=object)
    for i, (r, mu) in enumerate(T):
        for (power, nu), c in lower[r - 1, mu].items():
            y[i, at[power + 1, nu]] = c
    x, factor = y, m**0
    for c, c_next in zip(roots[-2::-1], roots[:0:-1], strict=True):  # Horner's rule, from the last term
        factor = factor * (m - q * c_next)
        Tx = np.stack([sum(x[at[key]] * t for key, t in row.items()) for row in T.values()])
        x = (Tx - x * c) * q + y * factor
    tables = {key: dict(zip(T, row, strict=True)) for key, row in zip(T, x * q, strict=True)}
    traces = {(0, mu): traced(tables[mu[0], mu[1:]]) for mu in _partitions(k)}
    return divisor * factor * (m - q * roots[0]), tables | traces


def _equations(k: int) -> dict[Key, Counter[Key]]:
    """Return the rows of T, the whole numbers that the equations of degree k take from n - d."""
    rows = {}
    keys = [(r, mu) for r in range(1, k + 1) for mu in _partitions(k - r)]
    for r, mu in keys:
        row = rows[r, mu] = Counter({(r, mu): r})
        for q in range(1, r):
            row[r - q, merged(q, *mu)] += 1
        for j, b in enumerate(mu):
            row[r + b, mu[:j] + mu[j + 1 :]] += 2 * b
    return rows


def _roots(k: int) -> list[int]:
    """Return the eigenvalues of T: 1 + 2j - i for boxes (i, j) that can be taken off a diagram of k boxes."""
    boxes = ((i, j) for i in range(k) for j in range(k) if (i + 1) * (j + 1) <= k and (i or j or k == 1))
    return sorted({1 + 2 * j - i for i, j in boxes})


@cache
def _partitions(k: int) -> tuple[Partition, ...]:
    if k == 0:
        return ((),)
    smaller = ((part, rest) for part in range(1, k + 1) for rest in _partitions(k - part))
    return tuple((part, *rest) for part, rest in smaller if not rest or part <= rest[0])
