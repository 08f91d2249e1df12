"""Claim records and the registry: what is malformed is refused by name."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import QQ
from sympy.polys.fields import field

import gdtheory as gd
from gdtheory import registry
from gdtheory.definition import (
    RUNGS,
    Assumption,
    Claim,
    Erratum,
    Iteration,
    Mutant,
    MutantKind,
    Refusal,
    Relation,
    Source,
    Variant,
)
from gdtheory.errors import ClaimDefinitionError, DegenerateContextError, UnknownClaimError
from gdtheory.problems import ShiftedWeights


def left(p):
    return p.W + p.Delta_W


def right(p):
    return p.Delta_W + p.W


def wrong(p):
    return p.W


def also_wrong(p):
    return p.Delta_W


SIGN = Mutant(name="sign", kind=MutantKind.SIGN, lhs=wrong)
DROPPED = Mutant(name="dropped", kind=MutantKind.DROPPED, rhs=also_wrong)
VIOLATED = Assumption(name="a", statement="s", violation=Variant(name="not a", lhs=wrong))
REFUSED = Assumption(
    name="b", statement="s", violation=Refusal(problem=ShiftedWeights.smallest, error=DegenerateContextError)
)
SUFFICIENT = Assumption(name="c", statement="s", sufficient="because")
MISPRINT = Erratum(name="misprint", locator="eq. (1)", printed="W", why="it is not", rhs=wrong)

CLAIM = Claim(
    id="GDT-9001",
    revision=1,
    title="Addition commutes",
    statement="$W + V = V + W$",
    source=Source(key="vonoswald2023transformers", locator="nowhere"),
    assumptions=(VIOLATED, REFUSED, SUFFICIENT),
    problem=ShiftedWeights,
    example=ShiftedWeights.smallest,
    lhs=left,
    rhs=right,
    mutants=(SIGN, DROPPED),
    errata=(MISPRINT,),
)

# ------------------------------------------------------------------------------------- the record


def refused(**changes) -> ClaimDefinitionError:
    with pytest.raises(ClaimDefinitionError) as caught:
        replace(CLAIM, **changes)
    assert caught.value.claim == changes.get("id", CLAIM.id)
    assert str(caught.value) == f"{caught.value.claim}: {caught.value.reason}"
    return caught.value


@pytest.mark.parametrize(
    "id",
    [
        "",
        "GDT-1",
        "GDT-00001",
        "gdt-0001",
        "0001",
        "GDT-000a",
        " GDT-0001",
        "GDT-0001\n",
        "GDT-٠٠٠١",
        None,
        1,
    ],
)
def test_a_bad_id_is_refused(id):
    assert 'the id must be "GDT-" and four digits' in refused(id=id).reason


@pytest.mark.parametrize("text", ["title", "statement"])
@pytest.mark.parametrize("empty", ["", "  \n"])
def test_an_empty_text_is_refused(text, empty):
    assert refused(**{text: empty}).reason == f"the {text} is empty"


@pytest.mark.parametrize("revision", [0, -1])
def test_a_revision_below_one_is_refused(revision):
    assert "revision" in refused(revision=revision).reason


@pytest.mark.parametrize(
    "mutants",
    [(), (SIGN,), (SIGN, replace(SIGN, name="another sign"))],
    ids=["none", "one", "two of one kind"],
)
def test_fewer_than_two_mutants_of_different_kinds_are_refused(mutants):
    kinds = ", ".join(["'flipped sign'"] * len(mutants)) or "none"
    assert refused(mutants=mutants).reason == f"give two or more mutants of different kinds, not {kinds}"


def test_a_third_mutant_may_be_of_a_kind_that_is_there():
    assert len(replace(CLAIM, mutants=(SIGN, DROPPED, replace(SIGN, name="third"))).mutants) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"mutants": (SIGN, replace(DROPPED, name="sign"))},
        {"mutants": (SIGN, replace(DROPPED, name="not a"))},
        {"mutants": (SIGN, replace(DROPPED, name="misprint"))},
        {"errata": (MISPRINT, MISPRINT)},
        {"assumptions": (VIOLATED, replace(VIOLATED, name="d"))},
    ],
    ids=["two mutants", "mutant and violation", "mutant and erratum", "two errata", "two violations"],
)
def test_two_wrong_versions_of_one_name_are_refused(changes):
    assert refused(**changes).reason == "two mutants, violations or errata have the same name"


@pytest.mark.parametrize(
    "changes",
    [
        {"mutants": (SIGN, replace(DROPPED, rhs=None))},
        {"errata": (replace(MISPRINT, rhs=None),)},
        {"assumptions": (replace(VIOLATED, violation=Variant(name="not a")),)},
    ],
    ids=["mutant", "erratum", "violation"],
)
def test_a_wrong_version_that_replaces_nothing_is_refused_by_name(changes):
    reason = refused(**changes).reason
    assert reason.endswith("replaces neither side")
    assert any(repr(name) in reason for name in ("dropped", "misprint", "not a"))


@pytest.mark.parametrize(
    "changes",
    [{"violation": None}, {"sufficient": "because"}, {"violation": None, "sufficient": " \n"}],
    ids=["neither", "both", "blank reason"],
)
def test_an_assumption_needs_a_violation_or_a_reason_and_not_both(changes):
    reason = refused(assumptions=(replace(VIOLATED, **changes),)).reason
    assert reason == "assumption 'a': give a violation or say why it suffices"


@pytest.mark.parametrize("rung", ["trained", "Derived", ""])
def test_an_unknown_rung_in_the_waivers_is_refused_with_the_known_ones(rung):
    reason = refused(waived={rung: "because"}).reason
    assert repr(rung) in reason and all(known in reason for known in RUNGS)


def test_generic_is_not_waived_without_derived():
    assert "waives generic but not derived" in refused(waived={"generic": "because"}).reason
    replace(CLAIM, waived={"generic": "because", "derived": "because"})
    replace(CLAIM, waived={"derived": "because"})


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_waiver_without_a_reason_is_refused(reason):
    assert "float" in refused(waived={"float": reason}).reason


def test_uses_written_as_one_string_are_refused():
    """A forgotten comma: ("GDT-0001") is a string, and would be read letter by letter."""
    assert "uses" in refused(uses="GDT-0001").reason


def test_a_claim_does_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        CLAIM.revision = 2


def test_the_wrong_versions_and_refusals_of_a_claim():
    assert CLAIM.variants == (SIGN, DROPPED, VIOLATED.violation, MISPRINT)
    assert CLAIM.violations == (VIOLATED.violation,)
    assert CLAIM.refusals == (DegenerateContextError,)


def test_the_sides_of_a_wrong_version():
    assert CLAIM.sides() == (left, right)
    assert CLAIM.sides("sign") == (wrong, right)
    assert CLAIM.sides("dropped") == (left, also_wrong)
    assert CLAIM.sides("not a") == (wrong, right)
    assert CLAIM.sides("misprint") == (left, wrong)


def test_an_unknown_wrong_version_is_refused_with_the_known_ones():
    with pytest.raises(UnknownClaimError) as caught:
        CLAIM.sides("Sign")
    assert caught.value.got == "'Sign'"
    assert all(repr(variant.name) in caught.value.expected for variant in CLAIM.variants)


def test_relations():
    table = {relation: [relation.holds(Fraction(a), Fraction(2)) for a in (1, 2, 3)] for relation in Relation}
    assert table == {
        Relation.EQUAL: [False, True, False],
        Relation.AT_MOST: [True, True, False],
        Relation.LESS: [True, False, False],
    }


def test_a_field_element_may_equal_a_fraction():
    """In SymPy a constant of a field of fractions does not == a Fraction that is no integer."""
    _, x = field("x", QQ)
    for constant in (Fraction(0), Fraction(1), Fraction(1, 2), Fraction(-7, 3)):
        element = x / x * constant
        assert Relation.EQUAL.holds(element, constant) and Relation.EQUAL.holds(constant, element)
        assert not Relation.EQUAL.holds(element, constant + 1)
        assert not Relation.EQUAL.holds(constant, x)


def test_an_iteration_starts_steps_and_reads():
    powers = Iteration(
        start=lambda p: ("start", p),
        step=lambda p, state, k: (*state, k),
        read=lambda p, state: (*state, "read", p),
        count=lambda p: p,
    )
    assert powers(3) == ("start", 3, 0, 1, 2, "read", 3)
    assert powers(0) == ("start", 0, "read", 0)


# ------------------------------------------------------------------------------------ the registry


def chain(*uses):
    """Return claims GDT-9001, GDT-9002, ... that use the given ones, by stem."""
    made = [replace(CLAIM, id=f"GDT-{9001 + i}", uses=tuple(u)) for i, u in enumerate(uses)]
    return {f"stem_{i}": claim for i, claim in enumerate(made)}


def refused_together(found) -> ClaimDefinitionError:
    with pytest.raises(ClaimDefinitionError) as caught:
        registry.validate(found)
    return caught.value


def test_claims_that_fit_together_are_accepted():
    registry.validate({})
    registry.validate(chain(["GDT-9002", "GDT-9003"], ["GDT-9004"], ["GDT-9004"], []))


def test_a_duplicate_id_is_refused_with_both_stems():
    error = refused_together({"one": CLAIM, "other": replace(CLAIM, title="Another")})
    assert error.claim == CLAIM.id
    assert "one" in error.reason and "other" in error.reason


def test_an_unknown_key_of_the_bibliography_is_refused():
    error = refused_together({"one": replace(CLAIM, source=Source(key="nobody1900nothing", locator="l"))})
    assert (error.claim, "'nobody1900nothing'" in error.reason) == (CLAIM.id, True)


def test_an_unknown_knowl_is_refused():
    for key, number in (("vonoswald2023transformers", 11), ("huang2025transformers", 1)):
        error = refused_together(
            {"one": replace(CLAIM, source=Source(key=key, locator="l", knowls=(number,)))}
        )
        assert error.claim == CLAIM.id and f"{key} has no knowl {number}" in error.reason


def test_a_use_of_an_unknown_claim_is_refused():
    error = refused_together(chain([], ["GDT-9404"]))
    assert error.claim == "GDT-9002" and "GDT-9404" in error.reason


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_cycle_is_refused_and_named(length):
    ids = [f"GDT-{9001 + i}" for i in range(length)]
    inside = [[ids[(i + 1) % length]] for i in range(length)]
    error = refused_together(chain(*inside, [ids[0]], []))
    assert error.claim in ids
    named = error.reason.removeprefix("uses itself: ").split(" → ")
    assert named[0] == named[-1] and sorted(named[1:]) == ids
    # in the order of uses, or the other way round
    steps = {*itertools.pairwise(named)}
    uses = {(ids[i], ids[(i + 1) % length]) for i in range(length)}
    assert steps in (uses, {step[::-1] for step in uses})


def test_claims_are_found_by_id_and_stem_in_the_order_of_ids(claim):
    ids = [found.id for found in gd.claims()]
    assert ids == sorted(set(ids)) and claim.id in ids
    found = registry.module_of(claim)
    assert gd.claim(claim.id) is gd.claim(registry.stem_of(found)) is claim
    assert registry.name_of(claim) == claim.id


@pytest.mark.parametrize(
    "name, like",
    [
        ("12", "GDT-0012"),
        ("GDT-0001 ", "GDT-0001"),
        ("GDT-7777", "GDT-0001 to GDT-"),
        ("lsa_stack_eq_gd_step", "lsa_stack_eq_gd_steps"),
        ("no_such_stem", "a file stem"),
        ("", "a file stem"),
    ],
)
def test_an_unknown_claim_is_refused_with_those_that_come_close(name, like):
    with pytest.raises(UnknownClaimError) as caught:
        gd.claim(name)
    assert caught.value.got == repr(name)
    assert like in caught.value.expected and "gdtheory list" in caught.value.expected


def test_the_file_of_a_catalogue_claim_is_that_claim(claim):
    assert gd.claim(registry.module_of(claim).__file__) is claim


def test_a_claim_in_no_file_has_no_module_and_one_equation():
    assert registry.module_of(CLAIM) is None
    assert registry.name_of(CLAIM) == ""
    p = ShiftedWeights.smallest()
    ((name, lhs, rhs),) = registry.derivation(CLAIM)(p, CLAIM.lhs, CLAIM.rhs)
    assert name == "lhs = rhs" and (lhs == left(p)).all() and (rhs == right(p)).all()


# -------------------------------------------------------------------------- a claim file of one's own

FILE = '''"""Addition commutes."""

from __future__ import annotations

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Array
from gdtheory.problems import ShiftedWeights


def swapped(p: ShiftedWeights) -> Array:
    """Return V + W."""
    return p.Delta_W + p.W


CLAIM = Claim(
    id="GDT-9100",
    revision=1,
    title="Addition commutes",
    statement="$W + V = V + W$",
    source=Source(key="vonoswald2023transformers", locator="nowhere"),
    problem=ShiftedWeights,
    example=ShiftedWeights.smallest,
    lhs=lambda p: p.W + p.Delta_W,
    rhs=swapped,
    mutants=(
        Mutant(name="sign", kind=MutantKind.SIGN, lhs=lambda p: p.W - p.Delta_W),
        Mutant(name="dropped", kind=MutantKind.DROPPED, lhs=lambda p: p.W),
    ),
)
'''


@pytest.fixture
def write(tmp_path):
    """Write a claim file and return its path."""

    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_claim_file_is_found_by_its_path(write, monkeypatch):
    path = write(FILE)
    found = gd.claim(str(path))
    assert found.id == "GDT-9100"
    assert gd.claim(str(path)) is gd.claim(path) is found
    monkeypatch.chdir(path.parent)
    assert gd.claim("mine.py") is gd.claim("./mine.py") is found
    assert registry.stem_of(registry.module_of(found)) == "mine"
    assert registry.name_of(found) == str(path)
    assert found not in gd.claims()
    assert gd.check(str(path), max_examples=20).holds


def test_a_claim_file_may_bring_its_derivation(write):
    path = write(FILE + '\n\ndef equations(p, lhs, rhs):\n    yield "mine", lhs(p), rhs(p)\n')
    found = gd.claim(str(path))
    ((name, _, _),) = registry.derivation(found)(ShiftedWeights.smallest(), found.lhs, found.rhs)
    assert name == "mine"


def test_a_claim_file_may_bring_its_record(write):
    own = '''
from gdtheory.inputs import matrix
from gdtheory.records import Axis, Problem, record


@record
class Pair(Problem):
    """Two matrices."""

    n = Axis()

    W: Array = matrix("n", "n")
    Delta_W: Array = matrix("n", "n")


'''
    text = FILE.replace("\nfrom gdtheory.problems import ShiftedWeights\n", own).replace(
        "ShiftedWeights", "Pair"
    )
    found = gd.claim(str(write(text, "with_record.py")))
    assert found.problem.__name__ == "Pair"
    assert gd.check(str(registry.module_of(found).__file__), max_examples=20).holds


def test_two_claim_files_of_one_stem_are_two_claims(write, tmp_path):
    (tmp_path / "other").mkdir()
    one, other = write(FILE), write(FILE.replace("9100", "9101"), "other/mine.py")
    assert (gd.claim(str(one)).id, gd.claim(str(other)).id) == ("GDT-9100", "GDT-9101")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UnknownClaimError, match="an existing claim file") as caught:
        gd.claim(str(tmp_path / "none.py"))
    assert caught.value.got == str(tmp_path / "none.py")
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UnknownClaimError):
        gd.claim(str(tmp_path / "folder.py"))


BROKEN = {
    "empty": "",
    "no CLAIM": FILE.replace("CLAIM =", "claim ="),
    "CLAIM is no claim": "CLAIM = 3\n",
    "syntax error": FILE + "def (\n",
    "unknown name": FILE.replace("lhs=lambda p: p.W + p.Delta_W", "lhs=no_such_name"),
    "unknown import": FILE.replace(
        "\nfrom gdtheory.namespace", "\nimport no_such_module\nfrom gdtheory.namespace"
    ),
    "unknown argument": FILE.replace("revision=1,", "revision=1, status='proved',"),
    "unknown bibliography key": FILE.replace("vonoswald2023transformers", "nobody1900nothing"),
    "unknown use": FILE.replace("revision=1,", 'revision=1, uses=("GDT-9404",),'),
    "one mutant": FILE.replace("MutantKind.DROPPED", "MutantKind.SIGN"),
    "not UTF-8": FILE,
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_file_that_is_no_claim_is_refused_by_name(write, fault):
    path = write(BROKEN[fault], "broken_claim.py")
    if fault == "not UTF-8":
        path.write_bytes(FILE.encode("utf-8").replace(b"commutes", b"commutes \xff"))
    with pytest.raises(ClaimDefinitionError) as caught:
        gd.claim(str(path))
    assert caught.value.claim in ("broken_claim", "GDT-9100")
    assert caught.value.reason


def test_a_file_without_a_claim_is_told_what_to_define(write):
    with pytest.raises(ClaimDefinitionError) as caught:
        gd.claim(str(write("", "nothing.py")))
    assert str(caught.value) == "nothing: the file must define CLAIM = Claim(...)"


def test_a_file_with_a_fault_is_read_again_when_it_is_mended(write):
    path = write("", "mended.py")
    with pytest.raises(ClaimDefinitionError):
        gd.claim(str(path))
    path.write_text(FILE + "# longer than before, for caches that look at the size\n", encoding="utf-8")
    assert gd.claim(str(path)).id == "GDT-9100"


def test_a_claim_file_may_use_claims_of_gdtheory(write):
    path = write(FILE.replace("revision=1,", 'revision=1, uses=("GDT-0001",),'), "uses.py")
    assert gd.claim(str(path)).uses == ("GDT-0001",)
