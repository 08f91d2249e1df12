"""The chain-of-thought loss against layers on random contexts, and its derivatives against differences."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.polys.fields import field

from gdtheory.catalogue.skew_curvature_at_scalar_layers import curvature
from gdtheory.catalogue.skew_layer_beats_scalar_layers import at_skew_layer, least_at_scalars
from gdtheory.constructions.conventions import HuangWeights
from gdtheory.constructions.cot import cot_weights, prompt
from gdtheory.cot import (
    Coefficients,
    certified_gradient,
    certified_loss,
    distance_to_gd,
    eigenvalue_gradient,
    eigenvalue_hessian_product,
    eigenvalue_loss,
    loss_coefficients,
    population,
    population_gradient,
    population_hessian_product,
    population_loss,
    scalar_minimiser,
)
from gdtheory.cot.coefficients import exact_coefficients
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.exact import to_fractions
from gdtheory.ledger import exactly
from gdtheory.namespace import as_objects, namespace
from gdtheory.problems import SkewDirection, SkewLayer
from gdtheory.proofs.blocks import free

ETA = Fraction(2, 5)
SIZES = [(1, 1, 2), (2, 1, 1), (1, 2, 2), (2, 2, 1), (3, 2, 0), (1, 3, 1), (1, 4, 1)]  # n, d, k


def numbers(rng, *shape):
    """Small fractions."""
    parts = rng.integers(-6, 7, shape), rng.integers(1, 5, shape)
    return as_objects([Fraction(int(p), int(q)) for p, q in zip(*map(np.ravel, parts), strict=True)], shape)


def scalar_matrix(x, d):
    return as_objects([Fraction(x) * (i == j) for i in range(d) for j in range(d)], (d, d))


def full_loss(X, w_star, V, W, k, eta):
    """Eqs. (2) to (5) as they stand: the layer on all of 2d + 2 entries, taught the iterates of GD."""
    d, n = X.shape
    y = w_star.T @ X
    iterates = [w_star * 0]
    for _ in range(k):
        w = iterates[-1]
        iterates.append(w - X @ (X.T @ w - y.T) * eta / n)
    iterates.append(w_star)
    layer = cot_weights(d, eta, like=X)
    blocks = namespace(X).zeros(2 * d + 2, 2 * d + 2)
    full_V, full_W = blocks.copy(), layer.W.copy()
    full_V[d + 1 : 2 * d + 1, :d], full_W[:d, d + 1 : 2 * d + 1] = V, W
    layer, total = HuangWeights(full_V, full_W), 0
    for i in range(k + 1):
        token = layer.next_token(prompt(X, y, *iterates[: i + 1]), n)
        wanted = prompt(X, y, iterates[i + 1])[:, -1:]
        total = total + ((token - wanted) ** 2).sum() / 2
    return total


def gaussian_mean(polynomial):
    """The mean of a polynomial in independent standard normal variables (Isserlis)."""
    terms = polynomial.numer.terms()
    scale = Fraction(int(polynomial.denom.as_expr()))
    double_factorials = {p: prod(range(1, p, 2)) * (p % 2 == 0) for p in range(40)}
    mean = sum(
        Fraction(c.numerator, c.denominator) * prod(double_factorials[p] for p in ps) for ps, c in terms
    )
    return mean / scale


@pytest.mark.parametrize(("n", "d", "k"), SIZES)
def test_the_loss_is_the_mean_over_every_context(n, d, k):
    rng = np.random.default_rng(d)
    V, W = numbers(rng, d, d), numbers(rng, d, d)
    _, *x = field([sympy.Symbol(f"x{i}") for i in range(d * n)], sympy.QQ)
    X = as_objects(x, (d, n))
    teachers = scalar_matrix(1, d) + X[:1, :1] * 0  # the mean over w* ~ N(0, I) is the sum over a basis
    losses = [full_loss(X, teachers[:, j : j + 1], V, W, k, ETA) for j in range(d)]
    assert gaussian_mean(sum(losses)) == population_loss(V, W, n, k, ETA)


def error_matrices(X, V, W, k, eta):
    """M_i with the loss ½ Σ ‖M_i w*‖² for contexts X of shape (contexts, d, n)."""
    d, n = X.shape[1:]
    identity, S = np.eye(d), X @ X.mT / n
    powers = [np.broadcast_to(identity, S.shape)]
    for _ in range(k):
        powers.append(powers[-1] @ (identity - eta * S))
    targets = [eta * S @ power for power in powers[:-1]] + [powers[-1]]
    return [V @ S @ (W @ (identity - Q) - identity) - R for Q, R in zip(powers, targets, strict=True)]


def test_sampled_layers_have_that_loss_on_average():
    n, d, k, eta = 20, 10, 5, 0.4
    rng = np.random.default_rng(20)
    V, W = -0.3 * np.eye(d) + rng.normal(0, 0.1, (d, d)), rng.normal(0, 0.5, (d, d))
    X = rng.standard_normal((20_000, d, n))
    losses = sum((M**2).sum((1, 2)) for M in error_matrices(X, V, W, k, eta)) / 2
    z = (losses.mean() - population_loss(V, W, n, k, eta)) / (losses.std() / len(X) ** 0.5)
    assert abs(z) < 5  # a false alarm in about 2 million seeds
    for x in X[:10]:
        w_star = rng.standard_normal((d, 1))
        simplified = sum(((M[0] @ w_star) ** 2).sum() for M in error_matrices(x[None], V, W, k, eta)) / 2
        assert np.isclose(full_loss(x, w_star, V, W, k, eta), simplified, rtol=1e-12)


# --------------------------------------------------------------------------------- derivatives


def derivative(f):
    """f'(0) of a polynomial of degree 4 at most."""
    return (8 * (f(1) - f(-1)) - (f(2) - f(-2))) / 12


@pytest.mark.parametrize(("n", "d", "k"), [*SIZES, (4, 3, 6), (3, 5, 2)])
def test_derivatives_are_exact_differences(n, d, k):
    rng = np.random.default_rng(d)
    V, W, dV, dW, E, F = (numbers(rng, d, d) for _ in range(6))
    gV, gW = population_gradient(V, W, n, k, ETA)
    slope = derivative(lambda t: population_loss(V + dV * t, W + dW * t, n, k, ETA))
    assert slope == (gV * dV).sum() + (gW * dW).sum()

    def slope_at(t):
        gV, gW = population_gradient(V + dV * t, W + dW * t, n, k, ETA)
        return (gV * E).sum() + (gW * F).sum()

    hV, hW = population_hessian_product(V, W, dV, dW, n, k, ETA)
    assert derivative(slope_at) == (hV * E).sum() + (hW * F).sum()


def test_derivatives_hold_for_matrices_of_any_size():
    d, t = sympy.Symbol("d", integer=True, positive=True), sympy.Symbol("t")
    V, W, dV, dW = (free(name, d, d) for name in ("V", "W", "dV", "dW"))
    a = Coefficients(*map(sympy.Integer, (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)))  # the loss is linear in them
    trace = namespace(V).trace
    along = sympy.Poly(population.loss(V + dV * t, W + dW * t, a), t).all_coeffs()[::-1]
    pairs = population.gradient(V, W, a), population.hessian_product(V, W, dV, dW, a)
    first, second = (trace(x.T @ dV) + trace(y.T @ dW) for x, y in pairs)
    assert sympy.expand(along[1] - first) == 0 and sympy.expand(2 * along[2] - second) == 0


# -------------------------------------------------------------------------- kinds of number


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 5), st.integers(0, 2**32 - 1), st.booleans())
def test_bounds_hold_the_exact_numbers(d, n, k, seed, wide):
    rng = np.random.default_rng(seed)
    dtype = np.float64 if wide else np.float32
    V, W = rng.normal(0, 10.0 ** rng.integers(-3, 3), (2, d, d)).astype(dtype)
    a = n, k, 0.3
    found = [certified_loss(V, W, *a), *certified_gradient(V, W, *a)]
    same = [population_loss(V, W, *a), *population_gradient(V, W, *a)]
    exact = [
        population_loss(to_fractions(V), to_fractions(W), *a),
        *population_gradient(to_fractions(V), to_fractions(W), *a),
    ]
    for ledger, value, wanted in zip(found, same, exact, strict=True):
        assert ledger.dtype == dtype and np.isfinite(ledger.bound).all()
        errors = np.abs(np.vectorize(Fraction, otypes=[object])(ledger.value.astype(float)) - wanted)
        assert (errors <= np.vectorize(Fraction, otypes=[object])(ledger.bound)).all()
        assert (np.abs(value.astype(float) - ledger.value) <= 2 * ledger.bound).all()


def test_a_coefficient_is_on_the_ledger_with_its_rounding_error():
    a = loss_coefficients(3, 2, 2, 0.1)
    for dtype in (np.float32, np.float64):
        found = a.like(exactly(np.ones((2, 2), dtype)))
        error = abs(Fraction(float(found.a0.value)) - a.a0)
        assert 0 < error <= Fraction(float(found.a0.bound)) <= a.a0 * Fraction(float(np.finfo(dtype).eps))


def test_indeterminates():
    _, *x = field(sympy.symbols("v w"), sympy.QQ)
    V, W = (as_objects([entry], (1, 1)) for entry in x)
    v, w = numbers(np.random.default_rng(5), 2, 1, 1)
    value = population_loss(V, W, 3, 2, ETA).as_expr().subs({"v": v[0, 0], "w": w[0, 0]})
    assert value == population_loss(v, w, 3, 2, ETA)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_symbolic_coefficients_are_those_of_numbers(k):
    n, d, eta = sympy.symbols("n d eta")
    _, x = field("x", sympy.QQ)
    rate = sympy.Rational(ETA.numerator, ETA.denominator)
    of_symbols = exact_coefficients(n, d, k, eta)
    for values in ((2, 1), (5, 2), (3, 3), (7, 5)):
        expected, of_field = loss_coefficients(*values, k, ETA), exact_coefficients(*values, k, x)
        assert exact_coefficients(*values, k, ETA) == expected
        for name in Coefficients.__slots__:
            number = sympy.Rational(*getattr(expected, name).as_integer_ratio())
            assert getattr(of_field, name).as_expr().subs("x", rate) == number
            if values[1] >= 3:
                assert getattr(of_symbols, name).subs({n: values[0], d: values[1], eta: rate}) == number


# ------------------------------------------------------------------------------- eigenvalues


@pytest.mark.parametrize(("n", "d", "k"), [(3, 1, 2), (4, 2, 3), (7, 5, 4)])
def test_eigenvalues_are_those_of_diagonal_matrices(n, d, k):
    rng = np.random.default_rng(1)
    vectors = [numbers(rng, d) for _ in range(4)]
    dense = [as_objects([x * (i == j) for i, x in enumerate(v) for j in range(d)], (d, d)) for v in vectors]
    v, w, V, W = *vectors[:2], *dense[:2]
    assert eigenvalue_loss(v, w, n, k, ETA) == population_loss(V, W, n, k, ETA)
    gradients = eigenvalue_gradient(v, w, n, k, ETA), population_gradient(V, W, n, k, ETA)
    products = eigenvalue_hessian_product(*vectors, n, k, ETA), population_hessian_product(*dense, n, k, ETA)
    for of_vectors, of_matrices in (gradients, products):
        for x, X in zip(of_vectors, of_matrices, strict=True):
            assert (x == X.diagonal()).all() and (np.diag(X.diagonal()) == X).all()


def test_the_loss_does_not_depend_on_the_eigenvectors():
    U = scalar_matrix(1, 3) - as_objects([Fraction(2, 3)] * 9, (3, 3))  # orthogonal
    rng = np.random.default_rng(2)
    V, W = numbers(rng, 3, 3), numbers(rng, 3, 3)
    turned = [U @ x @ U.T for x in (V, W)]
    assert population_loss(*turned, 4, 3, ETA) == population_loss(V, W, 4, 3, ETA)
    for x, y in zip(
        population_gradient(*turned, 4, 3, ETA), population_gradient(V, W, 4, 3, ETA), strict=True
    ):
        assert (x == U @ y @ U.T).all()


def test_eigenvalues_on_a_ledger():
    v, w = np.random.default_rng(8).normal(0, 0.5, (2, 5)).astype(np.float32)
    exact = eigenvalue_gradient(to_fractions(v), to_fractions(w), 7, 3, 0.1)
    for x, ledger in zip(exact, eigenvalue_gradient(exactly(v), exactly(w), 7, 3, 0.1), strict=True):
        errors = np.abs(ledger.value.astype(float) - x.astype(float))
        assert ledger.dtype == np.float32 and (errors <= ledger.bound).all() and ledger.bound.max() < 1e-4


def test_many_eigenvalues_fill_several_blocks():
    v, w = np.random.default_rng(3).normal(0, 0.1, (2, 40_000))
    whole = eigenvalue_gradient(v, w, 80_000, 20, 0.4)
    order = np.random.default_rng(4).permutation(len(v))
    for x, y in zip(whole, eigenvalue_gradient(v[order], w[order], 80_000, 20, 0.4), strict=True):
        np.testing.assert_allclose(x[order], y, rtol=0, atol=1e-12)


# --------------------------------------------------------------------------------- minimiser


@pytest.mark.parametrize(
    ("n", "d", "k", "eta"), [(6, 5, 1, ETA), (5, 3, 4, 0.3), (2, 2, 3, -1), (1, 1, 2, "1/3")]
)
def test_the_minimiser_is_a_stationary_point_below_others(n, d, k, eta):
    best = scalar_minimiser(n, d, k, eta)
    V, W = scalar_matrix(best.v, d), scalar_matrix(best.w, d)
    assert population_loss(V, W, n, k, eta) == best.loss
    assert all((x == 0).all() for x in population_gradient(V, W, n, k, eta))
    for v, w in numbers(np.random.default_rng(6), 20, 2):
        assert population_loss(scalar_matrix(v, d), scalar_matrix(w, d), n, k, eta) > best.loss
    for v in (Fraction(1, 100), Fraction(-1, 100)):
        assert population_loss(V + scalar_matrix(v, d), W, n, k, eta) > best.loss
        assert population_loss(V, W + scalar_matrix(v, d), n, k, eta) > best.loss


def test_known_minimisers():
    best = scalar_minimiser(20, 10, 1, ETA)
    assert [round(float(x), 5) for x in (best.v, best.w, best.loss)] == [-0.48348, 0.86404, 1.36003]
    for k, eta in ((0, ETA), (3, 0)):  # no steps: W has no effect
        best, rate = scalar_minimiser(20, 10, k, eta), Fraction(20, 31) / (k + 1)
        assert (best.v, best.w) == (-rate, None)
        for w in (Fraction(0), Fraction(7)):
            V, W = scalar_matrix(best.v, 10), scalar_matrix(w, 10)
            assert population_loss(V, W, 20, k, eta) == best.loss
            assert (population_gradient(V, W, 20, k, eta)[0] == 0).all()


@pytest.mark.parametrize("k", [0, 1, 7])
def test_with_W_zero_the_best_V_is_the_best_rate_over_the_number_of_tokens(k):
    n, d = 6, 3
    V = scalar_matrix(-Fraction(n, (n + d + 1) * (k + 1)), d)
    assert (population_gradient(V, V * 0, n, k, ETA)[0] == 0).all()  # and the loss is convex in V


def test_more_examples_alone_do_not_lead_to_gradient_descent():
    v, w = distance_to_gd(10**12, 3, 1, ETA)  # w tends to (2 eta - 1) / eta² = -5/4
    assert abs(v) < 1e-9 and abs(w + Fraction(9, 4)) < 1e-9


def test_where_there_is_no_minimum():
    with pytest.raises(ArgumentError, match="the minimum exists"):
        scalar_minimiser(1, 1, 1, "-4/15")
    with pytest.raises(ArgumentError, match="eta not 0"):
        distance_to_gd(3, 2, 0, ETA)


# --------------------------------------------------------------------------------- bad input

EYE = np.eye(2)


@pytest.mark.parametrize(
    ("error", "change"),
    [
        (ShapeError, {"V": np.eye(3)}),
        (ShapeError, {"V": np.ones((2, 3))}),
        (ShapeError, {"V": np.ones(2)}),
        (ShapeError, {"V": np.ones((0, 0)), "W": np.ones((0, 0))}),
        (DTypeError, {"V": np.eye(2, dtype=int)}),
        (DTypeError, {"V": np.eye(2, dtype=bool)}),
        (DTypeError, {"V": np.eye(2, dtype=np.float32)}),
        (DTypeError, {"V": free("V", 2, 2), "W": free("W", 2, 2)}),
        (NonFiniteError, {"V": EYE * np.nan}),
        (NonFiniteError, {"V": EYE * 1e200}),
        (NonFiniteError, {"eta": float("nan")}),
        (NonFiniteError, {"eta": np.inf}),
        (NonFiniteError, {"eta": "1e100"}),
        (ArgumentError, {"eta": "1e10000", "k": 100}),
        (ArgumentError, {"eta": "1e99999"}),
        (DTypeError, {"eta": sympy.Symbol("eta")}),
        (DTypeError, {"eta": True}),
        (DTypeError, {"eta": None}),
        (DTypeError, {"n": sympy.Symbol("n")}),
        (DTypeError, {"n": 3.0}),
        (DTypeError, {"k": True}),
        (ShapeError, {"n": 0}),
        (ShapeError, {"k": -1}),
        (ShapeError, {"k": 10**9}),
        (ArgumentError, {"n": 10**200, "k": 1000}),
    ],
)
def test_bad_input(error, change):
    arguments = {"V": EYE, "W": EYE, "n": 3, "k": 2, "eta": 0.4} | change
    with pytest.raises(error):
        population_gradient(**arguments)


@pytest.mark.parametrize("certified", [certified_loss, certified_gradient])
def test_no_bound_is_given_where_floats_overflow(certified):
    with pytest.raises(NonFiniteError, match="result"):
        certified(EYE * 1e200, EYE * 1e200, 3, 1, "2/5")


@pytest.mark.parametrize("n", [3, sympy.Symbol("n", positive=True)])
def test_a_rate_is_checked_beside_symbols_too(n):
    for good in (0.5, "1/2", np.float64(0.5), sympy.Rational(1, 2)):
        assert exact_coefficients(n, 2, 1, good) == exact_coefficients(n, 2, 1, Fraction(1, 2))
    for bad in ("print('run')", np.nan, sympy.nan, sympy.oo, None, True, [1], 1j, sympy.Float(0.5)):
        with pytest.raises((DTypeError, NonFiniteError), match="eta:"):
            exact_coefficients(n, 2, 1, bad)


def test_arrays_of_any_layout_are_read_and_left_alone():
    V, W = np.random.default_rng(7).normal(size=(2, 3, 3))
    wide = np.zeros((6, 6))
    wide[::2, ::2] = V
    strided = wide[::2, ::2]
    strided.flags.writeable = False
    assert population_loss(strided, W.tolist(), 3, 2, 0.4) == population_loss(V, W, 3, 2, 0.4)
    with pytest.raises(ShapeError):
        eigenvalue_loss(np.ones(3), np.ones(2), 3, 2, 0.4)
    with pytest.raises(ShapeError):
        eigenvalue_gradient(V, W, 3, 2, 0.4)
    with pytest.raises(DTypeError):
        eigenvalue_loss(np.ones(3), np.ones(3, np.float32), 3, 2, 0.4)


def skew_determinant(n, d, k, eta):
    """The determinant of GDT-0097's form in (‖J‖, ‖K‖) at the minimum among multiples of I."""
    best = scalar_minimiser(n, d, k, eta)
    N = as_objects([Fraction(int((i, j) == (0, 1))) for i in range(d) for j in range(d)], (d, d))
    a, v, w = loss_coefficients(n, d, k, eta), best.v, best.w
    fields = {name: getattr(a, name) for name in Coefficients.__dataclass_fields__}
    pairs = ((1, 0), (0, 1), (1, 1))
    in_J, in_K, both = (
        curvature(SkewDirection(dV=N * x, dW=N * y, v=v, w=w, **fields)) / 2 for x, y in pairs
    )
    return in_J * in_K - ((both - in_J - in_K) / 2) ** 2


def test_the_minimum_among_multiples_of_the_identity_may_be_a_saddle():
    assert round(float(skew_determinant(20, 2, 1, "1/5")), 5) == -0.00124
    saddles = [(20, 2, 2, "1/5"), (100, 10, 2, "1/5"), (40, 10, 1, "1/10")]
    assert all(skew_determinant(*sizes) < 0 for sizes in saddles)
    assert skew_determinant(20, 2, 3, "1/5") > 0
    grid = ((n, d, k) for d in range(2, 9) for n in range(2 * d, 2 * d + 9) for k in range(1, 9))
    assert all(skew_determinant(*sizes, "2/5") > 0 for sizes in grid)


def test_figures_of_the_layer_with_skew_parts():
    p = SkewLayer(more=9)
    assert float(at_skew_layer(p)[0, 0]) == pytest.approx(0.194664, abs=1e-6)
    assert float(least_at_scalars(p)[0, 0]) == pytest.approx(0.219846, abs=1e-6)
    V, W = np.array([[-0.03, -0.1], [0.1, -0.03]]), np.array([[-1.75, 30.0], [-30.0, -1.75]])
    rng = np.random.default_rng(0)
    S = rng.standard_normal((200_000, 2, 20))
    S = S @ S.mT / 20
    w_star = rng.standard_normal((200_000, 2, 1))
    w_1 = S @ w_star / 5
    errors = V @ S @ -w_star - w_1, w_1 + V @ S @ (W @ w_1 - w_star) - w_star
    losses = sum((error**2).sum((1, 2)) for error in errors) / 2
    assert abs(losses.mean() - 0.194664) < 5 * losses.std() / 200_000**0.5


@pytest.mark.parametrize("eta", ["1e-330", 5e-324, 1e-323])
def test_the_bound_covers_coefficients_that_are_rounded_below_the_range_of_floats(eta):
    V, W = np.array([[1e70, 1e70], [0.0, 0.0]]), np.array([[0.0, 1e150], [0.0, 0.0]])
    found = certified_gradient(V * 0, W, 3, 1, eta)[0], certified_gradient(V, W * 0, 3, 1, eta)[1]
    V, W = to_fractions(V), to_fractions(W)
    exact = population_gradient(V * 0, W, 3, 1, eta)[0], population_gradient(V, W * 0, 3, 1, eta)[1]
    for on_ledger, values in zip(found, exact, strict=True):
        errors = abs(to_fractions(on_ledger.value) - values)
        assert (errors <= to_fractions(on_ledger.bound)).all()
