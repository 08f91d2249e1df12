"""What is written is true: the README's commands, table and examples, the docstrings, the citations."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from pathlib import Path

import pytest

import gdtheory as gd
from gdtheory import bibliography
from gdtheory.cli import main
from gdtheory.cli.listing import catalogue_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SOURCES = [path for folder in ("gdtheory", "proofs") for path in (ROOT / folder).rglob("*.py")]
TEXTS = {path: path.read_text(encoding="utf-8") for path in [*SOURCES, ROOT / "README.md"]}


def test_the_readme_holds_the_table_of_all_claims():
    table = re.search(r"<!-- catalogue: begin -->\n(.*?)\n<!-- catalogue: end -->", README, re.S)
    assert table[1] == catalogue_table(), "print it with: gdtheory list --markdown"


def test_the_examples_of_the_readme_print_what_it_shows(tmp_path, monkeypatch):
    for name, code in re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", README, re.S):
        (tmp_path / name).write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(example.examples) > 15
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not runner.run(example).failed, "the captured output says which"


def test_the_readme_shows_what_the_command_prints(capsys, monkeypatch):
    """But for the seconds."""
    monkeypatch.setenv("COLUMNS", "80")
    ((argv, shown),) = re.findall(r"<!-- output: (.*?) -->\n```\n(.*?)```", README, re.S)
    assert main([*argv.split(), "--jobs", "1"]) == 0

    def without_seconds(text):
        return re.sub(r"\s+", " ", re.sub(r"\d+\.\d( s|(?=\s))", "_", text)).strip()

    printed = re.sub(r"(?m)^(id .* seconds|GDT-.* \d+\.\d)  .*", r"\1", capsys.readouterr().out)
    assert without_seconds(printed) == without_seconds(shown)


@pytest.mark.parametrize("name", sorted(set(gd.__all__) - {"__version__"}))
def test_public_names_are_documented(name):
    assert inspect.getdoc(getattr(gd, name)), f"gd.{name} has no docstring"


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = gd.no_such_name


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_has_lost_a_backslash(path):
    r"""In a string that should have been raw, \f and \r of \frac and \rho are control characters."""
    lost = re.search(r"[\x00-\x08\x0b-\x1f]", TEXTS[path])
    assert lost is None, f"{path}: control character at {lost.start()}"
    for node in ast.walk(ast.parse(TEXTS[path])):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "$" in node.value:
            assert not re.search(r"[\x07-\x09\x0b-\x0d]", node.value), f"{path}:{node.lineno}"


def test_every_citation_is_in_the_bibliography_and_every_entry_is_cited():
    cited = {claim.source.key for claim in gd.claims()}
    named = {key for key in bibliography.entries() if any(key in text for text in TEXTS.values())}
    by_name = {key for key in bibliography.entries() if any(surname(key) in t for t in TEXTS.values())}
    entries = set(bibliography.entries()) - {"gdtheory"}
    assert cited <= entries
    assert entries <= cited | named | by_name, f"cited nowhere: {entries - cited - named - by_name}"


def surname(key):
    return re.split(r" et al\.| and | \(", bibliography.short(key))[0]


def test_every_claim_id_that_is_mentioned_exists():
    known = {claim.id for claim in gd.claims()}
    examples = {"GDT-0000", "GDT-9000"}  # the skeleton's and the README's own
    for path, text in TEXTS.items():
        mentioned = set(re.findall(r"GDT-\d{4}", text))
        assert mentioned <= known | examples, f"{path} mentions {mentioned - known - examples}"


def test_claims_cite_what_their_statements_name(claim):
    named = set(re.findall(r"GDT-\d{4}", claim.statement)) - {claim.id}
    reachable = set(claim.uses)
    while more := {used for id in reachable for used in gd.claim(id).uses} - reachable:
        reachable |= more
    assert named <= reachable, f"{claim.id} names {named - reachable} but does not use it"


def test_the_readme_lists_the_folders_that_exist():
    layout = re.search(r"## Layout\n\n```\n(.*?)```", README, re.S)[1]
    for folder in re.findall(r"^(\S+/)", layout, re.M):
        assert (ROOT / folder).is_dir(), folder


def test_two_commands_do_all_the_setting_up():
    commands = re.findall(r"```bash\n(.*?)\n```", README, re.S)
    assert [command for command in commands if "pip" in command] == [
        "pip install . && gdtheory check",
        "pip install '.[test]' && pytest",
    ]


def test_the_version_has_one_source():
    assert f"version = {gd.__version__}\n" in (ROOT / "setup.cfg").read_text()
