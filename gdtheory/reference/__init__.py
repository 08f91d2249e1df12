"""Right-hand sides of the claims: what an attention layer is said to equal, one function per equation."""

from gdtheory.reference.centred import centred, centred_gd_step, column_mean
from gdtheory.reference.dampening import diverges
from gdtheory.reference.gdpp import (
    best_gamma,
    condition_number,
    condition_number_on_interval,
    gdpp_step,
    transformed_inputs,
)
from gdtheory.reference.kernel_regression import (
    gaussian_kernel,
    inner_product_kernel,
    kernel_gd_step,
    kernel_least_squares,
    nadaraya_watson,
)
from gdtheory.reference.merging import copy_weight
from gdtheory.reference.minima import least_gd_loss, least_gdpp_loss, least_loss_of_degree
from gdtheory.reference.moments import Gaussian, ThreePoint, Uniform, trace_power
from gdtheory.reference.population import (
    expected_trace,
    loss_at,
    loss_of_rates,
    loss_polynomial,
    one_step_loss,
    one_step_optimum,
)
from gdtheory.reference.regression import (
    gd_prediction,
    gd_step,
    second_moment,
    squared_loss,
    squared_loss_gradient,
)
from gdtheory.reference.softmax_expansion import (
    first_order_error_bound,
    heads_error_bound,
    opposite_heads_error_bound,
    softmax_first_order,
)
from gdtheory.reference.token_dynamics import token_gd_step, token_loss_gradient

__all__ = [
    "Gaussian",
    "ThreePoint",
    "Uniform",
    "best_gamma",
    "centred",
    "centred_gd_step",
    "column_mean",
    "condition_number",
    "condition_number_on_interval",
    "copy_weight",
    "diverges",
    "expected_trace",
    "first_order_error_bound",
    "gaussian_kernel",
    "gd_prediction",
    "gd_step",
    "gdpp_step",
    "heads_error_bound",
    "inner_product_kernel",
    "kernel_gd_step",
    "kernel_least_squares",
    "least_gd_loss",
    "least_gdpp_loss",
    "least_loss_of_degree",
    "loss_at",
    "loss_of_rates",
    "loss_polynomial",
    "nadaraya_watson",
    "one_step_loss",
    "one_step_optimum",
    "opposite_heads_error_bound",
    "second_moment",
    "softmax_first_order",
    "squared_loss",
    "squared_loss_gradient",
    "token_gd_step",
    "token_loss_gradient",
    "trace_power",
    "transformed_inputs",
]
