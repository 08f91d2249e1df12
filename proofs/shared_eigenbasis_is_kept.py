"""The gradient is affine in its nine coefficients, and the equation linear in it: some of them at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdtheory.proofs.blocks import Equations

GROUPS = (("alpha_K", "beta_K"), ("alpha_F", "beta_F", "c"), ("a0", "a1"), ("a2", "a3"))


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the equation where all coefficients but those of a group are zero."""
    for group in GROUPS:
        others = {name: 0 for names in GROUPS if names != group for name in names}
        at = replace(p, **others)
        yield f"{', '.join(group)}, others zero", lhs(at), rhs(at)
