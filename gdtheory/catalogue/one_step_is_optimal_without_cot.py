"""Without chain of thought no layer of the full parameter space does better than one gradient step."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.conventions import HuangWeights
from gdtheory.constructions.cot import prompt, weight_tokens
from gdtheory.constructions.cot_training import random_task
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar, namespace
from gdtheory.problems import WholeLayer


def excess_of_target(
    p: WholeLayer,
    eta: Any = lambda p: (p.n, p.n + p.d + 1),
    x_scale: int = 1,
    w_scale: int = 1,
    y_factor: int = 1,
) -> Scalar:
    """Return how much farther the output is from (0, 0, w*, 1) than from (0, 0, (η*/n) Xyᵀ, 1).

    Half squared distances, on average over X and w*; η* is given as a pair of numerator and denominator.
    """
    xp = namespace(p.w_0)
    X, w_star = random_task(p.w_0, p.d, p.n)
    X, w_star = X * x_scale, w_star * w_scale
    y = w_star.T @ X * y_factor
    numerator, denominator = eta(p)
    step = X @ y.T * numerator / (denominator * p.n)
    output = HuangWeights(p.all_V, p.all_W).next_token(prompt(X, y, p.w_0), p.n)
    # Times the denominator, these are polynomials.
    far, near = ((output - weight_tokens(target)) * denominator for target in (w_star, step))
    # ‖a‖² - ‖b‖² = ⟨a - b, a + b⟩, where the layer is left only once.
    return xp.mean(xp.trace((far - near).T @ (far + near))) / (denominator * denominator * 2)


def least_loss(p: WholeLayer, more: int = 1) -> Scalar:
    """Return d (d+1) / (2 (n+d+1))."""
    xp = namespace(p.w_0)
    return xp.trace(xp.eye(p.d)) * (p.d + more) / ((p.n + p.d + 1) * 2)


CLAIM = Claim(
    id="GDT-0066",
    revision=1,
    title="Without chain of thought one gradient step of rate n/(n+d+1) is optimal among all layers",
    statement=r"""Let $X$ $(d\times n)$ and $w_*$ have independent standard normal entries, $y=w_*^TX$ and
$\eta^*=\frac n{n+d+1}$. For all matrices $V,W\in R^{(2d+2)\times(2d+2)}$, with $f$ the last column of
$f_{LSA}(Z_0;V,W)$ for the examples and one weight token $(0,0,w_0,1)$,
$$\tfrac12E\|f-(0,0,w_*,1)\|^2=\tfrac12E\bigl\|f-\bigl(0,0,\tfrac{\eta^*}nXy^T,1\bigr)\bigr\|^2
+\frac{d(d+1)}{2(n+d+1)}.$$ So no layer has a loss below $\frac{d(d+1)}{2(n+d+1)}$, and a layer has this loss
if and only if $f=(0,0,\frac{\eta^*}nXy^T,1)$ almost surely. From $w_0=0$, eq. (8) with $\eta^*$ is such a
layer (GDT-0008). The identity holds for every fixed $w_0$, while the source assumes $w_0=0$.""",
    source=Source(key="huang2025transformers", locator="Theorem 3.1 and its proof"),
    assumptions=(
        Assumption(
            name="standard normal inputs",
            statement="The entries of X are independent standard normals.",
            violation=Variant(name="covariance 4I", lhs=partial(excess_of_target, x_scale=2)),
        ),
        Assumption(
            name="standard normal teacher",
            statement="The entries of w* are independent standard normals.",
            violation=Variant(name="w* of covariance 4I", lhs=partial(excess_of_target, w_scale=2)),
        ),
        Assumption(
            name="noiseless targets",
            statement="The targets are y = w*ᵀX.",
            violation=Variant(name="the targets are those of 2w*", lhs=partial(excess_of_target, y_factor=2)),
        ),
    ),
    problem=WholeLayer,
    example=WholeLayer.smallest,
    lhs=excess_of_target,
    rhs=least_loss,
    mutants=(
        Mutant(
            name="η* = n/(n+d)",
            kind=MutantKind.DROPPED,
            lhs=partial(excess_of_target, eta=lambda p: (p.n, p.n + p.d)),
        ),
        Mutant(name="d² for d(d+1)", kind=MutantKind.FACTOR, rhs=partial(least_loss, more=0)),
    ),
    uses=("GDT-0008",),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
