"""The looped layer's own output, averaged by Wick's theorem, against the moments of a Wishart matrix."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equations of no loop, one and two, each beside that of one."""
    yield from cases(p, lhs, rhs, ({"loops": loops} for loops in range(3)))
