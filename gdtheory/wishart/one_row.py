r"""E tr Wᵏ of the real Wishart matrix W = X Xᵀ, X of shape (d, n) with standard normal entries.

Two routes that share no code: a linear recursion in k, which is the fast one, and the closed form that the
theory of zonal polynomials gives.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from math import factorial, lcm, prod
from operator import mul

from gdtheory.arguments import plain_count
from gdtheory.errors import ArgumentError
from gdtheory.wishart.sizes import Number, polynomials, quotient, require_feasible, size

LARGEST_ZONAL_POWER = 800
"""The largest power in `zonal_trace_moment`: the time goes with its fourth power, and is some 10 s there."""


def trace_moments(k_max: int, n: Number, d: Number) -> tuple[Number, ...]:
    r"""Return :math:`m_k = E \operatorname{tr} W^k` for k = 0, ..., k_max, exactly.

    With t = n + d - 1 and v = (n - d)², for k from 4 on,

    .. math::
        (k + 1)\, m_k = {} & (4k - 1)\, t\, m_{k-1}
          + \bigl(5k^3 - 16k^2 + 17k - 7 - (2k - 3)(2t^2 + v)\bigr)\, m_{k-2} \\
        & + t\, \bigl((4k - 11)\, v - 10k^3 + 68k^2 - 150k + 107\bigr)\, m_{k-3} \\
        & - (k - 4) \bigl((2k - 7)^2 - v\bigr) \bigl((k - 2)^2 - v\bigr)\, m_{k-4}.

    It has the form of the recursion of Ledoux (2009) for the Gaussian orthogonal ensemble. It was found by
    solving for the coefficients, and what is shown of it is this. For each k up to 30 it holds for all n and
    d, as an identity of polynomials. For each k up to 2000 it holds at random n and d modulo three random
    primes, which a false identity would survive with a chance below 10⁻⁹. Both are against the closed form,
    which is a theorem. A proof for all k is not given here.

    Parameters
    ----------
    k_max : int
        At least 0; at most 40 where n or d is symbolic.
    n, d : int, Fraction, or exact element or expression of SymPy
        Degrees of freedom and dimension. Integers are at least 1. Fractions and symbols may be any numbers:
        the moments are polynomials in n and d, and those are evaluated.

    Returns
    -------
    tuple
        Of ints if n and d are integers, of fractions if one is a fraction, otherwise of elements of the ring
        or field of n and d, or of expanded expressions.

    Raises
    ------
    ArgumentError
        If the moments would take too long or too much memory.
    DTypeError, NonFiniteError, ShapeError
        If `k_max` is no whole number from 0 on, or n or d is a float, infinite or an integer below 1.

    Examples
    --------
    >>> trace_moments(4, 20, 10)
    (10, 200, 6200, 238800, 10410000)
    """
    n, d, k_max = size("n", n), size("d", d), plain_count("k_max", k_max, 0)
    require_feasible("k_max", (k_max,), n, d)
    return polynomials(lambda n, d: one_row(k_max, n, d), max(k_max, 1), n, d)


def one_row(k_max: int, n: Number, d: Number) -> list[Number]:
    """Return m_0, ..., m_k_max by the recursion; n and d are plain numbers."""
    row = [d, n * d, n * d * (n + d + 1), n * d * (n**2 + 3 * n * d + d**2 + 3 * n + 3 * d + 4)]
    t, v = n + d - 1, (n - d) ** 2
    for k in range(4, k_max + 1):
        total = (4 * k - 1) * t * row[k - 1]
        total += (5 * k**3 - 16 * k**2 + 17 * k - 7 - (2 * k - 3) * (2 * t**2 + v)) * row[k - 2]
        total += t * ((4 * k - 11) * v - 10 * k**3 + 68 * k**2 - 150 * k + 107) * row[k - 3]
        total -= (k - 4) * ((2 * k - 7) ** 2 - v) * ((k - 2) ** 2 - v) * row[k - 4]
        row.append(quotient(total, k + 1))
    return row[: k_max + 1]


def zonal_trace_moment(k: int, n: Number, d: Number) -> Number:
    r"""Return :math:`E \operatorname{tr} W^k` by its closed form, which is slower than the recursion.

    Over the partitions λ of k, with the contents :math:`c(s) = 2 (j - 1) - (i - 1)` of the boxes s = (i, j)
    and the product :math:`j_\lambda` of both hook lengths over all boxes,

    .. math::
        E \operatorname{tr} W^k = 2k \sum_{\lambda \vdash k} \frac{\prod_{s \ne (1, 1)} c(s)}{j_\lambda}
        \prod_s (n + c(s)) (d + c(s)),

    since zonal polynomials have the mean :math:`E C_\lambda(W) = C_\lambda(I) \prod_s (n + c(s))` (James
    1964; Macdonald 1995, Chapter VII). A box (3, 2) has content 0, so only the row (k) and the
    :math:`\lambda = (a, b, 1^c)` with a ≥ b ≥ 1 are left:

    .. math::
        \frac{A_k}{(2k-1)!!} - \sum_{a + b + c = k}
        \frac{(-1)^c\, 2k\, (2a - 2b + 1)\, A_a B_b C_c}
             {(2a - 1)!!\; 2^{b-1} (b-1)!\; c!\; (2a + c)(2a + c + 1)(2b + c - 1)(2b + c)}, \\
        A_a = \prod_{j < a} (n + 2j)(d + 2j), \quad B_b = \prod_{j < b} (n + 2j - 1)(d + 2j - 1), \quad
        C_c = \prod_{i = 2}^{c + 1} (n - i)(d - i).

    Parameters and errors are those of `trace_moments`, but k is from 1 to 800.

    Examples
    --------
    >>> zonal_trace_moment(8, 20, 10) == trace_moments(8, 20, 10)[8] == 71487827308800
    True
    """
    n, d, k = size("n", n), size("d", d), plain_count("k", k, 1)
    if k > LARGEST_ZONAL_POWER:
        raise ArgumentError("k", expected=f"at most {LARGEST_ZONAL_POWER}", got=k)
    require_feasible("k", (k,), n, d)
    return polynomials(lambda n, d: [_zonal(k, n, d)], k, n, d)[0]


def _zonal(k: int, n: Number, d: Number) -> Number:
    A = _products((n + 2 * j) * (d + 2 * j) for j in range(k))
    B = _products((n + 2 * j - 1) * (d + 2 * j - 1) for j in range(k // 2))
    C = _products((n - i) * (d - i) for i in range(2, k))
    # Each factor of a denominator is taken out once for all terms, so that no fraction is ever reduced.
    odd, even, all_ = prod(range(1, 2 * k, 2)), 2 ** (k - 1) * factorial(k - 1), factorial(k)
    A = [product * (odd // prod(range(1, 2 * a, 2))) for a, product in enumerate(A)]
    B = [product * (even // (2 ** (b - 1) * factorial(b - 1))) for b, product in enumerate(B[1:], 1)]
    C = [product * (all_ // factorial(c)) for c, product in enumerate(C)]
    # 2a + c = k + (a - b) and 2b + c = k - (a - b)
    four = {s: (k + s) * (k + s + 1) * (k - s - 1) * (k - s) for s in range(k - 1)}
    rest = lcm(*four.values())
    total = A[k] * even * all_ * rest
    for s, factors in four.items():
        terms = (A[b + s] * B[b - 1] * C[k - s - 2 * b] * (-1) ** (k - s) for b in range(1, (k - s) // 2 + 1))
        total -= sum(terms) * (2 * k * (2 * s + 1) * (rest // factors))
    return quotient(total, odd * even * all_ * rest)


def _products(factors: Iterable[Number]) -> list[Number]:
    return list(accumulate(factors, mul, initial=1))
