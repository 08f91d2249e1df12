r"""One layer moves the last weight token by one gradient-descent step.

W (⋆, ⋆, w, 1) = (w, -1, 0, 0), so example token i scores x_iᵀw - y_i. V reads the input slots, which are zero
in a weight token, and writes -η x_i to the weight slot. Hence the layer adds -(η/n) Σ x_i (x_iᵀw - y_i).
"""

from __future__ import annotations

from typing import Any

from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the formula of the next token, then that its weight part is a gradient-descent step."""
    xp = namespace(p.X)
    w_next = p.w - p.X @ (p.X.T @ p.w - p.y.T) * (p.eta / p.n)
    token = xp.block([[xp.zeros(p.d, 1)], [p.star], [w_next], [xp.ones(1, 1)]])
    yield "the layer adds -(η/n) Σ x_i (x_iᵀw - y_i)", lhs(p), token
    yield "which is -η times the gradient", token, rhs(p)
