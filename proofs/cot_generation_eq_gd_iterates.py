r"""The generated weight tokens are the gradient-descent iterates, by induction on the token.

Invariant: after k tokens the prompt holds the examples and the tokens (0, 0, w_i, 1) of the first
k + 1 iterates. The columns E = (w_0, ..., w_{k-1}) are arbitrary: the layer does not read them, because
V reads only the input slots, which are zero in a weight token.
"""

from __future__ import annotations

from typing import Any

from gdtheory.constructions.cot import prompt
from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import Equations, free, k


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield base, step and reading; the iterates so far are arbitrary."""
    E, w = free("E", p.d, k), free("w_k", p.d, 1)
    xp = namespace(w)
    Z, iterates = prompt(p.X, p.y, E, w), xp.block([[E, w]])
    longer = rhs.step(p, iterates, k)
    yield "number of steps", lhs.count(p), rhs.count(p)
    yield "base", lhs.start(p), prompt(p.X, p.y, rhs.start(p))
    yield "step", lhs.step(p, Z, k), prompt(p.X, p.y, *xp.split(longer, (k, 1, 1), axis=1))
    yield "reading", lhs.read(p, Z), rhs.read(p, iterates)
