"""Array verbs for any kind of number.

Constructions and reference formulas are written once, with ``@ + - * .T`` and the verbs below. The
namespace is found from an operand, so the same function runs on NumPy, PyTorch and JAX floats, on
object arrays of fractions or field elements, on error ledgers and on size-free blocks. A type brings
its own namespace by a method ``__gdtheory_namespace__``; everything else is an array of a library.

Two rules keep code free of the kind of number: write scalars on the right (``A * eta``), and use
`squared_norm` where a paper writes :math:`v^T v`.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from gdtheory import enclosures, gaussian
from gdtheory.errors import DTypeError, ShapeError, shown

Array = Any
"""A two-dimensional array of any kind of number."""

Scalar = Any
"""A single number of any kind."""


NO_INDEXING = "not every kind of number has indices: take parts by namespace(a).split(a, sizes, axis=...)"
"""Why ``a[...]`` fails in a construction."""


MOST_RANDOM = 1000
"""The most entries of a random matrix; a mean over a tenth of them is out of reach."""


class Namespace(Protocol):
    """The verbs. Sizes may be symbolic where the arrays are size-free."""

    def eye(self, n: Any) -> Array:
        """Return the n-by-n identity."""

    def zeros(self, m: Any, n: Any) -> Array:
        """Return the m-by-n zero matrix."""

    def ones(self, m: Any, n: Any) -> Array:
        """Return the m-by-n matrix of ones."""

    def block(self, rows: Sequence[Sequence[Array]]) -> Array:
        """Return the matrix made of the given blocks."""

    def split(self, a: Array, sizes: Sequence[Any], axis: int = 0) -> tuple[Array, ...]:
        """Return consecutive row blocks (``axis=0``) or column blocks (``axis=1``) of `a`."""

    def squared_norm(self, a: Array) -> Scalar:
        """Return the sum of the squares of all entries."""

    def trace(self, a: Array) -> Scalar:
        """Return the sum of the diagonal entries of a square matrix."""

    def is_zero(self, a: Array) -> bool:
        """Whether every entry is exactly zero."""

    def exp(self, a: Array) -> Array:
        """Return the exponential of every entry, enclosed where the entries are exact."""

    def softmax(self, a: Array) -> Array:
        """Return the softmax of every column."""

    def normal(self, name: str, m: Any, n: Any) -> Array:
        """Return the m-by-n random matrix of that name, with independent standard normal entries.

        Matrices of other names, or of other shapes, are independent of it.
        """

    def mean(self, a: Any) -> Any:
        """Return the mean of an array or a scalar over all random matrices in it, exactly."""


@dataclass(frozen=True, slots=True)
class ArrayNamespace:
    """The verbs on the arrays of a library with NumPy's names, of one dtype (and device)."""

    library: Any
    options: dict[str, Any]

    def eye(self, n: int) -> Array:
        return self._exact(self.library.eye(n, **self.options))

    def zeros(self, m: int, n: int) -> Array:
        return self._exact(self.library.zeros((m, n), **self.options))

    def ones(self, m: int, n: int) -> Array:
        return self._exact(self.library.ones((m, n), **self.options))

    def _exact(self, constants: Array) -> Array:
        """Return fractions for the integers of an object array: 1 / 2 would be a float."""
        return constants + Fraction(0) if constants.dtype == object else constants

    def block(self, rows: Sequence[Sequence[Array]]) -> Array:
        join = self.library.concatenate
        return join([join(list(row), 1) for row in rows], 0)

    def split(self, a: Array, sizes: Sequence[int], axis: int = 0) -> tuple[Array, ...]:
        total = a.shape[axis]
        if sum(sizes) != total or any(size < 0 for size in sizes):
            raise ShapeError("sizes", expected=f"parts that add up to {total}", got=tuple(sizes))
        ends = itertools.accumulate(sizes)
        parts = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
        return tuple(a[part] if axis == 0 else a[:, part] for part in parts)

    def squared_norm(self, a: Array) -> Scalar:
        return (a * a).sum()

    def trace(self, a: Array) -> Scalar:
        require_square(a)
        return a.trace()

    def is_zero(self, a: Array) -> bool:
        return bool((a == 0).all())

    def exp(self, a: Array) -> Array:
        if a.dtype == object:
            return as_objects([enclosures.exp(entry) for entry in a.flat], a.shape)
        return self.library.exp(a)

    def softmax(self, a: Array) -> Array:
        # To subtract the maximum changes nothing but keeps floats from overflowing.
        powers = self.exp(a if a.dtype == object else a - self.library.amax(a, 0))
        return powers / powers.sum(0)

    def normal(self, name: str, m: int, n: int) -> Array:
        if str(dtype := self.options["dtype"]) != "object":
            raise _no_means(dtype)
        for axis, size in (("m", m), ("n", n)):
            if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 0:
                raise ShapeError(axis, expected="a whole number from 0", got=shown(size))
        if int(m) * int(n) > MOST_RANDOM:
            raise ShapeError("m and n", expected=f"at most {MOST_RANDOM} entries", got=(m, n))
        # Matrices of one name and of different shapes are independent, as those of symbolic size are.
        entries = [gaussian.variable((name, m, n), i, j) for i in range(m) for j in range(n)]
        return as_objects(entries, (m, n))

    def mean(self, a: Any) -> Any:
        if isinstance(a, np.ndarray):
            return as_objects([self.mean(entry) for entry in a.flat], a.shape)
        if isinstance(a, (float, np.floating)):
            raise _no_means(type(a).__name__)
        return a.mean() if isinstance(a, gaussian.Polynomial) else a


def require_square(a: Any) -> None:
    """Refuse a matrix without a diagonal."""
    if a.shape[0] != a.shape[1]:
        raise ShapeError("a", expected="a square matrix", got=f"shape {a.shape}")


class NoExponentials:
    """The verbs that a kind of number lacks: nothing is known of the exponential of its entries."""

    def exp(self, a: Array) -> Array:
        raise DTypeError("a", expected="fractions or floats", got=f"{type(a).__name__}, which has no exp")

    softmax = exp


class NoMeans:
    """The verbs that a kind of number lacks whose means nobody knows exactly."""

    def normal(self, name: str, m: Any, n: Any) -> Array:
        raise _no_means("bounds")

    def mean(self, a: Any) -> Any:
        raise _no_means("bounds")


def _no_means(got: object) -> DTypeError:
    return DTypeError("array", expected="exact numbers, whose means are exact", got=got)


def as_objects(entries: list[Any], shape: tuple[int, ...]) -> Array:
    """Return an object array of the given shape, filled row by row."""
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array.reshape(shape)


def column(like: Array, numbers: Iterable[Scalar]) -> Array:
    """Return numbers as a column, over the kind of number of `like`."""
    xp = namespace(like)
    return xp.block([[xp.ones(1, 1) * number] for number in numbers])


def namespace(array: Array) -> Namespace:
    """Return the verbs for the kind of number that `array` holds.

    Parameters
    ----------
    array : array
        NumPy array (floats, or objects that are exact numbers), JAX array, PyTorch tensor, or any
        object with a method ``__gdtheory_namespace__``.

    Raises
    ------
    DTypeError
        If `array` is none of these.

    Examples
    --------
    >>> import numpy as np
    >>> xp = namespace(np.ones((2, 3)))
    >>> xp.block([[xp.eye(2), xp.zeros(2, 1)]])
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    if hasattr(array, "__gdtheory_namespace__"):
        return array.__gdtheory_namespace__()
    if hasattr(array, "__array_namespace__"):
        return ArrayNamespace(array.__array_namespace__(), {"dtype": array.dtype})
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):  # a parameter too
        return ArrayNamespace(torch, {"dtype": array.dtype, "device": array.device})
    raise DTypeError("array", expected="a NumPy, JAX or PyTorch array", got=type(array).__name__)
