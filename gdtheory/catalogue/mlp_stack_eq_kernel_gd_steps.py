"""A map and K linear self-attention layers perform K steps of kernel gradient descent."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import gd_step_weights
from gdtheory.constructions.token_maps import mapped_tokens
from gdtheory.definition import Assumption, Claim, Iteration, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import KernelRegressionSteps
from gdtheory.reference.kernel_regression import inner_product_kernel, kernel_gd_step


def tokens(p: KernelRegressionSteps, W_0: Any = KernelRegressionSteps.zero_model) -> Array:
    """Return the tokens (m(x_j), y_j) and (m(x), -W_0 m(x)) before the first layer."""
    return mapped_tokens(p.X, p.Y, p.x_query, W_0(p), p.m)


def update(
    p: KernelRegressionSteps,
    E: Array,
    k: Any,
    W_0: Any = KernelRegressionSteps.zero_model,
    frozen_context: bool = False,
) -> Array:
    """Return all tokens after layer k."""
    updated = gd_step_weights(W_0(p), p.eta, p.N).layer(E)
    if frozen_context:
        xp = namespace(E)
        context, _ = xp.split(E, (p.N, 1), axis=1)
        return xp.block([[context, xp.split(updated, (p.N, 1), axis=1)[1]]])
    return updated


def update_and_map(p: KernelRegressionSteps, E: Array, k: Any) -> Array:
    """Return all tokens after layer k and one more map of the features that they hold."""
    xp = namespace(E)
    sizes = E.shape[0] - p.N_y, p.N_y
    features, targets = xp.split(update(p, E, k, lambda p: xp.zeros(p.N_y, sizes[0])), sizes)
    Phi, phi = xp.split(features, (p.N, 1), axis=1)
    return xp.block([[p.m(Phi), p.m(phi)], [targets]])


def y_parts(p: KernelRegressionSteps, E: Array) -> Array:
    """Return the y-parts of all tokens, (N_y, N + 1)."""
    return namespace(E).split(E, (E.shape[0] - p.N_y, p.N_y))[1]


def stack(step: Any = update, start: Any = tokens) -> Iteration[KernelRegressionSteps, Array]:
    """Return the map once, then K layers."""
    return Iteration(start=start, step=step, read=y_parts, count=lambda p: p.K)


def zero_function(p: KernelRegressionSteps) -> Array:
    """Return the values of f_0 = 0 at x_1, ..., x_N and x."""
    xp = namespace(p.X)
    return xp.block([[xp.zeros(p.N_y, p.N), xp.zeros(p.N_y, 1)]])


def descend(
    p: KernelRegressionSteps,
    F: Array,
    k: Any,
    m: Any = lambda p: p.m,
    factor: Any = lambda p: 1,
) -> Array:
    """Return the values of f_{k+1} at x_1, ..., x_N and x."""
    Phi, phi = m(p)(p.X), m(p)(p.x_query)
    G = inner_product_kernel(Phi, namespace(Phi).block([[Phi, phi]]))
    return kernel_gd_step(F, p.Y, G, p.eta * factor(p))


def negative_residuals(p: KernelRegressionSteps, F: Array) -> Array:
    """Return y_j - f(x_j) for the context and -f(x) for the query."""
    xp = namespace(F)
    return xp.block([[p.Y, xp.zeros(p.N_y, 1)]]) - F


def kernel_descent(
    step: Any = descend, count: Any = lambda p: p.K
) -> Iteration[KernelRegressionSteps, Array]:
    """Return the y-parts that belong to the function after K steps."""
    return Iteration(start=zero_function, step=step, read=negative_residuals, count=count)


CLAIM = Claim(
    id="GDT-0029",
    revision=1,
    title="A token-wise map and K linear self-attention layers perform K steps of kernel gradient descent",
    statement=r"""For any map $m:\mathbb R^{N_x}\to\mathbb R^D$ let $k(u,v)=m(u)^Tm(v)$, and let $f_0=0$
and $f_{k+1}(\cdot)=f_k(\cdot)-\frac\eta N\sum_{i\le N}(f_k(x_i)-y_i)\,k(x_i,\cdot)$. On the tokens
$(m(x_j),y_j)$ and $(m(x),0)$, $K\ge0$ layers of GDT-0001, all with $W_0=0\in\mathbb R^{N_y\times D}$,
turn the y-part of every context token into $y_j-f_K(x_j)$ and that of the query into $-f_K(x)$. So the
features enter through the values of the kernel alone.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 2 and Appendix A.8", knowls=(3,)),
    ours=True,
    assumptions=(
        Assumption(
            name="W_0 = 0",
            statement="The model before the first step is zero, in W_V and in the query token.",
            violation=Variant(
                name="W_0 = Σ y_i m(x_i)ᵀ",
                lhs=stack(
                    partial(update, W_0=KernelRegressionSteps.nonzero_model),
                    partial(tokens, W_0=KernelRegressionSteps.nonzero_model),
                ),
            ),
        ),
        Assumption(
            name="one map",
            statement="The map acts once, before the first layer: later MLPs leave the features as they are.",
            violation=Variant(name="the map acts before every layer", lhs=stack(update_and_map)),
        ),
        Assumption(
            name="context updated",
            statement="The context tokens go through every layer too.",
            violation=Variant(
                name="only the query goes through the layers",
                lhs=stack(partial(update, frozen_context=True)),
            ),
        ),
    ),
    problem=KernelRegressionSteps,
    example=KernelRegressionSteps.smallest,
    lhs=stack(),
    rhs=kernel_descent(),
    mutants=(
        Mutant(
            name="K layers are K + 1 steps",
            kind=MutantKind.INDEX,
            rhs=kernel_descent(count=lambda p: p.K + 1),
        ),
        Mutant(
            name="the step without 1/N",
            kind=MutantKind.FACTOR,
            rhs=kernel_descent(partial(descend, factor=lambda p: p.N)),
        ),
        Mutant(
            name="the kernel of the raw inputs",
            kind=MutantKind.WRONG_INPUT,
            rhs=kernel_descent(partial(descend, m=lambda p: lambda x: x)),
        ),
        Mutant(
            name="kernel gradient ascent",
            kind=MutantKind.SIGN,
            rhs=kernel_descent(partial(descend, factor=lambda p: -1)),
        ),
    ),
    uses=("GDT-0001",),
)
