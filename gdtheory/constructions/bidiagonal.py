r"""The corner of T = B Bᵀ for a random bidiagonal B, as the weighted walks that it counts.

B is lower bidiagonal with the entries a_i on its diagonal and b_i below them. A product of B and Bᵀ walks
along the path 1 - 1' - 2 - 2' - ..., in which the row i is joined to the column i' by a_i and the next row to
i' by b_i. So the entry (1, 1) of T^p adds up the closed walks of 2p steps from the first row; each edge is
walked forth as often as back, and only its square enters: in turn a_1², b_1², a_2², b_2², ...
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import cache
from typing import Any

from gdtheory.namespace import Scalar

Powers = tuple[int, ...]
"""How often each of the squares a_1², b_1², a_2², ... is a factor."""


@cache
def corner(p: int) -> Counter[Powers]:
    """Return the entry (1, 1) of T^p: from products of squared entries of B to their coefficients.

    Examples
    --------
    (T²)_11 = a_1⁴ + a_1² b_1².

    >>> dict(corner(2))
    {(1, 1): 1, (2, 0): 1}
    """
    walks = Counter({(0, (0,) * p): 1})
    for _ in range(2 * p):
        longer: Counter[tuple[int, Powers]] = Counter()
        for (place, powers), number in walks.items():
            if place < p:
                forth = (*powers[:place], powers[place] + 1, *powers[place + 1 :])
                longer[place + 1, forth] += number
            if place > 0:
                longer[place - 1, powers] += number
        walks = longer
    return Counter({powers: number for (place, powers), number in sorted(walks.items()) if place == 0})


def mean_of_corners(powers: tuple[int, ...], degrees: Any, moment: Any) -> Scalar:
    """Return E ∏_p (T^p)_11 over the given powers p, for independent entries of B.

    Parameters
    ----------
    powers : tuple of int
        The powers p.
    degrees : callable
        From the number e = 0, 1, 2, ... of an edge to the degrees of freedom of its entry, a_1, b_1, a_2, ...
    moment : callable
        From degrees of freedom and m to the mean of the m-th power of the squared entry.
    """
    total: Scalar = 0
    for terms in itertools.product(*(corner(p).items() for p in powers)):
        exponents = map(sum, itertools.zip_longest(*(edges for edges, _ in terms), fillvalue=0))
        means = (moment(degrees(edge), m) for edge, m in enumerate(exponents))
        total = total + math.prod(means, start=math.prod(number for _, number in terms))
    return total


def chi_squared_moment(degrees: Scalar, m: int) -> Scalar:
    """Return the mean of the m-th power of a chi-squared variable: ν (ν + 2) ... (ν + 2m - 2)."""
    return math.prod((degrees + 2 * q for q in range(m)), start=1)


def chi_degrees(n: Scalar, d: Scalar, edge: int) -> Scalar:
    """Return the degrees of freedom of a_i, n - i + 1, and of b_i, d - i; in turn, from i = 1 on."""
    return d - 1 - edge // 2 if edge % 2 else n - edge // 2
