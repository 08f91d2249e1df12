"""Moments of inverse Wishart matrices: against other laws, against moments of W itself, and sampled."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.polys.fields import field
from sympy.polys.rings import ring

from gdtheory.errors import ArgumentError, DTypeError, MomentDoesNotExistError, NonFiniteError, ShapeError
from gdtheory.wishart.covariance import covariance_trace_moment, matrix_moment
from gdtheory.wishart.inverse import (
    MAX_DEGREE,
    MAX_SYMBOLIC_DEGREE,
    inverse_matrix_moment,
    inverse_trace_moment,
    least_squares_risk,
)
from gdtheory.wishart.inverse_tables import _equations, _roots, tables_of_degree


def exact(rows):
    return np.vectorize(Fraction, otypes=[object])(np.array(rows, dtype=object))


SIGMA = exact([[2, Fraction(1, 2)], [Fraction(1, 2), 1]])
# The inverse is written here, so that no test of it runs the code's own.
SIGMA_3, INVERSE_3 = exact([[2, 1, 0], [1, 2, 0], [0, 0, 4]]), exact([[8, -4, 0], [-4, 8, 0], [0, 0, 3]]) / 12


def partitions(k, smallest=1):
    if k == 0:
        yield ()
    for part in range(smallest, k + 1):
        yield from ((part, *rest) for rest in partitions(k - part, part))


def keys(k):
    return [(r, mu) for r in range(k + 1) for mu in partitions(k - r)]


def inverse_trace_means(k, Sigma, n):
    """E p_mu(V) for the partitions of k."""
    return {mu: inverse_matrix_moment(0, mu, Sigma, n)[0, 0] for mu in partitions(k)}


def class_size(mu):
    """The number of permutations with cycles of these lengths."""
    repeats = math.prod(map(math.factorial, Counter(mu).values()))
    return math.factorial(sum(mu)) // (math.prod(mu) * repeats)


def chi_square_moment(nu, k):
    """The mean of the power k of a chi-square number with nu degrees of freedom; k may be negative."""
    if k < 0:
        return 1 / math.prod((Fraction(nu - 2 * i) for i in range(1, -k + 1)), start=Fraction(1))
    return math.prod((Fraction(nu + 2 * i) for i in range(k)), start=Fraction(1))


def determinant_moment(n, d, k):
    """E det(W)^k for Σ = I: the determinant is a product of independent chi-square numbers."""
    return math.prod(chi_square_moment(n - i, k) for i in range(d))


# ------------------------------------------------------------------------------- other laws


@pytest.mark.parametrize("k", [1, 2, 5, 8])
def test_one_dimension_is_the_inverse_of_a_chi_square_law(k):
    for r, mu in keys(k):
        found = inverse_matrix_moment(r, mu, exact([[3]]), 2 * k + 3)
        assert found[0, 0] == chi_square_moment(2 * k + 3, -k) / 3**k


@pytest.mark.parametrize("k", range(1, 7))
def test_every_quadratic_form_is_the_inverse_of_a_chi_square_number(k):
    """aᵀ Σ⁻¹ a / aᵀ V a is chi-square with n - d + 1 degrees of freedom, so for a ~ N(0, I)

    E (aᵀ V a)^k = E (aᵀ Σ⁻¹ a)^k / ((n-d-1)(n-d-3)...(n-d+1-2k)),

    and E (aᵀ A a)^k is the sum over all permutations, with cycles mu, of 2^(k - len mu) p_mu(A).
    """
    n, d = 2 * k + 4, 3

    def mean(traces):
        return sum(class_size(mu) * 2 ** (k - len(mu)) * trace for mu, trace in traces.items())

    powers = [sum(np.linalg.matrix_power(INVERSE_3, j).diagonal()) for j in range(k + 1)]
    of_inverse = {mu: math.prod(powers[j] for j in mu) for mu in partitions(k)}
    expected = mean(of_inverse) * chi_square_moment(n - d + 1, -k)
    assert mean(inverse_trace_means(k, SIGMA_3, n)) == expected


@pytest.mark.parametrize("d", range(1, 7))
def test_determinants(d):
    """det V = Σ sign(mu) class_size(mu) p_mu(V) / d! over the partitions of d."""
    n = 3 * d + 5
    signed = ((-1) ** (d - len(mu)) * class_size(mu) * inverse_trace_moment(mu, n, d) for mu in partitions(d))
    assert sum(signed) / math.factorial(d) == determinant_moment(n, d, -1)


def test_products_of_determinants_in_two_dimensions():
    """det V = ((tr V)² - tr V²) / 2."""
    for q in range(1, 5):
        powers = ((math.comb(q, i) * (-1) ** i, (1,) * 2 * (q - i) + (2,) * i) for i in range(q + 1))
        found = sum(c * inverse_trace_moment(parts, 30, 2) for c, parts in powers) / Fraction(2**q)
        assert found == determinant_moment(30, 2, -q)


# -------------------------------------------------------------- against moments of W itself
#
# The density of W is a constant times det(W)^((n-d-1)/2) exp(-tr Σ⁻¹ W / 2), so that
# E_n[f(W) det(W)^-k] = E_n[det(W)^-k] E_(n-2k)[f(W)], and V = adj(W) / det(W).


@pytest.mark.parametrize("k", range(1, 8))
@pytest.mark.parametrize("excess", [Fraction(1), Fraction(1, 3), Fraction(11, 2)])
def test_two_dimensions_from_the_moments_of_fewer_columns(k, excess):
    """adj(W) = J W Jᵀ in two dimensions, with the rotation J by a right angle."""
    n = excess + 2 * k + 1
    J = exact([[0, 1], [-1, 0]])
    det = SIGMA[0, 0] * SIGMA[1, 1] - SIGMA[0, 1] ** 2
    factor = determinant_moment(n, 2, -k) / det**k
    for r, mu in keys(k):
        expected = J @ matrix_moment(r, mu, SIGMA, n - 2 * k) @ J.T * factor
        assert (inverse_matrix_moment(r, mu, SIGMA, n) == expected).all()


@pytest.mark.parametrize("n", [Fraction(25, 2), 13, 30])
def test_three_dimensions_from_the_moments_of_fewer_columns(n):
    """tr adj(W) = e_2 and tr adj(W)² = e_2² - 2 e_1 e_3, with e_1, e_2 and e_3 from traces of powers."""

    def mean(polynomial, columns):
        return sum(c * covariance_trace_moment(parts, SIGMA_3, columns) for parts, c in polynomial.items())

    def times(*polynomials):
        total = Counter({(): Fraction(1)})
        for factor in polynomials:
            product = Counter()
            for a, x in total.items():
                for b, y in factor.items():
                    product[tuple(sorted(a + b))] += x * y
            total = product
        return total

    e_1 = {(1,): 1}
    e_2 = {(1, 1): Fraction(1, 2), (2,): Fraction(-1, 2)}
    e_3 = {(1, 1, 1): Fraction(1, 6), (1, 2): Fraction(-1, 2), (3,): Fraction(1, 3)}
    square = times(e_2, e_2)
    square.update(times(e_1, e_3, {(): -2}))
    cases = [((1,), e_2), ((1, 1), times(e_2, e_2)), ((2,), square), ((1, 2), times(e_2, square))]
    for parts, polynomial in cases:
        k = sum(parts)
        factor = determinant_moment(n, 3, -k) / Fraction(12) ** k
        expected = mean(polynomial, n - 2 * k) * factor
        assert inverse_matrix_moment(0, parts, SIGMA_3, n)[0, 0] == expected


# ---------------------------------------------------------------------- as printed elsewhere


@given(st.integers(1, 30), st.integers(1, 20))
def test_second_moments_of_the_identity(d, excess):
    """Von Rosen (1988)."""
    m = 3 + excess
    n = d + m
    inverse = Fraction(1, m * (m - 1) * (m - 3))
    assert inverse_trace_moment((1,), n, d) == Fraction(d, m - 1)
    assert inverse_trace_moment((2,), n, d) == (d * (m - 1) + d**2) * inverse
    assert inverse_trace_moment((1, 1), n, d) == (d**2 * (m - 2) + 2 * d) * inverse


def test_second_moments_of_any_covariance():
    n, d, t = 11, 3, sum(INVERSE_3.diagonal())
    m = n - d
    P2 = INVERSE_3 @ INVERSE_3
    assert (inverse_matrix_moment(1, (), SIGMA_3, n) == INVERSE_3 / (m - 1)).all()
    expected = (INVERSE_3 * t + P2 * (m - 1)) / (m * (m - 1) * (m - 3))
    assert (inverse_matrix_moment(2, (), SIGMA_3, n) == expected).all()
    expected = (INVERSE_3 * (t * (m - 2)) + P2 * 2) / (m * (m - 1) * (m - 3))
    assert (inverse_matrix_moment(1, (1,), SIGMA_3, n) == expected).all()


# ---------------------------------------------------------------------------- the equations


@pytest.mark.parametrize("k", range(1, MAX_DEGREE + 1))
def test_the_minimal_polynomial(k):
    """The product of T - c over the claimed roots is zero, on a vector of random numbers of 61 bits.

    Were it not the zero matrix, it would send at most one in 2^61 such vectors to zero.
    """
    T = _equations(k)
    draw = np.random.default_rng(0).integers(2**61, size=len(T))
    vector = dict(zip(T, map(int, draw), strict=True))
    for c in _roots(k):
        assert any(vector.values())
        vector = {key: sum(t * vector[i] for i, t in T[key].items()) - c * vector[key] for key in T}
    assert not any(vector.values())


@pytest.mark.parametrize("k", [2, 6, MAX_DEGREE])
def test_dominance_and_signs(k):
    """Row sums of m - T are m - 2k + 1, with T not negative; so are the coefficients where moments exist."""
    T = _equations(k)
    assert {sum(row.values()) for row in T.values()} == {2 * k - 1}
    assert all(t > 0 for row in T.values() for t in row.values())
    if k < MAX_DEGREE:
        divisor, tables = tables_of_degree(k, 2 * k, 1)
        assert divisor > 0
        assert all(c >= 0 for table in tables.values() for c in table.values())


def test_the_largest_degree():
    # In one dimension the sum of all coefficients is the moment of a chi-square number.
    n = 2 * MAX_DEGREE + 1
    assert inverse_trace_moment((MAX_DEGREE,), n, 1) == chi_square_moment(n, -MAX_DEGREE)


@settings(max_examples=20)
@given(st.integers(1, 5), st.lists(st.integers(0, 3), max_size=3), st.integers(1, 9))
def test_the_moment_exists_from_its_first_degree_of_freedom_on(d, parts, sixths):
    n = d - 1 + 2 * sum(parts)
    if n >= 1:
        with pytest.raises(MomentDoesNotExistError):
            inverse_trace_moment(parts, n, d)
    assert inverse_trace_moment(parts, n + Fraction(sixths, 6), d) > 0


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_moment_grows_without_bound_at_its_last_degree_of_freedom(k):
    at = [inverse_trace_moment((k,), 2 * k + 2 + Fraction(1, 10**e), 3) for e in (6, 7)]
    assert abs(at[1] / at[0] - 10) < Fraction(1, 1000)


def test_parts_that_are_zero():
    assert inverse_trace_moment((0, 1, 0), 20, 5) == 25 * inverse_trace_moment((1,), 20, 5)
    assert inverse_trace_moment((), 20, 5) == 1
    assert (inverse_matrix_moment(0, (), SIGMA, 3) == exact(np.eye(2, dtype=int))).all()
    zeros = inverse_matrix_moment(1, (0, 2), SIGMA, 20)
    assert (zeros == 2 * inverse_matrix_moment(1, (2,), SIGMA, 20)).all()


# ---------------------------------------------------------------------------- kinds of number


def test_powers_of_sigma_outside_of_the_range_of_floats():
    assert inverse_matrix_moment(1, (), np.array([[1e-308]]), 9)[0, 0] == pytest.approx(1e308 / 7)
    exact = inverse_matrix_moment(10, (), np.array([[Fraction(1, 10**32)]], dtype=object), 10**6)[0, 0]
    assert inverse_matrix_moment(10, (), np.eye(1) * 1e-32, 10**6)[0, 0] == pytest.approx(float(exact))


@pytest.mark.parametrize(
    ("n", "d"), [("(n**2 - 1)/(n - 1)", "n"), ("(n**2 - 1)/(n - 1)", "n - 1"), ("n + 1", "n - 1")]
)
def test_symbols_that_cancel_in_n_minus_d(n, d):
    with pytest.raises(MomentDoesNotExistError):
        inverse_trace_moment((2,), sympy.sympify(n), sympy.sympify(d))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats(dtype):
    Sigma = SIGMA_3.astype(dtype)
    found = inverse_matrix_moment(2, (2, 1), Sigma, 20)
    assert found.dtype == dtype
    expected = inverse_matrix_moment(2, (2, 1), SIGMA_3, 20).astype(float)
    # Σ has condition 4, and every product and sum of the few rounds once in float64.
    tolerance = np.finfo(dtype).eps + 100 * np.finfo(np.float64).eps
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * expected.max())
    assert (found == found.T).all()


def test_symbols():
    n, d = sympy.symbols("n d")
    for k in range(1, 4):
        for mu in partitions(k):
            expected = inverse_trace_moment(mu, 23, 7)
            both = inverse_trace_moment(mu, n, d)
            one = inverse_trace_moment(mu, n, 7).subs(n, 23)
            other = inverse_trace_moment(mu, 23, d).subs(d, 7)
            assert both.subs({n: 23, d: 7}) == one == other == sympy.Rational(str(expected))
    _, x, y = field("x,y", sympy.QQ)
    expected = y * (x - 1) / ((x - y) * (x - y - 1) * (x - y - 3))
    assert inverse_trace_moment((2,), x, y) == expected
    R, p = ring("p", sympy.ZZ)
    assert inverse_trace_moment((2,), p, 3).as_expr().subs("p", 23) == sympy.Rational(22 * 3, 20 * 19 * 17)
    assert inverse_trace_moment((2,), p, p - 4) == R.to_field()(p - 4) * (p - 1) / 12
    assert inverse_trace_moment((2,), d + 4, d).equals(d * (d + 3) / 12)
    in_field = inverse_matrix_moment(2, (1,), exact(np.eye(2, dtype=int)) * (y * y), x)[0, 0]
    assert in_field == inverse_trace_moment((2, 1), x, 2) / (2 * y**6)
    moment = inverse_matrix_moment(2, (1,), SIGMA, n)
    for symbolic, expected in zip(moment.flat, inverse_matrix_moment(2, (1,), SIGMA, 17).flat, strict=True):
        assert symbolic.subs(n, 17) == sympy.Rational(str(expected))


def test_symbols_of_the_largest_degree():
    n, parts = sympy.Symbol("n"), (MAX_SYMBOLIC_DEGREE - 3, 2, 1)
    assert inverse_trace_moment(parts, n, 3).subs(n, 19) == sympy.Rational(
        str(inverse_trace_moment(parts, 19, 3))
    )


# ------------------------------------------------------------------------------------ samples


def test_samples():
    """The mean of 20 000 draws is within z standard errors of the moment, but for one seed in 10^9.

    By the central limit theorem, with the exact variance; tr V has 16 moments at n - d + 1 = 33.
    """
    n, d, draws = 35, 3, 20_000
    L = np.array([[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], [-1.0, 0.3, 0.7]])
    Sigma = L @ L.T
    Sigma = (Sigma + Sigma.T) / 2
    X = L @ np.random.default_rng(7).standard_normal((draws, d, n))
    V = np.linalg.inv(X @ X.transpose(0, 2, 1))
    t, t_2 = (np.trace(power, axis1=1, axis2=2) for power in (V, V @ V))
    z = NormalDist().inv_cdf(1 - 0.25e-9)
    for sample, parts in ((t, (1,)), (t_2, (2,))):
        mean, square = (inverse_matrix_moment(0, p, Sigma, n)[0, 0] for p in (parts, parts * 2))
        assert abs(sample.mean() - mean) < z * math.sqrt((square - mean**2) / draws)


# -------------------------------------------------------------------------------- least squares


def test_least_squares_risk():
    assert least_squares_risk(20, 10) == Fraction(10, 9)
    assert least_squares_risk(7, 5, "1/2") == Fraction(5, 2)
    assert least_squares_risk(np.int64(3), 1, Fraction(2)) == 2
    for n, d in ((6, 5), (5, 5), (3, 5), (1, 1), (2, 1)):
        with pytest.raises(MomentDoesNotExistError):
            least_squares_risk(n, d)
    for error, arguments in (
        (DTypeError, (20.0, 10)),
        (DTypeError, (20, True)),
        (DTypeError, (sympy.Symbol("n"), 3)),
        (DTypeError, (20, 10, 1.0)),
        (ShapeError, (0, 1)),
        (ShapeError, (20, 0)),
        (ArgumentError, (20, 10, 0)),
        (ArgumentError, (20, 10, -1)),
    ):
        with pytest.raises(error):
            least_squares_risk(*arguments)


# -------------------------------------------------------------------------------------- refusals

I2 = np.eye(2)


@pytest.mark.parametrize(
    ("error", "name", "arguments"),
    [
        (ShapeError, "r", (-1, (), I2, 30)),
        (ShapeError, "parts", (1, (-1,), I2, 30)),
        (ArgumentError, "parts", (1, (MAX_DEGREE,), I2, 90)),
        (ArgumentError, "parts", (1, (MAX_SYMBOLIC_DEGREE,), SIGMA, sympy.Symbol("n"))),
        (ShapeError, "Sigma", (1, (), np.ones((2, 3)), 30)),
        (ArgumentError, "Sigma", (1, (), np.ones((2, 2)), 30)),
        (ArgumentError, "Sigma", (1, (), np.zeros((2, 2)), 30)),
        (ArgumentError, "Sigma", (1, (), np.diag([1.0, 1e-17]), 30)),
        (ArgumentError, "Sigma", (1, (), exact([[1, 1], [1, 1]]), 30)),
        (ArgumentError, "Sigma", (1, (), exact([[0, 1], [1, 0]]), 30)),
        (ArgumentError, "Sigma", (1, (), SIGMA * field("a", sympy.QQ)[1] * 0, 30)),
        (ArgumentError, "Sigma", (1, (), np.array([[1.0, 0.5], [0.4, 1.0]]), 30)),
        (NonFiniteError, "Sigma", (1, (), np.full((2, 2), np.nan), 30)),
        (MomentDoesNotExistError, "n", (1, (), I2, 3)),
        (MomentDoesNotExistError, "n", (0, (), I2, 1)),
        (MomentDoesNotExistError, "n", (2, (1,), SIGMA, Fraction(7))),
        (ShapeError, "n", (1, (), I2, 0)),
        (DTypeError, "n", (1, (), I2, 30.0)),
        (DTypeError, "n", (1, (), I2, sympy.Symbol("n"))),
        (NonFiniteError, "result", (2, (), I2 * 1e-200, 30)),
        (NonFiniteError, "result", (1, (), I2 * 5e-324, 30)),
    ],
)
def test_refusals(error, name, arguments):
    with pytest.raises(error) as caught:
        inverse_matrix_moment(*arguments)
    assert caught.value.argument == name


@pytest.mark.parametrize(
    ("error", "name", "arguments"),
    [
        (ShapeError, "parts", ((-1,), 30, 2)),
        (DTypeError, "parts", (1, 30, 2)),
        (ArgumentError, "parts", ((MAX_DEGREE + 1,), 90, 2)),
        (ShapeError, "d", ((1,), 30, 0)),
        (DTypeError, "d", ((1,), 30, Fraction(3, 2))),
        (DTypeError, "d", ((1,), 30, 2.0)),
        (DTypeError, "d", ((1,), sympy.Symbol("n"), field("a", sympy.QQ)[1])),
        (DTypeError, "n", ((1,), sympy.sqrt(1000), 2)),
        (DTypeError, "n", ((1,), sympy.I, 2)),
        (MomentDoesNotExistError, "n", ((1,), 11, 10)),
        (MomentDoesNotExistError, "n", ((2,), sympy.Symbol("d") + 3, sympy.Symbol("d"))),
        (MomentDoesNotExistError, "n", ((2,), ring("p", sympy.ZZ)[1] + 2, ring("p", sympy.ZZ)[1])),
    ],
)
def test_refusals_of_traces(error, name, arguments):
    with pytest.raises(error) as caught:
        inverse_trace_moment(*arguments)
    assert caught.value.argument == name
