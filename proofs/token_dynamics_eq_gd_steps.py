r"""One more token is one more gradient step, by induction on the token.

Invariant: W_k = W_0 + ΔW_0(c_1..c_k). The normaliser ‖A(x)‖² is the same for every prefix, so
W_{k+1} - W_k = W_0 (A_{k+1} - A_k) A(x)ᵀ / ‖A(x)‖² = -h Δ_k.
"""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations, free, k


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield base and step; the first iterates are arbitrary, the k-th is W_k."""
    W_k = lhs.step(p, (free("W", *p.W_0.shape),), k - 1)[-1]
    yield "number of steps", lhs.count(p), rhs.count(p)
    yield "start", lhs.read(p, lhs.start(p)), rhs.read(p, rhs.start(p))
    yield "base: no token moves nothing", lhs.step(p, lhs.start(p), -1)[-1], p.W_0
    left, right = lhs.step(p, (W_k,), k), rhs.step(p, (W_k,), k)
    yield "step", lhs.read(p, left), rhs.read(p, right)
    yield "what went before is kept", lhs.read(p, left), lhs.read(p, (W_k, left[-1]))
