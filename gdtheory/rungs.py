"""The rungs of evidence: each finds whether two sides agree over one kind of number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from gdtheory import exact, registry
from gdtheory.definition import Claim, Relation, Side
from gdtheory.errors import NonFiniteError, ShapeError
from gdtheory.evidence import Evidence, Verdict, Witness
from gdtheory.ledger import exactly
from gdtheory.matrices import exact_number
from gdtheory.namespace import Array
from gdtheory.records import Problem, minimums

DEARER = 20
"""A problem of the rung `sampled` takes about as long as this many of the others."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to try, and where the draws start."""

    max_examples: int
    seed: int


@dataclass(frozen=True, slots=True)
class Case:
    """What a rung looks at: a claim, or the named wrong version of it."""

    claim: Claim
    variant: str | None
    effort: Effort
    witness: Problem | None = None
    """A problem that refutes the wrong version, once there is one."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides."""
        return self.claim.sides(self.variant)


def derived(case: Case) -> Evidence:
    """Bring both sides to a normal form at symbolic sizes."""
    from gdtheory.proofs import blocks

    p = blocks.size_free(case.claim.problem)
    count = 0
    for name, left, right in registry.derivation(case.claim)(p, *case.sides):
        if not blocks.equal(left, right):
            return Evidence("derived", Verdict.FAILS, f"{name}: {left} ≠ {right}")
        count += 1
    return Evidence("derived", Verdict.HOLDS, f"{count} size-free equation(s) reduce to zero")


def generic(case: Case) -> Evidence:
    """Compare both sides over independent indeterminates, at fixed sizes."""
    least = minimums(case.claim.problem)
    sizes = {name: max(2, low) for name, low in least.items()}
    p = exact.over_indeterminates(case.claim.problem, sizes)
    lhs, rhs = (side(p) for side in case.sides)
    at = " at " + ", ".join(f"{name}={size}" for name, size in sizes.items()) if sizes else ""
    if related(Relation.EQUAL, lhs, rhs):
        return Evidence("generic", Verdict.HOLDS, f"the same rational functions{at}")
    return Evidence("generic", Verdict.FAILS, f"different rational functions{at}")


def rational(case: Case) -> Evidence:
    """Compare both sides over fractions: on fixed problems of chosen sizes, then on drawn ones."""
    return _on_problems("rational", case)


def sampled(case: Case) -> Evidence:
    """Compare an estimate from samples, with its confidence limit, on the same problems; fewer are drawn."""
    fewer = replace(case.effort, max_examples=-(-case.effort.max_examples // DEARER))
    return _on_problems("sampled", replace(case, effort=fewer))


def _on_problems(rung: str, case: Case) -> Evidence:
    from gdtheory import strategies

    claim, relation = case.claim, case.claim.relation

    def holds(p: Problem) -> bool:
        lhs, rhs = (side(p) for side in case.sides)
        return related(relation, lhs, rhs)

    fixed = (*claim.problem.fixed(), claim.example())
    refused = 0
    for p in fixed:
        try:
            if not holds(p):
                return _refuted(rung, case, p)
        except claim.refusals:
            refused += 1
    if refused:  # else a side that refuses too much would pass
        detail = f"the sides refuse {refused} of {len(fixed)} problems: the fixed ones, and the example"
        return Evidence(rung, Verdict.UNDECIDED, detail)
    if case.variant is None and not _is_telling(claim):
        return Evidence(rung, Verdict.UNDECIDED, "vacuous: the example gives zero on both sides")
    drawn = strategies.problems(claim.problem, strategies.fractions())
    falsifying, tried = strategies.falsify(drawn, holds, claim.refusals, case.effort)
    if falsifying is not None:
        return _refuted(rung, case, falsifying)
    detail = f"lhs {relation.value} rhs on {len(fixed)} fixed and {tried} drawn problems"
    return Evidence(rung, Verdict.HOLDS, detail)


def floating(case: Case) -> Evidence:
    """Hold both sides in float64 and float32 against exact values, inside their certified bounds.

    The left-hand side in floats is held against the exact right-hand side, and the other way round.
    """
    lhs, rhs = case.sides

    def usage(p: Problem) -> float | None:
        ledgers, fractions = p.convert(exactly), p.convert(exact.to_fractions)
        left, right = lhs(ledgers), rhs(ledgers)
        used = [
            bound_used(left.value, left.bound, rhs(fractions)),
            bound_used(right.value, right.bound, lhs(fractions)),
        ]
        return max((u for u in used if u is not None), default=None)

    return _within_bounds("float", case, usage)


def kernel(case: Case) -> Evidence:
    """Hold the compiled kernel against exact values, inside the certified bound of its form."""
    twin, lhs = case.claim.kernel, case.claim.lhs
    if twin is None:
        return Evidence("kernel", Verdict.NOT_APPLICABLE, case.claim.inapplicable["kernel"])
    if case.variant is not None:
        return Evidence("kernel", Verdict.NOT_APPLICABLE, "kernels are not made of wrong versions")

    def usage(p: Problem) -> float | None:
        fractions = p.convert(exact.to_fractions)
        expected = lhs(fractions)
        if not related(Relation.EQUAL, twin.form(fractions), expected):
            return np.inf
        bound = twin.form(p.convert(exactly)).bound
        try:
            return bound_used(twin.run(p), bound, expected)
        except NonFiniteError:
            return np.inf if np.isfinite(bound).all() else None

    return _within_bounds("kernel", case, usage)


RUNG_FUNCTIONS: dict[str, Callable[[Case], Evidence]] = {
    "derived": derived,
    "generic": generic,
    "rational": rational,
    "float": floating,
    "kernel": kernel,
    "sampled": sampled,
}


# ------------------------------------------------------------------------------------ comparisons


def related(relation: Relation, lhs: Any, rhs: Any) -> bool:
    """Whether two sides of exact numbers have one shape and are related entry by entry.

    Raises
    ------
    DTypeError
        If something else has got among them, as a float by dividing integers.
    ShapeError
        If there are no entries, which would make any statement true.
    """
    left, right = _exact_side("lhs", lhs), _exact_side("rhs", rhs)
    pairs = zip(left.flat, right.flat, strict=True) if left.shape == right.shape else None
    return pairs is not None and all(relation.holds(a, b) for a, b in pairs)


def _exact_side(name: str, side: Any) -> Array:
    array = np.asarray(side, dtype=object)
    if not array.size:
        raise ShapeError(name, expected="at least one entry", got=f"shape {array.shape}")
    for entry in array.flat:
        exact_number(name, entry)
    return array


def bound_used(value: Any, bound: Any, expected: Any) -> float | None:
    """Return the largest error as a share of its bound: above 1 is a violation.

    Entries without a finite bound guarantee nothing and are passed over; None if there is no other.
    """
    value, bound, expected = np.asarray(value), np.asarray(bound), np.asarray(expected, dtype=object)
    if value.shape != expected.shape:
        return np.inf
    bounded = np.isfinite(bound).flat
    entries = zip(value.flat, bound.flat, expected.flat, bounded, strict=True)
    shares = [_share(v, b, x) for v, b, x, finite in entries if finite]
    return max(shares, default=None)


def _share(value: float, bound: Any, expected: Fraction) -> float:
    if not np.isfinite(value):
        return np.inf
    error, bound = abs(Fraction(float(value)) - expected), Fraction(float(bound))
    if error <= bound:
        return float(error / bound) if error else 0.0
    share = min(error / bound, Fraction(10**300)) if bound else np.inf
    return max(float(share), np.nextafter(1.0, 2.0))  # the share itself may round to 1


def _within_bounds(rung: str, case: Case, usage: Callable[[Problem], float | None]) -> Evidence:
    """Draw problems, half of them in each precision; fail where an error exceeds its bound."""
    from gdtheory import strategies

    if case.witness is not None:
        p = case.witness.convert(_to_float64)
        used = usage(p)
        if used is None:
            return Evidence(rung, Verdict.UNDECIDED, "no finite bound on the problem that refutes it exactly")
        verdict = Verdict.FAILS if used > 1 else Verdict.HOLDS
        return Evidence(rung, verdict, f"off by {used:.1e} times the certified bound")
    shares: dict[Any, list[float]] = {}
    effort = replace(case.effort, max_examples=(case.effort.max_examples + 1) // 2)

    for dtype, decades in ((np.float64, 8), (np.float32, 3)):
        used_up = shares.setdefault(dtype, [])

        def holds(p: Problem, used_up: list[float] = used_up) -> bool:
            used = usage(p)
            if used is not None:
                used_up.append(used)
            return used is None or used <= 1

        drawn = strategies.problems(case.claim.problem, strategies.floats(decades), dtype=dtype, at_most=3)
        falsifying, _ = strategies.falsify(drawn, holds, case.claim.refusals, effort)
        if falsifying is not None:
            off = f"off by {usage(falsifying):.3g} times the certified bound"
            detail = f"{np.dtype(dtype)}: {off} at {falsifying!r}"
            return Evidence(rung, Verdict.FAILS, detail)
        if len(used_up) < effort.max_examples / 2:
            detail = f"{np.dtype(dtype)}: only {len(used_up)} drawn problems have a finite bound"
            return Evidence(rung, Verdict.UNDECIDED, detail)
    found = [used for used_up in shares.values() for used in used_up]
    return Evidence(rung, Verdict.HOLDS, f"{len(found)} problems, errors up to {max(found):.0%} of the bound")


def _to_float64(value: Any) -> Any:
    return np.asarray(value, dtype=np.float64) if isinstance(value, np.ndarray) else float(value)


def _is_telling(claim: Claim) -> bool:
    """Whether the example does not merely say 0 = 0."""
    return any(entry != 0 for entry in np.asarray(claim.rhs(claim.example()), dtype=object).flat)


def _refuted(rung: str, case: Case, p: Problem) -> Evidence:
    lhs, rhs = (side(p) for side in case.sides)
    found = registry.name_of(case.claim)
    name = repr(found) if found else "CLAIM"
    which = "" if case.variant is None else f", {case.variant!r}"
    kind = type(p).__name__
    own = "" if repr(p).startswith("gd.") else f"{kind} = gd.claim({name}).problem; "
    lines = ("import gdtheory as gd", f"{own}p = {p!r}", f"gd.both_sides({name}, p{which})")
    return Evidence(
        rung,
        Verdict.FAILS,
        "the sides differ on a problem",
        witness=Witness(p, lhs, rhs, "\n".join(lines)),
    )
