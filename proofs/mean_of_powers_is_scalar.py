"""The powers of I - ηS, averaged by Wick's theorem, against the moments of a Wishart matrix."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each power up to 4."""
    yield from cases(p, lhs, rhs, ({"i": i} for i in range(5)))
