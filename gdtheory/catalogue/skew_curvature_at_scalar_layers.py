"""How the population loss bends in skew directions from V_31 = vI and W_13 = wI."""

from __future__ import annotations

from functools import partial

from gdtheory.cot import population
from gdtheory.cot.coefficients import Coefficients
from gdtheory.cot.minimiser import scalar_form
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar, namespace
from gdtheory.problems import SkewDirection


def second_derivative(p: SkewDirection, sign: int = -1) -> Scalar:
    """Return the second derivative of the loss along (J, K), a difference that is exact for degree 4."""
    J, K = p.dV + p.dV.T * sign, p.dW + p.dW.T * sign
    eye = namespace(J).eye(p.d)

    def along(t: int) -> Scalar:
        return population.loss(eye * p.v + J * t, eye * p.w + K * t, Coefficients.of(p))

    return ((along(1) + along(-1)) * 16 - (along(2) + along(-2)) - along(0) * 30) / 12


def curvature(p: SkewDirection, a1: int = -2, beta: int = -1, more: int = 0) -> Scalar:
    """Return (aw² - 2bw + c) ‖J‖² + 2 (α_K - β_K) ⟨J, K⟩ + v² (a_0 - 2a_1 + a_2 + d (a_2 - a_3)) ‖K‖²."""
    xp, x = namespace(p.dV), Coefficients.of(p)
    J, K = p.dV - p.dV.T, p.dW - p.dW.T
    a, b, c, _ = scalar_form(x, p.d)
    of_V = a * p.w * p.w - b * p.w * 2 + c
    of_W = (x.a0 + x.a1 * a1 + x.a2 + (x.a2 - x.a3) * (p.d + more)) * p.v * p.v
    mixed = xp.trace(J.T @ K) * (x.alpha_K + x.beta_K * beta) * 2
    return xp.squared_norm(J) * of_V + mixed + xp.squared_norm(K) * of_W


CLAIM = Claim(
    id="GDT-0097",
    revision=1,
    title="At multiples of I the training loss bends in skew directions by a form that may be indefinite",
    statement=r"""Let $L$ be the population loss of GDT-0075, for any numbers $a_0,\dots,a_3$,
$\alpha_F,\beta_F,\alpha_K,\beta_K$, $c$ and $r$, and $a$, $b$, $e$ as in GDT-0095. For all skew $J$ and $K$,
all $v$, $w$ and $d$, the second derivative of $L(vI+tJ,\,wI+tK)$ at $t=0$ is
$$(aw^2-2bw+c)\|J\|_F^2+2(\alpha_K-\beta_K)\langle J,K\rangle
+v^2\bigl(a_0-2a_1+a_2+d(a_2-a_3)\bigr)\|K\|_F^2.$$
So the stationary point $(v_*I,w_*I)$ of GDT-0095 is a saddle for $d\ge2$ if
$$(aw_*^2-2bw_*+c)\,v_*^2\bigl(a_0-2a_1+a_2+d(a_2-a_3)\bigr)<(\alpha_K-\beta_K)^2.$$ That is so for small
rates: at $\eta=\frac15$ for $(n,d,k)=(20,2,1)$, where the difference of the two sides is $-0.00124\dots$, for
$(20,2,2)$ and $(100,10,2)$, and not for $(20,2,3)$; at $\eta=\frac1{10}$ for $(40,10,1)$. At
$\eta=\frac25$ it is so for none of the sizes $2\le d\le8$, $2d\le n\le2d+8$, $1\le k\le8$. A flow from
symmetric $V_{31}$ and $W_{13}$ with shared eigenvectors keeps that form (GDT-0074), and does not feel it.""",
    source=Source(key="huang2025transformers", locator="Theorem 4.1; Assumption 4.1"),
    ours=True,
    assumptions=(
        Assumption(
            name="skew directions",
            statement="Jᵀ = -J and Kᵀ = -K.",
            violation=Variant(name="symmetric ones", lhs=partial(second_derivative, sign=1)),
        ),
    ),
    problem=SkewDirection,
    example=SkewDirection.smallest,
    lhs=second_derivative,
    rhs=curvature,
    mutants=(
        Mutant(name="+2a_1", kind=MutantKind.SIGN, rhs=partial(curvature, a1=2)),
        Mutant(name="α_K + β_K", kind=MutantKind.SIGN, rhs=partial(curvature, beta=1)),
        Mutant(name="d + 1 for d", kind=MutantKind.INDEX, rhs=partial(curvature, more=1)),
    ),
    uses=("GDT-0074", "GDT-0075", "GDT-0095"),
    waived={"float": "a difference of losses is lost to rounding in floats"},
)
