"""Exact moments of Wishart matrices W = X Xᵀ and of S = W / n, X having independent columns N(0, Σ).

Every function is exact: what comes is an int or a fraction for plain n and d, an element of their ring or
field, or an expression, if not said otherwise.

========================================  ==========================================================
`trace_moment(parts, n, d)`               E ∏ tr W^parts, for Σ = I
`trace_moments(k_max, n, d)`              E tr W^k for all k up to `k_max`
`zonal_trace_moment(k, n, d)`             E tr W^k by a closed form
`complex_trace_moment(parts, n, d)`       E ∏ tr W^parts of complex normal X
`power_moment(k, n, d)`                   E S^k, the factor of I
`sandwich_moment(i, j, D, n)`             E S^i D S^j
`mixed_moment(f, g, h, A, B, C, n)`       E tr f(S) A g(S) B h(S) C for polynomials f, g and h
`matrix_moment(r, parts, Sigma, n)`       E W^r ∏ tr W^parts, for any Σ
`covariance_trace_moment(parts, …)`       E ∏ tr W^parts, for any Σ
`sandwich_mean(A, Sigma, n)`              E W A W, for any Σ
`inverse_matrix_moment(r, parts, …)`      E W^-r ∏ tr W^-parts, for any Σ
`inverse_trace_moment(parts, n, d)`       E ∏ tr W^-parts, for Σ = I
`least_squares_risk(n, d)`                E ‖ŵ - w*‖² of least squares
`sample_wishart(n, d, size)`              samples of W, for any Σ
`sample_gd_error(n, d, steps, eta, …)`    samples of the squared error of gradient descent
========================================  ==========================================================

The coefficients that these are made of are in `moment_table`, `matrix_moment_expression`,
`sandwich_coefficients`, `mixed_coefficients`, `contraction` and `weingarten`.
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
