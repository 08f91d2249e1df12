"""The claim record. Evidence is computed from it and never stored in it."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Generic, TypeVar

from gdtheory.errors import ClaimDefinitionError, GDTheoryError, UnknownClaimError, shown
from gdtheory.namespace import Array
from gdtheory.records import Problem

P = TypeVar("P", bound=Problem)
S = TypeVar("S")
Side = Callable[[Any], Array]
"""One side of a claim: a function of its problem, over any kind of number."""

RUNGS = ("derived", "generic", "rational", "float", "kernel", "sampled")
"""The kinds of evidence, the most general first."""


EXPONENTIALS = {
    "derived": "exponentials of free entries have no normal form",
    "generic": "an exponential is no rational function",
    "float": "no library states an error bound for its exponential",
}
"""What claims about softmax waive, and why."""

ALTERNATING_TOKENS = {
    "derived": "the order of alternating tokens, and one-hot codes, are no products of free matrices",
}
"""What claims about inputs and targets that are tokens of their own waive, and why."""

INEQUALITY = dict.fromkeys(("derived", "generic", "float"), "an inequality is checked in exact arithmetic")
"""What does not apply to inequalities."""

SAMPLED = dict.fromkeys(("derived", "generic", "rational", "float"), "one side is estimated from samples")
"""What does not apply to estimates."""


class Relation(Enum):
    """How the left-hand side stands to the right-hand side, entry by entry.

    An inequality is checked over fractions only, or on samples, on the problems that its record covers.
    """

    EQUAL = "="
    AT_MOST = "≤"
    LESS = "<"

    def holds(self, lhs: Any, rhs: Any) -> bool:
        """Whether one pair of exact numbers is so related."""
        return bool(_COMPARE[self](lhs, rhs))


_COMPARE = {
    Relation.EQUAL: lambda a, b: a - b == 0,  # SymPy says that its constant 1/2 is not Fraction(1, 2)
    Relation.AT_MOST: operator.le,
    Relation.LESS: operator.lt,
}


class MutantKind(StrEnum):
    """What a careful author could get wrong."""

    SIGN = "flipped sign"
    FACTOR = "wrong factor"
    DROPPED = "dropped term"
    INDEX = "shifted index"
    ORDER = "wrong order"
    TRANSPOSED = "transposed"
    STALE = "stale state"
    WRONG_INPUT = "wrong input"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A wrong version of a claim: the sides that it replaces."""

    name: str
    lhs: Side | None = None
    rhs: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant(Variant):
    """A variant made to show that the claim's checks can fail."""

    kind: MutantKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum(Variant):
    """A misprint: the formula as printed, executable, and why it is false."""

    locator: str
    printed: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A problem that violates an assumption, and the error by which the left-hand side refuses it."""

    problem: Callable[[], Problem]
    error: type[GDTheoryError]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """What the claim assumes, with the violation that shows the need, or why none can.

    Attributes
    ----------
    violation : Variant or Refusal or None
        Refutes the claim, or is refused by name, where the assumption fails.
    sufficient : str
        Without a violation: why the assumption suffices but is not necessary.
    """

    name: str
    statement: str
    violation: Variant | Refusal | None = None
    sufficient: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the claim is stated: a key of the bibliography and a place in that work.

    `knowls` are the numbers of the statements in `gdtheory.knowls` that the claim holds, whole or in part.
    """

    key: str
    locator: str
    knowls: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The fast twin of the left-hand side.

    Attributes
    ----------
    run : callable
        Calls the compiled kernel on a problem in floats.
    form : callable
        The expression that the kernel evaluates, over any kind of number: exactly equal to the
        left-hand side, and on the error ledger the certified bound of the kernel's result.
    """

    run: Side
    form: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Iteration(Generic[P, S]):
    """A side that repeats a step: a start, K times a step, a reading of the last state.

    The parts are apart so that a derivation by induction can take each of them size-free.
    """

    start: Callable[[P], S]
    step: Callable[[P, S, Any], S]
    read: Callable[[P, S], Array]
    count: Callable[[P], int]

    def __call__(self, p: P) -> Array:
        state = self.start(p)
        for k in range(self.count(p)):
            state = self.step(p, state, k)
        return self.read(p, state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One published statement, executable.

    Attributes
    ----------
    id : str
        ``GDT-`` and four digits: permanent, says nothing.
    revision : int
        Rises when the statement changes.
    title : str
        One sentence.
    statement : str
        The statement in LaTeX, self-contained.
    source : Source
        Where it is printed; for our own statements, what they sharpen.
    assumptions : tuple of Assumption
        What is needed, each with its violation.
    problem : type
        The record that both sides take.
    example : callable
        Returns the smallest non-trivial instance over fractions: the claim is not vacuous.
    lhs, rhs : callable
        The construction, and what it is said to equal.
    mutants : tuple of Mutant
        At least two, of different kinds; each must be refuted.
    relation : Relation
        How lhs stands to rhs.
    kernel : Kernel, optional
        The fast twin of lhs.
    errata : tuple of Erratum
        Misprints of the source; each must be refuted.
    uses : tuple of str
        Ids of the claims that this one rests on.
    waived : mapping of str to str
        Rungs that do not apply, each with the reason.
    sampled : bool
        Whether one side is estimated from samples: a confidence limit, wrong with a stated probability.
    ours : bool
        Whether the statement is not printed in the source but follows from it.
    """

    id: str
    revision: int
    title: str
    statement: str
    source: Source
    assumptions: tuple[Assumption, ...] = ()
    problem: type[Problem]
    example: Callable[[], Problem]
    lhs: Side
    rhs: Side
    mutants: tuple[Mutant, ...]
    relation: Relation = Relation.EQUAL
    kernel: Kernel | None = None
    errata: tuple[Erratum, ...] = ()
    uses: tuple[str, ...] = ()
    waived: Mapping[str, str] = field(default_factory=dict)
    sampled: bool = False
    ours: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.id, str) and re.fullmatch("GDT-[0-9]{4}", self.id)):
            self._refuse('the id must be "GDT-" and four digits')
        if self.revision < 1:
            self._refuse(f"the revision must be 1 or more, not {self.revision}")
        if isinstance(self.uses, str):
            self._refuse(f"uses must be a tuple of ids, not the string {self.uses!r}")
        for text in ("title", "statement"):
            if not getattr(self, text).strip():
                self._refuse(f"the {text} is empty")
        if len({mutant.kind for mutant in self.mutants}) < 2:
            kinds = ", ".join(repr(str(mutant.kind)) for mutant in self.mutants) or "none"
            self._refuse(f"give two or more mutants of different kinds, not {kinds}")
        variants = self.variants
        if len({variant.name for variant in variants}) < len(variants):
            self._refuse("two mutants, violations or errata have the same name")
        for variant in variants:
            if variant.lhs is None and variant.rhs is None:
                self._refuse(f"{variant.name!r} replaces neither side")
        for assumption in self.assumptions:
            if (assumption.violation is None) is not bool(assumption.sufficient.strip()):
                self._refuse(f"assumption {assumption.name!r}: give a violation or say why it suffices")
        if "generic" in self.waived and "derived" not in self.waived:
            self._refuse("waives generic but not derived, which counts only together with generic")
        for rung, reason in self.waived.items():
            if rung not in RUNGS:
                self._refuse(f"waives {rung!r}, which is no rung; the rungs are {', '.join(RUNGS)}")
            if not reason.strip():
                self._refuse(f"waives {rung!r} without a reason")

    def _refuse(self, reason: str) -> None:
        raise ClaimDefinitionError(self.id, reason)

    @property
    def inapplicable(self) -> Mapping[str, str]:
        """The rungs that do not apply, each with the reason."""
        kernel = {} if self.kernel else {"kernel": "no kernel twin"}
        inequality = {} if self.relation is Relation.EQUAL else INEQUALITY
        samples = SAMPLED if self.sampled else {"sampled": "nothing is estimated from samples"}
        return {**kernel, **inequality, **samples, **self.waived}

    @property
    def violations(self) -> tuple[Variant, ...]:
        """The violated assumptions that are wrong versions of the claim."""
        found = (assumption.violation for assumption in self.assumptions)
        return tuple(violation for violation in found if isinstance(violation, Variant))

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Every wrong version of the claim: mutants, violated assumptions, misprints."""
        return (*self.mutants, *self.violations, *self.errata)

    @property
    def refusals(self) -> tuple[type[GDTheoryError], ...]:
        """The errors by which the sides refuse problems outside the assumptions."""
        found = (assumption.violation for assumption in self.assumptions)
        return tuple(violation.error for violation in found if isinstance(violation, Refusal))

    def sides(self, variant: str | None = None) -> tuple[Side, Side]:
        """Return both sides, of the claim or of the wrong version of that name."""
        if variant is None:
            return self.lhs, self.rhs
        found = next((v for v in self.variants if v.name == variant), None)
        if found is None:
            names = ", ".join(repr(v.name) for v in self.variants)
            raise UnknownClaimError("variant", expected=f"one of {names}", got=shown(variant))
        return found.lhs or self.lhs, found.rhs or self.rhs
