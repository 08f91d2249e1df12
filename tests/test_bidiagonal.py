"""The corner of a bidiagonal matrix's square: against the matrix itself, and chi moments against SciPy."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from scipy.stats import chi2

from gdtheory.constructions.bidiagonal import chi_degrees, chi_squared_moment, corner, mean_of_corners


@pytest.mark.parametrize("p", range(7))
def test_the_walks_are_the_corner_of_the_matrix(p):
    a, b = [2, 3, 5, 7, 11, 13, 17], [19, 23, 29, 31, 37, 41]
    B = np.diag(np.array(a, dtype=object)) + np.diag(np.array(b, dtype=object), -1)
    power = np.eye(7, dtype=object)
    for _ in range(p):
        power = power @ B @ B.T
    squares = [x**2 for pair in zip(a, [*b, 0], strict=True) for x in pair]
    total = sum(
        number * prod(x**q for x, q in zip(squares, powers, strict=False))
        for powers, number in corner(p).items()
    )
    assert total == power[0, 0]


@pytest.mark.parametrize("p", range(6))
def test_with_all_squares_equal_to_one_catalan_numbers_are_left(p):
    assert sum(corner(p).values()) == [1, 1, 2, 5, 14, 42][p]


@pytest.mark.parametrize("m", range(1, 5))
def test_chi_squared_moments_are_those_of_scipy(m):
    assert chi_squared_moment(5, m) == pytest.approx(chi2(5).moment(m), rel=1e-9)


def test_the_degrees_of_freedom_follow_the_edges():
    assert [chi_degrees(7, 4, edge) for edge in range(6)] == [7, 3, 6, 2, 5, 1]


def test_an_entry_without_degrees_of_freedom_is_zero():
    """X with one column: T has the corner a_1² and no more than a_1² and b_1² enter a power of it."""

    def degrees(edge):
        return chi_degrees(1, 4, edge)

    # For x ~ N(0, I_4) the matrix x xᵀ has the corner x_1² |x|² in its square, with the mean 3 + 3.
    assert mean_of_corners((2,), degrees, chi_squared_moment) == 6
    assert mean_of_corners((1, 1), degrees, chi_squared_moment) == 3


def test_fractions_stay_exact():
    found = mean_of_corners((1,), lambda edge: Fraction(1, 3), chi_squared_moment)
    assert found == Fraction(1, 3) and isinstance(found, Fraction)
