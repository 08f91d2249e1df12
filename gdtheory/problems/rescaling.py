"""Layers whose scale is divided otherwise between keys and values."""

from __future__ import annotations

from typing import Self

from gdtheory.inputs import number
from gdtheory.namespace import Scalar
from gdtheory.problems.attention import Attention
from gdtheory.problems.regression import Regression
from gdtheory.records import record


@record
class RescaledAttention(Attention):
    """A linear self-attention layer with any weights, and a factor that moves between its products."""

    beta: Scalar = number(nonzero=True)

    @classmethod
    def without_scale(cls) -> Self:
        """Return a problem with β = 0."""
        one = [[1]]
        return cls.exact(W_K=one, W_Q=one, W_V=one, P=one, context=one, query=one, beta=0)


@record
class RescaledRegression(Regression):
    """Linear regression in context, and a factor b that moves between the products of the layer."""

    b: Scalar = number(nonzero=True)
