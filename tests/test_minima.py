"""Certified least losses: against searches, solved by hand, and what is refused."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import scipy.optimize
import sympy
from test_moments import LAW

from gdtheory.errors import ArgumentError, DTypeError, ShapeError, UndecidedError
from gdtheory.reference import minima
from gdtheory.reference.intervals import Interval, point
from gdtheory.reference.minima import least_gd_loss, least_gdpp_loss, least_loss_of_degree
from gdtheory.reference.moments import Gaussian, ThreePoint, Uniform
from gdtheory.reference.population import expected_trace, loss_at, loss_polynomial, one_step_optimum

HALF_UNIFORM = Uniform("1/2")
PLACES = [
    (HALF_UNIFORM, 10, 10),
    (Gaussian(1), 10, 10),
    (Uniform(1), 1, 1),
    (Gaussian("1/2"), 2, 5),
    (ThreePoint(1, "1/4"), 5, 2),
    (ThreePoint(1, "1/2"), 3, 3),
    (ThreePoint(1, "1/2"), 2, 50),  # here and below it is neither the first nor the last critical point
    (Uniform(1), 1, 100),
]


@cache
def certified(law, d, N):
    """The least loss of GD++, far more narrowly than by default."""
    return least_gdpp_loss(law, d, N, tolerance="1e-30")


def search(law, d, N):
    """The least loss of GD++ that Nelder and Mead find from many starts, in units where E tr S / d is 1."""
    unit = float(expected_trace(law, d, N, 1)) / d
    terms = [(i, j, float(c)) for (i, j), c in loss_polynomial(law, d, N, 2, curvature=True).items()]

    def loss(at):
        eta, gamma = at[0] / unit, at[1] / unit / N
        return sum(c * eta**i * gamma**j for i, j, c in terms)

    options = {"xatol": 1e-7, "fatol": 1e-12}
    starts = itertools.product((0.3, 1, 2), (-1, 0, 0.3, 1))
    return min(
        scipy.optimize.minimize(loss, start, method="Nelder-Mead", options=options).fun for start in starts
    )


@pytest.mark.parametrize(("law", "d", "N"), PLACES, ids=str)
def test_a_search_finds_the_certified_minimum(law, d, N):
    found = certified(law, d, N)
    assert found.unique
    assert search(law, d, N) == pytest.approx(found.loss, rel=1e-6)
    polynomial = loss_polynomial(law, d, N, 2, curvature=True)
    there = loss_at(polynomial, found.eta_interval.middle, found.gamma_interval.middle)
    assert found.loss_interval.low <= there <= found.loss_interval.high


def test_all_critical_points_are_candidates(monkeypatch):
    """Newton's method from many starts finds four, and so many gammas are compared."""
    compared = []

    def least(loss, places_to, tolerance):
        compared.extend(places_to(60))
        return found

    found = least_gdpp_loss(HALF_UNIFORM, 10, 10)
    monkeypatch.setattr(minima, "_least", least)
    least_gdpp_loss(HALF_UNIFORM, 10, 10)
    polynomial = loss_polynomial(HALF_UNIFORM, 10, 10, 2, curvature=True)
    at = sympy.symbols("eta gamma")
    loss = sum(float(c) * at[0] ** i * at[1] ** j for (i, j), c in polynomial.items())
    slope = sympy.lambdify(at, [sympy.diff(loss, at[0]), sympy.diff(loss, at[1]) / at[0]])
    points = set()
    for start in itertools.product((0.1, 3, 6, 9, 12), np.linspace(-1, 3, 17)):
        end, _, solved, _ = scipy.optimize.fsolve(lambda v: slope(*v), start, full_output=True, xtol=1e-12)
        if solved == 1:
            points.add((round(float(end[1]), 5), round(float(end[0]), 5)))
    assert len(points) == len(compared) == 4
    for (gamma, eta), (eta_interval, gamma_interval) in zip(sorted(points), compared, strict=True):
        assert eta == pytest.approx(float(eta_interval.middle), abs=1e-4)
        assert gamma == pytest.approx(float(gamma_interval.middle), abs=1e-4)


@pytest.mark.parametrize(("law", "d", "N"), PLACES, ids=str)
@pytest.mark.parametrize("K", [1, 2, 3])
def test_a_search_finds_the_certified_minimum_of_gradient_descent(law, d, N, K):
    found = least_gd_loss(law, d, N, K)
    polynomial = loss_polynomial(law, d, N, K, curvature=False)
    slope = [float(i * polynomial[i, 0]) for i in range(1, 2 * K + 1)]
    root = scipy.optimize.brentq(np.polynomial.Polynomial(slope), 0, 3 * found.eta, xtol=1e-14)
    assert (found.eta, found.gamma, found.unique) == (pytest.approx(root, rel=1e-5), 0, True)
    for eta in (found.eta_interval.low, found.eta_interval.high):
        assert loss_at(polynomial, eta) >= found.loss_interval.low
        assert loss_at(polynomial, eta) in found.loss_interval


@pytest.mark.parametrize("tolerance", ["1/10", "1e-12", "1e-40"])
def test_intervals_are_as_narrow_as_asked(tolerance):
    wide = least_gdpp_loss(Gaussian(1), 2, 3, tolerance=tolerance)
    fine = least_gdpp_loss(Gaussian(1), 2, 3, tolerance="1e-60")
    for name in ("eta_interval", "gamma_interval", "loss_interval"):
        x, narrow = getattr(wide, name), getattr(fine, name)
        assert x.low <= narrow.low <= narrow.high <= x.high
        assert x.width <= Fraction(tolerance) * x.middle


def test_the_minima_of_the_paper_s_setting():
    gd = least_gd_loss(HALF_UNIFORM, 10, 10, 2)
    assert (gd.eta, gd.loss) == (pytest.approx(5.984172260247), pytest.approx(0.156615170836))
    plus_plus = least_gdpp_loss(HALF_UNIFORM, 10, 10)
    assert plus_plus.loss == pytest.approx(0.110494682188)
    assert (plus_plus.eta, plus_plus.gamma) == (pytest.approx(13.495738784578), pytest.approx(0.17598501351))


def test_one_step_has_an_exact_minimum():
    found, expected = least_gd_loss(LAW, 3, 4, 1), one_step_optimum(LAW, 3, 4)
    assert found.eta_interval.low == found.eta_interval.high == expected.eta
    assert found.loss_interval.low == found.loss_interval.high == expected.loss


@pytest.mark.parametrize("K", [1, 2, 4])
def test_where_gradient_descent_is_perfect(K):
    """With one eigenvalue, S = 9, the step 1/9 leaves no error."""
    found = least_gd_loss(ThreePoint(3, "1/2"), 1, 5, K)
    assert found.loss_interval.low == found.loss_interval.high == 0
    assert found.eta_interval.low == found.eta_interval.high == Fraction(1, 9)


def test_scales_move_eta_and_gamma_alone():
    one, half = (least_gdpp_loss(Uniform(b), 4, 3, half=False) for b in (1, "1/2"))
    assert (half.eta, half.gamma, half.loss) == pytest.approx((4 * one.eta, 4 * one.gamma, one.loss / 4))
    halved = least_gdpp_loss(Uniform(1), 4, 3)
    assert (halved.eta, halved.gamma, halved.loss) == pytest.approx((one.eta, one.gamma, one.loss / 2))


@pytest.mark.parametrize(("law", "d", "N"), PLACES, ids=str)
def test_the_loss_is_greater_all_around_the_minimum(law, d, N):
    found = certified(law, d, N)
    polynomial = loss_polynomial(law, d, N, 2, curvature=True)
    eta, gamma = (x.middle.limit_denominator(10**40) for x in (found.eta_interval, found.gamma_interval))
    for h in (Fraction(1, 10**9), Fraction(1, 100), Fraction(1)):
        for a, b in itertools.product((-h, 0, h), repeat=2):
            at = eta * (1 + a), gamma * (1 + b)
            assert (loss_at(polynomial, *at) > found.loss_interval.high) == bool(a or b)


@pytest.mark.parametrize(
    ("law", "d", "N"),
    [(ThreePoint(1, "1/2"), 1, 1), (ThreePoint(1, "1/4"), 1, 3), (ThreePoint(1, "1/2"), 2, 2)],
    ids=str,
)
def test_laws_with_too_few_eigenvalues_are_refused(law, d, N):
    with pytest.raises(ArgumentError, match="law: expected at least 4 eigenvalues"):
        least_gdpp_loss(law, d, N)


def test_a_minimum_that_is_not_below_infinity_is_refused(monkeypatch):
    monkeypatch.setattr(minima, "_least_cubic_trace", lambda law, d, N: Fraction(1, 10**6))
    with pytest.raises(ArgumentError, match="below what it tends to at infinity"):
        least_gdpp_loss(HALF_UNIFORM, 10, 10)


def test_the_loss_tends_to_its_value_at_infinity():
    law, d, N = HALF_UNIFORM, 3, 4
    polynomial = loss_polynomial(law, d, N, 2, curvature=True)
    third, sixth = (expected_trace(law, d, N, p) for p in (3, 6))
    far = Fraction(10) ** 9  # gamma N
    found = loss_at(polynomial, third / sixth / far**2, far / N)
    expected = polynomial[0, 0] * minima._least_cubic_trace(law, d, N)
    assert float(found) == pytest.approx(float(expected), rel=1e-6)
    assert found > least_gdpp_loss(law, d, N).loss_interval.high


def least_of(coefficients):
    """The least value of a polynomial in eta, of which the constant is first, to nine digits."""
    loss = {(i, 0): Fraction(c) for i, c in enumerate(coefficients)}
    slope = minima._polynomial(loss).diff().exclude()

    def places_to(bits):
        return [(eta, point(0)) for eta in minima._real_roots(slope, bits)]

    return minima._least(loss, places_to, Fraction(1, 10**9))


def test_two_equal_minima_are_told():
    """(η² - 1)²(1 + η²) + 1: least, 1, at η = -1 and η = 1."""
    found = least_of((2, 0, -1, 0, -1, 0, 1))
    assert (found.unique, abs(found.eta), found.loss) == (False, pytest.approx(1), pytest.approx(1))


def test_a_loss_of_zero_is_undecided():
    """(η² - 2)²: no interval is narrow beside its middle, and the root is irrational."""
    with pytest.raises(UndecidedError, match="tolerance: expected"):
        least_of((4, 0, -4, 0, 1))


def test_intervals_too_wide_to_divide_by_are_narrowed(monkeypatch):
    found = least_gdpp_loss(HALF_UNIFORM, 10, 10)
    with pytest.raises(UndecidedError, match="tolerance: expected"):
        monkeypatch.setattr(minima, "BITS", (0,))
        least_gdpp_loss(HALF_UNIFORM, 10, 10)
    monkeypatch.setattr(minima, "BITS", (0, 80))
    assert least_gdpp_loss(HALF_UNIFORM, 10, 10) == found


def test_every_critical_point_that_may_be_the_least_counts():
    eta = [Interval(Fraction(1), Fraction(3)), Interval(Fraction(0), Fraction(4))]
    found = minima._least({(1, 0): Fraction(1)}, lambda bits: [(x, point(0)) for x in eta], Fraction(2))
    assert (found.loss_interval, found.unique) == (Interval(Fraction(0), Fraction(3)), False)


SAME_GAMMA = {(3, 1): 1, (1, 1): -1, (1, 2): "1/2", (3, 0): "1/3", (1, 0): -1, (2, 2): "1/2"}
SAME_ETA = {(4, 0): 1, (2, 0): -2, (2, 2): 1}
FLAT = {(2, 0): "1/2", (1, 0): -1, (1, 3): "1/3"}
NONE_CRITICAL = FLAT | {(1, 1): 1, (0, 0): 1}


def coefficients(loss):
    return {powers: Fraction(c) for powers, c in loss.items()}


@pytest.mark.parametrize("loss", [SAME_GAMMA, SAME_ETA])
def test_critical_points_with_the_same_gamma_are_refused(loss):
    """At γ = 0 and η = -1 and 1 with h = η² - 1 + γ + γη; and at η = 0 whatever γ is."""
    with pytest.raises(ArgumentError, match="law: expected critical points with different gammas"):
        minima._eliminated(LAW, coefficients(loss))


def test_roots_of_the_resultant_count_once():
    """6f = 6η - 6 + 2γ³ and h is a multiple of γ²."""
    p, q, R = minima._eliminated(LAW, coefficients(FLAT))
    assert [x.all_coeffs() for x in (p, q, R)] == [[2, 0, 0, -6], [6], [1, 0]]


def test_a_loss_without_critical_points_is_refused(monkeypatch):
    """f = η - 1 + γ + γ³/3 and h = 1 + γ²."""
    monkeypatch.setattr(minima, "loss_polynomial", lambda *_, **options: coefficients(NONE_CRITICAL))
    with pytest.raises(ArgumentError, match="below what it tends to at infinity"):
        least_gdpp_loss(HALF_UNIFORM, 10, 10)


@pytest.mark.parametrize(("law", "d", "N"), PLACES[1:7], ids=str)
def test_the_resultant_has_as_many_real_roots_as_sturm_s_theorem_counts(law, d, N):
    _, _, R = minima._eliminated(law, loss_polynomial(law, d, N, 2, curvature=True))
    assert R.is_sqf and len(minima._real_roots(R, 20)) == R.count_roots() > 0


def test_real_roots():
    x = sympy.Symbol("x")
    p = sympy.Poly(x * (2 * x + 3) * (x**2 - 2) * (2**40 * x - 1) * (2**41 * x - 1) * (x**2 + 1), x)
    roots = [-1.5, -(2**0.5), 0, 2**-41, 2**-40, 2**0.5]
    found = minima._real_roots(p, 60)
    assert len(found) == len(roots)
    for root, y in zip(roots, found, strict=True):
        assert y.width < Fraction(1, 2**60)
        assert float(y.middle) == pytest.approx(root, rel=1e-5)
        assert y.width == 0 or p.eval(sympy.Rational(y.low)) * p.eval(sympy.Rational(y.high)) < 0
    assert minima._real_roots(sympy.Poly(7 * x - 3, x), 1) == [point(Fraction(3, 7))]


# ----------------------------------------------------------------------------------------- bounds


@pytest.mark.parametrize("K", [1, 2, 3])
def test_free_learning_rates_reach_the_least_loss_of_their_number(K):
    """The inverses of the learning rates are the roots of the best polynomial, found by solving for it."""
    law, d, N = Uniform(1), 4, 3
    t = [expected_trace(law, d, N, p) for p in range(2 * K + 1)]
    powers = range(1, K + 1)
    gram = sympy.Matrix([[sympy.Rational(str(t[i + j])) for j in powers] for i in powers])
    best = gram.LUsolve(sympy.Matrix([-sympy.Rational(str(t[i])) for i in powers]))
    S = sympy.Symbol("S")
    polynomial = sympy.Poly(1 + sum(c * S**i for i, c in zip(powers, best, strict=True)), S)
    assert len({root for root in polynomial.nroots(n=30) if root.is_real and root > 0}) == K
    square = (polynomial**2).all_coeffs()[::-1]
    loss = sum(c * sympy.Rational(str(t[p])) for p, c in enumerate(square)) / 6
    assert sympy.Rational(str(least_loss_of_degree(law, d, N, K))) == loss


@pytest.mark.parametrize(("law", "d", "N"), PLACES, ids=str)
def test_bounds_are_below_what_shared_rates_reach(law, d, N):
    assert least_loss_of_degree(law, d, N, 0) == d * law.moment(2) / 2
    assert least_loss_of_degree(law, d, N, 1) == one_step_optimum(law, d, N).loss
    assert least_loss_of_degree(law, d, N, 2) < least_gd_loss(law, d, N, 2).loss_interval.low
    assert least_loss_of_degree(law, d, N, 4) < certified(law, d, N).loss_interval.low


def test_bounds_in_the_paper_s_setting():
    losses = [least_loss_of_degree(HALF_UNIFORM, 10, 10, k) for k in range(1, 5)]
    expected = [0.206228956, 0.141269196, 0.110092756, 0.091473702]
    assert [float(loss) for loss in losses] == pytest.approx(expected, rel=1e-8)


def test_a_degree_above_the_number_of_eigenvalues_is_refused():
    assert least_loss_of_degree(ThreePoint(1, "1/4"), 1, 1, 1) == Fraction(
        1, 8
    )  # half the chance that X = 0, times m_2
    with pytest.raises(ArgumentError, match="at least 2 eigenvalues"):
        least_loss_of_degree(ThreePoint(1, "1/4"), 1, 1, 2)


# ----------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("call", "error", "argument"),
    [
        (lambda: least_gd_loss(LAW, 2, 2, 0), ShapeError, "K"),
        (lambda: least_loss_of_degree(LAW, 2, 2, -1), ShapeError, "degree"),
        (lambda: least_loss_of_degree(LAW, 0, 2, 1), ShapeError, "d"),
        (lambda: least_gd_loss(LAW, 2, 2, 1, tolerance=1e-12), DTypeError, "tolerance"),
        (lambda: least_gdpp_loss(LAW, 2, 2, tolerance=0), ArgumentError, "tolerance"),
        (lambda: least_gdpp_loss(LAW, 2, 0), ShapeError, "N"),
    ],
)
def test_bad_input_is_named(call, error, argument):
    with pytest.raises(error) as caught:
        call()
    assert caught.value.argument == argument
