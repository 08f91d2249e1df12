"""The gradient is -‖A(x)‖² times the change of the weights, token by token and so for any number of them."""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations, k


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the norms of the k-th token."""
    yield "number of tokens", lhs.count(p), rhs.count(p)
    yield "token k", lhs.read(p, lhs.step(p, (), k)), rhs.read(p, rhs.step(p, (), k))
