"""None, one and two steps before w*, for all n and d."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each k; two steps first, since k = 0 hides a wrong k + 1."""
    yield from cases(p, lhs, rhs, [{"k": 2}, {"k": 1}, {"k": 0}])
