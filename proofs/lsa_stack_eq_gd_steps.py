r"""K layers are K gradient-descent steps, by induction on the layer.

Invariant: after k layers the tokens are (x_j, y_j - (W_k - W_0) x_j) and (x, -W_k x). With it, layer
k + 1 adds to the y-part of a token with input x

    (η/N) Σ (W_0 x_i - y_i + (W_k - W_0) x_i) x_iᵀ x = (η/N) Σ (W_k x_i - y_i) x_iᵀ x = -(W_{k+1} - W_k) x.
"""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations, free
from gdtheory.proofs.induction import induction


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Return base, step and reading; W_k is arbitrary."""
    return induction(p, lhs, rhs, free("W_k", p.N_y, p.N_x))
