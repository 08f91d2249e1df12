r"""GD++: gradient descent that also transforms its inputs, and what that does to the loss's curvature.

The transformation :math:`x \leftarrow (I - \gamma X X^T) x` takes every eigenvalue λ of :math:`X X^T` to
:math:`f(\lambda, \gamma) = \lambda (1 - \gamma \lambda)^2`. For γ > 0 this f rises up to λ = 1/(3γ), falls
to 0 at λ = 1/γ and rises from there on; for γ ≤ 0 it rises throughout. Von Oswald et al. (2023), Appendix
A.10. Condition numbers are exact: floats are refused, because they are seldom the number that was meant.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from gdtheory.arguments import as_fraction, listed, whole_number
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError, shown
from gdtheory.matrices import exact_number, matrices, number_like
from gdtheory.namespace import Array, Scalar


def transformed_inputs(x: Array, X: Array, gamma: Scalar) -> Array:
    r"""Return :math:`(I - \gamma X X^T) x` for the columns of x.

    Parameters
    ----------
    x : array, shape (N_x, n)
        What to transform.
    X : array, shape (N_x, N)
        The inputs in context.
    gamma : number

    Returns
    -------
    array, shape (N_x, n)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arguments do not fit together or are no finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> transformed_inputs(X, X, gamma=0.125)
    array([[0.875, 0.   ],
           [0.   , 1.   ]])
    """
    x, X = matrices(x=(x, "N_x", "n"), X=(X, "N_x", "N"))
    return x - X @ (X.T @ x) * number_like("gamma", gamma, X)


def gdpp_step(
    X: Array, x: Array, Y: Array, F: Array, f: Array, eta: Scalar, gamma: Scalar
) -> tuple[Array, Array, Array, Array]:
    r"""Return the inputs and the predictions after one step of GD++.

    With the residuals :math:`R = Y - F` a gradient-descent step from 0 on the loss
    :math:`\frac{1}{2N} \sum_i \|\Delta W x_i - r_i\|^2` is :math:`\Delta W = \frac{\eta}{N} R X^T`. The
    predictions move by :math:`\Delta W [X, x]`, and the inputs are transformed, all with the X before it.

    Parameters
    ----------
    X : array, shape (N_x, N)
        The current inputs in context.
    x : array, shape (N_x, n)
        The current inputs to predict at.
    Y, F : array, shape (N_y, N)
        The targets, and the predictions so far.
    f : array, shape (N_y, n)
        The predictions so far at x.
    eta, gamma : number
        Learning rate, for the loss averaged over N and halved; how far the inputs are transformed.

    Returns
    -------
    tuple of array
        The next X, x, F and f.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arguments do not fit together or are no finite numbers.
    """
    X, x, Y, F, f = matrices(
        X=(X, "N_x", "N"), x=(x, "N_x", "n"), Y=(Y, "N_y", "N"), F=(F, "N_y", "N"), f=(f, "N_y", "n")
    )
    rate = number_like("eta", eta, X) / whole_number("N", X.shape[1], 1)
    Delta_W = (Y - F) @ X.T * rate
    moved = transformed_inputs(X, X, gamma), transformed_inputs(x, X, gamma)
    return *moved, F + Delta_W @ X, f + Delta_W @ x


def transformed_eigenvalue(eigenvalue: Scalar, gamma: Scalar) -> Scalar:
    r"""Return :math:`f(\lambda, \gamma) = \lambda (1 - \gamma\lambda)^2`, over any kind of number.

    A DTypeError or NonFiniteError refuses what is no number, or NaN or infinity, or a result too large for
    a float. Integers count as fractions.

    Examples
    --------
    >>> transformed_eigenvalue(2, Fraction(1, 4))
    Fraction(1, 2)
    """
    eigenvalue, gamma = _number("eigenvalue", eigenvalue), _number("gamma", gamma)

    def formula() -> Scalar:
        kept = 1 - gamma * eigenvalue
        return eigenvalue * kept * kept

    return _in_range("eigenvalue", formula)


# ------------------------------------------------------------------------------ condition numbers


def extreme_eigenvalues(spectrum: Iterable[Any], gamma: Any) -> tuple[Fraction, Fraction]:
    r"""Return the largest and the least f(λ, γ) over a spectrum, each from three candidates.

    The largest is at :math:`\lambda_1` or at one of the two eigenvalues next to 1/(3γ), the least at
    :math:`\lambda_n` or at one of the two next to 1/γ; for γ ≤ 0 they are at the ends.

    Parameters
    ----------
    spectrum : iterable of int, Fraction or str
        The eigenvalues of :math:`X X^T` in any order: at least one, none below 0.
    gamma : int, Fraction or str

    Returns
    -------
    tuple of Fraction

    Raises
    ------
    ShapeError
        If there is no eigenvalue.
    ArgumentError
        If one is negative.
    DTypeError
        If one, or gamma, is no exact number.

    Notes
    -----
    Claim GDT-0021.

    Examples
    --------
    >>> extreme_eigenvalues([9, 4, 1], "1/5")
    (Fraction(144, 25), Fraction(4, 25))
    """
    ordered, gamma = _spectrum(spectrum), as_fraction("gamma", gamma)
    if gamma <= 0:
        return transformed_eigenvalue(ordered[-1], gamma), transformed_eigenvalue(ordered[0], gamma)
    return extremes_next_to(1 / (3 * gamma), 1 / gamma, ordered, gamma)


def extremes_next_to(
    peak: Fraction, root: Fraction, ordered: list[Fraction], gamma: Fraction
) -> tuple[Fraction, Fraction]:
    """Return the largest f of the last eigenvalue and those next to `peak`, and the least f likewise.

    The least is that of the first eigenvalue and those next to `root`; the eigenvalues ascend.
    """
    top = {ordered[-1], *_next_to(peak, ordered)}
    bottom = {ordered[0], *_next_to(root, ordered)}
    return (
        max(transformed_eigenvalue(eigenvalue, gamma) for eigenvalue in top),
        min(transformed_eigenvalue(eigenvalue, gamma) for eigenvalue in bottom),
    )


def extremes_on_interval(least: Any, largest: Any, gamma: Any) -> tuple[Fraction, Fraction]:
    r"""Return the largest and the least f(λ, γ) for λ in the interval [least, largest].

    They are at an end of the interval, or where the derivative :math:`(1-\gamma\lambda)(1-3\gamma\lambda)`
    vanishes inside.

    Parameters
    ----------
    least, largest : int, Fraction or str
        The ends: 0 ≤ least ≤ largest.
    gamma : int, Fraction or str

    Returns
    -------
    tuple of Fraction

    Raises
    ------
    ArgumentError
        If the ends are negative or in the wrong order.
    DTypeError
        If an argument is no exact number.

    Examples
    --------
    >>> extremes_on_interval(1, 4, "1/7")
    (Fraction(28, 27), Fraction(36, 49))
    """
    ends = _interval(least, largest)
    gamma = as_fraction("gamma", gamma)
    critical = [1 / gamma, 1 / (3 * gamma)] if gamma else []
    inside = [point for point in critical if ends[0] < point < ends[1]]
    values = [transformed_eigenvalue(eigenvalue, gamma) for eigenvalue in (*ends, *inside)]
    return max(values), min(values)


def condition_number(spectrum: Iterable[Any], gamma: Any) -> Fraction | float:
    r"""Return :math:`\kappa^{++}`, the largest over the least f(λ, γ) over a spectrum.

    Parameters and errors are those of `extreme_eigenvalues`.

    Returns
    -------
    Fraction or float
        Infinity, a float, where the least one is 0: if λ = 0 is in the spectrum, as it is whenever there
        are fewer inputs than dimensions, or if γλ = 1 for one of the eigenvalues. So it is, by convention,
        where all are 0.

    Examples
    --------
    >>> condition_number([4, 1], 0), condition_number([4, 1], "1/12"), condition_number([4, 0], 0)
    (Fraction(4, 1), Fraction(256, 121), inf)
    """
    return _quotient(*extreme_eigenvalues(spectrum, gamma))


def condition_number_on_interval(least: Any, largest: Any, gamma: Any) -> Fraction | float:
    r"""Return the largest over the least f(λ, γ) for λ in an interval: the worst κ⁺⁺ of a spectrum in it.

    Parameters and errors are those of `extremes_on_interval`; it is infinity, a float, where the least
    is 0.

    Examples
    --------
    >>> condition_number_on_interval(1, 4, "1/7")
    Fraction(343, 243)
    """
    return _quotient(*extremes_on_interval(least, largest, gamma))


def inverse_condition_number(largest: Fraction, least: Fraction) -> Fraction:
    """Return 1/κ, the least over the largest eigenvalue: a fraction even where κ is infinite, 0."""
    return least / largest if least else least


def best_gamma(a: Scalar, b: Scalar) -> Scalar:
    r"""Return the γ of the least condition number on an interval, :math:`\gamma_* = 1/(a^2 + ab + b^2)`.

    Parameters
    ----------
    a, b : number
        The square roots of the interval's ends: the largest and the least singular value of X, not both 0.

    Returns
    -------
    number
        :math:`1/(\lambda_1+\sqrt{\lambda_1\lambda_n}+\lambda_n)`, of the kind of number of a and b;
        integers count as fractions.

    Raises
    ------
    ArgumentError
        If both are 0.
    DTypeError, NonFiniteError
        If one is no number, or NaN or infinity, or a square or the result leaves the range of floats.

    Notes
    -----
    Claim GDT-0026.

    Examples
    --------
    >>> best_gamma(2, 1)
    Fraction(1, 7)
    """
    a, b = _number("a", a), _number("b", b)
    if all(isinstance(end, Real) and end == 0 for end in (a, b)):
        raise ArgumentError("a", expected="a or b other than 0", got="0 and 0")
    q = _in_range("a", lambda: a * a + a * b + b * b)
    return _in_range("a", lambda: 1 / q)


def _number(name: str, value: Any) -> Scalar:
    """Return a number of any kind, integers as fractions; refuse what is none."""
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise NonFiniteError(name, expected="a finite number", got=value)
        return value
    if getattr(value, "free_symbols", None) or hasattr(value, "__gdtheory_namespace__"):
        return value
    with contextlib.suppress(DTypeError):
        return exact_number(name, value)
    raise DTypeError(name, expected="a float or an exact number", got=shown(value))


def _in_range(name: str, formula: Callable[[], Scalar]) -> Scalar:
    """Return what a formula gives; refuse a float that has left the range of its kind."""
    try:
        with np.errstate(all="ignore"):
            result = formula()
    except (OverflowError, ZeroDivisionError):  # from a float that is too large or rounded to 0
        result = math.inf
    if isinstance(result, (float, np.floating)) and not np.isfinite(result):
        raise NonFiniteError(name, expected="a result in the range of floats", got=result)
    return result


def _spectrum(spectrum: Iterable[Any]) -> list[Fraction]:
    """Return the eigenvalues as fractions in ascending order."""
    eigenvalues = listed("spectrum", spectrum, "the eigenvalues, in a list")
    ordered = sorted(as_fraction("spectrum", eigenvalue) for eigenvalue in eigenvalues)
    if not ordered:
        raise ShapeError("spectrum", expected="at least one eigenvalue", got="none")
    if ordered[0] < 0:
        raise ArgumentError("spectrum", expected="eigenvalues from 0 on", got=ordered[0])
    return ordered


def _interval(least: Any, largest: Any) -> tuple[Fraction, Fraction]:
    ends = as_fraction("least", least), as_fraction("largest", largest)
    if ends[0] < 0:
        raise ArgumentError("least", expected="a number from 0 on", got=least)
    if ends[1] < ends[0]:
        raise ArgumentError("largest", expected=f"a number from {ends[0]} on", got=largest)
    return ends


def _next_to(point: Fraction, ordered: list[Fraction]) -> list[Fraction]:
    """Return the last eigenvalue up to a point and the first one from it on, where there are such."""
    up_to = [eigenvalue for eigenvalue in ordered if eigenvalue <= point]
    onwards = [eigenvalue for eigenvalue in ordered if eigenvalue >= point]
    return [*up_to[-1:], *onwards[:1]]


def _quotient(largest: Fraction, least: Fraction) -> Fraction | float:
    return largest / least if least else math.inf
