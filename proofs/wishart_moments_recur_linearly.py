"""Polynomial identities in n and d, one for each k; at k = 4 the last term is zero and hides its sign."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sympy import ZZ, ring

from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of each k, worked out in the ring of the polynomials."""
    _, n, d = ring(f"{p.n}, {p.d}", ZZ)
    for more in range(13):
        at = replace(p, n=n, d=d, more=more)
        yield f"k = {at.k}", lhs(at).as_expr(), rhs(at).as_expr()
