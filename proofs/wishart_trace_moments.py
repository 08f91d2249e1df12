"""Wick's theorem against the recursion, for all n and d: every product of up to four factors W.

W tr W⁴ and two of degree six, W³ tr W³ and W² (tr W²)², reach the terms that shorter ones do not.
"""

from __future__ import annotations

from typing import Any

from gdtheory.problems.wishart import PARTITIONS
from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases

COUNTS = [
    {"r": r, "place": place}
    for place, parts in enumerate(PARTITIONS)
    for r in range(5)
    if r + sum(parts) <= 4 or (r, parts) in ((1, (4,)), (3, (3,)), (2, (2, 2)))
]


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each product."""
    yield from cases(p, lhs, rhs, COUNTS)
