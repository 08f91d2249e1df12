r"""How far softmax is from its expansion in the scores: bounds for scores of any size.

Let :math:`a(\varepsilon) = \mathrm{softmax}(\varepsilon s)` for scores s of range :math:`R = \max s - \min s`
and mean :math:`\bar s`, and :math:`c_i = s_i - \bar s`. Then :math:`a'(0) = c / N`. With expectations under
a(ε), :math:`z = s - E s` and :math:`v = E z^2`,

.. math:: a'' = a\,(z^2 - v), \qquad a''' = a\,(z^3 - 3 v z - E z^3).

**Second order.** :math:`E|z^2 - v| \le R^2/(3\sqrt3) < R^2/5`, so
:math:`\|a(\varepsilon) - (1 + \varepsilon c)/N\|_1 \le \varepsilon^2 R^2/10`. Let R = 1 and z run over
:math:`[-\alpha, \beta]`, :math:`\alpha = 1 - \beta \le \beta`; then :math:`v \le \alpha\beta`, and
:math:`E|z^2 - v| = 2 E g` for :math:`g = (z^2 - v)^+`.

* Where :math:`v \le \alpha^2`: :math:`g \le z^2 (1 - v/\beta^2)`, so :math:`E g \le v (1 - v/\beta^2)`. It is
  at most :math:`\beta^2/4 < 0.086` if :math:`2\alpha^2 \ge \beta^2`, and else at most
  :math:`\alpha^2 (1 - \alpha^2/\beta^2) < 0.0902`.
* Where :math:`v \ge \alpha^2`: :math:`g \le (\beta^2 - v)(z + \alpha)^2`, so
  :math:`E g \le (\beta^2 - v)(v + \alpha^2)`. It is greatest at :math:`2v = \beta - \alpha`, where it is
  :math:`(\alpha^2 + \beta^2)^2/4 < 0.086` if that v is at most :math:`\alpha\beta`, and else at
  :math:`v = \alpha\beta`, where it is :math:`\alpha\beta(\beta - \alpha) \le 1/(6\sqrt3) = 0.0962…`

**Third order.** :math:`E|z^3 - 3vz - E z^3| \le R^3/4`, so
:math:`\|a(\varepsilon) - a(-\varepsilon) - 2\varepsilon c/N\|_1 \le |\varepsilon|^3 R^3/12`. In the same
notation let :math:`h = z^3 - 3vz`.

* Where :math:`6v \le \beta^2`: :math:`E|h - E h| \le \sqrt{E z^2 (z^2 - 3v)^2} \le \sqrt v\,(\beta^2 - 3v)
  \le 2\beta^3/9 < 1/4`.
* Where :math:`6v \ge \beta^2`: then :math:`\beta \le 6/7`. The local extremes of h are :math:`\pm2v^{3/2}`,
  of size 1/4 at most; :math:`-h(-\alpha) \le 1/8`; and where :math:`h(\beta) > 1/4`, it is at most
  :math:`\beta^3/2 < 0.32`, and :math:`h(\beta) + 2v^{3/2} \le 0.64\,\beta^3 < 0.41`. So h varies by at most
  1/2, and its mean distance from its mean is at most half of that.

**Order H.** For real t and y with :math:`|y| R < \pi`, :math:`\sum_i |a_i(t + iy)| \le 1/\cos(yR/2)`, because
:math:`|\sum_i a_i(t) e^{iy(s_i - m)}| \ge \cos(yR/2)` for m halfway between the extreme scores. So, by
Cauchy's estimate on circles of radius 2/R, the Taylor polynomial of degree H - 1 at 0 is off by at most
:math:`(|\varepsilon| R/2)^H / \cos 1 < 2\,(|\varepsilon| R/2)^H`.

What is off has the sum 0, so it changes a mean of values by at most half the range of the values times this.
The constants :math:`1/(6\sqrt3)` and 1/12 are the best possible. Scores of two values come near to them as
ε → 0: to the first if a share near 0.211 of the N scores has one of them, to the second if half of them have.

All bounds hold for exact arithmetic. Heads whose outputs are divided by a small ε, computed in floats, are
off by about u/ε more, where u is the rounding error of one operation.
"""

from __future__ import annotations

from gdtheory.arguments import whole_number
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar
from gdtheory.reference.centred import centred, column_mean


def softmax_first_order(values: Array, scores: Array, epsilon: Scalar) -> Array:
    r"""Return :math:`\bar v + \frac{\varepsilon}{N} \sum_i v_i c_i`, shape (N_y, 1).

    Parameters
    ----------
    values : array, shape (N_y, N)
        The v_i, which the softmax of the scaled scores averages.
    scores : array, shape (N, 1)
    epsilon : number

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers, or epsilon is no finite number.

    Examples
    --------
    >>> import numpy as np
    >>> softmax_first_order(np.array([[1.0, 3.0]]), np.array([[5.0], [7.0]]), 0.5).tolist()
    [[2.5]]
    """
    values, scores = _fitting(values, scores)
    epsilon = number_like("epsilon", epsilon, values)
    return column_mean(values) + values @ centred(scores.T).T * (epsilon / values.shape[1])


def first_order_error_bound(values: Array, scores: Array, epsilon: Scalar) -> Array:
    r"""Return :math:`\varepsilon^2 R^2/10` times half the range of each row of the values, shape (N_y, 1).

    One softmax head is no further than this from `softmax_first_order`; claim GDT-0038. The arguments and
    errors are those of `softmax_first_order`.
    """
    values, scores = _fitting(values, scores)
    epsilon, R = number_like("epsilon", epsilon, values), _range(scores)
    return half_range(values) * (epsilon**2 * R**2 / 10)


def opposite_heads_error_bound(values: Array, scores: Array, epsilon: Scalar) -> Array:
    r"""Return :math:`\varepsilon^2 R^3/24` times half the range of each row of the values, shape (N_y, 1).

    The difference of the heads with the scores ±ε s, divided by 2ε, is no further than this from
    :math:`\frac1N \sum_i v_i c_i`; claim GDT-0039. It is sharper than `heads_error_bound` of the same two
    heads where :math:`|\varepsilon| R < 12`.

    For the values :math:`W_0 X - Y` and the scores :math:`X^T A x`, |η| times the bound is how far from
    :math:`-(W_1 - W_0) A x` the two heads of `softmax_gd_heads` with the scales ±ε can be, where W_1 is what
    `centred_gd_step` makes of W_0 with the rate η.

    Parameters
    ----------
    values : array, shape (N_y, N)
        The v_i that the heads read, without the factor η: :math:`W_0 X - Y`.
    scores : array, shape (N, 1)
        The s_i, without the factor ε: :math:`X^T A x`.
    epsilon : number
        The scale of the first head; that of the second is its opposite.

    Returns
    -------
    array, shape (N_y, 1)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        As `softmax_first_order`.

    Examples
    --------
    >>> import numpy as np
    >>> from gdtheory.constructions import heads_update, softmax_gd_heads
    >>> from gdtheory.reference.centred import centred_gd_step
    >>> X, Y, x = np.array([[1.0, 2.0, 4.0]]), np.array([[3.0, 5.0, 0.0]]), np.array([[0.5]])
    >>> W_0, A, eta, epsilon = np.zeros((1, 1)), np.eye(1), 0.5, 0.1
    >>> heads = softmax_gd_heads(W_0, A, eta, np.array([[epsilon, -epsilon]]))
    >>> target = -(centred_gd_step(W_0, X, Y, eta) - W_0) @ A @ x
    >>> error = abs(heads_update(X, Y, x, W_0, heads) - target)
    >>> bound = abs(eta) * opposite_heads_error_bound(W_0 @ X - Y, X.T @ A @ x, epsilon)
    >>> error.round(5).tolist(), bound.round(5).tolist()
    ([[0.00046]], [[0.00176]])
    """
    values, scores = _fitting(values, scores)
    epsilon, R = number_like("epsilon", epsilon, values), _range(scores)
    return half_range(values) * (epsilon**2 * R**3 / 24)


def heads_error_bound(values: Array, scores: Array, scales: Array, weights: Array) -> Array:
    r"""Return :math:`2 \sum_h |w_h| (|\varepsilon_h| R/2)^H` times half the range of each row of the values.

    The sum of w_h times the head with the scores ε_h s is no further than this from
    :math:`\frac1N \sum_i v_i c_i` if :math:`\sum_h w_h \varepsilon_h^j = [j = 1]` for j < H; claim GDT-0041.
    |η| times it bounds the error of `softmax_gd_heads`, as in `opposite_heads_error_bound`, which for two
    opposite heads is the sharper (where :math:`|\varepsilon| R < 12`).

    Parameters
    ----------
    values : array, shape (N_y, N)
        The v_i that the heads read, without the factor η: :math:`W_0 X - Y`.
    scores : array, shape (N, 1)
        The s_i, without the factors ε_h: :math:`X^T A x`.
    scales : array, shape (1, H)
        The ε_h.
    weights : array, shape (1, H)
        The w_h: what `derivative_weights` makes of the scales, without the factor η.

    Returns
    -------
    array, shape (N_y, 1)

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If the arrays do not fit together or hold no finite numbers, or there is no head.
    """
    values, scores, scales, weights = matrices(
        values=(values, "N_y", "N"),
        scores=(scores, "N", 1),
        scales=(scales, 1, "H"),
        weights=(weights, 1, "H"),
    )
    H, R = whole_number("H", scales.shape[1], 1), _range(scores)
    total = (abs(weights) @ (abs(scales.T) * (R / 2)) ** H)[0, 0]
    return half_range(values) * (2 * total)


def half_range(values: Array) -> Array:
    """Return half of what the largest entry of each row exceeds the smallest by, shape (N_y, 1).

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If `values` is no matrix of finite numbers with at least one column.
    """
    (values,) = matrices(values=(values, "N_y", "N"))
    whole_number("N", values.shape[1], 1)
    return (values.max(1, keepdims=True) - values.min(1, keepdims=True)) / 2


def _range(scores: Array) -> Scalar:
    """Return R, the largest score minus the smallest."""
    return half_range(scores.T)[0, 0] * 2


def _fitting(values: Array, scores: Array) -> list[Array]:
    return matrices(values=(values, "N_y", "N"), scores=(scores, "N", 1))
