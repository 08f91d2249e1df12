r"""The mean loss of gradient descent over random regression tasks, exactly.

A task is a context X of shape (d, N) with independent entries of a law symmetric about zero, a teacher
w ~ N(0, I) with targets y_i = wᵀ x_i, and a query x, an independent column of the same law. From W_0 = 0 and
with the query outside the context, K layers predict wᵀ x up to the error wᵀ M x, where M is a polynomial in
S = X Xᵀ / N. As w and x are independent of M, the mean loss is

.. math:: \tfrac12 E (w^T M x)^2 = \tfrac12 m_2\, E \operatorname{tr} M^2.

With ``half=False`` the functions leave out the one half. Sources: von Oswald et al. (2023), Sections 2 and 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from gdtheory.arguments import as_fraction, boolean, whole_number
from gdtheory.errors import DTypeError, shown
from gdtheory.namespace import Scalar
from gdtheory.reference.moments import Law, checked_law, trace_power

Exact = int | str | Fraction
"""A number given exactly, as an integer, a fraction or a string like "1/2" or "0.5"."""

LossPolynomial = dict[tuple[int, int], Fraction]
"""A polynomial in eta and gamma: from (i, j) to the coefficient of eta^i gamma^j."""

ErrorPolynomial = Counter[tuple[int, int, int]]
"""A polynomial in eta, gamma and S: from (i, j, p) to the coefficient of eta^i gamma^j S^p."""

ETA: ErrorPolynomial = Counter({(1, 0, 0): 1})
GAMMA: ErrorPolynomial = Counter({(0, 1, 0): 1})


def expected_trace(law: Law, d: int, N: int, p: int) -> Fraction:
    r"""Return :math:`E \operatorname{tr} S^p` for :math:`S = X X^T / N`."""
    return trace_power(law, d, N, p) / Fraction(N) ** p


# ------------------------------------------------------------------------------------- one step


def trace_S2(d: int, N: int, m_2: Scalar, m_4: Scalar) -> Scalar:
    r"""Return :math:`E \operatorname{tr} S^2`, over any kind of number."""
    return (d * m_4 + d * (d - 1) * m_2**2) / N + (N - 1) * d * m_2**2 / N


def one_step_error(eta: Scalar, d: int, m_2: Scalar, tr_S2: Scalar) -> Scalar:
    r"""Return the mean of :math:`(w^T M x)^2` after one step, over any kind of number."""
    return m_2 * (d - 2 * eta * d * m_2 + eta**2 * tr_S2)


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best learning rate and the loss that it reaches."""

    eta: Fraction
    loss: Fraction


def one_step_loss(
    law: Law,
    d: int,
    N: int,
    eta: Exact,
    *,
    input_scale: Exact = 1,
    teacher_scale: Exact = 1,
    half: bool = True,
) -> Fraction:
    r"""Return the mean loss after one step of gradient descent with learning rate eta.

    .. math::
        \tfrac12 m_2 \bigl(d - 2 \eta\, d m_2 + \eta^2 E \operatorname{tr} S^2\bigr), \quad
        E \operatorname{tr} S^2 = \frac{d m_4 + d (d - 1) m_2^2}{N} + \frac{N - 1}{N} d m_2^2.

    Parameters
    ----------
    law : Law
        Of the entries of the inputs.
    d, N : int
        Input dimension and number of pairs in the context, at least 1.
    eta : int, Fraction or str
        Learning rate.
    input_scale, teacher_scale : int, Fraction or str
        What all inputs, the query's too, and the teacher are multiplied by: α and τ. The loss is then
        :math:`\tau^2 \alpha^2` times that of the learning rate :math:`\alpha^2 \eta`.
    half : bool
        Whether the loss is half the squared error.

    Raises
    ------
    DTypeError, ShapeError
        If `law` is no law, a number is a float or a size no whole number from 1 on.

    Examples
    --------
    >>> from gdtheory.reference.moments import Uniform
    >>> one_step_loss(Uniform("1/2"), 10, 10, 0)
    Fraction(5, 12)
    >>> one_step_loss(Uniform("1/2"), 10, 10, "200/33")
    Fraction(245, 1188)
    """
    m_2, tr_S2 = _moments_of_one_step(law, d, N)
    alpha, tau = as_fraction("input_scale", input_scale), as_fraction("teacher_scale", teacher_scale)
    error = one_step_error(as_fraction("eta", eta) * alpha**2, d, m_2, tr_S2)
    return tau**2 * alpha**2 * error / _divisor(half)


def one_step_optimum(law: Law, d: int, N: int, *, half: bool = True) -> Optimum:
    r"""Return the learning rate with the least loss after one step, and that loss.

    .. math::
        \eta^* = \frac{d m_2}{E \operatorname{tr} S^2}, \qquad
        L(\eta^*) = \tfrac12 m_2 \Bigl(d - \frac{d^2 m_2^2}{E \operatorname{tr} S^2}\Bigr).

    Parameters and errors are those of `one_step_loss`.

    Examples
    --------
    >>> from gdtheory.reference.moments import Uniform
    >>> one_step_optimum(Uniform("1/2"), 10, 10)
    Optimum(eta=Fraction(200, 33), loss=Fraction(245, 1188))
    """
    m_2, tr_S2 = _moments_of_one_step(law, d, N)
    eta = d * m_2 / tr_S2
    return Optimum(eta, one_step_error(eta, d, m_2, tr_S2) / _divisor(half))


def _divisor(half: bool) -> int:
    """Return what the squared error is divided by."""
    return 2 if boolean("half", half) else 1


def _moments_of_one_step(law: Law, d: int, N: int) -> tuple[Fraction, Fraction]:
    """Return m_2 and E tr S²."""
    m_2, m_4 = (checked_law(law).moment(order) for order in (2, 4))
    return m_2, trace_S2(whole_number("d", d, 1), whole_number("N", N, 1), m_2, m_4)


# ---------------------------------------------------------------------------------- several steps


def loss_polynomial(
    law: Law, d: int, N: int, K: int, *, curvature: bool, half: bool = True
) -> LossPolynomial:
    r"""Return the mean loss after K steps as a polynomial in eta and gamma.

    Parameters
    ----------
    law, d, N, half
        As for `one_step_loss`.
    K : int
        Number of steps or layers, all with the same eta and gamma; at least 0.
    curvature : bool
        Whether the layers are of GD++, which also moves the inputs; otherwise gamma does not occur.

    Returns
    -------
    dict
        From (i, j) to the coefficient of eta^i gamma^j. It holds E tr S^p up to p = 2K for gradient
        descent; for GD++ up to p = 2 for K = 1, 8 for K = 2 and 26 for K = 3, where only Gaussian laws do.

    Raises
    ------
    DTypeError, ShapeError
        If `law` is no law, or a size is no whole number or too small.

    Examples
    --------
    >>> from gdtheory.reference.moments import Uniform
    >>> polynomial = loss_polynomial(Uniform("1/2"), 10, 10, 1, curvature=False)
    >>> polynomial[0, 0], loss_at(polynomial, "200/33")
    (Fraction(5, 12), Fraction(245, 1188))
    """
    checked_law(law)
    rates = [(ETA, GAMMA if curvature else constant(0))] * whole_number("K", K, 0)
    return _mean_loss(law, d, N, error_polynomial(rates, N), half)


def loss_at(polynomial: LossPolynomial, eta: Exact, gamma: Exact = 0) -> Fraction:
    """Return the value of a loss polynomial."""
    eta, gamma = as_fraction("eta", eta), as_fraction("gamma", gamma)
    if not isinstance(polynomial, Mapping):
        raise DTypeError("polynomial", expected="a polynomial of loss_polynomial", got=shown(polynomial))
    return sum((c * eta**i * gamma**j for (i, j), c in polynomial.items()), Fraction(0))


def loss_of_rates(
    law: Law, d: int, N: int, rates: Iterable[tuple[Exact, Exact]], *, half: bool = True
) -> Fraction:
    r"""Return the mean loss of layers of GD++ with an eta and a gamma of their own.

    Parameters
    ----------
    law, d, N, half
        As for `one_step_loss`.
    rates : iterable of (eta, gamma)
        One pair of numbers per layer; with gamma = 0 a layer is a gradient-descent step.

    Raises
    ------
    DTypeError, ShapeError
        If `law` is no law, a number is a float or a size no whole number from 1 on.

    Examples
    --------
    >>> from gdtheory.reference.moments import Uniform
    >>> loss_of_rates(Uniform("1/2"), 10, 10, [("200/33", 0)])
    Fraction(245, 1188)
    """
    checked_law(law)
    try:
        pairs = [(eta, gamma) for eta, gamma in rates]
    except (TypeError, ValueError):
        raise DTypeError("rates", expected="pairs (eta, gamma)", got=shown(rates)) from None
    constants = [
        (constant(as_fraction("eta", eta)), constant(as_fraction("gamma", gamma))) for eta, gamma in pairs
    ]
    return _mean_loss(law, d, N, error_polynomial(constants, N), half)[0, 0]


def _mean_loss(law: Law, d: int, N: int, M: ErrorPolynomial, half: bool) -> LossPolynomial:
    """Return ½ m_2 E tr M²."""
    scale = law.moment(2) / _divisor(half)
    found: LossPolynomial = {}
    for (i, j, p), coefficient in _product(M, M).items():
        if coefficient:  # traces of high powers take long
            found[i, j] = found.get((i, j), 0) + scale * coefficient * expected_trace(law, d, N, p)
    return found


def error_polynomial(rates: Iterable[tuple[ErrorPolynomial, ErrorPolynomial]], N: int) -> ErrorPolynomial:
    r"""Return M after layers with an eta and a gamma each, such as `ETA`, `GAMMA` and constants.

    After some layers the inputs are A X and the targets :math:`w^T M X`, with A = M = I at first. The next
    one takes a gradient-descent step on these tokens and, in GD++, moves the inputs by
    :math:`I - \gamma A X (A X)^T`, the query like the others:

    .. math:: M \leftarrow M (I - \eta S A^2), \qquad A \leftarrow (I - \gamma N S A^2) A.

    So M is :math:`(I - \eta S)^K` for gradient descent, and :math:`(I - \eta S)(I - \eta S H^2)` with
    :math:`H = I - \gamma X X^T` for two layers of GD++ (von Oswald et al., 2023, Section 3).
    """
    N_S = Counter({(0, 0, 1): whole_number("N", N, 1)})
    S, M, A = Counter({(0, 0, 1): 1}), constant(1), constant(1)
    for eta, gamma in rates:
        M, A = _difference(M, _product(M, eta, S, A, A)), _difference(A, _product(gamma, N_S, A, A, A))
    return M


def constant(number: Fraction | int) -> ErrorPolynomial:
    """Return a number as a polynomial in eta, gamma and S."""
    return Counter({(0, 0, 0): number})


def _difference(a: ErrorPolynomial, b: ErrorPolynomial) -> ErrorPolynomial:
    difference = Counter(a)
    difference.subtract(b)
    return Counter({powers: c for powers, c in difference.items() if c})  # else powers of S triple per layer


def _product(*factors: ErrorPolynomial) -> ErrorPolynomial:
    return reduce(_times, factors)


def _times(a: ErrorPolynomial, b: ErrorPolynomial) -> ErrorPolynomial:
    product: ErrorPolynomial = Counter()
    for (i, j, p), x in a.items():
        for (i_b, j_b, p_b), y in b.items():
            product[i + i_b, j + j_b, p + p_b] += x * y
    return product
