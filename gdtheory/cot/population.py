r"""The population chain-of-thought loss of one linear attention layer, its gradient and its Hessian, exactly.

Huang et al. (2025), eqs. (5) and (6): the layer is taught the iterates w_0 = 0, ..., w_k of gradient descent
and then the teacher w*. Where only V = V_31, W = W_13 (both d × d) and w_24 = -1 are not zero, the loss is

.. math::
    L(V, W) = \tfrac12 \sum_{i=0}^k E\, \| (V S (W P_i - I) - R_i)\, w^* \|^2,
    \quad P_i = I - Q^i, \quad R_i = \eta S Q^i \ (i < k), \quad R_k = Q^k,

for S = X Xᵀ / n, Q = I - η S, and independent standard normal entries of X (d, n) and w*. As Σ R_i = I, it is

.. math::
    L = \tfrac12 \operatorname{tr} V A(W) V^T - \operatorname{tr} V B(W) + \tfrac12 r, \qquad
    A(W) = \sum_i E\, S (W P_i - I) (W P_i - I)^T S, \quad B(W) = \sum_i E\, S (W P_i - I) R_i,

where the means are polynomials in W with the coefficients of `gdtheory.cot.coefficients`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gdtheory.arguments import Rate, float_array, require_finite, whole_number
from gdtheory.cot.coefficients import Coefficients, loss_coefficients
from gdtheory.ledger import Ledger, exactly
from gdtheory.matrices import in_range, matrices
from gdtheory.namespace import Array, Scalar, namespace

# ------------------------------------------- for given coefficients, over any kind of number


def phi(D: Array, alpha: Scalar, beta: Scalar) -> Array:
    """Return αD + β(Dᵀ + tr(D) I): Σ E S D P_i S with α_F and β_F, and Σ E S D P_i R_i with α_K and β_K."""
    return D * alpha + (D.T + _identity(D) * namespace(D).trace(D)) * beta


def mean_SWGWS(W: Array, D: Array, a: Coefficients) -> Array:
    """Return a matrix that is bilinear in W and D, and is Σ E S W P_i² Wᵀ S for D = W."""
    xp = namespace(W)
    WD, W_DT, tr_W = W @ D, W @ D.T, xp.trace(W)
    mixed = WD + WD.T + (D + D.T) * tr_W
    scalar = xp.trace(W_DT) * a.a2 + (tr_W * xp.trace(D) + xp.trace(WD)) * a.a3
    return W_DT * (a.a0 + a.a2) + mixed * (a.a1 + a.a3) + W.T @ D * (a.a3 * 2) + _identity(W) * scalar


def quadratic_factor(W: Array, a: Coefficients) -> Array:
    """Return A(W), the symmetric matrix of the quadratic form in V."""
    SWFS = phi(W, a.alpha_F, a.beta_F)
    return mean_SWGWS(W, W, a) - SWFS - SWFS.T + _identity(W) * a.c


def linear_factor(W: Array, a: Coefficients) -> Array:
    """Return B(W), the factor of V in the linear form."""
    return phi(W, a.alpha_K, a.beta_K) - _identity(W)


def loss(V: Array, W: Array, a: Coefficients) -> Scalar:
    """Return ½ tr V A(W) Vᵀ - tr V B(W) + ½ r."""
    trace, B = namespace(V).trace, linear_factor(W, a)
    return (trace(V @ quadratic_factor(W, a) @ V.T) - trace(V @ B) * 2 + a.r) / 2


def gradient(V: Array, W: Array, a: Coefficients) -> tuple[Array, Array]:
    """Return the derivatives of the loss with respect to V and W."""
    return V @ quadratic_factor(W, a) - linear_factor(W, a).T, _slope_in_W(V.T @ V, W, V, a)


def hessian_product(V: Array, W: Array, dV: Array, dW: Array, a: Coefficients) -> tuple[Array, Array]:
    """Return the derivative of the gradient in the direction (dV, dW)."""
    SdWFS = phi(dW, a.alpha_F, a.beta_F)
    dA = mean_SWGWS(W, dW, a) + mean_SWGWS(dW, W, a) - SdWFS - SdWFS.T
    dC = dV.T @ V + V.T @ dV
    hV = dV @ quadratic_factor(W, a) + V @ dA - phi(dW, a.alpha_K, a.beta_K).T
    return hV, _slope_in_W(dC, W, dV, a) + _half_derivative(V.T @ V, dW, a)


def _slope_in_W(C: Array, W: Array, V: Array, a: Coefficients) -> Array:
    """Return the derivative of ½ tr C A(W) - tr V B(W) with respect to W, for symmetric C."""
    return _half_derivative(C, W, a) - phi(C, a.alpha_F, a.beta_F) - phi(V.T, a.alpha_K, a.beta_K)


def _half_derivative(C: Array, W: Array, a: Coefficients) -> Array:
    """Return half the derivative of tr C mean_SWGWS(W, W) with respect to W, for symmetric C."""
    trace, CWT, WC = namespace(W).trace, C @ W.T, W @ C
    mixed = CWT + W.T @ C + _identity(W) * trace(WC) + C * trace(W)
    scaled = W * a.a2 + (W.T + _identity(W) * trace(W)) * a.a3
    return C @ W * (a.a0 + a.a2) + mixed * (a.a1 + a.a3) + WC * (a.a3 * 2) + scaled * trace(C)


def _identity(D: Array) -> Array:
    return namespace(D).eye(D.shape[0])


# -------------------------------------------------------------------- for n, d, k and eta


def population_loss(V: Array, W: Array, n: int, k: int, eta: Rate) -> Scalar:
    r"""Return the mean chain-of-thought loss of a layer with the blocks V_31 = V and W_13 = W, exactly.

    Parameters
    ----------
    V, W : array, shape (d, d)
        Of float32 or float64, exact numbers, or an error ledger; w_24 = -1, and other blocks are zero.
    n, k : int
        Number of examples, at least 1, and of steps before the last one, from 0 to 1000.
    eta : int, Fraction, str or float
        Learning rate of the steps that are taught; a float is taken for the binary fraction that it is.

    Returns
    -------
    number
        Of the kind of V: exact for exact numbers; a value with a bound on its error for a ledger.

    Raises
    ------
    ShapeError, DTypeError
        If V and W are not square matrices of one size and kind, or a count is no whole number in range.
    NonFiniteError
        If a number is NaN or infinite, or a coefficient or the result leaves the range of the floats.
    ArgumentError
        If `n`, `d` or `eta` has so many digits that its powers would take very long.

    Notes
    -----
    Huang et al. (2025), eqs. (5) and (6): a sum over the k + 1 tokens and over the d entries of each, halved.

    Examples
    --------
    >>> from fractions import Fraction
    >>> V, W = np.array([[Fraction(-2, 5)]]), np.array([[Fraction(1)]])
    >>> population_loss(V * 0, W * 0, 20, 0, "2/5")  # to predict nothing costs d / 2
    Fraction(1, 2)
    >>> population_loss(V, W, 20, 1, "2/5")
    Fraction(12657, 156250)
    """
    (V, W), a = _checked(n, k, eta, V=V, W=W)
    with np.errstate(all="ignore"):
        return in_range("result", loss(V, W, a))


def population_gradient(V: Array, W: Array, n: int, k: int, eta: Rate) -> tuple[Array, Array]:
    """Return the derivatives of `population_loss` with respect to the entries of V and of W.

    Parameters and errors are those of `population_loss`; the result is a pair of arrays (d, d) of the kind
    of V.

    Examples
    --------
    >>> dV, dW = population_gradient(np.zeros((2, 2)), np.zeros((2, 2)), 20, 3, "2/5")
    >>> dV, dW  # V moves first: while it is zero, W has no effect
    (array([[1., 0.],
           [0., 1.]]), array([[0., 0.],
           [0., 0.]]))
    """
    (V, W), a = _checked(n, k, eta, V=V, W=W)
    with np.errstate(all="ignore"):
        dV, dW = gradient(V, W, a)
        return in_range("result", dV), in_range("result", dW)


def population_hessian_product(
    V: Array, W: Array, dV: Array, dW: Array, n: int, k: int, eta: Rate
) -> tuple[Array, Array]:
    """Return the derivative of `population_gradient` in the direction (dV, dW).

    Parameters and errors are those of `population_loss`, the direction being of the shape and kind of V
    and W; the result is a pair of arrays (d, d).

    Examples
    --------
    >>> O, I = np.zeros((2, 2)), np.eye(2)
    >>> population_hessian_product(O, O, I, O, 20, 3, "2/5")[0]  # 4 (20 + 2 + 1) / 20
    array([[4.6, 0. ],
           [0. , 4.6]])
    """
    (V, W, dV, dW), a = _checked(n, k, eta, V=V, W=W, dV=dV, dW=dW)
    with np.errstate(all="ignore"):
        hV, hW = hessian_product(V, W, dV, dW, a)
        return in_range("result", hV), in_range("result", hW)


def certified_loss(V: Array, W: Array, n: int, k: int, eta: Rate) -> Ledger:
    """Return the loss of float arrays, and a bound on how far the value is from the exact loss.

    Parameters and errors are those of `population_loss`, with V and W of float32 or float64.

    Returns
    -------
    Ledger
        Its `value` is NumPy's result, and its `bound` covers the rounding of the coefficients too.

    Examples
    --------
    >>> found = certified_loss(np.diag([-0.4, -0.5]), np.eye(2), 20, 1, "2/5")
    >>> bool(0 < found.bound < 1e-13)
    True
    """
    return _certified(population_loss(_on_ledger("V", V), _on_ledger("W", W), n, k, eta))


def certified_gradient(V: Array, W: Array, n: int, k: int, eta: Rate) -> tuple[Ledger, Ledger]:
    """Return the derivatives with a bound on the error of each entry; otherwise as `certified_loss`.

    Examples
    --------
    >>> dV, dW = certified_gradient(np.diag([-0.4, -0.5]), np.eye(2), 20, 1, "2/5")
    >>> bool(dV.bound.max() < 1e-13 and dW.bound.max() < 1e-13)
    True
    """
    dV, dW = population_gradient(_on_ledger("V", V), _on_ledger("W", W), n, k, eta)
    return _certified(dV), _certified(dW)


def _on_ledger(name: str, array: Any) -> Ledger:
    array = float_array(name, array)
    require_finite(name, array)
    return exactly(array)


def _certified(result: Ledger) -> Ledger:
    require_finite("result", result.value)
    return result


def _checked(n: int, k: int, eta: Rate, **arrays: Array) -> tuple[list[Array], Coefficients]:
    checked = matrices(**{name: (array, "d", "d") for name, array in arrays.items()})
    d = whole_number("d", checked[0].shape[0], 1)
    return checked, loss_coefficients(n, d, k, eta).like(checked[0])
