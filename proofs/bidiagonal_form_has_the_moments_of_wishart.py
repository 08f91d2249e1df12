"""Weighted walks against traces of powers, as polynomials in n and d."""

from __future__ import annotations

import itertools
from typing import Any

from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation of one power and of products of two and three, up to a sum of 5."""
    triples = itertools.combinations_with_replacement(range(5, -1, -1), 3)
    powers = (dict(zip("ijk", triple, strict=True)) for triple in triples if sum(triple) <= 5)
    yield from cases(p, lhs, rhs, powers)
