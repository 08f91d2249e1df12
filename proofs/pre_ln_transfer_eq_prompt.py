r"""A part Y of the context moves into W and b' of a Pre-LN block.

W acts on z = LN(v(C∖Y)) as in a block without skip connections, so W + ΔW sees W LN(v(C)). The residual
stream v(C∖Y) = x + A(C∖Y, x) lacks ΔA, which b' + ΔA puts back.
"""

from __future__ import annotations

from typing import Any

from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield the block with both patches worked out; f and LN are arbitrary."""
    after = p.W_out @ p.f(p.W @ p.normalise(p.x + p.A[p.C]) + p.b) + p.b_out
    columns = [(p.x + z) + after + (p.A[p.C] - z) for z in map(p.A.get, p.rests)]
    patched = namespace(p.W).block([columns])
    yield "W + ΔW sees W LN(v(C)), and b' gives ΔA", lhs(p), patched
    yield "which is the block on the whole context", patched, rhs(p)
