r"""A part Y of the context moves into W.

With z = A(C∖Y, x), the update acts on z as ΔW z = W ΔA zᵀz / ‖z‖² = W ΔA. So the first layer sees
(W + ΔW) z = W (z + ΔA) = W A(C, x), whatever follows it.
"""

from __future__ import annotations

from typing import Any

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the effect of the update on z, then the blocks, where f is arbitrary."""
    for z in map(p.A.get, p.rests):
        Delta_A = p.A[p.C] - z
        yield "ΔW z = W ΔA", weight_transfer(p.W, p.A[p.C], z) @ z, p.W @ Delta_A
    patched = [p.f(p.W @ z + p.W @ (p.A[p.C] - z) + p.b) for z in map(p.A.get, p.rests)]
    yield "the first layer sees W z + W ΔA", lhs(p), namespace(p.W).block([patched])
    yield "which is W A(C, x)", namespace(p.W).block([patched]), rhs(p)
