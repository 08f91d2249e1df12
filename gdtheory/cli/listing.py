"""The commands ``list`` and ``cite``, and the table of README.md."""

from __future__ import annotations

from gdtheory import bibliography, registry
from gdtheory.cli.selection import choose_one, of_source
from gdtheory.cli.terminal import Screen, counted, table
from gdtheory.definition import RUNGS, Claim
from gdtheory.knowls import KNOWLS

_HEADER = ("id", "claim", "source", "rungs", "mutants", "misprints")
_TIE = "\N{NO-BREAK SPACE}"


def list_claims(screen: Screen, source: str | None = None, *, markdown: bool = False) -> int:
    """Print a table of the claims, or of those of one source."""
    claims = of_source(source)
    if markdown:
        screen.say(markdown_table(claims))
        return 0
    rows = [(claim.id, claim.title, source_of(claim), letters(claim), *_counts(claim)) for claim in claims]
    header, _, body = table([_HEADER, *rows]).partition("\n")
    if screen.width is None or max(map(len, body.splitlines())) <= screen.width:
        screen.say(f"{screen.paint(header, 'bold')}\n{body}")
    else:
        for claim in claims:
            screen.say(_entry(screen, claim))
    for paragraph in coverage(source):
        screen.say(f"\n{screen.fill(paragraph)}")
    legend = "rungs that apply: " + ", ".join(f"{rung[0]} {rung}" for rung in RUNGS)
    screen.say(f"\n{screen.paint(screen.fill(legend), 'dim')}")
    return 0


def coverage(source: str | None) -> list[str]:
    """Return, for every knowl of a source, which claims hold it and what is left to experiments."""
    knowls = KNOWLS.get(source or "", {})
    found = ["The statements of the paper, as we number them, and what holds them:"] if knowls else []
    for number, knowl in knowls.items():
        held = [claim.id for claim in of_source(source) if number in claim.source.knowls]
        parts = [", ".join(held), knowl.left and f"left to experiments: {knowl.left}"]
        found.append(f"Statement {number}. {knowl.title}: {'; '.join(filter(None, parts))}.")
    return found


def _entry(screen: Screen, claim: Claim) -> str:
    """Return a claim on two lines or more, for a terminal that is too narrow for the table."""
    facts = [source_of(claim), letters(claim), counted(len(claim.mutants), "mutant")]
    if claim.errata:
        facts.append(counted(len(claim.errata), "misprint"))
    tied = " · ".join((facts[0], *(fact.replace(" ", _TIE) for fact in facts[1:]))).replace("· ", f"·{_TIE}")
    indent = " " * (len(claim.id) + 2)
    title = screen.fill(claim.title, indent, indent).replace(indent, f"{screen.paint(claim.id, 'bold')}  ", 1)
    return f"{title}\n{screen.paint(screen.fill(tied, indent, indent).replace(_TIE, ' '), 'dim')}"


def cite(screen: Screen, name: str) -> int:
    """Print the BibTeX entries of a claim's source and of this package."""
    screen.say(bibliography.cite(choose_one(name).source.key))
    return 0


def catalogue_table() -> str:
    """Return the table of all claims in Markdown, as README.md holds it."""
    return markdown_table(list(registry.claims()))


def markdown_table(claims: list[Claim]) -> str:
    """Return a table of claims in Markdown; an id links to its file in the repository."""
    lines = ["| id | claim | source | rungs | mutants | misprints |", "|---|---|---|---|--:|--:|"]
    for claim in claims:
        cells = (_link(claim), claim.title, source_of(claim), ", ".join(rungs(claim)), *_counts(claim))
        lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return "\n".join(lines)


def rungs(claim: Claim) -> list[str]:
    """Return the rungs that apply to a claim."""
    return [rung for rung in RUNGS if rung not in claim.inapplicable]


def letters(claim: Claim) -> str:
    """Return the initials of the rungs that apply, with a dash for each of the others."""
    return "".join(rung[0] if rung in rungs(claim) else "-" for rung in RUNGS)


def source_of(claim: Claim) -> str:
    """Return the source of a claim and the place in it, as running text."""
    return f"{bibliography.short(claim.source.key)}, {claim.source.locator}"


def _counts(claim: Claim) -> tuple[str, str]:
    return str(len(claim.mutants)), str(len(claim.errata) or "")


def _link(claim: Claim) -> str:
    module = registry.module_of(claim)
    return f"[{claim.id}](gdtheory/catalogue/{registry.stem_of(module)}.py)" if module else claim.id
