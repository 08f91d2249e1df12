"""The equations of an induction on the step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gdtheory.definition import Iteration
from gdtheory.proofs.blocks import Equations, k


def induction(
    p: Any,
    lhs: Iteration[Any, Any],
    rhs: Iteration[Any, Any],
    state: Any,
    invariant: Callable[[Any], Any] | None = None,
) -> Equations:
    """Yield the count, base, step and reading of an induction.

    Parameters
    ----------
    p : Problem
        Of free matrices.
    lhs, rhs : Iteration
        Both sides of the claim.
    state : Block or tuple of Block
        That of the right-hand side after k steps: arbitrary.
    invariant : callable, optional
        Takes a state of the right-hand side to that of the left-hand side after as many steps; without one
        it is what the right-hand side reads from it.
    """
    at = invariant or partial(rhs.read, p)
    yield "number of steps", lhs.count(p), rhs.count(p)
    yield "base", lhs.start(p), at(rhs.start(p))
    yield "step", lhs.step(p, at(state), k), at(rhs.step(p, state, k))
    yield "reading", lhs.read(p, at(state)), rhs.read(p, state)
