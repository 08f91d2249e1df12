"""Wick's theorem against the invariant form for all n, d and D: up to four factors S."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases

COUNTS = [{"i": i, "j": j} for i in range(5) for j in range(5) if i + j <= 4]


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each pair of powers."""
    yield from cases(p, lhs, rhs, COUNTS)
