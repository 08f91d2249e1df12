"""Certified least mean losses: of gradient descent over eta, of two layers of GD++ over eta and gamma."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from gdtheory.arguments import positive, whole_number
from gdtheory.errors import ArgumentError, UndecidedError
from gdtheory.reference.intervals import Interval, point, polynomial_within
from gdtheory.reference.moments import Law
from gdtheory.reference.population import Exact, LossPolynomial, expected_trace, loss_polynomial

BITS = (80, 160, 320, 640, 1280)  # to which critical points are found, until they are told apart

Place = tuple[Interval, Interval]
"""Where eta and gamma are."""

Polynomial = Any
"""A polynomial of SymPy, which is imported late."""


@dataclass(frozen=True, slots=True, repr=False)
class Minimum:
    """Where a loss is least and how small it is there, each with an interval that certainly holds it.

    Attributes
    ----------
    eta, gamma, loss : float
        The middles of the intervals.
    eta_interval, gamma_interval, loss_interval : Interval
        With fractions as ends.
    unique : bool
        Whether the loss is certainly greater everywhere else. If not, this is one of several candidates
        whose losses the tolerance does not tell apart.
    """

    eta_interval: Interval
    gamma_interval: Interval
    loss_interval: Interval
    unique: bool

    def __repr__(self) -> str:
        """Return the middles alone: the ends are fractions of many digits."""
        found = f"eta≈{self.eta:.8g}, gamma≈{self.gamma:.8g}, loss≈{self.loss:.8g}"
        return f"Minimum({found}, unique={self.unique})"

    @property
    def eta(self) -> float:
        """The learning rate, as a float."""
        return float(self.eta_interval.middle)

    @property
    def gamma(self) -> float:
        """The gamma of GD++, as a float; 0 for gradient descent."""
        return float(self.gamma_interval.middle)

    @property
    def loss(self) -> float:
        """The loss, as a float."""
        return float(self.loss_interval.middle)


def least_gd_loss(
    law: Law, d: int, N: int, K: int, *, half: bool = True, tolerance: Exact = "1e-12"
) -> Minimum:
    r"""Return the least mean loss of K steps of gradient descent with one learning rate.

    The loss is a multiple of :math:`E \operatorname{tr} (I - \eta S)^{2K}`, which is strictly convex in
    eta. So its derivative has one real root, and that is the minimum.

    Parameters
    ----------
    law, d, N, half
        As for `gdtheory.reference.population.one_step_loss`.
    K : int
        Number of steps, at least 1.
    tolerance : int, Fraction or str
        Largest width of the intervals, as a share of the numbers in them.

    Raises
    ------
    DTypeError, ShapeError, ArgumentError
        If `law` is no law, a size too small or no whole number, or the tolerance not above 0.

    Examples
    --------
    >>> from gdtheory.reference.moments import Uniform
    >>> least_gd_loss(Uniform("1/2"), 10, 10, 1).loss_interval.high
    Fraction(245, 1188)
    """
    K, tolerance = whole_number("K", K, 1), positive("tolerance", tolerance)
    loss = loss_polynomial(law, d, N, K, curvature=False, half=half)
    slope = _polynomial(loss).diff().exclude().sqf_part()  # in eta alone
    return _least(loss, lambda bits: [(eta, point(0)) for eta in _real_roots(slope, bits)], tolerance)


def least_loss_of_degree(law: Law, d: int, N: int, degree: int, *, half: bool = True) -> Fraction:
    r"""Return the least mean loss that an error :math:`w^T M x` can have, M a polynomial in S with M(0) = I.

    It is reached by as many steps of gradient descent as the degree says, with the best learning rate in
    each; two layers of GD++ have degree 4, whatever eta and gamma are in each, and cannot go below it.

    Parameters
    ----------
    law, d, N, half
        As for `gdtheory.reference.population.one_step_loss`.
    degree : int
        Largest power of S in M, at least 0.

    Raises
    ------
    DTypeError, ShapeError, ArgumentError
        If `law` is no law, a number is no count, or S has fewer eigenvalues other than 0 than the degree.

    Notes
    -----
    With :math:`t_p = E \operatorname{tr} S^p` the least value of
    :math:`E \operatorname{tr} (I + c_1 S + \dots + c_k S^k)^2` is

    .. math:: \det (t_{i+j})_{i,j=0}^k \,/\, \det (t_{i+j})_{i,j=1}^k,

    the squared distance of I from the span of the powers. The best M is orthogonal to all of
    S, ..., S^k, so an orthogonal polynomial of the eigenvalues weighted by themselves, with real, distinct
    and positive roots: the inverses of the learning rates.

    Examples
    --------
    >>> from gdtheory.reference.moments import Uniform
    >>> least_loss_of_degree(Uniform("1/2"), 10, 10, 1)
    Fraction(245, 1188)
    """
    degree = whole_number("degree", degree, 0)
    start = loss_polynomial(law, d, N, 0, curvature=False, half=half)[0, 0]
    traces = [expected_trace(law, d, N, p) for p in range(2 * degree + 1)]
    below = _gram(traces, 1, degree)
    if not below:
        raise ArgumentError("law", expected=f"at least {degree} eigenvalues of S other than 0", got=law)
    return start / d * _gram(traces, 0, degree) / below


def least_gdpp_loss(law: Law, d: int, N: int, *, half: bool = True, tolerance: Exact = "1e-12") -> Minimum:
    r"""Return the least mean loss of two layers of GD++ with the same eta and gamma in both.

    Parameters and errors are those of `least_gd_loss`; also an ArgumentError for laws and sizes to which
    the argument below does not apply.

    Notes
    -----
    The loss is a multiple of :math:`L = E \operatorname{tr} M^2` with

    .. math::
        M = (I - \eta S)(I - \eta S H^2) = I - 2\eta S + (\eta^2 + 2\eta g) S^2
        - (2\eta^2 g + \eta g^2) S^3 + \eta^2 g^2 S^4, \quad H = I - g S, \; g = \gamma N.

    *There is a minimum.* Let the matrix of the numbers E tr S^(i+j), i, j = 1, ..., 4, be positive definite,
    which is checked. Then L bounds the four coefficients. So where L stays bounded, eta, eta g and eta g² do
    too; if g does not, then eta and eta g tend to 0 and, on a subsequence, eta g² to some c and L to
    :math:`E \operatorname{tr} (I - c S^3)^2 \ge d - (E \operatorname{tr} S^3)^2 / E \operatorname{tr} S^6`.
    This is what L can tend to at infinity, at the least, and the loss found is checked to be below it.

    *It is found.* The derivative by gamma has the factor eta, and on eta = 0 the derivative by eta,
    -2 E tr S (I + H²), is below 0. So at the minimum the polynomials :math:`f = \partial L / \partial \eta`
    and :math:`h = \eta^{-1} \partial L / \partial \gamma` vanish, both cubic in eta, and with them every
    combination of :math:`f, \eta f, \eta^2 f` and :math:`h, \eta h, \eta^2 h`. Among these are their
    subresultants: one is free of eta, the resultant R(gamma); one is p(gamma) + eta q(gamma). So gamma is
    one of the real roots of R, which SymPy isolates exactly, by Vincent's theorem, and eta = -p/q, where it
    is checked that q and R have no real root in common.

    Examples
    --------
    On the tasks of von Oswald et al. the best gamma, and by how much that which they read off trained layers
    (Appendix A.10) differs from it:

    >>> from gdtheory.reference.moments import Uniform
    >>> for N, trained in ((10, 0.179), (25, 0.099), (50, 0.056), (100, 0.029)):
    ...     gamma = least_gdpp_loss(Uniform("1/2"), 10, N).gamma
    ...     print(f"{N:3} {gamma:.5f} {trained / gamma - 1:+.1%}")
     10 0.17599 +1.7%
     25 0.09907 -0.1%
     50 0.05605 -0.1%
    100 0.02965 -2.2%
    """
    tolerance = positive("tolerance", tolerance)
    loss = loss_polynomial(law, d, N, 2, curvature=True, half=half)
    at_infinity = loss[0, 0] * _least_cubic_trace(law, d, N)
    p, q, R = _eliminated(law, loss)

    def places_to(bits: int) -> list[Place]:
        return [(-_within(p, gamma) / _within(q, gamma), gamma) for gamma in _real_roots(R, bits)]

    found = _least(loss, places_to, tolerance) if _real_roots(R, 0) else None
    if found is None or found.loss_interval.high >= at_infinity:
        raise ArgumentError("law", expected="a least loss below what it tends to at infinity", got=law)
    return found


@cache
def loss_bounds(
    law: Law, d: int, N: int, degree: int, *, gdpp: bool, half: bool
) -> tuple[Fraction, Fraction]:
    """Return the least losses of layers that share their rates and of any polynomial, to six decimals.

    The layers are two of GD++, or as many gradient-descent steps as the degree says. The decimals that follow
    are left out, so that the losses themselves are not below what is returned.
    """
    found = least_gdpp_loss(law, d, N, half=half) if gdpp else least_gd_loss(law, d, N, degree, half=half)
    shared, free = found.loss_interval.low, least_loss_of_degree(law, d, N, degree, half=half)
    return Fraction(math.floor(shared * 10**6), 10**6), Fraction(math.floor(free * 10**6), 10**6)


def _least_cubic_trace(law: Law, d: int, N: int) -> Fraction:
    """Return the least E tr (I - c S³)² / d; refuse laws for which L need not bound its coefficients."""
    traces = [expected_trace(law, d, N, p) for p in range(9)]
    if not _gram(traces, 1, 4):
        raise ArgumentError("law", expected="at least 4 eigenvalues of S other than 0", got=law)
    return 1 - traces[3] ** 2 / (traces[6] * d)


def _gram(traces: list[Fraction], first: int, last: int) -> Fraction:
    """Return det (E tr S^(i+j)) for i, j from first to last: above 0 unless these powers are dependent."""
    from sympy import Matrix

    size = last + 1 - first
    return Fraction(Matrix(size, size, lambda i, j: traces[i + j + 2 * first]).det())


# ------------------------------------------------------------------------------- critical points


def _polynomial(loss: LossPolynomial) -> Polynomial:
    """Return a positive multiple, with integer coefficients, of a loss."""
    from sympy import QQ, Poly, symbols

    terms = {powers: QQ(c.numerator, c.denominator) for powers, c in loss.items()}
    return Poly(terms, *symbols("eta gamma"), domain=QQ).clear_denoms(convert=True)[1]


def _eliminated(law: Law, loss: LossPolynomial) -> tuple[Polynomial, Polynomial, Polynomial]:
    """Return p, q and the squarefree part of R; refuse laws for which q has a real root of R."""
    from sympy import Poly

    L = _polynomial(loss)
    eta, gamma = L.gens
    f, h = L.diff(eta), L.diff(gamma).exquo(Poly(eta, eta, gamma))
    *_, linear, constant = (s.eject(gamma).all_coeffs() for s in f.subresultants(h))
    if (len(linear), len(constant)) == (2, 1):
        q, p, R = (Poly(c, gamma) for c in (*linear, *constant))
        if not R.gcd(q).intervals():
            return p, q, R.sqf_part()
    raise ArgumentError("law", expected="critical points with different gammas", got=law)


def _real_roots(p: Polynomial, bits: int) -> list[Interval]:
    """Return an interval of width 2^-bits around each real root of a squarefree polynomial, in order."""
    from sympy import QQ

    if p.degree() == 1:  # the root itself
        a, b = p.all_coeffs()
        return [point(Fraction(-b / a))]
    return [Interval(Fraction(x), Fraction(y)) for x, y in p.intervals(eps=QQ(1, 2**bits), sqf=True)]


def _within(p: Polynomial, x: Interval) -> Interval:
    """Return an interval that holds p at every number in x."""
    return polynomial_within([point(Fraction(c)) for c in p.all_coeffs()], x)


def _least(loss: LossPolynomial, places_to: Callable[[int], list[Place]], tolerance: Fraction) -> Minimum:
    """Return the least loss at the critical points, which `places_to` gives to a number of bits."""
    for bits in BITS:
        try:
            places = places_to(bits)
        except ZeroDivisionError:  # an interval still too wide to divide by
            continue
        losses = [_loss_within(loss, *place) for place in places]
        lowest, (eta, gamma) = min(zip(losses, places, strict=True), key=lambda pair: pair[0].high)
        rivals = [y for y in losses if y.low <= lowest.high]
        value = Interval(min(y.low for y in rivals), lowest.high)
        if all(x.width <= tolerance * abs(x.middle) for x in (eta, gamma, value)):
            return Minimum(eta, gamma, value, unique=len(rivals) == 1)
    raise UndecidedError("tolerance", expected=f"what roots to {BITS[-1]} bits reach", got=tolerance)


def _loss_within(loss: LossPolynomial, eta: Interval, gamma: Interval) -> Interval:
    """Return an interval that holds the loss at every eta and gamma of these."""
    degree_in_eta, degree_in_gamma = (max(powers) for powers in zip(*loss, strict=True))
    in_eta = [
        polynomial_within([point(loss.get((i, j), 0)) for j in reversed(range(degree_in_gamma + 1))], gamma)
        for i in reversed(range(degree_in_eta + 1))
    ]
    return polynomial_within(in_eta, eta)
