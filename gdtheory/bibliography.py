"""The works that the claims cite, from ``bibliography.bib``, and how to cite this package."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from types import MappingProxyType

from gdtheory.errors import ArgumentError, shown

_FILE = "bibliography.bib"
_SOFTWARE = "gdtheory"
_ENTRY = re.compile(r"@\w+\s*\{\s*([^\s,{}]+)\s*,")
_FIELD = re.compile(r"(\w+)\s*=\s*(?=\{)")
_NEEDED = ("author", "title", "year")


@cache
def entries() -> Mapping[str, str]:
    """Return every entry as it stands in the file, by its key.

    Raises
    ------
    ArgumentError
        If the file has a malformed entry or the same key twice.
    """
    return MappingProxyType(parse(files("gdtheory").joinpath(_FILE).read_text(encoding="utf-8")))


def bibtex(key: str) -> str:
    """Return the BibTeX entry of a work.

    Parameters
    ----------
    key : str
        Key of the entry.

    Raises
    ------
    ArgumentError
        If no entry has this key; the message names those that come close.

    Examples
    --------
    >>> print(bibtex("higham2002accuracy").splitlines()[0])
    @book{higham2002accuracy,
    """
    if key not in entries():
        close = difflib.get_close_matches(key, entries()) or list(entries())
        raise ArgumentError("key", expected=f"one of {', '.join(close)}", got=shown(key))
    entry = entries()[key]
    return entry.replace("{VERSION}", f"{{{version(key)}}}") if key == _SOFTWARE else entry


def short(key: str) -> str:
    """Return a work as it is named in running text.

    Examples
    --------
    >>> short("vonoswald2023transformers")
    'von Oswald et al. (2023)'
    """
    entry = _fields(key, bibtex(key))
    authors = re.sub(r"[{}]", "", entry["author"]).split(" and ")
    names = [author.split(",")[0] for author in authors]
    who = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    return f"{who} ({entry['year']})"


def software() -> str:
    """Return the BibTeX entry of this package, with the version that is installed."""
    return bibtex(_SOFTWARE)


def cite(key: str) -> str:
    """Return what to cite for a claim: its source and this package, as BibTeX.

    Parameters
    ----------
    key : str
        Key of the source.

    Raises
    ------
    ArgumentError
        If no entry has this key.
    """
    return "\n\n".join(dict.fromkeys((bibtex(key), software())))


def parse(text: str) -> dict[str, str]:
    """Return the entries in the text of a BibTeX file, by key. Text between entries is a comment.

    Raises
    ------
    ArgumentError
        If an entry is malformed, has no author, title or year, or repeats a key.
    """
    found: dict[str, str] = {}
    end = 0
    while (start := text.find("@", end)) >= 0:
        head = _ENTRY.match(text, start)
        if head is None:
            line = text.count("\n", 0, start) + 1
            raise _malformed(f"line {line}", "@type{key, ...", text[start:].splitlines()[0])
        key = head[1]
        end = _closing_brace(text, text.index("{", start)) + 1
        entry = text[start:end]
        if end == 0 or "\n@" in entry:
            raise _malformed(key, "as many closing braces as opening ones", "an entry without end")
        if key in found:
            raise _malformed(key, "each key once", "a second entry")
        given = _fields(key, entry)
        for name in _NEEDED:
            if not given.get(name):
                raise _malformed(key, f"the field {name}", ", ".join(given) or "no field")
        found[key] = entry
    return found


def _fields(key: str, entry: str) -> dict[str, str]:
    """Return the fields of an entry, each written ``name = {value}``, by lower-case name."""
    found: dict[str, str] = {}
    rest = entry[entry.index(",") + 1 : -1].strip()
    while rest:
        head = _FIELD.match(rest)
        if head is None:
            raise _malformed(key, "name = {value}", repr(rest.splitlines()[0]))
        name = head[1].lower()
        if name in found:
            raise _malformed(key, "each field once", f"a second {name}")
        end = _closing_brace(rest, head.end())
        found[name] = " ".join(rest[head.end() + 1 : end].split())
        rest = rest[end + 1 :].lstrip()
        if rest and not rest.startswith(","):
            raise _malformed(key, f"a comma after the field {name}", repr(rest.splitlines()[0]))
        rest = rest[1:].lstrip()
    return found


def _closing_brace(text: str, opening: int) -> int:
    """Return where the brace opened at `opening` is closed, or -1."""
    depth = 0
    for brace in re.compile(r"[{}]").finditer(text, opening):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return -1


def _malformed(where: str, expected: str, got: str) -> ArgumentError:
    return ArgumentError(f"{_FILE}, {where}", expected=expected, got=got)
