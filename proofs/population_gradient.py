"""Both sides are linear in the ten coefficients and 1: zeros and one 1 at a time are enough."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from gdtheory.cot.coefficients import Coefficients
from gdtheory.proofs.blocks import Equations
from gdtheory.proofs.cases import cases

NAMES = [field.name for field in fields(Coefficients)]


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation where one coefficient is 1 and the others are 0, and that where all are 0."""
    yield from cases(p, lhs, rhs, [{name: int(name == one) for name in NAMES} for one in [*NAMES, None]])
