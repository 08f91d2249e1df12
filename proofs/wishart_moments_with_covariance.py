"""Wick's theorem against the table, for all n and d: every product of up to four factors W."""

from __future__ import annotations

from typing import Any

from gdtheory.problems.wishart import PRODUCTS
from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each product."""
    yield from cases(p, lhs, rhs, [{"place": place} for place in range(len(PRODUCTS))])
