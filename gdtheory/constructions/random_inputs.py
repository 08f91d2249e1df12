"""Matrices of random inputs. Their entries are independent normals, over which the verb `mean` averages."""

from __future__ import annotations

from typing import Any

from gdtheory.namespace import Array, namespace


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


def power(W: Array, k: int) -> Array:
    """Return the k-th power of a square matrix, an identity for k = 0."""
    result = namespace(W).eye(W.shape[0])
    for _ in range(k):
        result = result @ W
    return result
