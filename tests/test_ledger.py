"""The ledger against exact fractions, on machines that round in every way that it covers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdtheory.constructions.lsa import LSAWeights, gd_step_weights, lsa_layer, lsa_layer_folded
from gdtheory.errors import DegenerateContextError, DTypeError, NonFiniteError, ShapeError
from gdtheory.functions import centre, inversion, relu, square
from gdtheory.ledger import Ledger, LedgerNamespace, exactly
from gdtheory.namespace import ArrayNamespace, namespace
from gdtheory.problems import Regression

DTYPES = (np.float32, np.float64)
SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(1, 3)
few = partial(settings, deadline=None)

# ------------------------------------------------------------------------------------- machines


def nearest(q: Fraction, dtype: Any) -> Fraction:
    """Round to nearest even, with gradual underflow."""
    if q == 0:
        return q
    info = np.finfo(dtype)
    exponent = abs(q.numerator).bit_length() - q.denominator.bit_length()
    exponent -= abs(q) < Fraction(2) ** exponent
    quantum = Fraction(2) ** (max(exponent, int(info.minexp)) - int(info.nmant))
    return round(q / quantum) * quantum


@dataclass(frozen=True)
class Machine:
    """A way to evaluate.

    An adversary errs as far as the model of arithmetic allows: up (1), or in random directions (0).
    """

    dtype: Any
    order: str = "forward"
    fused: bool = False
    flush: bool = False
    adversary: Any = None
    rng: Any = None

    def round(self, q: Fraction) -> Fraction:
        info = np.finfo(self.dtype)
        least = Fraction(float(info.smallest_normal))
        if self.adversary is not None:
            sign = self.adversary or int(self.rng.integers(-1, 2))
            return q + sign * (abs(q) * Fraction(float(info.eps)) / 2 + least)
        q = nearest(q, self.dtype)
        return Fraction(0) if self.flush and abs(q) < least else q

    def load(self, q: Fraction) -> Fraction:
        return self.round(q) if self.flush else q

    def add(self, x: Fraction, y: Fraction) -> Fraction:
        return x + y if x == 0 or y == 0 else self.round(x + y)

    def multiply(self, x: Fraction, y: Fraction) -> Fraction:
        return x * y if {abs(x), abs(y)} & {0, 1} else self.round(x * y)

    def divide(self, x: Fraction, y: Fraction) -> Fraction:
        return x / y if x == 0 or abs(y) == 1 else self.round(x / y)

    def total(self, terms: list[Fraction]) -> Fraction:
        terms = list(terms)
        if self.order == "reverse":
            terms.reverse()
        while self.order == "tree" and len(terms) > 1:
            i, j = self.rng.choice(len(terms), 2, replace=False)
            pair = self.add(terms[i], terms[j])
            terms = [t for at, t in enumerate(terms) if at not in (i, j)] + [pair]
        return reduce(self.add, terms, Fraction(0))

    def dot(self, xs: Any, ys: Any) -> Fraction:
        if self.fused:
            return reduce(lambda s, xy: self.round(s + xy[0] * xy[1]), zip(xs, ys, strict=True), 0)
        return self.total([self.multiply(x, y) for x, y in zip(xs, ys, strict=True)])


def machines(dtype: Any, seed: int) -> list[Machine]:
    rng = np.random.default_rng(seed)
    return [
        Machine(dtype),
        Machine(dtype, "reverse"),
        Machine(dtype, "tree", rng=rng),
        Machine(dtype, fused=True),
        Machine(dtype, flush=True),
        Machine(dtype, "reverse", fused=True, flush=True),
        Machine(dtype, adversary=1),
        Machine(dtype, "tree", adversary=0, rng=rng),
    ]


@dataclass(eq=False)
class Run:
    """An array on a machine, entries being fractions.

    Where `unrounded`, an entry is a product that is rounded only if no sum absorbs it.
    """

    machine: Machine
    entries: Any
    unrounded: Any = False

    __array_ufunc__ = None

    @classmethod
    def of(cls, machine: Machine, array: Any) -> Run:
        return cls(machine, elementwise(lambda q: machine.load(fraction(q)))(array))

    @property
    def shape(self) -> Any:
        return np.shape(self.entries)

    @property
    def rounded(self) -> Any:
        if not np.any(self.unrounded):
            return self.entries
        return np.where(self.unrounded, elementwise(self.machine.round)(self.entries), self.entries)

    @property
    def T(self) -> Run:
        return Run(self.machine, self.rounded.T)

    def __gdtheory_namespace__(self) -> Any:
        return RunNamespace(self.machine)

    def __neg__(self) -> Run:
        return Run(self.machine, -self.entries, self.unrounded)

    def __gt__(self, other: Any) -> Any:
        return Run(self.machine, elementwise(lambda q: Fraction(q > 0))(self.rounded))

    def __add__(self, other: Run) -> Run:
        return Run(self.machine, elementwise(self.machine.add, 2)(self.entries, other.entries))

    def __sub__(self, other: Run) -> Run:
        return self + -other

    def __mul__(self, other: Any) -> Run:
        if self.machine.fused:
            left, right = self.rounded, other.rounded if isinstance(other, Run) else Fraction(other)
            rounds = elementwise(lambda x, y: not {abs(x), abs(y)} & {0, 1}, 2)(left, right)
            return Run(self.machine, left * right, np.asarray(rounds, dtype=bool))
        return self.by(self.machine.multiply, other)

    def __truediv__(self, other: Any) -> Run:
        return self.by(self.machine.divide, other)

    def by(self, operation: Any, other: Any) -> Run:
        right = other.rounded if isinstance(other, Run) else Fraction(other)
        return Run(self.machine, elementwise(operation, 2)(self.rounded, right))

    def __matmul__(self, other: Run) -> Run:
        left, right = self.rounded, other.rounded.T
        entries = [[self.machine.dot(row, column) for column in right] for row in left]
        return Run(self.machine, np.array(entries, dtype=object).reshape(len(left), len(right)))

    def sum(self) -> Run:
        return Run(self.machine, self.machine.total(list(self.rounded.flat)))


@dataclass(frozen=True)
class RunNamespace:
    machine: Machine

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        return lambda *sizes: Run.of(self.machine, getattr(np, verb)(sizes[0] if verb == "eye" else sizes))

    def block(self, rows: Any) -> Run:
        return Run(self.machine, np.block([[entry.rounded for entry in row] for row in rows]))

    def squared_norm(self, a: Run) -> Run:
        return (a * a).sum()

    def is_zero(self, a: Run) -> bool:
        return not a.rounded.any()


def elementwise(operation: Callable[..., Any], arguments: int = 1) -> Callable[..., Any]:
    return np.frompyfunc(operation, arguments, 1)


def fraction(number: Any) -> Fraction:
    return Fraction(float(number) if isinstance(number, np.floating) else number)


fractions = elementwise(fraction)

# --------------------------------------------------------------------------------- the comparison


def covered(ledger: Ledger, exact: Any, evaluation: Any) -> bool:
    """Whether every entry of `evaluation` is within the bound of `exact`."""
    ledger_bound, exact, evaluation = np.broadcast_arrays(ledger.bound, exact, evaluation)
    return all(
        np.isinf(b) or abs(fraction(e) - x) <= Fraction(b)
        for b, x, e in zip(ledger_bound.flat, exact.flat, evaluation.flat, strict=True)
    )


def check(expression: Callable[..., Any], arrays: list[Any], seed: int = 0) -> Ledger:
    """Evaluate on the ledger, on NumPy and on all machines; return the ledger."""
    dtype = arrays[0].dtype.type
    ledger = expression(*map(exactly, arrays))
    assert ledger.value.dtype == dtype and ledger.bound.dtype == np.float64
    assert type(ledger.value) is type(ledger.bound) is np.ndarray
    assert ledger.value.shape == ledger.bound.shape == ledger.shape
    finite = np.isfinite(ledger.bound)
    assert np.isfinite(ledger.value[finite]).all()
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(ledger.value, expression(*arrays))
    try:
        exact = expression(*map(fractions, arrays))
        assert covered(ledger, exact, np.where(finite, ledger.value, 0.0))
        for machine in machines(dtype, seed):
            run = expression(*(Run.of(machine, array) for array in arrays))
            assert covered(ledger, exact, run.rounded), machine
    except (ZeroDivisionError, DegenerateContextError):
        assert not finite.all()
    return ledger


def draw(rng: Any, dtype: Any, *shape: int, low: float = -8, high: float = 8, zeros: float = 0.2) -> Any:
    """Return entries of magnitude 10^low to 10^high with full mantissas, some zero and some one."""
    size = 10 ** rng.uniform(low, high, shape) * rng.choice([-1, 1], shape)
    plain = rng.choice([0.0, 1.0, -1.0], shape)
    return np.asarray(np.where(rng.random(shape) < zeros, plain, size), dtype=dtype)


# ---------------------------------------------------------------------------- shipped constructions


def layer(apply: Any, N: int) -> Callable[..., Any]:
    return lambda queries, context, W_0, eta: apply(queries, context, gd_step_weights(W_0, eta, N))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("apply", [lsa_layer, lsa_layer_folded])
@few(max_examples=25)
@given(SEEDS, SIZES, SIZES, SIZES)
def test_lsa_layer(apply, dtype, seed, N_x, N_y, N):
    rng = np.random.default_rng(seed)
    shapes = [(N_x + N_y, 2), (N_x + N_y, N), (N_y, N_x), ()]
    arrays = [draw(rng, dtype, *shape) for shape in shapes]
    ledger = check(layer(apply, N), arrays, seed)
    assert dtype == np.float32 or np.isfinite(ledger.bound).all()


@pytest.mark.parametrize("dtype", DTYPES)
@few(max_examples=20)
@given(SEEDS, SIZES, SIZES)
def test_shipped_functions(dtype, seed, n, m):
    rng = np.random.default_rng(seed)
    arrays = [draw(rng, dtype, *shape, low=-3, high=3) for shape in [(m, n), (n, 1), (m, 1)]]
    for function in (relu, square, centre, inversion):
        check(lambda W, x, b, f=function: f(W @ x + b), [*arrays[:2], abs(arrays[2]) + dtype(1)], seed)


def well_scaled(seed: int, dtype: Any, N_x: int, N_y: int, N: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    shapes = [(N_x + N_y, 2), (N_x + N_y, N), (N_y, N_x), ()]
    return [np.asarray(rng.uniform(0.5, 2, shape) * rng.choice([-1, 1], shape), dtype) for shape in shapes]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("apply", [lsa_layer, lsa_layer_folded])
@pytest.mark.parametrize("N_x, N_y, N", [(1, 1, 1), (3, 2, 5), (20, 10, 40)])
def test_the_bound_is_of_the_order_of_the_rounding(apply, dtype, N_x, N_y, N):
    """At most 2 (N + D) u times the sum of all magnitudes."""
    queries, context, W_0, eta = well_scaled(1, dtype, N_x, N_y, N)
    ledger = layer(apply, N)(*map(exactly, (queries, context, W_0, eta)))
    weights = gd_step_weights(W_0, eta, N)
    parts = (getattr(weights, name) for name in ("W_K", "W_Q", "W_V", "P"))
    magnitudes = LSAWeights(*(abs(part).astype(np.float64) for part in parts))
    magnitude = apply(abs(queries).astype(np.float64), abs(context).astype(np.float64), magnitudes)
    u = np.finfo(dtype).eps / 2
    assert (ledger.bound <= 2 * (N + N_x + N_y) * u * magnitude).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("apply", [lsa_layer, lsa_layer_folded])
@few(max_examples=20)
@given(SEEDS, SIZES, SIZES, SIZES)
def test_a_flipped_sign_is_not_covered(apply, dtype, seed, N_x, N_y, N):
    queries, context, W_0, eta = well_scaled(seed, dtype, N_x, N_y, N)
    ledger = layer(apply, N)(*map(exactly, (queries, context, W_0, eta)))
    wrong = layer(lsa_layer, N)(*map(fractions, (queries, context, W_0, -eta)))
    assert not covered(ledger, wrong, ledger.value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_records_over_the_ledger(dtype):
    p = Regression.smallest().convert(lambda q: np.asarray(q, dtype)).convert(exactly)
    weights = gd_step_weights(p.W_0, p.eta, p.N)
    xp = namespace(p.X)
    tokens = xp.block([[p.X], [p.Y]])
    query = xp.block([[p.x_query], [-(p.W_0 @ p.x_query)]])
    assert isinstance(lsa_layer(query, tokens, weights), Ledger)
    assert (p.N, p.eta.shape) == (2, ())


# ------------------------------------------------------------------------------ random expressions

UNARY = {
    "neg": operator.neg,
    "transpose": lambda a: a.T,
    "relu": relu,
    "halve": lambda a: a / 2,
    "by three": lambda a: a / 3,
    "by norm": lambda a: a / (a * a).sum(),
    "times total": lambda a: a * a.sum(),
}
BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "@": operator.matmul,
    "/": operator.truediv,
    "fused": lambda a, b: a * b - b,
}
TREES = st.recursive(
    st.integers(0, 2),
    lambda tree: (
        st.tuples(st.sampled_from(sorted(UNARY)), tree)
        | st.tuples(st.sampled_from(sorted(BINARY)), tree, tree)
    ),
    max_leaves=5,
)


def evaluate(tree: Any, leaves: Any) -> Any:
    if isinstance(tree, int):
        return leaves[tree]
    name, *branches = tree
    return (UNARY | BINARY)[name](*(evaluate(branch, leaves) for branch in branches))


@pytest.mark.parametrize("dtype", DTYPES)
@few(max_examples=100)
@given(SEEDS, SIZES, TREES, st.sampled_from([0, 8, 35]))
def test_random_expressions(dtype, seed, n, tree, spread):
    rng = np.random.default_rng(seed)
    arrays = [draw(rng, dtype, n, n, low=-spread - 3, high=spread - 3) for _ in range(3)]

    def expression(*leaves):
        return evaluate(tree, leaves)

    check(expression, arrays, seed)


# ----------------------------------------------------------------- each rule, on uncertain operands


def uncertain(rng: Any, dtype: Any, *shape: int, scale: float = 1.0) -> tuple[Any, Any, Any]:
    """Return a ledger with large bounds, and an exact value and an evaluation that it allows."""
    value = draw(rng, dtype, *shape, low=-2, high=2) * dtype(scale)
    bound = rng.choice([0.0, 1e-7, 0.3, 1.0, 2.0], shape) * np.maximum(abs(value), dtype(scale) / 8)
    exact = fractions(value) + rng.integers(-1, 2, shape) * fractions(bound)
    farthest = exact + rng.integers(-1, 2, shape) * fractions(bound)
    evaluation = np.empty(shape, dtype=object)
    for i, x in np.ndenumerate(exact):  # an evaluation is a float: the farthest within the bound
        nearest_float = dtype(float(farthest[i]))
        while abs(fraction(nearest_float) - x) > fraction(bound[i]):
            nearest_float = np.nextafter(nearest_float, dtype(float(x)))
        evaluation[i] = fraction(nearest_float)
    return Ledger(value, bound.astype(np.float64)), exact, evaluation


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rule", ["+", "-", "*", "@", "/", "fused", "relu", "times total"])
@few(max_examples=40)
@given(SEEDS, SIZES, st.sampled_from([0, -19, -37]))
def test_rules(rule, dtype, seed, n, exponent):
    rng = np.random.default_rng(seed)
    scale = 10.0**exponent if dtype is np.float32 else 10.0 ** (8 * exponent)
    operation = (UNARY | BINARY)[rule]
    operands = [uncertain(rng, dtype, n, n, scale=scale) for _ in range(1 + (rule in BINARY))]
    ledgers, exacts, evaluations = zip(*operands, strict=True)
    ledger = operation(*ledgers)
    if rule == "/":
        usable = np.isfinite(ledger.bound)
        exacts, evaluations = ((x, np.where(usable, y, Fraction(1))) for x, y in (exacts, evaluations))
    exact = operation(*exacts)
    for machine in machines(dtype, seed):
        run = operation(*(Run(machine, evaluation) for evaluation in evaluations))
        assert covered(ledger, exact, run.rounded), machine


def test_the_evaluations_of_a_sum_may_be_twice_the_bound_apart():
    """Here x̂ + ŷ = 1 + 3u rounds up to 1 + 4u, with x̂ = 2x, ŷ = 2y and both values zero."""
    u = 2.0**-24
    x, y = (Ledger(np.float32(0), half) for half in (0.5, 1.5 * u))
    total = Fraction(1) + 3 * Fraction(u)
    assert nearest(total, np.float32) == 1 + 4 * Fraction(u)
    assert covered(x + y, total / 2, nearest(total, np.float32))


def test_bounds_are_computed_in_float64():
    """Here b_x is below the range of float32, so a reach |v|+2b in float32 would be zero."""
    x, y = Ledger(np.float32(0), np.float64(1e-46)), Ledger(np.float32(1e30), np.float64(1e30))
    b_x, b_y, v_y = fraction(x.bound[()]), fraction(y.bound[()]), fraction(y.value[()])
    assert covered(x * y, b_x * (v_y + b_y), 2 * b_x * (v_y + 2 * b_y))


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_uncertain_one_is_a_factor_that_rounds(dtype):
    b = Fraction(2) ** -60
    x, y = Ledger(dtype(1), np.float64(b)), exactly(dtype(3))
    run = Machine(dtype, adversary=1).multiply(1 + b, Fraction(3))
    for product in (x * y, y * x, x.T * y):
        assert covered(product, Fraction(3), run)
    matrix = Ledger(x.value.reshape(1, 1), x.bound.reshape(1, 1)) @ exactly(np.full((1, 1), dtype(3)))
    assert covered(matrix, Fraction(3), run)
    assert covered(y / x, Fraction(3), Machine(dtype, adversary=1).divide(Fraction(3), 1 - b))


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_operation_on_exact_operands_costs_one_rounding(dtype):
    x, y = draw(np.random.default_rng(0), dtype, 2, 50, zeros=0)
    u, least = np.finfo(dtype).eps / 2, np.finfo(dtype).smallest_normal
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
        ledger = operation(exactly(x), exactly(y))
        assert (ledger.bound <= 1.001 * u * abs(ledger.value).astype(np.float64) + 2 * least).all()


@pytest.mark.parametrize("dtype", DTYPES)
@few(max_examples=40)
@given(SEEDS, st.integers(1, 40), st.booleans())
def test_dot_products_in_every_order(dtype, seed, n, positive):
    rng = np.random.default_rng(seed)
    x, y = draw(rng, dtype, 1, n, low=-2, high=2), draw(rng, dtype, n, 1, low=-2, high=2)
    if positive:  # the adversary's errors add up, so nothing less than γ_n will do
        x, y = abs(x), abs(y)
    ledger = check(operator.matmul, [x, y], seed)
    check(lambda x: x.sum(), [x], seed)
    exact = fractions(x) @ fractions(y)
    shuffled = rng.permutation(n)
    loop = dtype(0)
    for a, b in zip(x.flat, y.flat, strict=True):
        loop += a * b
    others = (
        np.einsum("ij,jk->ik", x, y),
        np.einsum("ij,jk->ik", x.astype(np.float64), y.astype(np.float64)).astype(dtype),
        x[:, shuffled] @ y[shuffled],
        x[:, ::-1] @ y[::-1],
        (x.T * y).cumsum(dtype=dtype)[-1],
        loop,
    )
    assert all(covered(ledger, exact, other) for other in others)
    u, magnitude = np.finfo(dtype).eps / 2, abs(x).astype(np.float64) @ abs(y)
    assert ledger.bound <= 1.01 * n * u * magnitude + 2 * n * np.finfo(dtype).smallest_normal


# ------------------------------------------------------------------------------------- exact cases


@pytest.mark.parametrize("dtype", DTYPES)
def test_exact_zeros_and_ones_cost_nothing(dtype):
    x = exactly(draw(np.random.default_rng(0), dtype, 3, 3, zeros=0)) / 3
    xp = namespace(x)
    sparse = xp.block([[x, xp.zeros(3, 2)], [xp.zeros(2, 3), xp.eye(2)]])
    for same in (
        x * 1,
        x * -1,
        x / 1,
        x + 0,
        0 + x,
        xp.eye(3) @ x,
        x @ xp.eye(3),
        x - xp.zeros(3, 3),
    ):
        np.testing.assert_allclose(same.bound, x.bound, rtol=1e-14)
    for zero in (x * 0, 0 * x, xp.zeros(2, 3) @ x, xp.zeros(3, 3) * x, xp.zeros(2, 2) / x.sum()):
        assert xp.is_zero(zero)
    assert xp.is_zero(xp.split(sparse @ sparse, (3, 2), axis=0)[1] @ xp.block([[x], [xp.zeros(2, 3)]]))
    assert not xp.is_zero(x) and not xp.is_zero(Ledger(np.zeros((1, 1), dtype), np.ones((1, 1))))


@pytest.mark.parametrize("dtype", DTYPES)
def test_namespace_agrees_with_numpy(dtype):
    x = draw(np.random.default_rng(0), dtype, 4, 3)
    z, xp, plain = (
        exactly(x),
        LedgerNamespace(np.dtype(dtype)),
        ArrayNamespace(np, {"dtype": dtype}),
    )
    pairs = [
        (xp.eye(3), plain.eye(3)),
        (xp.zeros(2, 0), plain.zeros(2, 0)),
        (xp.ones(1, 2), plain.ones(1, 2)),
    ]
    pairs += zip(xp.split(z, (1, 3)), plain.split(x, (1, 3)), strict=True)
    pairs += zip(xp.split(z, (1, 2), axis=1), plain.split(x, (1, 2), axis=1), strict=True)
    pairs += [(xp.block([[z, z], [z, z]]), plain.block([[x, x], [x, x]])), (z.T, x.T), (-z, -x)]
    for ledger, array in pairs:
        np.testing.assert_array_equal(ledger.value, array)
        assert ledger.dtype == dtype and ledger.shape == array.shape and not ledger.bound.any()
    assert xp.squared_norm(z).value == plain.squared_norm(x)


def test_split_and_block_keep_each_bound_with_its_value():
    z = Ledger(np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3))
    xp = namespace(z)
    a, b = xp.split(z, (1, 2), axis=1)
    c, d = xp.split(z, (1, 1), axis=0)
    for same in (xp.block([[a, b]]), xp.block([[c], [d]]), z.T.T, operator.neg(-z)):
        np.testing.assert_array_equal(same.bound, same.value)
        assert same.shape == (2, 3)
    empty = xp.zeros(2, 0) @ xp.zeros(0, 2)
    assert xp.is_zero(empty) and empty.shape == (2, 2) and xp.is_zero(xp.zeros(0, 3).sum())


# ------------------------------------------------------------------- underflow, overflow, division


@pytest.mark.parametrize("dtype", DTYPES)
@few(max_examples=25)
@given(SEEDS, SIZES, st.integers(-3, 3))
def test_near_the_smallest_normal_number(dtype, seed, n, shift):
    rng = np.random.default_rng(seed)
    least = np.finfo(dtype).smallest_normal
    root = dtype(np.sqrt(least)) * dtype(10.0) ** shift
    x, y = (draw(rng, dtype, n, n, low=-1, high=1, zeros=0.1) * root for _ in range(2))
    check(lambda x, y: x @ y - y * x, [x, y], seed)
    near = [draw(rng, dtype, n, n, low=-1, high=1, zeros=0.1) * least for _ in range(2)]
    check(lambda x, y: x.sum() - y.sum(), near, seed)
    check(lambda x, y: x - y, near, seed)  # a difference of normal numbers may be flushed
    check(lambda x, y: (x + y) @ y, [near[0], y], seed)
    check(lambda x, y: x.sum() * (y / 2), near, seed)


@pytest.mark.parametrize("dtype", DTYPES)
def test_flushed_results_are_within_the_bound(dtype):
    info = np.finfo(dtype)
    tiny, tiniest = exactly(info.smallest_normal), exactly(info.smallest_subnormal)
    pair = exactly(np.array([[1.5, -1.0]], dtype) * info.smallest_normal)
    difference = pair @ exactly(np.ones((2, 1), dtype))
    for lost in (tiny * 0.5, tiny * 1.5 - tiny, pair.sum(), difference, tiny / 2, tiniest * 1):
        assert 3 * info.smallest_normal > lost.bound >= lost.value > 0
    assert (tiny * tiny).value == 0 < (tiny * tiny).bound
    assert (tiny * 1).bound == (tiny + 0).bound == 0
    assert np.isinf((exactly(dtype(1)) / tiniest).bound)


@pytest.mark.parametrize("dtype", DTYPES)
def test_overflow_guarantees_nothing(dtype):
    big = np.finfo(dtype).max
    z = exactly(np.array([[big, big, -big]], dtype))
    one = exactly(np.array([[1], [0.5], [0.5]], dtype))
    spoilt = [z * 2, z + z, z @ one, z.sum(), z @ z.T, (z * 2) * 0, (z * 2).sum(), relu(z * 2)]
    spoilt += [z / 0.5, (z * 2) @ exactly(np.zeros((3, 1), dtype)), z / (z * 2).sum()]
    for ledger in spoilt:
        assert np.isinf(ledger.bound).all()
    mixed = exactly(np.array([[big, 1.5]], dtype)) * 3
    assert np.isinf(mixed.bound).tolist() == [[True, False]]
    # Sums below the largest float, which overflow in another order or by rounding.
    order = exactly(np.array([[big, -big, big, -big]], dtype))
    ulp = big - np.nextafter(big, dtype(0))
    climb = np.array([big - 10 * ulp] + [0.75 * ulp] * 12, dtype)
    with np.errstate(over="ignore"):
        assert sum(fractions(climb)) < fraction(big) and np.isinf(climb.cumsum()[-1])
    assert np.isinf(exactly(climb).sum().bound)
    assert np.isinf(order.sum().bound) and np.isinf((order @ order.T * 0).bound).all()


@pytest.mark.parametrize("dtype", DTYPES)
@few(max_examples=60)
@given(st.floats(0, 6), st.sampled_from([-1, 1]), SEEDS)
def test_division_near_zero(dtype, ratio, sign, seed):
    """A bound is finite only where no evaluation of the divisor comes near zero."""
    b = Fraction(2) ** -10
    y = Ledger(dtype(sign * ratio * float(b)), np.float64(b))
    x = exactly(draw(np.random.default_rng(seed), dtype, low=-1, high=1, zeros=0))
    quotient = x / y
    if abs(Fraction(float(y.value))) <= 2 * b:
        assert np.isinf(quotient.bound)
    if ratio > 3.01:
        assert np.isfinite(quotient.bound)
    if np.isinf(quotient.bound):
        return
    for s in (-1, 0, 1):
        for t in (-1, 0, 1):
            exact_y = Fraction(float(y.value)) + s * b
            exact = Fraction(float(x.value)) / exact_y
            for machine in machines(dtype, seed):
                run = machine.divide(Fraction(float(x.value)), exact_y + t * b)
                assert covered(quotient, exact, run)


@pytest.mark.parametrize("dtype", DTYPES)
def test_relu_straddling_zero(dtype):
    value = np.array([[-0.25], [0.25], [-3.0], [3.0], [0.0]], dtype)
    z = Ledger(value, np.full((5, 1), 0.5))
    positive = relu(z)
    np.testing.assert_array_equal(positive.value, np.maximum(value, 0))
    np.testing.assert_array_equal(positive.bound, z.bound)
    assert positive.value.dtype == dtype
    exact = fractions(value) + Fraction(1, 2)  # positive where two values are not
    assert covered(positive, np.maximum(exact, 0), positive.value)
    with pytest.raises(TypeError):
        exactly(value) * (z > 0)
    with pytest.raises(TypeError):
        z > 1  # noqa: B015


# ---------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("number", [0.1, 2**24 + 1, 10**400, float("inf"), float("nan"), np.int64(2**24 + 1)])
def test_numbers_must_be_exact_in_the_working_precision(number):
    z = exactly(np.float32(1))
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
        with pytest.raises(DTypeError):
            operation(z, number)
    with pytest.raises(DTypeError):
        exactly(1.0) * np.int64(2**53 + 1)
    assert (z * np.float32(0.1)).value == np.float32(0.1)
    assert (np.float64(3) * z).value == 3


def test_operands_must_be_ledgers_of_one_precision():
    narrow, wide = exactly(np.eye(2, dtype=np.float32)), exactly(np.eye(2))
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv, operator.matmul):
        with pytest.raises(DTypeError):
            operation(narrow, wide)
        for left, right in ((np.eye(2), wide), (wide, np.eye(2)), (wide, Fraction(1, 2))):
            with pytest.raises(TypeError):
                operation(left, right)
    with pytest.raises(DTypeError):
        namespace(narrow).block([[narrow, wide]])


def test_shapes_and_inputs_are_checked():
    z = exactly(np.ones((2, 3)))
    for other in (z, z.sum()):
        with pytest.raises(ShapeError):
            z @ other
    for wrong in (1, np.arange(3), np.ones(2, np.float16), np.array([Fraction(1)]), True):
        with pytest.raises(DTypeError):
            exactly(wrong)
    for wrong in (np.inf, np.array([np.nan])):
        with pytest.raises(NonFiniteError):
            exactly(wrong)
