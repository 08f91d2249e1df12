"""At the best multiples of the identity the population loss is level in every direction."""

from __future__ import annotations

from dataclasses import fields
from functools import partial

from gdtheory.cot import population
from gdtheory.cot.coefficients import Coefficients
from gdtheory.cot.minimiser import Minimiser, minimum, scalar_form
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import ArgumentError
from gdtheory.namespace import Scalar, namespace
from gdtheory.problems import LossAlongDirection


def tangent_plane(p: LossAlongDirection, best: Minimiser | None = None) -> Scalar:
    """Return the loss at (v* I, w* I) and the derivative in the direction (dV, dW)."""
    xp, a = namespace(p.dV), Coefficients.of(p)
    best = best or minimum(a, p.d)
    V, W = xp.eye(p.d) * best.v, xp.eye(p.d) * best.w
    of_V, of_W = population.gradient(V, W, a)
    return population.loss(V, W, a) + xp.trace(of_V.T @ p.dV) + xp.trace(of_W.T @ p.dW)


def level(p: LossAlongDirection, cross: int = 2) -> Scalar:
    """Return ½ r - (d/2) (a - 2be + ce²) / (ac - b²)."""
    x = Coefficients.of(p)
    a, b, c, e = scalar_form(x, p.d)
    if a * c == b * b or b * e == a:
        raise ArgumentError("p", expected="a c ≠ b² and b e ≠ a", got=p)
    return (x.r - (a - b * e * cross + c * e * e) * p.d / (a * c - b * b)) / 2


def without_point() -> LossAlongDirection:
    """Return a problem whose coefficients are zero, and with them a, b, c and e."""
    zeros = {field.name: 0 for field in fields(Coefficients)}
    return LossAlongDirection.exact(dV=[[1]], dW=[[1]], **zeros)


CLAIM = Claim(
    id="GDT-0095",
    revision=2,
    title="At the best multiples of the identity the training loss is stationary in all directions",
    statement=r"""Let $L$ be the population loss of GDT-0075, for any numbers $a_0,\dots,a_3$,
$\alpha_F,\beta_F,\alpha_K,\beta_K$, $c$ and $r$, and
$$a=a_0+(d+1)(2a_1+a_2)+(d^2+3d+4)a_3,\quad b=\alpha_F+(d+1)\beta_F,\quad e=\alpha_K+(d+1)\beta_K,$$
which are those of GDT-0080, $ac\ne b^2$ and $be\ne a$. At $V=v_*I$ and $W=w_*I$ with
$v_*=\frac{be-a}{ac-b^2}$ and $w_*=\frac{ce-b}{be-a}$, $L$ is $\frac r2-\frac d2\,\frac{a-2be+ce^2}{ac-b^2}$
and its derivative is zero in the direction of all matrices $V'$ and $W'$. So the gradient flow can rest
there, for all $n$, $d$, $k$ and $\eta$ with $k\ge1$, $\eta\ne0$ and $be\ne a$. It need not be a minimum over
all $V$ and $W$: for some rates it is a saddle, and matrices with skew parts have a smaller loss.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.1"),
    ours=True,
    assumptions=(
        Assumption(
            name="there is such a point",
            statement="a c ≠ b² and b e ≠ a.",
            violation=Refusal(problem=without_point, error=ArgumentError),
        ),
    ),
    problem=LossAlongDirection,
    example=LossAlongDirection.smallest,
    lhs=tangent_plane,
    rhs=level,
    mutants=(
        Mutant(
            name="V = -I and W = I",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(tangent_plane, best=Minimiser(-1, 1, None)),
        ),
        Mutant(name="be for 2be", kind=MutantKind.FACTOR, rhs=partial(level, cross=1)),
    ),
    uses=("GDT-0075", "GDT-0080"),
    waived={"float": "the derivative is zero, and its rounding errors have no scale"},
)
