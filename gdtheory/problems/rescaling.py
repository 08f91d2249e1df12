"""Layers whose scale is divided otherwise between keys and values."""

from __future__ import annotations

from gdtheory.inputs import number
from gdtheory.namespace import Scalar
from gdtheory.problems.attention import Attention
from gdtheory.problems.regression import Regression
from gdtheory.records import record


@record
class RescaledAttention(Attention):
    """A linear self-attention layer with any weights, and a factor that moves between its products."""

    beta: Scalar = number(nonzero=True)


@record
class RescaledRegression(Regression):
    """Linear regression in context, and a factor b that moves between the products of the layer."""

    b: Scalar = number(nonzero=True)
