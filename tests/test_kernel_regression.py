"""Maps before the attention layers, kernels and smoothing: by hand, in the limit, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings

import gdtheory as gd
from gdtheory.constructions.kernel_smoothing import nadaraya_watson_weights, smoothing_tokens
from gdtheory.constructions.lsa import gd_step_weights, lsa_layer, regression_tokens
from gdtheory.constructions.softmax import softmax_layer
from gdtheory.constructions.token_maps import mapped_tokens, residual_mlp
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.exact import rank, to_fractions
from gdtheory.functions import constant, features, square
from gdtheory.problems import FeatureRegression, KernelSmoothing
from gdtheory.problems.token_maps import RESIDUAL_MAPS, TOKEN_MAPS
from gdtheory.reference.kernel_regression import (
    gaussian_kernel,
    inner_product_kernel,
    kernel_gd_step,
    kernel_least_squares,
    nadaraya_watson,
)
from gdtheory.strategies import fractions
from gdtheory.strategies import problems as drawn

few = settings(max_examples=settings.default.max_examples // 5, deadline=None)


def array(rows):
    return np.array(rows, dtype=np.float64)


def exact(rows):
    return to_fractions(array(rows))


each_kind = pytest.mark.parametrize("kind", [array, exact], ids=["floats", "fractions"])


def refused(error, argument, call, *args, **kwargs):
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    assert type(caught.value) is error
    assert caught.value.argument == argument
    return caught.value


# ------------------------------------------------------------------------------------------- maps


@each_kind
def test_features_and_the_constant_map(kind):
    z = kind([[2, -1], [3, 0]])
    assert features(z).tolist() == [[2, -1], [3, 0], [4, 1], [9, 0]]
    assert constant(z).tolist() == [[1, 1]]


@pytest.mark.parametrize("m", {*TOKEN_MAPS, *RESIDUAL_MAPS}, ids=lambda m: m.__name__)
def test_a_map_acts_on_every_column_by_itself_and_refuses_what_is_no_matrix(m):
    z = exact([[2, -1, 0], [3, 0, -5]])
    columns = [m(z[:, [j]]) for j in range(3)]
    assert (m(z) == np.concatenate(columns, axis=1)).all()
    for bad, error in ((np.ones(3), ShapeError), (array([[np.nan]]), NonFiniteError), (None, DTypeError)):
        refused(error, "z", m, bad)


@each_kind
def test_the_mlp_adds_to_the_inputs_and_leaves_the_targets(kind):
    E = kind([[2, 0], [-3, 1], [7, 8]])
    assert residual_mlp(E, square).tolist() == [[6, 0], [6, 2], [7, 8]]
    assert residual_mlp(E, square, N_y=2).tolist() == [[6, 0], [-3, 1], [7, 8]]


@each_kind
def test_mapped_tokens_by_hand(kind):
    tokens = mapped_tokens(kind([[2, 3]]), kind([[5, 7]]), kind([[-1]]), kind([[10, 1]]), features)
    assert tokens.tolist() == [[2, 3, -1], [4, 9, 1], [5, 7, 9]]


def test_maps_that_do_not_fit_are_refused_by_name():
    E, X, Y, x = np.ones((3, 2)), np.ones((2, 2)), np.ones((1, 2)), np.ones((2, 1))
    wide = refused(ShapeError, "m_tilde(x)", residual_mlp, E, features)
    assert wide.got == "shape (4, 2)" and "N_x = 2" in wide.expected
    refused(ShapeError, "m_tilde(x)", residual_mlp, E, lambda x: x[:, :1])  # NumPy would repeat it
    refused(ShapeError, "m_tilde(x)", residual_mlp, E, constant)
    refused(NonFiniteError, "m_tilde(x)", residual_mlp, E, lambda x: x * np.inf)
    refused(DTypeError, "m_tilde(x)", residual_mlp, E, lambda x: x.astype(int))
    refused(DTypeError, "m_tilde(x)", residual_mlp, E, to_fractions)
    refused(ShapeError, "N_x, the rows of E less N_y", residual_mlp, E, square, N_y=3)
    refused(ShapeError, "N_y", residual_mlp, E, square, N_y=0)
    refused(DTypeError, "m_tilde", residual_mlp, E, None)
    refused(DTypeError, "m", mapped_tokens, X, Y, x, np.ones((2, 2)), None)
    refused(ShapeError, "E", residual_mlp, np.ones(3), square)
    W_0 = np.ones((1, 4))
    refused(ShapeError, "m(X)", mapped_tokens, X, Y, x, W_0, lambda z: features(z)[:, :1])
    refused(ShapeError, "W_0", mapped_tokens, X, Y, x, W_0, square)
    refused(ShapeError, "x_query", mapped_tokens, X, Y, x.T, W_0, features)
    refused(ShapeError, "Y", mapped_tokens, X, Y.T, x, W_0, features)
    # a map whose width depends on how many columns it is given
    refused(ShapeError, "m(x_query)", mapped_tokens, X, Y, x, W_0, lambda z: np.repeat(z, z.shape[1], 0))


# ---------------------------------------------------------------------------------------- kernels


@each_kind
def test_a_kernel_step_by_hand(kind):
    """f = (1, 2 | 3) misses y = (3, 0) by (-2, 2); k(x_1, ·) = (1, 2 | 3) and k(x_2, ·) = (2, 5 | -1)."""
    F, Y, G = kind([[1, 2, 3]]), kind([[3, 0]]), kind([[1, 2, 3], [2, 5, -1]])
    half = kind([[0.5]])[0, 0]
    assert kernel_gd_step(F, Y, G, half).tolist() == [[0.5, 0.5, 5]]
    assert kernel_gd_step(F[:, :2], Y, G[:, :2], half).tolist() == [[0.5, 0.5]]  # no further point


def test_what_does_not_fit_a_kernel_step_is_refused_by_name():
    F, Y, G = np.zeros((1, 3)), np.ones((1, 2)), np.ones((2, 3))
    refused(ShapeError, "G", kernel_gd_step, F, Y, G[:, :2], 1.0)
    refused(ShapeError, "G", kernel_gd_step, F, Y, G[:1], 1.0)
    refused(ShapeError, "Y", kernel_gd_step, F, np.ones((2, 2)), G, 1.0)
    refused(ShapeError, "number of points, N + M", kernel_gd_step, F[:, :1], Y, G[:, :1], 1.0)
    refused(NonFiniteError, "eta", kernel_gd_step, F, Y, G, np.nan)
    refused(ShapeError, "Psi", inner_product_kernel, np.ones((2, 1)), np.ones((3, 1)))


# -------------------------------------------------------------- K layers and kernel least squares


def stack_tokens(Phi, Y, phi, eta, K):
    """Return the y-parts of all tokens after K layers from W_0 = 0."""
    W_0 = Y @ Phi.T * 0
    E = regression_tokens(Phi, Y, phi, W_0)
    for _ in range(K):
        E = lsa_layer(E, E[:, :-1], gd_step_weights(W_0, eta, Y.shape[1]))
    return E[len(Phi) :]


def test_duplicate_inputs_with_different_targets():
    """G has the eigenvalues 2, 0, 4: with η/N = 1/4 they are multiplied by 1/2, 1 and 0 in every layer.

    The targets 1 and 3 of one input twice have the mean 2, which is learnt, and -1 and 1 about it, which
    is not.
    """
    Phi, Y = exact([[1, 1, 0], [0, 0, 2]]), exact([[1, 3, 5]])
    for K in (1, 2, 60):
        left = Fraction(2) / 2**K
        found = stack_tokens(Phi, Y, exact([[1], [0]]), Fraction(3, 4), K)
        assert found.tolist() == [[left - 1, left + 1, 0, left - 2]]
    G, k_x = Phi.T @ Phi, Phi.T @ exact([[1], [0]])
    assert kernel_least_squares(G, Y, k_x).tolist() == [[2]]


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1), Fraction(3, 2)])
def test_sixty_layers_reach_kernel_least_squares_at_the_exact_rate(share):
    """f_∞(x) - f_K(x) = Y (I - ηG/N)^K G⁺k_x, with a query that is not in the span of the context."""
    Phi, Y = exact([[1, 2, 2], [0, 1, 1], [0, 0, 0]]), exact([[1, -2, 5], [3, 0, 1]])
    phi = exact([[2], [1], [7]])
    G, k_x = Phi.T @ Phi, Phi.T @ phi
    assert rank(G) == 2
    eta = share * 3 / 11  # the trace of G, 11, is above its largest eigenvalue
    limit = kernel_least_squares(G, Y, k_x)
    beta = kernel_least_squares(G, exact(np.eye(3)), k_x)
    power = exact(np.eye(3))
    for K in range(61):
        gap = limit + stack_tokens(Phi, Y, phi, eta, K)[:, -1:] if K % 20 == 0 else None
        assert gap is None or (gap == Y @ power @ beta).all()
        power = power @ (exact(np.eye(3)) - G * (eta / 3))
    eigenvalues = np.linalg.eigvalsh(G.astype(float))[1:]
    rate = abs(1 - float(eta) / 3 * eigenvalues).max()
    size = np.abs(Y.astype(float)).sum() * np.abs(beta.astype(float)).sum()
    assert np.abs(gap.astype(float)).max() <= size * rate**60


def test_residuals_converge_only_below_the_edge():
    """One feature 2 has G = 4: ηG = 2 turns the residual's sign in every layer, and beyond it grows."""
    Phi, Y, phi = exact([[2]]), exact([[3]]), exact([[1]])
    residuals = [stack_tokens(Phi, Y, phi, Fraction(1, 2), K)[0, 0] for K in range(4)]
    assert residuals == [3, -3, 3, -3]
    assert abs(stack_tokens(Phi, Y, phi, Fraction(51, 100), 200)[0, 0]) > 3000
    assert abs(stack_tokens(Phi, Y, phi, Fraction(49, 100), 200)[0, 0]) < 10**-3


@few
@given(drawn(FeatureRegression, fractions()))
def test_kernel_least_squares_is_the_least_norm_solution(p):
    G = p.Phi.T @ p.Phi
    k_x = G @ p.alpha
    found = kernel_least_squares(G, p.Y, k_x)
    beta = kernel_least_squares(G, to_fractions(np.eye(p.N)), k_x)
    assert (G @ beta == k_x).all() and (p.Y @ beta == found).all()
    # G⁺k_x is in the range of G, which every solution of Gα = k_x shares with it only by its projection
    assert rank(np.concatenate([G, beta], axis=1)) == rank(G)
    assert (G @ (p.alpha - beta) == 0).all() and ((p.alpha - beta).T @ beta == 0).all()


def test_kernel_least_squares_against_sympy_also_where_k_x_is_no_kernel_vector():
    G, Y, k_x = exact([[1, 2, 0], [2, 4, 0], [0, 0, 3]]), exact([[1, 2, 3]]), exact([[1], [0], [1]])
    expected = sympy.Matrix(Y) * sympy.Matrix(G).applyfunc(sympy.nsimplify).pinv() * sympy.Matrix(k_x)
    found = kernel_least_squares(G, Y, k_x)
    assert sympy.nsimplify(expected[0, 0]) == sympy.Rational(str(found[0, 0]))
    floats = kernel_least_squares(*(a.astype(float) for a in (G, Y, k_x)))
    assert np.allclose(floats, float(found[0, 0]), rtol=1e-12)
    assert kernel_least_squares(*(a.astype(np.float32) for a in (G, Y, k_x))).dtype == np.float32


def test_zero_features_predict_zero():
    zero = exact([[0, 0], [0, 0]])
    assert kernel_least_squares(zero, exact([[1, 2]]), zero[:, :1]).tolist() == [[0]]


@each_kind
def test_a_kernel_that_is_not_symmetric_is_refused_by_name(kind):
    G, Y, k_x = kind([[1, 2], [0, 1]]), kind([[1, 1]]), kind([[1], [1]])
    refused(ArgumentError, "G", kernel_least_squares, G, Y, k_x)


def test_a_kernel_may_be_symmetric_up_to_rounding():
    G = array([[1, 0.5], [0.5 + 1e-15, 1]])
    assert kernel_least_squares(G, array([[1, 1]]), array([[1.5], [1.5]])) == pytest.approx(2)


def test_what_does_not_fit_kernel_least_squares_is_refused_by_name():
    G, Y, k_x = np.eye(2), np.ones((1, 2)), np.ones((2, 1))
    refused(ShapeError, "G", kernel_least_squares, G[:1], Y, k_x)
    refused(ShapeError, "Y", kernel_least_squares, G, Y.T, k_x)
    refused(ShapeError, "k_x", kernel_least_squares, G, Y, k_x.T)
    refused(NonFiniteError, "G", kernel_least_squares, G * np.nan, Y, k_x)
    refused(DTypeError, "Y", kernel_least_squares, G, to_fractions(Y), k_x)


# -------------------------------------------------------------------------------------- smoothing


@few
@given(drawn(KernelSmoothing, fractions()))
def test_the_scores_are_the_squared_distances_up_to_a_constant_of_the_query(p):
    E = smoothing_tokens(p.X, p.Y, p.x_query)
    scores = E[:, :-1].T @ nadaraya_watson_weights(p.N_x, p.N_y, p.h, like=p.X).W_KQ @ E[:, -1:]
    constant_of_query = (p.x_query * p.x_query).sum() / (2 * p.h**2)
    distances = ((p.X - p.x_query) ** 2).sum(axis=0)[:, None]
    assert (scores - constant_of_query == -distances / (2 * p.h**2)).all()


@pytest.mark.parametrize("h", [0.5, -0.5, 3.0])
def test_the_layer_smooths_in_floats(h):
    rng = np.random.default_rng(0)
    X, Y, x = rng.standard_normal((2, 5)), rng.standard_normal((3, 5)), rng.standard_normal((2, 1))
    E = smoothing_tokens(X, Y, x)
    after = softmax_layer(E[:, -1:], E[:, :-1], nadaraya_watson_weights(2, 3, h, like=X))
    weights = np.exp(-((X - x) ** 2).sum(axis=0) / (2 * h**2))
    assert np.allclose(after[-3:, 0], Y @ weights / weights.sum(), rtol=1e-12)
    assert np.allclose(nadaraya_watson(X, Y, x, h), after[-3:], rtol=1e-12)
    assert (after[:-3] == E[:-3, -1:]).all()  # the rest of the query stays


def test_smoothing_at_its_limits():
    X, Y = exact([[0, 1, 4]]), exact([[3, 5, 10]])
    x = to_fractions(array([[0.25]]))
    assert float_of(nadaraya_watson(X, Y, x, Fraction(1, 100))) == 3  # the nearest neighbour
    assert abs(float_of(nadaraya_watson(X, Y, x, Fraction(10**6))) - 6) < 1e-9  # the mean
    assert nadaraya_watson(X[:, :1], Y[:, :1], x, Fraction(1, 100))[0, 0] == 3  # one pair
    assert nadaraya_watson(X * 0, Y, x, Fraction(1, 3))[0, 0] == 6  # one input three times


def float_of(estimate):
    return float(estimate[0, 0].ends[0])


def test_what_cannot_be_smoothed_is_refused_by_name():
    X, Y, x = np.ones((2, 3)), np.ones((1, 3)), np.ones((2, 1))
    for h in (0.0, 1e-200):
        refused(NonFiniteError, "h", gaussian_kernel, X, x, h)
        refused(NonFiniteError, "h", nadaraya_watson_weights, 2, 1, h, like=X)
    refused(NonFiniteError, "h", nadaraya_watson_weights, 2, 1, np.inf, like=X)
    refused(DTypeError, "h", nadaraya_watson_weights, 2, 1, "1", like=X)
    refused(ShapeError, "N_y", nadaraya_watson_weights, 2, 0, 1.0, like=X)
    refused(DTypeError, "like", nadaraya_watson_weights, 2, 1, 0.3, like=X.astype(int))
    refused(DTypeError, "h", nadaraya_watson_weights, 2, 1, None, like=X.tolist())
    refused(NonFiniteError, "x_query", nadaraya_watson, X, Y, x * 1000, 1.0)
    refused(ShapeError, "x_query", nadaraya_watson, X, Y, x.T, 1.0)
    refused(ShapeError, "k_x", nadaraya_watson, X, Y[:, :2], x, 1.0)
    refused(ShapeError, "Y", smoothing_tokens, X, Y[:, :2], x)


# ---------------------------------------------------------------------------------- the statements


def test_the_prediction_of_a_block_by_hand():
    """m(x) = (x, x²): k(2, 1) = 6 and k(-1, 1) = 0, so ŷ = (1/4)(3·6 + 5·0)."""
    p = gd.problems.KernelRegression.exact(X=[[2, -1]], Y=[[3, 5]], x_query=[[1]], eta="1/2", m=features)
    assert [side[0, 0] for side in gd.both_sides("GDT-0028", p)] == [Fraction(9, 2)] * 2


def test_a_normaliser_depends_on_the_query():
    """So no factor of the weights turns a sum of targets into their mean."""
    X, Y = exact([[0, 1]]), exact([[1, 1]])
    totals = [gaussian_kernel(X, exact([[x]]), Fraction(1)).sum() for x in (0, 3)]
    assert totals[0] > totals[1] * 10
    assert all(nadaraya_watson(X, Y, exact([[x]]), Fraction(1))[0, 0] == 1 for x in (0, 3))
