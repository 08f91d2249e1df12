"""The evaluation loss as a function of the number of steps: it falls for a while at most."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from gdtheory.cot.evaluation import binomial_mean, evaluation_loss
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Relation, Source, Variant
from gdtheory.namespace import Array, as_objects
from gdtheory.problems import EvaluationSteps
from gdtheory.wishart.one_row import trace_moments

LEAST = Fraction("0.09884"), Fraction("0.09885")


def loss(p: EvaluationSteps, later: int = 0) -> Fraction:
    """Return L(steps + later)."""
    return evaluation_loss(p.n, p.d, p.steps + later, p.eta)


def stated(steps: int) -> Fraction:
    """Return L(steps) at n = 20, d = 10 and η = 2/5."""
    return evaluation_loss(20, 10, steps, "2/5")


def moment(p: EvaluationSteps, power: int) -> Fraction:
    """Return ½ E tr (I - ηS)^power."""
    return binomial_mean(trace_moments(power, p.n, p.d), -p.eta / p.n) / 2


def middle(p: EvaluationSteps, half: Fraction = Fraction(1), later: int = 0) -> Array:
    """Return L(s)², and L(19), L(19), 0.09884 and L(19) for the stated values."""
    return as_objects([(loss(p, later) / half) ** 2, stated(19), stated(19), LEAST[0], stated(19)], (5,))


def outer(p: EvaluationSteps, after: int = 1) -> Array:
    """Return L(s - 1) L(s + 1), and L(18), L(20), L(19) and 0.09885 for the stated values."""
    product = loss(p, -1) * loss(p, after)
    return as_objects([product, stated(18), stated(20), stated(19), LEAST[1]], (5,))


CLAIM = Claim(
    id="GDT-0070",
    revision=1,
    title="The evaluation loss is log-convex in the steps: once it has not fallen, it never falls again",
    statement=r"""Let $L(s)=\frac12E\operatorname{tr}(I-\eta S)^{2s}$ be the loss of $s=k+1$ steps (GDT-0069).
For all $n$, $d$, $\eta$ and $s\ge1$, $$L(s)^2\le L(s-1)\,L(s+1).$$ $L(s)$ is the $s$-th moment of the
eigenvalues of $(I-\eta S)^2$, which are not negative, so this is the inequality of Cauchy and Schwarz. Hence
$L(s+1)/L(s)$ never falls with $s$: if $L$ falls at all, it falls up to some $s$ and never falls again. For
$\eta\ne0$ the eigenvalues have no bound, so the ratio has none either and $L$ grows beyond every geometric
sequence. At $n=20$, $d=10$ and $\eta=\frac25$ it is least for $k=18$, with $0.09884\le L(19)\le0.09885$.""",
    source=Source(key="huang2025transformers", locator="eq. (9) and Theorem 3.2"),
    ours=True,
    assumptions=(
        Assumption(
            name="even powers",
            statement="The loss is the mean of a trace of even powers of I - ηS.",
            violation=Variant(
                name="powers 2s - 1, 2s and 2s + 1",
                lhs=lambda p: moment(p, 2 * p.steps) ** 2,
                rhs=lambda p: moment(p, 2 * p.steps - 1) * moment(p, 2 * p.steps + 1),
            ),
        ),
    ),
    problem=EvaluationSteps,
    example=EvaluationSteps.smallest,
    relation=Relation.AT_MOST,
    lhs=middle,
    rhs=outer,
    mutants=(
        Mutant(name="L(s - 1) L(s)", kind=MutantKind.INDEX, rhs=partial(outer, after=0)),
        Mutant(name="L(s - 1) L(s + 1) ≤ L(s)²", kind=MutantKind.ORDER, lhs=outer, rhs=middle),
        Mutant(name="L without its half", kind=MutantKind.FACTOR, lhs=partial(middle, half=Fraction(1, 2))),
        Mutant(name="L(s + 1)²", kind=MutantKind.INDEX, lhs=partial(middle, later=1)),
    ),
    errata=(
        Erratum(
            name="more tokens always lower the loss",
            locator="below Theorem 4.2",
            printed='"the inference step number k′ in this theorem can go beyond the training CoT steps k, '
            'achieving better estimation for w*"',
            why="At fixed n, d and η the loss falls up to some k at most and then grows without bound: rare "
            "examples have an eigenvalue of S beyond 2/η. What is shown is for n and k' that grow with d.",
            lhs=partial(loss, later=1),
            rhs=loss,
        ),
    ),
    uses=("GDT-0069",),
)
