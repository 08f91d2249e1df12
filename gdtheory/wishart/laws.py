"""The arguments that the moments of a Wishart law with a covariance take, checked."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from gdtheory.arguments import listed, whole_number
from gdtheory.errors import ArgumentError, DTypeError, ShapeError, shown
from gdtheory.matrices import is_positive_semidefinite, matrix
from gdtheory.namespace import Array
from gdtheory.wishart.sizes import Number, home_of, in_its_field, is_plain, size

Partition = tuple[int, ...]
"""The parts of μ, from the smallest to the largest."""


def checked_powers(r: int, parts: Iterable[int], max_degree: int) -> tuple[int, Partition]:
    """Return r and the sorted parts, or raise if one is no power or the degree is too large."""
    powers = [r, *listed("parts", parts, "a list of whole numbers")]
    for name, power in zip(["r"] + ["parts"] * (len(powers) - 1), powers, strict=True):
        if getattr(power, "free_symbols", None):
            raise DTypeError(name, expected="a whole number", got=shown(power))
        whole_number(name, power, 0)
    if sum(powers) > max_degree:
        raise ArgumentError("parts", expected=f"r + sum(parts) at most {max_degree}", got=sum(powers))
    r, *rest = map(int, powers)
    return r, tuple(sorted(rest))


def covariance(Sigma: Any, *, definite: bool = False) -> Array:
    """Return Sigma as an array, or raise if it is known not to be a covariance (of full rank)."""
    Sigma = matrix("Sigma", Sigma, ("d", "d"), {})
    if not isinstance(Sigma, np.ndarray):
        raise DTypeError("Sigma", expected="a NumPy array", got=type(Sigma).__name__)
    if not Sigma.size:
        raise ShapeError("Sigma", expected="shape (d, d), d > 0", got=f"shape {Sigma.shape}")
    if not (Sigma == Sigma.T).all():
        raise ArgumentError("Sigma", expected="a symmetric matrix, as (S + S.T) / 2 is", got=Sigma)
    exact = Sigma.dtype == object
    if exact and not all(isinstance(entry, Fraction) for entry in Sigma.flat):
        return Sigma
    is_covariance = is_positive_semidefinite if exact else _is_covariance_in_floats
    if not is_covariance(Sigma, definite=definite):
        kind = "definite" if definite else "semidefinite"
        raise ArgumentError("Sigma", expected=f"a positive {kind} matrix", got=Sigma)
    return Sigma


def _is_covariance_in_floats(Sigma: Array, *, definite: bool) -> bool:
    """Whether the eigenvalues have the right sign, those within rounding errors of 0 counting as 0."""
    smallest, *_, largest = np.linalg.eigvalsh(Sigma)[[0, -1]]
    tolerance = len(Sigma) * np.finfo(Sigma.dtype).eps * largest
    return bool(smallest > tolerance if definite else smallest >= -tolerance)


def plain_or_symbolic(name: str, value: Number) -> Number:
    """Return n or d, which may not be an irrational number: nothing is known of its order."""
    number = size(name, value)
    if getattr(number, "is_number", False):
        raise DTypeError(name, expected="an integer, a fraction or something with symbols", got=shown(value))
    return number


def degrees_of_freedom(n: Number, Sigma: Array) -> Number:
    """Return n, or raise if there is no such Wishart law or n does not go with the entries of Sigma."""
    n, d = plain_or_symbolic("n", n), len(Sigma)
    if is_plain(n):
        if n <= d - 1 and (n.denominator > 1 or n < 1):
            raise ShapeError("n", expected=f"a whole number from 1 on, or above d - 1 = {d - 1}", got=n)
        return n
    n = in_its_field(n)
    home = home_of(n)
    if not all(isinstance(x, Fraction) or (home and home_of(x) == home) for x in Sigma.flat):
        with_symbols = ", or symbols of its field" if Sigma.dtype == object else ", as it holds floats"
        raise DTypeError("n", expected=f"a number beside this Sigma{with_symbols}", got=shown(n))
    return n
