"""On noiseless targets the chain of thought has a closed form."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.conventions import last_token
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
from gdtheory.problems import NoiselessGeneration
from gdtheory.reference.regression import second_moment


def first_prompt(p: NoiselessGeneration, target_factor: int = 1) -> Array:
    """Return the examples and the weight token of w_0, (2d+2, n+1)."""
    return prompt(p.X, p.y * target_factor, p.w_0)


append_token_compiled = partial(append_token_folded, layer=lsa_layer_compiled)


def append(p: NoiselessGeneration, Z: Array, k: Any, layer: Any = append_token) -> Array:
    """Return the prompt with the generated token appended."""
    return layer(Z, cot_weights(p.d, p.eta, like=p.X), p.n)


def final_weights(p: NoiselessGeneration, Z: Array) -> Array:
    """Return the weight vector of the last token, (d, 1)."""
    return weights_of(last_token(Z), p.d)


def generation(step: Any = append, start: Any = first_prompt) -> Iteration[Any, Array]:
    """Return k generated tokens and the final output."""
    return Iteration(start=start, step=step, read=final_weights, count=lambda p: p.k + 1)


def contraction(p: NoiselessGeneration, power: Array, k: Any, factor: Any = 1) -> Array:
    """Return (I - ηS) times the power of it so far."""
    return power - second_moment(p.X) @ power * (p.eta * factor)


def approach(p: NoiselessGeneration, power: Array) -> Array:
    """Return w* + (I - ηS)^i (w_0 - w*)."""
    return p.w_star + power @ (p.w_0 - p.w_star)


def closed_form(
    step: Any = contraction, read: Any = approach, count: Any = lambda p: p.k + 1
) -> Iteration[Any, Array]:
    """Return w* + (I - ηS)^{k+1} (w_0 - w*)."""
    return Iteration(start=lambda p: namespace(p.X).eye(p.d), step=step, read=read, count=count)


CLAIM = Claim(
    id="GDT-0010",
    revision=1,
    title="k generated tokens reach w* + (I - ηS)^(k+1) (w₀ - w*)",
    statement=r"""In the setting of GDT-0009 with targets $y=w_*^TX$ and $S=\frac1nXX^T$, the final output
after $k\ge0$ generated tokens carries $\hat w_{k+1}=w_*+(I-\eta S)^{k+1}(w_0-w_*)$; from $w_0=0$ it is
$(I-(I-\eta S)^{k+1})w_*$.""",
    source=Source(key="huang2025transformers", locator="proof of eq. (9)"),
    assumptions=(
        Assumption(
            name="noiseless targets",
            statement="The targets are those of w*.",
            violation=Variant(
                name="the targets are those of 2w*",
                lhs=generation(start=partial(first_prompt, target_factor=2)),
            ),
        ),
    ),
    problem=NoiselessGeneration,
    example=NoiselessGeneration.smallest,
    lhs=generation(),
    rhs=closed_form(),
    kernel=Kernel(
        run=generation(partial(append, layer=append_token_compiled)),
        form=generation(partial(append, layer=append_token_folded)),
    ),
    mutants=(
        Mutant(
            name="the exponent is k",
            kind=MutantKind.INDEX,
            rhs=closed_form(count=lambda p: p.k),
        ),
        Mutant(
            name="w_0 is dropped",
            kind=MutantKind.DROPPED,
            rhs=closed_form(read=lambda p, power: p.w_star - power @ p.w_star),
        ),
        Mutant(
            name="S without 1/n",
            kind=MutantKind.FACTOR,
            rhs=closed_form(step=lambda p, power, k: contraction(p, power, k, factor=p.n)),
        ),
        Mutant(
            name="I + ηS",
            kind=MutantKind.SIGN,
            rhs=closed_form(step=partial(contraction, factor=-1)),
        ),
    ),
    errata=(
        Erratum(
            name="w_{k+1} is w*",
            locator="below eq. (5), against the proof of eq. (9)",
            printed='"f_LSA(Z_{i-1})_{[:,-1]} = (0_d, 0, w_i, 1), i = 1, 2, ..., k+1", after "we denote '
            'w_{k+1} := w* for clarity"',
            why="The last generated token is the (k+1)-st gradient-descent iterate, which reaches w* only "
            "in the limit; the paper gives the name w_{k+1} to two things.",
            rhs=closed_form(read=lambda p, power: p.w_star),
        ),
    ),
    uses=("GDT-0009",),
)
