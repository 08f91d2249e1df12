"""Moments of Wishart matrices with a covariance: against all pairings, and against laws known otherwise."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from pairings import all_pairings
from sympy.polys.fields import field
from sympy.polys.rings import ring

from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.reference.moments import wishart_traces
from gdtheory.wishart.covariance import (
    MAX_DEGREE,
    covariance_trace_moment,
    matrix_moment,
    matrix_moment_expression,
    moment_table,
    sandwich_mean,
)


def exact(rows):
    return np.vectorize(Fraction, otypes=[object])(np.array(rows, dtype=object))


SIGMA = exact([[2, Fraction(1, 2)], [Fraction(1, 2), 1]])
SIGMA_3 = exact([[3, 1, -1], [1, 2, Fraction(1, 3)], [-1, Fraction(1, 3), 2]])


def partitions(k, smallest=1):
    if k == 0:
        yield ()
    for part in range(smallest, k + 1):
        yield from ((part, *rest) for rest in partitions(k - part, part))


def keys(k):
    return [(r, mu) for r in range(k + 1) for mu in partitions(k - r)]


# ------------------------------------------------------------------------------- all pairings


def mean_of_entries(places, Sigma, n):
    """The mean of the product of W[i, j] = Σ_a x_ia x_ja over (i, j) in `places`, by Wick's theorem."""
    indices = list(itertools.chain(*places))
    total = 0
    for pairing in all_pairings(tuple(range(len(indices)))):
        partner = dict(pairing) | {b: a for a, b in pairing}
        loops, seen = 0, set()
        for slot in partner:
            loops += slot not in seen
            while slot not in seen:  # to the other factor with the same column, and on to its partner
                seen |= {slot, slot ^ 1}
                slot = partner[slot ^ 1]
        total += n**loops * math.prod(Sigma[indices[a], indices[b]] for a, b in pairing)
    return total


def mean_by_pairings(r, mu, Sigma, n):
    d, k = len(Sigma), r + sum(mu)
    mean = exact(np.zeros((d, d), dtype=int))
    for inner in itertools.product(range(d), repeat=k):
        places, start = [], 0
        for b in mu:
            cycle = inner[start : start + b]
            places += [(cycle[i - 1], cycle[i]) for i in range(b)]
            start += b
        for last in range(d) if r else ():
            path = (*inner[start:], last)
            mean[path[0], last] += mean_of_entries([*places, *itertools.pairwise(path)], Sigma, n)
        if not r:
            mean += exact(np.eye(d, dtype=int)) * mean_of_entries(places, Sigma, n)
    return mean


@pytest.mark.parametrize(("r", "mu"), [key for k in range(4) for key in keys(k)])
def test_means_are_the_sums_over_all_pairings(r, mu):
    assert (matrix_moment(r, mu, SIGMA, 3) == mean_by_pairings(r, mu, SIGMA, 3)).all()


@pytest.mark.parametrize(("r", "mu"), [(4, ()), (1, (3,)), (1, (1, 2)), (0, (2, 2))])
def test_some_means_of_degree_four_are_the_sums_over_all_pairings(r, mu):
    assert (matrix_moment(r, mu, SIGMA, 2) == mean_by_pairings(r, mu, SIGMA, 2)).all()


def test_three_dimensions_and_fewer_columns():
    for r, mu in keys(2):
        assert (matrix_moment(r, mu, SIGMA_3, 1) == mean_by_pairings(r, mu, SIGMA_3, 1)).all()


@pytest.mark.parametrize("n", [1, 5])
def test_the_sandwich_is_the_sum_over_all_pairings(n):
    A = exact([[1, 2], [Fraction(-3, 4), 5]])
    mean = sandwich_mean(A, SIGMA, n)
    for i, j in itertools.product(range(2), repeat=2):
        sums = (A[a, b] * mean_of_entries([(i, a), (b, j)], SIGMA, n) for a in (0, 1) for b in (0, 1))
        assert mean[i, j] == sum(sums)
    assert (sandwich_mean(exact(np.eye(2, dtype=int)), SIGMA, n) == matrix_moment(2, (), SIGMA, n)).all()


# ------------------------------------------------------------------- laws that are known otherwise


def quadratic_form_moment(k, n, trace):
    """The k-th moment of tr W, whose cumulants are n 2^(j-1) (j-1)! tr Σ^j."""
    moments = [Fraction(1)]
    for size in range(1, k + 1):
        cumulants = (n * 2 ** (j - 1) * math.factorial(j - 1) * trace(j) for j in range(1, size + 1))
        terms = (math.comb(size - 1, j - 1) * c * moments[size - j] for j, c in enumerate(cumulants, 1))
        moments.append(sum(terms, Fraction(0)))
    return moments[k]


def trace_of(Sigma):
    return lambda j: sum(np.linalg.matrix_power(Sigma, j).diagonal())


@pytest.mark.parametrize("k", [1, 4, 8])
def test_with_one_column_every_trace_is_a_power_of_one_quadratic_form(k):
    expected = quadratic_form_moment(k, 1, trace_of(SIGMA_3))
    for r, mu in keys(k):
        mean = matrix_moment(r, mu, SIGMA_3, 1)
        assert (sum(mean.diagonal()) if r else mean[0, 0]) == expected


@pytest.mark.parametrize("k", [3, 8, MAX_DEGREE])
def test_powers_of_the_trace(k):
    assert covariance_trace_moment((1,) * k, SIGMA_3, 7) == quadratic_form_moment(k, 7, trace_of(SIGMA_3))


@pytest.mark.parametrize("k", [2, 6, 8])
def test_one_dimension_is_a_chi_square_law(k):
    Sigma = exact([[Fraction(3, 2)]])
    for r, mu in keys(k):
        expected = Fraction(3, 2) ** k * math.prod(range(4, 4 + 2 * k, 2))
        assert matrix_moment(r, mu, Sigma, 4)[0, 0] == expected


def test_the_largest_degree_in_one_dimension():
    for r, mu in [(MAX_DEGREE, ()), (MAX_DEGREE // 2, (MAX_DEGREE // 2,)), (1, (1,) * (MAX_DEGREE - 1))]:
        assert sum(map(sum, moment_table(r, mu).values())) == math.prod(range(1, 2 * MAX_DEGREE, 2))


@settings(max_examples=25)
@given(st.integers(1, 20), st.integers(1, 4), st.lists(st.integers(0, 4), max_size=3))
def test_with_the_identity_they_are_the_known_traces(n, d, parts):
    identity = exact(np.eye(d, dtype=int))
    assert covariance_trace_moment(parts, identity, n) == wishart_traces(n, d, tuple(parts))


def test_identity_as_printed_elsewhere():
    n, d = 20, 10
    mean = covariance_trace_moment((4,), exact(np.eye(d, dtype=int)), n)
    cubic = n**3 + 6 * n**2 * d + 6 * n * d**2 + d**3
    assert mean == n * d * (cubic + 6 * n**2 + 17 * n * d + 6 * d**2 + 21 * n + 21 * d + 20) == 10 * 1041000


def test_the_third_power_as_printed_elsewhere():
    """Letac and Massam (2004)."""
    n, t = 6, trace_of(SIGMA)
    S, S2, S3 = (np.linalg.matrix_power(SIGMA, j) for j in (1, 2, 3))
    expected = (
        S3 * (n**3 + 3 * n**2 + 4 * n)
        + S2 * (2 * n * (n + 1) * t(1))
        + S * (n * (n + 1) * t(2) + n * t(1) ** 2)
    )
    assert (matrix_moment(3, (), SIGMA, n) == expected).all()


def test_the_trace_of_a_moment():
    for r, mu in keys(5):
        if r:
            trace = sum(matrix_moment(r, mu, SIGMA_3, 4).diagonal())
            assert trace == covariance_trace_moment((*mu, r), SIGMA_3, 4)


def test_parts_that_are_zero():
    assert moment_table(2, (0, 0)) == {(2, (0, 0)): (0, 1, 1), (1, (0, 0, 1)): (0, 1)}
    assert covariance_trace_moment([0, 1, 0], SIGMA_3, 5) == 9 * covariance_trace_moment([1], SIGMA_3, 5)
    assert moment_table(0, ()) == {(0, ()): (1,)}


def test_a_rank_one_covariance():
    u = exact([[1], [2], [-1]])
    mean = matrix_moment(2, (3,), u @ u.T, 5)
    assert (mean == u @ u.T * (Fraction(6) ** 4 * math.prod(range(5, 15, 2)))).all()


# ----------------------------------------------------------------------------- kinds of number


def test_powers_of_sigma_outside_of_the_range_of_floats():
    tiny, n = np.eye(1) * 1e-200, 10**150  # E W² = n (n + 2) Σ²
    assert covariance_trace_moment((2,), tiny, n) == pytest.approx(1e-100)
    assert matrix_moment(2, (), tiny, n)[0, 0] == pytest.approx(1e-100)
    assert sandwich_mean(np.eye(1), tiny, n)[0, 0] == pytest.approx(1e-100)
    assert sandwich_mean(np.eye(1) * 1e-300, np.eye(1) * 1e-100, n)[0, 0] == pytest.approx(1e-200)
    assert matrix_moment(2, (), np.eye(1) * 1e200, Fraction(1, 10**180))[0, 0] == pytest.approx(2e220)
    assert not matrix_moment(3, (), np.zeros((2, 2)), 4).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats(dtype):
    Sigma = SIGMA_3.astype(dtype)
    Sigma = (Sigma + Sigma.T) / 2
    expected = matrix_moment(3, (2, 1), np.vectorize(Fraction, otypes=[object])(Sigma.astype(float)), 9)
    found = matrix_moment(3, (2, 1), Sigma, 9)
    assert found.dtype == dtype
    # Six products and the sums of three terms each round a few dozen times in float64, then once.
    tolerance = np.finfo(dtype).eps + 100 * np.finfo(np.float64).eps
    difference = np.abs(np.vectorize(Fraction, otypes=[object])(found.astype(float)) - expected)
    assert (difference <= tolerance * max(np.abs(expected).flat)).all()
    assert (found == found.T).all()
    assert sandwich_mean(Sigma, Sigma, 9).dtype == covariance_trace_moment((2,), Sigma, 9).dtype == dtype


def test_symbols():
    _, a, b, c, n = field("a,b,c,n", sympy.QQ)
    Sigma = np.array([[a, b], [b, c]], dtype=object)
    assert matrix_moment(2, (), Sigma, n)[0, 1] == b * (a + c) * n * (n + 2)
    N = sympy.Symbol("n")
    in_expressions = matrix_moment(2, (1, 0), SIGMA, N)
    in_a_ring = matrix_moment(2, (1, 0), SIGMA, ring("p", sympy.ZZ)[1])
    for i, j in itertools.product(range(2), repeat=2):
        expected = matrix_moment(2, (1, 0), SIGMA, 5)[i, j]
        assert in_expressions[i, j].subs(N, 5) == sympy.Rational(expected.numerator, expected.denominator)
        assert in_a_ring[i, j].as_expr().subs("p", 5) == in_expressions[i, j].subs(N, 5)
    half = matrix_moment(2, (1, 0), SIGMA, Fraction(3, 2))
    assert half[0, 0] == Fraction(str(in_expressions[0, 0].subs(N, sympy.Rational(3, 2))))
    assert matrix_moment(2, (), SIGMA, Fraction(3))[0, 0] == matrix_moment(2, (), SIGMA, np.int64(3))[0, 0]


def test_expressions_in_a_matrix():
    S, n = sympy.MatrixSymbol("S", 2, 2), sympy.Symbol("n")
    value = sympy.Matrix(2, 2, [sympy.Rational(x.numerator, x.denominator) for x in SIGMA.flat])
    for r, mu in [(0, ()), (1, ()), (0, (2, 1)), (2, (0, 2)), (3, (1,))]:
        expression = matrix_moment_expression(r, mu, S, n)
        found = expression.subs({S: value, n: 7}).doit()
        assert sympy.Matrix(found) == sympy.Matrix(matrix_moment(r, mu, SIGMA, 7))
    d = sympy.Symbol("d")
    assert matrix_moment_expression(1, (), sympy.MatrixSymbol("S", d, d), n).shape == (d, d)


def test_views_and_read_only_arrays():
    Sigma = np.eye(6)[::2, ::2]
    Sigma.flags.writeable = False
    assert (matrix_moment(1, (), Sigma, 4) == 4 * np.eye(3)).all()
    assert (matrix_moment(1, (), [[1.0, 0.0], [0.0, 1.0]], 4) == 4 * np.eye(2)).all()


# -------------------------------------------------------------------------------------- refusals


I2 = np.eye(2)


@pytest.mark.parametrize(
    ("error", "name", "arguments"),
    [
        (ShapeError, "r", (-1, (), I2, 3)),
        (DTypeError, "r", (1.0, (), I2, 3)),
        (DTypeError, "r", (True, (), I2, 3)),
        (DTypeError, "r", (sympy.Symbol("r"), (), I2, 3)),
        (DTypeError, "parts", (1, 2, I2, 3)),
        (DTypeError, "parts", (1, "12", I2, 3)),
        (DTypeError, "parts", (1, (sympy.Symbol("b"),), I2, 3)),
        (ShapeError, "parts", (1, (-1,), I2, 3)),
        (ArgumentError, "parts", (1, (MAX_DEGREE,), I2, 3)),
        (ArgumentError, "parts", (10**30, (), I2, 3)),
        (ShapeError, "Sigma", (1, (), np.ones((2, 3)), 3)),
        (ShapeError, "Sigma", (1, (), np.ones(2), 3)),
        (ShapeError, "Sigma", (1, (), np.ones((0, 0)), 3)),
        (ArgumentError, "Sigma", (1, (), np.array([[1.0, 0.5], [0.4, 1.0]]), 3)),
        (ArgumentError, "Sigma", (1, (), np.array([[1.0, 2.0], [2.0, 1.0]]), 3)),
        (ArgumentError, "Sigma", (1, (), exact([[1, 2], [2, 1]]), 3)),
        (ArgumentError, "Sigma", (1, (), exact([[0, 2], [2, 1]]), 3)),
        (ArgumentError, "Sigma", (1, (), exact([[-1]]), 3)),
        (NonFiniteError, "Sigma", (1, (), np.full((2, 2), np.inf), 3)),
        (NonFiniteError, "Sigma", (1, (), np.full((2, 2), np.nan), 3)),
        (DTypeError, "Sigma", (1, (), np.eye(2, dtype=int), 3)),
        (DTypeError, "Sigma", (1, (), np.eye(2, dtype=bool), 3)),
        (DTypeError, "Sigma", (1, (), np.array([["a"]], dtype=object), 3)),
        (DTypeError, "Sigma", (1, (), sympy.eye(2), 3)),
        (ShapeError, "n", (1, (), I2, 0)),
        (ShapeError, "n", (1, (), I2, Fraction(1, 2))),
        (DTypeError, "n", (1, (), I2, 3.0)),
        (DTypeError, "n", (1, (), I2, True)),
        (DTypeError, "n", (1, (), I2, sympy.Symbol("n"))),
        (DTypeError, "n", (1, (), SIGMA, sympy.sqrt(7))),
        (DTypeError, "n", (1, (), exact([[1]]) * field("a", sympy.QQ)[1], sympy.Symbol("n"))),
        (NonFiniteError, "result", (2, (), I2 * 1e200, 3)),
        (NonFiniteError, "result", (1, (), I2, 10**400)),
        (NonFiniteError, "result", (2, (), np.eye(2, dtype=np.float32) * np.float32(1e30), 3)),
    ],
)
def test_refusals(error, name, arguments):
    with pytest.raises(error) as caught:
        matrix_moment(*arguments)
    assert caught.value.argument == name


def test_refusals_of_the_others():
    with pytest.raises(ShapeError, match="Sigma"):
        sandwich_mean(np.eye(3), np.eye(2), 3)
    with pytest.raises(DTypeError, match="Sigma"):
        sandwich_mean(exact([[1]]), np.eye(1), 3)
    with pytest.raises(NonFiniteError, match="result"):
        sandwich_mean(I2 * 1e200, I2 * 1e200, 3)
    with pytest.raises(DTypeError, match="Sigma"):
        matrix_moment_expression(1, (), np.eye(2), 3)
    with pytest.raises(ShapeError, match="Sigma"):
        matrix_moment_expression(1, (), sympy.MatrixSymbol("S", 2, 3), 3)
