r"""K layers are K gradient-descent steps, by induction on the layer.

Invariant: after k layers the tokens are (x_j, y_j - (W_k - W_0) x_j) and (x, -W_k x). With it, layer
k + 1 adds to the y-part of a token with input x

    (η/N) Σ (W_0 x_i - y_i + (W_k - W_0) x_i) x_iᵀ x = (η/N) Σ (W_k x_i - y_i) x_iᵀ x = -(W_{k+1} - W_k) x.
"""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations, free, k


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield base, step and reading; W_k is arbitrary."""
    W_k = free("W_k", p.N_y, p.N_x)
    yield "number of steps", lhs.count(p), rhs.count(p)
    yield "base", lhs.start(p), rhs.read(p, rhs.start(p))
    yield "step", lhs.step(p, rhs.read(p, W_k), k), rhs.read(p, rhs.step(p, W_k, k))
    yield "reading", lhs.read(p, rhs.read(p, W_k)), rhs.read(p, W_k)
