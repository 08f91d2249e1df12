"""Block matrices of symbolic size, brought to a normal form.

A size-free matrix is a grid of blocks. Each block is kept in normal form: a sum of products of single
matrices, like products collected, each with a scalar coefficient. Sums and products of grids and of
products are ours (SymPy's ``block_collapse`` is wrong for *block ± identity*, SymPy issue 22034); the
single matrices, their sizes and the arithmetic of the scalars are SymPy's.

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
    MatrixExpr,
    MatrixSymbol,
    Symbol,
)

from gdtheory.errors import DTypeError, ShapeError, shown
from gdtheory.inputs import prefixes
from gdtheory.namespace import NO_INDEXING, Array, NoExponentials
from gdtheory.proofs import means, words
from gdtheory.proofs.words import Terms
from gdtheory.records import Maker, Problem, build, minimums

k = Symbol("step", integer=True, nonnegative=True)
"""The step of an induction; no problem has a count of that name."""

Equations = Iterator[tuple[str, Any, Any]]
"""What a derivation yields: the name of an equation, its left side, its right side."""

Sizes = Sequence[Any]


class Block:
    """A size-free matrix: a grid of blocks in normal form, and the sizes of its rows and columns."""

    def __init__(self, grid: Sequence[Sequence[Terms]], heights: Sizes, widths: Sizes) -> None:
        self.grid = grid
        self.heights = tuple(heights)
        self.widths = tuple(widths)

    def __gdtheory_namespace__(self) -> BlockNamespace:
        return BlockNamespace()

    @property
    def shape(self) -> tuple[Expr, Expr]:
        """The sums of the heights of the block rows, and of the widths of the block columns."""
        return sympy.Add(*self.heights), sympy.Add(*self.widths)

    @property
    def T(self) -> Block:
        """The transpose."""
        turned = [[words.transposed(terms) for terms in column] for column in zip(*self.grid, strict=True)]
        return Block(turned, self.widths, self.heights)

    def __getitem__(self, key: Any) -> Block:
        raise TypeError(NO_INDEXING)

    def __matmul__(self, other: Block) -> Block:
        _require_block("right factor", other)
        if self.widths != other.heights and self.shape[1] == other.shape[0]:
            # An identity fits however the other factor is cut into blocks.
            if (scale := _scale_of_identity(self)) is not None:
                return other * scale
            if (scale := _scale_of_identity(other)) is not None:
                return self * scale
        if self.widths != other.heights:
            raise ShapeError("right factor", expected=f"rows {self.widths}", got=f"{other.heights}")
        columns = list(zip(*other.grid, strict=True))
        grid = [[words.collected(words.products(row, column)) for column in columns] for row in self.grid]
        return Block(grid, self.heights, other.widths)

    def __add__(self, other: Block) -> Block:
        _require_block("summand", other)
        if (self.heights, self.widths) != (other.heights, other.widths):
            expected = f"blocks {self.heights} × {self.widths}"
            raise ShapeError("summand", expected=expected, got=f"{other.heights} × {other.widths}")
        rows = zip(self.grid, other.grid, strict=True)
        return self._like([list(map(words.added, left, right)) for left, right in rows])

    def __mul__(self, scalar: Any) -> Block:
        if isinstance(scalar, Block):
            raise ShapeError("factor", expected="a scalar on the right of *", got=f"{scalar!r}")
        factor = sympy.sympify(scalar)
        if factor.has(sympy.Float):
            raise DTypeError("factor", expected="an exact number", got=shown(scalar))
        return self._like(
            [
                [words.collected((w, c * factor) for w, c in terms.items()) for terms in row]
                for row in self.grid
            ]
        )

    def __truediv__(self, scalar: Any) -> Block:
        divisor = words.cancelled(sympy.sympify(scalar))
        if divisor == 0:
            raise ZeroDivisionError(f"{self!r} / 0")
        return self * (1 / divisor)

    def __neg__(self) -> Block:
        return self * -1

    def __sub__(self, other: Block) -> Block:
        return self + -other

    def _like(self, grid: Sequence[Sequence[Terms]]) -> Block:
        return Block(grid, self.heights, self.widths)

    @property
    def entries(self) -> list[list[MatrixExpr]]:
        """The blocks as SymPy expressions."""
        return [
            [words.expression(terms, m, n) for terms, n in zip(row, self.widths, strict=True)]
            for row, m in zip(self.grid, self.heights, strict=True)
        ]

    def __repr__(self) -> str:
        return sympy.sstr(self.entries)


class BlockNamespace(NoExponentials):
    """The array verbs on size-free matrices."""

    def eye(self, n: Any) -> Block:
        return Block([[{(): sympy.Integer(1)}]], [n], [n])

    def zeros(self, m: Any, n: Any) -> Block:
        return Block([[{}]], [m], [n])

    def ones(self, m: Any, n: Any) -> Block:
        column, row = words.ones(m, 1), words.ones(1, n)
        return Block([[{column + row: sympy.Integer(1)}]], [m], [n])

    def block(self, rows: Sequence[Sequence[Block]]) -> Block:
        for row in rows:
            for other in row:
                if other.heights != row[0].heights:
                    raise ShapeError("block", expected=f"rows {row[0].heights}", got=f"{other.heights}")
        widths = [tuple(itertools.chain(*(block.widths for block in row))) for row in rows]
        if len(set(widths)) > 1:
            raise ShapeError("block", expected=f"columns {widths[0]} in every row", got=f"{widths[1:]}")
        grid = [
            list(itertools.chain(*parts))
            for row in rows
            for parts in zip(*(block.grid for block in row), strict=True)
        ]
        return Block(grid, list(itertools.chain(*(row[0].heights for row in rows))), widths[0])

    def split(self, a: Block, sizes: Sequence[Any], axis: int = 0) -> tuple[Block, ...]:
        if axis:
            parts = _runs(a.widths, sizes)
            return tuple(Block([row[part] for row in a.grid], a.heights, a.widths[part]) for part in parts)
        parts = _runs(a.heights, sizes)
        return tuple(Block(a.grid[part], a.heights[part], a.widths) for part in parts)

    def squared_norm(self, a: Block) -> Expr:
        return self.trace(a.T @ a)

    def trace(self, a: Block) -> Expr:
        if a.heights != a.widths:
            raise ShapeError("a", expected="square blocks on the diagonal", got=f"{a.heights} × {a.widths}")
        diagonal = [(n, a.grid[i][i]) for i, n in enumerate(a.widths)]
        traces = [c * words.trace(word, n) for n, terms in diagonal for word, c in terms.items()]
        return words.cancelled(sympy.Add(*traces))

    def is_zero(self, a: Block) -> bool:
        return not any(terms for row in a.grid for terms in row)

    def normal(self, name: str, m: Any, n: Any) -> Block:
        return Block([[{(means.Normal(name, m, n),): sympy.Integer(1)}]], [m], [n])

    def mean(self, a: Any) -> Any:
        if isinstance(a, Block):
            return Block([list(map(means.mean, row)) for row in a.grid], a.heights, a.widths)
        return means.mean_of_scalar(a)


def equal(a: Any, b: Any) -> bool:
    """Whether two size-free matrices, or two scalars, are the same for all sizes and values.

    Raises
    ------
    ShapeError
        If they are not cut into blocks in the same way, or only one of them is a matrix.
    """
    if isinstance(a, Block) is not isinstance(b, Block):
        raise ShapeError("sides", expected="two matrices or two scalars", got=f"{a!r} and {b!r}")
    if isinstance(a, Block):
        return BlockNamespace().is_zero(a - b)
    return words.cancelled(sympy.sympify(a - b)) == 0


def free(name: str, rows: Any, columns: Any) -> Block:
    """Return a matrix of which nothing is known but its size."""
    terms = words.collected([((MatrixSymbol(name, rows, columns),), sympy.Integer(1))])
    return Block([[terms]], [rows], [columns])


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

    def number(self, name: str, *, nonzero: bool) -> Symbol:
        return Symbol(name)

    def function(self, name: str, family: Any, rows: str | None) -> Callable[[Array], Array]:
        """Return an uninterpreted function: equal arguments have equal values, and that is all."""
        values: dict[Any, Block] = {}
        height = Symbol(rows, integer=True, positive=True) if rows else None

        def value(z: Block) -> Block:
            if any(map(means.is_random, itertools.chain(*z.grid))):
                raise DTypeError(
                    "argument", expected="nothing random, as means leave functions", got=shown(z)
                )
            key = z.heights, z.widths, tuple(frozenset(terms.items()) for row in z.grid for terms in row)
            if key not in values:
                shape = (height or z.shape[0], z.shape[1])
                values[key] = free(f"{name}#{len(values) + 1}[{z}]", *shape)
            return values[key]

        return value

    def keys(self, keys: Callable[[int], list[Any]], size: Any) -> list[Any]:
        """Return what stands for all keys: every step k of a sequence; any part Y of a context."""
        if keys is prefixes:
            return [0, k, k + 1, k + 2]
        return [frozenset(), frozenset({"C∖Y"}), frozenset({"C∖Y", "Y"})]


def _scale_of_identity(a: Block) -> Expr | None:
    """Return c for a single block c I, else None."""
    if len(a.heights) == len(a.widths) == 1 and a.grid[0][0].keys() == {()} and a.heights == a.widths:
        return a.grid[0][0][()]
    return None


def _require_block(argument: str, value: Any) -> None:
    if not isinstance(value, Block):
        raise ShapeError(argument, expected="a block matrix", got=f"{value!r}")


def _runs(heights: Sequence[Expr], sizes: Sequence[Any]) -> list[slice]:
    """Return the runs of consecutive blocks whose heights add up to the sizes."""
    runs, start = [], 0
    for size in sizes:
        ends = (end for end in range(start + 1, len(heights) + 1) if sympy.Add(*heights[start:end]) == size)
        stop = next(ends, start)
        runs.append(slice(start, stop))
        start = stop
    if start < len(heights) or not all(run.start < run.stop for run in runs):
        raise ShapeError("sizes", expected=f"runs of all the blocks {tuple(heights)}", got=f"{tuple(sizes)}")
    return runs
