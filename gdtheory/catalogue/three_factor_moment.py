"""E tr Sⁱ A Sʲ B Sᵏ C for a Wishart matrix: fifteen pairings of six indices, in five classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gdtheory.constructions.random_inputs import equal_inputs, gram, inputs, power
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import ThreeFactors
from gdtheory.wishart import contraction, mixed_coefficients


def mean_of_trace(p: ThreeFactors, X: Callable[..., Array] = inputs) -> Scalar:
    """Return E tr Sⁱ A Sʲ B Sᵏ C by pairing the factors X in all ways."""
    xp, W = namespace(p.A), gram(X(p.A, p.d, p.n))
    i, j, k = p.powers
    A = p.A / p.n ** (i + j + k)
    return xp.mean(xp.trace(power(W, i) @ A @ power(W, j) @ p.B @ power(W, k) @ p.C))


def by_pairings(
    p: ThreeFactors,
    classes: Callable[[tuple[Scalar, ...]], Sequence[Scalar]] = lambda c: c,
    factors: Callable[[ThreeFactors], tuple[Array, ...]] = lambda p: (p.A, p.B, p.C),
) -> Scalar:
    """Return what the five classes of pairings join A, B and C to."""
    f, g, h = ([0] * exponent + [1] for exponent in p.powers)
    return contraction(classes(mixed_coefficients(f, g, h, p.n, p.d)), *factors(p))


CLAIM = Claim(
    id="GDT-0064",
    revision=1,
    title="E tr SⁱASʲBSᵏC is a sum over the 15 pairings of six indices, with five coefficients",
    statement=r"""todo""",
    source=Source(key="collins2006integration", locator="the orthogonal group, six indices"),
    assumptions=(
        Assumption(
            name="standard normal entries",
            statement="The entries of X are independent standard normals.",
            violation=Variant(name="n equal columns", lhs=partial(mean_of_trace, X=equal_inputs)),
        ),
    ),
    problem=ThreeFactors,
    example=ThreeFactors.smallest,
    lhs=mean_of_trace,
    rhs=by_pairings,
    mutants=(
        Mutant(
            name="c_1 and c_2 swapped",
            kind=MutantKind.ORDER,
            rhs=partial(by_pairings, classes=lambda c: (c[0], c[2], c[1], c[3], c[4])),
        ),
        Mutant(
            name="Bᵀ for B",
            kind=MutantKind.TRANSPOSED,
            rhs=partial(by_pairings, factors=lambda p: (p.A, p.B.T, p.C)),
        ),
        Mutant(
            name="c_0 alone",
            kind=MutantKind.DROPPED,
            rhs=partial(by_pairings, classes=lambda c: (c[0], 0, 0, 0, 0)),
        ),
    ),
    uses=("GDT-0054",),
    ours=True,
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
