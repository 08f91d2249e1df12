"""Two, four and six indices, entry by entry, for all d."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each pairing."""
    for m in (1, 2, 3):
        at = replace(p, m=m)
        for place, (left, right) in enumerate(zip(lhs(at).flat, rhs(at).flat, strict=True)):
            yield f"m = {m}, pairing {place}", left, right
