"""Mean losses against stacks of attention layers on every context."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from test_moments import LAW, SMALL, contexts

from gdtheory.catalogue import one_step_optimum as one_step_optimum_claim
from gdtheory.catalogue import one_step_population_loss, shifted_tasks_loss, two_step_population_loss
from gdtheory.constructions import coordinate_errors, gdpp_step_weights, mean_squared_error
from gdtheory.constructions.lsa import lsa_layer
from gdtheory.errors import ArgumentError, DTypeError, ShapeError
from gdtheory.namespace import as_objects
from gdtheory.problems import CurvatureTasks, RandomTasks, ShiftedTasks
from gdtheory.reference import population
from gdtheory.reference.moments import Gaussian, ThreePoint, Uniform, closed_walks
from gdtheory.reference.population import (
    constant,
    error_polynomial,
    loss_at,
    loss_of_rates,
    loss_polynomial,
    one_step_loss,
    one_step_optimum,
)

HALF_UNIFORM = Uniform("1/2")
ETA, GAMMA = Fraction(3, 4), Fraction(2, 7)


def layer_weights(d, N, eta, gamma):
    """GD++ for d teachers at once, from W_0 = 0."""
    return gdpp_step_weights(as_objects([Fraction(0)] * d**2, (d, d)), eta, gamma, N)


@cache
def loss_of_layers(law, d, N, K, eta, gamma):
    """The mean of half the squared error of K layers, over every context and every query.

    Teachers are the rows of the identity; the squared error for w ~ N(0, I) is the sum over them.
    """
    weights, total = layer_weights(d, N, eta, gamma), Fraction(0)
    queries = contexts(law, d, 1)
    x = np.concatenate([query for query, _ in queries], axis=1)
    for X, weight in contexts(law, d, N):
        context, query = np.concatenate([X, X]), np.concatenate([x, x * 0])  # y = I x; the query's is 0
        for _ in range(K):
            context, query = lsa_layer(context, context, weights), lsa_layer(query, context, weights)
        squares = ((x + query[d:]) ** 2).sum(axis=0)  # minus the y-part is the prediction
        total += weight * sum(s * w for s, (_, w) in zip(squares, queries, strict=True))
    return total / 2


@pytest.mark.parametrize(("d", "N"), SMALL)
@pytest.mark.parametrize("K", [1, 2])
def test_losses_are_those_of_attention_layers(d, N, K):
    for gamma in (Fraction(0), GAMMA) if d * N < 3 else (GAMMA,):
        polynomial = loss_polynomial(LAW, d, N, K, curvature=gamma != 0)
        assert loss_at(polynomial, ETA, gamma) == loss_of_layers(LAW, d, N, K, ETA, gamma)


def test_no_layer_predicts_zero():
    assert loss_polynomial(LAW, 3, 2, 0, curvature=True) == {(0, 0): 3 * LAW.moment(2) / 2}


def test_many_steps_have_no_more_terms_than_powers():
    M = error_polynomial([(constant(Fraction(1, 3)), constant(0))] * 20, 4)
    assert max(p for _, _, p in M) == 20 and len(M) == 21
    signs = ThreePoint(3, "1/2")  # with one input S = 9
    assert loss_of_rates(signs, 1, 5, [("1/10", 0)] * 4) == Fraction(9, 2) * Fraction(1, 10) ** 8


@pytest.mark.parametrize("K", [0, 1, 2])
def test_rates_of_their_own_may_be_equal(K):
    for gamma in (Fraction(0), GAMMA):
        polynomial = loss_polynomial(LAW, 3, 2, K, curvature=gamma != 0)
        assert loss_of_rates(LAW, 3, 2, [(ETA, gamma)] * K) == loss_at(polynomial, ETA, gamma)


def test_rates_of_their_own_are_those_of_their_layers():
    """For two gradient-descent steps their order is free; in GD++ the first gamma alone counts."""
    assert loss_of_rates(LAW, 3, 2, [(1, 0), ("1/3", 0)]) == loss_of_rates(LAW, 3, 2, [("1/3", 0), (1, 0)])
    two = loss_of_rates(LAW, 3, 2, [(1, GAMMA), ("1/3", 0)])
    assert two == loss_of_rates(LAW, 3, 2, [(1, GAMMA), ("1/3", 5)])
    assert two != loss_of_rates(LAW, 3, 2, [("1/3", GAMMA), (1, 0)])


def test_three_steps_are_three_layers():
    polynomial = loss_polynomial(LAW, 2, 1, 3, curvature=False)
    assert loss_at(polynomial, ETA) == loss_of_layers(LAW, 2, 1, 3, ETA, Fraction(0))


@pytest.mark.parametrize("K", range(4))
def test_the_error_of_layers_on_one_context(K):
    """Over d = 1, where S is a number; in three layers GD++ moves the inputs twice before they are read."""
    X, x = as_objects([Fraction(1, 2), Fraction(-3)], (1, 2)), as_objects([Fraction(5)], (1, 1))
    weights, S = layer_weights(1, 2, ETA, GAMMA), (X @ X.T)[0, 0] / 2
    context, query = np.concatenate([X, X]), np.concatenate([x, x * 0])
    for _ in range(K):
        context, query = lsa_layer(context, context, weights), lsa_layer(query, context, weights)
    M = error_polynomial([(population.ETA, population.GAMMA)] * K, 2)
    expected = sum(c * ETA**i * GAMMA**j * S**p for (i, j, p), c in M.items())
    assert x[0, 0] + query[1, 0] == expected * x[0, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda p, eta, gamma: loss_at(p, eta, gamma * 2),  # 1/N left out for N = 2
        lambda p, eta, gamma: loss_at(p, eta, -gamma),
        lambda p, eta, gamma: loss_at(p, eta, 0),
        lambda p, eta, gamma: loss_at(p, eta / 2, gamma),
        lambda p, eta, gamma: loss_at(p, eta, gamma) * 2,
    ],
)
def test_wrong_losses_are_not_those_of_layers(wrong):
    polynomial = loss_polynomial(LAW, 2, 2, 2, curvature=True)
    assert wrong(polynomial, ETA, GAMMA) != loss_of_layers(LAW, 2, 2, 2, ETA, GAMMA)


def terms(M):
    """The coefficients other than zero."""
    return {powers: c for powers, c in M.items() if c}


def test_the_error_of_two_layers_as_printed():
    """(I - ηS)(I - ηS H²) with H = I - γ N S."""
    eta, gamma, S = sympy.symbols("eta gamma S")
    N = 3
    H = 1 - gamma * N * S
    expected = sympy.Poly((1 - eta * S) * (1 - eta * S * H**2), eta, gamma, S).as_dict()
    assert terms(error_polynomial([(population.ETA, population.GAMMA)] * 2, N)) == expected


@pytest.mark.parametrize("K", range(5))
def test_the_error_of_gradient_descent_as_printed(K):
    eta, gamma, S = sympy.symbols("eta gamma S")
    expected = sympy.Poly((1 - eta * S) ** K, eta, gamma, S).as_dict()
    assert terms(error_polynomial([(population.ETA, constant(0))] * K, 4)) == expected


# ----------------------------------------------------------------------------------------- one step


def test_the_numbers_of_the_paper_s_setting():
    found = one_step_optimum(HALF_UNIFORM, 10, 10)
    assert (found.eta, found.loss) == (Fraction(200, 33), Fraction(245, 1188))
    assert one_step_loss(HALF_UNIFORM, 10, 10, 0) == Fraction(5, 12)
    assert round(float(found.loss), 2) == 0.21
    assert one_step_optimum(HALF_UNIFORM, 10, 10, half=False).loss == 2 * found.loss


@pytest.mark.parametrize("law", [HALF_UNIFORM, Gaussian("2/3"), LAW], ids=str)
@pytest.mark.parametrize(("d", "N"), [(1, 1), (3, 2), (10, 10)])
@pytest.mark.parametrize("half", [True, False])
def test_one_step_by_two_routes(law, d, N, half):
    polynomial = loss_polynomial(law, d, N, 1, curvature=False, half=half)
    for eta in (Fraction(0), ETA, Fraction(-2)):
        assert one_step_loss(law, d, N, eta, half=half) == loss_at(polynomial, eta)
    assert loss_polynomial(law, d, N, 1, curvature=True, half=half) == polynomial


@given(st.integers(1, 6), st.integers(1, 6), st.fractions(-1, 1))
@settings(max_examples=30)
def test_no_learning_rate_is_better_than_the_best(d, N, delta):
    best = one_step_optimum(LAW, d, N)
    loss = one_step_loss(LAW, d, N, best.eta + delta)
    assert loss > best.loss if delta else loss == best.loss


@given(st.fractions(Fraction(1, 4), 4), st.fractions(-2, 2))
@settings(max_examples=30)
def test_scaled_inputs_are_inputs_of_a_wider_law(alpha, eta):
    found = one_step_loss(Uniform(1), 3, 4, eta, input_scale=alpha)
    assert found == one_step_loss(Uniform(alpha), 3, 4, eta)
    assert one_step_loss(Uniform(1), 3, 4, eta, teacher_scale=alpha) == alpha**2 * one_step_loss(
        Uniform(1), 3, 4, eta
    )


# ------------------------------------------------------------------------- wrong laws and wrong counts


def test_one_step_takes_a_law_with_mean_zero_that_is_not_symmetric():
    """Entries of -1 and 2 with weights 2/3 and 1/3: the third moment is 2."""
    weights = {-1: Fraction(2, 3), 2: Fraction(1, 3)}
    m_2, m_4 = (sum(w * x**k for x, w in weights.items()) for k in (2, 4))
    for d, N in ((1, 2), (2, 1), (2, 2), (2, 3), (3, 2)):
        drawn = [
            (math.prod(weights[x] for x in entries), as_objects(list(map(Fraction, entries)), (d, N)))
            for entries in itertools.product(weights, repeat=d * N)
        ]
        found = mean_squared_error(drawn, [layer_weights(d, N, ETA, Fraction(0))], m_2)
        assert found == population.one_step_error(ETA, d, m_2, population.trace_S2(d, N, m_2, m_4))


def test_queries_and_teachers_of_another_scale_and_mean():
    """Queries one by one, with entries 0 and 3 of weights 3/4 and 1/4."""
    weights, X = {0: Fraction(3, 4), 3: Fraction(1, 4)}, as_objects([Fraction(1), Fraction(-2)], (2, 1))
    layers, expected = [layer_weights(2, 1, ETA, Fraction(0))], Fraction(0)
    for x in itertools.product(weights, repeat=2):
        errors = coordinate_errors(X, as_objects(list(map(Fraction, x)), (2, 1)), layers)
        expected += math.prod(weights[entry] for entry in x) * (errors * errors).sum()
    assert mean_squared_error([(1, X)], layers, Fraction(9, 4), mean=Fraction(3, 4)) == expected
    tripled = mean_squared_error([(1, X)], layers, 1, teacher_scale=3)
    assert tripled == 9 * mean_squared_error([(1, X)], layers, 1) != 0


@pytest.mark.parametrize(
    "off",
    [
        lambda d, N: 2 * (d - 1) - d * (d - 1),
        lambda d, N: d**2 * (d - 1) // 2 - d * (d - 1),
        lambda d, N: (N * (N - 1) // 2 - (N - 1)) * d,
        lambda d, N: ((N - 1) ** 2 - (N - 1)) * d,
    ],
)
def test_wrong_counts_of_pairs_are_seen(off, monkeypatch):
    """They are right for d and N up to 2."""

    def wrong(d, N, m_2, m_4):
        return population.trace_S2(d, N, m_2, m_4) + off(d, N) * m_2**2 / N

    for module in (one_step_optimum_claim, shifted_tasks_loss):
        monkeypatch.setattr(module, "trace_S2", wrong)
    loss = one_step_population_loss
    for record, lhs, rhs in (
        (RandomTasks, loss.mean_layer_loss, partial(loss.in_two_moments, tr_S2=wrong)),
        (RandomTasks, one_step_optimum_claim.excess, one_step_optimum_claim.completed_square),
        (ShiftedTasks, shifted_tasks_loss.layer_loss, shifted_tasks_loss.loss_of_the_scaled_rate),
    ):
        assert any(lhs(p) != rhs(p) for p in record.fixed())


def test_walks_over_three_rows_or_columns_are_seen(monkeypatch):
    def few(law, d, N, p):
        walks = closed_walks(p).items()
        counted = [walk for walk in walks if max(walk[0][:2]) < 3]
        return (
            sum(
                count * math.perm(d, rows) * math.perm(N, columns) * math.prod(map(law.moment, edges))
                for (rows, columns, edges), count in counted
            )
            / Fraction(N) ** p
        )

    monkeypatch.setattr(population, "expected_trace", few)
    lhs, rhs = two_step_population_loss.mean_stack_loss, two_step_population_loss.by_closed_walks
    assert any(lhs(p) != rhs(p) for p in CurvatureTasks.fixed())
    assert all(lhs(p) == rhs(p) for p in CurvatureTasks.fixed() if max(p.d, p.N) < 3)


# ----------------------------------------------------------------------------------------- refusals


ONE, LAYER = as_objects([Fraction(1)], (1, 1)), layer_weights(1, 1, ETA, GAMMA)


@pytest.mark.parametrize(
    ("call", "error", "argument"),
    [
        (lambda: one_step_loss(LAW, 2, 2, 0.5), DTypeError, "eta"),
        (lambda: one_step_loss(LAW, 2, 2, 1, input_scale=1.0), DTypeError, "input_scale"),
        (lambda: one_step_loss(LAW, 2, 2, 1, teacher_scale="x"), DTypeError, "teacher_scale"),
        (lambda: one_step_loss(LAW, 0, 2, 1), ShapeError, "d"),
        (lambda: one_step_optimum(LAW, 2, 0), ShapeError, "N"),
        (lambda: one_step_optimum("law", 2, 2), DTypeError, "law"),
        (lambda: loss_polynomial(LAW, 2, 2, -1, curvature=False), ShapeError, "K"),
        (lambda: loss_polynomial(None, 2, 2, 1, curvature=False), DTypeError, "law"),
        (lambda: loss_polynomial(LAW, 2.0, 2, 1, curvature=False), DTypeError, "d"),
        (lambda: loss_at({}, 1, 0.5), DTypeError, "gamma"),
        (lambda: loss_at(None, 1), DTypeError, "polynomial"),
        (lambda: loss_of_rates(LAW, 2, 2, None), DTypeError, "rates"),
        (lambda: loss_of_rates(LAW, 2, 2, [(1,)]), DTypeError, "rates"),
        (lambda: loss_of_rates(LAW, 2, 2, [(1, 2, 3)]), DTypeError, "rates"),
        (lambda: loss_of_rates(LAW, 2, 2, [(1, 0.5)]), DTypeError, "gamma"),
        (lambda: one_step_loss(LAW, 2, 2, 1, half="no"), DTypeError, "half"),
        (lambda: loss_polynomial(LAW, 2, 2, 1, curvature=False, half=None), DTypeError, "half"),
        (lambda: coordinate_errors(ONE, ONE, None), DTypeError, "layers"),
        (lambda: coordinate_errors(ONE, ONE, LAYER), DTypeError, "layers"),
        (lambda: coordinate_errors(ONE, ONE, iter([LAYER])), DTypeError, "layers"),
        (lambda: coordinate_errors(ONE, ONE, [None]), DTypeError, "layers"),
        (lambda: coordinate_errors(np.eye(2), np.eye(2), [LAYER]), ShapeError, "layers"),
        (lambda: coordinate_errors(ONE, ONE, [LAYER], teacher_scale=0.5), DTypeError, "teacher_scale"),
        (lambda: mean_squared_error(None, [LAYER], 1), DTypeError, "contexts"),
        (lambda: mean_squared_error([], [LAYER], 1), ShapeError, "contexts"),
        (lambda: mean_squared_error([(1, ONE)], [LAYER], float("nan")), DTypeError, "m_2"),
        (lambda: mean_squared_error([(1, ONE)], [LAYER], -1), ArgumentError, "m_2"),
        (lambda: mean_squared_error([(1, ONE)], [LAYER], 1, mean=2), ArgumentError, "m_2"),
    ],
)
def test_bad_input_is_named(call, error, argument):
    with pytest.raises(error) as caught:
        call()
    assert caught.value.argument == argument
