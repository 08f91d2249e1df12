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
        Up to rounding: a task on the verge may count as either.

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
    largest = np.linalg.eigvalsh(X @ X.mT / N)[..., -1] * (eta * lambda_)
    return (largest > 2) | (largest < 0)
