r"""K layers on features are K steps of kernel gradient descent, by induction on the layer.

Invariant: after k layers the tokens are (m(x_j), y_j - f_k(x_j)) and (m(x), -f_k(x)). With it and W_0 = 0,
layer k + 1 adds to the y-part of a token with features m(z)

    -(η/N) Σ (y_i - f_k(x_i)) m(x_i)ᵀ m(z) = (η/N) Σ (f_k(x_i) - y_i) k(x_i, z) = -(f_{k+1}(z) - f_k(z)).
"""

from __future__ import annotations

from typing import Any

from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import Equations, free
from gdtheory.proofs.induction import induction


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Return base, step and reading; the map m and the values of f_k are arbitrary."""
    xp = namespace(p.X)

    def tokens(F: Any) -> Any:
        return xp.block([[p.m(p.X), p.m(p.x_query)], [rhs.read(p, F)]])

    F = xp.block([[free("f_k(X)", p.N_y, p.N), free("f_k(x)", p.N_y, 1)]])
    return induction(p, lhs, rhs, F, tokens)
