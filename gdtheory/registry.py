"""Finds the claims: one module each in `gdtheory.catalogue`, or a file of your own."""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import pkgutil
import sys
import traceback
from collections.abc import Callable, Container, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import gdtheory.catalogue
from gdtheory import bibliography
from gdtheory.definition import Claim
from gdtheory.errors import ClaimDefinitionError, GDTheoryError, UnknownClaimError, shown
from gdtheory.knowls import KNOWLS


def claims() -> tuple[Claim, ...]:
    """Return all claims of gdtheory, ordered by id."""
    return tuple(claim for claim, _ in _registered().values())


def claim(name: str | Path) -> Claim:
    """Return the claim of an id, a file stem, or a path to a claim file of your own.

    Raises
    ------
    UnknownClaimError
        If there is none.
    ClaimDefinitionError
        If the file at the path is not a well-formed claim.

    Examples
    --------
    >>> claim("GDT-0001") is claim("lsa_update_eq_gd_step")
    True
    """
    if str(name).endswith(".py"):
        path = Path(name).resolve()
        if path.parent not in map(Path, gdtheory.catalogue.__path__):
            return _load(path)
        name = path.stem
    for id, (found, module) in _registered().items():
        if str(name).upper() == id or name == stem_of(module):
            return found
    close = _similar(str(name))
    ids = list(_registered())
    like = f"{' or '.join(close)}" if close else f"{ids[0]} to {ids[-1]}, a file stem or a path ending in .py"
    raise UnknownClaimError("claim", expected=f"{like} (see gdtheory list)", got=shown(name))


def _similar(name: str) -> list[str]:
    """Return the ids or the stems that come close to a name; GDT-0012 is close to gdt-12 and 12."""
    number = name.strip().upper().removeprefix("GDT-")
    if number.isdecimal():
        id = f"GDT-{int(number):04}"
        return [id] if id in _registered() else []
    return difflib.get_close_matches(name, [stem_of(module) for _, module in _registered().values()])


def cite(of: Claim | str) -> str:
    """Return the BibTeX entries of a claim's source and of this package.

    Examples
    --------
    >>> print(cite("GDT-0001").splitlines()[0])
    @inproceedings{vonoswald2023transformers,
    """
    return bibliography.cite((claim(of) if isinstance(of, str) else of).source.key)


def module_of(claim: Claim) -> ModuleType | None:
    """Return the module that holds a claim, or None for a claim that is in no file."""
    found = _registered().get(claim.id)
    if found is not None and found[0] is claim:
        return found[1]
    return next((module for held, module in _loaded.values() if held is claim), None)


def name_of(claim: Claim) -> str:
    """Return the text by which `claim` finds a claim again: its id or its file; "" if it is in none."""
    found = module_of(claim)
    if found is None:
        return ""
    return claim.id if found.__name__.startswith("gdtheory.catalogue.") else str(found.__file__)


def stem_of(module: ModuleType) -> str:
    """Return the file stem of a claim's module."""
    return module.__name__.rpartition(".")[2]


def proof_of(claim: Claim) -> ModuleSpec | None:
    """Return where the file of a claim's derivation is, if it has one in `gdtheory.proofs`."""
    if name_of(claim) != claim.id:
        return None
    return importlib.util.find_spec(f"gdtheory.proofs.{stem_of(cast(ModuleType, module_of(claim)))}")


def derivation(claim: Claim) -> Callable[[Any, Any, Any], Iterable[tuple[str, Any, Any]]]:
    """Return the size-free derivation of a claim: a function of its problem and its two sides.

    It is ``equations`` of ``gdtheory.proofs.<stem>``, or of the claim's own file; without one, the
    single equation lhs = rhs.
    """
    proof = proof_of(claim)
    held = module_of(claim) if proof is None else importlib.import_module(proof.name)
    return getattr(held, "equations", _single_equation)


def _single_equation(p: Any, lhs: Any, rhs: Any) -> Iterable[tuple[str, Any, Any]]:
    yield "lhs = rhs", lhs(p), rhs(p)


def validate(found: Mapping[str, Claim]) -> None:
    """Refuse claims that do not fit together; `found` maps file stems to claims.

    Raises
    ------
    ClaimDefinitionError
        For a duplicate id, an unknown bibliography key, knowl or used claim, or a cycle of uses.
    """
    by_id: dict[str, str] = {}
    for name, claim in found.items():
        if claim.id in by_id:
            raise ClaimDefinitionError(claim.id, f"both {by_id[claim.id]} and {name} have this id")
        by_id[claim.id] = name
    for claim in found.values():
        _require_known(claim, by_id)
    try:
        TopologicalSorter({claim.id: claim.uses for claim in found.values()}).prepare()
    except CycleError as error:
        cycle = " → ".join(error.args[1])
        raise ClaimDefinitionError(error.args[1][0], f"uses itself: {cycle}") from None


def _require_known(claim: Claim, ids: Container[str]) -> None:
    if claim.source.key not in bibliography.entries():
        raise ClaimDefinitionError(claim.id, f"{claim.source.key!r} is no key of the bibliography")
    for number in claim.source.knowls:
        if number not in KNOWLS.get(claim.source.key, {}):
            raise ClaimDefinitionError(claim.id, f"{claim.source.key} has no knowl {number}")
    for used in claim.uses:
        if used not in ids:
            raise ClaimDefinitionError(claim.id, f"uses {used}, which is no claim")


@functools.cache
def _registered() -> dict[str, tuple[Claim, ModuleType]]:
    """Return every claim of the package and its module, by id."""
    names = [info.name for info in pkgutil.iter_modules(gdtheory.catalogue.__path__)]
    modules = {name: importlib.import_module(f"gdtheory.catalogue.{name}") for name in names}
    validate({name: _claim_of(module) for name, module in modules.items()})
    ordered = sorted(modules.values(), key=lambda module: module.CLAIM.id)
    return {module.CLAIM.id: (module.CLAIM, module) for module in ordered}


_loaded: dict[tuple[Path, int], tuple[Claim, ModuleType]] = {}
"""Claim files of the user's own, by resolved path and time of the last change."""


def _load(path: Path) -> Claim:
    if not path.is_file():
        raise UnknownClaimError("claim", expected="an existing claim file", got=str(path))
    version = path, path.stat().st_mtime_ns
    if version not in _loaded:
        module = _run(path)
        found = _claim_of(module)
        if found.id in _registered():
            raise ClaimDefinitionError(found.id, f"{path} takes the id of a claim of the catalogue")
        _require_known(found, _registered())
        _loaded[version] = found, module
    return _loaded[version][0]


def _run(path: Path) -> ModuleType:
    """Run a claim file; whatever goes wrong in it is told by its place in the file."""
    spec = importlib.util.spec_from_file_location(f"gdtheory.own.{path.stem}", path)
    module = importlib.util.module_from_spec(cast(ModuleSpec, spec))
    sys.modules[module.__name__] = module  # where its dataclasses look up their types
    try:
        cast(Loader, module.__loader__).exec_module(module)
    except GDTheoryError:
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(path)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        where = "" if line is None else f"line {line}: "
        raise ClaimDefinitionError(path.stem, f"{where}{type(error).__name__}: {error}") from error
    return module


def _claim_of(module: ModuleType) -> Claim:
    found = getattr(module, "CLAIM", None)
    if not isinstance(found, Claim):
        raise ClaimDefinitionError(stem_of(module), "the file must define CLAIM = Claim(...)")
    return found
