"""Exact moments of Wishart matrices W = X Xᵀ and of S = W / n, for integers, fractions and symbols n and d.

Every function is exact: what comes is an int or a fraction for plain n and d, an element of their ring or
field, or an expression, if not said otherwise.
"""

from gdtheory.wishart.complex_traces import complex_trace_moment
from gdtheory.wishart.covariance import (
    covariance_trace_moment,
    matrix_moment,
    matrix_moment_expression,
    moment_table,
    sandwich_mean,
)
from gdtheory.wishart.invariant import power_moment, sandwich_coefficients, sandwich_moment, weingarten
from gdtheory.wishart.inverse import inverse_matrix_moment, inverse_trace_moment, least_squares_risk
from gdtheory.wishart.mixed import contraction, mixed_coefficients, mixed_moment
from gdtheory.wishart.one_row import trace_moments, zonal_trace_moment
from gdtheory.wishart.sampling import sample_bidiagonal, sample_gd_error, sample_wishart
from gdtheory.wishart.traces import trace_moment

__all__ = [
    "complex_trace_moment",
    "contraction",
    "covariance_trace_moment",
    "inverse_matrix_moment",
    "inverse_trace_moment",
    "least_squares_risk",
    "matrix_moment",
    "matrix_moment_expression",
    "mixed_coefficients",
    "mixed_moment",
    "moment_table",
    "power_moment",
    "sample_bidiagonal",
    "sample_gd_error",
    "sample_wishart",
    "sandwich_coefficients",
    "sandwich_mean",
    "sandwich_moment",
    "trace_moment",
    "trace_moments",
    "weingarten",
    "zonal_trace_moment",
]
