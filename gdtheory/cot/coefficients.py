r"""The coefficients of the population chain-of-thought loss, as fractions.

Write S = X Xᵀ / n, Q = I - η S, P_i = I - Qⁱ, and R_i = η S Qⁱ for i < k, R_k = Qᵏ. With
F = Σ P_i, G = Σ P_i² and K = Σ P_i R_i over i = 0, ..., k, the loss needs three means,

.. math::
    E[S_{ij}\, G_{kl}\, S_{mn}], \qquad E[S\, D\, (F S)], \qquad E[S\, D\, K] \quad (D \text{ fixed}).

S is as likely as U S Uᵀ for orthogonal U, so each mean is a combination of products of Kronecker deltas.
Its coefficients solve the linear equations that come from contracting the indices in pairs, which turns
the means into E tr Sᵠ. All of F, G, K are polynomials in Q with integer coefficients:

.. math::
    F = (k + 1) I - \sum_{i=0}^k Q^i, \quad
    G = (k + 1) I - 2 \sum_{i=0}^k Q^i + \sum_{i=0}^k Q^{2i}, \quad
    K = I - \sum_{j=0}^{2k} (-Q)^j, \quad \sum_{i=0}^k R_i^2 = I - 2 K.

Source of the loss: Huang et al. (2025), eqs. (5) and (6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from gdtheory.arguments import Rate, exact_rate, plain_count
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError
from gdtheory.ledger import Ledger, exactly
from gdtheory.namespace import Array, Scalar
from gdtheory.text import short_repr
from gdtheory.wishart.one_row import trace_moments
from gdtheory.wishart.sizes import Number, home_of, is_plain, size, symbolic_or_rate

LARGEST_K = 1000
"""The largest number of steps: the work grows with its square, and it takes a second there."""

LARGEST_SYMBOLIC_K = 10
"""The same where a number is symbolic."""

LARGEST_POWER_BITS = 10**6
"""The most bits that the largest powers of n, d and the learning rate may have."""

LARGEST_WORK = 2 * 10**8
"""The largest product of k and the bits of the powers of n d; it takes some 10 s there."""


@dataclass(frozen=True, slots=True, repr=False)
class Coefficients:
    r"""What the loss of n, d, k and eta is made of; the fields may be any kind of number.

    With δ for Kronecker's delta, and pairs of indices for deltas, the fields are defined by

    .. math::
        E[S_{ij} G_{kl} S_{mn}] &= a_0\, (ij)(kl)(mn)
            + a_1\, \{(ij)[(km)(ln) + (kn)(lm)] + (mn)[(ik)(jl) + (il)(jk)]\} \\
            &\quad + a_2\, (kl)[(im)(jn) + (in)(jm)] + a_3 \cdot \text{the 8 other pairings}, \\
        E[S D (F S)] &= \alpha_F D + \beta_F (D^T + \operatorname{tr}(D) I), \\
        E[S D K] &= \alpha_K D + \beta_K (D^T + \operatorname{tr}(D) I).

    Attributes
    ----------
    a0, a1, a2, a3 : number
        As above. For d = 2 the pairings are dependent and a3 = 0; for d = 1 only a0 is not 0.
    alpha_F, beta_F, alpha_K, beta_K : number
        As above; for d = 1 the betas are 0.
    c : number
        (k + 1) (n + d + 1) / n, so that (k + 1) E S² = c I.
    r : number
        Σ E tr R_i², the part of twice the loss that is free of V and W.
    """

    a0: Scalar
    a1: Scalar
    a2: Scalar
    a3: Scalar
    alpha_F: Scalar
    beta_F: Scalar
    alpha_K: Scalar
    beta_K: Scalar
    c: Scalar
    r: Scalar

    __repr__ = short_repr

    @classmethod
    def of(cls, p: Any) -> Coefficients:
        """Return the coefficients that are the attributes of an input record."""
        return cls(*(getattr(p, field.name) for field in fields(cls)))

    def like(self, array: Array) -> Coefficients:
        """Return the coefficients, fractions here, as numbers of the kind that `array` holds.

        They are rounded once to floats; on an error ledger the bounds say by how much.

        Raises
        ------
        DTypeError
            If `array` is size-free, so that it has no coefficients that are numbers.
        NonFiniteError
            If a coefficient is beyond the range of the floats.
        """
        if isinstance(array, Ledger):
            return self._each(lambda value: _on_ledger(value, array.dtype))
        if hasattr(array, "__gdtheory_namespace__"):
            raise DTypeError("V", expected="floats or exact numbers", got=type(array).__name__)
        if not isinstance(array, np.ndarray):
            return self._each(float)
        return self if array.dtype == object else self._each(lambda value: _rounded(value, array.dtype))

    def _each(self, function: Any) -> Coefficients:
        return Coefficients(*(function(getattr(self, field.name)) for field in fields(self)))


def _rounded(value: Fraction, dtype: np.dtype[Any]) -> Any:
    try:
        with np.errstate(over="ignore"):
            number = dtype.type(float(value))
    except OverflowError:
        number = dtype.type(np.inf)
    if not np.isfinite(number):
        raise NonFiniteError(
            "n, d, k and eta", expected=f"a loss with coefficients in the range of {dtype}", got="larger ones"
        )
    return number


def _on_ledger(value: Fraction, dtype: np.dtype[Any]) -> Ledger:
    number = _rounded(value, dtype)
    error = abs(Fraction(float(number)) - value)  # not 0 where it is so as a float
    bound = exactly(number).bound + float(error)
    return Ledger(number, np.nextafter(bound, np.inf) if error else bound)


def loss_coefficients(n: int, d: int, k: int, eta: Rate) -> Coefficients:
    """Return the coefficients of the loss as fractions; they are kept for the next call.

    Parameters
    ----------
    n, d : int
        Number of examples and input dimension, at least 1.
    k : int
        Number of steps before the last one, from 0 to 1000.
    eta : int, Fraction, str or float
        Learning rate of the steps; a float is taken for the binary fraction that it is.

    Raises
    ------
    DTypeError, ShapeError, NonFiniteError
        If a count is no whole number or out of range, or `eta` no finite number.
    ArgumentError
        If n, d or eta / n has so many digits that its powers would take very long.

    Notes
    -----
    Huang et al. (2025), eqs. (5) and (6).

    Examples
    --------
    >>> found = loss_coefficients(20, 10, 1, "2/5")
    >>> found.c, found.a0 + found.a2 > 0
    (Fraction(31, 10), True)
    >>> loss_coefficients(20, 10, 0, "2/5").alpha_F  # P_0 = 0
    Fraction(0, 1)
    """
    n, d, k = plain_count("n", n, 1), plain_count("d", d, 1), plain_count("k", k, 0, LARGEST_K)
    rate = exact_rate("eta", eta) / n
    bits = 2 * (k + 1) * max(x.bit_length() for x in (n, d, rate.numerator, rate.denominator))
    if 2 * (k + 1) * (n * d).bit_length() * k > LARGEST_WORK:
        raise ArgumentError(
            "n, d and k", expected="numbers for which it takes less than some 10 s", got=(n, d, k)
        )
    if bits > LARGEST_POWER_BITS:
        raise ArgumentError(
            "n, d and eta", expected=f"powers of at most {LARGEST_POWER_BITS} bits", got=f"{bits} bits"
        )
    return _coefficients(n, d, k, rate)


def exact_coefficients(n: Number, d: Number, k: int, eta: Number) -> Coefficients:
    """Return the coefficients of the loss where eta, n and d are exact numbers of any kind.

    Parameters
    ----------
    n, d : int, or exact element or expression of SymPy
        Number of examples and input dimension; a symbol d stands for any d from 3 on.
    k : int
        Number of steps before the last one; from 0 to 10 where a number is symbolic.
    eta : int, Fraction, str, float, or element of a field or expression of SymPy
        Learning rate of the steps; where it is an element, so are n and d, unless they are integers.

    Returns
    -------
    Coefficients
        Of fractions, of elements of the field of `eta`, or of expressions.

    Raises
    ------
    DTypeError, ShapeError, NonFiniteError, ArgumentError
        As for `loss_coefficients`.

    Examples
    --------
    >>> from sympy import symbols
    >>> exact_coefficients(*symbols("n d"), 0, symbols("eta")).c
    (d + n + 1)/n
    """
    n, d, eta = size("n", n), size("d", d), symbolic_or_rate("eta", eta)
    if is_plain(n, d, eta):
        return loss_coefficients(n, d, k, eta)
    k = plain_count("k", k, 0, LARGEST_SYMBOLIC_K)
    rank = _rank(d) if isinstance(d, int) else 4
    if field := home_of(eta):
        n, d = field(n), field(d)
        return _by_contraction(n, d, k, eta, n, field, rank)
    from sympy import sfield

    field, (n, d, eta) = sfield([n, d, eta])
    return _by_contraction(n, d, k, eta, n, field, rank)._each(lambda value: value.as_expr())


@lru_cache(maxsize=1000)
def _coefficients(n: int, d: int, k: int, rate: Fraction) -> Coefficients:
    return _by_contraction(n, d, k, *rate.as_integer_ratio(), Fraction, _rank(d))


def _rank(d: int) -> int:
    """Return how many of the four sums of pairings are independent in dimension d."""
    return (1, 3, 4)[min(d, 3) - 1]


def _by_contraction(
    n: Number, d: Number, k: int, p: Number, q: Number, number: Callable[[Number], Number], rank: int
) -> Coefficients:
    """Return the coefficients for eta / n = p / q; `number` makes whole numbers elements of a field."""
    m = trace_moments(2 * k + 2, n, d)
    F, G, K = (_in_powers_of_eta_S(polynomial) for polynomial in _polynomials(k))

    def mean(polynomial: Sequence[int], moments: Iterable[Number], degree: int) -> Number:
        """Return the mean of a polynomial in eta S times entries of S, `degree` of them."""
        terms = [moment * x for x, moment in zip(polynomial, moments, strict=False)]
        return _value(terms, p, q, number) / n**degree

    # E[tr W f(W)] = (nd + 2j) E f(W) for f of degree j.
    tr = [n * d + 2 * j for j in range(2 * k + 3)]
    tr_m = [t * x for t, x in zip(tr, m, strict=True)]  # E tr W tr W^j
    tr_tr_m = [(t + 2) * x for t, x in zip(tr, tr_m, strict=True)]  # E (tr W)² tr W^j
    tr2_m = [(n + d + 1) * tr_m[j] + 2 * j * m[j + 1] for j in range(2 * k + 2)]  # E tr W² tr W^j
    a0, a1, a2, a3 = _solved(
        [  # contractions with (ij)(kl)(mn), (ij)(km)(ln), (kl)(im)(jn) and (jk)(lm)(ni), divided by d
            [d**2, 4 * d, 2 * d, 8],
            [d, d**2 + d + 2, 2, 4 * d + 4],
            [d, 4, d**2 + d, 4 * d + 4],
            [1, 2 * d + 2, d + 1, d**2 + 3 * d + 4],
        ],
        [mean(G, moments, 2) / d for moments in (tr_tr_m, tr_m[1:], tr2_m, m[2:])],
        rank,
        number,
    )
    pair = [[d, 2], [1, d + 1]]
    of_F = [mean(F, x, 2) / d for x in (tr_m[1:], m[2:])]
    of_K = [mean(K, x, 1) / d for x in (tr_m, m[1:])]
    (alpha_F, beta_F), (alpha_K, beta_K) = (_solved(pair, x, min(rank, 2), number) for x in (of_F, of_K))
    c, r = number((k + 1) * (n + d + 1)) / n, d - 2 * mean(K, m, 0)
    return Coefficients(a0, a1, a2, a3, alpha_F, beta_F, alpha_K, beta_K, c, r)


def _polynomials(k: int) -> tuple[list[int], list[int], list[int]]:
    """Return F, G and K as the coefficients of powers of Q."""
    F, G, K = [0] * (2 * k + 1), [0] * (2 * k + 1), [0] * (2 * k + 1)
    F[0] = G[0] = k + 1
    K[0] = 1
    for i in range(k + 1):
        F[i] -= 1
        G[i] -= 2
        G[2 * i] += 1
    for j in range(2 * k + 1):
        K[j] -= (-1) ** j
    return F, G, K


def _in_powers_of_eta_S(polynomial: Sequence[int]) -> list[int]:
    """Return a polynomial in Q = I - eta S in powers of eta S, by Horner's rule."""
    found: list[int] = [0]
    for x in reversed(polynomial):
        found = [a - b for a, b in zip([*found, 0], [0, *found], strict=True)]
        found[0] += x
    return found[: len(polynomial)]


def _value(terms: Sequence[Number], p: Number, q: Number, number: Callable[[Number], Number]) -> Number:
    """Return Σ terms_i (p / q)^i, with a single reduction of the fraction."""
    total: Number = 0
    power: Number = 1
    for term in reversed(terms):
        total, power = total * p + term * power, power * q
    return number(total * q) / power


def _solved(
    rows: Sequence[Sequence[Number]], right: Sequence[Number], rank: int, number: Callable[[Number], Number]
) -> list[Number]:
    """Return the solution of the first `rank` equations in as many unknowns, and zeros for the others.

    The leading minors are positive, as those of a Gram matrix are, so no pivot is zero.
    """
    system = [[*map(number, row[:rank]), x] for row, x in zip(rows[:rank], right, strict=False)]
    for i, pivot in enumerate(system):
        pivot[:] = [x / pivot[i] for x in pivot]
        for row in system[:i] + system[i + 1 :]:
            row[:] = [x - row[i] * p for x, p in zip(row, pivot, strict=True)]
    return [row[-1] for row in system] + [number(0)] * (len(right) - rank)
