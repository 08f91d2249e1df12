"""Records of inputs: what they accept, what they refuse and how they say so."""

from __future__ import annotations

import itertools
from decimal import Decimal
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import gdtheory as gd
from gdtheory import functions, problems
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.exact import over_indeterminates, to_fractions
from gdtheory.inputs import Count, Function, Matrix, Number, Table, number
from gdtheory.ledger import exactly
from gdtheory.namespace import as_objects
from gdtheory.problems import (
    ChainOfThought,
    ContextualBlock,
    Generation,
    Regression,
    RegressionSteps,
    TokenStream,
)
from gdtheory.records import Problem, axes, inputs, minimums, record
from gdtheory.strategies import floats, fractions
from gdtheory.strategies import problems as drawn

RECORDS = [getattr(problems, name) for name in problems.__all__]
few = settings(max_examples=settings.default.max_examples // 5, deadline=None)
each_record = pytest.mark.parametrize("record_type", RECORDS, ids=lambda kind: kind.__name__)


def in_floats(p: Problem, dtype: type = np.float64) -> dict:
    """Return the inputs of a record, in floats."""
    converted = p.convert(lambda value: np.asarray(value, dtype=dtype)[()])
    return {name: getattr(converted, name) for name in inputs(type(p))}


REGRESSION = in_floats(Regression.smallest()) | {"Y": np.ones((3, 2)), "W_0": np.ones((3, 2))}
STEPS = REGRESSION | {"K": 2}
STREAM = in_floats(TokenStream.smallest())
BLOCK = in_floats(ContextualBlock.smallest())
COT = in_floats(ChainOfThought.smallest())


def refused(error: type[ArgumentError], record_type: type[Problem], values: dict) -> ArgumentError:
    with pytest.raises(error) as caught:
        record_type(**values)
    assert type(caught.value) is error
    return caught.value


# --------------------------------------------------------------------------------- sizes of axes


def test_the_sizes_are_read_off_the_arrays():
    p = Regression(**REGRESSION)
    assert p.sizes == {"N": 2, "N_x": 2, "N_y": 3}
    assert (p.N, p.N_x, p.N_y) == (2, 2, 3)


@pytest.mark.parametrize(
    "changed, expected, got",
    [
        ({"X": np.ones((3, 2))}, "shape (N_x, N), N_x = 2", "shape (3, 2)"),
        ({"Y": np.ones((3, 4))}, "shape (N_y, N), N_y = 3, N = 2", "shape (3, 4)"),
        ({"Y": np.ones((2, 2))}, "shape (N_y, N), N_y = 3, N = 2", "shape (2, 2)"),
        ({"x_query": np.ones((2, 2))}, "shape (N_x, 1), N_x = 2", "shape (2, 2)"),
        ({"x_query": np.ones((1, 2))}, "shape (N_x, 1), N_x = 2", "shape (1, 2)"),
        ({"x_query": np.ones(2)}, "shape (N_x, 1)", "shape (2,)"),
        ({"W_0": np.ones((3, 2, 1))}, "shape (N_y, N_x)", "shape (3, 2, 1)"),
        ({"W_0": np.float64(3.0)}, "shape (N_y, N_x)", "shape ()"),
    ],
)
def test_a_wrong_shape_is_refused_with_the_sizes_that_are_known(changed, expected, got):
    error = refused(ShapeError, Regression, REGRESSION | changed)
    (argument,) = changed
    assert (error.argument, error.expected, error.got) == (argument, expected, got)
    assert str(error) == f"{argument}: expected {expected}, got {got}"


@each_record
def test_an_axis_of_two_sizes_is_refused_by_name(record_type):
    values = in_floats(record_type.smallest())
    matrices = {name: kind for name, kind in inputs(record_type).items() if isinstance(kind, Matrix)}
    used = [axis for kind in matrices.values() for axis in kind.axes]
    for name, kind in matrices.items():
        for i, axis in enumerate(kind.axes):
            if axis == 1 or used.count(axis) > 1:
                wrong = values | {name: np.concatenate([values[name]] * 2, axis=i)}
                assert str(axis) in refused(ShapeError, record_type, wrong).expected
        assert refused(ShapeError, record_type, values | {name: values[name][0]}).argument == name


@pytest.mark.parametrize("size", ["N", "N_x", "N_y"])
def test_an_empty_axis_is_refused_by_name(size):
    sizes = {"N": 2, "N_x": 2, "N_y": 3} | {size: 0}
    shapes = {name: kind.axes for name, kind in inputs(Regression).items() if isinstance(kind, Matrix)}
    empty = {name: np.ones([sizes.get(axis, axis) for axis in shape]) for name, shape in shapes.items()}
    error = refused(ShapeError, Regression, REGRESSION | empty)
    assert (error.argument, error.expected, error.got) == (size, "at least 1", "0")


@pytest.mark.parametrize("size", ["n", "d"])
def test_an_empty_axis_of_a_chain_of_thought_is_refused_unless_it_is_m(size):
    sizes = {"n": 2, "d": 2, "m": 0}
    shapes = {name: kind.axes for name, kind in inputs(ChainOfThought).items() if isinstance(kind, Matrix)}

    def arrays(sizes):
        return {name: np.ones([sizes.get(axis, axis) for axis in shape]) for name, shape in shapes.items()}

    assert ChainOfThought(**COT | arrays(sizes)).m == 0
    assert refused(ShapeError, ChainOfThought, COT | arrays(sizes | {size: 0})).argument == size


# --------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    "X",
    [
        [[1.0, 2.0], [3.0]],
        np.ones((2, 2), dtype=bool),
        np.ones((2, 2), dtype=complex),
        np.ones((2, 2), dtype=np.float16),
        np.ones((2, 2), dtype=np.longdouble),
        np.ones((2, 2), dtype=np.int64),
        np.full((2, 2), "1"),
        np.ma.masked_equal(np.ones((2, 2)), 1.0),
        np.ones((2, 2), dtype="datetime64[s]"),
        "ab",
        None,
        {"a": 1},
    ],
    ids=str,
)
def test_what_is_no_matrix_of_floats_or_of_exact_numbers_is_refused(X):
    assert refused(DTypeError, Regression, REGRESSION | {"X": X}).argument == "X"


@pytest.mark.parametrize(
    "entry",
    [0.5, np.float32(0.5), True, np.bool_(True), 1j, np.complex64(1), "1", None, Decimal(1), [1]],
    ids=repr,
)
def test_what_is_no_exact_number_is_refused_in_an_object_array(entry):
    values = {name: getattr(Regression.smallest(), name) for name in inputs(Regression)}
    X = values["X"].copy()
    X[1, 1] = entry
    error = refused(DTypeError, Regression, values | {"X": X})
    assert (error.argument, error.got) == ("X", repr(entry))


def test_refused_integers_come_with_advice():
    error = refused(DTypeError, Regression, REGRESSION | {"X": [[1, 2], [3, 4]]})
    assert "np.asarray(X, dtype=np.float64)" in str(error)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["W_0", "X", "Y", "x_query"])
def test_nan_and_infinity_in_a_matrix_are_refused(name, bad, dtype):
    values = {key: np.array(value, dtype=dtype) for key, value in REGRESSION.items()}
    values[name][-1, -1] = bad
    assert refused(NonFiniteError, Regression, values).argument == name


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, np.float32("nan"), np.array(np.nan)])
def test_nan_and_infinity_in_a_scalar_are_refused(bad):
    assert refused(NonFiniteError, Regression, REGRESSION | {"eta": bad}).argument == "eta"


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "0.5",
        True,
        np.bool_(True),
        1j,
        np.complex64(1),
        [0.5],
        (0.5,),
        {},
        np.ones(1),
        np.ones((1, 1)),
        len,
    ],
    ids=str,
)
def test_what_is_no_real_number_is_refused(bad):
    assert refused(DTypeError, Regression, REGRESSION | {"eta": bad}).argument == "eta"


@pytest.mark.parametrize(
    "bad", [None, "1/2", True, 0.5, np.float32(0.5), 1j, [1], np.ones(1, dtype=object)], ids=str
)
def test_what_is_no_exact_number_is_refused_beside_fractions(bad):
    p = Regression.smallest()
    values = {name: getattr(p, name) for name in inputs(Regression)} | {"eta": bad}
    assert refused(DTypeError, Regression, values).argument == "eta"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "eta", [1, 0.5, Fraction(1, 2), np.float32(0.5), np.float64(0.5), np.int64(1), np.array(0.5)], ids=repr
)
def test_scalars_become_numbers_of_the_kind_of_the_arrays(eta, dtype):
    values = {name: np.asarray(value, dtype=dtype) for name, value in REGRESSION.items()}
    p = Regression(**values | {"eta": eta})
    assert type(p.eta) is dtype
    assert p.eta == dtype(eta)


def test_a_scalar_too_large_for_the_arrays_is_refused():
    values = {name: np.asarray(value, dtype=np.float32) for name, value in REGRESSION.items()}
    assert refused(NonFiniteError, Regression, values | {"eta": 1e39}).argument == "eta"
    assert refused(NonFiniteError, Regression, REGRESSION | {"eta": 10**400}).argument == "eta"


def test_huge_and_tiny_numbers_are_accepted_as_they_are():
    p = Regression(**REGRESSION | {"X": np.array([[1.7e308, 5e-324], [-1.7e308, 0.0]]), "eta": 5e-324})
    assert p.X[0, 1] == p.eta == 5e-324
    assert Regression.exact(W_0=[[10**400]], X=[[1]], Y=[[1]], x_query=[[1]], eta=1).W_0[0, 0] == 10**400


@pytest.mark.parametrize("one, two", [(np.float32, np.float64), (np.float64, np.float32)])
def test_two_precisions_in_one_record_are_refused(one, two):
    values = {name: np.asarray(value, dtype=one) for name, value in REGRESSION.items()}
    error = refused(DTypeError, Regression, values | {"Y": values["Y"].astype(two)})
    assert (error.argument, error.got) == ("Y", np.dtype(two).name)
    assert np.dtype(one).name in error.expected


@pytest.mark.parametrize("name", ["W_0", "X", "Y", "x_query"])
def test_floats_beside_fractions_are_refused(name):
    error = refused(DTypeError, Regression, REGRESSION | {name: to_fractions(REGRESSION[name])})
    assert {error.expected.partition(",")[0], error.got} == {"exact numbers", "float64"}


@pytest.mark.parametrize("half", [Fraction(1, 2), sympy.Rational(1, 2)], ids=repr)
def test_every_kind_of_rational_number_keeps_its_value(half):
    """`numbers.Rational` has more members than Fraction, and int() would cut them off."""
    p = Regression(
        **{name: to_fractions(np.ones((1, 1))) for name in ("W_0", "Y", "x_query")},
        X=np.array([[half]], dtype=object),
        eta=half,
    )
    assert p.X[0, 0] * 2 == 1 and p.eta * 2 == 1


def test_exact_integers_divide_exactly():
    """1 / 3 of Python's integers is a float: beside exact numbers they must be fractions."""
    ones = {
        name: np.full(np.shape(REGRESSION[name]), 1, dtype=object) for name in ("W_0", "X", "Y", "x_query")
    }
    p = Regression(**ones, eta=1)
    assert all(type(entry / 3) is Fraction for entry in [*p.X.flat, *p.W_0.flat, p.eta])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "change",
    [
        np.asfortranarray,
        lambda a: np.repeat(a, 2, axis=1)[:, ::2],
        lambda a: a[::-1, ::-1],
        lambda a: np.broadcast_to(a[:1, :1], a.shape),
        lambda a: a.tolist(),
        lambda a: a.astype(a.dtype.newbyteorder()),
    ],
    ids=["Fortran", "strided", "reversed", "broadcast", "list", "foreign byte order"],
)
def test_any_layout_is_accepted_and_left_unchanged(change, dtype):
    X = np.array([[1.5, -2.0], [0.25, 8.0]], dtype=dtype)
    values = {name: np.asarray(value, dtype=dtype) for name, value in REGRESSION.items()}
    given_X = change(X)
    if isinstance(given_X, list):
        values = REGRESSION
    before = np.array(given_X)
    if isinstance(given_X, np.ndarray):
        given_X.flags.writeable = False
    p = Regression(**values | {"X": given_X})
    assert p.X.dtype == (np.float64 if isinstance(given_X, list) else dtype)
    assert np.array_equal(p.X, before) and np.array_equal(given_X, before)


def test_a_record_does_not_change():
    p = Regression.smallest()
    with pytest.raises(AttributeError):
        p.eta = 2


# ------------------------------------------------------------------- counts, tables and functions


@pytest.mark.parametrize("K, plain", [(0, 0), (3, 3), (np.int64(2), 2), (np.uint8(2), 2)])
def test_counts_become_plain_integers(K, plain):
    p = RegressionSteps(**STEPS | {"K": K})
    assert (type(p.K), p.K, p.sizes["K"]) == (int, plain, plain)


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "2",
        True,
        False,
        np.bool_(True),
        2.0,
        np.float32(2),
        2j,
        Fraction(3, 2),
        Decimal(2),
        [2],
        np.ones(1),
    ],
    ids=repr,
)
def test_what_is_no_whole_number_is_refused(bad):
    assert refused(DTypeError, RegressionSteps, STEPS | {"K": bad}).argument == "K"
    assert refused(DTypeError, TokenStream, STREAM | {"n": bad}).argument == "n"


@pytest.mark.parametrize("K", [-1, np.int64(-1)])
def test_a_negative_count_is_refused(K):
    error = refused(ShapeError, RegressionSteps, STEPS | {"K": K})
    assert (error.argument, error.expected, error.got) == ("K", "at least 0", "-1")


def test_a_context_of_no_tokens_is_refused():
    error = refused(ShapeError, TokenStream, STREAM | {"n": 0, "A": {0: STREAM["A"][0]}})
    assert (error.argument, error.expected, error.got) == ("n", "at least 1", "0")


@pytest.mark.parametrize("n", [2, np.int64(2)])
@pytest.mark.parametrize("keys", [(), (0,), (0, 1), (0, 1, 3), (0, 1, 2, 3), ("0", "1", "2")], ids=str)
def test_missing_and_foreign_keys_of_a_table_are_refused(keys, n):
    error = refused(ShapeError, TokenStream, STREAM | {"n": n, "A": {key: np.ones((2, 1)) for key in keys}})
    assert error.argument == "A"
    assert "[0, 1, 2]" in error.expected and str(list(keys)) in error.got


def test_a_missing_subset_is_refused():
    A = dict(BLOCK["A"])
    del A[frozenset({1})]
    assert refused(ShapeError, ContextualBlock, BLOCK | {"A": A}).argument == "A"


def test_the_order_in_which_a_table_is_written_does_not_matter():
    backwards = dict(reversed(BLOCK["A"].items()))
    p, q = ContextualBlock(**BLOCK), ContextualBlock(**BLOCK | {"A": backwards})
    assert list(p.A) == list(q.A)
    assert repr(p) == repr(q)


@pytest.mark.parametrize("bad", [None, 3, [np.ones((2, 1))] * 3, "abc"], ids=str)
def test_a_table_that_is_no_mapping_is_refused(bad):
    assert refused(DTypeError, TokenStream, STREAM | {"A": bad}).argument == "A"


def test_a_wrong_entry_of_a_table_is_refused_by_its_key():
    short = STREAM | {"A": STREAM["A"] | {1: np.ones((3, 1))}}
    assert refused(ShapeError, TokenStream, short).argument == "A(1)"
    nan = BLOCK | {"A": BLOCK["A"] | {frozenset({0, 1}): np.full((2, 1), np.nan)}}
    assert refused(NonFiniteError, ContextualBlock, nan).argument == "A(0,1)"
    single = BLOCK | {"A": BLOCK["A"] | {frozenset(): np.ones((2, 1), dtype=np.float32)}}
    assert refused(DTypeError, ContextualBlock, single).argument in ("A()", "A(0)")


@pytest.mark.parametrize("f", [None, "relu", 3, [functions.relu]], ids=lambda value: type(value).__name__)
def test_what_is_no_function_is_refused(f):
    assert refused(DTypeError, ContextualBlock, BLOCK | {"f": f}).argument == "f"


def test_missing_and_unknown_inputs_are_type_errors():
    with pytest.raises(TypeError, match="eta"):
        Regression(**{name: value for name, value in REGRESSION.items() if name != "eta"})
    with pytest.raises(TypeError, match="gamma"):
        Regression(**REGRESSION, gamma=1.0)


# ----------------------------------------------------------------------------------- exact, text

EXACT = {"W_0": [[1]], "X": [[1]], "Y": [[1]], "x_query": [[1]], "eta": 1}


@pytest.mark.parametrize(
    "value, expected",
    [
        (3, Fraction(3)),
        (Fraction(1, 3), Fraction(1, 3)),
        ("1/3", Fraction(1, 3)),
        ("-7", Fraction(-7)),
        ("0.1", Fraction(1, 10)),
        (0.1, Fraction(0.1)),
        (np.float64(0.1), Fraction(0.1)),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.int64(2**62), Fraction(2**62)),
        (5e-324, Fraction(1, 2**1074)),
    ],
)
def test_exact_takes_a_number_for_the_fraction_that_it_is(value, expected):
    p = Regression.exact(**EXACT | {"X": [[value]], "eta": value})
    for found in (p.X[0, 0], p.eta):
        assert type(found) is Fraction and found == expected
        assert type(found.numerator) is int
        assert found * 4 == expected * 4  # NumPy's integers would overflow


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_exact_takes_arrays(dtype):
    X = np.array([[3]], dtype=dtype)
    assert Regression.exact(**EXACT | {"X": X}).X[0, 0] == 3


@pytest.mark.parametrize(
    "bad",
    ["a", "", "1/0", "1/2/3", "nan", "1e99999999", "1e-99_999_999", None, 1j, True, np.ones((2, 2)), len],
    ids=str,
)
def test_exact_refuses_what_is_no_fraction_by_name(bad):
    for name, value in (("eta", bad), ("X", [[bad]])):
        with pytest.raises(ArgumentError) as caught:
            Regression.exact(**EXACT | {name: value})
        assert caught.value.argument == name


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_exact_refuses_nan_and_infinity_by_name(bad):
    for name, value in (("eta", bad), ("X", [[bad]])):
        with pytest.raises(NonFiniteError) as caught:
            Regression.exact(**EXACT | {name: value})
        assert caught.value.argument == name


@pytest.mark.parametrize("bad", [3, [1, 2], [[1], [1, 2]], [[[1]]], []], ids=str)
def test_exact_refuses_what_is_no_matrix_by_name(bad):
    with pytest.raises(ArgumentError) as caught:
        Regression.exact(**EXACT | {"X": bad})
    assert caught.value.argument == "X"


def test_exact_refuses_an_unknown_input_as_the_record_does():
    with pytest.raises(TypeError, match="gamma"):
        Regression.exact(**EXACT, gamma=1)


def test_exact_refuses_a_table_that_is_no_mapping():
    with pytest.raises(DTypeError, match=r"^A: "):
        TokenStream.exact(n=1, A=[[[1]], [[2]]], W_0=[[1]])


def same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())
        )
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


def evaluated(p: Problem) -> Problem:
    return eval(repr(p), {"gd": gd})


@each_record
@few
@given(data=st.data())
def test_repr_makes_the_record(record_type, data):
    p = data.draw(drawn(record_type, fractions(), at_most=3))
    q = evaluated(p)
    assert type(q) is type(p) and q.sizes == p.sizes
    assert all(same(getattr(q, name), getattr(p, name)) for name in inputs(record_type))


@each_record
@few
@given(data=st.data())
def test_repr_of_floats_makes_the_same_numbers_as_fractions(record_type, data):
    p = data.draw(drawn(record_type, floats(), dtype=np.float64, at_most=2))
    q, expected = evaluated(p), p.convert(to_fractions)
    assert all(same(getattr(q, name), getattr(expected, name)) for name in inputs(record_type))


def test_repr_names_no_function_that_is_not_of_gdtheory():
    """Such a record cannot be repeated from its repr, and the repr says so instead of failing."""

    def relu(z):
        return z * 2

    for f in (partial(functions.relu), lambda z: z, relu, SimpleNamespace, np.tanh):
        assert "gd.functions." not in repr(ContextualBlock(**BLOCK | {"f": f}))
    assert "f=gd.functions.square" in repr(ContextualBlock(**BLOCK | {"f": functions.square}))


# ----------------------------------------------------------------------- conversion, small records


@each_record
def test_convert_changes_every_number_and_nothing_else(record_type):
    p = record_type.smallest()
    doubled = p.convert(lambda value: value * 2)
    for name, kind in inputs(record_type).items():
        before, after = getattr(p, name), getattr(doubled, name)
        match kind:
            case Matrix() | Number():
                assert np.all(after == before * 2)
            case Table():
                assert list(after) == list(before)
                assert all((after[key] == before[key] * 2).all() for key in before)
            case Count() | Function():
                assert after is before
    assert doubled.sizes == p.sizes


@each_record
def test_convert_to_floats_ledgers_and_back(record_type):
    p = record_type.smallest()
    q = record_type(**in_floats(p))
    assert repr(q.convert(to_fractions)) == repr(p)
    assert q.convert(exactly).sizes == p.sizes


def test_convert_checks_its_result():
    with pytest.raises(ShapeError):
        Regression.smallest().convert(lambda value: np.ones(3))


def entries(p: Problem) -> list[Fraction]:
    found = []
    for name, kind in inputs(type(p)).items():
        value = getattr(p, name)
        arrays = value.values() if isinstance(kind, Table) else [value] if isinstance(kind, Matrix) else []
        found += [entry for array in arrays for entry in array.flat]
    return found


@each_record
def test_the_smallest_record_is_filled_with_fractions(record_type):
    p = record_type.smallest()
    assert set(p.sizes.values()) <= {2}
    assert p.sizes.keys() == minimums(record_type).keys() >= axes(record_type).keys()
    assert all(type(entry) is Fraction and entry != 0 for entry in entries(p))
    assert len(set(entries(p))) >= min(6, len(entries(p)))
    for name, kind in inputs(record_type).items():
        if isinstance(kind, Number):
            assert getattr(p, name) not in (0, 1)


@each_record
def test_the_fixed_records_have_all_small_sizes_each_once_then_large_ones(record_type):
    usual = list(Problem.fixed.__func__(record_type))
    least = minimums(record_type)
    *small, deep, wide = (tuple(p.sizes[name] for name in least) for p in usual)
    ranges = (range(low, max(2, low) + 1) for low in least.values())
    assert sorted(small) == sorted(itertools.product(*ranges))
    counts = {name: kind for name, kind in inputs(record_type).items() if isinstance(kind, Count)}
    assert wide == tuple(2 if name in counts else axes(record_type)[name].wide for name in least)
    assert deep == tuple(counts[name].deep if name in counts else 2 for name in least)


@each_record
def test_fixed_records_of_its_own_leave_no_usual_one_out(record_type):
    fixed = [repr(p) for p in record_type.fixed()]
    assert set(map(repr, Problem.fixed.__func__(record_type))) <= set(fixed)


def test_a_count_that_is_costly_stays_small_where_a_problem_is_deep():
    assert (Count(0, 3).deep, Count(1, 2).deep) == (5, 2)


def test_indeterminates_are_a_record_too():
    sizes = {"N": 2, "N_x": 1, "N_y": 1, "K": 1}
    assert over_indeterminates(RegressionSteps, sizes).sizes == sizes


def test_a_property_of_a_record():
    assert sorted(ContextualBlock.smallest().C) == [0, 1]
    p = problems.NoiselessGeneration.smallest()
    assert (p.y == p.w_star.T @ p.X).all() and p.y.shape == (1, 2)
    assert Generation.smallest().k == 2
    assert as_objects([1, 2], (2, 1)).shape == (2, 1)


def test_a_record_may_hold_scalars_only():
    @record
    class Scalars(Problem):
        eta: object = number()

    assert Scalars.smallest().eta == Fraction(1, 2)
    assert Scalars(eta=0.5).sizes == {}
