r"""The closed form of the chain of thought, by induction on the token.

Invariant: after k tokens the current weight token is w* + Π (w_0 - w*), where Π stands for (I - ηS)^k;
the k weight tokens before it, E, are arbitrary. With y = w*ᵀX a step multiplies the distance to w*:

    w_{k+1} - w* = w_k - w* - (η/n) X Xᵀ (w_k - w*) = (I - ηS) Π (w_0 - w*).
"""

from __future__ import annotations

from typing import Any

from gdtheory.constructions.cot import prompt
from gdtheory.proofs.blocks import Equations, free, k


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield base, step and reading; Π and the earlier weight tokens E are arbitrary."""
    E, power = free("E", p.d, k), free("Π", p.d, p.d)
    w, w_next = rhs.read(p, power), rhs.read(p, rhs.step(p, power, k))
    yield "number of steps", lhs.count(p), rhs.count(p)
    yield "base", lhs.start(p), prompt(p.X, p.y, rhs.read(p, rhs.start(p)))
    yield "step", lhs.step(p, prompt(p.X, p.y, E, w), k), prompt(p.X, p.y, E, w, w_next)
    yield "reading", lhs.read(p, prompt(p.X, p.y, E, w)), w
