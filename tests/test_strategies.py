"""What is drawn, and what `falsify` does with it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis.errors import Unsatisfiable

from gdtheory import problems
from gdtheory.errors import DegenerateContextError
from gdtheory.inputs import Function, Matrix, Number, Table, matrix, number
from gdtheory.namespace import Array, Scalar
from gdtheory.problems import Regression, RegressionSteps, ShiftedWeights, TokenStream
from gdtheory.records import Axis, Problem, axes, inputs, largest, minimums, record
from gdtheory.rungs import Effort
from gdtheory.strategies import falsify, floats, fractions
from gdtheory.strategies import problems as problems_of

ALL = [getattr(problems, name) for name in problems.__all__]
RECORDS = list({frozenset(map(type, inputs(kind).values())): kind for kind in ALL}.values())
"""One record for every combination of kinds of input."""

each_record = pytest.mark.parametrize("record_type", RECORDS, ids=lambda kind: kind.__name__)
each_precision = pytest.mark.parametrize("dtype", [np.float32, np.float64])
EFFORT = Effort(max_examples=100, seed=0)


def seen_by(holds, drawn, refusals=(), effort=EFFORT):
    """Return what `falsify` finds, and every problem that it showed to `holds`."""
    seen = []

    def noting(p):
        seen.append(p)
        return holds(p)

    return *falsify(drawn, noting, refusals, effort), seen


@cache
def drawn(record_type, dtype=object):
    """Return the problems that a search of 300 examples looks at."""
    numbers = fractions() if dtype is object else floats(3 if dtype is np.float32 else 8)
    found, tried, seen = seen_by(
        lambda p: True, problems_of(record_type, numbers, dtype=dtype), effort=Effort(300, 0)
    )
    assert found is None and tried == len(seen) == 300
    return seen


def arrays(p, *, nonzero=None):
    """Return the matrices of a record, or those declared so."""
    found = []
    for name, kind in inputs(type(p)).items():
        value = getattr(p, name)
        if isinstance(kind, Matrix) and nonzero in (None, kind.nonzero):
            found.append(value)
        if isinstance(kind, Table) and nonzero in (None, kind.entry.nonzero):
            found += value.values()
    return found


# ----------------------------------------------------------------------------------- what is drawn


@each_record
def test_every_size_occurs(record_type):
    most = largest(record_type)
    for name, least in minimums(record_type).items():
        assert {p.sizes[name] for p in drawn(record_type)} == set(range(least, most[name] + 1))


@each_record
def test_sizes_are_drawn_independently(record_type):
    names = list(axes(record_type))
    for one, two in pairwise(names):
        pairs = {(p.sizes[one] < p.sizes[two]) - (p.sizes[one] > p.sizes[two]) for p in drawn(record_type)}
        assert pairs == {-1, 0, 1}


def test_one_token_and_several_targets_occur_together():
    assert any(p.N == 1 and p.N_y > 1 and p.N_x > 1 for p in drawn(Regression))


@each_record
def test_degenerate_matrices_occur(record_type):
    free = [a for p in drawn(record_type) for a in arrays(p, nonzero=False) if a.size > 1]
    if not free:
        return
    zero = sum(not a.any() for a in free) / len(free)
    assert 0.05 < zero < 0.5
    wide = [a for a in free if a.shape[1] > 1 and a.any()]
    equal = sum((a == a[:, :1]).all() for a in wide)
    assert not wide or 0.02 < equal / len(wide) < 0.5


@record
class Nonzero(Problem):
    d = Axis()

    v: Array = matrix("d", 1, nonzero=True)
    scale: Scalar = number(nonzero=True)


def test_what_is_declared_not_to_be_zero_is_not():
    assert all(p.v.any() and p.scale for p in drawn(Nonzero))


@each_record
def test_numbers_are_rational(record_type):
    entries = [entry for p in drawn(record_type) for a in arrays(p) for entry in a.flat]
    if not entries:
        return
    assert {type(entry) for entry in entries} == {Fraction}
    denominators = {entry.denominator for entry in entries}
    assert {1, 2, 3, 4, 5} < denominators and max(denominators) > 500
    assert min(entries) < -(10**3) and max(entries) > 10**3 and 0 in entries


@each_record
def test_scalars_are_zero_negative_and_fractions(record_type):
    for name, kind in inputs(record_type).items():
        if isinstance(kind, Number):
            values = [getattr(p, name) for p in drawn(record_type)]
            assert {type(value) for value in values} == {Fraction}
            assert {(value > 0) - (value < 0) for value in values} == (
                {-1, 1} if kind.nonzero else {-1, 0, 1}
            )
            assert any(value.denominator > 1 for value in values)


@each_record
def test_every_function_of_a_family_occurs(record_type):
    for name, kind in inputs(record_type).items():
        if isinstance(kind, Function):
            assert {getattr(p, name) for p in drawn(record_type)} == set(kind.family)


@each_precision
@pytest.mark.parametrize("record_type", [Regression, TokenStream])
def test_floats_reach_both_ends_and_zero(record_type, dtype):
    decades = 3 if dtype is np.float32 else 8
    found = drawn(record_type, dtype)
    sizes = np.abs(np.concatenate([a.ravel() for p in found for a in arrays(p)])).astype(np.float64)
    assert {a.dtype for p in found for a in arrays(p)} == {np.dtype(dtype)}
    nonzero = sizes[sizes > 0]
    assert nonzero.size < sizes.size
    rounding = 1 + float(np.finfo(dtype).eps)
    assert 10.0**-decades / rounding <= nonzero.min() < 10.0 ** (1 - decades)
    assert 10.0 ** (decades - 1) < nonzero.max() <= 10.0**decades * rounding
    by_decade = Counter(np.floor(np.log10(nonzero)).astype(int).tolist())
    assert {*range(-decades, decades)} <= by_decade.keys()
    assert {-1.0, 1.0} <= {float(np.sign(entry)) for p in found for a in arrays(p) for entry in a.flat}


@each_precision
def test_scalars_are_floats_of_the_same_precision(dtype):
    assert {type(p.eta) for p in drawn(Regression, dtype)} == {dtype}


def test_the_largest_axis_may_be_given():
    _, _, seen = seen_by(lambda p: True, problems_of(Regression, fractions(), at_most=2))
    assert {p.N for p in seen} == {p.N_x for p in seen} == {1, 2}


# ----------------------------------------------------------------------------------------- falsify

SEARCHED = problems_of(RegressionSteps, fractions())


def test_a_planted_counterexample_is_found_and_its_sizes_are_shrunk():
    found, tried = falsify(SEARCHED, lambda p: p.N < 3 or p.K < 2, (), EFFORT)
    assert tried > 1
    assert found.sizes == {"N": 3, "N_x": 1, "N_y": 1, "K": 2}


def test_a_counterexample_in_one_entry_is_shrunk_to_one_entry():
    found, _ = falsify(SEARCHED, lambda p: not (p.X > 4).any(), (), EFFORT)
    assert found.sizes == {"N": 1, "N_x": 1, "N_y": 1, "K": 0}
    assert found.X[0, 0] > 4


def test_a_rare_degenerate_counterexample_is_found():
    """All entries of X are zero, at sizes where free entries never are."""
    found, _ = falsify(SEARCHED, lambda p: p.X.size < 9 or p.X.any(), (), EFFORT)
    assert found.X.size >= 9 and not found.X.any()


def test_a_seed_gives_the_same_problems_and_another_seed_others():
    def shown(seed):
        return [repr(p) for p in seen_by(lambda p: True, SEARCHED, effort=Effort(40, seed))[2]]

    assert shown(1) == shown(1)
    assert shown(1) != shown(2)
    assert len(set(shown(1)) & set(shown(2))) < 10


def test_a_seed_gives_the_same_counterexample():
    holds = lambda p: p.N < 2 or not (p.Y > 3).any()  # noqa: E731
    first, second = (falsify(SEARCHED, holds, (), Effort(100, 5)) for _ in range(2))
    assert repr(first[0]) == repr(second[0]) and first[1] == second[1]


@pytest.mark.parametrize("examples", [1, 10, 150])
def test_a_true_property_is_tried_on_all_examples(examples):
    found, tried = falsify(SEARCHED, lambda p: True, (), Effort(examples, 0))
    assert found is None and tried >= examples


def refuse_odd(p):
    if p.N % 2:
        raise DegenerateContextError("N", expected="an even number", got=p.N)
    return True


def test_refused_problems_are_drawn_again():
    found, tried, seen = seen_by(refuse_odd, SEARCHED, (DegenerateContextError,))
    assert found is None
    assert tried >= 100
    assert sum(p.N % 2 == 0 for p in seen) == tried < len(seen)


def test_refused_problems_are_no_counterexamples():
    def holds(p):
        return refuse_odd(p) and p.N < 3

    found, _ = falsify(SEARCHED, holds, (DegenerateContextError,), EFFORT)
    assert found.N == 4


def test_a_search_in_which_every_problem_is_refused_finds_nothing_out():
    """To return would look as if the property held."""

    def refuse(p):
        raise DegenerateContextError("p", expected="nothing", got="something")

    with pytest.raises(Unsatisfiable):
        falsify(SEARCHED, refuse, (DegenerateContextError,), EFFORT)


@pytest.mark.parametrize(
    "error", [RuntimeError("planted"), ZeroDivisionError(), AssertionError("planted")], ids=repr
)
def test_an_unexpected_error_comes_out(error):
    def crash(p):
        raise error

    with pytest.raises(type(error)) as caught:
        falsify(SEARCHED, crash, (DegenerateContextError,), EFFORT)
    assert str(caught.value) == str(error)


def test_an_error_that_only_some_problems_raise_comes_out():
    def holds(p):
        return 1 / (p.N - 3) != 0

    with pytest.raises(ZeroDivisionError):
        falsify(SEARCHED, holds, (), EFFORT)


def test_nothing_is_printed(capsys):
    falsify(problems_of(ShiftedWeights, fractions()), lambda p: p.N < 2, (), EFFORT)
    assert capsys.readouterr() == ("", "")


def test_searches_leave_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    falsify(problems_of(ShiftedWeights, fractions()), lambda p: p.N < 2, (), EFFORT)
    assert not list(tmp_path.iterdir())
