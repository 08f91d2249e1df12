"""Chain of thought of one linear attention layer: exact losses in training and in use, and gradient flow.

k generated tokens are k + 1 steps: `k` counts tokens, `steps` and `s` count steps.

==============================================  ====================================================
`best_single_step(n, d)`                        best rate and loss without chain of thought
`evaluation_loss(n, d, steps, eta)`             loss of so many gradient-descent steps, eq. (9)
`generated_loss(v, w, n, d, steps)`             the same of a layer with V = vI and W = wI
`winning_range(n, d, eta)`                      the k for which chain of thought beats one step
`best_rate(n, d, steps)`                        the best learning rate, and its loss
`loss_table(ns, ds, ks, etas)`                  these losses, and that of a looped layer, side by side
`looped_loss(n, d, L, a)`, `looped_minimum`     loss of L loops, and the least
`generalisation_loss(Sigma, n, steps, eta)`     loss on inputs N(0, Σ), for few steps
`sample_generalisation_loss(Sigma, …)`          the same for any number of steps, from samples
`population_loss(V, W, n, k, eta)`              training loss of any V and W
`population_gradient`, `…_hessian_product`      its derivatives
`eigenvalue_loss(v, w, n, k, eta)`              the same where V and W share their eigenvectors
`certified_loss`, `certified_gradient`          the same with bounds on the rounding errors
`scalar_minimiser(n, d, k, eta)`                the least training loss of V = vI and W = wI
`distance_to_gd(n, d, k, eta)`                  how far that is from the weights (-η, 1)
`gradient_flow(V0, W0, n, k, eta)`              training from V0 and W0
==============================================  ====================================================
"""

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
