"""Certified least mean losses: of gradient descent over eta, of two layers of GD++ over eta and gamma."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from gdtheory.arguments import whole_number
from gdtheory.errors import ArgumentError, UndecidedError
from gdtheory.reference.moments import Law, positive
from gdtheory.reference.population import Exact, LossPolynomial, expected_trace, loss_polynomial
from gdtheory.reference.real_roots import (
    Interval,
    Polynomial,
    common_factor,
    derivative,
    determinant,
    enclosure,
    point,
    primitive,
    real_roots,
    refined,
    squarefree,
)

ROUNDS, HALVINGS = 40, 16  # comparisons of all candidates, and halvings of each before a comparison


@dataclass(frozen=True, slots=True)
class Minimum:
    """Where a loss is least and how small it is there, each with an interval that certainly holds it.

    Attributes
    ----------
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
    slope = squarefree(derivative(primitive(loss[i, 0] for i in range(2 * K + 1))))
    return _least(loss, slope, real_roots(slope), lambda eta: (eta, point(0)), tolerance)


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


def least_gd_plus_plus_loss(
    law: Law, d: int, N: int, *, half: bool = True, tolerance: Exact = "1e-12"
) -> Minimum:
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
    combination of :math:`f, \eta f, \eta^2 f` and :math:`h, \eta h, \eta^2 h`. One of these is free of eta,
    their resultant R(gamma); one is p(gamma) + eta q(gamma). So gamma is one of the real roots of R, which
    Sturm's theorem isolates, and eta = -p/q, where it is checked that q and R have no root in common.
    """
    tolerance = positive("tolerance", tolerance)
    loss = loss_polynomial(law, d, N, 2, curvature=True, half=half)
    at_infinity = loss[0, 0] * _least_cubic_trace(law, d, N)
    f = _in_eta({(i - 1, j): i * c for (i, j), c in loss.items() if i})
    h = _in_eta({(i - 1, j - 1): j * c for (i, j), c in loss.items() if j})
    R = primitive(determinant(_shifted(f, 3) + _shifted(h, 3)))
    rows = _shifted(f, 2) + _shifted(h, 2)
    q, p = (determinant([[*row[:3], row[last]] for row in rows]) for last in (3, 4))
    if not R or real_roots(squarefree(common_factor(R, q))):
        raise ArgumentError("law", expected="critical points with different gammas", got=law)
    R = squarefree(R)

    def place(gamma: Interval) -> tuple[Interval, Interval]:
        return -enclosure(p, gamma) * enclosure(q, gamma).reciprocal(), gamma

    candidates = []
    for gamma in real_roots(R):
        while 0 in enclosure(q, gamma):
            gamma = refined(R, gamma, HALVINGS)
        candidates.append(gamma)
    found = _least(loss, R, candidates, place, tolerance) if candidates else None
    if found is None or found.loss_interval.high >= at_infinity:
        raise ArgumentError("law", expected="a least loss below what it tends to at infinity", got=law)
    return found


def _least_cubic_trace(law: Law, d: int, N: int) -> Fraction:
    """Return the least E tr (I - c S³)² / d; refuse laws for which L need not bound its coefficients."""
    traces = [expected_trace(law, d, N, p) for p in range(9)]
    if not _gram(traces, 1, 4):
        raise ArgumentError("law", expected="at least 4 eigenvalues of S other than 0", got=law)
    return 1 - traces[3] ** 2 / (traces[6] * d)


def _gram(traces: list[Fraction], first: int, last: int) -> Fraction:
    """Return det (E tr S^(i+j)) for i, j from first to last: above 0 unless these powers are dependent."""
    powers = range(first, last + 1)
    return sum(determinant([[(traces[i + j],) for j in powers] for i in powers]), Fraction(0))


def _in_eta(coefficients: LossPolynomial) -> list[Polynomial]:
    """Return a multiple of a cubic in eta: its coefficients, polynomials in gamma, the leading one first."""
    scale = math.lcm(*(c.denominator for c in coefficients.values()))
    return [tuple(int(scale * coefficients.get((i, j), 0)) for j in range(5)) for i in reversed(range(4))]


def _shifted(cubic: list[Polynomial], count: int) -> list[list[Polynomial]]:
    """Return the coefficients of the cubic times eta^(count - 1), ..., eta, 1, as rows of a matrix."""
    return [[*[()] * k, *cubic, *[()] * (count - 1 - k)] for k in range(count)]


def _least(
    loss: LossPolynomial,
    p: Polynomial,
    candidates: list[Interval],
    place: Callable[[Interval], tuple[Interval, Interval]],
    tolerance: Fraction,
) -> Minimum:
    """Return the least loss at the roots of p that the candidates isolate and `place` locates."""
    for _ in range(ROUNDS):
        candidates = [refined(p, x, HALVINGS) for x in candidates]
        losses = [_loss_within(loss, *place(x)) for x in candidates]
        lowest, least = min(zip(losses, candidates, strict=True), key=lambda pair: pair[0].high)
        rivals = [(y, x) for y, x in zip(losses, candidates, strict=True) if y.low <= lowest.high]
        candidates, (eta, gamma) = [x for _, x in rivals], place(least)
        value = Interval(min(y.low for y, _ in rivals), lowest.high)
        if all(x.width <= tolerance * abs(x.middle) for x in (eta, gamma, value)):
            return Minimum(eta, gamma, value, unique=len(rivals) == 1)
    raise UndecidedError("tolerance", expected=f"what {ROUNDS * HALVINGS} halvings reach", got=tolerance)


def _loss_within(loss: LossPolynomial, eta: Interval, gamma: Interval) -> Interval:
    """Return an interval that holds the loss at every eta and gamma of these."""
    degree_in_eta, degree_in_gamma = (max(powers) for powers in zip(*loss, strict=True))
    total = point(0)
    for i in reversed(range(degree_in_eta + 1)):
        in_gamma = [loss.get((i, j), Fraction(0)) for j in range(degree_in_gamma + 1)]
        total = total * eta + enclosure(in_gamma, gamma)
    return total
