"""Samples against gradient descent and matrices of the definition, laws of SciPy, and exact moments.

Seeds are fixed. For correct code and a seed not chosen for it, a statistic would be beyond its bound with a
probability of about ALPHA: by Kolmogorov and Smirnov for whole laws, and by the central limit theorem at
SAMPLES samples for means, which are divided by their exact standard deviations.
"""

from __future__ import annotations

import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy
from scipy import stats

from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.kernels.wishart import gd_errors
from gdtheory.reference.moments import Gaussian, wishart_traces
from gdtheory.reference.population import loss_at, loss_polynomial
from gdtheory.wishart import sampling
from gdtheory.wishart.sampling import sample_bidiagonal, sample_gd_error, sample_wishart

ALPHA = 1e-9
Z = stats.norm.isf(ALPHA / 2)
SAMPLES = 10**5
SHAPES = [(7, 3), (3, 7), (3, 3), (1, 1), (1, 4), (4, 1), (2, 3)]
shapes = pytest.mark.parametrize(("n", "d"), SHAPES)


def same_law(left, right):
    return stats.ks_2samp(left, right).pvalue > ALPHA


def gradient_descent(X, w_star, steps, eta):
    """The errors after 0, ..., `steps` steps, by the definition; any number of task axes in front."""
    n = X.shape[-1]
    y = (X.mT @ w_star[..., None])[..., 0]
    w = np.zeros_like(w_star)
    errors = []
    for _ in range(steps + 1):
        errors.append(((w - w_star) ** 2).sum(-1) / 2)
        w = w + eta / n * (X @ (y - (X.mT @ w[..., None])[..., 0])[..., None])[..., 0]
    return np.stack(errors, -1)


def reflection(x):
    """The orthogonal matrix H, symmetric, with H x = (‖x‖, 0, ..., 0)."""
    u = x.copy()
    u[0] -= np.linalg.norm(x)
    square = u @ u
    return np.eye(len(x)) - (2 * np.outer(u, u) / square if square else 0)


def bidiagonalised(X, w):
    """B and U with X = U B Vᵀ, B lower bidiagonal and not negative, and U e_1 = w / ‖w‖."""
    d, n = X.shape
    U, B = reflection(w), reflection(w) @ X
    for i in range(min(n, d)):
        B[:, i:] = B[:, i:] @ reflection(B[i, i:])
        if i + 1 < d:
            H = reflection(B[i + 1 :, i])
            B[i + 1 :], U[:, i + 1 :] = H @ B[i + 1 :], U[:, i + 1 :] @ H
    return B, U


# ------------------------------------------------------------------- what is true of every matrix


@shapes
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5])
def test_gd_sees_the_first_steps_of_the_bidiagonal_form(n, d, steps):
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((d, n)), rng.standard_normal(d)
    B, U = bidiagonalised(X, w)
    np.testing.assert_allclose(U @ B @ (U @ B).T, X @ X.T, atol=1e-12)
    np.testing.assert_allclose(B, np.tril(np.triu(B, -1)), atol=1e-12)
    r = min(steps, n, d)
    below = np.append(np.diagonal(B, -1), 0)  # b_d is zero
    chi = np.concatenate([[np.linalg.norm(w)], np.diagonal(B)[:r], below[:r]])[None]
    expected = gradient_descent(X, w, steps, 0.7)
    for first in range(steps + 1):
        errors = np.empty((1, steps + 1 - first))
        gd_errors(chi, 0.7 / n, first, errors)
        np.testing.assert_allclose(errors[0], expected[first:], rtol=1e-9)


# -------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize(("n", "d"), [*SHAPES, (2 * 10**8, 10**8), (2**53, 2**53)])
def test_entries_of_the_bidiagonal_form(n, d):
    rows = min(d, 4)
    diagonal, below = sample_bidiagonal(n, d, rows, SAMPLES)
    assert diagonal.shape == (SAMPLES, rows) and below.shape == (SAMPLES, rows - 1)
    for entries, dof in [(diagonal, n), (below, d - 1)]:
        for i, chi in enumerate(entries.T):
            if i >= n:
                assert not chi.any()
            else:
                assert stats.kstest(_standardised(chi, dof - i), stats.norm.cdf).pvalue > ALPHA
    drawn = np.concatenate([diagonal[:, :n], below[:, :n]], axis=1)
    correlations = np.corrcoef(drawn, rowvar=False) if drawn.shape[1] > 1 else np.eye(1)
    assert np.abs(correlations - np.eye(len(correlations))).max() < Z / math.sqrt(SAMPLES)


def _standardised(chi, dof):
    """What is normal if `chi` is χ with `dof` degrees of freedom.

    For many degrees of freedom χ itself is: it is normal up to a Kolmogorov distance of order
    1/√dof, and beyond 10⁸ that is less than the samples can tell.
    """
    if dof < 10**6:
        return stats.norm.ppf(stats.chi.cdf(chi, dof))
    return (chi - math.sqrt(dof)) * math.sqrt(2)


@pytest.mark.parametrize(("steps", "eta"), [(0, 1), (1, "1/2"), (2, 0.7), (5, Fraction(1, 3)), (3, -1)])
@shapes
def test_law_of_the_error_is_that_of_gradient_descent(n, d, steps, eta):
    rng = np.random.default_rng(1)
    size = 20_000
    X, w_star = rng.standard_normal((size, d, n)), rng.standard_normal((size, d))
    expected = gradient_descent(X, w_star, steps, float(Fraction(eta)))
    found = sample_gd_error(n, d, steps, eta, size, trajectory=True)
    for t in range(steps + 1):
        assert same_law(found[:, t], expected[:, t])
        assert same_law(found[:, t] / found[:, 0], expected[:, t] / expected[:, 0])  # the joint law


@pytest.mark.parametrize(("n", "d", "steps"), [(8, 3, 2), (6, 3, 2), (7, 4, 2), (7, 2, 2), (7, 3, 3)])
def test_the_comparison_tells_laws_apart(n, d, steps):
    assert not same_law(
        sample_gd_error(n, d, steps, 0.7, SAMPLES), sample_gd_error(7, 3, 2, 0.7, SAMPLES, seed=1)
    )


def mean_of_quadratic_forms(n, d, K, eta, power):
    """E (½ wᵀ A w)ᵖ, A = (I - eta W/n)^2K, w normal: by its cumulants given A, ½ (q-1)! tr Aᵠ."""

    def polynomial(q):
        return [math.comb(2 * K * q, j) * (-Fraction(eta) / n) ** j for j in range(2 * K * q + 1)]

    total = Fraction(0)
    for blocks, count in _cycle_types(power).items():
        mean = Fraction(0)
        for powers in itertools.product(*(range(2 * K * q + 1) for q in blocks)):
            coefficient = math.prod(polynomial(q)[j] for q, j in zip(blocks, powers, strict=True))
            mean += coefficient * wishart_traces(n, d, tuple(sorted(powers)))
        total += count * mean / 2 ** len(blocks)
    return total


def _cycle_types(power):
    """How many permutations have cycles of these lengths."""
    return {
        1: {(1,): 1},
        2: {(1, 1): 1, (2,): 1},
        4: {(1, 1, 1, 1): 1, (1, 1, 2): 6, (2, 2): 3, (1, 3): 8, (4,): 6},
    }[power]


@pytest.mark.parametrize("eta", [Fraction(1, 2), Fraction(3, 2)])
@pytest.mark.parametrize("K", [0, 1, 2, 3])
@pytest.mark.parametrize(("n", "d"), [*SHAPES, (2 * 10**8, 10**8), (10**9, 1), (1, 10**9)])
def test_mean_and_second_moment_are_exact(n, d, K, eta):
    mean, square = (mean_of_quadratic_forms(n, d, K, eta, power) for power in (1, 2))
    assert mean == loss_at(loss_polynomial(Gaussian(1), d, n, K, curvature=False), eta)
    errors = sample_gd_error(n, d, K, eta, SAMPLES)
    assert abs(errors.mean() - mean) < Z * math.sqrt((square - mean**2) / SAMPLES)
    if K == 1:
        fourth = mean_of_quadratic_forms(n, d, K, eta, 4)
        deviation = math.sqrt((fourth - square**2) / SAMPLES)
        assert abs((errors**2).mean() - square) < Z * deviation


def test_mean_after_many_steps_in_many_dimensions():
    n, d, K, eta = 2 * 10**8, 10**8, 20, Fraction(2, 3)
    mean = loss_at(loss_polynomial(Gaussian(1), d, n, K, curvature=False), eta)
    errors = sample_gd_error(n, d, K, eta, 10**4)
    assert abs(errors.mean() - mean) < Z * errors.std() / 100


@shapes
def test_wishart_traces(n, d):
    W = sample_wishart(n, d, SAMPLES)
    np.testing.assert_array_equal(W, W.mT)
    power = np.eye(d)
    for p in range(1, 4):
        power = power @ W
        mean, square = wishart_traces(n, d, (p,)), wishart_traces(n, d, (p, p))
        found = np.trace(power, axis1=1, axis2=2).mean()
        assert abs(found - mean) < Z * math.sqrt((square - mean**2) / SAMPLES)
    assert np.linalg.matrix_rank(W[:100], tol=1e-9).max() == min(n, d)


@shapes
def test_law_of_wishart(n, d):
    rng = np.random.default_rng(2)
    root = rng.standard_normal((d, d))
    Sigma = root @ root.T + np.eye(d)
    Sigma = (Sigma + Sigma.T) / 2
    X = np.linalg.cholesky(Sigma) @ rng.standard_normal((20_000, d, n))
    W, expected = sample_wishart(n, d, 20_000, Sigma=Sigma), X @ X.mT
    for i, j in itertools.combinations_with_replacement(range(d), 2):
        assert same_law(W[:, i, j], expected[:, i, j])
    assert same_law(np.linalg.eigvalsh(W)[:, -1], np.linalg.eigvalsh(expected)[:, -1])
    # Each entry has the mean n Σ_ij and the variance n (Σ_ij² + Σ_ii Σ_jj).
    deviation = np.sqrt(n * (Sigma**2 + np.outer(np.diagonal(Sigma), np.diagonal(Sigma))) / len(W))
    assert (np.abs(W.mean(0) - n * Sigma) < Z * deviation).all()


# ----------------------------------------------------------------------------------------- streams


def test_samples_do_not_depend_on_threads_or_on_how_many_there_are(monkeypatch):
    draw = partial(sample_gd_error, 50, 40, 6, 0.3)
    size = 3 * sampling.CHUNK_NUMBERS // 13 + 5
    many = draw(size)
    monkeypatch.setattr(sampling, "ThreadPoolExecutor", lambda _: ThreadPoolExecutor(1))
    assert (many == draw(size)).all()
    assert (many[: size - 10] == draw(size - 10)).all()
    assert (many[:3] == draw(3)).all()
    assert len(set(many)) == size  # no stream comes twice
    assert not (many[:3] == draw(3, seed=1)).any()
    assert (many == draw(size, trajectory=True)[:, -1]).all()


def test_x_and_w_star_do_not_depend_on_the_learning_rate():
    start, zero = (sample_gd_error(9, 5, 3, eta, 10, trajectory=True)[:, 0] for eta in (0.5, 0))
    assert (start == zero).all()
    assert (start == sample_gd_error(9, 5, 3, 0, 10)).all()


def test_one_step_of_one_dimension():
    """For d = 1 all steps are by the one factor 1 - eta W / n."""
    errors = sample_gd_error(3, 1, 4, 0.5, 100, trajectory=True)
    ratios = errors[:, 1:] / errors[:, :-1]
    np.testing.assert_allclose(ratios, np.repeat(ratios[:, :1], 4, axis=1), rtol=1e-12)


def test_no_samples():
    assert sample_wishart(3, 2, 0).shape == (0, 2, 2)
    assert sample_gd_error(3, 2, 4, 1, 0).shape == (0,)
    assert sample_gd_error(3, 2, 4, 1, 0, trajectory=True).shape == (0, 5)
    assert [chi.shape for chi in sample_bidiagonal(3, 2, 2, 0)] == [(0, 2), (0, 1)]


# --------------------------------------------------------------------------------------- bad input

GD = {"n": 3, "d": 2, "steps": 1, "eta": 1, "size": 2}
WISHART = {"n": 3, "d": 2, "size": 2}
BIDIAGONAL = {"n": 3, "d": 2, "rows": 2, "size": 2}
COUNTS = [
    (function, arguments, {name: bad}, error, name)
    for function, arguments in [
        (sample_gd_error, GD),
        (sample_wishart, WISHART),
        (sample_bidiagonal, BIDIAGONAL),
    ]
    for name in (*arguments, "seed")
    if name != "eta"
    for bad, error in [
        (-1, ShapeError),
        (1.0, DTypeError),
        (True, DTypeError),
        (sympy.Symbol("k"), DTypeError),
    ]
]
SIGMA = [
    ({"Sigma": [[1, 0], [0, 1]]}, DTypeError),
    ({"Sigma": np.eye(2, dtype=np.float32)}, DTypeError),
    ({"Sigma": np.eye(3)}, ShapeError),
    ({"Sigma": np.ones(2)}, ShapeError),
    ({"Sigma": [[1.0, np.nan], [np.nan, 1.0]]}, NonFiniteError),
    ({"Sigma": [[1.0, 0.5], [0.4, 1.0]]}, ArgumentError),
    ({"Sigma": [[1.0, 1.0], [1.0, 1.0]]}, ArgumentError),
    ({"Sigma": -np.eye(2)}, ArgumentError),
]
OTHERS = [
    (sample_gd_error, GD, {"n": 2**53 + 1}, ShapeError, "n"),
    (sample_gd_error, GD, {"d": 10**400}, ShapeError, "d"),
    (sample_gd_error, GD, {"steps": 10**6 + 1}, ShapeError, "steps"),
    (sample_gd_error, GD, {"size": 2**40 + 1}, ArgumentError, "size"),
    (sample_gd_error, GD, {"eta": math.nan}, NonFiniteError, "eta"),
    (sample_gd_error, GD, {"eta": np.float32("inf")}, NonFiniteError, "eta"),
    (sample_gd_error, GD, {"eta": "1e400"}, NonFiniteError, "eta"),
    (sample_gd_error, GD, {"eta": 10**5000}, NonFiniteError, "eta"),
    (sample_gd_error, GD, {"eta": "1e400000000"}, ArgumentError, "eta"),
    (sample_gd_error, GD, {"eta": 1j}, DTypeError, "eta"),
    (sample_gd_error, GD, {"eta": True}, DTypeError, "eta"),
    (sample_gd_error, GD, {"eta": "fast"}, DTypeError, "eta"),
    (sample_gd_error, GD, {"trajectory": 1}, DTypeError, "trajectory"),
    (sample_gd_error, GD, {"eta": 1e200}, NonFiniteError, "result"),
    (sample_gd_error, GD, {"eta": 1e10, "steps": 1000, "trajectory": True}, NonFiniteError, "result"),
    (sample_wishart, WISHART, {"d": 2**21}, ArgumentError, "size"),
    (sample_wishart, WISHART, {"d": 2**53, "size": 0}, ArgumentError, "size"),
    (sample_bidiagonal, BIDIAGONAL, {"rows": 3}, ShapeError, "rows"),
    (sample_bidiagonal, BIDIAGONAL, {"d": 2**53, "rows": 2**53}, ArgumentError, "size"),
    *((sample_wishart, WISHART, bad, error, "Sigma") for bad, error in SIGMA),
    (sample_wishart, WISHART, {"Sigma": np.diag([1e308, 1e308])}, NonFiniteError, "result"),
]


@pytest.mark.parametrize(("function", "arguments", "bad", "error", "name"), COUNTS + OTHERS)
def test_bad_input(function, arguments, bad, error, name):
    with pytest.raises(ArgumentError) as caught:
        function(**(arguments | bad))
    assert type(caught.value) is error
    assert caught.value.argument == name


def test_sigma_is_read_only_and_left_alone():
    Sigma = np.array([[2.0, 1.0], [1.0, 2.0]])
    expected = sample_wishart(3, 2, 4, Sigma=Sigma)
    frozen = Sigma.copy(order="F")
    frozen.flags.writeable = False
    assert (sample_wishart(3, 2, 4, Sigma=frozen) == expected).all()
    assert (sample_wishart(3, 2, 4, Sigma=np.repeat(Sigma, 2, axis=1)[:, ::2]) == expected).all()
    assert (sample_wishart(3, 2, 4, Sigma=np.eye(2)) == sample_wishart(3, 2, 4)).all()
