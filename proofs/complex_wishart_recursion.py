"""Wick's theorem against the recursion for all n and d: up to four factors W; at k = 1 the last term is 0."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each k."""
    yield from cases(p, lhs, rhs, [{"k": k} for k in range(1, 4)])
