"""One softmax self-attention layer computes the Nadaraya-Watson estimate."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gdtheory.constructions.conventions import y_part
from gdtheory.constructions.kernel_smoothing import nadaraya_watson_weights, smoothing_tokens
from gdtheory.constructions.lsa import LSAWeights, lsa_layer
from gdtheory.constructions.softmax import softmax_layer
from gdtheory.definition import EXPONENTIALS, Assumption, Claim, Erratum, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, namespace
from gdtheory.problems import KernelSmoothing
from gdtheory.reference.kernel_regression import gaussian_kernel, nadaraya_watson


def construction(p: KernelSmoothing) -> LSAWeights:
    """Return the weights of a Gaussian kernel of bandwidth h."""
    return nadaraya_watson_weights(p.N_x, p.N_y, p.h, like=p.X)


def without_norms(p: KernelSmoothing) -> LSAWeights:
    """Return the weights without ‖x_i‖² in the keys: scores x_iᵀx / h²."""
    xp, weights = namespace(p.X), construction(p)
    inputs, _ = xp.split(weights.W_K, (p.N_x, 2 + p.N_y))
    return replace(weights, W_K=xp.block([[inputs], [xp.zeros(2 + p.N_y, p.N_x + 2 + p.N_y)]]))


def smoothed(
    p: KernelSmoothing, weights: Any = construction, layer: Any = softmax_layer, query_attends: bool = False
) -> Array:
    """Return the query's y-part after the layer; it starts at zero."""
    E = smoothing_tokens(p.X, p.Y, p.x_query)
    context, query = namespace(E).split(E, (p.N, 1), axis=1)
    return y_part(layer(query, E if query_attends else context, weights(p)), p.N_y)


def estimate(p: KernelSmoothing) -> Array:
    """Return Σ y_i k_h(x_i, x) / Σ k_h(x_i, x)."""
    return nadaraya_watson(p.X, p.Y, p.x_query, p.h)


def unnormalised(p: KernelSmoothing) -> Array:
    """Return Σ y_i k_h(x_i, x)."""
    return p.Y @ gaussian_kernel(p.X, p.x_query, p.h)


def scaled(factor: Any) -> Any:
    """Return the construction with every score multiplied."""
    return lambda p: replace(construction(p), W_Q=construction(p).W_Q * factor(p))


CLAIM = Claim(
    id="GDT-0031",
    revision=1,
    title="One softmax self-attention layer computes the Nadaraya-Watson estimate",
    statement=r"""For $x_i\in\mathbb R^{N_x}$, $y_i\in\mathbb R^{N_y}$, $i\le N$, a query $x$ and any
$h\ne0$, take the tokens $e_i=(x_i,\|x_i\|^2,1,y_i)$ and $e=(x,\|x\|^2,1,0)$. One layer $e\leftarrow
e+PW_VC\,\mathrm{softmax}\big((W_KC)^TW_Qe\big)$ on $C=(e_1,\dots,e_N)$, with the scores
$(W_Ke_i)^TW_Qe=\frac{x_i^Tx}{h^2}-\frac{\|x_i\|^2}{2h^2}$, the values $W_Ve_i=(0,0,0,y_i)$ and $P=I$,
adds to the query's y-part exactly the Nadaraya-Watson estimate
$\sum_iy_i\,k_h(x_i,x)\big/\sum_ik_h(x_i,x)$ with the Gaussian kernel $k_h(u,v)=e^{-\|u-v\|^2/(2h^2)}$.""",
    source=Source(key="vonoswald2023transformers", locator="Appendix A.8, on Proposition 2", knowls=(3,)),
    ours=True,
    assumptions=(
        Assumption(
            name="query masked",
            statement="Keys and values come from the N context tokens, not from the query.",
            violation=Variant(name="the query attends to itself", lhs=partial(smoothed, query_attends=True)),
        ),
        Assumption(
            name="‖x_i‖² in the tokens",
            statement="The tokens hold ‖x_i‖², which a score that is linear in a token cannot make.",
            violation=Variant(name="keys without ‖x_i‖²", lhs=partial(smoothed, weights=without_norms)),
        ),
    ),
    problem=KernelSmoothing,
    example=KernelSmoothing.smallest,
    lhs=smoothed,
    rhs=estimate,
    mutants=(
        Mutant(
            name="h in place of h²",
            kind=MutantKind.FACTOR,
            lhs=partial(smoothed, weights=scaled(lambda p: p.h)),
        ),
        Mutant(
            name="the distance without its 1/2",
            kind=MutantKind.FACTOR,
            lhs=partial(smoothed, weights=scaled(lambda p: 2)),
        ),
        Mutant(
            name="the scores are +‖x_i - x‖²/(2h²)",
            kind=MutantKind.SIGN,
            lhs=partial(smoothed, weights=scaled(lambda p: -1)),
        ),
        Mutant(
            name="linear attention with the same weights",
            kind=MutantKind.DROPPED,
            lhs=partial(smoothed, layer=lsa_layer),
        ),
    ),
    errata=(
        Erratum(
            name="no normaliser",
            locator="Appendix A.8, on Proposition 2",
            printed="a single self-attention layer or Transformer block can be regarded as doing "
            "nonparametric kernel smoothing ŷ = Σ y_i k(x_i, x_test) … (Nadaraya, 1964; Watson, 1964)",
            why="The Nadaraya-Watson estimate is, for any kernel, that sum divided by Σ k(x_i, x). This "
            "depends on the query, so no factor such as η/N can stand for it; the softmax divides by it.",
            rhs=unnormalised,
        ),
    ),
    waived=EXPONENTIALS,
)
