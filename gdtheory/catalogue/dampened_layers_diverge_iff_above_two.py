"""Recurrent gradient-descent layers, dampened, diverge on a task if and only if a step overshoots it."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import gd_step_weights, lsa_layer, regression_tokens
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.exact import rank
from gdtheory.matrices import is_positive_semidefinite
from gdtheory.namespace import Array, Scalar, as_objects, namespace
from gdtheory.problems import DampenedTask


def all_teachers(p: DampenedTask) -> Array:
    """Return the identity: one output per coordinate, so that every teacher is a mixture of them."""
    return namespace(p.X).eye(p.N_x)


def first_coordinate(p: DampenedTask) -> Array:
    """Return the teacher that reads the first input."""
    return namespace(p.X).split(all_teachers(p), (1, p.N_x - 1))[0]


def losses(p: DampenedTask, W_star: Array, count: int, lambda_: Scalar) -> list[Scalar]:
    """Return the sums of squared residuals of the context after 0, 1, … layers, P multiplied by λ."""
    xp = namespace(p.X)
    N_y = W_star.shape[0]
    weights = gd_step_weights(xp.zeros(N_y, p.N_x), p.eta * lambda_, p.N)
    tokens = regression_tokens(p.X, W_star @ p.X, xp.zeros(p.N_x, 1), xp.zeros(N_y, p.N_x))
    context, _ = xp.split(tokens, (p.N, 1), axis=1)
    found = []
    for _ in range(count):
        found.append(xp.squared_norm(xp.split(context, (p.N_x, N_y))[1]))
        context = lsa_layer(context, context, weights)
    return found


def losses_grow(p: DampenedTask, teacher: Any = all_teachers, lambda_of: Any = lambda p: p.lambda_) -> Array:
    r"""Return 1 if the losses grow beyond all bounds with the depth, else 0; the first 2 N_x of them tell.

    The losses are :math:`\ell_k=\sum_i c_i\mu_i^k`, at most N_x distinct :math:`\mu_i\ge0`, :math:`c_i\ge0`.
    With the Vandermonde vectors :math:`v_i=(1,\mu_i,\ldots)`, which are independent,
    :math:`(\ell_{a+b}-\ell_{a+b+1})_{a,b<N_x}=\sum_i c_i(1-\mu_i)v_iv_i^T` has a negative eigenvalue if and
    only if some :math:`\mu_i>1` has :math:`c_i>0`.
    """
    n = p.N_x
    found = losses(p, teacher(p), 2 * n, lambda_of(p))
    falls = as_objects([found[a + b] - found[a + b + 1] for a in range(n) for b in range(n)], (n, n))
    return as_objects([0 if is_positive_semidefinite(falls) else 1], (1, 1))


def above(A: Array, threshold: int = 2) -> bool:
    """Whether λ_max(A) exceeds the threshold."""
    return not is_positive_semidefinite(namespace(A).eye(len(A)) * threshold - A)


def at_or_above_two(A: Array) -> bool:
    """Whether λ_max(A) ≥ 2."""
    return above(A) or rank(namespace(A).eye(len(A)) * 2 - A) < len(A)


def trace_above_two(A: Array) -> bool:
    """Whether the sum of the eigenvalues exceeds 2."""
    return bool(namespace(A).trace(A) > 2)


def overshoots(p: DampenedTask, exceeds: Any = above, count: Any = lambda p: p.N) -> Array:
    """Return 1 if λ η λ_max(S) > 2, or λ η < 0 and S ≠ 0, else 0."""
    A = p.X @ p.X.T * (p.lambda_ * p.eta / count(p))
    negative = p.lambda_ * p.eta < 0 and not namespace(A).is_zero(A)
    return as_objects([1 if negative or exceeds(A) else 0], (1, 1))


CLAIM = Claim(
    id="GDT-0050",
    revision=1,
    title="Dampened layers applied again and again diverge on a task iff λ·η·λ_max(S) is above 2 or below 0",
    statement=r"""Let the layer of GDT-0001 with $W_0=0$ and $P$ multiplied by $\lambda$ be applied $k$
times to a context $X\in\mathbb R^{N_x\times N}$ with $Y=W^*X$, and let $S=XX^T/N$. The sum of the squared
residuals is $\ell_k=N\operatorname{tr}W^*(I-\lambda\eta S)^{2k}S\,{W^*}^T$. If $W^*$ does not vanish on
the eigenspace of $\lambda_{\max}(S)$ (as almost every $W^*$ does not, nor $W^*=I$, which averages over
teachers $w\sim\mathcal N(0,I)$), then $\ell_k\to\infty$ if and only if $\lambda\eta\lambda_{\max}(S)>2$
or $\lambda\eta\lambda_{\max}(S)<0$. Whatever $W^*$ is, if neither holds, no loss exceeds the one before.
The first $2N_x$ losses decide.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.6", knowls=(7,)),
    ours=True,
    assumptions=(
        Assumption(
            name="the leading direction is taught",
            statement="W* does not vanish on the eigenspace of λ_max(S).",
            violation=Variant(
                name="a teacher that reads the first input only",
                lhs=partial(losses_grow, teacher=first_coordinate),
            ),
        ),
    ),
    problem=DampenedTask,
    example=DampenedTask.one_sided,
    lhs=losses_grow,
    rhs=overshoots,
    mutants=(
        Mutant(
            name="diverges above 1",
            kind=MutantKind.FACTOR,
            rhs=partial(overshoots, exceeds=partial(above, threshold=1)),
        ),
        Mutant(
            name="diverges at 2 already",
            kind=MutantKind.INDEX,
            rhs=partial(overshoots, exceeds=at_or_above_two),
        ),
        Mutant(
            name="S without 1/N",
            kind=MutantKind.FACTOR,
            rhs=partial(overshoots, count=lambda p: 1),
        ),
        Mutant(
            name="the layers are not dampened",
            kind=MutantKind.DROPPED,
            lhs=partial(losses_grow, lambda_of=lambda p: 1),
        ),
        Mutant(
            name="the trace in place of the largest eigenvalue",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(overshoots, exceeds=trace_above_two),
        ),
    ),
    uses=("GDT-0003",),
    waived={
        "derived": "a verdict is not a matrix expression; `losses_grow` says how it is derived",
        "generic": "free indeterminates have no order",
        "float": "on the verge of divergence no rounded verdict is certain",
    },
)
