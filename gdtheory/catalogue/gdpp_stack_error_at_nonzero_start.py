"""Two GD++ layers that hold a W_0 ≠ 0 err by an explicit term."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.constructions.gdpp import gdpp_step_weights
from gdtheory.constructions.lsa import lsa_layer, regression_tokens
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import GDPlusPlus
from gdtheory.reference.gdpp import gdpp_step, transformed_inputs


def error(p: GDPlusPlus, layers: int = 2) -> Array:
    """Return the tokens after some layers with W_0 less those of as many GD++ steps from W_0."""
    xp = namespace(p.X)
    weights = gdpp_step_weights(p.W_0, p.eta, p.gamma, p.N)
    E = regression_tokens(p.X, p.Y, p.x_query, p.W_0)
    X, x, F, f = p.X, p.x_query, p.W_0 @ p.X, p.W_0 @ p.x_query
    for _ in range(layers):
        context, _ = xp.split(E, (p.N, 1), axis=1)
        E = lsa_layer(E, context, weights)
        X, x, F, f = gdpp_step(X, x, p.Y, F, f, p.eta, p.gamma)
    return E - xp.block([[X, x], [p.Y - (F - p.W_0 @ p.X), -f]])


def first_transformation(p: GDPlusPlus) -> Array:
    """Return X_1."""
    return transformed_inputs(p.X, p.X, p.gamma)


def term(p: GDPlusPlus, sign: int = 1, keys: Any = first_transformation) -> Array:
    """Return (η/N) W_0 (X_1 - X) X_1ᵀ [X_1, x_1] for the y-parts and 0 for the inputs."""
    xp = namespace(p.X)
    inputs = xp.block([[first_transformation(p), transformed_inputs(p.x_query, p.X, p.gamma)]])
    y_parts = p.W_0 @ (first_transformation(p) - p.X) @ keys(p).T @ inputs * (p.eta * sign / p.N)
    return xp.block([[inputs - inputs], [y_parts]])


CLAIM = Claim(
    id="GDT-0019",
    revision=1,
    title="Two GD++ layers that hold W_0 ≠ 0 err by exactly (η/N)·W_0(X_1 - X)X_1ᵀx_1",
    statement=r"""Let every layer of GDT-0017 hold $W_0$, let the query start from $(x,-W_0x)$, and
compare the tokens with those of $\text{GD}^{++}$ as in GDT-0018 from $F_0=W_0X$, $f_0=W_0x$, that is with
$(X_k,\,Y-F_k+W_0X)$ and $(x_k,-f_k)$. After one layer they agree. After two the inputs agree, and the
y-parts of the layers are larger by $$\tfrac\eta
NW_0(X_1-X)X_1^T\,[X_1,x_1]=-\tfrac{\eta\gamma}NW_0XX^TX\,X_1^T\,[X_1,x_1], \qquad[X_1,x_1]=(I-\gamma
XX^T)[X,x],$$ so the prediction is lower by this term at $x_1$: the second layer computes its residuals as
$W_0X_1$ less the targets, which were shifted along $W_0X$. Two layers are exact if and only if the term
vanishes, as it does for $W_0=0$ and for $\gamma=0$ or $\eta=0$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.10", knowls=(2,)),
    ours=True,
    assumptions=(
        Assumption(
            name="two layers",
            statement="There are two layers; one makes no such error.",
            violation=Variant(name="one layer", lhs=partial(error, layers=1)),
        ),
    ),
    problem=GDPlusPlus,
    example=GDPlusPlus.smallest,
    lhs=error,
    rhs=term,
    mutants=(
        Mutant(
            name="the other sign",
            kind=MutantKind.SIGN,
            rhs=partial(term, sign=-1),
        ),
        Mutant(
            name="Xᵀ in place of X_1ᵀ",
            kind=MutantKind.STALE,
            rhs=partial(term, keys=lambda p: p.X),
        ),
    ),
    uses=("GDT-0017", "GDT-0018"),
)
