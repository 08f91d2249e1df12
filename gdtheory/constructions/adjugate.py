r"""Inverses of random matrices, as polynomials: V = W⁻¹ = adj(W) / det W.

The density of a Wishart matrix W with n degrees of freedom is a multiple of
det(W)^((n-d-1)/2) e^(-tr Σ⁻¹W/2), so that to divide by a power of det W lowers n: for n - 2k > d - 1,

.. math::
    E_n\, \frac{f(W)}{(\det W)^k}
    = \frac{E_{n-2k} f(W)}{(\det \Sigma)^k} \prod_{j=1}^k \prod_{i=1}^d \frac{1}{n - 2j - i + 1}.
"""

from __future__ import annotations

import math

from gdtheory.namespace import Array, namespace


def adjugate(W: Array) -> Array:
    """Return adj(W), with W adj(W) = det(W) I, for a square matrix of numbers.

    Notes
    -----
    The recursion of Faddeev and Le Verrier.

    Examples
    --------
    >>> import numpy as np
    >>> adjugate(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[ 4., -2.],
           [-3.,  1.]])
    """
    xp, d = namespace(W), W.shape[0]
    M = xp.eye(d)
    for j in range(1, d):
        M = W @ M - xp.eye(d) * (xp.trace(W @ M) / j)
    return M * (-1) ** (d - 1)


def lowering_factor(n: int, d: int, k: int) -> int:
    """Return 1 / E (det W)^(-k) for Σ = I, the product over j ≤ k and i ≤ d of n - 2j - i + 1.

    Examples
    --------
    >>> lowering_factor(6, 2, 1)  # 4 · 3
    12
    """
    return math.prod(n - 2 * j - i + 1 for j in range(1, k + 1) for i in range(1, d + 1))
