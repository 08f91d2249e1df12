"""Matrices of random inputs. Their entries are independent normals, over which the verb `mean` averages."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import Any

from gdtheory.namespace import Array, Scalar, namespace


def inputs(like: Array, d: Any, n: Any) -> Array:
    """Return X of shape (d, n) with standard normal entries, over the kind of number of `like`."""
    return namespace(like).normal("X", d, n)


def uncentred_inputs(like: Array, d: Any, n: Any) -> Array:
    """Return X of shape (d, n) with normal entries of mean 1: not what the moments are stated for."""
    return inputs(like, d, n) + namespace(like).ones(d, n)


def equal_inputs(like: Array, d: Any, n: Any) -> Array:
    """Return X of shape (d, n) with n times the same column: not what the moments are stated for."""
    return inputs(like, d, 1) @ namespace(like).ones(1, n)


def gram(X: Array) -> Array:
    """Return W = X Xᵀ."""
    return X @ X.T


def complex_gram(A: Array, B: Array) -> Array:
    """Return W = X Xᴴ of X = (A + iB) / √2, as the real matrix [[Re W, -Im W], [Im W, Re W]]."""
    X = namespace(A).block([[A, -B], [B, A]])
    return X @ X.T * Fraction(1, 2)


def power(W: Array, k: int) -> Array:
    """Return the k-th power of a square matrix, an identity for k = 0."""
    result = namespace(W).eye(W.shape[0])
    for _ in range(k):
        result = result @ W
    return result


def trace_product(W: Array, powers: Iterable[int]) -> Scalar:
    """Return the product of the traces of the given powers of a square matrix, 1 for none."""
    return prod(namespace(W).trace(power(W, k)) for k in powers)
