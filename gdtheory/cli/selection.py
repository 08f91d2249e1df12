"""Which claims the arguments mean."""

from __future__ import annotations

import contextlib
import difflib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import gdtheory.catalogue
from gdtheory import registry
from gdtheory.cli import skeleton
from gdtheory.definition import Claim
from gdtheory.errors import ArgumentError, ClaimDefinitionError, GDTheoryError, UnknownClaimError


@dataclass(frozen=True, slots=True)
class Chosen:
    """A claim, and the name by which the command finds it again."""

    claim: Claim
    name: str

    @property
    def registered(self) -> bool:
        """Whether it is a claim of the catalogue, which every process finds by its id."""
        return self.name == self.claim.id


def choose(names: Sequence[str]) -> list[Chosen]:
    """Return the named claims, each once, ordered by id; all of the catalogue without a name.

    Raises
    ------
    UnknownClaimError
        If there is no such claim; the message names those that come close.
    ClaimDefinitionError
        If a file is not a well-formed claim.
    """
    if not names:
        return [Chosen(claim, claim.id) for claim in registry.claims()]
    found: dict[int, Chosen] = {}
    unknown = []
    for name in names:
        try:
            chosen = choose_one(name)
        except UnknownClaimError as error:
            unknown.append(error)
        else:
            found.setdefault(id(chosen.claim), chosen)
    if len(unknown) > 1:
        raise GDTheoryError("\n".join(map(str, unknown)))
    if unknown:
        raise unknown[0]
    return sorted(found.values(), key=lambda chosen: (chosen.claim.id, chosen.name))


def choose_one(name: str) -> Chosen:
    """Return the claim of an id, a file stem or a path."""
    if name.endswith(".py"):
        path = Path(name).resolve()
        if path.parent not in map(Path, gdtheory.catalogue.__path__):
            return Chosen(_load(path), shlex.quote(name))
        name = path.stem
    try:
        claim = registry.claim(name)
    except UnknownClaimError:
        close = _similar(name)
        like = f"one like {', '.join(close)}" if close else "an id, a file stem or a path ending in .py"
        raise UnknownClaimError("claim", expected=f"{like} (see gdtheory list)", got=repr(name)) from None
    return Chosen(claim, claim.id)


def _similar(name: str) -> list[str]:
    """Return the ids or the stems that come close to a name; GDT-0012 is close to gdt-12 and 12."""
    ids = [claim.id for claim in registry.claims()]
    number = name.upper().removeprefix("GDT-")
    if number.isdecimal() and f"GDT-{int(number):04}" in ids:
        return [f"GDT-{int(number):04}"]
    stems = [registry.stem(module) for module in filter(None, map(registry.module, registry.claims()))]
    return difflib.get_close_matches(name.upper(), ids) or difflib.get_close_matches(name, stems)


def of_source(key: str | None) -> list[Claim]:
    """Return the claims of a source, or all without a key.

    Raises
    ------
    ArgumentError
        If no claim has this source; the message names those that come close.
    """
    claims = registry.claims()
    keys = list(dict.fromkeys(claim.source.key for claim in claims))
    if key is not None and key not in keys:
        close = difflib.get_close_matches(key, keys) or keys
        raise ArgumentError("--source", expected=f"one of {', '.join(close)}", got=repr(key))
    return [claim for claim in claims if key in (None, claim.source.key)]


def _load(path: Path) -> Claim:
    """Load a claim file; a skeleton is refused with the list of what it still lacks."""
    if path.is_file():
        with contextlib.suppress(SyntaxError):  # the registry tells it
            missing = skeleton.placeholders(path.read_text(encoding="utf-8", errors="replace"))
            if missing:
                listed = "\n".join(f"  line {line}: {what}" for line, what in missing)
                raise ClaimDefinitionError(path.name, f"still to fill in:\n{listed}")
    return registry.claim(path)
