"""The layer's own output on L Z, averaged by Wick's theorem, against the table of moments."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of one step and of two."""
    for steps in (1, 2):
        yield f"steps = {steps}", lhs(p, steps=steps), rhs(p, steps=steps)
