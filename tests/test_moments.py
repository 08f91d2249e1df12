"""Mean traces of random contexts: against every context of a law with three values, and by two routes."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdtheory.arguments import as_fraction
from gdtheory.errors import ArgumentError, DTypeError, ShapeError
from gdtheory.namespace import as_objects
from gdtheory.reference.moments import (
    Gaussian,
    Law,
    ThreePoint,
    Uniform,
    closed_walks,
    trace_power,
    wishart_traces,
)

SMALL = [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1)]
LAW = ThreePoint("3/2", "1/5")


class GaussianByWalks(Law):
    """The moments of a Gaussian law, on the way of all other laws."""

    def moment(self, order):
        return Gaussian("2/3").moment(order)


@cache
def contexts(law, d, N):
    """Every context of a ThreePoint law, with its probability."""
    weights = {-law.a: law.q, Fraction(0): 1 - 2 * law.q, law.a: law.q}
    return [
        (as_objects(list(entries), (d, N)), np.prod([weights[x] for x in entries]))
        for entries in itertools.product(weights, repeat=d * N)
    ]


def enumerated_trace_powers(law, d, N, largest):
    """The mean of tr (X Xᵀ)ᵖ over every context, for p = 0, ..., largest."""
    means = [Fraction(0)] * (largest + 1)
    for X, weight in contexts(law, d, N):
        power, W = as_objects([Fraction(int(i == j)) for i in range(d) for j in range(d)], (d, d)), X @ X.T
        for p in range(largest + 1):
            means[p] += weight * sum(power.diagonal())
            power = power @ W
    return means


@pytest.mark.parametrize(("d", "N"), SMALL)
def test_traces_are_the_means_over_every_context(d, N):
    found = [trace_power(LAW, d, N, p) for p in range(9)]
    assert found == enumerated_trace_powers(LAW, d, N, 8)


def test_the_enumeration_tells_laws_apart():
    """Else the test above would not see a wrong moment: change each one and find the trace changed."""

    class Off(Law):
        def __init__(self, order):
            self.order = order

        def moment(self, order):
            return LAW.moment(order) + (order == self.order)

    for p in range(1, 9):
        expected = enumerated_trace_powers(LAW, 2, 2, p)[p]
        assert all(trace_power(Off(2 * k), 2, 2, p) != expected for k in range(1, p + 1))


@pytest.mark.parametrize("rademacher", [ThreePoint(2, "1/2")])
@pytest.mark.parametrize(("d", "N", "p"), [(1, 7, 4), (7, 1, 5)])
def test_signs_alone_give_a_constant(rademacher, d, N, p):
    assert trace_power(rademacher, d, N, p) == 28**p


@pytest.mark.parametrize(("d", "N"), [(1, 1), (2, 3), (7, 2), (10, 25)])
def test_walks_and_integration_by_parts_agree(d, N):
    for p in range(9):
        assert trace_power(GaussianByWalks(), d, N, p) == trace_power(Gaussian("2/3"), d, N, p)


@given(st.integers(1, 30), st.integers(1, 30))
def test_wishart_traces_as_printed_elsewhere(n, d):
    assert wishart_traces(n, d, (1,)) == n * d
    assert wishart_traces(n, d, (2,)) == n * d * (n + d + 1)
    assert wishart_traces(n, d, (3,)) == n * d * (n**2 + 3 * n * d + d**2 + 3 * n + 3 * d + 4)
    cubic = n**3 + 6 * n**2 * d + 6 * n * d**2 + d**3
    assert wishart_traces(n, d, (4,)) == n * d * (
        cubic + 6 * n**2 + 17 * n * d + 6 * d**2 + 21 * n + 21 * d + 20
    )
    assert wishart_traces(n, d, (1, 1)) == n * d * (n * d + 2)


@pytest.mark.parametrize("law", [Uniform(2), Gaussian("1/3"), LAW], ids=str)
def test_transposed_contexts_have_the_same_traces(law):
    """tr (X Xᵀ)ᵖ = tr (Xᵀ X)ᵖ, for p > 0."""
    for p in range(1, 9):
        assert trace_power(law, 3, 8, p) == trace_power(law, 8, 3, p)


@pytest.mark.parametrize("law", [Uniform, Gaussian])
def test_a_factor_on_the_entries(law):
    for p in range(9):
        assert trace_power(law("3/2"), 4, 5, p) == Fraction(9, 4) ** p * trace_power(law(1), 4, 5, p)


def test_second_traces_in_closed_form():
    for law, d, N in itertools.product((Uniform("1/2"), Gaussian(2), LAW), (1, 4), (1, 6)):
        m_2, m_4 = law.moment(2), law.moment(4)
        expected = N * (d * m_4 + d * (d - 1) * m_2**2) + N * (N - 1) * d * m_2**2
        assert trace_power(law, d, N, 2) == expected


def test_walks_of_four_steps():
    """X_ij⁴, X_ij² X_ik² (two columns) and X_ij² X_kj² (two rows)."""
    assert closed_walks(2) == {(1, 1, (4,)): 1, (1, 2, (2, 2)): 1, (2, 1, (2, 2)): 1}


@pytest.mark.parametrize("law", [Uniform("1/2"), Gaussian("1/2")], ids=str)
def test_moments_by_quadrature(law):
    x, weight = np.polynomial.legendre.leggauss(60)
    if isinstance(law, Uniform):
        x, weight = x / 2, weight / 2
    else:
        x, weight = np.polynomial.hermite_e.hermegauss(60)
        x, weight = x / 2, weight / weight.sum()
    for k in range(9):
        assert float(law.moment(2 * k)) == pytest.approx((weight * x ** (2 * k)).sum(), rel=1e-12)


# ----------------------------------------------------------------------------------------- refusals


@given(st.fractions())
@settings(max_examples=20)
def test_exact_numbers_are_taken(x):
    assert as_fraction("x", x) == as_fraction("x", str(x)) == x


@pytest.mark.parametrize(
    ("value", "expected"), [(3, Fraction(3)), ("0.25", Fraction(1, 4)), (np.int8(7), Fraction(7))]
)
def test_integers_and_decimals_are_taken(value, expected):
    found = as_fraction("x", value)
    assert (found, type(found.numerator)) == (expected, int)


def test_exponents_that_nobody_means_are_refused():
    assert as_fraction("x", "25e-1") == Fraction(5, 2)
    assert as_fraction("x", "1E+10_000") == 10**10_000
    for text in ("1e10001", "1e-10001", " 1E+99999999 ", "-.5e99_999_999"):
        with pytest.raises(ArgumentError, match=r"^x: expected an exponent of at most 10000, got"):
            as_fraction("x", text)


@pytest.mark.parametrize("value", [0.5, np.float64(1), True, "half", "1/0", "nan", None, 1j, ""])
def test_other_numbers_are_refused(value):
    with pytest.raises(DTypeError, match=r'^b: expected an integer, a fraction or a string like "1/2"'):
        Uniform(value)


@pytest.mark.parametrize("law", [Uniform(1), Gaussian(1), LAW], ids=str)
def test_odd_and_negative_moments_are_refused(law):
    for order in (3, -2):
        with pytest.raises(ArgumentError, match="order"):
            law.moment(order)
    assert law.moment(0) == 1


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (lambda: Uniform(0), "b"),
        (lambda: Gaussian("-1/2"), "sigma"),
        (lambda: ThreePoint(-1, "1/4"), "a"),
        (lambda: ThreePoint(1, 0), "q"),
        (lambda: ThreePoint(1, "2/3"), "q"),
    ],
)
def test_laws_that_are_none(make, argument):
    with pytest.raises(ArgumentError) as caught:
        make()
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("arguments", "error", "argument"),
    [
        (("uniform", 1, 1, 1), DTypeError, "law"),
        ((Law(), 1, 1, 1), DTypeError, "law"),
        ((LAW, 0, 1, 1), ShapeError, "d"),
        ((LAW, 1, 0, 1), ShapeError, "N"),
        ((LAW, 1, 1, -1), ShapeError, "p"),
        ((LAW, 1.0, 1, 1), DTypeError, "d"),
        ((LAW, 1, "2", 1), DTypeError, "N"),
        ((LAW, 1, 1, True), DTypeError, "p"),
    ],
)
def test_traces_that_are_none(arguments, error, argument):
    with pytest.raises(error) as caught:
        trace_power(*arguments)
    assert caught.value.argument == argument
