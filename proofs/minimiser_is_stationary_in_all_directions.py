"""At multiples of the identity only a, b, c, e and r matter, so that one coefficient for each is enough."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sympy import symbols

from gdtheory.cot.coefficients import Coefficients
from gdtheory.cot.minimiser import Minimiser, scalar_form
from gdtheory.proofs.blocks import Equations


def equations(p: Any, lhs: Any, rhs: Any) -> Equations:
    """Yield that the other coefficients may be dropped on both sides, at any v and w; and the claim then."""
    few = replace(p, a1=0, a2=0, a3=0, beta_F=0, beta_K=0)
    a, b, _, e = scalar_form(Coefficients.of(p), p.d)
    anywhere = Minimiser(*symbols("v w L"))
    same = replace(few, a0=a, alpha_F=b, alpha_K=e)
    yield "level", rhs(p), rhs(same)
    yield "five numbers", lhs(p, best=anywhere), lhs(same, best=anywhere)
    yield "at the minimum", lhs(few), rhs(few)
