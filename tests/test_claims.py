"""Every claim of the registry: each rung holds, each wrong version is refuted."""

from __future__ import annotations

import dataclasses
from functools import cache

import pytest

import gdtheory as gd
from gdtheory import registry
from gdtheory.definition import Relation
from gdtheory.evidence import Verdict
from gdtheory.rungs import Case, Effort, floating

GREEN = {Verdict.HOLDS, Verdict.NOT_APPLICABLE}


@cache
def report(claim_id: str, effort: Effort):
    return gd.check(claim_id, max_examples=effort.max_examples, seed=effort.seed)


@pytest.mark.parametrize("rung", ["derived", "generic", "rational", "float", "kernel"])
def test_rung_is_green(claim, rung, effort):
    evidence = report(claim.id, effort).evidence[rung]
    assert evidence.verdict in GREEN, f"{effort}: {evidence.detail}\n{evidence.witness}"


def test_every_wrong_version_is_refuted_on_every_rung(claim, effort):
    for variant in report(claim.id, effort).variants:
        found = {rung: (str(e.verdict), e.detail) for rung, e in variant.evidence.items()}
        assert variant.refuted, f"{effort}: {variant.name!r} survives: {found}"


def test_wrong_versions_come_with_a_witness_that_can_be_run(claim, effort):
    for variant in report(claim.id, effort).variants:
        if variant.witness is None:
            assert variant.name.startswith("not: ")  # refused by name, see its detail
            continue
        namespace = {}
        *setup, last = variant.witness.code.splitlines()
        exec("\n".join(setup), namespace)
        left, right = eval(last, namespace)
        assert str(left) == str(variant.witness.lhs)
        assert str(right) == str(variant.witness.rhs)
        assert str(left) != str(right) or claim.relation is Relation.LESS


def test_many_float_problems_stay_inside_their_bounds(claim, effort):
    if "float" in claim.inapplicable:
        return  # the reason is shown by `gdtheory show`
    more = dataclasses.replace(effort, max_examples=3 * effort.max_examples)
    found = floating(Case(claim, None, more))
    assert found.verdict is Verdict.HOLDS, f"{effort}: {found.detail}"
    problems = int(found.detail.split()[0])
    assert problems > 0.9 * more.max_examples  # the others overflow and have no finite bound


def test_the_report_is_plain_data(claim, effort):
    import json

    assert json.loads(json.dumps(report(claim.id, effort).to_json()))["holds"] is True


def test_claims_are_found_by_id_and_by_stem(claim):
    assert gd.claim(claim.id) is claim
    assert gd.claim(registry.stem_of(registry.module_of(claim))) is claim


def test_the_same_seed_gives_the_same_findings():
    first, second = (gd.check("GDT-0001", max_examples=20, seed=7) for _ in range(2))
    for rung, evidence in first.evidence.items():
        assert evidence.detail == second.evidence[rung].detail
