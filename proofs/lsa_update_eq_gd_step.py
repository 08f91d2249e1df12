r"""One layer is one gradient-descent step.

W_K and W_Q keep the inputs of the tokens, so a token with input x scores x_iᵀx with context token i. W_V
turns that token into (0, W_0 x_i - y_i). Hence the layer adds (η/N) Σ (W_0 x_i - y_i) x_iᵀ x to the y-part,
and that sum times η/N is the gradient of the loss at W_0 times η.
"""

from __future__ import annotations

from typing import Any

from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the formula of the layer's update, then that it is -ΔW x."""
    update = (p.W_0 @ p.X - p.Y) @ p.X.T * (p.eta / p.N)
    added = namespace(p.X).block(
        [[p.X, p.x_query], [p.Y + update @ p.X, -(p.W_0 @ p.x_query) + update @ p.x_query]]
    )
    yield "the layer adds (η/N) Σ (W_0 x_i - y_i) x_iᵀ x", lhs(p), added
    yield "which is -ΔW x", added, rhs(p)
