"""Wick's theorem against the pairings for all n, d ≥ 3, A, B and C: up to three factors S, and 2 + 1 + 1."""

from __future__ import annotations

from typing import Any

from gdtheory.problems.wishart import EXPONENTS
from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases

PLACES = [place for place, powers in enumerate(EXPONENTS) if sum(powers) <= 3 or 0 not in powers]


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each three powers."""
    yield from cases(p, lhs, rhs, [{"place": place} for place in PLACES])
