"""The inputs of the claims. Tokens are columns, as in the papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self, TypeVar

from gdtheory.errors import DegenerateContextError
from gdtheory.functions import centre, identity, inversion, relu, square
from gdtheory.inputs import count, function, matrix, number, prefixes, subsets, table
from gdtheory.namespace import Array, Scalar, namespace
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
class Regression(Problem):
    """Linear regression in context: N pairs (x_i, y_i), a query, and one gradient-descent step."""

    N = Axis()
    N_x = Axis()
    N_y = Axis()

    W_0: Array = matrix("N_y", "N_x")
    X: Array = matrix("N_x", "N")
    Y: Array = matrix("N_y", "N")
    x_query: Array = matrix("N_x", 1)
    eta: Scalar = number()


@record
class RegressionSteps(Regression):
    """Linear regression in context with K gradient-descent steps."""

    K: int = count()


@record
class ShiftedWeights(Problem):
    """A linear model W on N pairs (x_i, y_i), and a change of its weights."""

    N = Axis()
    N_x = Axis()
    N_y = Axis()

    W: Array = matrix("N_y", "N_x")
    Delta_W: Array = matrix("N_y", "N_x")
    X: Array = matrix("N_x", "N")
    Y: Array = matrix("N_y", "N")


@record
class ChainOfThought(Problem):
    """Regression examples (X, y), m earlier weight tokens and the current one, w.

    The ⋆ entries are what each weight token holds in the slot of the targets.
    """

    n = Axis()
    d = Axis()
    m = Axis(minimum=0)

    X: Array = matrix("d", "n")
    y: Array = matrix(1, "n")
    earlier: Array = matrix("d", "m")
    earlier_star: Array = matrix(1, "m")
    w: Array = matrix("d", 1)
    star: Array = matrix(1, 1)
    eta: Scalar = number()


@record
class Generation(Problem):
    """Regression examples (X, y), a first weight token w_0, and k chain-of-thought steps."""

    n = Axis()
    d = Axis()

    X: Array = matrix("d", "n")
    y: Array = matrix(1, "n")
    w_0: Array = matrix("d", 1)
    eta: Scalar = number()
    k: int = count()


@record
class NoiselessGeneration(Problem):
    """Chain-of-thought generation on targets y = w*ᵀX of a true weight vector w*."""

    n = Axis()
    d = Axis()

    X: Array = matrix("d", "n")
    w_star: Array = matrix("d", 1)
    w_0: Array = matrix("d", 1)
    eta: Scalar = number()
    k: int = count()

    @property
    def y(self) -> Array:
        """The targets w*ᵀX, shape (1, n)."""
        return self.w_star.T @ self.X


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


@record
class Attention(Problem):
    """A linear self-attention layer with any weights, N context tokens and a query, all of D entries."""

    D = Axis()
    N = Axis()

    W_K: Array = matrix("D", "D")
    W_Q: Array = matrix("D", "D")
    W_V: Array = matrix("D", "D")
    P: Array = matrix("D", "D")
    context: Array = matrix("D", "N")
    query: Array = matrix("D", 1)


@record
class TargetAttention(Problem):
    """A layer on tokens (x, y) that reads targets off targets only, and a query (x, 0).

    KQ is W_Kᵀ W_Q and V is P W_V, block by block; the block of V from x to y is zero.
    """

    N = Axis()
    N_x = Axis()
    N_y = Axis()

    KQ_xx: Array = matrix("N_x", "N_x")
    KQ_xy: Array = matrix("N_x", "N_y")
    KQ_yx: Array = matrix("N_y", "N_x")
    KQ_yy: Array = matrix("N_y", "N_y")
    V_xx: Array = matrix("N_x", "N_x")
    V_xy: Array = matrix("N_x", "N_y")
    V_yy: Array = matrix("N_y", "N_y")
    X: Array = matrix("N_x", "N")
    Y: Array = matrix("N_y", "N")
    x_query: Array = matrix("N_x", 1)
