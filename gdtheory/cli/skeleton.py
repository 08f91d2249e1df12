"""The command ``new``: the skeleton of a claim file, and what is still to fill in."""

from __future__ import annotations

import ast
import keyword
import shlex
from pathlib import Path

from gdtheory import registry
from gdtheory.cli.terminal import Screen
from gdtheory.errors import ArgumentError, shown

_MARK = "TODO: "


def new(screen: Screen, stem: str, folder: str = ".") -> int:
    """Write the skeleton of a claim file.

    Raises
    ------
    ArgumentError
        If the stem is no Python identifier, or the file cannot be written or exists.
    """
    stem = stem.removesuffix(".py")
    if not stem.isidentifier() or keyword.iskeyword(stem):
        expected = "a Python identifier without .py, such as momentum_eq_two_step_gd"
        raise ArgumentError("stem", expected=expected, got=shown(stem))
    path = Path(folder) / f"{stem}.py"
    id = next_id()
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(SKELETON.replace("GDT-0000", id))
    except FileExistsError:
        raise ArgumentError("stem", expected="the name of a new file", got=f"{path}, which exists") from None
    except OSError as error:
        got = f"{folder!r} ({error.strerror})"
        raise ArgumentError("--dir", expected="a folder that can be written to", got=got) from None
    command = f"gdtheory check {shlex.quote(str(path))}"
    screen.say(f"Wrote {path}, claim {id}. Fill in what says TODO; this lists it:\n  {command}")
    return 0


def next_id() -> str:
    """Return the first id after those of the catalogue."""
    last = max((claim.id for claim in registry.claims()), default="GDT-0000")
    return f"GDT-{int(last.removeprefix('GDT-')) + 1:04}"


def placeholders(source: str) -> list[tuple[int, str]]:
    """Return the line and the text of every part of a claim file that is still to fill in.

    Examples
    --------
    >>> placeholders('title = "TODO: one sentence"')
    [(1, 'one sentence')]
    """
    texts = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    found = [(t.lineno, t.value) for t in texts if isinstance(t.value, str) and _MARK in t.value]
    return sorted((line, text.partition(_MARK)[2].strip()) for line, text in found)


SKELETON = r'''"""TODO: the title, as a sentence."""

from __future__ import annotations

from functools import partial

from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array
from gdtheory.problems import Regression

# Each side is written once and runs on symbols, fractions and floats. So use @ + - * .T, write
# scalars on the right (A * p.eta), and take blocks, identities and norms from
# gdtheory.namespace.namespace(p.X). Layers and their weights are in gdtheory.constructions, formulas
# in gdtheory.reference; the two sides share no code. What a wrong version changes is a parameter.


def construction(p: Regression, assumed: bool = True, sign: int = 1) -> Array:
    """Return the left-hand side."""
    raise NotImplementedError("TODO: construction: return it from p.W_0, p.X, p.Y, p.x_query, p.eta, p.N")


def formula(p: Regression, factor: int = 1) -> Array:
    """Return the right-hand side."""
    raise NotImplementedError("TODO: formula: return what the construction is said to equal")


CLAIM = Claim(
    # Permanent, and says nothing. This was the next free one.
    id="GDT-0000",
    # Rises when the statement changes.
    revision=1,
    # One sentence, without a full stop.
    title="TODO: title: what equals what, in one sentence",
    # Every symbol is defined here or in a claim that is named.
    statement=r"""TODO: statement: in LaTeX, with sizes and conditions, complete in itself""",
    # A key of gdtheory/bibliography.bib, where a new source is added first.
    source=Source(
        key="TODO: source: key of the bibliography",
        locator="TODO: source: the place in it, such as Theorem 1, eq. (3)",
    ),
    # All that is needed. Each has a violation, which is refuted like a mutant: a Variant with other
    # sides, or a Refusal with a problem that the left-hand side refuses and the error it raises. If
    # the claim also holds without it, write sufficient="why" in place of the violation. None: ().
    assumptions=(
        Assumption(
            name="TODO: assumption: its name",
            statement="TODO: assumption: what is assumed",
            violation=Variant(
                name="TODO: assumption: what is otherwise where it fails",
                lhs=partial(construction, assumed=False),
            ),
        ),
    ),
    # The record that both sides take, from gdtheory.problems or declared above in the same way.
    problem=Regression,
    # The smallest instance that is not trivial: the sides are not zero on it.
    example=Regression.smallest,
    lhs=construction,
    rhs=formula,
    # What a careful author could get wrong: two or more, of different kinds.
    mutants=(
        Mutant(
            name="TODO: mutant: what has the other sign",
            kind=MutantKind.SIGN,
            lhs=partial(construction, sign=-1),
        ),
        Mutant(
            name="TODO: mutant: what has another factor",
            kind=MutantKind.FACTOR,
            rhs=partial(formula, factor=2),
        ),
    ),
    # The rest is optional:
    # relation=Relation.AT_MOST,  # lhs ≤ rhs, entry by entry; the default is EQUAL
    # kernel=Kernel(run=..., form=...),  # the compiled twin of lhs, and the expression it evaluates
    # errata=(Erratum(name="...", locator="...", printed="...", why="...", rhs=...),),  # misprints
    # uses=("GDT-0001",),  # the claims that this one rests on
    # waived={"derived": "..."},  # rungs that do not apply, each with the reason
    # sampled=True,  # one side is estimated from samples
    # ours=True,  # the statement is ours and not printed in the source
)
'''
