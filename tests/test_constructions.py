"""Constructions, against numbers worked out by hand from the formulas, and what they refuse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.constructions.conventions import AhnWeights, HuangWeights, ZhangWeights
from gdtheory.constructions.cot import (
    append_token,
    append_token_folded,
    cot_weights,
    example_tokens,
    prompt,
    weight_tokens,
    weights_of,
)
from gdtheory.constructions.lsa import (
    LSAWeights,
    gd_step_weights,
    lsa_layer,
    lsa_layer_folded,
    regression_tokens,
)
from gdtheory.errors import (
    ArgumentError,
    ConventionError,
    DegenerateContextError,
    DTypeError,
    NonFiniteError,
    ShapeError,
)
from gdtheory.exact import to_fractions


def array(rows):
    return np.array(rows, dtype=np.float64)


def exact(rows):
    return to_fractions(array(rows))


each_kind = pytest.mark.parametrize("kind", [array, exact], ids=["floats", "fractions"])
half = {array: 0.5, exact: Fraction(1, 2)}

NO_COUNT = [2.5, 2.0, np.float32(2), Fraction(2), True, np.bool_(True), None, "2", [2], 2j]
TOO_SMALL = [0, -1, np.int64(0)]
NO_NUMBER = ["0.5", None, True, 1j, [0.5], np.ones(1), {}]


def refused(error: type[ArgumentError], argument: str, call, *args, **kwargs) -> ArgumentError:
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    assert type(caught.value) is error
    assert caught.value.argument == argument
    return caught.value


# ------------------------------------------------------------------- one gradient-descent step


@each_kind
def test_the_weights_of_one_step_with_one_input_and_one_target(kind):
    weights = gd_step_weights(kind([[3]]), half[kind], 1)
    assert weights.W_K.tolist() == weights.W_Q.tolist() == weights.W_KQ.tolist() == [[1, 0], [0, 0]]
    assert weights.W_V.tolist() == [[0, 0], [3, -1]]
    assert weights.P.tolist() == [[0.5, 0], [0, 0.5]]
    assert weights.W_PV.tolist() == [[0, 0], [1.5, -0.5]]


@each_kind
def test_one_step_with_one_input_and_one_target(kind):
    """W_1 = 3 - 1/2 (3·2 - 1) 2 = -2, so the query x = 4 ends at -W_1 x = 8."""
    W_0 = kind([[3]])
    E = regression_tokens(kind([[2]]), kind([[1]]), kind([[4]]), W_0)
    assert E.tolist() == [[2, 4], [1, -12]]
    weights = gd_step_weights(W_0, half[kind], 1)
    assert weights.layer(E)[:, 1].tolist() == [4, 8]
    assert weights.predict(E).tolist() == [[-8]]


@each_kind
@pytest.mark.parametrize("layer", [lsa_layer, lsa_layer_folded])
def test_one_step_with_two_inputs_and_two_targets(layer, kind):
    """Residuals W_0 X - Y = (4 1; -2 -3), gradient (2 9/2; -1 -7/2), W_1 = (-1 -5/2; 1 5/2)."""
    W_0, X, Y, x = kind([[1, 2], [0, -1]]), kind([[1, 0], [2, 1]]), kind([[1, 1], [0, 2]]), kind([[1], [1]])
    E = regression_tokens(X, Y, x, W_0)
    assert E.tolist() == [[1, 0, 1], [2, 1, 1], [1, 1, -3], [0, 2, 1]]
    moved = layer(E, E[:, :2], gd_step_weights(W_0, half[kind] * 2, 2))
    assert moved[:, 2].tolist() == [1, 1, 3.5, -3.5]
    # the targets move by -ΔW x_i with ΔW = W_1 - W_0 = (-2 -9/2; 1 7/2)
    assert moved[:, 0].tolist() == [1, 2, 1 + 11, 0 - 8]
    assert moved[:, 1].tolist() == [0, 1, 1 + 4.5, 2 - 3.5]


def test_a_layer_by_its_printed_formula():
    """e + P Σ (W_V e_i)(W_K e_i)ᵀ W_Q e for D = 1: 2 + 7 (5·1·3·1 + 5·(-2)·3·(-2)) 4·2."""
    weights = LSAWeights(*(array([[entry]]) for entry in (3, 4, 5, 7)))
    for layer in (lsa_layer, lsa_layer_folded):
        assert layer(array([[2]]), array([[1, -2]]), weights).tolist() == [[2 + 7 * (15 + 60) * 8]]
    assert weights.layer(array([[1, -2, 2]])).tolist()[0][2] == 2 + 7 * (15 + 60) * 8


def test_a_layer_without_context_changes_nothing():
    weights = LSAWeights(*[array([[1, 2], [3, 4]])] * 4)
    for layer in (lsa_layer, lsa_layer_folded):
        assert layer(array([[5], [6]]), np.empty((2, 0)), weights).tolist() == [[5], [6]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_dtype_is_kept(dtype):
    W_0, X = np.ones((1, 2), dtype), np.ones((2, 3), dtype)
    weights = gd_step_weights(W_0, 0.1, 3)
    arrays = [getattr(weights, name) for name in ("W_K", "W_Q", "W_V", "P", "W_KQ", "W_PV")]
    assert all(a.dtype == dtype for a in arrays)
    E = regression_tokens(X, np.ones((1, 3), dtype), np.ones((2, 1), dtype), W_0)
    assert weights.layer(E).dtype == weights.predict(E).dtype == E.dtype == dtype


def test_exact_numbers_stay_exact():
    for eta in (1, Fraction(1, 3), np.int64(1)):
        weights = gd_step_weights(exact([[3]]), eta, 3)
        assert weights.P[0, 0] == Fraction(eta) / 3
        assert {type(entry) for entry in weights.P.flat} == {Fraction}
    V, W = exact([[2]]), exact([[5]])
    assert LSAWeights.from_huang(HuangWeights(V, W), 3).P.tolist() == [[Fraction(1, 3)]]


@pytest.mark.parametrize("N", NO_COUNT, ids=repr)
def test_no_whole_number_of_tokens_is_refused(N):
    refused(DTypeError, "N", gd_step_weights, array([[3]]), 0.5, N)
    refused(DTypeError, "N", gd_step_weights(array([[0]]), 0.5, 1).to_convention, "ahn", N=N)


@pytest.mark.parametrize("N", TOO_SMALL, ids=repr)
def test_no_tokens_are_refused(N):
    refused(ShapeError, "N", gd_step_weights, array([[3]]), 0.5, N)
    refused(ShapeError, "N", gd_step_weights(array([[0]]), 0.5, 1).to_convention, "ahn", N=N)


def test_numpy_counts_and_scalars_are_taken():
    expected = gd_step_weights(array([[3]]), 0.5, 2).P
    for eta, N in ((np.float64(0.5), np.int64(2)), (np.array(0.5), np.uint8(2)), (Fraction(1, 2), 2)):
        assert (expected == gd_step_weights(array([[3]]), eta, N).P).all()
    assert (expected == gd_step_weights([[3.0]], 0.5, 2).P).all()


@pytest.mark.parametrize("eta", NO_NUMBER, ids=repr)
def test_no_learning_rate_is_refused(eta):
    refused(DTypeError, "eta", gd_step_weights, array([[3]]), eta, 2)
    refused(DTypeError, "eta", gd_step_weights, exact([[3]]), eta, 2)
    refused(DTypeError, "eta", cot_weights, 2, eta)
    refused(DTypeError, "w_24", cot_weights, 2, 0.5, w_24=eta)


@pytest.mark.parametrize("eta", [np.nan, np.inf, -np.inf, np.array(np.nan), 10**400], ids=str)
def test_no_finite_learning_rate_is_refused(eta):
    refused(NonFiniteError, "eta", gd_step_weights, array([[3]]), eta, 2)
    refused(NonFiniteError, "eta", cot_weights, 2, eta)


def test_a_float_learning_rate_beside_fractions_is_refused():
    refused(DTypeError, "eta", gd_step_weights, exact([[3]]), 0.5, 2)
    refused(DTypeError, "eta", cot_weights, 1, 0.5, like=exact([[3]]))


@pytest.mark.parametrize(
    "W_0, error",
    [
        (array([2.0, 3.0]), ShapeError),
        (np.ones((1, 2, 1)), ShapeError),
        (np.float64(3.0), ShapeError),
        (3.0, ShapeError),
        ([[2, 3]], DTypeError),
        (np.ones((1, 2), dtype=complex), DTypeError),
        ([["a"]], DTypeError),
        ([[1.0], [2.0, 3.0]], DTypeError),
        (None, DTypeError),
        (array([[np.nan, 1.0]]), NonFiniteError),
    ],
    ids=str,
)
def test_no_matrix_of_weights_is_refused(W_0, error):
    refused(error, "W_0", gd_step_weights, W_0, 0.5, 2)


def test_arrays_that_do_not_fit_are_refused_by_name():
    X, Y, x, W_0 = np.ones((2, 3)), np.ones((1, 3)), np.ones((2, 1)), np.ones((1, 2))
    refused(ShapeError, "Y", regression_tokens, X, Y[:, :2], x, W_0)
    refused(ShapeError, "x_query", regression_tokens, X, Y, x.T, W_0)
    refused(ShapeError, "W_0", regression_tokens, X, Y, x, W_0.T)
    refused(ShapeError, "W_Q", LSAWeights, np.eye(2), np.eye(3), np.eye(2), np.eye(2))
    refused(ShapeError, "P", LSAWeights, np.eye(2), np.eye(2), np.eye(2), np.eye(2)[:1])
    refused(ShapeError, "W_K", LSAWeights, np.ones((2, 3)), np.eye(3), np.eye(3), np.eye(3))


@pytest.mark.parametrize("layer", [lsa_layer, lsa_layer_folded])
def test_tokens_that_do_not_fit_a_layer_are_refused_by_name(layer):
    weights, tokens = gd_step_weights(np.ones((1, 2)), 0.5, 3), np.ones((3, 4))
    refused(ShapeError, "queries", layer, tokens[:2], tokens, weights)
    refused(ShapeError, "queries", layer, tokens[:, 0], tokens, weights)
    refused(ShapeError, "context", layer, tokens, tokens[:2], weights)
    refused(ShapeError, "context", layer, tokens, tokens[:, 0], weights)


@pytest.mark.parametrize("mixed", ["W_0", "X", "Y", "x_query"])
def test_fractions_beside_floats_are_refused(mixed):
    """NumPy would return floats in an array of objects, which look exact."""
    arrays = {"X": array([[2]]), "Y": array([[1]]), "x_query": array([[4]]), "W_0": array([[3]])}
    with pytest.raises(DTypeError):
        regression_tokens(**arrays | {mixed: to_fractions(arrays[mixed])})
    with pytest.raises(DTypeError):
        weight_transfer(exact([[1]]), array([[2]]), array([[4]]))
    with pytest.raises(DTypeError):
        LSAWeights(exact([[1]]), array([[2]]), array([[4]]), array([[4]]))


# ------------------------------------------------------------------------------------ conventions

E = array([[1, 2, 4], [3, 1, 0]])
"""Tokens (1, 3), (2, 1) and the query (4, 0): a step from 0 with eta = 1/2 predicts 1/4 (3 + 2) 4 = 5."""
STEP_FROM_ZERO = gd_step_weights(array([[0]]), 0.5, 2)


def test_the_step_in_the_convention_of_von_oswald():
    weights = STEP_FROM_ZERO.to_convention("vonoswald", N=2)
    assert weights is STEP_FROM_ZERO
    assert weights.predict(E).tolist() == [[5]]


def test_the_step_in_the_convention_of_zhang():
    weights = STEP_FROM_ZERO.to_convention("zhang", N=2)
    assert isinstance(weights, ZhangWeights)
    assert (weights.W_PV.tolist(), weights.W_KQ.tolist()) == ([[0, 0], [0, 0.5]], [[1, 0], [0, 0]])
    assert weights.rho == 2
    # every token e moves by (0, 1/2 Σ y_i x_i x / 2) = (0, 5/4 x)
    assert weights.layer(E).tolist() == [[1, 2, 4], [3 + 1.25, 1 + 2.5, 5]]
    assert weights.predict(E).tolist() == [[5]]


def test_the_step_in_the_convention_of_ahn():
    weights = STEP_FROM_ZERO.to_convention("ahn", N=2)
    assert isinstance(weights, AhnWeights)
    assert (weights.P.tolist(), weights.Q.tolist()) == ([[0, 0], [0, -0.5]], [[1, 0], [0, 0]])
    assert weights.layer(E).tolist() == [[1, 2, 4], [3 - 1.25, 1 - 2.5, -5]]
    assert weights.predict(E).tolist() == [[5]]


def test_the_step_in_the_convention_of_huang():
    weights = STEP_FROM_ZERO.to_convention("huang", N=2)
    assert isinstance(weights, HuangWeights)
    assert (weights.V.tolist(), weights.W.tolist()) == ([[0, 0], [0, 0.5]], [[1, 0], [0, 0]])
    assert weights.layer(E).tolist() == [[1, 2, 4], [3 + 1.25, 1 + 2.5, 5]]
    assert weights.next_token(E).tolist() == [[4], [5]]
    assert weights.predict(E).tolist() == [[5]]


def test_a_query_with_a_target_sees_itself_in_two_of_the_conventions():
    """With y = 2 in the query slot Zhang's and Huang's sums also hold 2·4, times 1/4·4: 2 + 5 + 8."""
    seen = E + array([[0, 0, 0], [0, 0, 2]])
    assert STEP_FROM_ZERO.to_convention("zhang", N=2).predict(seen).tolist() == [[15]]
    assert STEP_FROM_ZERO.to_convention("huang", N=2).predict(seen).tolist() == [[15]]
    assert STEP_FROM_ZERO.to_convention("ahn", N=2).predict(seen).tolist() == [[3]]


def test_several_targets_are_read_out_together():
    weights = gd_step_weights(np.zeros((2, 1)), 0.5, 2)
    tokens = array([[1, 2, 4], [3, 1, 0], [-1, 0, 0]])  # targets (3, -1), (1, 0): 1/4 (5, -1) 4
    for convention in ("vonoswald", "zhang", "ahn", "huang"):
        converted = weights.to_convention(convention, N=2, N_y=2)
        assert converted.predict(tokens, 2).tolist() == [[5], [-1]]


@pytest.mark.parametrize("convention", ["zhang", "huang"])
def test_weights_that_read_targets_off_inputs_are_refused_where_the_query_sees_itself(convention):
    weights = gd_step_weights(array([[3]]), 0.5, 2)
    error = refused(ConventionError, "convention", weights.to_convention, convention, N=2)
    assert "W_0 = 0" in error.expected and convention in error.got and "GDT-0002" in error.got
    assert weights.to_convention("ahn", N=2).P.tolist() == [[0, 0], [1.5, -0.5]]


@pytest.mark.parametrize("convention", ["Zhang", "garg", "", None, 3])
def test_an_unknown_convention_is_refused_with_the_known_ones(convention):
    error = refused(ConventionError, "convention", STEP_FROM_ZERO.to_convention, convention, N=2)
    assert all(name in error.expected for name in ("vonoswald", "zhang", "ahn", "huang"))
    assert error.got == repr(convention)


@pytest.mark.parametrize("N_y", [0, -1, 2, 3, 1.5, None, True], ids=repr)
def test_a_wrong_number_of_targets_is_refused(N_y):
    """It decides which block must be zero, so a wrong one would let weights pass."""
    weights = gd_step_weights(array([[3]]), 0.5, 2)
    with pytest.raises((ShapeError, DTypeError)):
        weights.to_convention("zhang", N=2, N_y=N_y)
    with pytest.raises((ShapeError, DTypeError)):
        weights.predict(E, N_y)


@pytest.mark.parametrize("weights", [AhnWeights(np.eye(2), np.eye(2)), HuangWeights(np.eye(2), np.eye(2))])
def test_a_query_without_context_is_refused_where_the_layer_divides_by_its_length(weights):
    with pytest.raises(ShapeError):
        weights.predict(E[:, :1])


@pytest.mark.parametrize("weights", [STEP_FROM_ZERO, AhnWeights(np.eye(2), np.eye(2))])
def test_no_tokens_at_all_are_refused(weights):
    with pytest.raises(ShapeError):
        weights.layer(E[:, :0])


# --------------------------------------------------------------------------------- chain of thought


@each_kind
def test_the_weights_of_a_chain_of_thought(kind):
    weights = cot_weights(1, half[kind], like=kind([[0]]))
    assert weights.V.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [-0.5, 0, 0, 0], [0, 0, 0, 0]]
    assert weights.W.tolist() == [[0, 0, 1, 0], [0, 0, 0, -1], [0, 0, 0, 0], [0, 0, 0, 0]]


def test_the_blocks_of_two_entries():
    weights = cot_weights(2, 0.5, w_24=-3)
    assert weights.V.shape == weights.W.shape == (6, 6)
    assert weights.V[3:5, :2].tolist() == [[-0.5, 0], [0, -0.5]] and np.abs(weights.V).sum() == 1
    assert weights.W[:2, 3:5].tolist() == [[1, 0], [0, 1]] and weights.W[2, 5] == -3
    assert np.abs(weights.W).sum() == 5


@each_kind
def test_a_prompt(kind):
    Z = prompt(kind([[1, 2]]), kind([[3, 1]]), kind([[4, 5]]), kind([[6]]))
    assert Z.tolist() == [[1, 2, 0, 0, 0], [3, 1, 0, 0, 0], [0, 0, 4, 5, 6], [0, 0, 1, 1, 1]]
    assert weights_of(Z, 1).tolist() == [[0, 0, 4, 5, 6]]
    assert weight_tokens(kind([[4]]), kind([[7]])).tolist() == [[0], [7], [4], [1]]
    assert prompt(kind([[1, 2]]), kind([[3, 1]])).tolist() == [[1, 2], [3, 1], [0, 0], [0, 0]]


@each_kind
@pytest.mark.parametrize("append", [append_token, append_token_folded])
def test_a_token_is_a_step(append, kind):
    """4 - 1/4 (1 (4 - 3) + 2 (8 - 1)) = 1/4, then 1/4 - 1/4 ((1/4 - 3) + 2 (1/2 - 1)) = 19/16."""
    weights = cot_weights(1, half[kind], like=kind([[0]]))
    Z = append(prompt(kind([[1, 2]]), kind([[3, 1]]), kind([[4]])), weights, 2)
    assert Z[:, 3].tolist() == [0, 0, 0.25, 1]
    Z = append(Z, weights, 2)
    assert Z[:, 4].tolist() == [0, 0, 1.1875, 1]
    assert Z.shape == (4, 5)


@pytest.mark.parametrize("append", [append_token, append_token_folded])
def test_a_token_of_two_entries_is_a_step(append):
    """Xᵀw - yᵀ = (26, 40), X times it (106, 238), and (7, 8) less a quarter of it."""
    Z = prompt(array([[1, 2], [3, 4]]), array([[5, 6]]), array([[7], [8]]))
    assert append(Z, cot_weights(2, 0.5), 2)[:, -1].tolist() == [0, 0, 0, -19.5, -51.5, 1]


def test_all_tokens_after_the_layer():
    """Tokens with 1 in the last slot move, by the residuals of their own weights; examples stay."""
    Z = prompt(array([[1, 2]]), array([[3, 1]]), array([[4, 0]]))
    moved = cot_weights(1, 0.5).layer(Z, 2)
    assert moved.tolist() == [[1, 2, 0, 0], [3, 1, 0, 0], [0, 0, 0.25, 1.25], [0, 0, 1, 1]]
    assert (cot_weights(1, 0.5).next_token(Z, 2) == moved[:, 3:]).all()


def test_by_default_all_tokens_but_the_last_are_examples():
    Z = prompt(array([[1, 2]]), array([[3, 1]]), array([[4]]))
    assert cot_weights(1, 0.5).next_token(Z).tolist() == cot_weights(1, 0.5).next_token(Z, 2).tolist()


@pytest.mark.parametrize("d", NO_COUNT, ids=repr)
def test_no_whole_number_of_entries_is_refused(d):
    refused(DTypeError, "d", cot_weights, d, 0.5)


@pytest.mark.parametrize("d", TOO_SMALL, ids=repr)
def test_no_entries_are_refused(d):
    refused(ShapeError, "d", cot_weights, d, 0.5)


@pytest.mark.parametrize("n", [n for n in NO_COUNT if n is not None], ids=repr)
def test_no_whole_number_of_examples_is_refused(n):
    Z, weights = prompt(array([[1, 2]]), array([[3, 1]]), array([[4]])), cot_weights(1, 0.5)
    for call in (weights.layer, weights.next_token, lambda Z, n: append_token(Z, weights, n)):
        refused(DTypeError, "n", call, Z, n)
    refused(DTypeError, "n", LSAWeights.from_huang, weights, n)


@pytest.mark.parametrize("n", TOO_SMALL, ids=repr)
def test_no_examples_are_refused(n):
    Z, weights = prompt(array([[1, 2]]), array([[3, 1]]), array([[4]])), cot_weights(1, 0.5)
    for call in (weights.layer, weights.next_token, lambda Z, n: append_token(Z, weights, n)):
        refused(ShapeError, "n", call, Z, n)
    refused(ShapeError, "n", LSAWeights.from_huang, weights, n)


def test_prompts_that_do_not_fit_are_refused_by_name():
    X, y, w = array([[1, 2], [3, 4]]), array([[5, 6]]), array([[7], [8]])
    refused(ShapeError, "y", prompt, X, y[0], w)
    refused(ShapeError, "y", example_tokens, X, y[:, :1])
    refused(ShapeError, "X", prompt, X[0], y, w)
    refused(ShapeError, "w", prompt, X, y, w[:, 0])
    refused(ShapeError, "w", prompt, X, y, w[:1])
    refused(ShapeError, "star", weight_tokens, w, array([[9, 1]]))
    refused(ShapeError, "star", weight_tokens, w, array([9]))
    refused(NonFiniteError, "X", prompt, X * np.nan, y, w)
    refused(NonFiniteError, "w", prompt, X, y, w * np.inf)
    refused(NonFiniteError, "star", weight_tokens, w, array([[np.nan]]))


def test_a_prompt_of_other_tokens_is_refused():
    Z, weights = prompt(array([[1, 2]]), array([[3, 1]]), array([[4]])), cot_weights(2, 0.5)
    with pytest.raises(ShapeError):
        append_token(Z, weights, 2)
    with pytest.raises(ShapeError):
        weights_of(Z, 2)


def test_lists_are_taken_as_in_the_other_constructions():
    assert prompt([[1.0, 2.0]], [[3.0, 1.0]], [[4.0]]).shape == (4, 3)


@pytest.mark.parametrize("like", [np.ones((1, 1), int), np.ones((1, 1), complex), [[1]]], ids=str)
def test_weights_like_integers_are_refused(like):
    """A learning rate of 1/2 would be rounded to 0."""
    refused(DTypeError, "like", cot_weights, 1, 0.5, like=like)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weights_are_like_the_array_given(dtype):
    weights = cot_weights(1, 0.1, like=np.ones((2, 3), dtype=dtype))
    assert weights.V.dtype == weights.W.dtype == dtype
    assert weights.V[2, 0] == -dtype(0.1)


# ---------------------------------------------------------------------------------- weight transfer

W, A_FULL, A_REST = array([[1, 2], [0, -1]]), array([[3], [1]]), array([[2], [0]])


@each_kind
def test_a_weight_transfer(kind):
    """ΔA = (1, 1), W ΔA = (3, -1), outer product with (2, 0), divided by 4."""
    found = weight_transfer(kind(W), kind(A_FULL), kind(A_REST))
    assert found.tolist() == [[1.5, 0], [-0.5, 0]]
    assert ((kind(W) + found) @ kind(A_REST)).tolist() == (kind(W) @ kind(A_FULL)).tolist() == [[5], [-1]]


def test_a_weight_transfer_of_numbers():
    """(2 (5 - 4)) 4 / 16."""
    assert weight_transfer(array([[2]]), array([[5]]), array([[4]])).tolist() == [[0.5]]


def test_a_context_that_does_not_act_needs_no_transfer():
    assert not weight_transfer(W, A_REST, A_REST).any()
    assert not weight_transfer(array([[1, 1]]), array([[3], [1]]), array([[2], [2]])).any()  # W ΔA = 0


def test_whole_numbers_in_arrays_of_objects_are_exact():
    def whole(rows):
        return np.array(rows, dtype=object)

    found = weight_transfer(whole([[1, 2]]), whole([[3], [1]]), whole([[3], [3]]))
    assert found.tolist() == [[Fraction(-2, 3)] * 2]
    assert {type(entry) for entry in found.flat} == {Fraction}


@pytest.mark.parametrize("zero", [A_REST * 0, A_REST * -0.0, exact([[0], [0]])], ids=["0", "-0", "fractions"])
def test_a_zero_output_is_refused_by_name(zero):
    kind = exact if zero.dtype == object else array
    error = refused(DegenerateContextError, "A_rest", weight_transfer, kind(W), kind(A_FULL), zero)
    assert (error.expected, error.got) == ("a non-zero vector", "the zero vector")


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_a_norm_out_of_range_is_no_silent_nan(scale):
    """‖A‖² underflows to 0 or overflows, though A is neither zero nor infinite."""
    with np.errstate(all="ignore"), pytest.raises(NonFiniteError):
        weight_transfer(W, A_FULL, A_REST * scale)


def test_vectors_that_are_no_columns_are_refused_by_name():
    refused(ShapeError, "A_full", weight_transfer, W, A_FULL[:, 0], A_REST)
    refused(ShapeError, "A_rest", weight_transfer, W, A_FULL, A_REST[:, 0])
    refused(ShapeError, "A_full", weight_transfer, W, A_FULL.T, A_REST)
    refused(ShapeError, "A_rest", weight_transfer, W, A_FULL, A_REST.T)
    refused(ShapeError, "A_full", weight_transfer, W, np.ones((2, 2)), np.ones((2, 2)))
    refused(ShapeError, "A_full", weight_transfer, W, np.ones((3, 1)), A_REST)
    refused(ShapeError, "W", weight_transfer, W[0], A_FULL, A_REST)


@pytest.mark.parametrize("name", ["W", "A_full", "A_rest"])
def test_nan_and_infinity_are_refused_by_name(name):
    good = {"W": W, "A_full": A_FULL, "A_rest": A_REST}
    for bad in (np.nan, np.inf):
        refused(NonFiniteError, name, weight_transfer, **good | {name: good[name] * 0 + bad})


def test_lists_of_floats_are_taken_and_integers_refused_with_advice():
    found = weight_transfer(W.tolist(), A_FULL.tolist(), A_REST.tolist())
    assert (found == weight_transfer(W, A_FULL, A_REST)).all()
    error = refused(DTypeError, "W", weight_transfer, [[1, 2], [0, -1]], A_FULL, A_REST)
    assert "np.asarray(W, dtype=np.float64)" in error.got


def test_inputs_are_not_changed():
    arrays = [a.copy() for a in (W, A_FULL, A_REST)]
    for a in arrays:
        a.flags.writeable = False
    weight_transfer(*arrays)
    gd_step_weights(arrays[0], 0.5, 2).layer(np.ones((4, 3)))
    assert all((a == b).all() for a, b in zip(arrays, (W, A_FULL, A_REST), strict=True))
