"""A query that attends to itself misses the gradient-descent step by an explicit error."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.lsa import (
    gd_step_weights,
    lsa_layer,
    lsa_layer_folded,
    regression_tokens,
)
from gdtheory.definition import Assumption, Claim, Kernel, Mutant, MutantKind, Source, Variant
from gdtheory.kernels import lsa_layer_compiled
from gdtheory.namespace import Array, namespace
from gdtheory.problems import Regression
from gdtheory.reference.regression import gd_step


def prediction(
    p: Regression, layer: Any = lsa_layer, normaliser: Any = lambda p: p.N, masked: bool = False
) -> Array:
    """Return minus the query's y-part after a layer in which all N + 1 tokens attend."""
    xp = namespace(p.X)
    everything = regression_tokens(p.X, p.Y, p.x_query, p.W_0)
    context, query = xp.split(everything, (p.N, 1), axis=1)
    weights = gd_step_weights(p.W_0, p.eta, normaliser(p))
    updated = layer(query, context if masked else everything, weights)
    return -xp.split(updated, (p.N_x, p.N_y))[1]


def gd_prediction_and_error(p: Regression, factor: int = -2) -> Array:
    """Return the prediction of gradient descent, less (η/N) 2 W_0 x ‖x‖²."""
    W_1 = gd_step(p.W_0, p.X, p.Y, p.eta)
    error = p.W_0 @ p.x_query * namespace(p.X).squared_norm(p.x_query) * (p.eta * factor / p.N)
    return W_1 @ p.x_query + error


CLAIM = Claim(
    id="GDT-0002",
    revision=1,
    title="A query that attends to itself errs by exactly -(η/N)·2W₀x‖x‖²",
    statement=r"""In the setting of GDT-0001, let keys and values come from all $N+1$ tokens, the query
$(x,-W_0x)$ among them. Then minus the $y$-part of the query token after the layer is
$(W_0+\Delta W)x-\frac{2\eta}N\|x\|^2\,W_0x$. So for $\eta\ne0$ the layer still performs the
gradient-descent step if and only if $\|x\|^2\,W_0x=0$.""",
    source=Source(key="vonoswald2023transformers", locator="Proposition 1", knowls=(1,)),
    ours=True,
    assumptions=(
        Assumption(
            name="query attends",
            statement="The query is among the keys and values.",
            violation=Variant(name="the query is masked", lhs=partial(prediction, masked=True)),
        ),
    ),
    problem=Regression,
    example=Regression.smallest,
    lhs=prediction,
    rhs=gd_prediction_and_error,
    kernel=Kernel(
        run=partial(prediction, layer=lsa_layer_compiled), form=partial(prediction, layer=lsa_layer_folded)
    ),
    mutants=(
        Mutant(
            name="the error has the other sign",
            kind=MutantKind.SIGN,
            rhs=partial(gd_prediction_and_error, factor=2),
        ),
        Mutant(
            name="the error counts the query once",
            kind=MutantKind.FACTOR,
            rhs=partial(gd_prediction_and_error, factor=-1),
        ),
        Mutant(
            name="P divides by N + 1",
            kind=MutantKind.INDEX,
            lhs=partial(prediction, normaliser=lambda p: p.N + 1),
        ),
    ),
    uses=("GDT-0001",),
)
