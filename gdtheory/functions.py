"""Exact functions of column vectors: activations and normalisations over any kind of number.

A theorem that holds for *any* network or *any* normalisation is tested on these; size-free
derivations put an uninterpreted function in their place. All take a matrix z and refuse what is none, or
holds no finite numbers, by a typed error. They return a matrix of the shape of z, but for `features` and
`constant`, which change the number of rows.
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


def features(z: Array) -> Array:
    """Return z above its entrywise square: from d entries to 2d, column by column."""
    (z,) = matrices(z=(z, "d", "columns"))
    return namespace(z).block([[z], [z * z]])


def constant(z: Array) -> Array:
    """Return the single entry 1 for every column, which tells no two columns apart."""
    (z,) = matrices(z=(z, "d", "columns"))
    return namespace(z).ones(1, z.shape[1])
