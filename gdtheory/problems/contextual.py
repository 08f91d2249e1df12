"""Contextual blocks: an arbitrary contextual layer, then a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self, TypeVar

from gdtheory.errors import DegenerateContextError
from gdtheory.functions import centre, identity, inversion, relu, square
from gdtheory.inputs import count, function, matrix, prefixes, subsets, table
from gdtheory.namespace import Array, namespace
from gdtheory.records import Axis, Problem, record

ACTIVATIONS = (identity, relu, square)
NORMALISATIONS = (inversion, centre, identity)

Tabulated = TypeVar("Tabulated", bound="ContextualBlock | TokenStream")


def with_zero_outputs(p: Tabulated) -> Tabulated:
    """Return the problem with a layer whose output is always zero."""
    return replace(p, A={key: entry * 0 for key, entry in p.A.items()})


def nonzero_outputs(A: dict[Any, Array]) -> list[Any]:
    """Return the keys whose output is not zero: what a weight update can rest on.

    Raises
    ------
    DegenerateContextError
        If there is none.
    """
    found = [key for key, output in A.items() if not namespace(output).is_zero(output)]
    if not found:
        raise DegenerateContextError("A", expected="a non-zero output", got="zero on every sub-context")
    return found


@record
class ContextualBlock(Problem):
    """A block T_W(C, x) = f(W A(C, x) + b) on an arbitrary contextual layer A.

    With the query x fixed, a contextual layer is exactly a function from the subsets of the context
    to vectors. `A` tabulates it: ``A[kept]`` is A(kept tokens, x).
    """

    d = Axis()
    d_ff = Axis()

    n: int = count(minimum=1)
    A: dict[Any, Array] = table(matrix("d", 1), subsets, "n")
    W: Array = matrix("d_ff", "d")
    b: Array = matrix("d_ff", 1)
    f: Callable[[Array], Array] = function(*ACTIVATIONS)

    @classmethod
    def zero_output(cls) -> Self:
        """Return a block whose layer always gives the zero vector."""
        return with_zero_outputs(cls.smallest())

    @property
    def rests(self) -> list[Any]:
        """The keys of the sub-contexts C∖Y on which the layer's output is not zero."""
        return nonzero_outputs(self.A)

    @property
    def C(self) -> Any:
        """The key of the whole context."""
        return max(self.A, key=len)


@record
class PromptedBlock(ContextualBlock):
    """A contextual block, and its layer's output when the query x is left out of the prompt."""

    A_without_x: Array = matrix("d", 1)


@record
class UpdatedBlock(ContextualBlock):
    """A contextual block, and any matrix of the shape of W."""

    M: Array = matrix("d_ff", "d")


@record
class SkipBlock(ContextualBlock):
    """A block T(C, x) = x + A(C, x) + W' f(W A(C, x) + b) + b' with skip connections."""

    x: Array = matrix("d", 1)
    W_out: Array = matrix("d", "d_ff")
    b_out: Array = matrix("d", 1)


@record
class PreLNBlock(SkipBlock):
    """A Pre-LN block T(C, x) = v + W' f(W LN(v) + b) + b' on v = x + A(C, x), for any normalisation."""

    normalise: Callable[[Array], Array] = function(*NORMALISATIONS)

    @property
    def rests(self) -> list[Any]:
        """The keys of all sub-contexts; the transfer refuses those whose normalised stream is zero.

        Which these are cannot be told from floats, so they are not left out as in other blocks.
        """
        return list(self.A)


@record
class TokenStream(Problem):
    """An arbitrary contextual layer on every prefix of a context of n tokens: A[i] = A(c_1..c_i, x)."""

    d = Axis()
    d_ff = Axis()

    n: int = count(minimum=1)
    A: dict[Any, Array] = table(matrix("d", 1), prefixes, "n")
    W_0: Array = matrix("d_ff", "d")

    @classmethod
    def zero_output(cls) -> Self:
        """Return a layer that always gives the zero vector."""
        return with_zero_outputs(cls.smallest())
