"""The command: what it prints, its exit status, and how it stops."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gdtheory
from gdtheory import bibliography, registry
from gdtheory.cli import check as check_command
from gdtheory.cli import main
from gdtheory.cli.listing import catalogue_table
from gdtheory.cli.showing import places
from gdtheory.cli.skeleton import next_id, placeholders
from gdtheory.cli.terminal import Screen
from gdtheory.definition import Iteration
from gdtheory.knowls import KNOWLS

COMMANDS = ("list", "show", "check", "mutants", "errata", "cite", "new")
IDS = [claim.id for claim in registry.claims()]
HEAVY = {"hypothesis", "numba", "scipy", "sympy"}
QUICK = "GDT-0004"  # no kernel to compile

PLANTED = """
from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.problems import ShiftedWeights


def right(p, sign=-1):
    return p.W @ p.X + p.Delta_W @ p.X * sign


CLAIM = Claim(
    id="GDT-9001",
    revision=1,
    title="A planted error",
    statement="$(W+V)X = WX - VX$",
    source=Source(key="vonoswald2023transformers", locator="nowhere"),
    problem=ShiftedWeights,
    example=ShiftedWeights.smallest,
    lhs=lambda p: (p.W + p.Delta_W) @ p.X,
    rhs=right,
    mutants=(
        Mutant(name="that is true", kind=MutantKind.SIGN, rhs=lambda p: right(p, 1)),
        Mutant(name="factor", kind=MutantKind.FACTOR, rhs=lambda p: right(p) * 2),
    ),
)
"""


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    for name in ("COLUMNS", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsys):
    """Run the command in this process; return its status, what it printed, and its errors."""

    def run(*argv):
        status = main([str(arg) for arg in argv])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def planted(tmp_path):
    path = tmp_path / "planted_error.py"
    path.write_text(PLANTED, encoding="utf-8")
    return path


def command(*argv, **options):
    """Start the command in a process of its own, on the package that this run tests."""
    environment = os.environ | {"PYTHONPATH": str(Path(gdtheory.__file__).parents[1])}
    run = [sys.executable, "-m", "gdtheory", *map(str, argv)]
    return subprocess.Popen(
        run,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        **options,
    )


def flat(text):
    return " ".join(text.split())


def repeated(text):
    """Run every piece of code in a text; return both sides of each."""
    found = []
    for setup, last in re.findall(r"^(import gdtheory as gd\n.*\n)(gd\.both_sides.*)$", text, re.M):
        namespace = {}
        exec(setup, namespace)
        found.append(tuple(map(str, eval(last, namespace))))
    return found


# ------------------------------------------------------------------------------------- in general


def test_alone_it_prints_help(run):
    status, out, _ = run()
    assert status == 0
    assert all(f"    {name} " in out for name in COMMANDS)


def test_version(run):
    assert run("--version") == (0, f"gdtheory {gdtheory.__version__}\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_an_example(run, name):
    status, out, _ = run(name, "--help")
    assert status == 0
    *_, title, example = out.splitlines()
    assert title == "Example:"
    assert example.startswith(f"  gdtheory {name}")


@pytest.mark.parametrize(
    "argv",
    [
        ("checks",),
        ("check", "--examples", "0"),
        ("check", "--examples", "many"),
        ("check", "--jobs", "-1"),
        ("check", "--deep", "--examples", "7"),
        ("show",),
        ("cite", "GDT-0001", "GDT-0002"),
    ],
)
def test_arguments_of_no_use(run, argv):
    status, out, err = run(*argv)
    assert (status, out) == (2, "")
    assert "error: " in err


@pytest.mark.parametrize("name", ["show", "check", "mutants", "cite"])
@pytest.mark.parametrize(
    ("wrong", "close"),
    [
        ("GDT-12", "GDT-0012"),
        ("GDT-00012", "GDT-0012"),
        ("lsa_update_is_gd_step", "lsa_update_eq_gd_step"),
        ("xyz", "gdtheory list"),
        ("none.py", "an existing claim file"),
    ],
)
def test_an_unknown_claim(run, name, wrong, close):
    status, out, err = run(name, wrong)
    assert (status, out) == (2, "")
    assert wrong in err and close in err
    assert len(err.splitlines()) == 1


def test_all_unknown_claims_are_told(run):
    status, out, err = run("check", "GDT-12", QUICK, "GDT-13")
    assert (status, out) == (2, "")
    assert "GDT-0012" in err and "GDT-0013" in err


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = 1\ny = 1 / 0\n", "line 2: ZeroDivisionError: division by zero"),
        ("x = 1\ndef (:\n", "line 2: SyntaxError"),
        ("x = 1\n", "must define CLAIM"),
        (PLANTED.replace("vonoswald2023", "vonoswald2024"), "no key of the bibliography"),
    ],
)
def test_a_broken_claim_file(run, tmp_path, source, said):
    path = tmp_path / "broken.py"
    path.write_text(source, encoding="utf-8")
    status, out, err = run("check", path)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("argv", [("--help",), ("list",), ("show", "GDT-0003"), ("cite", QUICK)])
def test_what_only_reads_starts_light(argv):
    code = (
        f"import sys; from gdtheory.cli import main; main({argv}); sys.exit(bool({HEAVY} & set(sys.modules)))"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(gdtheory.__file__).parents[1])}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert ended.returncode == 0, ended.stderr


def test_a_reader_that_leaves():
    with command("list") as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_a_terminal_that_cannot_show_the_marks(tmp_path):
    environment = os.environ | {
        "PYTHONPATH": str(Path(gdtheory.__file__).parents[1]),
        "PYTHONIOENCODING": "ascii",
    }
    run = [sys.executable, "-m", "gdtheory", "list"]
    ended = subprocess.run(run, env=environment, capture_output=True, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert rb"\u03b7" in ended.stdout


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colours_are_for_terminals(monkeypatch):
    assert not Screen.of(io.StringIO()).colour
    assert Screen.of(Terminal()).paint("x", "red") == "\x1b[31mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Screen.of(Terminal()).paint("x", "red") == "x"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not Screen.of(Terminal()).colour


# ------------------------------------------------------------------------------------- what reads


def test_list(run):
    status, out, err = run("list")
    assert (status, err) == (0, "")
    _, *rows = out.partition("\n\n")[0].splitlines()
    assert [row.split()[0] for row in rows] == IDS
    for row, claim in zip(rows, registry.claims(), strict=True):
        assert claim.title in row and claim.source.locator in row


def test_list_of_a_source(run):
    status, out, _ = run("list", "--source", "huang2025transformers")
    found = [claim.id for claim in registry.claims() if claim.source.key == "huang2025transformers"]
    assert status == 0
    assert re.findall(r"GDT-\d{4}", out) == found


def test_list_of_a_source_tells_which_claims_hold_its_knowls(run):
    key = "vonoswald2023transformers"
    status, out, _ = run("list", "--source", key)
    parts = re.split(r"Statement (\d+)\. ", " ".join(out.split()))[1:]
    told = dict(zip(map(int, parts[::2]), parts[1::2], strict=True))
    assert status == 0 and list(told) == list(KNOWLS[key]) == list(range(1, 11))
    for number, text in told.items():
        holding = {claim.id for claim in registry.claims() if number in claim.source.knowls}
        assert set(re.findall("GDT-[0-9]{4}", text)) == holding
        assert ("left to experiments" in text) is (number > 5) is bool(KNOWLS[key][number].left)
        assert holding or number in (8, 9)
    assert "Statement" not in run("list", "--source", "huang2025transformers")[1]


@pytest.mark.parametrize("name", ["list", "errata"])
def test_an_unknown_source(run, name):
    status, out, err = run(name, "--source", "huang2025transformer")
    assert (status, out) == (2, "")
    assert "huang2025transformers" in err


@pytest.mark.parametrize("width", [60, 80, 140])
@pytest.mark.parametrize("argv", [("list",), ("errata",)])
def test_prose_keeps_to_the_width(run, monkeypatch, argv, width):
    monkeypatch.setenv("COLUMNS", str(width))
    _, out, _ = run(*argv)
    code = ("import ", "p = ", "gd.", "# ")
    assert [line for line in out.splitlines() if len(line) > width and not line.startswith(code)] == []
    assert [id for id in IDS if id not in out] == [] or argv == ("errata",)


def test_the_table_of_the_readme(run):
    assert run("list", "--markdown") == (0, f"{catalogue_table()}\n", "")
    _, rule, *rows = catalogue_table().splitlines()
    assert [re.findall(r"GDT-\d{4}", row)[0] for row in rows] == IDS
    assert {row.replace(r"\|", "").count("|") for row in (rule, *rows)} == {7}
    root = Path(gdtheory.__file__).parents[1]
    assert all((root / re.search(r"\]\((.*?)\)", row)[1]).is_file() for row in rows)


def test_show(run, claim):
    status, out, err = run("show", claim.id)
    assert (status, err) == (0, "")
    told = [claim.title, claim.statement, bibliography.short(claim.source.key), claim.source.locator]
    told += [text for a in claim.assumptions for text in (a.name, a.statement, a.sufficient)]
    told += [variant.name for variant in (*claim.mutants, *claim.violations)]
    told += [text for e in claim.errata for text in (e.locator, e.printed, e.why)]
    told += [*claim.uses, *claim.waived, *claim.waived.values(), claim.problem.__name__]
    told += [other.id for other in registry.claims() if claim.id in other.uses]
    assert [text for text in told if flat(text) not in flat(out)] == []


def test_show_finds_the_code(claim):
    for _, place in (*places("lhs", claim.lhs), *places("rhs", claim.rhs)):
        path, line, name = re.match(r"(.*):(\d+) ([\w<>]+)", place).groups()
        text = Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert ("lambda" if name == "<lambda>" else f"def {name}(") in text
    assert all(isinstance(s, Iteration) == (len(list(places("", s))) == 4) for s in (claim.lhs, claim.rhs))


def test_show_names_the_derivation(run):
    assert "proofs/lsa_stack_eq_gd_steps.py" in run("show", "GDT-0003")[1].replace(os.sep, "/")
    assert "both reduced to one normal form" in run("show", QUICK)[1]


def test_a_claim_by_its_stem_or_its_file_in_the_catalogue(run):
    shown = run("show", "GDT-0003")
    module = registry.module_of(registry.claim("GDT-0003"))
    assert run("show", registry.stem_of(module)) == shown
    assert run("show", module.__file__) == shown


def test_cite(run):
    claim = registry.claim(QUICK)
    assert run("cite", QUICK) == (0, f"{bibliography.cite(claim.source.key)}\n", "")


# ------------------------------------------------------------------------------------- what checks


def test_check(run):
    status, out, err = run("check", QUICK, "--examples", 5, "--seed", 3)
    assert (status, err) == (0, "")
    header, row, _, *rest = out.splitlines()
    assert header.split()[:6] == ["id", "derived", "generic", "rational", "float", "kernel"]
    assert row.split()[:10] == [QUICK, "✓", "✓", "✓", "✓", "·", "·", "3/3", "·", "·"]
    assert row.endswith(registry.claim(QUICK).title)
    assert "The claim holds. 4 rungs green; 3 mutants refuted. 5 examples per rung, seed 3" in flat(
        " ".join(rest)
    )


@pytest.mark.parametrize("width", [80, 140])
def test_the_table_keeps_to_the_width(run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    _, out, _ = run("check", "GDT-0012", "--examples", 2)
    assert max(map(len, out.splitlines())) <= width
    assert "GDT-0012" in out


def test_a_claim_named_twice_is_checked_once(run):
    stem = registry.stem_of(registry.module_of(registry.claim(QUICK)))
    status, out, _ = run("check", QUICK, stem, "--examples", 2)
    assert status == 0
    assert out.count(QUICK) == 1


def test_the_reports_say_what_the_table_says(run, planted, tmp_path):
    path = tmp_path / "reports.json"
    status, out, _ = run("check", planted, QUICK, "--examples", 5, "--json", path)
    reports = json.loads(path.read_text(encoding="utf-8"))
    assert status == 1
    assert [(report["id"], report["holds"]) for report in reports] == [(QUICK, True), ("GDT-9001", False)]
    marks = {"holds": "✓", "fails": "✗", "undecided": "?", "n/a": "·"}
    for report, row in zip(reports, out.splitlines()[1:], strict=False):
        verdicts = [marks[e["verdict"]] for e in report["evidence"]]
        refuted = sum(mutant["refuted"] for mutant in report["mutants"])
        assert row.split()[:8] == [report["id"], *verdicts, f"{refuted}/{len(report['mutants'])}"]
    assert {file.suffix for file in tmp_path.iterdir()} <= {".py", ".json", ""}  # nothing half-written


def test_reports_on_standard_output_are_alone_there(run):
    status, out, err = run("check", QUICK, "--examples", 2, "--json", "-")
    assert status == 0
    assert json.loads(out)[0]["holds"] is True
    assert "The claim holds" in err


@pytest.mark.parametrize("name", ["no/such/folder/x.json", ".", "planted_error.py/x.json"])
def test_reports_that_cannot_be_written_are_refused_before_the_work(run, planted, monkeypatch, name):
    monkeypatch.setattr(check_command, "finished", None)
    status, out, err = run("check", QUICK, "--json", planted.parent / name)
    assert (status, out) == (2, "")
    assert "can be written" in err
    assert len(err.splitlines()) == 1


def test_an_interrupted_check_leaves_the_reports_of_the_last_one(run, tmp_path, monkeypatch):
    path = tmp_path / "reports.json"
    path.write_text("of the last one", encoding="utf-8")

    def interrupted(*_):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(check_command, "finished", interrupted)
    status, _, err = run("check", QUICK, "--json", path)
    assert (status, err) == (130, "gdtheory: interrupted: 0 of 1 claim checked, red: none\n")
    assert path.read_text(encoding="utf-8") == "of the last one"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", [QUICK, "label_shift_eq_weight_shift"])
def test_reports_are_not_written_into_a_file_named_as_a_claim(run, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = run("check", "--json", name)
    assert (status, out) == (2, "") and f"write --json - {name}" in err
    assert not list(tmp_path.iterdir())


def test_a_single_claim_comes_with_what_its_rungs_found(run):
    assert "  rational: lhs = rhs on " in run("check", QUICK, "--examples", 3)[1]
    assert "rational: " not in run("check", QUICK, "GDT-0001", "--examples", 3)[1]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_output_that_cannot_be_written():
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "gdtheory", "show", QUICK], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert found.returncode == 2
    assert found.stderr == "gdtheory: cannot write the output: No space left on device\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_reports_into_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = command("check", QUICK, "--examples", 2, "--json", pipe)
    with pipe.open(encoding="utf-8") as file:
        assert json.load(file)[0]["id"] == QUICK
    assert process.communicate()[1] == ""
    assert pipe.is_fifo()


def test_a_red_claim(run, planted):
    status, out, err = run("check", planted, "--examples", 5, "--seed", 2)
    assert (status, err) == (1, "")
    assert "rational fails: the sides differ on a problem" in out
    assert "mutant 'that is true' is not refuted" in out
    assert f"repeat: gdtheory check {planted} --examples 5 --seed 2" in flat(out)
    assert "1 of 1 claim red: GDT-9001." in out
    ((left, right),) = repeated(out)
    assert left != right


def test_several_processes_find_the_same(tmp_path):
    found = {}
    for jobs in (1, 2):
        process = command(
            "check", QUICK, "GDT-0014", "--examples", 5, "--jobs", jobs, "--json", "-", cwd=tmp_path
        )
        out, _ = process.communicate()
        assert process.returncode == 0
        found[jobs] = re.sub(r'"seconds": [\d.]+', "", out)
    assert found[1] == found[2]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="sends a signal to a group of processes")
def test_control_c(tmp_path):
    process = command("check", "--deep", "--jobs", 2, start_new_session=True, cwd=tmp_path)
    assert process.stdout.readline().startswith("id ")
    time.sleep(0.5)  # workers are being started
    os.killpg(process.pid, signal.SIGINT)
    start = time.perf_counter()
    _, err = process.communicate(timeout=20)
    assert re.fullmatch(r"gdtheory: interrupted: \d+ of \d+ claims checked, red: none\n", err)
    assert process.returncode == 130
    assert time.perf_counter() - start < 5


def test_mutants(run):
    status, out, err = run("mutants", "GDT-0012", "--examples", 3)
    claim = registry.claim("GDT-0012")
    assert (status, err) == (0, "")
    for mutant in claim.mutants:
        assert f"{mutant.name} (mutant, {mutant.kind})" in out
    assert "DegenerateContextError" in out
    assert "5 of 5 wrong versions are refuted; the claim holds." in out
    sides = repeated(out)
    assert len(sides) == len(claim.variants)
    assert all(left != right for left, right in sides)


def test_a_mutant_that_survives(run, planted):
    status, out, _ = run("mutants", planted, "--examples", 3)
    assert status == 1
    assert "not refuted: derived: it holds" in out
    assert "1 of 2 wrong versions are refuted; the claim is red" in out


def test_errata(run):
    status, out, err = run("errata")
    printed = [(claim, erratum) for claim in registry.claims() for erratum in claim.errata]
    assert (status, err) == (0, "")
    assert [
        text
        for claim, erratum in printed
        for text in (erratum.locator, erratum.printed, erratum.why, f"{claim.id}: {claim.title}")
        if flat(text) not in flat(out)
    ] == []
    sides = repeated(out)
    assert len(sides) == len(printed)
    assert all(left != right for left, right in sides)


# ----------------------------------------------------------------------------------- a new claim


def filled(text):
    """Return the skeleton with something true in every place that is to fill in."""
    sides = {
        "construction": "return (p.W_0 * sign if assumed else p.W_0 * 3) @ p.X - p.Y",
        "formula": "return (p.W_0 @ p.X - p.Y) * factor",
    }
    for name, body in sides.items():
        text = re.sub(rf'raise NotImplementedError\("TODO: {name}.*"\)', body, text)
    text = text.replace("TODO: source: key of the bibliography", "vonoswald2023transformers")
    return text.replace("TODO: ", "")


def test_a_new_claim_is_refused_until_it_is_filled_in(run, tmp_path):
    status, out, _ = run("new", "my_claim", "--dir", tmp_path)
    path = tmp_path / "my_claim.py"
    text = path.read_text(encoding="utf-8")
    assert status == 0
    assert str(path) in out and next_id() in out
    assert f'id="{next_id()}"' in text
    assert next_id() not in IDS

    status, out, err = run("check", path)
    assert (status, out) == (2, "")
    for part in ("construction", "formula", "title", "statement", "source", "assumption", "mutant"):
        assert f": {part}: " in err
    for line, _ in placeholders(text):
        assert "TODO" in text.splitlines()[line - 1]

    path.write_text(filled(text), encoding="utf-8")
    status, out, err = run("check", path, "--examples", 5)
    assert (status, err) == (0, ""), out
    assert "The claim holds. 4 rungs green; 2 mutants, 1 violated assumption refuted." in flat(out)


def test_the_skeleton_follows_the_order_of_the_record(run, tmp_path):
    run("new", "my_claim", "--dir", tmp_path)
    body = (tmp_path / "my_claim.py").read_text(encoding="utf-8").partition("CLAIM = Claim(")[2]
    names = re.findall(r"^    (?:# )?(\w+)=", body, re.M)
    fields = list(registry.claim(QUICK).__dataclass_fields__)
    assert sorted(names) == sorted(fields)
    assert names == sorted(names, key=fields.index)


@pytest.mark.parametrize("stem", ["my-claim", "my_claim.txt", "2nd", "", "lambda", "a/b"])
def test_a_stem_that_is_no_identifier(run, tmp_path, stem):
    status, out, err = run("new", stem, "--dir", tmp_path)
    assert (status, out) == (2, "")
    assert "identifier" in err
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_kept(run, planted):
    status, out, err = run("new", planted.stem, "--dir", planted.parent)
    assert (status, out) == (2, "")
    assert "exists" in err
    assert planted.read_text(encoding="utf-8") == PLANTED


def test_a_folder_that_is_not_there(run, tmp_path):
    status, out, err = run("new", "my_claim", "--dir", tmp_path / "none")
    assert (status, out) == (2, "")
    assert "No such file" in err
