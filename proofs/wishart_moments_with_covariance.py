"""Wick's theorem against the table: three powers of up to four factors W in all, for all n and d."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases

COUNTS = [{"r": r, "a": a, "b": b} for r in range(5) for a in range(3) for b in range(2) if r + a + b <= 4]


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each three powers."""
    yield from cases(p, lhs, rhs, COUNTS)
