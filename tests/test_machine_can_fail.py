"""Planted wrong claims: each must come out red, and for the planted reason."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import gdtheory as gd
from gdtheory.definition import (
    Assumption,
    Claim,
    Erratum,
    Kernel,
    Mutant,
    MutantKind,
    Refusal,
    Relation,
    Source,
    Variant,
)
from gdtheory.errors import DegenerateContextError, NonFiniteError
from gdtheory.evidence import Verdict
from gdtheory.namespace import namespace
from gdtheory.problems import ShiftedWeights
from gdtheory.reference.regression import squared_loss
from gdtheory.rungs import Case, Effort, rational

TRUE = Claim(
    id="GDT-9999",
    revision=1,
    title="A linear model adds up",
    statement="$(W+V)X = WX + VX$",
    source=Source(key="vonoswald2023transformers", locator="nowhere: planted"),
    problem=ShiftedWeights,
    example=ShiftedWeights.smallest,
    lhs=lambda p: (p.W + p.Delta_W) @ p.X,
    rhs=lambda p: p.W @ p.X + p.Delta_W @ p.X,
    mutants=(
        Mutant(name="sign", kind=MutantKind.SIGN, lhs=lambda p: (p.W - p.Delta_W) @ p.X),
        Mutant(name="factor", kind=MutantKind.FACTOR, lhs=lambda p: (p.W + p.Delta_W) @ p.X * 2),
    ),
    kernel=Kernel(
        run=lambda p: (p.W + p.Delta_W) @ p.X,
        form=lambda p: (p.W + p.Delta_W) @ p.X,
    ),
)


def check(**changes):
    return gd.check(replace(TRUE, **changes), max_examples=50)


def verdicts(report):
    """The verdicts of the rungs but `sampled`, which has claims of its own."""
    return {rung: evidence.verdict for rung, evidence in report.evidence.items() if rung != "sampled"}


def test_the_true_claim_is_green():
    report = check()
    assert report.holds
    assert set(verdicts(report).values()) == {Verdict.HOLDS}


def test_a_false_statement_fails_on_every_rung_of_both_sides_with_a_witness():
    report = check(rhs=lambda p: p.W @ p.X - p.Delta_W @ p.X)
    assert not report.holds
    of_lhs_alone = {"kernel": Verdict.HOLDS}
    assert verdicts(report) == dict.fromkeys(verdicts(report), Verdict.FAILS) | of_lhs_alone
    witness = report.evidence["rational"].witness
    assert witness.problem.sizes == {"N": 1, "N_x": 1, "N_y": 1}  # as small as can be
    assert (witness.lhs != witness.rhs).all()


def test_a_statement_true_at_one_size_only_fails():
    report = check(rhs=lambda p: (p.W @ p.X + p.Delta_W @ p.X) * 2 / p.N)
    assert report.evidence["generic"].verdict is Verdict.HOLDS  # it draws no sizes: N = 2
    assert report.evidence["derived"].verdict is Verdict.FAILS
    assert report.evidence["rational"].verdict is Verdict.FAILS
    assert not report.holds


def test_a_statement_false_on_a_small_set_only_fails():
    """lhs = rhs for generic matrices; equal rows of W are drawn, and shrunk to."""
    report = check(rhs=lambda p: p.W @ p.X + p.Delta_W @ p.X + (1 if namespace(p.W).is_zero(p.W) else 0))
    assert report.evidence["generic"].verdict is Verdict.HOLDS
    assert report.evidence["rational"].verdict is Verdict.FAILS


def test_a_vacuous_example_is_undecided():
    zero = ShiftedWeights.exact(W=[[0]], Delta_W=[[0]], X=[[0]], Y=[[0]])
    report = check(example=lambda: zero)
    assert report.evidence["rational"].verdict is Verdict.UNDECIDED
    assert "vacuous" in report.evidence["rational"].detail
    assert not report.holds


@pytest.mark.parametrize("sort", ["mutant", "violation", "erratum"])
def test_a_wrong_version_that_survives_is_red(sort):
    same = {"name": "the same in other words", "lhs": lambda p: p.W @ p.X + p.Delta_W @ p.X}
    planted = {
        "mutant": {"mutants": (*TRUE.mutants, Mutant(kind=MutantKind.ORDER, **same))},
        "violation": {
            "assumptions": (Assumption(name="a", statement="never used", violation=Variant(**same)),)
        },
        "erratum": {"errata": (Erratum(locator="l", printed="p", why="w", **same),)},
    }[sort]
    report = check(**planted)
    survivor = next(v for v in report.variants if v.name == same["name"])
    assert (survivor.sort, survivor.refuted) == (sort, False)
    assert set(verdicts(report).values()) == {Verdict.HOLDS}
    assert not report.holds


def test_a_wrong_version_that_only_crashes_is_not_refuted():
    def crash(p):
        raise ZeroDivisionError

    mutant = Mutant(name="crash", kind=MutantKind.ORDER, lhs=crash)
    assert not check(mutants=(*TRUE.mutants, mutant)).holds


def test_an_assumption_that_is_not_enforced_is_red():
    refusal = Refusal(problem=ShiftedWeights.smallest, error=DegenerateContextError)
    report = check(assumptions=(Assumption(name="a", statement="s", violation=refusal),))
    assert not report.holds
    assert "not refused" in report.violations[0].evidence["rational"].detail


def test_an_error_in_a_side_is_undecided_and_told():
    def crash(p):
        raise RuntimeError("planted")

    report = check(lhs=crash)
    assert verdicts(report) == dict.fromkeys(verdicts(report), Verdict.UNDECIDED)
    assert all("RuntimeError: planted" in report.evidence[rung].detail for rung in verdicts(report))
    assert not report.holds


def test_sides_that_refuse_every_problem_are_undecided():
    def refuse(p):
        raise DegenerateContextError("p", expected="nothing", got="something")

    refusal = Refusal(problem=ShiftedWeights.smallest, error=DegenerateContextError)
    report = check(
        lhs=refuse, assumptions=(Assumption(name="a", statement="s", violation=refusal),), kernel=None
    )
    assert report.evidence["rational"].verdict is Verdict.UNDECIDED
    assert report.evidence["float"].verdict is Verdict.UNDECIDED
    assert not report.holds


@pytest.mark.parametrize("id", ["GDT-0060", "GDT-0061", "GDT-0092"])
def test_sides_that_refuse_a_fixed_problem_are_undecided(id):
    claim = gd.claim(id)
    refused = next(iter(claim.problem.fixed()))

    def lhs(p):
        if repr(p) == repr(refused):
            raise claim.refusals[0]("p", expected="another", got="this one")
        return claim.lhs(p)

    found = rational(Case(replace(claim, lhs=lhs), None, Effort(5, 0)))
    assert found.verdict is Verdict.UNDECIDED and "the sides refuse" in found.detail


def single_precision(p):
    return ((p.W + p.Delta_W).astype(np.float32) @ p.X.astype(np.float32)).astype(p.X.dtype)


def overflow(p):
    raise NonFiniteError("result", expected="finite entries", got="infinity")


@pytest.mark.parametrize(
    "run",
    [single_precision, lambda p: -(p.W + p.Delta_W) @ p.X, lambda p: ((p.W + p.Delta_W) @ p.X)[:0], overflow],
    ids=["float32 inside", "wrong sign", "wrong shape", "refuses finite results"],
)
def test_a_wrong_kernel_is_red(run):
    report = check(kernel=replace(TRUE.kernel, run=run))
    assert report.evidence["kernel"].verdict is Verdict.FAILS
    assert not report.holds


def test_a_kernel_form_that_is_not_the_construction_is_red():
    form = lambda p: (p.W + p.Delta_W) @ p.X * 2  # noqa: E731
    report = check(kernel=replace(TRUE.kernel, form=form, run=form))
    assert report.evidence["kernel"].verdict is Verdict.FAILS


def test_floats_worse_than_their_operations_are_red():
    """A side that rounds to single precision on the way lies outside the bound."""

    def coarse(p):
        product = p.W @ p.X + p.Delta_W @ p.X
        if hasattr(product, "bound"):
            object.__setattr__(product, "value", product.value * (1 + 1e-6))
        return product

    report = check(rhs=coarse)
    assert report.evidence["rational"].verdict is Verdict.HOLDS
    assert report.evidence["float"].verdict is Verdict.FAILS


def test_scalar_sides_are_compared():
    report = check(lhs=lambda p: squared_loss(p.W, p.X, p.Y), rhs=lambda p: squared_loss(p.W, p.X, p.Y) * 2)
    assert verdicts(report)["derived"] is verdicts(report)["rational"] is Verdict.FAILS


def loss(p):
    return squared_loss(p.W, p.X, p.Y)


INEQUALITY = {
    "lhs": lambda p: loss(p) * 0,
    "rhs": loss,
    "kernel": None,
    "mutants": (
        Mutant(name="sign", kind=MutantKind.SIGN, rhs=lambda p: -loss(p)),
        Mutant(name="factor", kind=MutantKind.FACTOR, lhs=lambda p: loss(p) * 2),
    ),
}


def test_an_inequality_is_checked_over_fractions_only():
    report = check(relation=Relation.AT_MOST, **INEQUALITY)
    assert report.holds
    assert verdicts(report) == {
        "derived": Verdict.NOT_APPLICABLE,
        "generic": Verdict.NOT_APPLICABLE,
        "rational": Verdict.HOLDS,
        "float": Verdict.NOT_APPLICABLE,
        "kernel": Verdict.NOT_APPLICABLE,
    }


def test_a_strict_inequality_that_is_attained_fails():
    report = check(relation=Relation.LESS, **INEQUALITY)
    assert report.evidence["rational"].verdict is Verdict.FAILS
    assert report.evidence["rational"].witness.rhs == 0


def test_a_side_that_changes_its_problem_is_undecided():
    """It could make the other side agree with anything."""

    def spoil(p):
        p.X[...] = p.X * 0
        return p.X

    report = check(lhs=spoil, rhs=lambda p: p.X, kernel=None)
    assert report.evidence["rational"].verdict is Verdict.UNDECIDED
    assert "read-only" in report.evidence["rational"].detail
    assert not report.holds


def test_empty_sides_are_undecided():
    report = check(lhs=lambda p: (p.W @ p.X)[:0], rhs=lambda p: (p.Delta_W @ p.X)[:0], kernel=None)
    assert report.evidence["rational"].verdict is Verdict.UNDECIDED
    assert "at least one entry" in report.evidence["rational"].detail


@pytest.mark.parametrize("size", [3, 5, 9])
def test_what_is_wrong_from_some_size_on_is_found(size):
    def wrong(p):
        return p.W @ p.X + p.Delta_W @ p.X * (2 if isinstance(p.N, int) and size <= p.N else 1)

    assert check(rhs=wrong).evidence["rational"].verdict is Verdict.FAILS


# --------------------------------------------------------------------------------------- samples


def sampled(**changes):
    """Check an estimate: whatever the columns, about half of the signs of seed 0 are positive."""
    rng = np.random.default_rng(0)
    share = Fraction(int((rng.standard_normal(10_000) > 0).sum()), 10_000)
    variants = (
        Mutant(name="thrice", kind=MutantKind.FACTOR, lhs=lambda p: share * 3),
        Mutant(name="nothing is allowed", kind=MutantKind.DROPPED, rhs=lambda p: Fraction(0)),
    )
    sides = {"lhs": lambda p: share, "rhs": lambda p: Fraction(52, 100)}
    return check(
        relation=Relation.AT_MOST, sampled=True, kernel=None, **({"mutants": variants} | sides | changes)
    )


def test_an_estimate_is_held_on_its_own_rung():
    report = sampled()
    assert report.holds
    assert report.evidence["sampled"].verdict is Verdict.HOLDS
    assert set(verdicts(report).values()) == {Verdict.NOT_APPLICABLE}
    assert {variant.evidence["sampled"].verdict for variant in report.mutants} == {Verdict.FAILS}
    assert "fixed and 3 drawn problems" in report.evidence["sampled"].detail


def test_an_estimate_beyond_its_bound_is_refuted_with_a_witness():
    report = sampled(rhs=lambda p: Fraction(48, 100))
    assert report.evidence["sampled"].verdict is Verdict.FAILS
    assert report.evidence["sampled"].witness.rhs == Fraction(48, 100)
