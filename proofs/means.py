r"""Means over random matrices of symbolic size, by Wick's theorem.

A standard normal matrix X is paired with itself in all ways; a pair is replaced by its mean,
:math:`E\,X_{ij} X_{kl} = \delta_{ik} \delta_{jl}`, which joins what stands around it:

.. math::
    E\,P X A X B = P A^T B, \quad E\,P X A X^T B = \operatorname{tr}(A)\, P B, \quad
    E\,P X R \operatorname{tr}(X B) = P B^T R, \quad E\,P X R \operatorname{tr}(X^T B) = P B R.

So the mean of a sum of products is a sum of products, for all sizes at once.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Expr, MatrixExpr, MatrixSymbol, Symbol

from gdtheory.errors import DTypeError
from gdtheory.proofs import words
from gdtheory.proofs.words import Terms, Word


class Normal(MatrixSymbol):
    """A matrix with independent standard normal entries."""


Closed = tuple[Word, ...]
"""Words whose traces are multiplied."""


def mean(terms: Terms) -> Terms:
    """Return the mean of a block in normal form."""
    found = ((word, c) for term in terms.items() for word, c in _mean_of_term(*term))
    return words.collected(found)


def mean_of_scalar(scalar: Any) -> Expr:
    """Return the mean of a scalar: the coefficient of the empty word."""
    return mean({(): sympy.sympify(scalar)}).get((), sympy.Integer(0))


def _mean_of_term(word: Word, coefficient: Expr) -> Iterator[tuple[Word, Expr]]:
    random = _random_scalars(coefficient)
    if not random:
        yield from ((w, c * coefficient) for w, c in _paired(word, ()).items())
        return
    try:
        polynomial = sympy.Poly(coefficient, *random)
    except sympy.PolynomialError:
        expected = "a polynomial in random matrices and their traces"
        raise DTypeError("a", expected=expected, got=str(coefficient)) from None
    for powers, factor in polynomial.terms():
        traces = [words.word_of[s] for s, power in zip(random, powers, strict=True) for _ in range(power)]
        yield from ((w, c * factor) for w, c in _paired(word, _ordered(traces)).items())


def is_random(terms: Terms) -> bool:
    """Whether a random matrix occurs in a block."""
    return any(_is_random(word) or _random_scalars(c) for word, c in terms.items())


def _random_scalars(coefficient: Expr) -> list[Symbol]:
    return sorted((s for s in coefficient.free_symbols if _is_random(words.word_of.get(s, ()))), key=str)


@functools.cache
def _paired(open: Word, closed: Closed) -> Terms:
    """Return the mean of a product times the traces of others."""
    for i, word in enumerate(closed):
        if _is_random(word):
            return words.collected(_pairings_in_trace(open, word, closed[:i] + closed[i + 1 :]))
    at = next((i for i, factor in enumerate(open) if _is_normal(factor)), None)
    if at is not None:
        return words.collected(_pairings_in_product(open, at, closed))
    return words.collected([(open, sympy.Mul(*(words.trace(word, 1) for word in closed)))])


def _pairings_in_trace(open: Word, word: Word, others: Closed) -> Iterator[tuple[Word, Expr]]:
    """Pair the first normal factor X of tr(word) with each other one."""
    start = next(i for i, factor in enumerate(word) if _is_normal(factor))
    X, *rest = word[start:] + word[:start]
    for i, Y in enumerate(rest):
        if _is_pair(X, Y):
            A, B = tuple(rest[:i]), tuple(rest[i + 1 :])
            if X == Y:
                yield from _joined(open, [(words.transpose(A) + B, X.shape[1])], others)
            else:
                yield from _joined(open, [(A, X.shape[1]), (B, X.shape[0])], others)
    R = tuple(rest)
    for j, other in enumerate(others):
        for i, Y in enumerate(other):
            if _is_pair(X, Y):
                B = other[i + 1 :] + other[:i]
                joined = words.transpose(R) + B if X == Y else R + B
                yield from _joined(open, [(joined, X.shape[1])], others[:j] + others[j + 1 :])
    for i, Y in enumerate(open):
        if _is_pair(X, Y):
            inside = words.transpose(R) if X == Y else R
            yield from _joined(open[:i] + inside + open[i + 1 :], [], others)


def _pairings_in_product(open: Word, at: int, closed: Closed) -> Iterator[tuple[Word, Expr]]:
    """Pair the first normal factor X of a product, at `at`, with each later one; none is in the traces."""
    P, X, rest = open[:at], open[at], open[at + 1 :]
    for i, Y in enumerate(rest):
        if _is_pair(X, Y):
            A, B = rest[:i], rest[i + 1 :]
            if X == Y:
                yield from _joined(P + words.transpose(A) + B, [], closed)
            else:
                yield from _joined(P + B, [(A, X.shape[1])], closed)


def _joined(open: Word, traces: list[tuple[Word, Expr]], others: Closed) -> Iterator[tuple[Word, Expr]]:
    """Yield the terms of the mean of what a pair leaves; the trace of an empty word is its size."""
    sizes = sympy.Mul(*(size for word, size in traces if not word))
    left = _ordered([*others, *(word for word, _ in traces if word)])
    yield from ((word, c * sizes) for word, c in _paired(open, left).items())


def _ordered(closed: list[Word]) -> Closed:
    return tuple(sorted(map(words.cyclic, closed), key=words.key))


def _is_normal(factor: MatrixExpr) -> bool:
    return isinstance(_base(factor), Normal)


def _is_random(word: Word) -> bool:
    return any(map(_is_normal, word))


def _is_pair(X: MatrixExpr, Y: MatrixExpr) -> bool:
    return _base(X) == _base(Y)


def _base(factor: MatrixExpr) -> MatrixExpr:
    return factor.arg if isinstance(factor, sympy.Transpose) else factor
