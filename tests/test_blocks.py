"""Size-free blocks, held against fractions at drawn sizes: what `equal` calls equal is equal."""

from __future__ import annotations

import ast
import itertools
import pathlib
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import gdtheory.proofs
from gdtheory import problems, registry
from gdtheory.errors import ShapeError
from gdtheory.namespace import ArrayNamespace, as_objects
from gdtheory.proofs import blocks
from gdtheory.proofs.blocks import Block, BlockNamespace, equal, free, size_free
from gdtheory.records import axes, inputs

XP = BlockNamespace()
norm = XP.squared_norm
FRACTIONS = ArrayNamespace(np, {"dtype": object})

# ------------------------------------------------------------------------------------ expressions
#
# An expression is a tuple (operation, operands...). A size is a name, or 1.

SIZES = ("n", "m", "p", 1)
SHAPES = {
    "A": ("n", "n"),
    "B": ("n", "n"),
    "X": ("n", "m"),
    "Y": ("p", "n"),
    "Z": ("m", "p"),
    "x": ("n", 1),
    "z": ("n", 1),
    "y": (1, "m"),
    "u": ("p", 1),
    "s": (1, 1),
    "t": (1, 1),
}


@dataclass(frozen=True)
class World:
    """What the names of an expression stand for."""

    xp: Any
    sizes: dict[Any, Any]
    matrices: dict[str, Any]
    eta: Any


SYMBOLS = {name: sympy.Symbol(name, integer=True, positive=True) for name in ("n", "m", "p")} | {1: 1}
SIZE_FREE = World(
    XP,
    SYMBOLS,
    {name: free(name, SYMBOLS[r], SYMBOLS[c]) for name, (r, c) in SHAPES.items()},
    sympy.Symbol("eta"),
)


def world(n: int, m: int, p: int, seed: int) -> World:
    """Return a world of fractions; their numerators are so large that no coincidence is in reach."""
    rng = np.random.default_rng(seed)
    sizes = {"n": n, "m": m, "p": p, 1: 1}

    def number() -> Fraction:
        return Fraction(int(rng.integers(-(10**6), 10**6)), int(rng.integers(1, 10)))

    def matrix(rows: int, columns: int) -> Any:
        return as_objects([number() for _ in range(rows * columns)], (rows, columns))

    return World(
        FRACTIONS,
        sizes,
        {name: matrix(sizes[r], sizes[c]) for name, (r, c) in SHAPES.items()},
        number(),
    )


def shape(e: Any) -> tuple[Any, Any]:
    match e:
        case ("matrix", name):
            return SHAPES[name]
        case ("eye", n):
            return n, n
        case ("zeros" | "ones", rows, columns):
            return rows, columns
        case ("T", a):
            return shape(a)[::-1]
        case ("@", a, b):
            return shape(a)[0], shape(b)[1]
        case ("+" | "-" | "*" | "/", a, _):
            return shape(a)
        case ("part", i, left, right):
            return shape(left[i][0])[0], shape(right[0])[1]
    raise ValueError(e)


def evaluate(e: Any, w: World) -> Any:
    """Return the value of an expression: a matrix, or for a scalar a number."""
    match e:
        case ("matrix", name):
            return w.matrices[name]
        case ("eye", n):
            return w.xp.eye(w.sizes[n])
        case ("zeros", rows, columns):
            return w.xp.zeros(w.sizes[rows], w.sizes[columns])
        case ("ones", rows, columns):
            return w.xp.ones(w.sizes[rows], w.sizes[columns])
        case ("T", a):
            return evaluate(a, w).T
        case ("@", a, b):
            return evaluate(a, w) @ evaluate(b, w)
        case ("+", a, b):
            return evaluate(a, w) + evaluate(b, w)
        case ("-", a, b):
            return evaluate(a, w) - evaluate(b, w)
        case ("*", a, scalar):
            return evaluate(a, w) * evaluate(scalar, w)
        case ("/", a, scalar):
            return evaluate(a, w) / evaluate(scalar, w)
        case ("part", i, left, right):
            product = block(left, w) @ block([[b] for b in right], w)
            return w.xp.split(product, [w.sizes[shape(row[0])[0]] for row in left])[i]
        case ("number", value):
            return value
        case ("size", n):
            return w.sizes[n] if w is SIZE_FREE else Fraction(w.sizes[n])
        case ("eta",):
            return w.eta
        case ("norm", a):
            return w.xp.squared_norm(evaluate(a, w))
        case ("norm of column", a, b):
            return w.xp.squared_norm(block([[a], [b]], w))
    raise ValueError(e)


def block(rows: Any, w: World) -> Any:
    return w.xp.block([[evaluate(e, w) for e in row] for row in rows])


@st.composite
def expressions(draw: st.DrawFn, rows: Any, columns: Any, depth: int = 3) -> Any:
    """Draw a matrix expression of the given shape."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(leaves(rows, columns))
    below = depth - 1
    operation = draw(st.sampled_from(("@", "@", "@", "+", "-", "T", "*", "/", "part")))
    if operation == "T":
        return "T", draw(expressions(columns, rows, below))
    if operation in "+-":
        return operation, draw(expressions(rows, columns, below)), draw(expressions(rows, columns, below))
    if operation == "@":
        inner = draw(st.sampled_from(SIZES))
        return "@", draw(expressions(rows, inner, below)), draw(expressions(inner, columns, below))
    if operation == "*":
        return "*", draw(expressions(rows, columns, below)), draw(scalars(below))
    if operation == "/":
        scalar = draw(
            st.sampled_from((("size", "n"), ("number", Fraction(-3, 2)), ("norm", ("matrix", "x"))))
        )
        return "/", draw(expressions(rows, columns, below)), scalar
    other, first, second = (draw(st.sampled_from(SIZES)) for _ in range(3))
    i = draw(st.integers(0, 1))
    heights = (rows, other) if i == 0 else (other, rows)
    left = [[draw(expressions(h, inner, 0)) for inner in (first, second)] for h in heights]
    return "part", i, left, [draw(expressions(inner, columns, 1)) for inner in (first, second)]


def leaves(rows: Any, columns: Any) -> st.SearchStrategy[Any]:
    named = [("matrix", name) for name, s in SHAPES.items() if s == (rows, columns)]
    turned = [("T", ("matrix", name)) for name, s in SHAPES.items() if s == (columns, rows)]
    fixed = [("zeros", rows, columns), ("ones", rows, columns)] + [("eye", rows)] * (rows == columns)
    return st.sampled_from((named + turned) * 3 + fixed)


@st.composite
def scalars(draw: st.DrawFn, depth: int = 1) -> Any:
    rows, columns = draw(st.sampled_from(SIZES)), draw(st.sampled_from(SIZES))
    kind = draw(st.sampled_from(("norm", "norm", "norm of column", "number", "size", "eta")))
    if kind == "norm":
        return "norm", draw(expressions(rows, columns, min(depth, 2)))
    if kind == "norm of column":
        other = draw(st.sampled_from(SIZES))
        return kind, draw(expressions(rows, columns, 1)), draw(expressions(other, columns, 0))
    if kind == "number":
        return "number", draw(st.sampled_from([Fraction(2), Fraction(-1), Fraction(3, 5)]))
    return ("eta",) if kind == "eta" else ("size", draw(st.sampled_from(("n", "m", "p"))))


ANY = st.sampled_from(list(itertools.product(SIZES, SIZES))).flatmap(lambda s: expressions(*s))
WORLDS = st.builds(world, *[st.integers(1, 3)] * 3, st.integers(0, 2**32 - 1))
LARGE = [world(4, 3, 5, 1), world(3, 5, 4, 2)]
"""Sizes at which no polynomial identity of the degrees drawn here holds by accident."""

attack = settings(deadline=None, suppress_health_check=list(HealthCheck))

# ------------------------------------------------------------------- the value of a normal form


@pytest.fixture
def words(monkeypatch):
    """The products that the scalar symbols were made for, by symbol, each with its way of reading."""
    made: dict[sympy.Symbol, set[Any]] = {}

    def record(name, read):
        original = getattr(blocks.words, name)

        def recording(word, *rest):
            symbol = original(word, *rest)
            if word and isinstance(symbol, sympy.Symbol):
                made.setdefault(symbol, set()).add((read, word))
            return symbol

        monkeypatch.setattr(blocks.words, name, recording)

    record("_symbol", np.trace)  # of a 1×1 matrix
    record("trace", np.trace)
    for name, (rows, columns) in SHAPES.items():
        free(name, SYMBOLS[rows], SYMBOLS[columns])  # a 1×1 matrix is a scalar from the start
    return made


def matrix_value(e: Any, w: World, made: Any) -> Any:
    """Evaluate a SymPy matrix expression over fractions."""
    rows, columns = (number_value(size, w, made) for size in e.shape)
    match e:
        case sympy.MatrixSymbol():
            return w.matrices[e.name]
        case sympy.Identity():
            return w.xp.eye(int(rows))
        case sympy.ZeroMatrix():
            return w.xp.zeros(int(rows), int(columns))
        case sympy.OneMatrix():
            return w.xp.ones(int(rows), int(columns))
        case sympy.Transpose():
            return matrix_value(e.arg, w, made).T
        case sympy.MatAdd():
            return sum(matrix_value(a, w, made) for a in e.args)
        case sympy.MatMul():
            scalar, factors = e.as_coeff_matrices()
            product = matrix_value(factors[0], w, made)
            for factor in factors[1:]:
                product = product @ matrix_value(factor, w, made)
            return product * number_value(scalar, w, made)
        case sympy.MatPow():
            base, power = matrix_value(e.base, w, made), matrix_value(e.base, w, made)
            for _ in range(int(e.exp) - 1):
                power = power @ base
            return power
    raise TypeError(type(e))


def number_value(e: Any, w: World, made: Any) -> Fraction:
    """Evaluate a SymPy scalar; every product that a symbol stands for must have one value."""
    e = sympy.sympify(e)
    match e:
        case sympy.Rational():
            return Fraction(int(e.p), int(e.q))
        case sympy.Add():
            return sum((number_value(a, w, made) for a in e.args), Fraction(0))
        case sympy.Mul():
            result = Fraction(1)
            for a in e.args:
                result *= number_value(a, w, made)
            return result
        case sympy.Pow():
            return number_value(e.base, w, made) ** int(e.exp)
    if e == SIZE_FREE.eta:
        return w.eta
    if e in SYMBOLS.values():
        return Fraction(w.sizes[e.name])
    values = {Fraction(read(_product(word, w, made))) for read, word in made[e]}
    assert len(values) == 1, f"{e} stands for products of different values: {made[e]}"
    return values.pop()


def _product(word: Any, w: World, made: Any) -> Any:
    product = matrix_value(word[0], w, made)
    for factor in word[1:]:
        product = product @ matrix_value(factor, w, made)
    return product


@attack
@given(e=ANY, w=WORLDS)
def test_a_normal_form_has_the_value_of_the_expression(words, e, w):
    try:
        expected = evaluate(e, w)
    except ZeroDivisionError:
        return assume(False)
    normal = evaluate(e, SIZE_FREE)
    rows, columns = shape(e)
    assert normal.shape == (SYMBOLS[rows], SYMBOLS[columns])
    (entry,) = (entry for row in normal.entries for entry in row)
    assert (matrix_value(entry, w, words) == expected).all()


@attack
@given(e=scalars(2), w=WORLDS)
def test_a_scalar_has_the_value_of_its_definition(words, e, w):
    try:
        expected = evaluate(e, w)
    except ZeroDivisionError:
        return assume(False)
    assert number_value(evaluate(e, SIZE_FREE), w, words) == expected


# ------------------------------------------------------------------------------ what equal says


def same(a: Any, b: Any) -> bool:
    """Whether two expressions agree over fractions, at sizes and numbers where that is no accident."""
    return all(np.all(evaluate(a, w) == evaluate(b, w)) for w in LARGE)


@st.composite
def rewritten(draw: st.DrawFn, e: Any) -> Any:
    """Draw another way to write an expression."""
    changed = e
    if e[0] == "T":
        changed = "T", draw(rewritten(e[1]))
    elif e[0] in "@+-":
        changed = e[0], draw(rewritten(e[1])), draw(rewritten(e[2]))
    elif e[0] in "*/":
        changed = e[0], draw(rewritten(e[1])), e[2]
    elif e[0] == "part":
        _, i, left, right = e
        changed = sum_of([("@", a, b) for a, b in zip(left[i], right, strict=True)])
    if not draw(st.booleans()):
        return changed
    match changed:
        case ("@", ("@", a, b), c):
            return "@", a, ("@", b, c)
        case ("@", a, ("@", b, c)):
            return "@", ("@", a, b), c
        case ("@", ("+" | "-" as sign, a, b), c):
            return sign, ("@", a, c), ("@", b, c)
        case ("@", a, ("+" | "-" as sign, b, c)):
            return sign, ("@", a, b), ("@", a, c)
        case ("@", ("*" | "/" as by, a, scalar), b):
            return by, ("@", a, b), scalar
        case ("@", a, ("*" | "/" as by, b, scalar)):
            return by, ("@", a, b), scalar
        case ("T", ("@", a, b)):
            return "@", ("T", b), ("T", a)
        case ("T", ("+" | "-" as sign, a, b)):
            return sign, ("T", a), ("T", b)
        case ("+", a, b):
            return "+", b, a
        case ("-", a, b):
            return "+", ("*", b, ("number", Fraction(-1))), a
        case ("*", a, scalar) if shape(a)[0] == shape(a)[1]:
            return "@", a, ("*", ("eye", shape(a)[0]), scalar)
    return "T", ("T", changed)


def sum_of(terms: list[Any]) -> Any:
    first, *rest = terms
    for term in rest:
        first = "+", first, term
    return first


@attack
@given(data=st.data(), e=ANY)
def test_other_ways_to_write_an_expression_are_equal(data, e):
    other = data.draw(rewritten(e))
    assert equal(evaluate(e, SIZE_FREE), evaluate(other, SIZE_FREE))


@st.composite
def perturbed(draw: st.DrawFn, e: Any) -> Any:
    """Draw an expression of the same shape in which one thing is different."""
    match e:
        case ("@", a, b) if shape(a) == shape(b) and draw(st.booleans()):
            return "@", b, a
        case ("@" | "+" | "-" as operation, a, b) if draw(st.booleans()):
            if draw(st.booleans()):
                return operation, draw(perturbed(a)), b
            return operation, a, draw(perturbed(b))
        case ("+", a, b):
            return "-", a, b
        case ("-", a, b):
            return "-", b, a
        case ("*" | "/" as operation, a, scalar) if draw(st.booleans()):
            return operation, draw(perturbed(a)), scalar
        case ("*", a, ("norm", b)):
            return "*", a, ("norm", draw(perturbed(b)))
        case ("*" | "/", a, _):
            return a
        case ("T", a) if draw(st.booleans()):
            return "T", draw(perturbed(a))
        case ("part", i, left, right):
            return "part", i, left, [draw(perturbed(right[0])), *right[1:]]
    rows, columns = shape(e)
    return ("T", e) if rows == columns and draw(st.booleans()) else draw(leaves(rows, columns))


@attack
@given(data=st.data(), e=ANY)
def test_equal_says_what_fractions_say_of_a_perturbed_expression(data, e):
    other = data.draw(perturbed(e))
    assert equal(evaluate(e, SIZE_FREE), evaluate(other, SIZE_FREE)) == same(e, other)


@attack
@given(data=st.data(), a=scalars(2))
def test_equal_says_what_fractions_say_of_two_scalars(data, a):
    b = ("norm", data.draw(perturbed(a[1]))) if a[0] == "norm" else data.draw(scalars(2))
    assert equal(evaluate(a, SIZE_FREE), evaluate(b, SIZE_FREE)) == same(a, b)


M = {name: ("matrix", name) for name in SHAPES}
A, B, X, Y, Z, x, z, y, u, s, t = (M[name] for name in SHAPES)


def power(a: Any, k: int) -> Any:
    return a if k == 1 else ("@", a, power(a, k - 1))


def product(*factors: Any) -> Any:
    first, *rest = factors
    return ("@", first, product(*rest)) if rest else first


def T(a: Any) -> Any:
    return "T", a


TRAPS = {
    "commuted product": (product(A, B), product(B, A)),
    "other transpose": (product(T(A), B), product(A, T(B))),
    "transpose of a product": (T(product(A, B)), product(T(A), T(B))),
    "transpose of a product, right": (T(product(A, B)), product(T(B), T(A))),
    "xxᵀ and xzᵀ": (product(x, T(x)), product(x, T(z))),
    "outer product is not symmetric": (product(x, T(z)), product(z, T(x))),
    "inner product is": (product(T(x), z), product(T(z), x)),
    "bilinear form is not": (product(T(x), A, z), product(T(z), A, x)),
    "bilinear form and its transpose": (product(T(x), A, z), product(T(z), T(A), x)),
    "(xxᵀ)²": (power(product(x, T(x)), 2), ("*", product(x, T(x)), ("norm", x))),
    "(xxᵀ)³": (power(product(x, T(x)), 3), ("*", product(x, T(x)), ("norm", product(x, T(x))))),
    "(xxᵀ)³ with a wrong power": (power(product(x, T(x)), 3), ("*", product(x, T(x)), ("norm", x))),
    "1×1 factor y Xᵀ x": (product(x, y, T(X), x), product(x, T(x), X, T(y))),
    "1×1 factor and its place": (product(x, y, T(X), z), product(z, y, T(X), x)),
    "1×1 matrices commute": (product(s, t), product(t, s)),
    "1×1 matrix is symmetric": (T(s), s),
    "1×1 matrices differ": (s, t),
    "1×1 matrix in a product": (product(x, s, T(z)), ("@", product(x, T(z)), ("*", ("eye", "n"), ("eta",)))),
    "1×1 matrices move": (product(x, s, t, y), product(x, t, s, y)),
    "square of a sum": (
        power(("+", A, B), 2),
        sum_of([power(A, 2), product(A, B), product(B, A), power(B, 2)]),
    ),
    "square of a sum, commuted": (
        power(("+", A, B), 2),
        sum_of([power(A, 2), ("*", product(A, B), ("number", Fraction(2))), power(B, 2)]),
    ),
    "(I - A)²": (
        power(("-", ("eye", "n"), A), 2),
        sum_of([("eye", "n"), ("*", A, ("number", Fraction(-2))), power(A, 2)]),
    ),
    "cube of a sum": (
        power(("+", A, B), 3),
        sum_of([product(*word) for word in itertools.product((A, B), repeat=3)]),
    ),
    "sum of ones": (product(("ones", "n", "m"), ("ones", "m", 1)), ("*", ("ones", "n", 1), ("size", "m"))),
    "sum of ones over the other size": (
        product(("ones", "n", "m"), ("ones", "m", 1)),
        ("*", ("ones", "n", 1), ("size", "n")),
    ),
    "ones of rank one": (product(("ones", "n", "n"), x), product(("ones", "n", 1), ("ones", 1, "n"), x)),
    "ones are no identity": (product(("ones", "n", "n"), A), A),
    "one 1×1 one is": (("ones", 1, 1), ("eye", 1)),
}


@pytest.mark.parametrize("a, b", TRAPS.values(), ids=TRAPS)
def test_equal_in_a_trap(a, b):
    assert equal(evaluate(a, SIZE_FREE), evaluate(b, SIZE_FREE)) == same(a, b)


SCALAR_TRAPS = {
    "trace of a square and square of a trace": (product(A, A), product(A, T(A))),
    "‖AB‖ and ‖BA‖": (product(A, B), product(B, A)),
    "‖AB‖ and ‖BᵀAᵀ‖": (product(A, B), product(T(B), T(A))),
    "‖AB‖ and ‖AᵀB‖": (product(A, B), product(T(A), B)),
    "‖ABA‖ and ‖BAA‖": (product(A, B, A), product(B, A, A)),
    "‖XZ‖ and ‖ZᵀXᵀ‖": (product(X, Z), product(T(Z), T(X))),
    "‖xzᵀ‖ and ‖zxᵀ‖": (product(x, T(z)), product(z, T(x))),
    "‖xzᵀ‖ and ‖xxᵀ‖": (product(x, T(z)), product(x, T(x))),
    "‖xyZ‖ and ‖x‖": (product(x, y, Z), x),
    "identities of two sizes": (("eye", "n"), ("eye", "m")),
    "ones and its transpose": (("ones", "m", "n"), ("ones", "n", "m")),
    "ones of two sizes": (("ones", "m", "n"), ("ones", "m", "p")),
    "ones of two sizes, square": (("ones", "n", "n"), ("ones", "m", "m")),
    "ones beside a matrix": (product(("ones", "n", "n"), A), product(("ones", "m", "n"), A)),
    "ones beside a matrix, left": (product(("ones", "m", "n"), X), product(("ones", "p", "n"), X)),
    "zeros of two sizes": (("zeros", "n", "n"), ("zeros", "m", "p")),
    "I + A and A": (("+", ("eye", "n"), A), A),
}


@pytest.mark.parametrize("a, b", SCALAR_TRAPS.values(), ids=SCALAR_TRAPS)
def test_equal_norms_in_a_trap(a, b):
    a, b = ("norm", a), ("norm", b)
    assert equal(evaluate(a, SIZE_FREE), evaluate(b, SIZE_FREE)) == same(a, b)


def test_a_product_of_norms_is_no_norm_of_a_product():
    a, b = (SIZE_FREE.matrices[name] for name in "AB")
    x, z = (SIZE_FREE.matrices[name] for name in "xz")
    assert not equal(norm(a) * norm(b), norm(a @ b))
    assert not equal(norm(x) * norm(z), norm(x.T @ z))
    assert equal(norm(x) * norm(z), norm(x @ z.T))


def test_coefficients_are_compared_as_rational_functions():
    a, x, z = (SIZE_FREE.matrices[name] for name in "Axz")
    eta, n = SIZE_FREE.eta, SYMBOLS["n"]
    assert equal(a * (eta**2 - 1) / (eta - 1), a * (eta + 1))
    assert equal(a / n + a * eta, a * ((1 + n * eta) / n))
    assert equal(a * norm(x) / (norm(x) * norm(z)), a / norm(z))
    assert equal(norm(x + z) + norm(x - z), (norm(x) + norm(z)) * 2)
    assert not equal(a / (eta + 1), a / eta + a)
    assert not equal(a / n, a / SYMBOLS["m"])


def test_sizes_one_zero_and_symbolic_are_different():
    m = sympy.Symbol("m", integer=True, nonnegative=True)
    assert not equal(norm(XP.ones(m, 1)), norm(XP.ones(1, 1)))
    assert not equal(norm(XP.ones(m, 1)), norm(XP.zeros(m, 1)))
    assert not equal(free("A", m, m) * m, free("A", m, m))
    assert equal(norm(XP.eye(m)), m)


def test_matrices_of_one_name_and_two_sizes_are_two_matrices():
    n, m = SYMBOLS["n"], SYMBOLS["m"]
    assert not equal(norm(free("C", n, 1)), norm(free("C", m, 1)))
    assert not equal(norm(free("C", n, n)), norm(free("C", m, m)))


ZEROS = {
    "0": lambda x, z: 0,
    "‖x‖² - ‖x‖²": lambda x, z: norm(x) - norm(x),
    "‖0‖²": lambda x, z: norm(x * 0),
    "(‖x‖² + 1)² expanded": lambda x, z: (norm(x) + 1) ** 2 - norm(x) ** 2 - 2 * norm(x) - 1,
    "parallelogram": lambda x, z: norm(x + z) + norm(x - z) - (norm(x) + norm(z)) * 2,
}


@pytest.mark.parametrize("zero", ZEROS.values(), ids=ZEROS)
def test_division_by_zero_is_refused(zero):
    x, z = SIZE_FREE.matrices["x"], SIZE_FREE.matrices["z"]
    for numerator in (x, x * 0):
        with pytest.raises(ZeroDivisionError):
            numerator / zero(x, z)


# --------------------------------------------------------------------------------- SymPy's traps


def test_block_identity_plus_or_minus_identity():
    """On these two `sympy.block_collapse` does not return, or returns a wrong answer."""
    n, m = SYMBOLS["n"], SYMBOLS["m"]
    identity = XP.block([[XP.eye(n), XP.zeros(n, m)], [XP.zeros(m, n), XP.eye(m)]])
    tokens = XP.block([[free("X", n, n)], [free("Y", m, n)]])
    assert XP.is_zero(identity - identity)
    assert equal((identity + identity) @ tokens, tokens * 2)
    assert equal((identity - identity * 2) @ tokens, -tokens)
    assert equal(identity @ tokens + tokens, tokens * 2)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_powers_of_a_residual_step(k):
    """(I + A)ᵏ against the binomial theorem: A commutes with I only."""
    a, eye = SIZE_FREE.matrices["A"], XP.eye(SYMBOLS["n"])
    left, power, right = eye, eye, eye * 0
    for i in range(k + 1):
        right = right + power * sympy.binomial(k, i)
        power = power @ a
    for _ in range(k):
        left = left @ (eye + a)
    assert equal(left, right)


def test_block_collapse_is_not_used():
    source = pathlib.Path(blocks.__file__).read_text()
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    attributes = {node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}
    assert not (names | attributes) & {"block_collapse", "BlockMatrix", "as_explicit"}


def test_a_column_times_itself_is_its_squared_norm():
    x, a = SIZE_FREE.matrices["x"], SIZE_FREE.matrices["A"]
    assert equal(x.T @ x, XP.eye(1) * norm(x))
    assert equal(a @ x @ x.T @ x, a @ x * norm(x))
    assert equal(x @ (x.T @ x) / norm(x), x)
    assert not equal(x.T @ x, XP.eye(1))


# ------------------------------------------------------------------------ uninterpreted functions


def uninterpreted(name: str = "f") -> Any:
    return getattr(size_free(problems.PreLNBlock), name)


@attack
@given(data=st.data(), e=expressions("n", 1))
def test_a_function_has_one_value_however_its_argument_is_written(data, e):
    f, other = uninterpreted(), data.draw(rewritten(e))
    assert equal(f(evaluate(e, SIZE_FREE)), f(evaluate(other, SIZE_FREE)))


@attack
@given(data=st.data(), e=expressions("n", 1))
def test_a_function_of_two_arguments_has_two_values(data, e):
    other = data.draw(perturbed(e))
    assume(not same(e, other))
    f = uninterpreted()
    assert not equal(f(evaluate(e, SIZE_FREE)), f(evaluate(other, SIZE_FREE)))


@pytest.mark.parametrize(
    "one, other",
    [
        (lambda x, z, eta: x / (eta - 1), lambda x, z, eta: -x / (1 - eta)),
        (lambda x, z, eta: x * (eta**2 - 1) / (eta - 1), lambda x, z, eta: x * eta + x),
        (lambda x, z, eta: x * (eta + 1) / (norm(z) * 2), lambda x, z, eta: (x * eta + x) / norm(z) / 2),
        (
            lambda x, z, eta: x / eta / norm(z) + x / norm(z),
            lambda x, z, eta: x * ((1 + eta) / norm(z) / eta),
        ),
        (lambda x, z, eta: x @ z.T @ x, lambda x, z, eta: x @ x.T @ z),
        (lambda x, z, eta: x - z, lambda x, z, eta: -(z - x)),
    ],
)
def test_a_function_has_one_value_however_the_scalars_are_written(one, other):
    f, x, z = uninterpreted(), SIZE_FREE.matrices["x"], SIZE_FREE.matrices["z"]
    assert equal(f(one(x, z, SIZE_FREE.eta)), f(other(x, z, SIZE_FREE.eta)))
    assert not equal(f(one(x, z, SIZE_FREE.eta)), f(one(z, x, SIZE_FREE.eta)))


def test_functions_of_two_names_are_two_functions():
    x = SIZE_FREE.matrices["x"]
    f, g = uninterpreted("f"), uninterpreted("normalise")
    assert equal(f(x), f(x))
    assert not equal(f(x), g(x))
    assert not equal(f(g(x)), g(f(x)))
    assert not equal(f(f(x)), f(x))
    assert not equal(f(x), x)


def test_a_function_is_not_linear():
    x, z = SIZE_FREE.matrices["x"], SIZE_FREE.matrices["z"]
    f = uninterpreted()
    assert not equal(f(x + z), f(x) + f(z))
    assert not equal(f(x * 2), f(x) * 2)
    assert not equal(f(x * 0), x * 0)
    assert not equal(f(x + f(z)), f(z + f(x)))
    assert equal(f(x + f(x + z)), f(f(z + x) + x))


def test_arguments_that_print_alike_are_told_apart():
    """Zero, one and identity blocks have no name, so the size of each must count."""
    f = uninterpreted()
    n, m = SYMBOLS["n"], SYMBOLS["m"]
    one_zero = XP.block([[XP.ones(n, 1)], [XP.zeros(m, 1)]])
    also_one_zero = XP.block([[XP.ones(m, 1)], [XP.zeros(n, 1)]])
    assert one_zero.shape == also_one_zero.shape
    left, right = f(one_zero), f(also_one_zero)
    assert left.entries != right.entries
    assert not equal(norm(left), norm(right))
    for made in (XP.zeros, XP.ones):
        assert not equal(norm(f(made(n, 1))), norm(f(made(m, 1))))


# ------------------------------------------------------------------- names in the shipped problems

RECORDS = [getattr(problems, name) for name in problems.__all__]


@pytest.mark.parametrize("record_type", RECORDS, ids=lambda kind: kind.__name__)
def test_no_symbol_of_a_problem_has_two_meanings(record_type):
    p = size_free(record_type)
    names = [*inputs(record_type), *axes(record_type)]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)  # so none is called "tr(A)", "x.T*x" or "f[x]"
    assert not {str(size) for size in p.sizes.values()} & {str(blocks.k)}
    assert blocks.k not in p.sizes.values()


def test_the_matrices_of_a_derivation_are_new_ones():
    """An arbitrary iterate must not be one of the matrices of the problem."""
    found: set[str] = set()
    proofs = set(pathlib.Path(gdtheory.proofs.__file__).parent.glob("*_*.py"))
    for path in proofs - {path for path in proofs if path.stem == "__init__"}:
        nodes = ast.walk(ast.parse(path.read_text()))
        calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "free"]
        names = {ast.literal_eval(call.args[0]) for call in calls}
        record_type = registry.claim(path.stem).problem
        assert not names & {*inputs(record_type), *axes(record_type)}
        found |= names
    assert found


# ------------------------------------------------------------------------------------- refusals


def column(*heights: str) -> Block:
    return XP.block([[free(f"C_{i}", SYMBOLS[h], SYMBOLS["m"])] for i, h in enumerate(heights)])


WRONG = {
    "inner sizes": lambda: SIZE_FREE.matrices["X"] @ SIZE_FREE.matrices["A"],
    "inner partition": lambda: column("n", "p").T @ column("p", "n"),
    "finer inner partition": lambda: free("W", SYMBOLS["n"], SYMBOLS["n"] + SYMBOLS["p"]) @ column("n", "p"),
    "sum of two shapes": lambda: SIZE_FREE.matrices["X"] + SIZE_FREE.matrices["A"],
    "sum of two partitions": lambda: column("n", "p") + column("p", "n"),
    "difference of two partitions": lambda: column("n", "p") - column("p", "n"),
    "equal of two partitions": lambda: equal(column("n", "p"), column("p", "n")),
    "equal of a matrix and its transpose": lambda: equal(SIZE_FREE.matrices["X"], SIZE_FREE.matrices["X"].T),
    "equal of a matrix and a scalar": lambda: equal(SIZE_FREE.matrices["s"], norm(SIZE_FREE.matrices["x"])),
    "equal of a scalar and a matrix": lambda: equal(norm(SIZE_FREE.matrices["x"]), SIZE_FREE.matrices["s"]),
    "sum of a matrix and a scalar": lambda: SIZE_FREE.matrices["s"] + SIZE_FREE.eta,
    "entrywise product": lambda: SIZE_FREE.matrices["A"] * SIZE_FREE.matrices["B"],
    "1×1 matrix for a scalar": lambda: SIZE_FREE.matrices["A"] * SIZE_FREE.matrices["s"],
    "split inside a block": lambda: XP.split(column("n", "p"), (SYMBOLS["p"], SYMBOLS["n"])),
    "split beyond the end": lambda: XP.split(column("n", "p"), (SYMBOLS["n"], SYMBOLS["p"], SYMBOLS["n"])),
    "split before the end": lambda: XP.split(column("n", "p"), (SYMBOLS["n"],)),
    "split of nothing": lambda: XP.split(column("n", "p"), ()),
    "split with an empty part": lambda: XP.split(column("n", "p"), (SYMBOLS["n"], SYMBOLS["p"], 0)),
    "split of columns": lambda: XP.split(column("n", "p").T, (SYMBOLS["p"], SYMBOLS["n"]), axis=1),
    "row of blocks of two heights": lambda: XP.block([[SIZE_FREE.matrices["X"], SIZE_FREE.matrices["Y"]]]),
    "column of blocks of two widths": lambda: XP.block(
        [[SIZE_FREE.matrices["X"]], [SIZE_FREE.matrices["Y"]]]
    ),
    "row of grids of two heights": lambda: XP.block([[column("n", "p"), SIZE_FREE.matrices["X"]]]),
    "rows of blocks of two lengths": lambda: XP.block(
        [[SIZE_FREE.matrices["X"], SIZE_FREE.matrices["A"]], [SIZE_FREE.matrices["X"]]]
    ),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_blocks_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ShapeError) as caught:
        wrong()
    assert caught.value.argument and caught.value.expected and caught.value.got


def test_a_split_on_the_borders_gives_the_blocks():
    n, p, m = (SYMBOLS[name] for name in "npm")
    whole = column("n", "p", "n")
    first, second = XP.split(whole, (n + p, n))
    assert first.shape == (n + p, m)
    assert equal(XP.block([[first], [second]]), whole)
    assert equal(XP.split(whole.T, (n, p, n), axis=1)[1], free("C_1", p, m).T)


def test_a_world_is_not_degenerate():
    """The oracle tells expressions apart: no two leaves of one shape agree."""
    for w in LARGE:
        for a, b in itertools.combinations(SHAPES, 2):
            if SHAPES[a] == SHAPES[b]:
                assert (w.matrices[a] != w.matrices[b]).any()


def test_an_identity_fits_a_matrix_however_it_is_cut():
    a, b = free("A", 2, SYMBOLS["p"]), free("B", 3, SYMBOLS["p"])
    stacked = XP.block([[a], [b]])
    for scale in (1, -3):
        assert equal(XP.eye(5) * scale @ stacked, stacked * scale)
        assert equal(stacked.T @ (XP.eye(5) * scale), stacked.T * scale)
    with pytest.raises(ShapeError):
        XP.eye(4) @ stacked
    with pytest.raises(ShapeError):
        free("C", 5, 5) @ stacked
