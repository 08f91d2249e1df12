"""Sums of products of single matrices, each sum in normal form: like products collected.

Any factor of a product that is 1×1, such as vᵀv, is a scalar and moves to the coefficient.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sympy
from sympy import (
    Dummy,
    Expr,
    Identity,
    MatAdd,
    MatMul,
    MatrixExpr,
    OneMatrix,
    Symbol,
    ZeroMatrix,
)

Word = tuple[MatrixExpr, ...]
"""A product of single matrices and transposes of single matrices; the empty word is an identity."""

Terms = dict[Word, Expr]
"""A matrix in normal form: the coefficients, none of them zero, of the words that add up to it."""


def collected(terms: Iterable[tuple[Word, Expr]]) -> Terms:
    """Return a sum of terms with 1×1 factors pulled out, like words collected, coefficients cancelled."""
    coefficients: dict[Word, list[Expr]] = {}
    for word, coefficient in terms:
        scalars, rest = _pull_scalars(word)
        coefficients.setdefault(rest, []).append(coefficient * scalars)
    sums = ((word, cancelled(sympy.Add(*parts))) for word, parts in coefficients.items())
    return {word: total for word, total in sums if total != 0}


@functools.lru_cache(maxsize=10_000)
def cancelled(scalar: Expr) -> Expr:
    """Return a scalar in normal form: zero if it is zero; kept, as the sides of a claim share many."""
    if not scalar.has(sympy.Add):
        return scalar
    # Where no sum is divided by, to expand is enough, and several times faster.
    if all(power.exp.is_Integer and not _divides_by_sum(power) for power in scalar.atoms(sympy.Pow)):
        return sympy.expand(scalar, power_base=False, power_exp=False, log=False, basic=False)
    return sympy.cancel(scalar)


def _divides_by_sum(power: sympy.Pow) -> bool:
    return power.exp.is_negative and not power.base.is_Symbol


def added(left: Terms, right: Terms) -> Terms:
    return collected(itertools.chain(left.items(), right.items()))


def products(row: Sequence[Terms], column: Sequence[Terms]) -> Iterator[tuple[Word, Expr]]:
    """Yield the terms of the product of a block row with a block column."""
    for left, right in zip(row, column, strict=True):
        for (u, a), (v, b) in itertools.product(left.items(), right.items()):
            yield u + v, a * b


def transposed(terms: Terms) -> Terms:
    return {transpose(word): c for word, c in terms.items()}


def transpose(word: Word) -> Word:
    """Return the transpose of a product."""
    return tuple(_turn(matrix) for matrix in reversed(word))


@functools.cache
def _turn(matrix: MatrixExpr) -> MatrixExpr:
    return matrix.T.doit()


def _pull_scalars(word: Word) -> tuple[Expr, Word]:
    """Move every 1×1 factor of a product, such as vᵀv, out of it."""
    for end, last in enumerate(word):
        starts = [i for i in range(end + 1) if word[i].shape[0] == 1]
        if last.shape[1] == 1 and starts:
            scalar, rest = _pull_scalars(word[: starts[-1]] + word[end + 1 :])
            return _symbol(word[starts[-1] : end + 1]) * scalar, rest
    return sympy.Integer(1), word


def _symbol(word: Word) -> Expr:
    """Return the scalar that a 1×1 product is, the same one for its transpose."""
    canonical = min(word, transpose(word), key=key)
    if all(isinstance(matrix, OneMatrix) for matrix in word):
        return word[0].shape[1]
    return _scalar(canonical, "{}")


word_of: dict[Symbol, Word] = {}
"""Of each scalar that stands for a trace, or for a 1×1 product, which is its own trace: the word."""


@functools.cache
def _scalar(canonical: Word, name: str) -> Symbol:
    """Return the symbol of a word: a new one even where two words print alike."""
    symbol = Dummy(name.format(_name(canonical)))
    word_of[symbol] = canonical
    return symbol


def trace(word: Word, size: Expr) -> Expr:
    """Return the trace of a product: the same symbol for each rotation and for the transpose."""
    if not word:
        return sympy.sympify(size)
    for rotation in _rotations(word):
        if rotation[0].shape[0] == 1:
            return _pull_scalars(rotation)[0]
    return _scalar(cyclic(word), "tr({})")


@functools.cache
def cyclic(word: Word) -> Word:
    """Return the same word for all that have the same trace: for each rotation and for the transpose."""
    forms = [form for rotation in _rotations(word) for form in (rotation, transpose(rotation))]
    return min(forms, key=key, default=word)


def _rotations(word: Word) -> list[Word]:
    return [word[i:] + word[:i] for i in range(len(word))]


def _name(word: Word) -> str:
    return "*".join(map(sympy.sstr, word))


def key(word: Word) -> list[tuple[str, str]]:
    """Return what words are ordered by: the names of the matrices, and what else tells them apart."""
    return [_key(matrix) for matrix in word]


@functools.cache
def _key(matrix: MatrixExpr) -> tuple[str, str]:
    return sympy.sstr(matrix), sympy.srepr(matrix)


def ones(m: Any, n: Any) -> Word:
    """Return a column or a row of ones; a single 1 is the empty word."""
    return () if m == n == 1 else (OneMatrix(m, n),)


def expression(terms: Terms, rows: Expr, columns: Expr) -> MatrixExpr:
    """Return a block as a SymPy expression, its terms in an order that does not depend on history."""
    if not terms:
        return ZeroMatrix(rows, columns)
    ordered = sorted(terms.items(), key=lambda term: key(term[0]))
    return MatAdd(*(c * (MatMul(*word) if word else Identity(rows)) for word, c in ordered)).doit()
