r"""Exact means of traces of three polynomials in S = W / n and three fixed matrices, W real Wishart."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from gdtheory.arguments import exact_rate, listed
from gdtheory.errors import ArgumentError, ShapeError
from gdtheory.matrices import in_range, matrices, number_like
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.wishart.invariant import means, weingarten_entries
from gdtheory.wishart.sizes import Number, in_field, is_plain, require_feasible, size

Polynomial = Sequence[int | str | float | Fraction]
"""Its coefficients from the constant one on."""

Terms = dict[int, Fraction]
"""From the exponents of a polynomial to their coefficients."""

MOST_PRODUCTS, MOST_SYMBOLIC_PRODUCTS = 10_000, 1_000
"""The largest numbers of products of a term of f, one of g and one of h, for plain and symbolic n and d."""


def mixed_coefficients(
    f: Polynomial, g: Polynomial, h: Polynomial, n: Number, d: Number
) -> tuple[Number, ...]:
    r"""Return the five coefficients of :math:`E[f(S)_{ij}\, g(S)_{kl}\, h(S)_{mn}]`.

    As f(S), g(S) and h(S) are symmetric, the 15 pairings of the six indices fall into five classes, and all
    of a class have one coefficient:

    0. :math:`\delta_{ij} \delta_{kl} \delta_{mn}`, where each is paired with itself;
    1. 2. 3. only f, g or h is paired with itself: 2 pairings each, like
       :math:`\delta_{ij} \delta_{km} \delta_{ln}`;
    4. none is paired with itself: 8 pairings, like :math:`\delta_{jk} \delta_{lm} \delta_{ni}`.

    With :math:`a = E(\operatorname{tr} f \operatorname{tr} g \operatorname{tr} h,\;
    \operatorname{tr} f \operatorname{tr} gh,\; \operatorname{tr} g \operatorname{tr} fh,\;
    \operatorname{tr} h \operatorname{tr} fg,\; \operatorname{tr} fgh)` and the entries
    :math:`w_1 = (1,1,1)`, :math:`w_2 = (2,1)`, :math:`w_3 = (3)` of `weingarten`,

    .. math::
        c_0 &= w_1 a_0 + 2 w_2 (a_1 + a_2 + a_3) + 8 w_3 a_4, \\
        c_1 &= w_2 a_0 + (w_1 + w_2) a_1 + 2 w_3 (a_2 + a_3) + 4 (w_2 + w_3) a_4, \\
        c_4 &= w_3 a_0 + (w_2 + w_3)(a_1 + a_2 + a_3) + (w_1 + 3 w_2 + 4 w_3) a_4,

    and so in turn for c_2 and c_3. For d = 2 and d = 1 the products of deltas depend on each other, and the
    solution with :math:`c_4 = 0`, and with :math:`c_1 = c_2 = c_3 = c_4 = 0`, is returned.

    Parameters
    ----------
    f, g, h : sequence of int, Fraction, str or float
        Coefficients from the constant one on; a float is taken for the fraction that it is.
    n, d : int, Fraction, or exact element or expression of SymPy
        Degrees of freedom and dimension, not 0; d is 1, 2 or no root of the denominators.

    Returns
    -------
    tuple
        Five fractions, field elements or expressions.

    Raises
    ------
    ArgumentError, DTypeError, NonFiniteError, ShapeError
        As for `trace_moment` with the degrees of f, g and h, if there are more than 10 000
        products of their terms (1 000 where n or d is symbolic), or a coefficient is no finite number.

    Examples
    --------
    >>> mixed_coefficients([1], [0, 1], [1], 20, 10)
    (Fraction(1, 1), Fraction(0, 1), Fraction(0, 1), Fraction(0, 1), Fraction(0, 1))
    """
    n, d, one, back = in_field(size("n", n), size("d", d))
    F, G, H = _terms("f", f), _terms("g", g), _terms("h", h)
    require_feasible("f, g, h", tuple(sorted(max(P, default=0) for P in (F, G, H))), n, d)
    most = MOST_PRODUCTS if is_plain(n, d) else MOST_SYMBOLIC_PRODUCTS
    if (found := len(F) * len(G) * len(H)) > most:
        raise ArgumentError("f, g, h", expected=f"at most {most} products of their terms", got=found)
    GH, FH, FG, FGH = _product(G, H), _product(F, H), _product(F, G), _product(F, _product(G, H))
    products = [_traces(*factors) for factors in ((F, G, H), (F, GH), (G, FH), (H, FG), (FGH,))]
    return tuple(map(back, _solution(means("f, g, h", products, n, d, one), d, one)))


def _terms(name: str, coefficients: Polynomial) -> Terms:
    row = listed(name, coefficients, "a sequence of coefficients")
    fractions = (exact_rate(name, coefficient) for coefficient in row)
    return {power: fraction for power, fraction in enumerate(fractions) if fraction}


def _product(p: Terms, q: Terms) -> Terms:
    total: Terms = defaultdict(Fraction)
    for (i, a), (j, b) in itertools.product(p.items(), q.items()):
        total[i + j] += a * b
    return total


def _traces(*factors: Terms) -> dict[tuple[int, ...], Fraction]:
    """Return the product of the traces of polynomials, by its sorted exponents."""
    total: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for terms in itertools.product(*(factor.items() for factor in factors)):
        total[tuple(sorted(power for power, _ in terms))] += math.prod(c for _, c in terms)
    return total


def _solution(a: list[Number], d: Number, one: Number) -> list[Number]:
    """Return the five coefficients for the five means."""
    zero = 0 * one
    if d == 1:
        return [a[0], zero, zero, zero, zero]
    if d == 2:
        c_0 = (5 * a[0] - 2 * (a[1] + a[2] + a[3])) / 16
        return [c_0, *((2 * a_i - a[0]) / 16 for a_i in a[1:4]), zero]
    w_1, w_2, w_3 = weingarten_entries(d, 3, one).values()
    all_ = a[1] + a[2] + a[3]
    return [
        w_1 * a[0] + 2 * w_2 * all_ + 8 * w_3 * a[4],
        *(
            w_2 * a[0] + (w_1 + w_2 - 2 * w_3) * a_i + 2 * w_3 * all_ + 4 * (w_2 + w_3) * a[4]
            for a_i in a[1:4]
        ),
        w_3 * a[0] + (w_2 + w_3) * all_ + (w_1 + 3 * w_2 + 4 * w_3) * a[4],
    ]


def contraction(coefficients: Sequence[Scalar], A: Array, B: Array, C: Array) -> Scalar:
    r"""Return the mean of :math:`\operatorname{tr} f(S) A\, g(S) B\, h(S) C` for the `mixed_coefficients`.

    The pairings of the indices in :math:`f_{ij} A_{jk}\, g_{kl} B_{lm}\, h_{mn} C_{ni}` join A, B and C:

    .. math::
        & c_0 \operatorname{tr} ABC
        + c_1 (\operatorname{tr} A B^T C + \operatorname{tr} B \operatorname{tr} AC)
        + c_2 (\operatorname{tr} A B C^T + \operatorname{tr} C \operatorname{tr} AB)
        + c_3 (\operatorname{tr} A^T B C + \operatorname{tr} A \operatorname{tr} BC) \\
        & + c_4 (\operatorname{tr} A \operatorname{tr} B \operatorname{tr} C
        + \operatorname{tr} A \operatorname{tr} B C^T + \operatorname{tr} B \operatorname{tr} A C^T
        + \operatorname{tr} C \operatorname{tr} A B^T \\
        & \qquad + \operatorname{tr} A C B + \operatorname{tr} A C B^T + \operatorname{tr} A C^T B
        + \operatorname{tr} A^T C B).

    Parameters
    ----------
    coefficients : sequence
        The five numbers, of the kind of number of the matrices, or fractions, which are rounded once.
    A, B, C : array, shape (d, d)
        Floats or exact numbers, matrices of another library or blocks.

    Returns
    -------
    scalar
        Of the kind of number of the matrices.

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError
        If there are not five coefficients, or the matrices do not fit together.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> float(contraction([1, 0, 0, 0, 0], A, A, A) - np.trace(A @ A @ A))
    0.0
    """
    A, B, C = matrices(A=(A, "d", "d"), B=(B, "d", "d"), C=(C, "d", "d"))
    found = listed("coefficients", coefficients, "5 numbers")
    if len(found) != 5:
        raise ShapeError("coefficients", expected="5 numbers", got=len(found))
    return _contracted("coefficients", found, A, B, C)


def _contracted(name: str, coefficients: Sequence[Scalar], A: Array, B: Array, C: Array) -> Scalar:
    c_0, c_1, c_2, c_3, c_4 = (number_like(name, c, A) for c in coefficients)
    tr = namespace(A).trace
    with np.errstate(over="ignore", invalid="ignore"):
        a, b, c = tr(A), tr(B), tr(C)
        total = (
            tr(A @ B @ C) * c_0
            + (tr(A @ B.T @ C) + b * tr(A @ C)) * c_1
            + (tr(A @ B @ C.T) + c * tr(A @ B)) * c_2
            + (tr(A.T @ B @ C) + a * tr(B @ C)) * c_3
            + (a * b * c + a * tr(B @ C.T) + b * tr(A @ C.T) + c * tr(A @ B.T)) * c_4
            + (tr(A @ C @ B) + tr(A @ C @ B.T) + tr(A @ C.T @ B) + tr(A.T @ C @ B)) * c_4
        )
    return in_range("A, B, C", total)


def mixed_moment(
    f: Polynomial, g: Polynomial, h: Polynomial, A: Array, B: Array, C: Array, n: Number
) -> Scalar:
    r"""Return :math:`E \operatorname{tr} f(S) A\, g(S) B\, h(S) C` for fixed matrices A, B and C.

    It is the `contraction` of the `mixed_coefficients`, whose parameters and errors it has.

    Examples
    --------
    >>> import numpy as np
    >>> I = np.eye(10)
    >>> float(mixed_moment([0, 1], [0, 0, "1/2"], [0, 1], I, I, I, 20) * 20**4 * 2)
    10410000.0
    """
    A, B, C = matrices(A=(A, "d", "d"), B=(B, "d", "d"), C=(C, "d", "d"))
    if A.shape[0] == 0:
        raise ShapeError("A", expected="at least one row", got="shape (0, 0)")
    return _contracted("f, g, h", mixed_coefficients(f, g, h, n, A.shape[0]), A, B, C)
