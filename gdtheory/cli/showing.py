"""The command ``show``: all that a claim says, and where its code is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from gdtheory import registry
from gdtheory.cli.listing import source_of
from gdtheory.cli.selection import choose_one
from gdtheory.cli.terminal import Screen
from gdtheory.definition import Assumption, Claim, Iteration, Refusal
from gdtheory.inputs import Count, Function, Input, Matrix, Number, Table
from gdtheory.knowls import KNOWLS
from gdtheory.records import axes, inputs

_MARGIN = 13
_ALIGNED = {"Inputs", "Code"}
"""Sections whose lines are columns, and are not broken."""


def show(screen: Screen, name: str) -> int:
    """Print a claim."""
    claim = choose_one(name)
    screen.say(screen.paint(screen.fill(f"{claim.id}  {claim.title}", "", " " * 10), "bold"))
    for label, paragraphs in _sections(claim):
        if paragraphs:
            screen.say()
        for k, text in enumerate(paragraphs):
            margin = (label if k == 0 else "").ljust(_MARGIN)
            indent = " " * (len(text) - len(text.lstrip()))
            under = " " * _MARGIN + indent + ("" if label == "Statement" else "  ")
            body = margin + text if label in _ALIGNED else screen.fill(text.lstrip(), margin + indent, under)
            screen.say(screen.paint(margin, "bold") + body.removeprefix(margin))
    return 0


def _sections(claim: Claim) -> Iterator[tuple[str, list[str]]]:
    yield "Source", [source_of(claim), *_origin(claim)]
    yield "Statement", [claim.statement]
    yield "Relation", [f"lhs {claim.relation.value} rhs, entry by entry"]
    yield "Assumptions", [line for a in claim.assumptions for line in _assumption(a)]
    yield "Inputs", list(_inputs(claim))
    yield "Code", list(_code(claim))
    yield "Mutants", [f"{mutant.name} ({mutant.kind})" for mutant in claim.mutants]
    yield "Misprints", [line for e in claim.errata for line in (f"{e.locator}: {e.printed}", f"  {e.why}")]
    yield "Uses", _named(claim.uses)
    yield "Used by", _named(other.id for other in registry.claims() if claim.id in other.uses)
    yield "Waived", [f"{rung}: {reason}" for rung, reason in claim.inapplicable.items()]


def _origin(claim: Claim) -> Iterator[str]:
    yield "derived here; the source is what it sharpens" if claim.ours else "printed in the source"
    for number in claim.source.knowls:
        yield f"Statement {number}: {KNOWLS[claim.source.key][number].title}"
    yield f"revision {claim.revision}"


def _assumption(assumption: Assumption) -> Iterator[str]:
    yield f"{assumption.name}: {assumption.statement}"
    match assumption.violation:
        case None:
            yield f"  sufficient, not necessary: {assumption.sufficient}"
        case Refusal(error=error):
            yield f"  needed: without it the left-hand side raises {error.__name__}"
        case violation:
            yield f"  needed: refuted when {violation.name}"


def _inputs(claim: Claim) -> Iterator[str]:
    home = claim.problem.__module__
    public = "gd.problems" if home.startswith("gdtheory.problems.") else home
    yield f"{public}.{claim.problem.__name__}"
    declared = inputs(claim.problem)
    width = max(map(len, declared))
    for name, kind in declared.items():
        yield f"  {name.ljust(width)}  {_shape(kind)}"
    sizes = ", ".join(f"{name} ≥ {axis.minimum}" for name, axis in axes(claim.problem).items())
    if sizes:
        yield f"for all {sizes}"


def _shape(kind: Input) -> str:
    match kind:
        case Matrix(axes=(rows, columns), nonzero=nonzero):
            return f"({rows}, {columns}){', not zero' if nonzero else ''}"
        case Number(nonzero=nonzero):
            return f"number{', not zero' if nonzero else ''}"
        case Count(minimum=minimum):
            return f"whole number ≥ {minimum}"
        case Table(entry=entry, keys=keys, count=count):
            return f"{_shape(entry)} for each of the {keys.__name__} of {count} tokens"
        case Function(family=family):
            return f"any function of a column; tried: {', '.join(f.__name__ for f in family)}"


def _named(ids: Iterable[str]) -> list[str]:
    return [f"{id} {registry.claim(id).title}" for id in ids]


# --------------------------------------------------------------------------- where the code is


def _code(claim: Claim) -> Iterator[str]:
    sides = {"lhs": claim.lhs, "rhs": claim.rhs}
    if claim.kernel is not None:
        sides |= {"kernel": claim.kernel.run, "kernel's form": claim.kernel.form}
    found = [place for label, side in sides.items() for place in places(label, side)]
    if "derived" not in claim.inapplicable:
        found.append(("derivation", _derivation(claim)))
    width = max(len(label) for label, _ in found)
    yield from (f"{label.ljust(width)}  {place}" for label, place in found)


def places(label: str, side: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Return where the functions that make a side are written, as ``path:line name``."""
    if isinstance(side, Iteration):
        for part in ("start", "step", "read", "count"):
            yield from places(f"{label}, {part}", getattr(side, part))
        return
    function = side
    options: dict[str, Any] = {}
    while isinstance(function, partial):
        options = function.keywords | options
        function = function.func
    given = ", ".join(f"{name}={getattr(value, '__name__', value)}" for name, value in options.items())
    code = getattr(function, "__code__", None)
    where = f"{_shown(code.co_filename)}:{code.co_firstlineno}" if code else function.__module__
    name = getattr(function, "__name__", type(function).__name__)
    yield label, f"{where} {name}{f'({given})' if given else ''}"


def _derivation(claim: Claim) -> str:
    proof, module = registry.proof_of(claim), registry.module_of(claim)
    if proof is not None:
        return _shown(str(proof.origin))
    own = hasattr(module, "equations")
    return (
        _shown(str(module.__file__))
        if module and own
        else "lhs = rhs, both reduced to one normal form at symbolic sizes"
    )


def _shown(path: str) -> str:
    """Return a path from the current folder, if it is below."""
    relative = os.path.relpath(path)
    return path if Path(relative).parts[0] == os.pardir else relative
