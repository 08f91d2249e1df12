"""The commands ``mutants`` and ``errata``: wrong versions of claims, and what refutes them."""

from __future__ import annotations

from gdtheory import bibliography, checking
from gdtheory.cli.findings import SORTS, refuting, survival
from gdtheory.cli.selection import choose_one, of_source
from gdtheory.cli.terminal import Screen, counted
from gdtheory.definition import Claim, Erratum
from gdtheory.evidence import VariantReport, Verdict
from gdtheory.rungs import Case, Effort, rational

_LABEL = 10


def mutants(screen: Screen, name: str, examples: int, seed: int) -> int:
    """Print how each wrong version of a claim is refuted; return 0 if all are and the claim holds."""
    claim = choose_one(name)
    report = checking.check(claim, max_examples=examples, seed=seed)
    screen.say(screen.paint(screen.fill(f"{claim.id}  {claim.title}", rest=" " * 10), "bold"))
    kinds = {mutant.name: f", {mutant.kind}" for mutant in claim.mutants}
    for variant in report.variants:
        screen.say()
        sort = f"{SORTS[variant.sort]}{kinds.get(variant.name, '')}"
        title = screen.fill(f"{variant.name} ({sort})", rest="  ")
        screen.say(title.replace(variant.name, screen.paint(variant.name, "bold"), 1))
        screen.say(_refutation(screen, variant))
    refuted = sum(variant.refuted for variant in report.variants)
    holds = "holds" if report.holds else f"is red, see gdtheory check {name}"
    screen.say(f"\n{refuted} of {len(report.variants)} wrong versions are refuted; the claim {holds}.")
    return int(not report.holds)


def _refutation(screen: Screen, variant: VariantReport) -> str:
    """Return on which rungs a wrong version is refuted, and a problem that shows it."""
    if not variant.refuted:
        return screen.paint(screen.fill(f"not refuted: {survival(variant)}", "  ", "    "), "red")
    where = screen.fill(f"refuted: {', '.join(refuting(variant.evidence))}", "  ", "    ")
    if variant.witness is not None:
        return f"{where}\n{variant.witness}"
    why = (e.detail for e in variant.evidence.values() if e.verdict is Verdict.FAILS)
    return "\n".join((where, *(screen.fill(detail, "  ", "    ") for detail in why)))


def errata(screen: Screen, source: str | None = None) -> int:
    """Print the misprints of the sources, each with a counterexample; return 0 if all are refuted."""
    found = [(claim, erratum) for claim in of_source(source) for erratum in claim.errata]
    refuted = [_print_erratum(screen, claim, erratum) for claim, erratum in found]
    if not found:
        screen.say(f"No misprint is held of {source or 'any source'}.")
        return 0
    works = len({claim.source.key for claim, _ in found})
    screen.say(f"{counted(len(found), 'misprint')} of {counted(works, 'source')}; {sum(refuted)} refuted.")
    return int(not all(refuted))


def _print_erratum(screen: Screen, claim: Claim, erratum: Erratum) -> bool:
    found = rational(Case(claim, erratum.name, Effort(max_examples=100, seed=0)))
    title = f"{bibliography.short(claim.source.key)}, {erratum.locator}"
    screen.say(screen.paint(screen.fill(title), "bold"))
    for label, text in (
        ("Printed", erratum.printed),
        ("False", erratum.why),
        ("True", f"{claim.id}: {claim.title}"),
    ):
        screen.say(screen.fill(text, f"  {label.ljust(_LABEL)}", " " * (_LABEL + 2)))
    if found.witness is None:
        screen.say(screen.paint(screen.fill(f"Not refuted: {found.detail}", "  ", "    "), "red"))
    else:
        screen.say(f"  On these numbers the two sides, as printed, differ:\n\n{found.witness}")
    screen.say()
    return found.witness is not None
