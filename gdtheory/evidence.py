"""What a check finds: a verdict per rung, a witness per refutation, a report per claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from gdtheory.records import Problem, literal


class Verdict(StrEnum):
    """The outcome of one rung. Undecided is as red as fails."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    NOT_APPLICABLE = "n/a"


@dataclass(frozen=True, slots=True)
class Witness:
    """A problem on which two sides differ, and what they are there."""

    problem: Problem
    lhs: Any
    rhs: Any
    code: str
    """Python that repeats the refutation."""

    def __str__(self) -> str:
        return f"{self.code}\n# lhs: {literal(self.lhs)}\n# rhs: {literal(self.rhs)}"

    def to_json(self) -> dict[str, str]:
        """Return the witness as text."""
        return {"code": self.code, "lhs": literal(self.lhs), "rhs": literal(self.rhs)}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The outcome of one rung on one claim, or on a wrong version of it."""

    rung: str
    verdict: Verdict
    detail: str
    seconds: float = 0.0
    witness: Witness | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as plain values."""
        return {
            "rung": self.rung,
            "verdict": str(self.verdict),
            "detail": self.detail,
            "seconds": round(self.seconds, 3),
            "witness": self.witness and self.witness.to_json(),
        }


@dataclass(frozen=True, slots=True)
class VariantReport:
    """What the rungs find of a wrong version of a claim; it ought to be refuted by each."""

    name: str
    sort: str
    """"mutant", "violation" or "erratum"."""
    evidence: dict[str, Evidence]

    @property
    def refuted(self) -> bool:
        """Whether every rung that applies fails on it, one of them at least."""
        applied = [e for e in self.evidence.values() if e.verdict is not Verdict.NOT_APPLICABLE]
        return bool(applied) and all(e.verdict is Verdict.FAILS for e in applied)

    @property
    def witness(self) -> Witness | None:
        """A problem that shows it wrong."""
        return next((e.witness for e in self.evidence.values() if e.witness), None)

    def to_json(self) -> dict[str, Any]:
        """Return the finding as plain values."""
        evidence = [e.to_json() for e in self.evidence.values()]
        return {"name": self.name, "refuted": self.refuted, "evidence": evidence}


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found of one claim."""

    id: str
    title: str
    evidence: dict[str, Evidence]
    mutants: tuple[VariantReport, ...]
    violations: tuple[VariantReport, ...]
    errata: tuple[VariantReport, ...]
    seed: int
    max_examples: int
    environment: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return what was found in one line; `holds`, `evidence` and `variants` have the details."""
        rungs = ", ".join(
            f"{rung} {e.verdict}"
            for rung, e in self.evidence.items()
            if e.verdict is not Verdict.NOT_APPLICABLE
        )
        refuted = sum(variant.refuted for variant in self.variants)
        return f"{self.id} {rungs}; {refuted} of {len(self.variants)} wrong versions refuted"

    @property
    def variants(self) -> tuple[VariantReport, ...]:
        """Every wrong version, as checked."""
        return (*self.mutants, *self.violations, *self.errata)

    @property
    def holds(self) -> bool:
        """Whether a rung holds, no rung is red, and every wrong version is refuted."""
        verdicts = {e.verdict for e in self.evidence.values()}
        green = verdicts <= {Verdict.HOLDS, Verdict.NOT_APPLICABLE} and Verdict.HOLDS in verdicts
        return green and all(variant.refuted for variant in self.variants)

    @property
    def seconds(self) -> float:
        """The time that all rungs took."""
        found = [self.evidence, *(variant.evidence for variant in self.variants)]
        return sum(e.seconds for evidence in found for e in evidence.values())

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain dictionaries, lists, strings and numbers."""
        return {
            "id": self.id,
            "title": self.title,
            "holds": self.holds,
            "evidence": [e.to_json() for e in self.evidence.values()],
            "mutants": [v.to_json() for v in self.mutants],
            "violations": [v.to_json() for v in self.violations],
            "errata": [v.to_json() for v in self.errata],
            "seed": self.seed,
            "max_examples": self.max_examples,
            "environment": self.environment,
        }
