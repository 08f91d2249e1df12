"""Chain of thought of one linear attention layer: exact losses in training and in use, and gradient flow."""

from gdtheory.cot.coefficients import Coefficients, loss_coefficients
from gdtheory.cot.comparison import (
    LeastLoss,
    LossRow,
    best_rate,
    best_single_step,
    loss_table,
    winning_range,
)
from gdtheory.cot.eigenvalues import eigenvalue_gradient, eigenvalue_hessian_product, eigenvalue_loss
from gdtheory.cot.evaluation import evaluation_loss, generated_loss
from gdtheory.cot.flow import Flow, Stages, gradient_flow
from gdtheory.cot.generalisation import (
    generalisation_bound,
    generalisation_loss,
    largest_delta,
    population_generalisation_loss,
    sample_generalisation_loss,
)
from gdtheory.cot.looped import earlier_bound_squared, looped_loss, looped_minimum, semicircle_loss
from gdtheory.cot.minimiser import Minimiser, distance_to_gd, scalar_minimiser
from gdtheory.cot.population import (
    certified_gradient,
    certified_loss,
    population_gradient,
    population_hessian_product,
    population_loss,
)

__all__ = [
    "Coefficients",
    "Flow",
    "LeastLoss",
    "LossRow",
    "Minimiser",
    "Stages",
    "best_rate",
    "best_single_step",
    "certified_gradient",
    "certified_loss",
    "distance_to_gd",
    "earlier_bound_squared",
    "eigenvalue_gradient",
    "eigenvalue_hessian_product",
    "eigenvalue_loss",
    "evaluation_loss",
    "generalisation_bound",
    "generalisation_loss",
    "generated_loss",
    "gradient_flow",
    "largest_delta",
    "looped_loss",
    "looped_minimum",
    "loss_coefficients",
    "loss_table",
    "population_generalisation_loss",
    "population_gradient",
    "population_hessian_product",
    "population_loss",
    "sample_generalisation_loss",
    "scalar_minimiser",
    "semicircle_loss",
    "winning_range",
]
