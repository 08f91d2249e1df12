r"""The population chain-of-thought loss where V and W have the same orthonormal eigenvectors.

For V = U diag(v) Uᵀ and W = U diag(w) Uᵀ the loss of `gdtheory.cot.population` does not depend on U, and its
gradient has these eigenvectors too. With t = Σ w_i and the coefficients of `gdtheory.cot.coefficients`,

.. math::
    L = \tfrac12 \sum_i A_i v_i^2 - \sum_i B_i v_i + \tfrac12 r, \qquad
    A_i = \kappa w_i^2 + 2 x w_i + y, \quad B_i = \alpha w_i + \beta t - 1,

where :math:`x = \mu t - \phi`, :math:`y = \nu \sum_i w_i^2 + a_3 t^2 - 2 \beta_F t + c`,
:math:`\kappa = a_0 + 2 a_1 + a_2 + 4 a_3`, :math:`\mu = a_1 + a_3`, :math:`\nu = a_2 + a_3`,
:math:`\phi = \alpha_F + \beta_F`, :math:`\alpha = \alpha_K + \beta_K` and :math:`\beta = \beta_K`.
"""

from __future__ import annotations

import numpy as np

from gdtheory.arguments import Rate, whole_number
from gdtheory.cot.coefficients import Coefficients, loss_coefficients
from gdtheory.errors import ShapeError
from gdtheory.matrices import in_range, number_array, require_one_kind
from gdtheory.namespace import Array, Scalar

# ------------------------------------------- for given coefficients, over any kind of number


BLOCK = 2**14
"""Modes at a time, so that what is computed on the way stays in the processor's cache."""


def dot(x: Array, y: Array) -> Scalar:
    """Return Σ x_i y_i; a ledger has no ``@`` for vectors."""
    return x @ y if isinstance(x, np.ndarray) else (x * y).sum()


def greek(a: Coefficients) -> tuple[Scalar, Scalar, Scalar, Scalar, Scalar]:
    """Return κ, μ, ν, φ and α."""
    kappa = a.a0 + a.a1 * 2 + a.a2 + a.a3 * 4
    return kappa, a.a1 + a.a3, a.a2 + a.a3, a.alpha_F + a.beta_F, a.alpha_K + a.beta_K


def shared(w: Array, a: Coefficients) -> tuple[Scalar, Scalar, Scalar]:
    """Return x, y and the offset β t - 1, which are the same for all modes."""
    _, mu, nu, phi, _ = greek(a)
    t = w.sum()
    y = nu * dot(w, w) + a.a3 * t * t - a.beta_F * t * 2 + a.c
    return mu * t - phi, y, a.beta_K * t - 1


def loss(v: Array, w: Array, a: Coefficients) -> Scalar:
    """Return ½ Σ A_i v_i² - Σ B_i v_i + ½ r."""
    kappa, _, _, _, alpha = greek(a)
    x, y, offset = shared(w, a)
    A, B = (w * kappa + x * 2) * w + y, w * alpha + offset
    return (dot(v, A * v - B * 2) + a.r) / 2


def gradient(v: Array, w: Array, a: Coefficients) -> tuple[Array, Array]:
    """Return the derivatives of the loss with respect to v and w."""
    kappa, mu, nu, _, alpha = greek(a)
    x, y, offset = shared(w, a)
    tr_C = dot(v, v)
    by_sums = mu * dot(w * v, v) + (a.a3 * w.sum() - a.beta_F) * tr_C - a.beta_K * v.sum()

    def of_modes(v: Array, w: Array) -> tuple[Array, Array]:
        half_slope = w * kappa + x  # of A_i
        dv = ((half_slope + x) * w + y) * v - (w * alpha + offset)
        return dv, half_slope * (v * v) + w * (nu * tr_C) - v * alpha + by_sums

    if not isinstance(v, np.ndarray) or v.dtype == object:
        return of_modes(v, w)
    dv, dw = np.empty_like(v), np.empty_like(w)
    for start in range(0, len(v), BLOCK):
        part = slice(start, start + BLOCK)
        dv[part], dw[part] = of_modes(v[part], w[part])
    return dv, dw


def hessian_product(v: Array, w: Array, dv: Array, dw: Array, a: Coefficients) -> tuple[Array, Array]:
    """Return the derivative of the gradient in the direction (dv, dw)."""
    kappa, mu, nu, _, alpha = greek(a)
    x, y, _ = shared(w, a)
    t, dt, C, dC = w.sum(), dw.sum(), v * v, v * dv * 2
    tr_C, tr_dC = C.sum(), dC.sum()
    half_slope = w * kappa + x
    half_dy = nu * dot(w, dw) + (a.a3 * t - a.beta_F) * dt
    half_dA = half_slope * dw + w * (mu * dt) + half_dy
    by_sums = mu * (dot(w, dC) + dot(dw, C)) + a.a3 * dt * tr_C - a.beta_K * dv.sum()
    hv = ((half_slope + x) * w + y) * dv + half_dA * v * 2 - (dw * alpha + a.beta_K * dt)
    hw = half_slope * dC + (dw * kappa + mu * dt) * C + w * (nu * tr_dC) + dw * (nu * tr_C) - dv * alpha
    return hv, hw + (by_sums + (a.a3 * t - a.beta_F) * tr_dC)


# -------------------------------------------------------------------- for n, d, k and eta


def eigenvalue_loss(v: Array, w: Array, n: int, k: int, eta: Rate) -> Scalar:
    """Return `population_loss` of matrices with common orthonormal eigenvectors, in O(d) operations.

    Parameters
    ----------
    v, w : array, shape (d,)
        Eigenvalues of V and of W in the order of the eigenvectors: of float32 or float64, exact numbers, or
        an error ledger.
    n, k, eta
        As for `population_loss`.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError, ArgumentError
        As for `population_loss`.

    Notes
    -----
    Huang et al. (2025), eqs. (5) and (6), and Assumption 4.1 for the eigenvectors.

    Examples
    --------
    >>> eigenvalue_loss(np.zeros(10), np.zeros(10), 20, 0, "2/5")
    np.float64(5.0)
    """
    (v, w), a = _checked(n, k, eta, v=v, w=w)
    with np.errstate(all="ignore"):
        return in_range("result", loss(v, w, a))


def eigenvalue_gradient(v: Array, w: Array, n: int, k: int, eta: Rate) -> tuple[Array, Array]:
    """Return the derivatives of `eigenvalue_loss` with respect to v and w, the gradient's eigenvalues.

    Parameters and errors are those of `eigenvalue_loss`; the result is a pair of arrays (d,).

    Examples
    --------
    >>> eigenvalue_gradient(np.zeros(2), np.zeros(2), 20, 3, "2/5")
    (array([1., 1.]), array([0., 0.]))
    """
    (v, w), a = _checked(n, k, eta, v=v, w=w)
    with np.errstate(all="ignore"):
        dv, dw = gradient(v, w, a)
        return in_range("result", dv), in_range("result", dw)


def eigenvalue_hessian_product(
    v: Array, w: Array, dv: Array, dw: Array, n: int, k: int, eta: Rate
) -> tuple[Array, Array]:
    """Return the derivative of `eigenvalue_gradient` in the direction (dv, dw), each of shape (d,).

    Parameters and errors are those of `eigenvalue_loss`; the result is a pair of arrays (d,).

    Examples
    --------
    >>> o, i = np.zeros(2), np.ones(2)
    >>> eigenvalue_hessian_product(o, o, i, o, 20, 3, "2/5")[0]  # 4 (20 + 2 + 1) / 20
    array([4.6, 4.6])
    """
    (v, w, dv, dw), a = _checked(n, k, eta, v=v, w=w, dv=dv, dw=dw)
    with np.errstate(all="ignore"):
        hv, hw = hessian_product(v, w, dv, dw, a)
        return in_range("result", hv), in_range("result", hw)


def _checked(n: int, k: int, eta: Rate, **vectors: Array) -> tuple[list[Array], Coefficients]:
    checked = {name: number_array(name, vector) for name, vector in vectors.items()}
    require_one_kind(checked)
    shape = tuple(checked["v"].shape)
    for name, vector in checked.items():
        if len(shape) != 1 or tuple(vector.shape) != shape:
            raise ShapeError(name, expected="shape (d,), as of v", got=f"shape {tuple(vector.shape)}")
    d = whole_number("d", shape[0], 1)
    return list(checked.values()), loss_coefficients(n, d, k, eta).like(checked["v"])
