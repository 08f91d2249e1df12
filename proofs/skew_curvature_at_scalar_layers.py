"""As for the gradient: both sides are linear in the ten coefficients and 1."""

from gdtheory.proofs.population_gradient import equations

__all__ = ["equations"]
