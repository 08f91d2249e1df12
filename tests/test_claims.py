"""Every claim of the registry: each rung holds, each wrong version is refuted."""

from __future__ import annotations

import dataclasses

import pytest

import gdtheory as gd
from gdtheory import registry
from gdtheory.cli.running import cpus, finished
from gdtheory.definition import Relation
from gdtheory.evidence import Verdict
from gdtheory.rungs import Case, floating

GREEN = {Verdict.HOLDS, Verdict.NOT_APPLICABLE}


@pytest.fixture(scope="session")
def reports(request, effort):
    """The reports of the claims that are tested, by id, made on all CPUs."""
    parameters = (getattr(item, "callspec", None) for item in request.session.items)
    tested = {found.params["claim"].id for found in parameters if found and "claim" in found.params}
    claims = [claim for claim in registry.claims() if claim.id in tested]
    made = finished(claims, effort.max_examples, effort.seed, cpus())
    return {claim.id: report for claim, report in made}


@pytest.mark.parametrize("rung", ["derived", "generic", "rational", "float", "kernel"])
def test_rung_is_green(claim, rung, reports, effort):
    evidence = reports[claim.id].evidence[rung]
    assert evidence.verdict in GREEN, f"{effort}: {evidence.detail}\n{evidence.witness}"


def test_every_wrong_version_is_refuted_on_every_rung(claim, reports, effort):
    for variant in reports[claim.id].variants:
        found = {rung: (str(e.verdict), e.detail) for rung, e in variant.evidence.items()}
        assert variant.refuted, f"{effort}: {variant.name!r} survives: {found}"


def test_wrong_versions_come_with_a_witness_that_can_be_run(claim, reports):
    for variant in reports[claim.id].variants:
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
    more = dataclasses.replace(effort, max_examples=2 * effort.max_examples)
    found = floating(Case(claim, None, more))
    assert found.verdict is Verdict.HOLDS, f"{effort}: {found.detail}"
    problems = int(found.detail.split()[0])
    assert problems > 0.9 * more.max_examples  # the others overflow and have no finite bound


def test_the_report_is_plain_data(claim, reports):
    import json

    assert json.loads(json.dumps(reports[claim.id].to_json()))["holds"] is True


def test_claims_are_found_by_id_and_by_stem(claim):
    assert gd.claim(claim.id) is claim
    assert gd.claim(registry.stem_of(registry.module_of(claim))) is claim


def test_the_same_seed_gives_the_same_findings():
    first, second = (gd.check("GDT-0001", max_examples=20, seed=7) for _ in range(2))
    for rung, evidence in first.evidence.items():
        assert evidence.detail == second.evidence[rung].detail
