"""Where chain of thought beats one gradient step, and what the best learning rate reaches.

Setting, losses and rates are those of `gdtheory.cot.evaluation`.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from gdtheory.arguments import Rate, exact_rate, listed, plain_count
from gdtheory.cot.evaluation import LARGEST_STEPS, evaluation_loss, polynomial_at, require_few_bits, sizes
from gdtheory.errors import ArgumentError
from gdtheory.text import short_repr
from gdtheory.wishart.one_row import trace_moments

Ends = tuple[Fraction, Fraction]
"""The ends of an interval."""

SMALLEST_WIDTH = Fraction(1, 10**30)
"""The narrowest interval of a learning rate: finer fractions take minutes."""


def best_single_step(n: int, d: int) -> tuple[Fraction, Fraction]:
    r"""Return the best learning rate of one step, :math:`n / (n+d+1)`, and its loss.

    .. math:: L = \frac{d (d + 1)}{2 (n + d + 1)}.

    Huang et al. (2025), Theorem 3.1 and Corollary 3.1: no layer does better without chain of thought.

    Parameters
    ----------
    n, d : int
        Number of inputs and their dimension, at least 1.

    Raises
    ------
    DTypeError, ShapeError
        If a number is no whole number, or too small or too large.

    Examples
    --------
    >>> best_single_step(20, 10)
    (Fraction(20, 31), Fraction(55, 31))
    """
    n, d, _ = sizes(n, d, 1)
    return Fraction(n, n + d + 1), Fraction(d * (d + 1), 2 * (n + d + 1))


def winning_range(n: int, d: int, eta: Rate, *, most_steps: int = 400) -> tuple[int, int] | None:
    r"""Return the least and the largest k for which chain of thought beats every layer without it.

    The losses of k generated tokens with the learning rate eta are below
    :math:`\frac{d (d+1)}{2 (n+d+1)}` for these k and all k between, and for no other.

    Parameters
    ----------
    n, d : int
        Number of inputs and their dimension, at least 1.
    eta : int, Fraction, str or float
        Learning rate; a float is taken exactly as its binary value.
    most_steps : int
        The losses are looked at up to this number of steps, that is up to k = most_steps - 1. It takes
        a second or so at the default and up to half a minute at 1000, the largest.

    Returns
    -------
    (int, int) or None
        The range with both of its ends; None if no k wins, which is so for every eta not above 0.

    Raises
    ------
    ArgumentError
        If the losses go on falling, or winning, up to `most_steps`; or are too long.
    DTypeError, NonFiniteError, ShapeError
        As `evaluation_loss`.

    Notes
    -----
    The loss is the moment of order `steps` of the eigenvalues of :math:`(I - \eta S)^2`, which are not
    negative. So it is convex in `steps`, by Cauchy and Schwarz even log-convex: once it has not fallen, it
    never falls again. For eta ≠ 0 it grows without end, faster than every geometric sequence, as the
    eigenvalues of S have no bound. So every range ends, though small rates or many inputs put its end far
    away. One step never wins, hence k ≥ 1.

    This is about means. They rise by those S alone that have an eigenvalue beyond 2 / eta, however rare: at
    n = 20, d = 10, eta = 2/5 and 30 steps the mean is 1 544 481, while the median over 20 000 S is 0.02.

    Examples
    --------
    >>> winning_range(20, 10, "2/5")
    (1, 21)
    >>> winning_range(20, 10, 2) is None
    True
    """
    eta, one_step = exact_rate("eta", eta), best_single_step(n, d)[1]
    most_steps = plain_count("most_steps", most_steps, 1, LARGEST_STEPS)
    if eta <= 0:
        return None  # for all eigenvalues of S, 1 - eta s is at least 1

    @cache
    def loss(steps: int) -> Fraction:
        return evaluation_loss(n, d, steps, eta)

    lowest = bisect_left(range(most_steps), True, key=lambda steps: loss(steps + 1) >= loss(steps))
    if lowest < most_steps and loss(lowest) >= one_step:
        return None
    first = bisect_left(range(lowest), True, key=lambda steps: loss(steps) < one_step)
    beyond = bisect_left(range(most_steps + 1), True, lowest, key=lambda steps: loss(steps) >= one_step)
    if lowest == most_steps or beyond > most_steps:
        more = f"more than {most_steps} steps or " if most_steps < LARGEST_STEPS else ""
        so_far = "no k wins" if loss(lowest) >= one_step else f"every k from {first - 1} on wins"
        got = f"{most_steps}: {so_far} up to there, and the range goes on"
        raise ArgumentError("most_steps", expected=f"{more}a larger rate, or fewer examples", got=got)
    return first - 1, beyond - 2


# --------------------------------------------------------------------------- the best rate


@dataclass(frozen=True, slots=True, repr=False)
class LeastLoss:
    """Where a loss is least and how small it is there, each in an interval with fractions as ends."""

    eta: Ends
    loss: Ends

    __repr__ = short_repr


def best_rate(n: int, d: int, steps: int, *, width: Rate = "1e-12") -> LeastLoss:
    r"""Return the best learning rate of some steps, and the least loss, in intervals that hold them.

    As a function of eta, :math:`\tfrac12 E \operatorname{tr} (I - \eta S)^{2 \cdot steps}` is strictly
    convex. So it is least where its slope changes sign, which bisection finds, and it lies above its
    tangents at both ends.

    Parameters
    ----------
    n, d : int
        Number of inputs and their dimension, at least 1.
    steps : int
        From 1 to 1000.
    width : int, Fraction, str or float
        Largest width of the interval of eta; that of the loss goes with its square.

    Raises
    ------
    ArgumentError
        If the width is below 1e-30, or the fractions are too long.
    DTypeError, NonFiniteError, ShapeError
        As `evaluation_loss`.

    Examples
    --------
    >>> best_rate(20, 10, 1).loss
    (Fraction(55, 31), Fraction(55, 31))
    >>> best = best_rate(20, 10, 6)
    >>> round(float(best.eta[0]), 6), round(float(best.loss[0]), 6)
    (0.560385, 0.354608)
    """
    n, d, steps = sizes(n, d, steps, least=1)
    width = exact_rate("width", width)
    if width < SMALLEST_WIDTH:
        raise ArgumentError("width", expected="at least 1e-30", got=width)
    finest = 4 * math.ceil(1 / width)  # the bits that bisection adds to either side of a fraction
    require_few_bits(steps, n, n, n + d, finest, finest)
    moments = trace_moments(2 * steps, n, d)
    signed = [(-1) ** r * math.comb(2 * steps - 1, r) * moments[r + 1] for r in range(2 * steps)]

    def slope(eta: Fraction) -> Fraction:
        """Return minus steps times E tr S (I - eta S)^(2 steps - 1)."""
        return Fraction(-steps, n) * polynomial_at(signed, eta / n)

    low, high = Fraction(0), best_single_step(n, d)[0]
    while (at_high := slope(high)) < 0:
        low, high = high, 2 * high
    if at_high == 0:
        low = high
    while high - low > width:
        middle = (low + high) / 2
        at_middle = slope(middle)
        low = middle if at_middle <= 0 else low
        high = middle if at_middle >= 0 else high
    at_low, at_high = evaluation_loss(n, d, steps, low), evaluation_loss(n, d, steps, high)
    tangents = at_low + slope(low) * (high - low), at_high - slope(high) * (high - low)
    return LeastLoss((low, high), (max(tangents), min(at_low, at_high)))


# ------------------------------------------------------------------------------------ a table


@dataclass(frozen=True, slots=True, repr=False)
class LossRow:
    """Losses of the same task, all of them half the mean squared error.

    Attributes
    ----------
    n, d, k, eta
        Number of inputs, their dimension, generated tokens and learning rate.
    cot : Fraction
        `evaluation_loss` of k + 1 steps.
    one_step : Fraction
        The least loss without chain of thought.
    looped : (Fraction, Fraction)
        Around the least loss of k + 1 steps whatever their common rate, which k + 1 loops reach.
    """

    n: int
    d: int
    k: int
    eta: Fraction
    cot: Fraction
    one_step: Fraction
    looped: Ends

    __repr__ = short_repr


def loss_table(
    ns: Iterable[int], ds: Iterable[int], ks: Iterable[int], etas: Iterable[Rate]
) -> list[LossRow]:
    """Return a row for every n, d, k and eta, in this order, the last of them changing fastest.

    Errors are those of `evaluation_loss`, and name the list.

    Examples
    --------
    >>> [row] = loss_table([20], [10], [5], ["2/5"])
    >>> row.cot < row.one_step, row.looped[1] < row.cot
    (True, True)
    """
    rates = [exact_rate("etas", eta) for eta in listed("etas", etas, "a list of numbers")]
    n_list = [plain_count("ns", n, 1) for n in listed("ns", ns, "a list of numbers")]
    d_list = [plain_count("ds", d, 1) for d in listed("ds", ds, "a list of numbers")]
    k_list = [plain_count("ks", k, 0, LARGEST_STEPS - 1) for k in listed("ks", ks, "a list of numbers")]
    rows = []
    for n, d, k in itertools.product(n_list, d_list, k_list):
        one_step, looped = best_single_step(n, d)[1], best_rate(n, d, k + 1).loss
        for eta in rates:
            rows.append(LossRow(n, d, k, eta, evaluation_loss(n, d, k + 1, eta), one_step, looped))
    return rows
