"""Reports as text: a row of the table, and the details of what is red."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from gdtheory.cli.terminal import Screen
from gdtheory.definition import RUNGS
from gdtheory.evidence import Evidence, Report, VariantReport, Verdict, Witness

MARKS = {
    Verdict.HOLDS: ("✓", "green"),
    Verdict.FAILS: ("✗", "red"),
    Verdict.UNDECIDED: ("?", "yellow"),
    Verdict.NOT_APPLICABLE: ("·", "dim"),
}
LEGEND = "✓ holds, ✗ fails, ? undecided, · not applicable; 2/3: 2 of 3 are refuted"

_COUNTS = ("mutants", "assumed", "errata")
_COLUMNS = (*RUNGS, *_COUNTS)
_LEFT = len("GDT-0001") + 2
_NARROW = _LEFT + sum(len(name) + 1 for name in _COLUMNS) + len("seconds")
_LONGEST_DETAIL = 600
SORTS = {"mutant": "mutant", "violation": "violated assumption", "erratum": "misprint"}


def header(screen: Screen) -> str:
    """Return the first line of the table."""
    names = "id".ljust(_LEFT) + " ".join(_COLUMNS) + (" seconds" if _has_seconds(screen) else "")
    return screen.paint(f"{names}{'  claim' if _title_width(screen) else ''}", "bold")


def row(screen: Screen, report: Report) -> str:
    """Return the line of a claim."""
    cells = [_mark(screen, report.evidence[rung].verdict, len(rung)) for rung in RUNGS]
    for name, found in zip(_COUNTS, (report.mutants, report.violations, report.errata), strict=True):
        cells.append(_share(screen, found, len(name)))
    room = _title_width(screen)
    title = textwrap.shorten(report.title, room, placeholder=" …") if room else ""
    id = screen.paint(report.id, *(() if report.holds else ("bold", "red")))
    left = id + " " * (_LEFT - len(report.id)) + " ".join(cells)
    seconds = f" {report.seconds:7.1f}" if _has_seconds(screen) else ""
    return f"{left}{seconds}  {title}".rstrip()


def _has_seconds(screen: Screen) -> bool:
    """Whether the last column fits; a terminal of 80 columns has no room for it."""
    return screen.width is None or screen.width >= _NARROW


def _title_width(screen: Screen) -> int:
    """Return the room for titles at the end of a row, 0 if there is too little."""
    if screen.width is None:
        return 1000
    room = screen.width - _NARROW - 2
    return room if room >= 20 else 0


def _mark(screen: Screen, verdict: Verdict, width: int) -> str:
    mark, colour = MARKS[verdict]
    return mark.center(width).replace(mark, screen.paint(mark, colour))


def _share(screen: Screen, found: Sequence[VariantReport], width: int) -> str:
    if not found:
        return _mark(screen, Verdict.NOT_APPLICABLE, width)
    refuted = sum(variant.refuted for variant in found)
    text = f"{refuted}/{len(found)}"
    colour = "green" if refuted == len(found) else "red"
    return text.center(width).replace(text, screen.paint(text, colour))


# --------------------------------------------------------------------------------- what is red


def red(report: Report) -> Iterator[tuple[str, str, Witness | None]]:
    """Yield where a report is red, what was found there, and the witness if there is one."""
    for rung, found in report.evidence.items():
        if found.verdict is Verdict.FAILS:
            yield f"{rung} fails", found.detail, found.witness
        elif found.verdict is Verdict.UNDECIDED:
            yield f"{rung} is undecided", found.detail, found.witness
    if all(e.verdict is Verdict.NOT_APPLICABLE for e in report.evidence.values()):
        yield "no evidence", "no rung applies to the claim", None
    for variant in report.variants:
        if not variant.refuted:
            yield f"{SORTS[variant.sort]} {variant.name!r} is not refuted", survival(variant), None


def survival(variant: VariantReport) -> str:
    """Return on which rungs a wrong version stands, and why."""
    kept = {Verdict.HOLDS: "it holds", Verdict.UNDECIDED: "it is undecided"}
    standing = [e for e in variant.evidence.values() if e.verdict in kept]
    return "; ".join(f"{e.rung}: {kept[e.verdict]}, {e.detail}" for e in standing) or "no rung applies"


def details(screen: Screen, report: Report, command: str) -> str:
    """Return all that is red in a report, and the command that repeats it."""
    parts = [screen.paint(screen.fill(f"{report.id}  {report.title}", rest=" " * _LEFT), "bold")]
    for where, detail, witness in red(report):
        short = detail if len(detail) <= _LONGEST_DETAIL else f"{detail[:_LONGEST_DETAIL]} … (--json has all)"
        line = screen.fill(f"{where}: {short}", "  ", "    ")
        parts.append(line.replace(where, screen.paint(where, "red"), 1))
        if witness is not None:
            parts.append(f"\n{witness}\n")
    parts.append(screen.fill(f"repeat: {command}", "  ", "    "))
    return "\n".join(parts)


def found(screen: Screen, report: Report) -> Iterator[str]:
    """Yield what each rung found of a claim that holds."""
    for rung, evidence in report.evidence.items():
        if evidence.verdict is Verdict.HOLDS:
            yield screen.fill(f"{rung}: {evidence.detail}", "  ", "    ")


def refuting(evidence: dict[str, Evidence]) -> list[str]:
    """Return the rungs on which a wrong version fails."""
    return [rung for rung, found in evidence.items() if found.verdict is Verdict.FAILS]
