"""The mean training loss of the layer in closed form, at any V_31 and W_13."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.cot_training import random_task, three_blocks, training_loss
from gdtheory.cot import population
from gdtheory.cot.coefficients import Coefficients, exact_coefficients
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, column, namespace
from gdtheory.problems import PopulationTraining


def mean_loss(p: PopulationTraining, scale: int = 1) -> Array:
    """Return the mean of the layer's training loss for each number of steps."""
    X, w_star = random_task(p.V, p.d, p.n)
    layer, mean = three_blocks(p.V, p.W), namespace(p.V).mean
    return column(p.V, (mean(training_loss(layer, X, w_star * scale, p.eta, k)) for k in p.ks))


def as_they_are(p: PopulationTraining, a: Coefficients) -> Coefficients:
    """Return the coefficients."""
    return a


def closed_form(p: PopulationTraining, change: Any = as_they_are, W: Any = lambda p: p.W) -> Array:
    """Return ½ tr V A(W) Vᵀ - tr V B(W) + ½ r for each number of steps."""

    def loss(k: int) -> Scalar:
        return population.loss(p.V, W(p), change(p, exact_coefficients(p.n, p.d, k, p.eta)))

    return column(p.V, map(loss, p.ks))


CLAIM = Claim(
    id="GDT-0075",
    revision=1,
    title="The mean training loss of the chain-of-thought layer, in closed form at any V₃₁ and W₁₃",
    statement=r"""Let $V_{31}=V$, $W_{13}=W$, $w_{24}=-1$ and all other blocks be zero, the entries of $X$
$(d\times n)$ and $w_*$ independent standard normals, $S=\frac1nXX^T$, $Q=I-\eta S$, $P_i=I-Q^i$,
$R_i=\eta SQ^i$ for $i<k$, $R_k=Q^k$, $F=\sum_iP_i$, $G=\sum_iP_i^2$ and $K=\sum_iP_iR_i$ over $i=0,\dots,k$.
The mean of the loss of eq. (5) is, for all $V$ and $W$,
$$L=\tfrac12\operatorname{tr}VA(W)V^T-\operatorname{tr}VB(W)+\tfrac12r,$$
$$\begin{aligned}A(W)={}&(a_0+a_2)WW^T+(a_1+a_3)\bigl(W^2+W^{T2}+(W+W^T)\operatorname{tr}W\bigr)+2a_3W^TW\\
&+\bigl(a_2\|W\|_F^2+a_3(\operatorname{tr}W)^2+a_3\operatorname{tr}W^2\bigr)I
-(\alpha_F+\beta_F)(W+W^T)-2\beta_F\operatorname{tr}(W)I+cI,\\
B(W)={}&\alpha_KW+\beta_K(W^T+\operatorname{tr}(W)I)-I,\end{aligned}$$
with $c=(k+1)\frac{n+d+1}n$, $r=d-2E\operatorname{tr}K$ and any solutions of
$$\begin{pmatrix}d^2&4d&2d&8\\d&d^2+d+2&2&4d+4\\d&4&d^2+d&4d+4\\1&2d+2&d+1&d^2+3d+4\end{pmatrix}
\begin{pmatrix}a_0\\a_1\\a_2\\a_3\end{pmatrix}=\frac1dE\begin{pmatrix}(\operatorname{tr}S)^2\operatorname{tr}G\\
\operatorname{tr}S\operatorname{tr}SG\\\operatorname{tr}S^2\operatorname{tr}G\\\operatorname{tr}S^2G
\end{pmatrix},$$
$$\begin{pmatrix}d&2\\1&d+1\end{pmatrix}\begin{pmatrix}\alpha_F&\alpha_K\\\beta_F&\beta_K\end{pmatrix}=
\frac1dE\begin{pmatrix}\operatorname{tr}S\operatorname{tr}SF&\operatorname{tr}S\operatorname{tr}K\\
\operatorname{tr}S^2F&\operatorname{tr}SK\end{pmatrix},$$
all of whose means follow from the moments $E\operatorname{tr}S^j$. The mean over the whole layer is taken for
$k=0$ and $1$ at all $n$, $d$ and $\eta$, and for $k=2$ where $n=1$ or $d=1$. For every $k$ the form follows
from the simplified loss, as the law of $S$ is that of $USU^T$ for every orthogonal $U$. The source calls the
moments that it needs hard to obtain in closed form, and bounds them.""",
    source=Source(key="huang2025transformers", locator="eqs. (5) and (6); Section 4 on the closed form"),
    ours=True,
    assumptions=(
        Assumption(
            name="standard normal inputs and teacher",
            statement="The entries of X and w* are independent standard normals.",
            violation=Variant(name="w* of covariance 4I", lhs=partial(mean_loss, scale=2)),
        ),
    ),
    problem=PopulationTraining,
    example=PopulationTraining.smallest,
    lhs=mean_loss,
    rhs=closed_form,
    mutants=(
        Mutant(
            name="E S² = I",
            kind=MutantKind.DROPPED,
            rhs=partial(closed_form, change=lambda p, a: replace(a, c=a.c * p.n / (p.n + p.d + 1))),
        ),
        Mutant(
            name="W transposed",
            kind=MutantKind.TRANSPOSED,
            rhs=partial(closed_form, W=lambda p: p.W.T),
        ),
    ),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
