"""The weight update that replaces a part of a context has rank one, or zero."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.definition import Assumption, Claim, Erratum, Mutant, MutantKind, Refusal, Source
from gdtheory.errors import DegenerateContextError
from gdtheory.exact import rank
from gdtheory.functions import identity
from gdtheory.namespace import Array, namespace
from gdtheory.problems import ContextualBlock


def ranks(p: ContextualBlock, update: Any = weight_transfer) -> Array:
    """Return the rank of ΔW(Y) for every part Y of the context."""
    return np.array([rank(update(p.W, p.A[p.C], p.A[rest])) for rest in p.rests], dtype=object)


def one_where_it_acts(p: ContextualBlock, effect: Any = lambda W, Delta_A: W @ Delta_A) -> Array:
    """Return 1 for every part Y with W ΔA(Y) ≠ 0, else 0."""
    is_zero = namespace(p.W).is_zero
    effects = [effect(p.W, p.A[p.C] - p.A[rest]) for rest in p.rests]
    return np.array([0 if is_zero(e) else 1 for e in effects], dtype=object)


def either(W: Array, Delta_A: Array) -> Array:
    """Return W where ΔA is not zero, else ΔA."""
    return Delta_A if namespace(W).is_zero(Delta_A) else W


def by_columns(W: Array, A_full: Array, A_rest: Array) -> Array:
    """Return an update that scales every column of W by its own entry of ΔA."""
    return W * (A_full - A_rest).T


def partly_unseen() -> ContextualBlock:
    """Return a block whose W sees what one token does, and not what both do together."""
    A: dict[frozenset[int], list[list[int]]] = {
        frozenset(): [[1], [1]],
        frozenset({0}): [[2], [1]],
        frozenset({1}): [[1], [2]],
        frozenset({0, 1}): [[2], [2]],
    }
    return ContextualBlock.exact(n=2, A=A, W=[[1, -1]], b=[[0]], f=identity)


CLAIM = Claim(
    id="GDT-0012",
    revision=1,
    title="The weight update of a context has rank 1, or 0 where the context does not act",
    statement=r"""In the setting of GDT-0011, $\operatorname{rank}\Delta W(Y)\le1$, with
$\operatorname{rank}\Delta W(Y)=1$ if and only if $W\,\Delta A(Y)\ne0$.""",
    source=Source(key="dherin2025learning", locator="Theorem 2.2"),
    assumptions=(
        Assumption(
            name="non-zero output",
            statement="A(C∖Y, x) is not the zero vector.",
            violation=Refusal(problem=ContextualBlock.zero_output, error=DegenerateContextError),
        ),
    ),
    problem=ContextualBlock,
    example=partly_unseen,
    lhs=ranks,
    rhs=one_where_it_acts,
    mutants=(
        Mutant(
            name="every column of W is scaled by itself",
            kind=MutantKind.WRONG_INPUT,
            lhs=partial(ranks, update=by_columns),
        ),
        Mutant(
            name="rank 1 if and only if ΔA ≠ 0",
            kind=MutantKind.DROPPED,
            rhs=partial(one_where_it_acts, effect=lambda W, Delta_A: Delta_A),
        ),
        Mutant(
            name="rank 1 if and only if W ≠ 0 and ΔA ≠ 0",
            kind=MutantKind.FACTOR,
            rhs=partial(one_where_it_acts, effect=either),
        ),
    ),
    errata=(
        Erratum(
            name="rank 1 always",
            locator="Theorem 2.2 and Corollary 2.3.1",
            printed="ΔW(Y) has rank 1, since W ΔA(Y) is a column vector and A(C∖Y, x)ᵀ is a row vector",
            why="A column times a row has rank 0 where one of them is zero: for Y = ∅, and for every Y that "
            "W does not see, W ΔA(Y) = 0.",
            rhs=partial(one_where_it_acts, effect=lambda W, Delta_A: Delta_A * 0 + 1),
        ),
    ),
    uses=("GDT-0011",),
    waived={
        "derived": "a rank is not a matrix expression; that ΔW is a column times a row is its formula",
        "generic": "free indeterminates have generic rank only, and the claim is about every value",
        "float": "rank is not continuous, so a rounded matrix has no certified rank",
    },
)
