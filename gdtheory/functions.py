"""Exact functions of column vectors: activations and normalisations over any kind of number.

A theorem that holds for *any* network or *any* normalisation is tested on these; size-free
derivations put an uninterpreted function in their place. All take a matrix z, in claims a column, and
return one of its shape; what is no matrix of finite numbers is refused by a typed error.
"""

from __future__ import annotations

from gdtheory.errors import DegenerateContextError
from gdtheory.matrices import matrices
from gdtheory.namespace import Array, namespace


def identity(z: Array) -> Array:
    """Return z."""
    (z,) = matrices(z=(z, "d", "columns"))
    return z


def square(z: Array) -> Array:
    """Return the entrywise square of z."""
    (z,) = matrices(z=(z, "d", "columns"))
    return z * z


def relu(z: Array) -> Array:
    """Return the entrywise maximum of z and 0, which has no derivative at 0."""
    (z,) = matrices(z=(z, "d", "columns"))
    return z * (z > 0)


def centre(z: Array) -> Array:
    """Return z less the mean of its entries: a linear, singular normalisation."""
    (z,) = matrices(z=(z, "d", "columns"))
    xp = namespace(z)
    rows, _ = z.shape
    return z - xp.ones(rows, rows) @ z / rows


def inversion(z: Array) -> Array:
    """Return z/‖z‖²: a non-linear normalisation; 0 is refused with a DegenerateContextError."""
    (z,) = matrices(z=(z, "d", "columns"))
    xp = namespace(z)
    if xp.is_zero(z):
        raise DegenerateContextError("z", expected="a non-zero vector", got="the zero vector")
    return z / xp.squared_norm(z)
