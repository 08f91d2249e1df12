"""The layer's own output, averaged by Wick's theorem, against the moments as polynomials in n and d."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation before the first step, after it, and after a generated token and the next step."""
    yield from cases(p, lhs, rhs, ({"steps": steps} for steps in range(3)))
