r"""K layers with W = 0 are K steps of GD++, by induction on the layer.

Invariant: after k layers the tokens are (X_k, Y - F_k) and (x_k, -f_k). So W_V turns context token i into
(x_i, -r_i), the inputs of step k and minus its residuals, and layer k + 1 adds to a token with input x

    -γ X_k X_kᵀ x   and   -(η/N) R_k X_kᵀ x = -ΔW_k x.
"""

from __future__ import annotations

from typing import Any

from gdtheory.proofs.blocks import Equations, free
from gdtheory.proofs.induction import induction


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Return base, step and reading; the inputs and the predictions of step k are arbitrary."""
    inputs = free("X_k", p.N_x, p.N), free("x_k", p.N_x, 1)
    return induction(p, lhs, rhs, (*inputs, free("F_k", p.N_y, p.N), free("f_k", p.N_y, 1)))
