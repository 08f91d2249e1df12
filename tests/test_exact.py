"""Exact numbers: independent indeterminates, floats as fractions, the rank and semidefiniteness."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from gdtheory import problems
from gdtheory.errors import ArgumentError, ShapeError
from gdtheory.exact import (
    as_objects,
    over_indeterminates,
    rank,
    to_fractions,
)
from gdtheory.inputs import Count, Matrix, Number, Table
from gdtheory.matrices import is_positive_semidefinite
from gdtheory.problems import ContextualBlock, Regression
from gdtheory.records import Problem, inputs, minimums

RECORDS = [getattr(problems, name) for name in problems.__all__]
SPECIAL = (0.0, -0.0, 1.0, 0.1, -1.5, 2.0**-1074, 2.0**-1022, 1.7976931348623157e308, 1e-8, 3.0)

# ---------------------------------------------------------------------------------- indeterminates


def numbers_of(p: Problem) -> list:
    """Return every scalar and every entry of every array of a record."""
    found = []
    for name, kind in inputs(type(p)).items():
        value = getattr(p, name)
        match kind:
            case Matrix():
                found += list(value.flat)
            case Table():
                found += [entry for array in value.values() for entry in array.flat]
            case Number():
                found.append(value)
    return found


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("record_type", RECORDS, ids=lambda kind: kind.__name__)
def test_the_entries_are_the_generators_of_one_field(record_type, size):
    counts = {name for name, kind in inputs(record_type).items() if isinstance(kind, Count)}
    p = over_indeterminates(record_type, {n: 2 if n in counts else size for n in minimums(record_type)})
    found = numbers_of(p)
    if not found:
        return  # a record of counts alone
    field = found[0].field
    assert all(entry.field is field for entry in found)
    assert len(found) == len(set(found)) == len(set(field.symbols)) == field.ngens
    assert set(found) == set(field.gens)  # so no entry is a combination of others


@pytest.mark.parametrize("record_type", RECORDS, ids=lambda kind: kind.__name__)
def test_an_indeterminate_is_called_by_its_input_and_place(record_type):
    p = over_indeterminates(record_type, dict.fromkeys(minimums(record_type), 2))
    for name, kind in inputs(record_type).items():
        value = getattr(p, name)
        if isinstance(kind, Matrix):
            assert str(value[-1, 0]) == f"{name}_{value.shape[0] - 1}_0"
        if isinstance(kind, Number):
            assert str(value) == name


def test_sizes_beyond_ten_do_not_mix_up_names():
    """Entry (1, 11) and entry (11, 1) must not share a name."""
    p = over_indeterminates(Regression, {"N": 12, "N_x": 12, "N_y": 1})
    assert len(set(numbers_of(p))) == 12 + 144 + 12 + 12 + 1


def test_indeterminates_satisfy_no_relation():
    p = over_indeterminates(Regression, {"N": 1, "N_x": 2, "N_y": 2})
    W = p.W_0
    determinant = W[0, 0] * W[1, 1] - W[0, 1] * W[1, 0]
    assert determinant != 0
    assert determinant / determinant == 1
    assert (W @ p.X != p.X).all()
    assert p.eta**2 != p.eta and p.eta != 0


def test_counts_and_functions_are_no_indeterminates():
    p = over_indeterminates(ContextualBlock, {"d": 1, "d_ff": 1, "n": 2})
    assert p.n == 2
    assert list(p.A) == [frozenset(), frozenset({0}), frozenset({1}), frozenset({0, 1})]
    assert p.f in inputs(ContextualBlock)["f"].family


# ------------------------------------------------------------------------------------- fractions


@pytest.mark.parametrize("value", SPECIAL)
def test_a_float_is_the_fraction_that_it_is(value):
    found = to_fractions(value)
    assert type(found) is Fraction
    assert found == Fraction(*value.as_integer_ratio())
    assert float(found) == value


@given(st.floats(allow_nan=False, allow_infinity=False), st.booleans())
@settings(deadline=None)
def test_no_float_changes(value, as_array):
    found = to_fractions(np.array([[value]]))[0, 0] if as_array else to_fractions(value)
    assert found == Fraction(value) and float(found) == value


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
@settings(deadline=None)
def test_no_float32_changes(value):
    for found in (to_fractions(np.float32(value)), to_fractions(np.array([value], dtype=np.float32))[0]):
        assert type(found) is Fraction
        assert found == Fraction(value) and np.float32(float(found)) == np.float32(value)


def test_subnormals_are_not_flushed():
    assert to_fractions(5e-324) == Fraction(1, 2**1074)
    assert to_fractions(np.float32(2.0**-149)) == Fraction(1, 2**149)
    smallest = np.array([[2.0**-149, -(2.0**-149)]], dtype=np.float32)
    assert to_fractions(smallest).tolist() == [[Fraction(1, 2**149), Fraction(-1, 2**149)]]


@pytest.mark.parametrize("shape", [(), (0, 3), (3, 0), (2,), (2, 3), (2, 1, 2)])
def test_fractions_keep_the_shape(shape):
    found = to_fractions(np.full(shape, 0.5))
    assert np.shape(found) == shape
    assert np.all(found == Fraction(1, 2))


def test_strided_and_fortran_arrays_keep_their_order():
    a = np.arange(12.0).reshape(3, 4)
    for view in (a.T, a[::-1, ::2], np.asfortranarray(a), a[1:, 1:]):
        assert (to_fractions(view) == view).all()


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), np.array([[np.nan]]), np.array([[-np.inf]])])
def test_nan_and_infinity_are_no_fractions(bad):
    with pytest.raises((ValueError, OverflowError)):
        to_fractions(bad)


def test_objects_fill_an_array_row_by_row():
    assert as_objects([1, 2, 3, 4, 5, 6], (2, 3)).tolist() == [[1, 2, 3], [4, 5, 6]]
    assert as_objects([], (0, 2)).shape == (0, 2)
    assert as_objects([[1], [2]], (2,)).tolist() == [[1], [2]]  # a list is an object too


# ------------------------------------------------------------------------------------------ rank


@st.composite
def matrices(draw: st.DrawFn) -> np.ndarray:
    """Draw a matrix, free or of small rank."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    entry = st.builds(Fraction, st.integers(-3, 3), st.integers(1, 3))

    def free(m: int, n: int) -> np.ndarray:
        return as_objects(draw(st.lists(entry, min_size=m * n, max_size=m * n)), (m, n))

    inner = draw(st.none() | st.integers(1, 3))
    return free(rows, columns) if inner is None else free(rows, inner) @ free(inner, columns)


def rank_by_sympy(a: np.ndarray) -> int:
    return sympy.Matrix(a.shape[0], a.shape[1], list(a.flat)).rank()


@given(matrices())
@settings(deadline=None)
def test_rank_is_what_sympy_finds(a):
    before = a.copy()
    assert rank(a) == rank_by_sympy(a)
    assert rank(a.T) == rank(a)
    assert (a == before).all()


@pytest.mark.parametrize("rows, columns", [*itertools.product((1, 2, 4), repeat=2)])
def test_rank_of_zero_ones_and_identity(rows, columns):
    assert rank(as_objects([Fraction(0)] * (rows * columns), (rows, columns))) == 0
    assert rank(as_objects([Fraction(1)] * (rows * columns), (rows, columns))) == 1
    assert rank(to_fractions(np.eye(rows, columns))) == min(rows, columns)


@pytest.mark.parametrize(
    "a, expected",
    [
        ([[0, 0, 1], [0, 1, 0]], 2),  # pivots out of order
        ([[0, 1], [0, 2], [0, 3]], 1),  # tall, an empty column first
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 2),  # singular
        ([[1, 1], [1, 1], [1, 2]], 2),  # two equal rows before another
        ([[0, 0], [0, 0], [5, 0]], 1),  # zero rows before the only other one
        ([[2, 4, 1, 3], [1, 2, 0, 5]], 2),  # wide
    ],
)
def test_rank_by_hand(a, expected):
    a = np.array([[Fraction(entry) for entry in row] for row in a], dtype=object)
    assert rank(a) == expected == rank_by_sympy(a)


def test_rank_of_empty_matrices():
    assert rank(np.empty((0, 3), dtype=object)) == rank(np.empty((3, 0), dtype=object)) == 0


def test_rank_sees_what_floats_do_not():
    tiny = Fraction(1, 10**40)
    assert rank(np.array([[Fraction(1), Fraction(1)], [Fraction(1), 1 + tiny]], dtype=object)) == 2


def test_rank_of_indeterminates():
    p = over_indeterminates(Regression, {"N": 3, "N_x": 2, "N_y": 2})
    assert rank(p.X) == rank(p.W_0) == 2
    assert rank(p.x_query @ p.x_query.T) == 1
    assert rank(p.X - p.X) == 0


def test_rank_of_whole_numbers_is_exact():
    """Quotients of Python's integers would be floats, with 1/3 * 3 - 1 and the like left over."""
    a = np.array([[3, 10**17], [1, 0]], dtype=object) @ np.array([[7, 11, 13]] * 2, dtype=object)
    assert rank(a) == rank_by_sympy(a) == 1
    b = np.array([[3 * 10**17, 10**17 + 1], [3, 1]], dtype=object)
    assert rank(b) == rank_by_sympy(b) == 2


# -------------------------------------------------------------------------------- semidefiniteness


def test_semidefiniteness_agrees_with_eigenvalues():
    rng = np.random.default_rng(5)
    for _ in range(300):
        a = rng.integers(-2, 3, (rng.integers(1, 5), rng.integers(1, 5))).astype(float)
        shift = rng.integers(-1, 2)
        matrix = a @ a.T + shift * np.eye(len(a))
        least = np.linalg.eigvalsh(matrix)[0]
        assert is_positive_semidefinite(to_fractions(matrix)) is bool(least > -1e-9)


def test_integers_are_as_good_as_fractions():
    for dtype in (np.int64, object):
        for rows, expected in (
            ([[2, 1], [1, 2]], True),
            ([[1, 2], [2, 1]], False),
            ([[3, 1], [1, 0]], False),
        ):
            assert is_positive_semidefinite(np.array(rows, dtype)) is expected
    assert is_positive_semidefinite(
        np.array([[3, 1, 1], [1, 3, 1], [1, 1, 1]], object)
    )  # 3 does not divide 1
    assert is_positive_semidefinite(np.zeros((0, 0), object))


def test_definite_matrices_have_no_eigenvalue_of_zero():
    for rows, expected in (([[2, 1], [1, 2]], True), ([[1, 1], [1, 1]], False), ([[0]], False)):
        assert is_positive_semidefinite(np.array(rows), definite=True) is expected


@pytest.mark.parametrize("rows, error", [([[1, 0]], ShapeError), ([[1, 2], [0, 1]], ArgumentError)])
def test_what_is_not_symmetric_is_refused(rows, error):
    with pytest.raises(error, match="matrix"):
        is_positive_semidefinite(np.array(rows))
