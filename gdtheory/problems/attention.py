"""Linear self-attention layers with any weights."""

from __future__ import annotations

from gdtheory.inputs import matrix
from gdtheory.namespace import Array
from gdtheory.records import Axis, Problem, record


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
