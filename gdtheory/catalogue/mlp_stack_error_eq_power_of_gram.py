"""After K layers the residuals of kernel least squares are the targets times a power."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import gd_step_weights, regression_tokens
from gdtheory.definition import Assumption, Claim, Iteration, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import FeatureRegression
from gdtheory.reference.kernel_regression import inner_product_kernel


def zero_model(p: FeatureRegression) -> Array:
    """Return W_0 = 0, (N_y, D)."""
    return namespace(p.Phi).zeros(p.N_y, p.D)


def nonzero_model(p: FeatureRegression) -> Array:
    """Return a model that is not zero, W_0 = Y Φᵀ."""
    return p.Y @ p.Phi.T


def tokens(p: FeatureRegression, W_0: Any = zero_model) -> Array:
    """Return the tokens (φ_j, y_j) and (Φα, -W_0 Φα) before the first layer."""
    return regression_tokens(p.Phi, p.Y, p.Phi @ p.alpha, W_0(p))


def update(p: FeatureRegression, E: Array, k: Any, W_0: Any = zero_model) -> Array:
    """Return all tokens after layer k."""
    return gd_step_weights(W_0(p), p.eta, p.N).layer(E)


def stack(W_0: Any = zero_model) -> Iteration[FeatureRegression, Array]:
    """Return K layers."""
    return Iteration(
        start=partial(tokens, W_0=W_0),
        step=partial(update, W_0=W_0),
        read=lambda p, E: E,
        count=lambda p: p.K,
    )


def contraction(
    p: FeatureRegression,
    power: Array,
    k: Any,
    factor: Any = lambda p: 1,
    kernel: Any = lambda G: G,
) -> Array:
    """Return the power of I - ηG/N so far times one more factor of it."""
    G = kernel(inner_product_kernel(p.Phi, p.Phi))
    return power - power @ G * (p.eta * factor(p) / p.N)


def residual_tokens(p: FeatureRegression, power: Array, sign: int = -1) -> Array:
    """Return (φ_j, Y Π e_j) for the context and (Φα, -Y (I - Π) α) for the query, where Π is the power."""
    residuals = p.Y @ power
    prediction = (p.Y - residuals) @ p.alpha
    return namespace(power).block([[p.Phi, p.Phi @ p.alpha], [residuals, prediction * sign]])


def powers(
    step: Any = contraction, read: Any = residual_tokens, count: Any = lambda p: p.K
) -> Iteration[FeatureRegression, Array]:
    """Return the tokens that belong to the K-th power of I - ηG/N."""
    return Iteration(start=lambda p: namespace(p.Phi).eye(p.N), step=step, read=read, count=count)


CLAIM = Claim(
    id="GDT-0030",
    revision=1,
    title="After K layers the residuals of kernel least squares are exactly Y(I - ηG/N)^K",
    statement=r"""In the setting of GDT-0029 let $\Phi$ hold the features $m(x_i)$ as columns,
$G=\Phi^T\Phi$ the kernel matrix and $k_x=\Phi^Tm(x)$. For every $\eta$ and $K\ge0$ the y-parts of the
context after $K$ layers are exactly $Y(I-\frac\eta NG)^K$, and the prediction is
$f_K(x)=Y\alpha-Y(I-\frac\eta NG)^K\alpha$ for any $\alpha$ with $G\alpha=k_x$, such as $\alpha=G^+k_x$.
So every layer multiplies the component of $Y$ along an eigenvector of $G$ by $1-\eta\lambda/N$, $\lambda$
its eigenvalue; where $\lambda=0$ it never moves. The residuals converge for every $Y$ if and only if
$0\le\eta\lambda<2N$ for all eigenvalues $\lambda$ of $G$. If also $\eta>0$, their limit is $Y(I-G^+G)$
and that of $f_K(x)$ is $YG^+k_x$, which the least-norm solution of kernel least squares predicts.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 2 and Appendix A.8", knowls=(3,)),
    ours=True,
    assumptions=(
        Assumption(
            name="W_0 = 0",
            statement="The model before the first step is zero, in W_V and in the query token.",
            violation=Variant(name="W_0 = YΦᵀ", lhs=stack(nonzero_model)),
        ),
        Assumption(
            name="a query in the span of the context",
            statement="The query's feature is Φα.",
            sufficient="The layers read a query through k_x = Φᵀm(x) only (GDT-0029), which is the same for "
            "the projection of m(x) on the span of the context's features; and that projection is Φα.",
        ),
    ),
    problem=FeatureRegression,
    example=FeatureRegression.smallest,
    lhs=stack(),
    rhs=powers(),
    mutants=(
        Mutant(name="the exponent is K + 1", kind=MutantKind.INDEX, rhs=powers(count=lambda p: p.K + 1)),
        Mutant(
            name="η without 1/N",
            kind=MutantKind.FACTOR,
            rhs=powers(partial(contraction, factor=lambda p: p.N)),
        ),
        Mutant(
            name="I - ηG²/N",
            kind=MutantKind.WRONG_INPUT,
            rhs=powers(partial(contraction, kernel=lambda G: G @ G)),
        ),
        Mutant(name="I + ηG/N", kind=MutantKind.SIGN, rhs=powers(partial(contraction, factor=lambda p: -1))),
        Mutant(
            name="the query's y-part without its minus sign",
            kind=MutantKind.SIGN,
            rhs=powers(read=partial(residual_tokens, sign=1)),
        ),
        Mutant(name="two steps per layer", kind=MutantKind.FACTOR, rhs=powers(count=lambda p: p.K * 2)),
    ),
    uses=("GDT-0029",),
)
