"""Differences of the moments in n and d, against Wick's theorem for a symmetric Gaussian matrix."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equations of L = 1 and 2."""
    yield from cases(p, lhs, rhs, ({"L": L} for L in (1, 2)))
