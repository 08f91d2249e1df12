"""Regression on features: a token-wise map before the attention layers, and kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Self

from gdtheory.functions import constant, features, identity, relu, square
from gdtheory.inputs import count, function, matrix, number
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems.regression import Pairs, Regression
from gdtheory.records import Axis, Problem, record

TOKEN_MAPS = (features, square, relu, identity, constant)
RESIDUAL_MAPS = (square, relu, identity)


@record
class ResidualRegression(Regression):
    """Linear regression on m(x) = x + m̃(x), for any map m̃ that keeps the width."""

    m_tilde: Callable[[Array], Array] = function(*RESIDUAL_MAPS)

    @classmethod
    def changed_width(cls) -> Self:
        """Return a problem whose m̃ doubles the width."""
        return replace(cls.smallest(), m_tilde=features)


@record
class KernelRegression(Pairs):
    """Regression on m(x), for any map m into any number D of features, from the model W_0 = 0."""

    eta: Scalar = number()
    m: Callable[[Array], Array] = function(*TOKEN_MAPS, rows="D")

    def zero_model(self) -> Array:
        """Return W_0 = 0, shape (N_y, D)."""
        return namespace(self.X).zeros(self.N_y, self.m(self.x_query).shape[0])

    def nonzero_model(self) -> Array:
        """Return a model that is not zero, W_0 = Σ y_i m(x_i)ᵀ, shape (N_y, D)."""
        return self.Y @ self.m(self.X).T


@record
class KernelRegressionSteps(KernelRegression):
    """Regression on m(x) with K gradient-descent steps."""

    K: int = count()


@record
class FeatureRegression(Problem):
    """Regression on N features, the columns of Φ, and on a query feature Φα in their span, with K steps."""

    D = Axis()
    N = Axis()
    N_y = Axis()

    Phi: Array = matrix("D", "N")
    Y: Array = matrix("N_y", "N")
    alpha: Array = matrix("N", 1)
    eta: Scalar = number()
    K: int = count()


@record
class KernelSmoothing(Pairs):
    """N pairs (x_i, y_i) and a query, to be smoothed with bandwidth h."""

    h: Scalar = number(nonzero=True)
