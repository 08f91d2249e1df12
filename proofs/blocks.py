"""Block matrices of symbolic size, brought to a normal form.

A size-free matrix is a grid of blocks. Each block is a SymPy matrix expression in normal form: a sum
of scalar multiples of products of single matrices, like products collected. Sums and products of
grids are ours (SymPy's ``block_collapse`` is wrong for *block ± identity*, SymPy issue 22034); SymPy
expands the products of single matrices, checks their shapes, and cancels the scalar coefficients.

Any factor of a product that is 1×1, such as vᵀv, is a scalar and moves to the coefficient. So two
blocks are equal for all sizes and all values if, and only if, their normal forms are the same: distinct
products of free matrices are linearly independent once the sizes are large enough.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sympy
from sympy import (
    Expr,
    Identity,
    MatAdd,
    MatMul,
    MatPow,
    MatrixExpr,
    MatrixSymbol,
    Symbol,
    ZeroMatrix,
)

from gdtheory.errors import ShapeError
from gdtheory.inputs import prefixes
from gdtheory.namespace import Array
from gdtheory.records import Maker, Problem, build, minimums

k = Symbol("k", integer=True, nonnegative=True)
"""The step of an induction."""

Equations = Iterator[tuple[str, Any, Any]]
"""What a derivation yields: the name of an equation, its left side, its right side."""


class Block:
    """A size-free matrix: a grid of blocks in normal form."""

    def __init__(self, entries: Sequence[Sequence[MatrixExpr]]) -> None:
        self.entries = [list(row) for row in entries]
        self.heights = tuple(row[0].shape[0] for row in self.entries)
        self.widths = tuple(entry.shape[1] for entry in self.entries[0])

    @classmethod
    def normalised(cls, entries: Sequence[Sequence[MatrixExpr]]) -> Block:
        """Return the matrix whose blocks have these normal forms."""
        return cls([[_normal(entry) for entry in row] for row in entries])

    def __gdtheory_namespace__(self) -> BlockNamespace:
        return BlockNamespace()

    @property
    def shape(self) -> tuple[Expr, Expr]:
        """The sums of the heights of the block rows, and of the widths of the block columns."""
        return sympy.Add(*self.heights), sympy.Add(*self.widths)

    @property
    def T(self) -> Block:
        """The transpose."""
        columns = zip(*self.entries, strict=True)
        return Block.normalised([[entry.T for entry in column] for column in columns])

    def __matmul__(self, other: Block) -> Block:
        if self.widths != other.heights:
            raise ShapeError("right factor", expected=f"rows {self.widths}", got=f"{other.heights}")
        columns = list(zip(*other.entries, strict=True))
        return Block.normalised(
            [[MatAdd(*map(MatMul, row, column)) for column in columns] for row in self.entries]
        )

    def __add__(self, other: Block) -> Block:
        if (self.heights, self.widths) != (other.heights, other.widths):
            expected = f"blocks {self.heights} × {self.widths}"
            raise ShapeError("summand", expected=expected, got=f"{other.heights} × {other.widths}")
        rows = zip(self.entries, other.entries, strict=True)
        return Block.normalised([list(map(MatAdd, left, right)) for left, right in rows])

    def __mul__(self, scalar: Any) -> Block:
        factor = sympy.sympify(scalar)
        return Block.normalised([[factor * entry for entry in row] for row in self.entries])

    def __truediv__(self, scalar: Any) -> Block:
        return self * (1 / sympy.sympify(scalar))

    def __neg__(self) -> Block:
        return self * -1

    def __sub__(self, other: Block) -> Block:
        return self + -other

    def __repr__(self) -> str:
        return sympy.sstr(self.entries)


class BlockNamespace:
    """The array verbs on size-free matrices."""

    def eye(self, n: Any) -> Block:
        return Block([[Identity(n)]])

    def zeros(self, m: Any, n: Any) -> Block:
        return Block([[ZeroMatrix(m, n)]])

    def ones(self, m: Any, n: Any) -> Block:
        return Block.normalised([[sympy.OneMatrix(m, n)]])

    def block(self, rows: Sequence[Sequence[Block]]) -> Block:
        return Block(
            [
                list(itertools.chain(*parts))
                for row in rows
                for parts in zip(*(block.entries for block in row), strict=True)
            ]
        )

    def split(self, a: Block, sizes: Sequence[Any], axis: int = 0) -> tuple[Block, ...]:
        parts = _runs(a.widths if axis else a.heights, sizes)
        if axis:
            return tuple(Block([row[part] for row in a.entries]) for part in parts)
        return tuple(Block(a.entries[part]) for part in parts)

    def squared_norm(self, a: Block) -> Expr:
        square = a.T @ a
        diagonal = [(n, square.entries[i][i]) for i, n in enumerate(square.widths)]
        traces = [c * _trace(word, n) for n, entry in diagonal for c, word in _terms(entry)]
        return sympy.cancel(sympy.Add(*traces))

    def is_zero(self, a: Block) -> bool:
        return all(isinstance(entry, ZeroMatrix) for row in a.entries for entry in row)


def equal(a: Any, b: Any) -> bool:
    """Whether two size-free matrices, or two scalars, are the same for all sizes and values."""
    if isinstance(a, Block):
        return BlockNamespace().is_zero(a - b)
    return sympy.cancel(a - b) == 0


def free(name: str, rows: Any, columns: Any) -> Block:
    """Return a matrix of which nothing is known but its size."""
    return Block([[MatrixSymbol(name, rows, columns)]])


def size_free(record_type: type[Problem]) -> Any:
    """Return a record of free matrices whose sizes are symbols."""
    sizes = {
        name: Symbol(name, integer=True, positive=least > 0 or None, nonnegative=True)
        for name, least in minimums(record_type).items()
    }
    return build(record_type, sizes, _SizeFree())


class _SizeFree(Maker):
    def matrix(self, name: str, rows: Any, columns: Any, *, nonzero: bool) -> Block:
        return free(name, rows, columns)

    def number(self, name: str) -> Symbol:
        return Symbol(name)

    def function(self, name: str, family: Any) -> Callable[[Array], Array]:
        """Return an uninterpreted function: of its values only congruence is known."""
        return lambda z: free(f"{name}[{z}]", *z.shape)

    def keys(self, keys: Callable[[int], list[Any]], size: Any) -> list[Any]:
        """Return what stands for all keys: every step k of a sequence; any part Y of a context."""
        if keys is prefixes:
            return [0, k, k + 1, k + 2]
        return [frozenset(), frozenset({"C∖Y"}), frozenset({"C∖Y", "Y"})]


# ----------------------------------------------------------------------------------- normal form

Word = tuple[MatrixExpr, ...]
"""A product of single matrices and transposes of single matrices; the empty word is an identity."""


def _normal(expression: MatrixExpr) -> MatrixExpr:
    """Return the expanded sum of products, like products collected and coefficients cancelled."""
    collected: dict[Word, Expr] = {}
    for coefficient, word in _terms(expression):
        collected[word] = collected.get(word, sympy.Integer(0)) + coefficient
    cancelled = {word: sympy.cancel(c) for word, c in collected.items()}
    rows, columns = expression.shape
    terms = [c * _product(word, rows) for word, c in cancelled.items() if c != 0]
    return MatAdd(*terms).doit() if terms else ZeroMatrix(rows, columns)


def _terms(expression: MatrixExpr) -> Iterator[tuple[Expr, Word]]:
    """Yield the (coefficient, word) pairs of an expression."""
    expanded = expression.doit().expand().doit()
    for term in expanded.args if isinstance(expanded, MatAdd) else [expanded]:
        if not isinstance(term, ZeroMatrix):
            coefficient, factors = _factors(term)
            scalars, word = _pull_scalars(factors)
            yield coefficient * scalars, word


def _factors(term: MatrixExpr) -> tuple[Expr, Word]:
    """Split a product into its scalar coefficient and its single matrices."""
    if isinstance(term, Identity):
        return sympy.Integer(1), ()
    if isinstance(term, MatPow):
        coefficient, word = _factors(term.base)
        return coefficient**term.exp, word * int(term.exp)
    if isinstance(term, MatMul):
        coefficient, factors = term.as_coeff_matrices()
        parts = [_factors(factor) for factor in factors]
        return coefficient * sympy.Mul(*(c for c, _ in parts)), sum((w for _, w in parts), ())
    return sympy.Integer(1), (term,)


def _product(word: Word, size: Expr) -> MatrixExpr:
    return MatMul(*word).doit() if word else Identity(size)


def _pull_scalars(word: Word) -> tuple[Expr, Word]:
    """Move every 1×1 factor of a product, such as vᵀv, out of it."""
    for end, last in enumerate(word):
        starts = [i for i in range(end + 1) if word[i].shape[0] == 1]
        if last.shape[1] == 1 and starts:
            scalar, rest = _pull_scalars(word[: starts[-1]] + word[end + 1 :])
            return _symbol(word[starts[-1] : end + 1]) * scalar, rest
    return sympy.Integer(1), word


def _symbol(word: Word) -> Symbol:
    """Return the symbol that stands for a 1×1 product, the same one for its transpose."""
    product = MatMul(*word).doit()
    return Symbol(min(sympy.sstr(product), sympy.sstr(product.T.doit())))


def _trace(word: Word, size: Expr) -> Expr:
    """Return the trace of a product: the same symbol for each rotation and for the transpose."""
    if not word:
        return size
    rotations = [word[i:] + word[:i] for i in range(len(word))]
    for rotation in rotations:
        if rotation[0].shape[0] == 1:
            return _pull_scalars(rotation)[0]
    products = [MatMul(*rotation) for rotation in rotations]
    names = [sympy.sstr(form.doit()) for product in products for form in (product, product.T)]
    return Symbol(f"tr({min(names)})")


def _runs(heights: Sequence[Expr], sizes: Sequence[Any]) -> Iterator[slice]:
    """Yield the runs of consecutive blocks whose heights add up to the sizes."""
    start = 0
    for size in sizes:
        stop = start + 1
        while sympy.Add(*heights[start:stop]) != size:
            stop += 1
            if stop > len(heights):
                raise ShapeError("sizes", expected=f"runs of blocks of {heights}", got=sizes)
        yield slice(start, stop)
        start = stop
