"""The mean, in powers of V and w; then the squares are completed for any a, b, c, e and r."""

from __future__ import annotations

from typing import Any

from sympy import symbols

from gdtheory.namespace import Scalar, column, namespace
from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield both parts; the right-hand side is a rational function of the five numbers."""
    from gdtheory.catalogue.scalar_minimiser import numbers as of_the_claim

    numbers = getattr(rhs, "keywords", {}).get("numbers", of_the_claim)  # a wrong side may have wrong ones

    def in_powers(a: Scalar, b: Scalar, c: Scalar, e: Scalar, r: Scalar) -> Scalar:
        xp = namespace(p.V)
        square = xp.squared_norm(p.V) * (a * p.w**2 - b * p.w * 2 + c)
        return (square + r) / 2 - xp.trace(p.V) * (e * p.w - 1)

    free = symbols("a b c e r")
    yield "in powers", lhs(p), column(p.V, (in_powers(*numbers(p, k)) for k in p.ks))
    yield "squares", column(p.V, (in_powers(*free) for k in p.ks)), rhs(p, numbers=lambda p, k: free)
