"""Enclosures: what is certain, what counts as equal, what is refused."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gdtheory.definition import Relation
from gdtheory.enclosures import TIGHT, Enclosure, _context, enclosed, exp
from gdtheory.errors import ArgumentError, DTypeError, UndecidedError
from gdtheory.ledger import exactly
from gdtheory.namespace import as_objects, namespace

fractions = st.fractions(-50, 50, max_denominator=1000)


def wide(lower, upper):
    return Enclosure(_context().mpf([lower, upper]))


def partial_sums(x: Fraction, terms: int) -> Fraction:
    total = term = Fraction(1)
    for k in range(1, terms):
        term = term * x / k
        total += term
    return total


@given(st.fractions(0, 3, max_denominator=50))
def test_the_exponential_lies_between_its_partial_sums_and_their_remainder(x):
    lower, upper = exp(x).ends
    least = partial_sums(x, 60)
    assert lower <= least + Fraction(1, 2**150) and upper >= least
    assert upper - lower < TIGHT


@given(fractions, fractions)
def test_arithmetic_contains_the_exact_result(a, b):
    x, y = enclosed(a), enclosed(b)
    found = [(x + y, a + b), (x - b, a - b), (a * y, a * b), (-x, -a), (abs(x), abs(a)), (a - y, a - b)]
    if b:
        found += [(x / y, a / b), (x / b, a / b), (a / y, a / b)]
    for enclosure, exact in found:
        lower, upper = enclosure.ends
        assert lower <= exact <= upper
        assert enclosure == exact


def test_an_order_is_certain_or_refused():
    assert exp(1) > 2 and exp(1) < 3 and exp(1) >= exp(1) and exp(-1) != exp(1)
    assert not exp(1) < exp(1) and exp(1) <= exp(1)
    for compare in (lambda: wide(0, 1) < Fraction(1, 2), lambda: wide(0, 1) == wide(0, 1)):
        with pytest.raises(UndecidedError):
            compare()
    assert wide(0, 1) < 2 and not wide(0, 1) > 1 + TIGHT


def test_infinite_ends_decide_nothing():
    for unbounded in (wide(1, "inf"), wide("-inf", -1), wide("-inf", "inf"), wide("nan", "nan")):
        with pytest.raises(UndecidedError, match="finite ends"):
            assert unbounded > 0


def test_huge_numbers_have_no_exponential():
    for number in (10**5000, -(10**5000), Fraction(10**100 + 1), exp(300)):
        with pytest.raises(ArgumentError, match=r"number: expected at most 10+ in size"):
            exp(number)
    assert exp(-(10**100)) < Fraction(1, 10**400) and exp(10**100) > 10**400
    assert exp(-(10**50)) == exp(-(10**50))


def test_relations_take_enclosures_beside_fractions():
    e = exp(1)
    assert Relation.EQUAL.holds(e * e, exp(2)) and not Relation.EQUAL.holds(e, Fraction(27, 10))
    assert Relation.AT_MOST.holds(e, e) and Relation.AT_MOST.holds(Fraction(27, 10), e)
    assert Relation.LESS.holds(e, Fraction(28, 10)) and not Relation.LESS.holds(e, e)


def test_a_divisor_that_may_be_zero_is_refused():
    with pytest.raises(ZeroDivisionError):
        exp(1) / (exp(1) - exp(1))


@pytest.mark.parametrize("other", [0.5, True, "1", None, np.float64(1)])
def test_other_numbers_are_refused(other):
    with pytest.raises(DTypeError, match="number"):
        exp(other)
    with pytest.raises(DTypeError, match="number"):
        exp(1) + other


def test_the_caller_s_own_interval_arithmetic_keeps_its_precision():
    from mpmath import iv

    before = iv.prec
    exp(1)
    assert iv.prec == before


def test_the_softmax_of_fractions_is_that_of_floats():
    scores = np.array([[0.5, 3.0], [-1.0, 3.0], [2.0, -700.0]])
    exact = as_objects([Fraction(s) for s in scores.flat], scores.shape)
    found = namespace(exact).softmax(exact)
    floats = namespace(scores).softmax(scores)
    for enclosure, value in zip(found.flat, floats.flat, strict=True):
        assert abs(float(enclosure.ends[0]) - value) < 1e-15
    assert all(total == 1 for total in found.sum(0))
    large = np.array([[1e4], [1e4 - 1]])
    assert np.isfinite(namespace(large).softmax(large)).all()


def test_kinds_of_number_without_exponentials_say_so():
    z = exactly(np.ones((1, 1)))
    with pytest.raises(DTypeError, match="exp"):
        namespace(z).exp(z)
    from gdtheory.proofs.blocks import free

    with pytest.raises(DTypeError, match="exp"):
        namespace(free("A", 1, 1)).softmax(free("A", 1, 1))


def test_enclosures_go_between_processes():
    for number in (exp(1), exp(-(10**6)), enclosed(Fraction(-1, 3))):
        assert pickle.loads(pickle.dumps(number)).interval._mpi_ == number.interval._mpi_
