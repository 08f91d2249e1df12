"""GD++: weights and steps worked out by hand, condition numbers against a fine grid, what is refused."""

from __future__ import annotations

import importlib
import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy
from hypothesis import given, settings

from gdtheory import registry
from gdtheory.checking import check
from gdtheory.constructions import gd_step_weights, gdpp_step_weights
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.evidence import Verdict
from gdtheory.exact import to_fractions
from gdtheory.problems import FallingGammas, IntervalAndGamma, Spectrum
from gdtheory.reference.gdpp import (
    best_gamma,
    condition_number,
    condition_number_on_interval,
    extreme_eigenvalues,
    extremes_on_interval,
    gdpp_step,
    transformed_eigenvalue,
    transformed_inputs,
)
from gdtheory.rungs import related
from gdtheory.strategies import fractions, problems


def exact(rows):
    return to_fractions(np.array(rows, dtype=np.float64))


def refused(error, argument, call, *args, **kwargs):
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    assert type(caught.value) is error
    assert caught.value.argument == argument


# --------------------------------------------------------------------------------- layer and step


def test_the_weights_are_those_of_the_appendix():
    weights = gdpp_step_weights(exact([[3, 4]]), eta=Fraction(1, 2), gamma=Fraction(1, 3), N=5)
    assert np.array_equal(weights.W_K, exact([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))
    assert np.array_equal(weights.W_Q, weights.W_K)
    assert np.array_equal(weights.W_V, exact([[1, 0, 0], [0, 1, 0], [3, 4, -1]]))
    assert list(weights.P.diagonal()) == [Fraction(-1, 3), Fraction(-1, 3), Fraction(1, 10)]
    assert not (weights.P - np.diag(weights.P.diagonal())).any()


def test_without_a_transformation_it_is_the_layer_of_gradient_descent():
    W, E = np.array([[3.0, 4.0]]), np.arange(12.0).reshape(3, 4)
    expected = gd_step_weights(W, eta=0.5, N=3).layer(E)
    assert np.array_equal(gdpp_step_weights(W, eta=0.5, gamma=0.0, N=3).layer(E), expected)


def test_the_step_in_one_dimension():
    # R = 3 - 1 = 2, ΔW = η R x = 2; the input 2 becomes 2 - γ·4·2 = -2, and 1 becomes 1 - γ·4 = -1.
    X, x, Y, F, f = (exact([[entry]]) for entry in (2, 1, 3, 1, 5))
    moved = gdpp_step(X, x, Y, F, f, eta=Fraction(1, 2), gamma=Fraction(1, 2))
    assert [part.item() for part in moved] == [-2, -1, 1 + 2 * 2, 5 + 2 * 1]


NO_NUMBER = ["0.5", None, True, np.bool_(True), 1j, np.complex64(1), {}, b"1", Decimal("0.5"), Path("a")]


@pytest.mark.parametrize("wrong", [*NO_NUMBER, sympy.nan, np.ones(2), np.array([np.nan]), [1]])
def test_what_is_no_single_number_is_refused(wrong):
    refused(DTypeError, "eigenvalue", transformed_eigenvalue, wrong, 1)
    refused(DTypeError, "gamma", transformed_eigenvalue, 1, wrong)
    refused(DTypeError, "a", best_gamma, wrong, 1)
    refused(DTypeError, "b", best_gamma, 1, wrong)


@pytest.mark.parametrize("wrong", NO_NUMBER)
def test_no_numbers_are_refused(wrong):
    W = np.ones((1, 2))
    refused(DTypeError, "eta", gdpp_step_weights, W, wrong, 0.5, 2)
    refused(DTypeError, "gamma", gdpp_step_weights, W, 0.5, wrong, 2)
    refused(DTypeError, "gamma", transformed_inputs, W, W, wrong)
    refused(DTypeError, "eta", gdpp_step, W, W, W, W, W, wrong, 0.5)


def test_what_does_not_fit_is_refused():
    W = np.ones((1, 2))
    refused(ShapeError, "N", gdpp_step_weights, W, 0.5, 0.5, 0)
    refused(DTypeError, "N", gdpp_step_weights, W, 0.5, 0.5, 2.0)
    refused(ShapeError, "W", gdpp_step_weights, np.ones(2), 0.5, 0.5, 2)
    refused(NonFiniteError, "gamma", gdpp_step_weights, W, 0.5, np.nan, 2)
    refused(ShapeError, "X", transformed_inputs, W, np.ones((2, 2)), 0.5)
    refused(ShapeError, "F", gdpp_step, W, W, W, np.ones((2, 3)), W, 0.5, 0.5)
    refused(NonFiniteError, "eigenvalue", transformed_eigenvalue, np.inf, 1)


@pytest.mark.parametrize("zero", [0, 0.0, np.float32(0), np.int64(0), Fraction(0)])
def test_no_gamma_is_best_at_two_zeros(zero):
    refused(ArgumentError, "a", best_gamma, zero, zero)


def test_integers_of_any_kind_are_exact():
    large = np.int64(10**10)
    assert transformed_eigenvalue(large, np.int64(3)) == 10**10 * (1 - 3 * 10**10) ** 2
    assert best_gamma(np.int64(2), np.int64(1)) == Fraction(1, 7)
    assert best_gamma(np.int8(100), np.uint8(200)) == Fraction(1, 70000)
    assert type(best_gamma(np.int64(2), 1)) is Fraction


def test_floats_keep_their_kind():
    assert best_gamma(2.0, 1.0) == 1 / 7
    assert type(best_gamma(np.float32(2), np.float32(1))) is np.float32
    assert transformed_eigenvalue(2.0, 0.25) == 0.5


@pytest.mark.parametrize("large", [1e300, np.float64(1e300), np.float32(1e30), 10**400 * Fraction(1)])
def test_results_beyond_the_range_of_floats_are_refused(large):
    like = np.float32(2) if isinstance(large, np.float32) else 2.0
    refused(NonFiniteError, "eigenvalue", transformed_eigenvalue, large, like)
    refused(NonFiniteError, "a", best_gamma, large, like)
    refused(NonFiniteError, "a", best_gamma, like, large)


@pytest.mark.parametrize("small", [1e-200, np.float64(1e-200), np.float32(1e-30)])
def test_a_best_gamma_beyond_the_range_of_floats_is_refused(small):
    refused(NonFiniteError, "a", best_gamma, small, small)
    refused(NonFiniteError, "a", best_gamma, small, 0 * small)


# ------------------------------------------------------------------------------ condition numbers


def test_the_largest_eigenvalue_need_not_stay_the_largest():
    spectrum, gamma = ["1", "0.3", "0.05"], "0.9"
    assert transformed_eigenvalue(1, Fraction(9, 10)) < transformed_eigenvalue(
        Fraction(1, 20), Fraction(9, 10)
    )
    assert extreme_eigenvalues(spectrum, gamma) == (Fraction(15987, 100000), Fraction(1, 100))
    assert condition_number(spectrum, gamma) == Fraction(15987, 1000)


@settings(max_examples=60, deadline=None)
@given(problems(Spectrum, fractions()))
def test_three_candidates_suffice(p):
    spectrum = list((p.sigma * p.sigma).flat)
    found = [transformed_eigenvalue(eigenvalue, p.gamma) for eigenvalue in spectrum]
    assert extreme_eigenvalues(spectrum, p.gamma) == (max(found), min(found))


@settings(max_examples=60, deadline=None)
@given(problems(IntervalAndGamma, fractions()))
def test_nothing_in_an_interval_is_beyond_its_extremes(p):
    least, largest = p.b**2, p.a**2
    high, low = extremes_on_interval(least, largest, p.gamma)
    steps = 40
    grid = [least + (largest - least) * Fraction(i, steps) for i in range(steps + 1)]
    found = [transformed_eigenvalue(eigenvalue, p.gamma) for eigenvalue in grid]
    assert low <= min(found)
    assert max(found) <= high
    critical = [1 / p.gamma, 1 / (3 * p.gamma)] if p.gamma else []
    attained = [transformed_eigenvalue(point, p.gamma) for point in critical if least <= point <= largest]
    assert {high, low} <= {*found, *attained}


def extremes_among(p, peak=Fraction(1, 3), root=1, *, top="1-+", bottom="n-+"):
    """Return the formula of GDT-0021 with other points, or with some of its candidates only."""
    ordered = sorted((p.sigma * p.sigma).flat)

    def f_at(point, named, end, chosen):
        named = named | {
            "-": [eigenvalue for eigenvalue in ordered if eigenvalue <= point][-1:],
            "+": [eigenvalue for eigenvalue in ordered if eigenvalue >= point][:1],
        }
        found = [eigenvalue for name in chosen for eigenvalue in named[name]] or [end]
        return [transformed_eigenvalue(eigenvalue, p.gamma) for eigenvalue in found]

    largest = f_at(peak / p.gamma, {"1": ordered[-1:]}, ordered[-1], top)
    least = f_at(root / p.gamma, {"n": ordered[:1]}, ordered[0], bottom)
    return max(largest), min(least)


WRONG_EXTREMES = {
    "λ_1 alone": {"top": "1"},
    "the largest without λ_1": {"top": "-+"},
    "the largest without λ⁻": {"top": "1+"},
    "the largest without λ⁺": {"top": "1-"},
    "the least without λ_n": {"bottom": "-+"},
    "the least without λ⁻": {"bottom": "n+"},
    "the least without λ⁺": {"bottom": "n-"},
    "1/(2γ) for 1/(3γ)": {"peak": Fraction(1, 2)},
    "2/(3γ) for 1/(3γ)": {"peak": Fraction(2, 3)},
    "1/γ for 1/(3γ)": {"peak": 1},
    "1/(3γ) for 1/γ": {"root": Fraction(1, 3)},
    "1/(2γ) for 1/γ": {"root": Fraction(1, 2)},
    "2/(3γ) for 1/γ": {"root": Fraction(2, 3)},
    "4/(3γ) for 1/γ": {"root": Fraction(4, 3)},
}


@pytest.mark.parametrize("wrong", WRONG_EXTREMES.values(), ids=WRONG_EXTREMES)
def test_the_fixed_spectra_tell_wrong_extremes_from_the_right_ones(wrong):
    fixed = [p for p in Spectrum.fixed() if p.gamma > 0]
    right = [extremes_among(p) for p in fixed]
    assert right == [extreme_eigenvalues((p.sigma * p.sigma).flat, p.gamma) for p in fixed]
    assert right != [extremes_among(p, **wrong) for p in fixed]


@pytest.mark.parametrize("ignored", [("peak",), ("root",), ("peak", "root"), ("ends",)])
def test_the_best_gamma_is_not_found_with_wrong_extremes_of_the_interval(ignored, monkeypatch):
    def wrong_extremes(least, largest, gamma):
        points = {"ends": [least, largest]}
        if gamma:
            points |= {"peak": [1 / (3 * gamma)], "root": [1 / gamma]}
        kept = [x for name, at in points.items() for x in at if name not in ignored]
        values = [transformed_eigenvalue(x, gamma) for x in kept if least <= x <= largest] or [Fraction(1)]
        return max(values), min(values)

    name = "gdtheory.catalogue.gdpp_gamma_star_is_best"
    monkeypatch.setattr(f"{name}.extremes_on_interval", wrong_extremes)
    claim = importlib.import_module(name).CLAIM
    assert check(claim, max_examples=1).evidence["rational"].verdict is Verdict.FAILS


@pytest.mark.parametrize("identifier", ["GDT-0021", "GDT-0023", "GDT-0026"])
def test_wrong_versions_are_refuted_before_any_draw(identifier):
    found = registry.claim(identifier)
    for variant in found.variants:
        lhs, rhs = found.sides(variant.name)
        assert not all(related(found.relation, lhs(p), rhs(p)) for p in found.problem.fixed()), variant.name


def test_the_condition_number_is_infinite_where_an_eigenvalue_vanishes():
    assert condition_number([4, 1, 0], "1/12") == math.inf
    assert condition_number([4, 2, 1], "1/2") == math.inf
    assert condition_number_on_interval(1, 4, "1/3") == math.inf
    assert condition_number([4, 2, 1], "1/3") < math.inf


def test_the_best_gamma_of_an_interval():
    a, b = Fraction(3), Fraction(1)
    q = a * a + a * b + b * b
    best = condition_number_on_interval(b**2, a**2, best_gamma(a, b))
    assert best == 4 * q**3 / (27 * (a * b * (a + b)) ** 2)
    step = Fraction(1, 10**6)
    for gamma in (best_gamma(a, b) - step, best_gamma(a, b) + step):
        assert best < condition_number_on_interval(b**2, a**2, gamma)


@pytest.mark.parametrize("wrong", [0.5, "x", None, True, [1]])
def test_no_exact_numbers_are_refused(wrong):
    refused(DTypeError, "gamma", condition_number, [1], wrong)
    refused(DTypeError, "spectrum", condition_number, [wrong], 1)
    refused(DTypeError, "least", condition_number_on_interval, wrong, 1, 1)
    refused(DTypeError, "largest", condition_number_on_interval, 1, wrong, 1)


def test_no_spectra_and_no_intervals_are_refused():
    refused(ShapeError, "spectrum", condition_number, [], 1)
    refused(DTypeError, "spectrum", condition_number, 1, 1)
    refused(DTypeError, "spectrum", condition_number, "12", 1)
    refused(DTypeError, "spectrum", condition_number, b"41", 0)
    refused(ArgumentError, "spectrum", condition_number, ["1e99999999"], 0)
    refused(ArgumentError, "spectrum", condition_number, [1, -1], 1)
    refused(ArgumentError, "least", condition_number_on_interval, -1, 1, 1)
    refused(ArgumentError, "largest", condition_number_on_interval, 2, 1, 1)


# ----------------------------------------------------------------------------- what the draws reach


def drawn(record_type):
    found = []

    @settings(max_examples=300, database=None, derandomize=True, deadline=None)
    @given(problems(record_type, fractions()))
    def collect(p):
        found.append(p)

    collect()
    return found


def test_every_regime_of_gamma_is_drawn_often_and_its_borders_too():
    found = drawn(IntervalAndGamma)
    inside, borders = Counter(), Counter()
    for p in found:
        gamma, largest, least = p.gamma, p.a**2, p.b**2
        assert p.a > p.b > 0
        assert gamma != best_gamma(p.a, p.b)
        landmarks = {
            "0": Fraction(0),
            "the peak enters": 1 / (3 * largest),
            "the optimum": best_gamma(p.a, p.b),
            "the peak leaves": 1 / (3 * least),
            "the root enters": 1 / largest,
            "the root leaves": 1 / least,
        }
        inside[sum(landmark < gamma for landmark in landmarks.values())] += 1
        borders.update(name for name, landmark in landmarks.items() if landmark == gamma)
    assert set(inside) == set(range(7))
    assert min(inside.values()) > 10
    assert set(borders) == {
        "0",
        "the peak enters",
        "the peak leaves",
        "the root enters",
        "the root leaves",
    }
    between = [p for p in found if 1 / (3 * p.b**2) <= p.gamma < 1 / p.a**2]
    assert len(between) > 10  # the peak has left and the root has not entered
    assert 50 < sum(p.a**2 < 3 * p.b**2 for p in found) < 250


def test_every_drawn_pair_of_gammas_is_in_the_region_and_its_ends_are_reached():
    found = drawn(FallingGammas)
    for p in found:
        largest, least = max(p.spectrum), min(p.spectrum)
        assert largest > least > 0
        assert 0 <= p.gamma < p.gamma_next <= 1 / (3 * largest)
    assert any(p.gamma == 0 for p in found)
    assert any(p.gamma_next == 1 / (3 * max(p.spectrum)) for p in found)
