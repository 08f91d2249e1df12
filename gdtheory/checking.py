"""Checks a claim on every rung, and every wrong version of it on the same rungs."""

from __future__ import annotations

import platform
import time
import traceback
from collections.abc import Iterable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

from gdtheory import registry
from gdtheory.arguments import whole_number
from gdtheory.definition import RUNGS, Assumption, Claim, Refusal, Variant
from gdtheory.errors import DTypeError, shown
from gdtheory.evidence import Evidence, Report, VariantReport, Verdict
from gdtheory.records import Problem
from gdtheory.rungs import RUNG_FUNCTIONS, Case, Effort


def check(claim: Claim | str, *, max_examples: int = 100, seed: int = 0) -> Report:
    """Check a claim: derive it, test it exactly and in floats, and refute its wrong versions.

    Parameters
    ----------
    claim : Claim or str
        A claim, its id, its file stem, or a path to a claim file.
    max_examples : int
        Problems drawn per rung that draws.
    seed : int
        Seed of the draws; in the same program the same seed draws the same problems. (Hypothesis also tries
        constants that it finds in the modules imported so far.)

    Returns
    -------
    Report
        With ``holds``, ``evidence`` by rung, ``mutants``, ``violations``, ``errata``.

    Raises
    ------
    UnknownClaimError
        If there is no such claim.
    DTypeError, ShapeError
        If `claim` is no claim, `max_examples` no whole number from 1 on, or `seed` none from 0 on.

    Examples
    --------
    >>> report = check("GDT-0004", max_examples=10)
    >>> report.holds, str(report.evidence["derived"].verdict)
    (True, 'holds')
    """
    claim = _claim(claim)
    effort = Effort(whole_number("max_examples", max_examples, 1), whole_number("seed", seed, 0))

    def reports(sort: str, variants: Iterable[Variant]) -> tuple[VariantReport, ...]:
        return tuple(_check_variant(claim, v.name, sort, effort) for v in variants)

    refusals = (_check_refusal(claim, assumption) for assumption in claim.assumptions)
    return Report(
        id=claim.id,
        title=claim.title,
        evidence={rung: _climb(rung, Case(claim, None, effort)) for rung in RUNGS},
        mutants=reports("mutant", claim.mutants),
        violations=(*reports("violation", claim.violations), *filter(None, refusals)),
        errata=reports("erratum", claim.errata),
        seed=seed,
        max_examples=max_examples,
        environment=environment(),
    )


def both_sides(claim: Claim | str, p: Problem, variant: str | None = None) -> tuple[Any, Any]:
    """Return both sides of a claim, or of the named wrong version of it, on one problem.

    Parameters
    ----------
    claim : Claim or str
        A claim, its id, its file stem, or a path to a claim file.
    p : Problem
        Of the type ``claim.problem``, with entries of any kind of number.
    variant : str, optional
        Name of a mutant, a violated assumption or an erratum of the claim.

    Returns
    -------
    tuple
        The left-hand and the right-hand side, in the kind of number of `p`.

    Raises
    ------
    UnknownClaimError
        If there is no such claim.
    DTypeError
        If `claim` is none, or `p` a problem of another type.
    ArgumentError
        If there is no wrong version of that name, or what the sides themselves raise.

    Examples
    --------
    >>> import gdtheory as gd
    >>> p = gd.problems.ShiftedWeights.exact(W=[[1]], Delta_W=[[1]], X=[[1]], Y=[[0]])
    >>> both_sides("GDT-0004", p)
    (Fraction(2, 1), Fraction(2, 1))
    >>> both_sides("GDT-0004", p, "the targets shift the other way")
    (Fraction(0, 1), Fraction(2, 1))
    """
    claim = _claim(claim)
    if not isinstance(p, claim.problem):
        raise DTypeError(
            "p", expected=f"a problem of type {claim.problem.__name__}", got=f"a {type(p).__name__}"
        )
    lhs, rhs = claim.sides(variant)
    return lhs(p), rhs(p)


def _claim(claim: Claim | str) -> Claim:
    found = registry.claim(claim) if isinstance(claim, (str, Path)) else claim
    if not isinstance(found, Claim):
        raise DTypeError("claim", expected="a Claim, an id, a file stem or a path", got=shown(claim))
    return found


def environment() -> dict[str, str]:
    """Return the versions that results depend on."""
    names = ("gdtheory", "numpy", "sympy", "hypothesis", "numba")
    versions = {name: metadata.version(name) for name in names}
    return {"python": platform.python_version(), "machine": platform.machine(), **versions}


def _climb(rung: str, case: Case) -> Evidence:
    """Run one rung; an error is no evidence, so it leaves the rung undecided."""
    if rung in case.claim.inapplicable:
        return Evidence(rung, Verdict.NOT_APPLICABLE, case.claim.inapplicable[rung])
    start = time.perf_counter()
    try:
        found = RUNG_FUNCTIONS[rung](case)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}:{frame.lineno}"
        found = Evidence(rung, Verdict.UNDECIDED, f"{type(error).__name__}: {error} ({where})")
    return replace(found, seconds=time.perf_counter() - start)


def _check_variant(claim: Claim, name: str, sort: str, effort: Effort) -> VariantReport:
    """Run a wrong version up the same rungs; the exact witness serves the rung of floats."""
    case = Case(claim, name, effort)
    exact = _climb("rational", case)
    if exact.witness is not None:
        case = replace(case, witness=exact.witness.problem)
    found = {rung: exact if rung == "rational" else _climb(rung, case) for rung in RUNGS}
    return VariantReport(name, sort, found)


def _check_refusal(claim: Claim, assumption: Assumption) -> VariantReport | None:
    """Find whether a problem outside an assumption is refused by name."""
    if not isinstance(assumption.violation, Refusal):
        return None
    error = assumption.violation.error
    p = assumption.violation.problem()
    try:
        claim.lhs(p)
    except error as refusal:
        found = Evidence("rational", Verdict.FAILS, f"{error.__name__}: {refusal}")
    except Exception as other:
        detail = f"{type(other).__name__} in place of {error.__name__}: {other}"
        found = Evidence("rational", Verdict.UNDECIDED, detail)
    else:
        found = Evidence("rational", Verdict.HOLDS, f"not refused: {p!r}")
    return VariantReport(f"not: {assumption.name}", "violation", {"rational": found})
