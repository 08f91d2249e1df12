r"""The residuals after K layers, by induction on the layer.

Invariant: after k layers the y-parts are YΠ in the context and -Y(I - Π)α in the query, where Π stands for
(I - ηG/N)^k. Layer k + 1 adds -(η/N) YΠ Φᵀφ to the y-part of a token with feature φ, which is -(η/N) YΠG in
the context and -(η/N) YΠGα in the query: Π becomes Π(I - ηG/N).
"""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations, free
from gdtheory.proofs.induction import induction


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Return base, step and reading; Π is arbitrary."""
    return induction(p, lhs, rhs, free("Π", p.N, p.N))
