r"""The evaluation loss of chain of thought in exact fractions.

The n inputs are the columns of X, d x n with standard normal entries, S = X Xᵀ / n, and w* ~ N(0, I_d). A
layer that generates k weight tokens from w_0 = 0 outputs w_{k+1}: it takes ``steps = k + 1`` steps. Losses
are half the mean squared distance to w*, as in Huang et al. (2025), eqs. (7) and (9).

Rates may be integers, fractions, strings like "2/5" or "0.4", or floats; a float is taken exactly as the
binary fraction that it is, so 0.4 is near 2/5 and not equal to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest

from gdtheory.arguments import Rate, exact_rate, plain_count
from gdtheory.errors import ArgumentError
from gdtheory.namespace import Scalar
from gdtheory.wishart.one_row import trace_moments

LARGEST_STEPS = 1000
"""The most steps that a loss is given for."""

LARGEST_DENOMINATOR_BITS = 500_000
"""The most bits of a common denominator; a second or so goes by up to there."""


def generated_loss(v: Rate, w: Rate, n: int, d: int, steps: int) -> Fraction:
    r"""Return the loss of the chain that a layer with V_31 = v I, W_13 = w I and w_24 = -1 generates.

    Every token moves the weight vector by :math:`v S (w\, w_i - w^*)`, so that

    .. math::
        w^* - w_i = \Bigl(I + \sum_{j=1}^{i} \tbinom{i}{j} v^j w^{j-1} S^j\Bigr) w^*
        = \Bigl(\bigl(1 - \tfrac1w\bigr) I + \tfrac1w (I + v w S)^i\Bigr) w^*,

    the second for w ≠ 0 only. The loss is half the mean trace of the square of that matrix.

    Parameters
    ----------
    v, w : int, Fraction, str or float
        The multiples of the identity in V and W; a float is taken exactly as its binary value.
    n, d : int
        Number of inputs and their dimension, at least 1.
    steps : int
        Index of the weight vector, from 0 to 1000: one more than the number k of tokens before it.

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError
        If a number is symbolic or of no allowed kind, or not finite, or a count too small or too large.
    ArgumentError
        If the exact loss has more than some 500 000 bits.

    Notes
    -----
    The square has the coefficients :math:`c_0 = 1`, :math:`c_1 = 2 i v` and, from p = 2 on,
    :math:`c_p = v^p w^{p-2} \bigl(\binom{2i}{p} - 2 (1 - w) \binom{i}{p}\bigr)`.

    Huang et al. (2025), eqs. (7) and (8): the layer that is trained, before it has converged.

    Examples
    --------
    Generation from W = 0 goes straight on along :math:`S w^*`, further with every token.

    >>> generated_loss("-1/4", 0, 20, 10, 2) == evaluation_loss(20, 10, 1, "1/2")
    True
    """
    v, w = exact_rate("v", v), exact_rate("w", w)
    n, d, i = sizes(n, d, steps)
    require_few_bits(i, n, n + d, *v.as_integer_ratio(), *w.as_integer_ratio())
    m = trace_moments(max(1, 2 * i), n, d)
    square = polynomial_at([math.comb(2 * i, p) * m[p] for p in range(2, 2 * i + 1)], v * w / n)
    cross = polynomial_at([math.comb(i, p) * m[p] for p in range(2, i + 1)], v * w / n)
    return (d + 2 * i * v / n * m[1] + (v / n) ** 2 * (square - 2 * (1 - w) * cross)) / 2


def evaluation_loss(n: int, d: int, steps: int, eta: Rate) -> Fraction:
    r"""Return the mean loss after some steps of gradient descent from 0.

    .. math:: L = \tfrac12 E \operatorname{tr} (I - \eta S)^{2 \cdot steps}.

    Parameters
    ----------
    n, d : int
        Number of inputs and their dimension, at least 1.
    steps : int
        Number of steps, from 0 to 1000; chain of thought with k generated tokens takes k + 1.
    eta : int, Fraction, str or float
        Learning rate for the squared error averaged over n and halved; a float is taken exactly as its
        binary value.

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError
        If a number is symbolic or of no allowed kind, or not finite, or a count too small or too large.
    ArgumentError
        If the exact loss has more than some 500 000 bits.

    Notes
    -----
    Huang et al. (2025), eq. (9), the loss of Theorem 3.2.

    Examples
    --------
    >>> round(float(evaluation_loss(20, 10, 6, "2/5")), 5)
    0.52395
    """
    return generated_loss(-exact_rate("eta", eta), 1, n, d, steps)


def binomial_mean(moments: Sequence[Scalar], x: Scalar) -> Scalar:
    """Return Σ C(p, j) xʲ m_j over any kind of number: E tr (I + xW)^p for m_j = E tr Wʲ, j = 0, ..., p."""
    p = len(moments) - 1
    return sum(m * math.comb(p, j) * x**j for j, m in enumerate(moments))


def polynomial_at(coefficients: list[int], x: Fraction) -> Fraction:
    """Return the sum of the coefficients, constant first, times the powers of x.

    The terms are added in pairs, pairs of pairs and so on, so that few products are of long numbers.
    """
    p, q = x.as_integer_ratio()
    terms, denominator = coefficients or [0], 1
    while len(terms) > 1:
        terms = [a * q + b * p for a, b in zip_longest(terms[::2], terms[1::2], fillvalue=0)]
        p, q, denominator = p**2, q**2, denominator * q
    return Fraction(terms[0], denominator)


def sizes(n: int, d: int, steps: int, *, least: int = 0) -> tuple[int, int, int]:
    """Return the three counts, with `steps` from `least` to 1000."""
    return plain_count("n", n, 1), plain_count("d", d, 1), plain_count("steps", steps, least, LARGEST_STEPS)


def require_few_bits(steps: int, *numbers: int, name: str = "steps") -> int:
    """Return the bits of the power 2 · steps of the product of the numbers, or raise if they are many."""
    bits = 2 * steps * sum(number.bit_length() for number in numbers)
    if bits > LARGEST_DENOMINATOR_BITS:
        expected = f"fewer steps or shorter numbers, with a loss of at most {LARGEST_DENOMINATOR_BITS} bits"
        raise ArgumentError(name, expected=expected, got=f"{steps} steps, up to {bits} bits")
    return bits
