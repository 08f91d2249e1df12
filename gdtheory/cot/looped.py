r"""The loss of a looped linear transformer, exactly, and what earlier and asymptotic formulas make of it.

A query x is to be answered by w*ᵀ x, with w*, x and the n inputs x_i all N(0, I_d). Each of L loops of one
layer with the preconditioner a I takes a gradient-descent step with the learning rate a, so the squared error
has the mean E tr (I - a S)^{2L}, with S = X Xᵀ / n and without the one half of `gdtheory.cot.evaluation`.
Source: Huang et al. (2025), Section 5 and Appendix A.3, on the setting of Gatmiry et al. (2024).
"""

from __future__ import annotations

import math
from fractions import Fraction

from gdtheory.arguments import Rate, exact_rate, plain_count
from gdtheory.cot.comparison import LeastLoss, best_rate
from gdtheory.cot.evaluation import LARGEST_STEPS, evaluation_loss, require_few_bits


def looped_loss(n: int, d: int, L: int, a: Rate) -> Fraction:
    r"""Return the mean squared error after L loops, :math:`E \operatorname{tr} (I - a S)^{2L}`.

    Parameters
    ----------
    n, d : int
        Number of inputs and their dimension, at least 1.
    L : int
        Number of loops, from 0 to 1000.
    a : int, Fraction, str or float
        The preconditioner; a float is taken exactly as its binary value.

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError, ArgumentError
        As `gdtheory.cot.evaluation.evaluation_loss`.

    Examples
    --------
    >>> looped_loss(20, 10, 1, "20/31")
    Fraction(110, 31)
    """
    return 2 * evaluation_loss(n, d, plain_count("L", L, 0, LARGEST_STEPS), exact_rate("a", a))


def looped_minimum(n: int, d: int, L: int, *, width: Rate = "1e-12") -> LeastLoss:
    r"""Return the best preconditioner a I of L loops and its loss, each in an interval that holds it.

    Parameters
    ----------
    n, d : int
        Number of inputs and their dimension, at least 1.
    L : int
        Number of loops, from 1 to 1000.
    width : int, Fraction, str or float
        Largest width of the interval of a, whose attribute is called `eta`; the other is narrower still.

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError, ArgumentError
        As `gdtheory.cot.comparison.best_rate`.

    Notes
    -----
    One loop reaches :math:`\frac{d (d+1)}{n+d+1}`, at :math:`a = \frac{n}{n+d+1}`. For fixed L there are
    two limits:

    - d fixed and n → ∞: :math:`n^L \min_a E \operatorname{tr} (I - a S)^{2L} \to E \operatorname{tr} G^{2L}`
      for a symmetric Gaussian G with variances 1 off and 2 on the diagonal, as :math:`\sqrt n (S - I)`
      tends to G with all moments, and no multiple of I added to G makes the trace smaller on average. It
      is :math:`d^2 + d` for L = 1 and :math:`2 d^3 + 5 d^2 + 5 d` for L = 2.
    - d → ∞ and d / n → 0: the minimum over `semicircle_loss` tends to 1, as the eigenvalues of
      :math:`\sqrt{n/d}\, (S - I)` tend to the semicircle on [-2, 2] with all moments, likewise.

    Examples
    --------
    >>> looped_minimum(20, 10, 1)
    LeastLoss(eta=(Fraction(20, 31), Fraction(20, 31)), loss=(Fraction(110, 31), Fraction(110, 31)))
    """
    half = best_rate(n, d, plain_count("L", L, 1, LARGEST_STEPS), width=width)
    return LeastLoss(half.eta, (2 * half.loss[0], 2 * half.loss[1]))


def semicircle_loss(n: int, d: int, L: int) -> Fraction:
    r"""Return the limiting form of the least looped loss, with the Catalan number of L.

    .. math:: d\, \frac{1}{L+1} \binom{2L}{L} \Bigl(\frac dn\Bigr)^L.

    It is no bound: `looped_minimum` tends to it for fixed L, d → ∞ and d / n → 0, and says why. The
    relative difference is of the order 1/d + d/n there, with factors that grow with L.

    Parameters
    ----------
    n, d : int
        Number of inputs and their dimension, at least 1.
    L : int
        Number of loops, from 0 to 1000.

    Raises
    ------
    DTypeError, ShapeError
        If a number is no whole number, or too small or too large.
    ArgumentError
        If the numbers are too long for their powers.

    Examples
    --------
    >>> semicircle_loss(10**8, 10**4, 1)
    Fraction(1, 1)
    """
    n, d, L = _sizes(n, d, L)
    return d * math.comb(2 * L, L) // (L + 1) * Fraction(d, n) ** L


def earlier_bound_squared(n: int, d: int, L: int) -> Fraction:
    r"""Return the square of :math:`d^{5/2} L\, 4^L / \sqrt n`, below which an earlier theorem gets no loss.

    From L = 1 on it is above the loss of one step, :math:`\frac{d (d+1)}{n+d+1}`, whatever n and d. It rises
    with L, and at L = 1 its square over that of the loss is

    .. math::
        \frac{16\, d^3 (n+d+1)^2}{n (d+1)^2} \ge \frac{64\, d^3}{d+1} \ge 32,
        \quad\text{as}\quad (n+d+1)^2 \ge 4 n (d+1).

    Parameters and errors are those of `semicircle_loss`.

    Notes
    -----
    Gatmiry et al. (2024), Theorem 4.2, as Huang et al. (2025), Section 5, quote it.

    Examples
    --------
    >>> earlier_bound_squared(20, 10, 1) > looped_loss(20, 10, 1, "20/31") ** 2
    True
    """
    n, d, L = _sizes(n, d, L)
    return Fraction(d**5 * L**2 * 16**L, n)


def _sizes(n: int, d: int, L: int) -> tuple[int, int, int]:
    n, d, L = plain_count("n", n, 1), plain_count("d", d, 1), plain_count("L", L, 0, LARGEST_STEPS)
    require_few_bits(max(L, 1), n, d, name="L")
    return n, d, L
