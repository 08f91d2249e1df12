"""Wick's theorem against the pairings for all n and d ≥ 3 and all A, B and C: up to four factors S."""

from __future__ import annotations

from typing import Any

from gdtheory.problems.wishart import EXPONENTS
from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each three powers."""
    yield from cases(p, lhs, rhs, [{"place": place} for place in range(len(EXPONENTS))])
