r"""What the query adds by attending to itself.

Its value is W_0 x - (-W_0 x) = 2 W_0 x and its score with itself is xᵀx, so beside the gradient-descent step
it adds (η/N) 2 W_0 x ‖x‖² to its own y-part, and takes that from the prediction.
"""

from __future__ import annotations

from typing import Any

from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the prediction with the sum over the context and the query's own term apart."""
    x, own_value = p.x_query, p.W_0 @ p.x_query * 2
    context = (p.W_0 @ p.X - p.Y) @ p.X.T @ x
    own = own_value * namespace(x).squared_norm(x)
    sums = p.W_0 @ x - (context + own) * (p.eta / p.N)
    yield "the context's terms and the query's own", lhs(p), sums
    yield "a gradient-descent step and the error", sums, rhs(p)
