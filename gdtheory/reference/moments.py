r"""Moments of random contexts: the exact expectation of tr (X Xᵀ)ᵖ.

X has shape (d, N) and independent entries of one law that is symmetric about zero, so a product of entries
has a mean other than zero only where every entry stands in it an even number of times. Everything is a
fraction; a float is refused, because it is seldom the number that was meant.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from gdtheory.arguments import positive, whole_number
from gdtheory.errors import ArgumentError, DTypeError, shown

# ------------------------------------------------------------------------------------------ laws


class Law:
    """A law of numbers, symmetric about zero; subclasses are hashable and know their even moments.

    Their parameters are integers, fractions or strings like "1/2", and are kept as fractions.
    """

    def moment(self, order: int) -> Fraction:
        """Return the mean of the power `order`; raise an ArgumentError if it is not even and at least 0."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Uniform(Law):
    r"""The uniform law on (-b, b), with :math:`m_{2k} = b^{2k} / (2k + 1)`.

    Examples
    --------
    >>> Uniform("1/2").moment(2)
    Fraction(1, 12)
    """

    b: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "b", positive("b", self.b))

    def moment(self, order: int) -> Fraction:
        return self.b ** _even(order) / (order + 1)


@dataclass(frozen=True, slots=True)
class Gaussian(Law):
    r"""The normal law with mean 0 and deviation sigma, with :math:`m_{2k} = (2k - 1)!!\, \sigma^{2k}`."""

    sigma: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", positive("sigma", self.sigma))

    def moment(self, order: int) -> Fraction:
        return self.sigma ** _even(order) * math.prod(range(1, order, 2))


@dataclass(frozen=True, slots=True)
class ThreePoint(Law):
    r"""The law of -a, 0 and a with weights q, 1 - 2q and q: :math:`m_{2k} = 2 q a^{2k}` for k > 0."""

    a: Any
    q: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", positive("a", self.a))
        object.__setattr__(self, "q", positive("q", self.q))
        if self.q > Fraction(1, 2):
            raise ArgumentError("q", expected="at most 1/2", got=self.q)

    def moment(self, order: int) -> Fraction:
        return 2 * self.q * self.a ** _even(order) if order else Fraction(1)


def _even(order: int) -> int:
    order = whole_number("order", order, 0)
    if order % 2:
        raise ArgumentError("order", expected="an even number", got=order)
    return order


def checked_law(law: Any) -> Law:
    """Return `law`, or raise a DTypeError if it is none."""
    if not isinstance(law, Law) or type(law) is Law:
        raise DTypeError("law", expected="a law, such as Uniform(1)", got=shown(law))
    return law


# ---------------------------------------------------------------------------------------- traces


def trace_power(law: Law, d: int, N: int, p: int) -> Fraction:
    r"""Return :math:`E \operatorname{tr} (X X^T)^p` for X of shape (d, N) with entries of `law`.

    Parameters
    ----------
    law : Law
        Of the entries; a Gaussian law goes another way than the others, see below.
    d, N, p : int
        At least 1, 1 and 0. The first time, laws that are not Gaussian take a few seconds at p = 9, half
        a minute at p = 10 and about ten times longer with each further power.

    Raises
    ------
    DTypeError, ShapeError
        If `law` is no law, or a size is no whole number or too small.

    Examples
    --------
    >>> trace_power(Uniform(1), 10, 10, 2)
    Fraction(220, 1)
    """
    checked_law(law)
    d, N, p = whole_number("d", d, 1), whole_number("N", N, 1), whole_number("p", p, 0)
    return _trace_power(law, d, N, p)


@cache
def _trace_power(law: Law, d: int, N: int, p: int) -> Fraction:
    if isinstance(law, Gaussian):
        return law.sigma ** (2 * p) * wishart_traces(N, d, (p,))
    total = Fraction(0)
    for (rows, columns, multiplicities), count in closed_walks(p).items():
        labellings = math.perm(d, rows) * math.perm(N, columns)
        total += count * labellings * math.prod(map(law.moment, multiplicities))
    return total


@cache
def closed_walks(p: int) -> Counter[tuple[int, int, tuple[int, ...]]]:
    r"""Count the closed walks of 2p steps between rows and columns that use every edge evenly often.

    The trace is a sum over :math:`i_1 j_1 i_2 j_2 \cdots i_p j_p` of
    :math:`X_{i_1 j_1} X_{i_2 j_1} X_{i_2 j_2} \cdots X_{i_1 j_p}`: a walk that alternates between rows and
    columns, along the edge (i, j) for every factor :math:`X_{ij}`.

    Returns
    -------
    Counter
        From (rows visited, columns visited, sorted multiplicities of the edges) to the number of walks
        whose rows and columns are numbered in the order of their first visit.
    """
    bits = (2 * p + 1).bit_length()
    # (at, rows, columns, edges used oddly often, all multiplicities in one integer) -> walks so far
    walks = {(0, 1, 0, 0, 0): 1}
    for step in range(2 * p):
        longer: Counter[tuple[int, int, int, int, int]] = Counter()
        for (at, rows, columns, odd, edges), count in walks.items():
            from_row = step % 2 == 0
            for to in range((columns if from_row else rows) + 1):
                edge = bits * (at * p + to if from_row else to * p + at)
                odd_then = odd - 1 if edges >> edge & 1 else odd + 1
                if odd_then < 2 * p - step:  # the steps that are left can make all edges even
                    new_row, new_column = not from_row and to == rows, from_row and to == columns
                    state = (to, rows + new_row, columns + new_column, odd_then, edges + (1 << edge))
                    longer[state] += count
        walks = longer
    closed: Counter[tuple[int, int, tuple[int, ...]]] = Counter()
    # A walk that uses every edge evenly often passes everything evenly often, so it ends where it began.
    for (_, rows, columns, _, edges), count in walks.items():
        closed[rows, columns, _multiplicities(edges, bits)] += count
    return closed


def _multiplicities(edges: int, bits: int) -> tuple[int, ...]:
    fields = (edges >> edge & (1 << bits) - 1 for edge in range(0, edges.bit_length(), bits))
    return tuple(sorted(multiplicity for multiplicity in fields if multiplicity))


@cache
def wishart_traces(n: int, d: int, parts: tuple[int, ...]) -> int:
    r"""Return :math:`E \prod_j \operatorname{tr} W^{b_j}`, W = X Xᵀ, X of shape (d, n) standard normal.

    Gaussian integration by parts in one factor of :math:`\operatorname{tr} W^m` gives

    .. math::
        E\Bigl[\operatorname{tr} W^m \prod_j \operatorname{tr} W^{b_j}\Bigr]
        = (n + m - 1)\, E\Bigl[\operatorname{tr} W^{m-1} \prod_j \operatorname{tr} W^{b_j}\Bigr]
        + \sum_{q=1}^{m-1} E\Bigl[\operatorname{tr} W^q \operatorname{tr} W^{m-1-q}
          \prod_j \operatorname{tr} W^{b_j}\Bigr]
        + 2 \sum_j b_j\, E\Bigl[\operatorname{tr} W^{m+b_j-1} \prod_{i \ne j} \operatorname{tr} W^{b_i}\Bigr].

    Examples
    --------
    >>> wishart_traces(5, 3, (2,)) == 5 * 3 * (5 + 3 + 1)
    True
    """
    parts = tuple(sorted(parts))
    if not parts:
        return 1
    m, others = parts[0], parts[1:]
    if m == 0:
        return d * wishart_traces(n, d, others)
    total = (n + m - 1) * wishart_traces(n, d, _sorted(m - 1, *others))
    for q in range(1, m):
        total += wishart_traces(n, d, _sorted(q, m - 1 - q, *others))
    for j, b in enumerate(others):
        total += 2 * b * wishart_traces(n, d, _sorted(m + b - 1, *others[:j], *others[j + 1 :]))
    return total


def _sorted(*parts: int) -> tuple[int, ...]:
    return tuple(sorted(parts))
