"""Numbers and proofs in the statements of claims on evaluation that their checks do not compute."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
import sympy
from scipy.stats import binomtest

from gdtheory.catalogue.concentration_of_sample_covariance import FALSE_ALARM, confidence_limit
from gdtheory.cot.comparison import best_rate, winning_range
from gdtheory.cot.evaluation import evaluation_loss
from gdtheory.cot.generalisation import generalisation_loss
from gdtheory.cot.looped import earlier_bound_squared
from gdtheory.wishart.one_row import trace_moments, zonal_trace_moment

N, D, ETA = 20, 10, Fraction(2, 5)


@pytest.mark.parametrize(("eta", "ends"), [("1/5", (3, 63)), ("2/5", (1, 21)), ("3/5", (1, 8)), (2, None)])
def test_the_ranges_of_gdt_0071(eta, ends):
    assert winning_range(N, D, eta) == ends


def test_the_least_loss_of_gdt_0070():
    losses = [evaluation_loss(N, D, steps, ETA) for steps in range(1, 31)]
    assert losses.index(min(losses)) == 18
    assert Fraction("0.09884") < min(losses) < Fraction("0.09885")


def test_the_least_loss_of_gdt_0093():
    best = best_rate(N, D, 6)
    assert Fraction("0.3546") < best.loss[0] <= best.loss[1] < Fraction("0.3547")
    assert Fraction("0.5603") < best.eta[0] <= best.eta[1] < Fraction("0.5604")


def mean_of_power(n, d, i):
    moments = [d, *(zonal_trace_moment(j, n, d) for j in range(1, i + 1))]
    return sum(comb(i, j) * (-ETA / n) ** j * moments[j] for j in range(i + 1)) / d


@pytest.mark.parametrize(("d", "factor"), [(10, 21), (10**3, 19), (10**9, 19)])
def test_how_far_off_the_estimate_in_gdt_0085_is(d, factor):
    assert int(mean_of_power(2 * d, d, 10) / (1 - ETA) ** 10) == factor


def test_the_mean_of_a_power_of_gdt_0086():
    i = 10
    c = mean_of_power(N, D, i)
    corrected = (1 - ETA) ** i + comb(i, 2) * ETA**2 * (1 - ETA) ** (i - 2) * Fraction(D + 1, N)
    assert round(c / (1 - ETA) ** i, 2) == Fraction("21.24")
    assert corrected / (1 - ETA) ** i == 12


@pytest.mark.parametrize("root", [[[2, 1], [1, "1/3"]], [["1/2", 0, 3], [0, 1, -1], [1, 0, "2/5"]]])
@pytest.mark.parametrize("n", [1, 5])
def test_the_formula_for_one_step_in_gdt_0084(root, n):
    L = np.vectorize(Fraction, otypes=[object])(np.array(root, dtype=object))
    Sigma = L @ L.T
    trace, square = Sigma.trace(), (Sigma @ Sigma).trace()
    expected = (len(L) - 2 * ETA * trace + ETA**2 / n * ((n + 1) * square + trace**2)) / 2
    assert generalisation_loss(Sigma, n, 1, ETA) == expected


@pytest.mark.parametrize("hits", [0, 1, 30, 999, 1000])
def test_the_confidence_limit_of_gdt_0087(hits):
    events = np.arange(1000) < hits
    exact = binomtest(hits, 1000).proportion_ci(1 - 2 * FALSE_ALARM, "exact")
    assert float(confidence_limit(events)) == pytest.approx(exact.low, rel=1e-6)


def test_equality_in_gdt_0089():
    assert earlier_bound_squared(2, 1, 1) == 32 * Fraction(2, 4) ** 2


@pytest.mark.parametrize("L", range(2, 13))
def test_the_difference_of_gdt_0090_has_no_negative_coefficient(L):
    _, u, v = sympy.ring("u, v", sympy.ZZ)
    n, d = u + 1, v + 1
    m, total = trace_moments(2 * L, n, d), n + d + 2 * L
    loss = sum(m[j] * total ** (2 * L - j) * ((-1) ** j * comb(2 * L, j)) for j in range(2 * L + 1))
    difference = d * (d + 1) * total ** (2 * L) - loss * (n + d + 1)
    assert min(difference.coeffs()) > 0
    assert difference.coeff(1) > 0
