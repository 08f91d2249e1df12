"""Which tasks make gradient descent diverge when it is repeated; von Oswald et al. (2023), Appendix A.6."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdtheory.arguments import float_array, require_finite, whole_number
from gdtheory.matrices import number_like


def diverges(X: Any, eta: float, lambda_: float = 1.0) -> NDArray[np.bool_]:
    r"""Return which tasks diverge: those with :math:`\lambda\eta\lambda_{\max}(S)` above 2 or below 0.

    Parameters
    ----------
    X : array of float, shape (..., N_x, N)
        The inputs of each task, as columns; :math:`S=XX^T/N`.
    eta : float
        Learning rate.
    lambda_ : float
        The factor by which every step is dampened.

    Returns
    -------
    array of bool, shape (...)
        Up to rounding: a task on the verge may count as either. Large and tiny numbers are as good as others.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If X is no array of finite floats with two axes or more and N ≥ 1, or a factor is no finite number.

    Notes
    -----
    Claim GDT-0050.

    Examples
    --------
    With the best learning rate of one step, 200/33, one in thirty of the paper's tasks diverges when the step
    is repeated, and dampened by 3/4 about one in ten thousand.

    >>> X = np.random.default_rng(0).uniform(-1 / 2, 1 / 2, (20000, 10, 10))
    >>> [round(float(diverges(X, 200 / 33, lambda_).mean()), 3) for lambda_ in (1, 0.875, 0.75)]
    [0.033, 0.004, 0.0]
    """
    X = float_array("X", X, min_axes=2)
    require_finite("X", X)
    N = whole_number("N", X.shape[-1], 1)
    whole_number("N_x", X.shape[-2], 1)
    eta, lambda_ = number_like("eta", eta, X), number_like("lambda_", lambda_, X)
    # All numbers are brought near 1 by powers of 2, which are put together last: no product overflows.
    (eta, eta_exponent), (lambda_, lambda_exponent) = np.frexp(eta), np.frexp(lambda_)
    exponent = np.frexp(np.abs(X).max((-2, -1)))[1]
    Z = np.ldexp(X, -exponent[..., None, None])
    largest = np.linalg.eigvalsh(Z @ Z.mT / N)[..., -1] * (eta * lambda_)
    with np.errstate(over="ignore", under="ignore"):
        above = np.ldexp(largest, 2 * exponent + eta_exponent + lambda_exponent) > 2
    return above | (largest < 0)
