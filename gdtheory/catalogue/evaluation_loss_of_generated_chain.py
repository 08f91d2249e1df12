"""The evaluation loss of generated chains of thought, by the moments of a Wishart matrix."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from gdtheory.constructions.cot import cot_weights
from gdtheory.constructions.generation import mean_squared_distance
from gdtheory.constructions.random_inputs import inputs
from gdtheory.cot.evaluation import binomial_mean, evaluation_loss
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Scalar, namespace
from gdtheory.problems import GeneratedChain
from gdtheory.wishart.one_row import trace_moments

HALF = Fraction(1, 2)


def generated(
    p: GeneratedChain, w_24: int = -1, stretch: int = 1, shift: int = 0, half: Fraction = HALF
) -> Scalar:
    """Return half the mean squared error of the final output of the layer of eq. (8)."""
    xp = namespace(p.like)
    X = inputs(p.like, p.d, p.n) * stretch
    w_star = xp.normal("w*", p.d, 1) + xp.ones(p.d, 1) * shift
    layer = cot_weights(p.d, p.eta, w_24=w_24, like=p.like)
    return mean_squared_distance(layer, X, w_star, xp.zeros(p.d, 1), p.steps) * half


def by_moments(p: GeneratedChain, later: int = 0, more: int = 0, sign: int = 1) -> Scalar:
    """Return ½ E tr (I - ηS)^{2 steps}; the library's function takes no symbols."""
    steps, n, eta = p.steps + later, p.n + more, p.eta * sign
    if isinstance(eta, Fraction):
        return evaluation_loss(n, p.d, steps, eta)
    return binomial_mean(trace_moments(2 * steps, n, p.d), -eta / n) * HALF


CLAIM = Claim(
    id="GDT-0069",
    revision=1,
    title="The loss after k generated tokens is ½ E tr (I - ηS)^(2k+2), a sum of moments of a Wishart matrix",
    statement=r"""Let the layer of eq. (8) generate $k$ weight tokens from $w_0=0$ on $n$ examples with
targets $w_*^TX$, where all entries of $X$ and $w_*$ are independent and standard normal, and let $s=k+1$,
$W=nS=XX^T$. Half the mean squared distance of the final output from $w_*$ is
$$\frac12E\operatorname{tr}(I-\eta S)^{2s} =\frac12\sum_{j=0}^{2s}\binom{2s}j\Bigl(-\frac\eta
n\Bigr)^jE\operatorname{tr}W^j.$$ Held for $s\le2$ at all $n$, $d$ and $\eta$, with the moments as polynomials
in $n$ and $d$; at small sizes for $s=3$. For every $s$ it follows from the closed form of the output
(GDT-0010).""",
    source=Source(key="huang2025transformers", locator="eq. (9)"),
    assumptions=(
        Assumption(
            name="isotropic inputs",
            statement="The inputs are N(0, I).",
            violation=Variant(name="inputs N(0, 4I)", lhs=partial(generated, stretch=2)),
        ),
        Assumption(
            name="teacher of mean zero",
            statement="The teacher has independent entries of mean 0 and variance 1.",
            violation=Variant(name="a teacher of mean (1, ..., 1)", lhs=partial(generated, shift=1)),
        ),
    ),
    problem=GeneratedChain,
    example=GeneratedChain.smallest,
    lhs=generated,
    rhs=by_moments,
    mutants=(
        Mutant(name="the exponent is 2k + 4", kind=MutantKind.INDEX, rhs=partial(by_moments, later=1)),
        Mutant(name="without the half", kind=MutantKind.FACTOR, lhs=partial(generated, half=Fraction(1))),
        Mutant(name="I + ηS", kind=MutantKind.SIGN, rhs=partial(by_moments, sign=-1)),
        Mutant(name="w_24 = +1", kind=MutantKind.SIGN, lhs=partial(generated, w_24=1)),
        Mutant(name="n + 1 inputs", kind=MutantKind.WRONG_INPUT, rhs=partial(by_moments, more=1)),
    ),
    uses=("GDT-0010", "GDT-0054"),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
