r"""The least chain-of-thought loss of a layer with V = v I and W = w I, exactly.

On this plane the loss of `gdtheory.cot.population` is a quadratic function of v and u = v w,

.. math::
    L = \tfrac{d}{2} \bigl[ a u^2 - 2 b u v + c v^2 - 2 (e u - v) \bigr] + \tfrac12 r, \qquad
    a = \tfrac1d \sum_i E \operatorname{tr} S^2 P_i^2, \;
    b = \tfrac1d \sum_i E \operatorname{tr} S^2 P_i, \;
    c = \tfrac1d \sum_i E \operatorname{tr} S^2, \;
    e = \tfrac1d \sum_i E \operatorname{tr} S P_i R_i.

By Cauchy and Schwarz :math:`a c > b^2` unless all P_i are zero: P_0 = 0, so (P_i) is no multiple of (I).
So there is one minimum, where a u - b v = e and c v - b u = -1; in (v, w) there is but one other stationary
point, the saddle (0, 1 / e).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from gdtheory.arguments import Rate, exact_rate
from gdtheory.cot.coefficients import Coefficients, loss_coefficients
from gdtheory.errors import ArgumentError
from gdtheory.namespace import Scalar
from gdtheory.text import short_repr


@dataclass(frozen=True, slots=True, repr=False)
class Minimiser:
    """The least loss among V = v I and W = w I, and where; `w` is None where every w is as good."""

    v: Scalar
    w: Scalar | None
    loss: Scalar

    __repr__ = short_repr


def scalar_form(x: Coefficients, d: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Return a, b, c and e, over any kind of number."""
    a = x.a0 + (x.a1 * 2 + x.a2) * (d + 1) + x.a3 * (d**2 + 3 * d + 4)
    return a, x.alpha_F + x.beta_F * (d + 1), x.c, x.alpha_K + x.beta_K * (d + 1)


def minimum(x: Coefficients, d: Scalar) -> Minimiser:
    """Return the stationary point where V is not zero, over any kind of number.

    Raises
    ------
    ArgumentError
        If a c = b² or b e = a: there is no such point, or more than one.
    """
    a, b, c, e = scalar_form(x, d)
    minor = a * c - b**2
    if minor == 0 or b * e == a:
        raise ArgumentError("coefficients", expected="a c ≠ b² and b e ≠ a", got=x)
    loss = (x.r - (a - b * e * 2 + c * e**2) * d / minor) / 2
    return Minimiser((b * e - a) / minor, (c * e - b) / (b * e - a), loss)


def scalar_minimiser(n: int, d: int, k: int, eta: Rate) -> Minimiser:
    r"""Return the one minimum of the loss over V = v I and W = w I.

    .. math::
        v = \frac{b e - a}{a c - b^2}, \quad w = \frac{c e - b}{b e - a}, \quad
        L = \tfrac12 r - \tfrac{d}{2} \, \frac{a - 2 b e + c e^2}{a c - b^2}.

    Without steps (k = 0 or eta = 0) W has no effect: v = -1/c, and `w` is None. For k = 0 this is minus the
    best learning rate of one step, n / (n + d + 1).

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
        If b e = a, where the least value is only approached, as v falls to 0 and v w does not; or if `eta`
        has so many digits that its powers would take very long.

    Notes
    -----
    The loss is that of Huang et al. (2025), eqs. (5) and (6). By symmetry the gradient over all V and W is
    zero there as well (GDT-0095); but it may be a saddle in skew directions, and other matrices may have a
    smaller loss, as for small rates (GDT-0097, GDT-0098).

    Examples
    --------
    >>> best = scalar_minimiser(20, 10, 1, "2/5")
    >>> round(float(best.v), 5), round(float(best.w), 5), round(float(best.loss), 5)
    (-0.48348, 0.86404, 1.36003)
    >>> scalar_minimiser(20, 10, 0, "2/5")
    Minimiser(v=Fraction(-20, 31), w=None, loss=Fraction(55, 31))
    """
    x = loss_coefficients(n, d, k, eta)
    a, b, c, e = scalar_form(x, d)
    if a == 0:
        return Minimiser(-1 / c, None, (x.r - d / c) / 2)
    if b * e == a:
        raise ArgumentError("eta", expected="a rate for which the minimum exists, b e ≠ a", got=eta)
    return minimum(x, d)


def distance_to_gd(n: int, d: int, k: int, eta: Rate) -> tuple[Fraction, Fraction]:
    """Return v + eta and w - 1 at the minimum: both are zero if the layer takes the steps that it is taught.

    Parameters and errors are those of `scalar_minimiser`; with k = 0 or eta = 0 there is no w, and that is
    an ArgumentError too.

    Notes
    -----
    The last token asks for w* itself, so more examples alone do not bring the distance to zero: for n → ∞
    and k = 1 the loss vanishes at v = -eta and w = (2 eta - 1) / eta², not at w = 1.

    Examples
    --------
    >>> [round(float(w), 3) for _, w in (distance_to_gd(20 * 8**i, 10, 1, "2/5") for i in range(5))]
    [-0.136, -1.126, -2.032, -2.221, -2.246]
    >>> [round(float(w), 3) for _, w in (distance_to_gd(10**6, 10, k, "2/5") for k in (1, 2, 4, 8, 16))]
    [-2.25, -0.736, -0.103, -0.005, -0.0]
    """
    best = scalar_minimiser(n, d, k, eta)
    if best.w is None:
        raise ArgumentError("k, eta", expected="k at least 1 and eta not 0", got=(k, eta))
    return best.v + exact_rate("eta", eta), best.w - 1
