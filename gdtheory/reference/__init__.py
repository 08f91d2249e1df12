"""Right-hand sides of the claims: what an attention layer is said to equal, one function per equation."""

from gdtheory.reference.centred import centred, centred_gd_step, column_mean
from gdtheory.reference.kernel_regression import (
    gaussian_kernel,
    inner_product_kernel,
    kernel_gd_step,
    kernel_least_squares,
    nadaraya_watson,
)
from gdtheory.reference.regression import gd_step, second_moment, squared_loss, squared_loss_gradient
from gdtheory.reference.softmax_expansion import (
    first_order,
    first_order_error,
    heads_error,
    opposite_heads_error,
)
from gdtheory.reference.token_dynamics import token_gd_step, token_loss_gradient

__all__ = [
    "centred",
    "centred_gd_step",
    "column_mean",
    "first_order",
    "first_order_error",
    "gaussian_kernel",
    "gd_step",
    "heads_error",
    "inner_product_kernel",
    "kernel_gd_step",
    "kernel_least_squares",
    "nadaraya_watson",
    "opposite_heads_error",
    "second_moment",
    "squared_loss",
    "squared_loss_gradient",
    "token_gd_step",
    "token_loss_gradient",
]
