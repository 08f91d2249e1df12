"""Differences in n of the moments, as polynomials in n and d."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each power up to 5."""
    yield from cases(p, lhs, rhs, ({"i": i} for i in range(6)))
