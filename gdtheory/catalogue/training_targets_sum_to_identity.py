"""What the layer is taught to add to its weight tokens adds up to the teacher."""

from __future__ import annotations

from functools import partial
from typing import Any

from gdtheory.definition import Claim, Iteration, Mutant, MutantKind, Source
from gdtheory.namespace import Array, namespace
from gdtheory.problems import TaughtIncrements

State = tuple[Array, Array]
"""Σ_{j<i} ηS Q^j and Q^i."""


def start(p: TaughtIncrements) -> State:
    """Return 0 and I."""
    xp = namespace(p.S)
    return xp.zeros(p.d, p.d), xp.eye(p.d)


def step(p: TaughtIncrements, state: State, i: Any, late: bool = False, factor: int = 1) -> State:
    """Return both for i + 1, where Q = I - ηS."""
    total, power = state
    next_power = power - p.S @ power * (p.eta * factor)
    return total + p.S @ (next_power if late else power) * p.eta, next_power


def add_last(p: TaughtIncrements, state: State) -> Array:
    """Return Σ_{i<k} ηS Q^i + Q^k."""
    total, power = state
    return total + power


def increments(step: Any = step, read: Any = add_last) -> Iteration[Any, State]:
    """Return Σ_{i<k} ηS Q^i + Q^k."""
    return Iteration(start=start, step=step, read=read, count=lambda p: p.k)


CLAIM = Claim(
    id="GDT-0077",
    revision=1,
    title="The increments that the layer is taught add up to the teacher: Σ_{i<k} ηSQ^i + Q^k = I",
    statement=r"""Let $Q=I-\eta S$. For every square matrix $S$, number $\eta$ and $k\ge0$,
$$\sum_{i=0}^{k-1}\eta SQ^i+Q^k=I.$$ With $S=\frac1nXX^T$ and the iterates $w_i=(I-Q^i)w_*$ from $w_0=0$, the
terms are what the layer is taught to add to its last weight token: $w_{i+1}-w_i=\eta SQ^iw_*$ for $i<k$ and
$w_*-w_k=Q^kw_*$. So the part of the mean loss that is linear in $V_{31}$ alone is
$\operatorname{tr}V_{31}$, whatever $\eta$, $n$ and $k$ are.""",
    source=Source(key="huang2025transformers", locator="eqs. (5) and (6)"),
    ours=True,
    problem=TaughtIncrements,
    example=TaughtIncrements.smallest,
    lhs=increments(),
    rhs=lambda p: namespace(p.S).eye(p.d),
    mutants=(
        Mutant(
            name="without the last step to w*",
            kind=MutantKind.DROPPED,
            lhs=increments(read=lambda p, state: state[0]),
        ),
        Mutant(name="Q^(i+1) for Q^i", kind=MutantKind.INDEX, lhs=increments(partial(step, late=True))),
        Mutant(name="Q = I + ηS", kind=MutantKind.SIGN, lhs=increments(partial(step, factor=-1))),
    ),
)
