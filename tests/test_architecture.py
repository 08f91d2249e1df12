"""The house rules, read from the syntax trees: who imports whom, and what no module may hold."""

from __future__ import annotations

import ast
import configparser
import graphlib
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

import gdtheory

ROOT = Path(__file__).parents[1]

# What each module or folder may import of the package. Those that are not named stand above the
# named ones; for them it is only asked that there is no cycle.
ARROWS = {
    "errors": set(),
    "arguments": {"errors"},
    "bibliography": {"errors"},
    "enclosures": {"errors"},
    "gaussian": {"errors"},
    "text": set(),
    "namespace": {"enclosures", "errors", "gaussian"},
    "functions": {"errors", "matrices", "namespace"},
    "matrices": {"arguments", "enclosures", "errors", "gaussian", "namespace"},
    "inputs": {"arguments", "errors", "matrices", "namespace"},
    "ledger": {"errors", "namespace"},
    "records": {"arguments", "errors", "functions", "inputs", "matrices", "namespace"},
    "problems": {"errors", "functions", "inputs", "namespace", "problems", "records"},
    "exact": {"errors", "namespace", "records"},
    "definition": {"errors", "namespace", "records"},
    "constructions": {"arguments", "errors", "matrices", "namespace", "constructions"},
    "reference": {"arguments", "errors", "matrices", "namespace", "reference"},
    "kernels": {"errors", "arguments", "kernels", "constructions", "namespace"},
    "wishart": {"arguments", "errors", "kernels", "matrices", "namespace", "wishart"},
    "cot": {"arguments", "cot", "errors", "ledger", "matrices", "namespace", "text", "wishart"},
    "catalogue": {
        "constructions",
        "cot",
        "definition",
        "errors",
        "exact",
        "functions",
        "kernels",
        "matrices",
        "namespace",
        "problems",
        "reference",
        "wishart",
    },
}
HEAVY = {"hypothesis", "mpmath", "numba", "scipy", "sympy"}
# It works on the coefficients of a mean loss, which are fractions whatever kind of number a claim is checked
# on, and finds the real roots of their polynomials with SymPy, better kept than any code of ours.
MAY_IMPORT_SYMPY_LATE = "gdtheory.reference.minima"
MAX_LINES = 350
MAX_IMPORT_SECONDS = 0.35
NAMES_THAT_SAY_NOTHING = {"base", "common", "core", "helpers", "utils"}


@dataclass(frozen=True)
class Import:
    """One imported module or name; `late` where it stands inside a function."""

    target: str
    late: bool
    line: int


@dataclass(frozen=True)
class Module:
    """One shipped file."""

    name: str
    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @property
    def imports(self) -> list[Import]:
        return list(_imports(self.tree, late=False))

    @property
    def area(self) -> str:
        """The module's name, or its folder's, below the package."""
        return _area(self.name)

    def internal(self) -> Iterator[tuple[str, Import]]:
        """The modules of the package that this one imports."""
        for found in self.imports:
            if found.target.split(".")[0] == "gdtheory":
                # "from package import name" may name a module or something in the package.
                name = found.target
                yield name if name in MODULES else name.rpartition(".")[0], found


def _area(name: str) -> str:
    return f"{name}.".split(".")[1]


def _imports(node: ast.AST, late: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, late, child.lineno) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert not child.level, f"line {child.lineno}: imports are absolute"
            yield from (Import(f"{child.module}.{alias.name}", late, child.lineno) for alias in child.names)
        else:
            function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
            yield from _imports(child, late or function)


def _shipped() -> dict[str, Module]:
    found = {}
    for folder, package in ((ROOT / "gdtheory", "gdtheory"), (ROOT / "proofs", "gdtheory.proofs")):
        for path in sorted(folder.rglob("*.py")):
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            name = ".".join(part for part in parts if part != "__init__")
            found[name] = Module(name, path)
    return found


MODULES = _shipped()


def modules_of(*areas: str) -> pytest.MarkDecorator:
    """Run a test on every module, or on those in the given areas."""
    chosen = [module for module in MODULES.values() if not areas or module.area in areas]
    return pytest.mark.parametrize("module", chosen, ids=[module.name for module in chosen])


def test_the_reader_of_imports(monkeypatch):
    source = """
        import sympy.core as core, gdtheory.errors
        from gdtheory import definition, check
        if True:
            from gdtheory.definition import Claim
        class A:
            def f(self):
                import gdtheory.records
    """
    module = Module("gdtheory.cli", ROOT)
    monkeypatch.setitem(module.__dict__, "tree", ast.parse(textwrap.dedent(source)))
    assert [(name, found.late) for name, found in module.internal()] == [
        ("gdtheory.errors", False),
        ("gdtheory.definition", False),
        ("gdtheory", False),
        ("gdtheory.definition", False),
        ("gdtheory.records", True),
    ]
    assert module.imports[0] == Import("sympy.core", late=False, line=2)


@modules_of(*ARROWS)
def test_arrows(module):
    allowed = ARROWS[module.area]
    wrong = [f"line {found.line}: {name}" for name, found in module.internal() if _area(name) not in allowed]
    assert not wrong, f"{module.name} may import {sorted(allowed)}"


def test_the_package_has_the_modules_that_the_arrows_name():
    assert set(ARROWS) <= {module.area for module in MODULES.values()}


def test_there_is_no_cycle():
    # The package itself is left out: it hands out every public name, each at first use.
    graph = {
        module.name: {name for name, _ in module.internal() if name != "gdtheory"}
        for module in MODULES.values()
        if module.name != "gdtheory"
    }
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which shows the cycle


# No arrow joins the two folders either: the two sides of a claim share no code.
@modules_of("constructions", "reference")
def test_both_sides_of_a_claim_are_free_of_the_kind_of_number(module):
    late = "sympy" if module.name == MAY_IMPORT_SYMPY_LATE else None
    packages = {(found.target.split(".")[0], found.late) for found in module.imports}
    assert not HEAVY & {package for package, _ in packages - {(late, True)}}


@modules_of("kernels")
def test_kernels_know_only_the_weights_of_the_constructions(module):
    known = {found.target for name, found in module.internal() if _area(name) == "constructions"}
    assert all(target.endswith(".LSAWeights") for target in known)


# Reading the catalogue must not load the compiler.
@modules_of("catalogue", "kernels")
def test_compiled_code_is_loaded_late(module):
    compiled = {f"gdtheory.kernels.{name}" for name in ("compiling", "lsa", "wishart")}
    early = [name for name, found in module.internal() if name in compiled and not found.late]
    assert not early or module.name in compiled


@modules_of()
def test_no_assert_and_no_print(module):
    found = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assert)  # python -O drops it
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
            and module.name != "gdtheory.cli"
        )
    ]
    assert not found


@modules_of()
def test_length(module):
    lines = len(module.path.read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_LINES


@modules_of()
def test_name(module):
    assert not NAMES_THAT_SAY_NOTHING & {part.strip("_") for part in module.name.split(".")}


def test_import_is_light():
    measure = (
        "import sys, time; start = time.perf_counter(); import gdtheory; "
        "print(time.perf_counter() - start, *sys.modules)"
    )
    # The package that this run tests, which in a checkout need not be the one that is installed.
    environment = os.environ | {"PYTHONPATH": str(Path(gdtheory.__file__).parents[1])}
    seconds = []
    for _ in range(5):
        run = [sys.executable, "-c", measure]
        output = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
        took, *modules = output.stdout.split()
        assert not HEAVY & set(modules)
        seconds.append(float(took))
    assert min(seconds) < MAX_IMPORT_SECONDS


# ------------------------------------------------------------------- what setup.cfg says twice


def _options() -> configparser.ConfigParser:
    options = configparser.ConfigParser()
    options.read(ROOT / "setup.cfg", encoding="utf-8")
    return options


def test_every_package_is_installed():
    folders = {
        ".".join((package, *path.parent.relative_to(ROOT / folder).parts))
        for folder, package in (("gdtheory", "gdtheory"), ("proofs", "gdtheory.proofs"))
        for path in (ROOT / folder).rglob("__init__.py")
    }
    assert set(_options()["options"]["packages"].split()) == folders


def test_every_dependency_is_declared():
    required = _options()["options"]["install_requires"].split("\n")
    declared = {re.match(r"[\w-]*", line)[0] for line in required}
    for module in MODULES.values():
        needed = {found.target.split(".")[0] for found in module.imports if not found.late}
        assert needed - sys.stdlib_module_names - {"gdtheory"} <= declared, module.name


def test_the_citation_file_has_the_version():
    version = _options()["metadata"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
