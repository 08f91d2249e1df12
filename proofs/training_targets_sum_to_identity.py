"""By induction on k: a step leaves the sum, whatever the state is."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations, free, k


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield base and step; the sum T of the increments so far and the power P are arbitrary matrices."""
    state = free("T", p.d, p.d), free("P", p.d, p.d)
    yield "base", lhs.read(p, lhs.start(p)), rhs(p)
    yield "step", lhs.read(p, lhs.step(p, state, k)), lhs.read(p, state)
