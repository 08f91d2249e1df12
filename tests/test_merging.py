"""Token merging: sizes that the claims do not draw, limits, numbers by hand, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy

from gdtheory.constructions.lsa import LSAWeights, lsa_layer
from gdtheory.constructions.merged_regression import (
    gd_layer_on_slots,
    slot_targets,
    softmax_merging_prediction,
)
from gdtheory.constructions.merging import (
    clearing_head,
    copying_head,
    pair_tokens,
    pairing_heads,
    separate_tokens,
    successors,
)
from gdtheory.constructions.multi_head import multi_head_layer
from gdtheory.constructions.softmax import softmax_layer, softmax_weights
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.exact import to_fractions
from gdtheory.ledger import exactly
from gdtheory.reference import merging as reference
from gdtheory.reference.regression import gd_prediction


def task(N, N_x, N_y, seed=0):
    rng = np.random.default_rng(seed)
    shapes = ((N_x, N), (N_y, N), (N_x, 1))
    return [rng.integers(-5, 6, shape).astype(float) for shape in shapes]


SIZES = [(1, 1, 1), (1, 2, 3), (4, 2, 1), (4, 1, 3), (1, 5, 2), (2, 7, 7), (6, 3, 3)]
sizes = pytest.mark.parametrize(("N", "N_x", "N_y"), SIZES)


def contents(X, Y, x_query):
    """The contents of all tokens, entry by entry."""
    N, C = X.shape[1], max(len(X), len(Y))
    c = np.zeros((C, 2 * N + 1))
    for j in range(N):
        for i in range(len(X)):
            c[i, 2 * j] = X[i, j]
        for i in range(len(Y)):
            c[C - len(Y) + i, 2 * j + 1] = Y[i, j]
    c[: len(X), 2 * N] = x_query[:, 0]
    return c


# -------------------------------------------------------------------------------------- linear


@sizes
def test_separate_tokens_entry_by_entry(N, N_x, N_y):
    X, Y, x = task(N, N_x, N_y)
    E, C, T = separate_tokens(X, Y, x), max(N_x, N_y), 2 * N + 1
    assert E.shape == (C + max(T, C), T)
    assert (E[:C] == contents(X, Y, x)).all()
    assert (E[C:] == np.eye(max(T, C), T)).all()


@sizes
@pytest.mark.parametrize("cyclic", [False, True])
def test_copying_entry_by_entry(N, N_x, N_y, cyclic):
    X, Y, x = task(N, N_x, N_y)
    E, C, T, c = separate_tokens(X, Y, x), max(N_x, N_y), 2 * N + 1, contents(X, Y, x)
    after = lsa_layer(E, E, copying_head(E, C, successors(T, cyclic=cyclic)))
    expected = E.copy()
    for k in range(T if cyclic else T - 1):
        expected[C:, k] = 0
        expected[C : 2 * C, k] = c[:, (k + 1) % T]
    assert (after == expected).all()
    assert (after == reference.merged_tokens(X, Y, x, cyclic=cyclic)).all()


@sizes
def test_three_heads_entry_by_entry(N, N_x, N_y):
    X, Y, x = task(N, N_x, N_y)
    E, C, c = separate_tokens(X, Y, x), max(N_x, N_y), contents(X, Y, x)
    expected = np.zeros_like(E)
    for k in range(0, 2 * N + 1, 2):
        expected[:C, k] = c[:, k]
        expected[C : 2 * C, k] = c[:, k + 1] if k < 2 * N else 0
    assert (multi_head_layer(E, E, pairing_heads(E, C)) == expected).all()
    assert (reference.pairs_and_zeros(X, Y, x) == expected).all()


def test_blocks_of_the_width_of_x_reach_all_positions_where_x_is_as_wide_as_the_sequence():
    E = separate_tokens(*task(N=2, N_x=5, N_y=1))
    narrow, wide = (copying_head(E, 5, successors(n)) for n in (5, 2 * 2 + 1))
    assert (narrow.W_Q == wide.W_Q).all()
    too_narrow = copying_head(separate_tokens(*task(N=2, N_x=4, N_y=1)), 4, successors(4))
    assert np.linalg.matrix_rank(too_narrow.W_Q) == 3  # of four tokens that have a successor


# -------------------------------------------------------------------------------------- softmax


def test_the_weight_of_a_softmax_copy():
    e = sympy.exp(1)
    assert sympy.simplify(reference.copy_weight(e, 7) - 1 / (1 + 6 / e)) == 0
    assert reference.copy_weight(math.e, 7) == pytest.approx(0.3118, abs=1e-4)
    X, Y, x = task(3, 2, 1)
    E = separate_tokens(X, Y, x)
    attention = softmax_weights(E, E, copying_head(E, 2, successors(7)))
    assert attention == pytest.approx(reference.copy_attention(reference.copy_weight(math.e, 7), 7, E))
    assert attention.sum(axis=0) == pytest.approx(np.ones(7))
    assert attention[1, 0] == pytest.approx(0.3118, abs=1e-4)
    assert attention[:, 6] == pytest.approx(np.full(7, 1 / 7))


@sizes
def test_limits_of_the_scale(N, N_x, N_y):
    X, Y, x = task(N, N_x, N_y)
    gd = gd_prediction(X, Y, x, 0.5)
    uniform = reference.uniform_merging_prediction(X, Y, x, 0.5)
    at = {beta: softmax_merging_prediction(X, Y, x, 0.5, beta) for beta in (-60.0, 0.0, 60.0)}
    assert at[60.0] == pytest.approx(gd)
    assert at[0.0] == pytest.approx(uniform)
    assert at[-60.0] == pytest.approx(gd + (uniform - gd) * (2 * N + 1) / (2 * N))
    for beta, predicted in at.items():
        bound = reference.softmax_merging_error_bound(X, Y, x, 0.5, math.exp(beta))
        assert (abs(predicted - gd) <= bound + 1e-9).all()


@pytest.mark.parametrize("beta", [-3.0, 0.0, 2.0])
def test_the_bound_is_attained_with_one_pair(beta):
    x, y = np.array([[4.0]]), np.array([[-4.0]])
    error = softmax_merging_prediction(x, y, x, 0.5, beta) - gd_prediction(x, y, x, 0.5)
    bound = reference.softmax_merging_error_bound(x, y, x, 0.5, math.exp(beta))
    assert abs(error[0, 0]) == pytest.approx(bound)


def test_softmax_keeps_the_precision_and_takes_large_scores():
    one = np.ones((1, 1), dtype=np.float32)
    layer = LSAWeights(W_K=one * 1000, W_Q=one, W_V=one, P=one)
    after = softmax_layer(one, np.array([[1, 2]], dtype=np.float32), layer)
    assert after.dtype == np.float32
    assert after.tolist() == [[3]]


def test_integers_count_as_fractions():
    assert repr(reference.copy_weight(1, 4)) == "Fraction(1, 4)"
    assert repr(reference.uniform_share(np.int64(2), 4)) == "Fraction(4, 5)"


# -------------------------------------------------------------------------------------- refusals


def refused(error, argument, call, *args, **kwargs):
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    assert type(caught.value) is error
    assert caught.value.argument == argument


X, Y, X_QUERY = task(2, 3, 1)
E = separate_tokens(X, Y, X_QUERY)
LAYER = copying_head(E, 3, successors(5))


@pytest.mark.parametrize(
    "call",
    [
        separate_tokens,
        reference.pairs,
        reference.pairs_and_zeros,
        reference.merged_tokens,
        lambda *data: softmax_merging_prediction(*data, 0.5, 1.0),
        lambda *data: gd_prediction(*data, 0.5),
        lambda *data: reference.uniform_merging_prediction(*data, 0.5),
        lambda *data: reference.softmax_merging_error_bound(*data, 0.5, 1.0),
    ],
)
def test_tasks_that_do_not_fit_are_refused(call):
    refused(ShapeError, "Y", call, X, Y[:, :1], X_QUERY)
    refused(ShapeError, "x_query", call, X, Y, X)
    refused(ShapeError, "N", call, X[:, :0], Y[:, :0], X_QUERY)
    refused(DTypeError, "Y", call, X, to_fractions(Y), X_QUERY)
    refused(DTypeError, "X", call, X.astype(int), Y, X_QUERY)
    refused(NonFiniteError, "x_query", call, X, Y, X_QUERY * np.nan)


@pytest.mark.parametrize("head", [lambda E, C: copying_head(E, C, {}), lambda E, C: clearing_head(E, C, [])])
def test_tokens_without_room_for_positions_are_refused(head):
    refused(ShapeError, "C", head, E, 4)
    refused(ShapeError, "C", head, E[:7], 3)
    refused(ShapeError, "E", head, E[:5], 1)
    refused(ShapeError, "C", head, E, 0)
    refused(DTypeError, "C", head, E, 3.0)
    refused(ShapeError, "E", head, E[0], 3)


def test_what_heads_and_layers_refuse():
    refused(DTypeError, "reads", copying_head, E, 3, [0, 1])
    refused(ShapeError, "reads", copying_head, E, 3, {0: 5})
    refused(ShapeError, "reads", copying_head, E, 3, {-1: 0})
    refused(DTypeError, "reads", copying_head, E, 3, {0: 0.5})
    refused(DTypeError, "beta", copying_head, E, 3, {}, "1")
    refused(NonFiniteError, "beta", copying_head, E, 3, {}, np.inf)
    refused(ArgumentError, "reads", copying_head, E, 3, {0: 2, 1: 2})
    refused(ShapeError, "positions", clearing_head, E, 3, [5])
    refused(DTypeError, "positions", clearing_head, E, 3, None)
    refused(DTypeError, "positions", clearing_head, E, 3, 3)
    refused(DTypeError, "positions", clearing_head, E, 3, [[1]])
    refused(DTypeError, "heads", multi_head_layer, E, E, None)
    refused(DTypeError, "heads", multi_head_layer, E, E, LAYER)
    refused(DTypeError, "keys", softmax_merging_prediction, X, Y, X_QUERY, 0.5, 1.0, None)
    refused(ShapeError, "T", pairing_heads, E[:, :4], 3)
    refused(ShapeError, "T", pair_tokens, E[:, :4])
    refused(ShapeError, "T", successors, 0)
    refused(DTypeError, "heads", multi_head_layer, E, E, [np.eye(8)])
    refused(ShapeError, "context", multi_head_layer, E, E[:7], [LAYER])
    refused(ShapeError, "C", gd_layer_on_slots, E, E, 8, 0.5, 2)
    refused(ShapeError, "N", gd_layer_on_slots, E, E, 3, 0.5, 0)
    refused(ShapeError, "T", pair_tokens, E[:, :2])
    refused(ShapeError, "C", slot_targets, E, 5, 1)
    refused(ShapeError, "N_y", slot_targets, E, 3, 4)


@pytest.mark.parametrize("call", [softmax_weights, softmax_layer])
def test_what_softmax_attention_refuses(call):
    refused(DTypeError, "weights", call, E, E, np.eye(8))
    refused(ShapeError, "context", call, E, E[:7], LAYER)
    refused(ShapeError, "N", call, E, E[:, :0], LAYER)
    refused(NonFiniteError, "queries", call, E + np.inf, E, LAYER)
    refused(DTypeError, "queries", call, to_fractions(E), E, LAYER)
    refused(NonFiniteError, "scores", call, E, E * 1e200, replace(LAYER, W_Q=LAYER.W_Q * 1e200))
    ledgers = [exactly(each) for each in (E, LAYER.W_K, LAYER.W_Q, LAYER.W_V, LAYER.P)]
    refused(DTypeError, "a", call, ledgers[0], ledgers[0], LSAWeights(*ledgers[1:]))


def test_what_the_reference_refuses():
    bound = reference.softmax_merging_error_bound
    refused(ShapeError, "N_x", bound, X[:0], Y, X_QUERY[:0], 0.5, 1.0)
    refused(ShapeError, "N_y", bound, X, Y[:0], X_QUERY, 0.5, 1.0)
    refused(ShapeError, "T", reference.copy_weight, 1.0, 0)
    refused(ShapeError, "T", reference.uniform_share, 1.0, 0)
    refused(ShapeError, "T", reference.copy_attention, 1.0, 1, E)
    refused(NonFiniteError, "beta", reference.exponential, np.nan, E)
    refused(NonFiniteError, "beta", reference.exponential, 1e6, E)
    refused(NonFiniteError, "beta", reference.exponential, -1e6, E)
    refused(DTypeError, "like", reference.exponential, 0.5, E.astype(int))
    refused(DTypeError, "weight", reference.copy_attention, "a", 5, E)
    refused(ShapeError, "targets", reference.interleaved, X, Y, X_QUERY)


@pytest.mark.parametrize(
    "call",
    [
        lambda e_beta: reference.copy_weight(e_beta, 3),
        lambda e_beta: reference.uniform_share(e_beta, 1),
        lambda e_beta: reference.softmax_merging_error_bound(X, Y, X_QUERY, 0.5, e_beta),
    ],
)
def test_what_is_no_exponential_is_refused(call):
    for value in ("a", None, 1j, True, np.ones(2)):
        refused(DTypeError, "e_beta", call, value)
    for value in (np.nan, np.inf):
        refused(NonFiniteError, "e_beta", call, value)
    for value in (-2.0, 0.0, -2):
        refused(ArgumentError, "e_beta", call, value)
