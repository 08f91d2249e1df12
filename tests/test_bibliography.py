"""The bibliography: what its file holds, and how the reader refuses a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdtheory import bibliography
from gdtheory.errors import ArgumentError

ROOT = Path(__file__).parents[1]
GOOD = "@misc{good2001, author = {Good, I. J.}, title = {On {it}}, year = {2001}}"


@pytest.fixture(autouse=True)
def installed_version(monkeypatch):
    # A checkout that was never installed has no version.
    monkeypatch.setattr(bibliography, "version", lambda name: "1.2.3")


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("vonoswald2023transformers", "von Oswald et al. (2023)"),
        ("huang2025transformers", "Huang et al. (2025)"),
        ("dherin2025learning", "Dherin et al. (2025)"),
        ("zhang2024trained", "Zhang et al. (2024)"),
        ("ahn2023transformers", "Ahn et al. (2023)"),
        ("higham2002accuracy", "Higham (2002)"),
        ("gdtheory", "The gdtheory authors (2026)"),
    ],
)
def test_short(key, expected):
    assert bibliography.short(key) == expected


def test_short_names_two_authors_both(monkeypatch):
    entry = "@misc{two, author = {Last, A. and {van der} Other, B.}, title = {T}, year = {1999}}"
    monkeypatch.setattr(bibliography, "entries", lambda: {"two": entry})
    assert bibliography.short("two") == "Last and van der Other (1999)"


def test_short_covers_every_entry():
    assert all(bibliography.short(key) for key in bibliography.entries())


def test_entries_cannot_be_changed():
    with pytest.raises(TypeError):
        bibliography.entries()["new"] = ""


def test_entries_are_whole():
    for key, entry in bibliography.entries().items():
        assert entry.startswith("@") and entry.endswith("\n}") and f"{{{key},\n" in entry
        assert entry.count("{") == entry.count("}")


def test_cite_gives_the_source_and_then_the_software():
    source, software = bibliography.cite("dherin2025learning").split("\n\n")
    assert source == bibliography.bibtex("dherin2025learning")
    assert software == bibliography.software()
    assert "version   = {1.2.3}" in software


def test_cite_gives_the_software_once():
    assert bibliography.cite("gdtheory") == bibliography.software()


@pytest.mark.parametrize("function", [bibliography.bibtex, bibliography.short, bibliography.cite])
def test_an_unknown_key_is_refused_with_close_matches(function):
    with pytest.raises(ArgumentError) as caught:
        function("huang2024transformers")
    assert caught.value.argument == "key"
    assert "huang2025transformers" in caught.value.expected
    assert "higham" not in caught.value.expected
    assert caught.value.got == "'huang2024transformers'"


def test_an_unknown_key_like_no_other_is_refused_with_all_keys():
    with pytest.raises(ArgumentError) as caught:
        bibliography.bibtex("???")
    assert all(key in caught.value.expected for key in bibliography.entries())


def test_parse_reads_entries_between_comments():
    other = GOOD.replace("good2001", "other")
    assert bibliography.parse(f"% one\n{GOOD}\nfree text\n\n{other}\n") == {
        "good2001": GOOD,
        "other": other,
    }
    assert bibliography.parse("% nothing") == {}


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        (f"{GOOD}\n{GOOD}", "good2001", "each key once"),
        ("\n@misc{, year = {1}}", "line 2", "@type{key, ..."),
        ("@misc(round, year = {1})", "line 1", "@type{key, ..."),
        (GOOD[:-1], "good2001", "as many closing braces"),
        (GOOD[:-1] + "\n" + GOOD.replace("good2001", "next"), "good2001", "as many closing"),
        # One brace lacks here and one is too many there: the counts alone do not show it.
        (GOOD[:-1] + "\n" + GOOD + "}", "good2001", "as many closing braces"),
        (GOOD.replace("}, year", "} year"), "good2001", "a comma after the field title"),
        (GOOD.replace("{2001}", "2001"), "good2001", "name = {value}"),
        (GOOD.replace("title", "author"), "good2001", "each field once"),
        (GOOD.replace("title", "note"), "good2001", "the field title"),
        (GOOD.replace("{2001}", "{}"), "good2001", "the field year"),
        ("@misc{empty,}", "empty", "the field author"),
    ],
)
def test_parse_refuses_by_name(text, where, expected):
    with pytest.raises(ArgumentError) as caught:
        bibliography.parse(text)
    assert caught.value.argument == f"bibliography.bib, {where}"
    assert expected in caught.value.expected


def test_the_citation_file_names_the_three_sources():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for key in ("vonoswald2023transformers", "huang2025transformers", "dherin2025learning"):
        fields = bibliography._fields(key, bibliography.bibtex(key))
        assert fields["title"] in text
        assert f"arXiv:{fields['eprint']}" in text
