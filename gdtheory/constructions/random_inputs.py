"""Matrices of random inputs. Their entries are independent normals, over which the verb `mean` averages."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

from gdtheory.arguments import listed, plain_count, whole_number
from gdtheory.matrices import matrices
from gdtheory.namespace import Array, Scalar, namespace

LARGEST = 1000
"""The largest number of columns, and the largest power."""


def inputs(like: Array, d: Any, n: Any) -> Array:
    """Return X of shape (d, n) with standard normal entries, over the kind of number of `like`."""
    return namespace(like).normal("X", d, n)


def uncentred_inputs(like: Array, d: Any, n: Any) -> Array:
    """Return X of shape (d, n) with normal entries of mean 1: not what the moments are stated for."""
    return inputs(like, d, n) + namespace(like).ones(d, n)


def equal_inputs(like: Array, d: Any, n: Any) -> Array:
    """Return X of shape (d, n) with n times the same column: not what the moments are stated for."""
    return inputs(like, d, 1) @ namespace(like).ones(1, whole_number("n", n, 1, LARGEST))


def gram(X: Array) -> Array:
    """Return W = X Xᵀ."""
    (X,) = matrices(X=(X, "d", "n"))
    return X @ X.T


def complex_gram(A: Array, B: Array) -> Array:
    """Return W = X Xᴴ of X = (A + iB) / √2, as the real matrix [[Re W, -Im W], [Im W, Re W]]."""
    A, B = matrices(A=(A, "d", "n"), B=(B, "d", "n"))
    X = namespace(A).block([[A, -B], [B, A]])
    return X @ X.T / 2


def power(W: Array, k: int) -> Array:
    """Return the k-th power of a square matrix, an identity for k = 0."""
    (W,) = matrices(W=(W, "d", "d"))
    result = namespace(W).eye(W.shape[0])
    for _ in range(plain_count("k", k, 0, LARGEST)):
        result = result @ W
    return result


def trace_product(W: Array, powers: Iterable[int]) -> Scalar:
    """Return the product of the traces of the given powers of a square matrix, 1 for none."""
    (W,) = matrices(W=(W, "d", "d"))
    return prod(namespace(W).trace(power(W, k)) for k in listed("powers", powers, "whole numbers"))
