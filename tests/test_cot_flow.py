"""The gradient flow against another integrator, its closed-form end, and what it has to keep."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from gdtheory.cot import (
    eigenvalue_gradient,
    eigenvalue_hessian_product,
    gradient_flow,
    population_gradient,
    scalar_minimiser,
)
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError

N, K, ETA = 20, 5, "2/5"
SMALL = np.full(10, 0.01)
RNG = np.random.default_rng(0)
EIGENVALUES = 0.05 * RNG.standard_normal((2, 6))
MATRICES = 0.1 * RNG.standard_normal((2, 4, 4))


def runge_kutta(gradient, V, W, t_end, steps):
    """The classical method of order 4, with a fixed step."""
    y, h = np.array([V, W]), t_end / steps
    for _ in range(steps):
        slopes = [np.zeros_like(y)]
        for share in (0, 0.5, 0.5, 1):
            slopes.append(-np.array(gradient(*(y + share * h * slopes[-1]), N, K, ETA)))
        y = y + h / 6 * (slopes[1] + 2 * slopes[2] + 2 * slopes[3] + slopes[4])
    return y


@pytest.mark.parametrize("method", ["LSODA", "Radau", "BDF", "DOP853", "RK45"])
def test_from_multiples_of_the_identity_it_ends_at_the_minimiser(method):
    flow, best = gradient_flow(SMALL, SMALL, N, K, ETA, method=method), scalar_minimiser(N, 10, K, ETA)
    assert flow.gradient_norms[-1] <= 1e-7 < flow.gradient_norms[:-1].min()
    np.testing.assert_allclose(flow.V, float(best.v), rtol=0, atol=2e-7)
    np.testing.assert_allclose(flow.W, float(best.w), rtol=0, atol=2e-7)
    assert flow.losses[-1] == pytest.approx(float(best.loss), abs=1e-12)
    assert flow.largest_rise <= 1e-14 * flow.losses[0]


@pytest.mark.parametrize(
    ("start", "gradient"), [(EIGENVALUES, eigenvalue_gradient), (MATRICES, population_gradient)]
)
def test_it_solves_the_equation(start, gradient):
    flow = gradient_flow(*start, N, K, ETA, 3.0)
    assert flow.times[0] == 0 and flow.times[-1] == 3 and (np.diff(flow.times) > 0).all()
    assert flow.largest_rise == 0
    for t in (0.0, 0.4, 3.0):
        expected = runge_kutta(gradient, *start, t, 1 + round(100 * t))
        np.testing.assert_allclose(np.array(flow.at(t)), expected, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(flow.at(3.0), [flow.V, flow.W])


def test_common_eigenvectors_are_kept():
    U = np.linalg.qr(RNG.standard_normal((6, 6)))[0]
    v0, w0 = EIGENVALUES
    narrow = {"rtol": 1e-11, "atol": 1e-13, "method": "DOP853"}
    dense = gradient_flow((U * v0) @ U.T, (U * w0) @ U.T, N, K, ETA, 8.0, **narrow)
    modes = gradient_flow(v0, w0, N, K, ETA, 8.0, **narrow)
    for t in (2.0, 8.0):
        for whole, values in zip(dense.at(t), modes.at(t), strict=True):
            np.testing.assert_allclose(U.T @ whole @ U, np.diag(values), rtol=0, atol=1e-9)
    assert dense.losses[-1] == pytest.approx(modes.losses[-1], rel=1e-9)
    assert dense.mean_v[-1] == pytest.approx(modes.V.mean(), abs=1e-9)


def test_matrices_without_common_eigenvectors_end_at_the_minimiser_too():
    flow, best = gradient_flow(*MATRICES, N, K, ETA), scalar_minimiser(N, 4, K, ETA)
    np.testing.assert_allclose(flow.V, float(best.v) * np.eye(4), rtol=0, atol=1e-6)
    np.testing.assert_allclose(flow.W, float(best.w) * np.eye(4), rtol=0, atol=1e-6)


def test_the_two_stages():
    flow = gradient_flow(SMALL, SMALL, 100, 20, ETA)
    stages = flow.stages
    assert stages.plateau == pytest.approx(-100 / 111 / 21)
    assert 0 < stages.plateau_reached < stages.growth / 10
    for t in (stages.plateau_reached, stages.growth / 4):
        V, W = flow.at(t)
        assert abs(V.mean() / stages.plateau - 1) < 0.2 and W.mean() < 0.1
    at_growth = np.searchsorted(flow.times, stages.growth)
    halfway = (flow.mean_w[0] + flow.mean_w[-1]) / 2
    assert flow.mean_w[at_growth - 1] < halfway <= flow.mean_w[at_growth]
    assert flow.V.mean() == pytest.approx(-0.4, abs=1e-3) and flow.W.mean() == pytest.approx(1, abs=1e-3)


def distance_times_curvature(flow, best, n, d, k):
    """The distance from the minimiser times the least curvature there: about the gradient at most."""
    at = [np.full(d, float(x)) for x in (best.v, best.w)]
    hessian = [
        np.ravel(eigenvalue_hessian_product(*at, *unit, n, k, ETA))
        for unit in np.eye(2 * d).reshape(-1, 2, d)
    ]
    distance = np.linalg.norm(np.array([flow.V, flow.W]) - at) / d**0.5
    return distance * np.linalg.eigvalsh(hessian)[0]


@pytest.mark.parametrize("sigma", [1e-3, 1e-1])
@pytest.mark.parametrize("signs", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
@pytest.mark.parametrize(("n", "d", "k"), [(8, 4, 3), (40, 4, 3), (40, 10, 12)])
def test_small_starts_with_common_eigenvectors_end_at_the_minimiser(n, d, k, signs, sigma):
    v, w = (sigma * sign * np.random.default_rng(d).uniform(0.5, 1, d) for sign in signs)
    flow, best = gradient_flow(v, w, n, k, ETA), scalar_minimiser(n, d, k, ETA)
    # The gradient is linear in the distance but for terms of second order, here below a percent.
    assert distance_times_curvature(flow, best, n, d, k) <= 1.01 * flow.gradient_norms[-1]
    assert flow.largest_rise <= 1e-14 * flow.losses[0]
    if sigma == 1e-3:
        assert flow.stages.plateau_reached < flow.stages.growth


def test_a_small_start_can_run_off_along_a_valley_instead():
    flow = gradient_flow(np.full(4, 0.1), np.full(4, -0.1), 8, 12, ETA)
    assert flow.losses[-1] > float(scalar_minimiser(8, 4, 12, ETA).loss) + 1
    assert (flow.V > 0).all() and (flow.V < 1e-4).all() and (flow.W < -2000).all()


def test_ten_thousand_modes():
    d = 10**4
    start = 1e-3 * np.random.default_rng(0).uniform(0.5, 1, (2, d))
    flow, best = (
        gradient_flow(*start, 4 * d, 3, ETA, rtol=1e-6, dense=False),
        scalar_minimiser(4 * d, d, 3, ETA),
    )
    assert flow.stages.plateau_reached < flow.stages.growth
    assert flow.losses[-1] == pytest.approx(float(best.loss), rel=1e-9)
    np.testing.assert_allclose(flow.W, float(best.w), rtol=0, atol=1e-4)


def test_stages_that_did_not_happen_are_none():
    assert gradient_flow(SMALL, SMALL, N, K, ETA, 0.01).stages.plateau_reached is None
    assert gradient_flow(-SMALL, SMALL, N, 0, ETA).stages.growth is None  # W does not move without steps


def test_no_time_is_the_start():
    flow = gradient_flow(SMALL, SMALL, N, K, ETA, 0)
    assert flow.times.tolist() == [0] and flow.largest_rise == 0
    np.testing.assert_array_equal(flow.at(0), [SMALL, SMALL])


def test_a_flow_of_large_curvature():
    flow = gradient_flow(SMALL, SMALL, 5, K, ETA)
    assert flow.losses[-1] == pytest.approx(float(scalar_minimiser(5, 10, K, ETA).loss), rel=1e-9)
    with pytest.raises(ArgumentError, match="max_evaluations"):
        gradient_flow(SMALL, SMALL, 5, K, ETA, method="DOP853", max_evaluations=1000)


def test_a_gradient_that_is_zero_by_rounding_is_no_end():
    best = scalar_minimiser(N, 10, K, ETA)
    V, W = (np.full(10, float(x)) for x in (best.v, best.w))
    with pytest.raises(ArgumentError, match="rounding"):
        gradient_flow(V, W, N, K, ETA, gradient_tolerance=4e-15)


def test_a_solution_that_is_lost_is_not_returned():
    with pytest.raises(ArgumentError, match="the loss rose"):  # rounding keeps this tolerance out of reach
        gradient_flow(SMALL, SMALL, N, K, ETA, gradient_tolerance=0)
    at_rest = gradient_flow(SMALL, SMALL, N, K, ETA, 1e25)
    assert at_rest.losses[-1] == pytest.approx(float(scalar_minimiser(N, 10, K, ETA).loss), rel=1e-9)


def test_a_solver_that_is_stuck_says_where_and_warns_of_nothing():
    # The coefficients are about 1e33: LSODA ends at a zero by rounding or stops, as the last bits have it.
    with pytest.raises(ArgumentError, match=r"rounding|stopped at t = .*convergence failures"):
        gradient_flow(SMALL, SMALL, 1, 10, 1.9)


@pytest.mark.parametrize(
    ("error", "change"),
    [
        (ShapeError, {"V0": np.ones(3)}),
        (ShapeError, {"V0": np.ones((2, 3)), "W0": np.ones((2, 3))}),
        (ShapeError, {"V0": 0.5}),
        (ShapeError, {"V0": [], "W0": []}),
        (DTypeError, {"V0": [1, 2]}),
        (DTypeError, {"V0": np.ones(2, np.float32)}),
        (NonFiniteError, {"W0": [0.0, np.nan]}),
        (NonFiniteError, {"V0": [1e200, 0.0]}),
        (NonFiniteError, {"eta": np.nan}),
        (ShapeError, {"n": 0}),
        (ArgumentError, {"t_end": -1}),
        (ArgumentError, {"t_end": 1e-160}),
        (ArgumentError, {"t_end": 1e50}),
        (ArgumentError, {"t_end": np.nan}),
        (ArgumentError, {"t_end": np.inf}),
        (DTypeError, {"t_end": "1"}),
        (ArgumentError, {"rtol": 0.0}),
        (DTypeError, {"rtol": "0.1"}),
        (ArgumentError, {"atol": -1.0}),
        (ArgumentError, {"gradient_tolerance": -1.0}),
        (ArgumentError, {"gradient_tolerance": 0}),  # which rounding keeps out of reach
        (ArgumentError, {"method": np.eye(2)}),
        (DTypeError, {"dense": 1}),
        (DTypeError, {"max_evaluations": sympy.Symbol("m")}),
        (ArgumentError, {"method": "Euler"}),
        (ArgumentError, {"max_evaluations": 20}),
        (ShapeError, {"max_evaluations": 0}),
    ],
)
def test_bad_input(error, change):
    arguments = {"V0": [0.1, 0.2], "W0": [0.1, 0.2], "n": N, "k": K, "eta": ETA} | change
    with pytest.raises(error):
        gradient_flow(**arguments)


def test_times_outside_of_the_flow():
    flow = gradient_flow(SMALL, SMALL, N, K, ETA, 1.0, dense=False)
    for t in (-1, 2, np.nan, 0.5):
        with pytest.raises(ArgumentError):
            flow.at(t)
