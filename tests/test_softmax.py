"""Softmax heads: their expansion, its bounds, and heads that differentiate softmax."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from gdtheory import errors
from gdtheory.constructions.softmax_heads import (
    derivative_weights,
    heads_update,
    softmax_gd_heads,
    softmax_head,
)
from gdtheory.exact import to_fractions
from gdtheory.namespace import namespace
from gdtheory.problems import OppositeHeads, SoftmaxHead
from gdtheory.reference.centred import centred, centred_gd_step, column_mean
from gdtheory.reference.regression import gd_step
from gdtheory.reference.softmax_expansion import (
    first_order_error_bound,
    half_range,
    heads_error_bound,
    opposite_heads_error_bound,
    softmax_first_order,
)

W_0, ETA = np.array([[0.5, -1.0]]), 0.3
X = np.array([[1.0, 0.5, -0.25, 2.0], [0.0, 1.5, 1.0, 0.5]])
Y = np.array([[2.0, -1.0, 0.5, 1.0]])
x = np.array([[0.75], [-0.5]])
VALUES, SCORES = (W_0 @ X - Y) * ETA, X.T @ x
EYE, SCALES = np.eye(2), np.array([[0.5, -0.5]])


def exact(rows):
    return to_fractions(np.array(rows, dtype=np.float64))


def softmax(scores):
    return namespace(scores).softmax(scores)


def distance(scales):
    """How far heads are from the step on centred inputs, in floats."""
    heads = softmax_gd_heads(W_0, EYE, ETA, np.array([scales]))
    step = (centred_gd_step(W_0, X, Y, ETA) - W_0) @ x
    return abs(heads_update(X, Y, x, W_0, heads) + step).item()


# --------------------------------------------------------------------------------------- one head


def test_a_head_without_scores_adds_the_mean_value():
    head = softmax_head(W_0, EYE * 0, ETA)
    assert heads_update(X, Y, x, W_0, (head,)) == pytest.approx(column_mean(VALUES))
    assert first_order_error_bound(VALUES, SCORES, 0.0).tolist() == [[0.0]]


def test_a_head_adds_the_softmax_mean_of_the_values():
    head = softmax_head(W_0, EYE * 0.1, ETA)
    assert heads_update(X, Y, x, W_0, (head,)) == pytest.approx(VALUES @ softmax(SCORES * 0.1))
    assert heads_update(X, Y, x, W_0, ()).tolist() == [[0.0]]


def test_heads_and_arrays_may_come_as_generators_and_lists():
    heads = softmax_gd_heads(W_0, EYE, ETA, SCALES)
    expected = heads_update(X, Y, x, W_0, heads)
    assert heads_update(X, Y, x, W_0.tolist(), (head for head in heads)) == expected != 0
    assert centred([[1.0, 3.0]]).tolist() == [[-1.0, 1.0]]


@pytest.mark.parametrize("epsilon", [0, 1, -1, 10**7])
def test_one_token_is_read_whole(epsilon):
    p = SoftmaxHead.exact(
        W_0=[[1]], X=[[2]], Y=[[5]], x_query=[[3]], eta=1, A=[[7]], scale=epsilon, decades=0
    )
    added = heads_update(p.X, p.Y, p.x_query, p.W_0, (softmax_head(p.W_0, p.A * p.epsilon, p.eta),))
    assert (added == p.values).all() and (added == -3).all()
    assert (softmax_first_order(p.values, p.scores, p.epsilon) == -3).all()
    assert (first_order_error_bound(p.values, p.scores, p.epsilon) == 0).all()


def test_huge_scores_stay_inside_the_bound():
    values, scores = exact([[1, -1, 4]]), exact([[10**8], [0], [-(10**8)]])
    added = values @ softmax(scores)
    assert (added == 1).all()  # the first token, as far as can be told
    assert (
        abs(added - softmax_first_order(values, scores, 1)) <= first_order_error_bound(values, scores, 1)
    ).all()


def test_huge_scores_do_not_overflow_floats():
    with np.errstate(all="raise", under="ignore"):
        added = heads_update(X, Y, x, W_0, (softmax_head(W_0, EYE * 1e6, ETA),))
    assert added == pytest.approx(VALUES[:, [3]])


# ----------------------------------------------------------------------------------- expansions


def derivative_norms(q, s):
    """Return the l1 norms, along the last axis, of the second and third derivatives of softmax at q."""

    def mean(values):
        return (q * values).sum(-1, keepdims=True)

    z = s - mean(s)
    v = mean(z**2)
    return mean(abs(z**2 - v))[..., 0], mean(abs(z**3 - 3 * v * z - mean(z**3)))[..., 0]


def test_the_norms_of_the_derivatives_are_those_of_differences():
    s, h = exact([[0], [3], [1], [0.5]]), Fraction(1, 1000)
    a = [softmax(s * (1 + k * h)) for k in range(-2, 3)]
    second = (a[3] - a[2] * 2 + a[1]) / h**2
    third = (a[4] - a[3] * 2 + a[1] * 2 - a[0]) / (h**3 * 2)
    q = np.array([float(entry.ends[0]) for entry in a[2][:, 0]])
    differences = [float(abs(d).sum().ends[0]) for d in (second, third)]
    assert derivative_norms(q, s[:, 0].astype(float)) == pytest.approx(differences, rel=1e-4)


def test_the_norms_of_the_derivatives_are_bounded_as_the_docstring_says():
    rng = np.random.default_rng(0)
    found = []
    for n in range(2, 6):
        s = rng.random((5000, n))
        s[:, :2] = 0, 1
        found.append(derivative_norms(rng.dirichlet(np.full(n, 0.5), 5000), s))
    largest = np.max(found, axis=(0, 2))
    assert (largest < (1 / np.sqrt(27) + 1e-12, 1 / 4 + 1e-12)).all()
    assert (largest > (0.19, 0.249)).all()  # and no better


def test_the_best_constants_are_approached():
    ends = np.array([0.0, 1.0])
    share = (1 - 1 / np.sqrt(3)) / 2
    assert derivative_norms(np.array([1 - share, share]), ends)[0] == pytest.approx(1 / np.sqrt(27))
    assert derivative_norms(np.array([0.5, 0.5]), ends)[1] == pytest.approx(1 / 4)


def test_complex_scores_are_bounded_in_a_strip():
    rng = np.random.default_rng(1)
    s = rng.random((2000, 4))
    R, t, y = np.ptp(s, axis=1), rng.normal(size=2000) * 5, rng.uniform(-3, 3, 2000)
    powers = np.exp((t + 1j * y)[:, None] * s)
    total = abs(powers / powers.sum(1, keepdims=True)).sum(1)
    inside = abs(y) * R < np.pi
    assert inside.any() and (total <= 1 / np.cos(y * R / 2) * (1 + 1e-12))[inside].all()


@pytest.mark.parametrize("epsilon", ["1/1000", "1/10", "-1/2", "3", "-50"])
@pytest.mark.parametrize("scores", list(itertools.product([-1, 0, 2], repeat=3))[::4])
def test_the_first_order_error_bounds_every_weight(epsilon, scores):
    values, scores, epsilon = exact(np.eye(3)), exact(np.array(scores)[:, None]), Fraction(epsilon)
    off = abs(softmax(scores * epsilon) - softmax_first_order(values, scores, epsilon))
    assert (off <= first_order_error_bound(values, scores, epsilon)).all()


def test_half_ranges_are_those_of_rows():
    assert half_range(exact([[1, 5, -2], [3, 3, 3]])).tolist() == [[Fraction(7, 2)], [0]]


# ------------------------------------------------------------------------------------ many heads


@pytest.mark.parametrize("scales", [[1, -1], [1, 2], ["1/3", 0, 5], [1, 2, 3, 4, -7], range(1, 9)])
def test_derivative_weights_solve_their_equations(scales):
    nodes = np.array([[Fraction(scale) for scale in scales]], dtype=object)
    weights = derivative_weights(nodes)
    assert weights.dtype == object
    for j in range(len(scales)):
        assert (weights @ (nodes**j).T == (1 if j == 1 else 0)).all()


def test_derivative_weights_keep_the_kind_of_number():
    assert derivative_weights(np.array([[1, -1]], dtype=np.float32)).dtype == np.float32
    assert derivative_weights(exact([[2, -2]])).tolist() == [[Fraction(1, 4), Fraction(-1, 4)]]


@pytest.mark.parametrize(
    ("multiples", "order"),
    [((1, -1), 2), ((1, 2), 1), ((1, 2, -1), 2), ((1, 2, 3, 4), 3), ((1, -1, 2, -2), 4)],
)
def test_the_error_falls_with_the_order_of_the_heads(multiples, order):
    """An illustration in floats: the slope on a double logarithmic scale."""
    epsilon = 0.1
    ratio = distance(np.array(multiples) * 2 * epsilon) / distance(np.array(multiples) * epsilon)
    assert np.log2(ratio) == pytest.approx(order, abs=0.25)


def test_on_centred_inputs_the_heads_approximate_plain_gradient_descent():
    X_c = X - X.mean(1, keepdims=True)
    plain, on_inputs = gd_step(W_0, X_c, Y, ETA), centred_gd_step(W_0, X_c, Y, ETA)
    assert plain == pytest.approx(on_inputs)
    heads = softmax_gd_heads(W_0, EYE, ETA, np.array([[1e-3, -1e-3]]))
    assert heads_update(X_c, Y, x, W_0, heads) == pytest.approx((W_0 - plain) @ x, abs=1e-6)


def test_off_centre_they_do_not():
    assert abs((gd_step(W_0, X, Y, ETA) - centred_gd_step(W_0, X, Y, ETA)) @ x).item() > 0.01
    assert distance([1e-3, -1e-3]) < 1e-6


def test_the_bound_of_two_opposite_heads_is_sharper_than_that_of_any_two():
    p = next(itertools.islice(OppositeHeads.fixed(), 1, None))
    scales = np.array([[p.epsilon, -p.epsilon]], dtype=object)
    of_two = opposite_heads_error_bound(p.values, p.scores, p.epsilon)
    of_any = heads_error_bound(p.values, p.scores, scales, derivative_weights(scales))
    small = p.epsilon * half_range(p.scores.T)[0, 0] / 6  # what their ratio is
    assert (of_two == of_any * small).all()


# --------------------------------------------------------------------------------------- centring


def test_centred_columns_add_up_to_zero():
    columns = exact([[1, 2, 4], [0, 5, -3]])
    assert (centred(columns).sum(1) == 0).all()
    assert (column_mean(columns) == exact([[7, 2]]).T / 3).all()
    assert (centred(columns[:, :1]) == 0).all()


def test_the_centred_step_is_that_of_the_best_intercept():
    eta, W = Fraction(1, 3), exact(W_0)
    b = column_mean(exact(Y) - W @ exact(X))
    assert (centred_gd_step(W, exact(X), exact(Y), eta) == gd_step(W, exact(X), exact(Y) - b, eta)).all()


# -------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("call", "error", "argument"),
    [
        (lambda: derivative_weights(np.array([[1.0, 1.0]])), errors.RepeatedScaleError, "scales"),
        (lambda: derivative_weights(np.array([[0.0, -0.0]])), errors.RepeatedScaleError, "scales"),
        (lambda: derivative_weights(np.array([[1.0]])), errors.ShapeError, "H"),
        (lambda: derivative_weights(np.array([[1.0], [2.0]])), errors.ShapeError, "scales"),
        (lambda: derivative_weights(np.array([1.0, 2.0])), errors.ShapeError, "scales"),
        (lambda: derivative_weights(np.array([[1.0, np.nan]])), errors.NonFiniteError, "scales"),
        (lambda: derivative_weights(np.array([[1, 2]])), errors.DTypeError, "scales"),
        (lambda: derivative_weights(np.array([[1e308, -1e308]])), errors.NonFiniteError, "scales"),
        (lambda: derivative_weights(np.array([[1e-320, 2e-320]])), errors.NonFiniteError, "scales"),
        (lambda: softmax_head(W_0, np.eye(3), ETA), errors.ShapeError, "A"),
        (lambda: softmax_head(W_0, EYE, np.inf), errors.NonFiniteError, "factor"),
        (lambda: softmax_head(W_0, EYE, "1"), errors.DTypeError, "factor"),
        (lambda: softmax_gd_heads(W_0, EYE, None, SCALES), errors.DTypeError, "eta"),
        (lambda: softmax_gd_heads(W_0, None, ETA, SCALES), errors.DTypeError, "A"),
        (lambda: softmax_head(W_0, exact(EYE), ETA), errors.DTypeError, "A"),
        (
            lambda: softmax_gd_heads(W_0, EYE, ETA, SCALES * 0),
            errors.RepeatedScaleError,
            "scales",
        ),
        (lambda: softmax_gd_heads(W_0, EYE, ETA, exact([[1, 2]])), errors.DTypeError, "scales"),
        (lambda: heads_update(X, Y, X, W_0, ()), errors.ShapeError, "x_query"),
        (lambda: heads_update(X, Y, x, W_0, ("head",)), errors.DTypeError, "heads"),
        (lambda: heads_update(X, Y, x, W_0, None), errors.DTypeError, "heads"),
        (lambda: heads_update(X, Y, x, W_0, softmax_head(W_0, EYE, ETA)), errors.DTypeError, "heads"),
        (
            lambda: heads_update(X[:, :0], Y[:, :0], x, W_0, [softmax_head(W_0, EYE, ETA)]),
            errors.ShapeError,
            "N",
        ),
        (lambda: column_mean(X[:, :0]), errors.ShapeError, "N"),
        (lambda: centred_gd_step(W_0, X, Y[:, :1], ETA), errors.ShapeError, "Y"),
        (lambda: centred_gd_step(W_0, X, Y, None), errors.DTypeError, "eta"),
        (lambda: softmax_first_order(VALUES, x, 0.1), errors.ShapeError, "scores"),
        (lambda: first_order_error_bound(VALUES, SCORES, np.nan), errors.NonFiniteError, "epsilon"),
        (lambda: opposite_heads_error_bound(VALUES, exact(SCORES), 0.1), errors.DTypeError, "scores"),
        (lambda: heads_error_bound(VALUES, SCORES, EYE, EYE[:1]), errors.ShapeError, "scales"),
        (lambda: heads_error_bound(VALUES, SCORES, EYE[:1], ETA), errors.ShapeError, "weights"),
        (lambda: half_range(VALUES[:, :0]), errors.ShapeError, "N"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, argument):
    with pytest.raises(error) as caught:
        call()
    assert caught.value.argument == argument
