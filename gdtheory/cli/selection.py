"""Which claims the arguments mean."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Sequence
from pathlib import Path

from gdtheory import registry
from gdtheory.cli import skeleton
from gdtheory.definition import Claim
from gdtheory.errors import ArgumentError, ClaimDefinitionError, GDTheoryError, UnknownClaimError, shown


def choose(names: Sequence[str]) -> list[Claim]:
    """Return the named claims, each once, ordered by id; all of the catalogue without a name.

    Raises
    ------
    UnknownClaimError
        If there is no such claim; the message names those that come close.
    ClaimDefinitionError
        If a file is not a well-formed claim.
    """
    if not names:
        return list(registry.claims())
    found: dict[int, Claim] = {}
    unknown = []
    for name in names:
        try:
            claim = choose_one(name)
        except UnknownClaimError as error:
            unknown.append(error)
        else:
            found.setdefault(id(claim), claim)
    if len(unknown) > 1:
        raise GDTheoryError("\n".join(map(str, unknown)))
    if unknown:
        raise unknown[0]
    return sorted(found.values(), key=lambda claim: (claim.id, registry.name_of(claim)))


def choose_one(name: str) -> Claim:
    """Return the claim of an id, a file stem or a path; a skeleton is refused with what it still lacks."""
    if name.endswith(".py") and Path(name).is_file():
        with contextlib.suppress(SyntaxError):  # the registry tells it
            missing = skeleton.placeholders(Path(name).read_text(encoding="utf-8", errors="replace"))
            if missing:
                listed = "\n".join(f"  line {line}: {what}" for line, what in missing)
                raise ClaimDefinitionError(Path(name).name, f"still to fill in:\n{listed}")
    return registry.claim(name)


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
        raise ArgumentError("--source", expected=f"one of {', '.join(close)}", got=shown(key))
    return [claim for claim in claims if key in (None, claim.source.key)]
