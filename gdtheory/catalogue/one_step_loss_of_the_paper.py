"""The mean loss of one step on the tasks of the source, in numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from gdtheory.definition import Claim, Erratum, Mutant, MutantKind, Source
from gdtheory.namespace import Scalar
from gdtheory.problems import LearningRate
from gdtheory.reference.moments import Uniform
from gdtheory.reference.population import one_step_error, trace_S2

D = 10


def mean_loss(
    p: LearningRate, b: str = "1/2", N: int = D, half: int = 2, fourth: Any = lambda law: law.moment(4)
) -> Scalar:
    """Return the mean loss for inputs uniform on (-b, b), by their moments."""
    law = Uniform(b)
    m_2 = law.moment(2)
    return one_step_error(p.eta, D, m_2, trace_S2(D, N, m_2, fourth(law))) / half


def in_numbers(p: LearningRate) -> Scalar:
    """Return 245/1188 + 11/1920 (η - 200/33)²."""
    distance = p.eta - Fraction(200, 33)
    return distance * distance * Fraction(11, 1920) + Fraction(245, 1188)


CLAIM = Claim(
    id="GDT-0053",
    revision=1,
    title="On the source's tasks one step has the mean loss 245/1188 + 11/1920 (η - 200/33)²",
    statement=r"""In the setting of GDT-0043 with inputs uniform on $(-\frac12,\frac12)$, $d=N=10$ and
half the squared error, one step with learning rate $\eta$ has the mean loss
$\frac{245}{1188}+\frac{11}{1920}\bigl(\eta-\frac{200}{33}\bigr)^2$: $\frac5{12}\approx0.417$ at $\eta=0$,
and $\frac{245}{1188}\approx0.206$ at best, at $\eta=\frac{200}{33}\approx6.06$. This is the convention in
which the loss of a trained layer is about 0.20.""",
    source=Source(key="vonoswald2023transformers", locator="Section 3 and Appendix A.12", knowls=(6, 10)),
    ours=True,
    problem=LearningRate,
    example=LearningRate.smallest,
    lhs=mean_loss,
    rhs=in_numbers,
    mutants=(
        Mutant(name="eleven pairs", kind=MutantKind.INDEX, lhs=partial(mean_loss, N=11)),
        Mutant(
            name="the fourth moment of normal inputs",
            kind=MutantKind.FACTOR,
            lhs=partial(mean_loss, fourth=lambda law: 3 * law.moment(2) ** 2),
        ),
        Mutant(name="inputs uniform on (-1, 1)", kind=MutantKind.WRONG_INPUT, lhs=partial(mean_loss, b="1")),
    ),
    errata=(
        Erratum(
            name="inputs on (-1, 1), without the half",
            locator="Section 3 and Appendix A.12",
            printed="x ~ U(-1, 1), the loss is the mean of ‖ŷ - y‖², and one step has a loss of about 0.20",
            why="With these the least mean loss of one step is 490/297 ≈ 1.65. The figures' 0.20 is that of "
            "inputs on (-1/2, 1/2) and half the squared error.",
            lhs=partial(mean_loss, b="1", half=1),
        ),
    ),
    uses=("GDT-0043", "GDT-0044"),
    waived={"float": "the mean is computed exactly and nothing computes it in floats"},
)
