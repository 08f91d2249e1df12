"""Right-hand sides of the claims: what an attention layer is said to equal, one function per equation."""

from gdtheory.reference.regression import gd_step, second_moment, squared_loss, squared_loss_gradient
from gdtheory.reference.token_dynamics import token_gd_step, token_loss_gradient

__all__ = [
    "gd_step",
    "second_moment",
    "squared_loss",
    "squared_loss_gradient",
    "token_gd_step",
    "token_loss_gradient",
]
