"""A generated chain of thought is the sequence of gradient-descent iterates."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.conventions import HuangWeights, last_token
from gdtheory.constructions.cot import (
    append_token,
    append_token_folded,
    cot_weights,
    prompt,
    weights_of,
)
from gdtheory.definition import (
    Assumption,
    Claim,
    Erratum,
    Iteration,
    Kernel,
    Mutant,
    MutantKind,
    Source,
    Variant,
)
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, namespace
from gdtheory.problems import Generation
from gdtheory.reference.regression import gd_step


def construction(p: Generation, w_24: int = -1) -> HuangWeights:
    """Return the weights of eq. (8)."""
    return cot_weights(p.d, p.eta, w_24=w_24, like=p.X)


append_token_compiled = partial(append_token_folded, layer=lsa_layer_compiled)


def append(
    p: Generation,
    Z: Array,
    k: Any,
    weights: Any = construction,
    n: Any = lambda p: p.n,
    layer: Any = append_token,
) -> Array:
    """Return the prompt with the generated token appended."""
    return layer(Z, weights(p), n(p))


def append_from_first(p: Generation, Z: Array, k: Any) -> Array:
    """Return the prompt with the token that the first prompt generates appended."""
    first = prompt(p.X, p.y, p.w_0)
    return namespace(Z).block([[Z, construction(p).next_token(first, p.n)]])


def generated_weights(p: Generation, Z: Array) -> Array:
    """Return w_0 and all generated weight vectors, (d, k+2)."""
    examples_and_tokens = namespace(Z).split(Z, (p.n, Z.shape[1] - p.n), axis=1)
    return weights_of(examples_and_tokens[1], p.d)


def generation(step: Any = append) -> Iteration[Generation, Array]:
    """Return k generated tokens and the final output."""
    return Iteration(
        start=lambda p: prompt(p.X, p.y, p.w_0),
        step=step,
        read=generated_weights,
        count=lambda p: p.k + 1,
    )


def append_iterate(p: Generation, iterates: Array, k: Any) -> Array:
    """Return the iterates with the next one appended."""
    w = last_token(iterates)
    return namespace(iterates).block([[iterates, gd_step(w.T, p.X, p.y, p.eta).T]])


def late(p: Generation, iterates: Array) -> Array:
    """Return the iterates with the last one twice."""
    return namespace(iterates).block([[iterates, last_token(iterates)]])


def gradient_descent(
    count: Any = lambda p: p.k + 1,
    start: Any = lambda p: p.w_0,
    read: Any = lambda p, iterates: iterates,
) -> Iteration[Generation, Array]:
    """Return the iterates w_0, ..., w_{k+1} as columns."""
    return Iteration(start=start, step=append_iterate, read=read, count=count)


CLAIM = Claim(
    id="GDT-0009",
    revision=1,
    title="A generated chain of thought is the sequence of gradient-descent iterates",
    statement=r"""Start from examples $X\in\mathbb R^{d\times n}$, any targets $y\in\mathbb R^{1\times n}$,
and the weight token of any $w_0$. With the weights of GDT-0008, $k\ge0$ generated tokens and the final
output carry $w_1,\dots,w_{k+1}$, where $w_{i+1}=w_i-\frac\eta nX(X^Tw_i-y^T)$: $k$ tokens make $k+1$
steps. (Printed for $w_0=0$ and $y=w_*^TX$.)""",
    source=Source(key="huang2025transformers", locator="(Inference) and the proof of eq. (9)"),
    assumptions=(
        Assumption(
            name="w_24 = -1",
            statement="The entry of W that meets the targets is frozen at -1.",
            violation=Variant(
                name="w_24 = -2",
                lhs=generation(partial(append, weights=partial(construction, w_24=-2))),
            ),
        ),
    ),
    problem=Generation,
    example=Generation.smallest,
    lhs=generation(),
    rhs=gradient_descent(),
    kernel=Kernel(
        run=generation(partial(append, layer=append_token_compiled)),
        form=generation(partial(append, layer=append_token_folded)),
    ),
    mutants=(
        Mutant(
            name="every token is generated from the first",
            kind=MutantKind.STALE,
            lhs=generation(append_from_first),
        ),
        Mutant(
            name="divides by n + 1",
            kind=MutantKind.FACTOR,
            lhs=generation(partial(append, n=lambda p: p.n + 1)),
        ),
        Mutant(
            name="gradient descent starts at zero",
            kind=MutantKind.DROPPED,
            rhs=gradient_descent(start=lambda p: p.w_0 * 0),
        ),
    ),
    errata=(
        Erratum(
            name="the final prediction after k steps is ŵ_k",
            locator="paragraph before (Inference)",
            printed='"we allow the transformer to generate k steps before it outputs the final '
            'prediction ŵ_k"',
            why="After k generated tokens the prompt is Ẑ_k, whose output is ŵ_{k+1}, as the paper itself "
            "defines it eight lines further on: k tokens make k + 1 steps.",
            rhs=gradient_descent(count=lambda p: p.k, read=late),
        ),
    ),
    uses=("GDT-0008",),
)
