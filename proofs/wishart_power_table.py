"""Wick's theorem against the table for all n and d: up to six factors W."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each k."""
    yield from cases(p, lhs, rhs, [{"k": k} for k in range(1, 7)])
