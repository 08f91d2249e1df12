r"""Numbers that carry a rigorous bound on the error of every floating-point evaluation.

Model of arithmetic. An operation with exact result r returns :math:`r(1+\delta)+\eta`, where
:math:`|\delta| \le u`, the unit roundoff, and :math:`|\eta| \le \lambda`, the smallest normal
number. This holds for round to nearest with gradual underflow, and also where subnormal operands
or results are flushed to zero; that may cost λ in sums too. A product in a fused multiply-add has
δ = η = 0. The k roundings on the way of one term into a sum multiply it by a factor that is within
:math:`\gamma_k = ku/(1-ku)` of 1, whatever the order of the additions.

The operations are those written. Only the terms inside one ``@`` or one ``sum`` may be added in any
order: other expressions are (a+b)+c evaluated as a+(b+c), c + A@B accumulated onto c, a/N as
a*(1/N), and fast matrix products. Bounds assume that Python itself runs with gradual underflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gdtheory.errors import DTypeError, NonFiniteError, ShapeError, shown
from gdtheory.namespace import NO_INDEXING, Array, ArrayNamespace, NoExponentials, NoMeans, require_square


@dataclass(frozen=True, slots=True, eq=False)
class Ledger:
    """An array of floats with a bound on the error of each entry.

    Let x be the exact value of the expression that made the ledger. Every evaluation x̂ of it in the
    working precision, `value` v being one, differs from x by at most `bound` b. So |x| ≤ |v| + b,
    and |x̂| ≤ |v| + 2b for every evaluation. A bound of infinity guarantees nothing.

    Parameters
    ----------
    value : ndarray of float32 or float64
        NumPy's evaluation. Its dtype is the working precision.
    bound : ndarray of float64, of the shape of `value`
        The bound, entry by entry.

    Notes
    -----
    The other operand may be a ledger of the same precision, or a number that it represents exactly.
    Adding an exact zero (value and bound zero) and multiplying by an exact 0, 1 or -1 cost nothing.

    Examples
    --------
    >>> third = exactly(1.0) / 3
    >>> bool(0 < third.bound < 1e-16)
    True
    """

    value: Array
    bound: Array

    __array_ufunc__ = None  # makes ndarray @ ledger a TypeError, instead of an object array

    def __post_init__(self) -> None:
        for name in ("value", "bound"):  # NumPy returns scalars where an array has no axes
            object.__setattr__(self, name, np.asarray(getattr(self, name)))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape; () for a single number."""
        return self.value.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The working precision."""
        return self.value.dtype

    @property
    def T(self) -> Ledger:
        """The transpose."""
        return Ledger(self.value.T, self.bound.T)

    def __gdtheory_namespace__(self) -> LedgerNamespace:
        return LedgerNamespace(self.dtype)

    def __neg__(self) -> Ledger:
        return Ledger(-self.value, self.bound)

    def __gt__(self, other: Any) -> Positive:
        return Positive(self) if isinstance(other, int) and other == 0 else NotImplemented

    @np.errstate(all="ignore")
    def __add__(self, other: Any) -> Ledger:
        """Return x + y: |x̂+ŷ - (x+y)| ≤ b_x+b_y, and |x̂+ŷ| ≤ |v_x+v_y| + 2b_x + 2b_y."""
        y = _operand(other, self.dtype)
        if y is None:
            return NotImplemented
        inherited = self.bound + y.bound
        magnitude = np.abs(self.value.astype(np.float64) + y.value) + 2 * inherited
        rounds = _nonzero(self) * _nonzero(y)
        return _ledger(self.value + y.value, inherited, magnitude, rounds, rounds)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Ledger:
        y = _operand(other, self.dtype)
        return NotImplemented if y is None else self + -y

    @np.errstate(all="ignore")
    def __mul__(self, other: Any) -> Ledger:
        """Return the entrywise product: x̂ŷ - xy = (x̂-x)ŷ + x(ŷ-y)."""
        if isinstance(other, Positive):
            return other.part() if other.of is self else NotImplemented
        y = _operand(other, self.dtype)
        if y is None:
            return NotImplemented
        inherited = self.bound * _reach(y) + _reach(self) * y.bound
        rounds = _rounding(self) * _rounding(y)
        return _ledger(self.value * y.value, inherited, _reach(self) * _reach(y), rounds, rounds)

    __rmul__ = __mul__

    @np.errstate(all="ignore")
    def __truediv__(self, other: Any) -> Ledger:
        """Return x/y: x̂/ŷ - x/y = (x̂-x)/ŷ + (x/y)(y-ŷ)/ŷ, where |y|, |ŷ| ≥ least = |v_y| - 2b_y.

        Nothing is guaranteed unless b_y < least, so that b_y/least amplifies no underflow here.
        """
        y = _operand(other, self.dtype)
        if y is None:
            return NotImplemented
        least = np.abs(y.value.astype(np.float64)) - 2 * y.bound
        least = np.where(least > y.bound, least, np.nan)  # NaN ends as an infinite bound
        magnitude = _reach(self) / least
        inherited = self.bound / least + magnitude * (y.bound / least)
        rounds = _nonzero(self) * _rounding(y)
        return _ledger(self.value / y.value, inherited, magnitude, rounds, rounds)

    def __rsub__(self, other: Any) -> Ledger:
        return -self + other

    def __rtruediv__(self, other: Any) -> Ledger:
        x = _operand(other, self.dtype)
        return NotImplemented if x is None else x / self

    def __getitem__(self, key: Any) -> Ledger:
        raise TypeError(NO_INDEXING)

    @np.errstate(all="ignore")
    def __matmul__(self, other: Any) -> Ledger:
        """Return the matrix product: as ``*``, term by term.

        A term is rounded as a product and then in additions to the other terms that are not zero.
        """
        if not isinstance(other, Ledger):
            return NotImplemented
        y = _operand(other, self.dtype)
        if len(self.shape) != 2 or len(y.shape) != 2 or self.shape[1] != y.shape[0]:
            got = f"{self.shape} and {y.shape}"
            raise ShapeError("operands of @", expected="shapes (m, n) and (n, p)", got=got)
        inherited = self.bound @ _reach(y) + _reach(self) @ y.bound
        magnitude = _reach(self) @ _reach(y)
        products = _rounding(self) @ _rounding(y)
        additions = np.maximum(_nonzero(self) @ _nonzero(y) - 1, 0)
        k, operations = additions + (products > 0), additions + products
        return _ledger(self.value @ y.value, inherited, magnitude, k, operations, self.shape[1])

    @np.errstate(all="ignore")
    def sum(self) -> Ledger:
        """Return the sum of all entries."""
        additions = np.maximum(_nonzero(self).sum() - 1, 0)
        inherited, magnitude = self.bound.sum(), _reach(self).sum()
        value = self.value.sum()
        return _ledger(value, inherited, magnitude, additions, additions, self.value.size)


@dataclass(frozen=True, slots=True, eq=False)
class Positive:
    """The condition z > 0 on a ledger z, of use in ``z * (z > 0)`` only.

    It is no array of booleans because evaluations of z may differ in sign.
    """

    of: Ledger

    @np.errstate(all="ignore")
    def part(self) -> Ledger:
        """Return max(z, 0): it moves no further than z does, and a factor of 0 or 1 is exact."""
        return Ledger(self.of.value * (self.of.value > 0), self.of.bound)


@dataclass(frozen=True, slots=True)
class LedgerNamespace(NoExponentials, NoMeans):
    """The verbs of `gdtheory.namespace.Namespace` on ledgers of one precision."""

    dtype: np.dtype[Any]

    @property
    def floats(self) -> ArrayNamespace:
        """The verbs on the arrays that a ledger holds."""
        return ArrayNamespace(np, {"dtype": self.dtype})

    def eye(self, n: int) -> Ledger:
        return exactly(self.floats.eye(n))

    def zeros(self, m: int, n: int) -> Ledger:
        return exactly(self.floats.zeros(m, n))

    def ones(self, m: int, n: int) -> Ledger:
        return exactly(self.floats.ones(m, n))

    def block(self, rows: Sequence[Sequence[Ledger]]) -> Ledger:
        checked = [[_operand(entry, self.dtype) for entry in row] for row in rows]
        value = self.floats.block([[entry.value for entry in row] for row in checked])
        bound = self.floats.block([[entry.bound for entry in row] for row in checked])
        return Ledger(value, bound)

    def split(self, a: Ledger, sizes: Sequence[int], axis: int = 0) -> tuple[Ledger, ...]:
        values, bounds = (self.floats.split(array, sizes, axis) for array in (a.value, a.bound))
        return tuple(Ledger(*parts) for parts in zip(values, bounds, strict=True))

    def squared_norm(self, a: Ledger) -> Ledger:
        return (a * a).sum()

    def trace(self, a: Ledger) -> Ledger:
        require_square(a)
        return Ledger(a.value.diagonal(), a.bound.diagonal()).sum()

    def is_zero(self, a: Ledger) -> bool:
        return not _nonzero(a).any()


def exactly(number: Any) -> Ledger:
    """Return floats as a ledger without error.

    Only a subnormal entry has a bound, its magnitude: what flushes to zero may read it as zero.

    Parameters
    ----------
    number : ndarray, NumPy scalar or float
        Finite, of dtype float32 or float64.

    Raises
    ------
    DTypeError
        If `number` has another dtype.
    NonFiniteError
        If it holds NaN or infinity.

    Examples
    --------
    >>> import numpy as np
    >>> exactly(np.array([[1.5]], dtype=np.float32)).bound
    array([[0.]])
    """
    value = np.asarray(number)
    if value.dtype not in (np.float32, np.float64):
        raise DTypeError("number", expected="float32 or float64", got=value.dtype)
    if not np.isfinite(value).all():
        raise NonFiniteError("number", expected="finite entries", got="NaN or infinity")
    size = np.abs(value).astype(np.float64)
    return Ledger(value, np.where(size < np.finfo(value.dtype).smallest_normal, size, 0.0))


def _operand(other: Any, dtype: np.dtype[Any]) -> Any:
    """Return `other` as a ledger of this precision, or None if it is neither ledger nor number."""
    if isinstance(other, Ledger):
        if other.dtype != dtype:
            raise DTypeError("operand", expected=f"a ledger of {dtype}", got=other.dtype)
        return other
    if not isinstance(other, (int, float, np.integer, np.floating)):
        return None
    exact = other.item() if isinstance(other, np.generic) else other
    in_range = abs(exact) <= float(np.finfo(dtype).max)
    if not in_range or float(dtype.type(exact)) != exact:
        raise DTypeError("operand", expected=f"a number exact in {dtype}", got=shown(other))
    return exactly(dtype.type(exact))


def _reach(z: Ledger) -> Array:
    """Return |v| + 2b, which no evaluation and no exact value exceeds."""
    return np.abs(z.value) + 2 * z.bound


def _nonzero(z: Ledger) -> Array:
    """Return 0.0 for an exact zero, whose addition does not round, and 1.0 for the rest."""
    return ((z.value != 0) | (z.bound != 0)).astype(np.float64)


def _rounding(z: Ledger) -> Array:
    """Return 0.0 for an exact 0, 1 or -1, a factor that does not round, and 1.0 for the rest."""
    return _nonzero(z) * ((np.abs(z.value) != 1) | (z.bound != 0))


def _ledger(
    value: Array, inherited: Array, magnitude: Array, k: Array, operations: Array, n: int = 1
) -> Ledger:
    r"""Return `value` with the bound of a sum of at most n terms, each rounded at most k times.

    On any evaluated operands the exact result is within `inherited` of x, and the terms come to
    `magnitude` at most, of which rounding costs :math:`\gamma_k`. Each of the `operations` costs λ,
    which the later ones enlarge by :math:`1+\gamma_k`. No partial sum exceeds magnitude + bound, so
    that no evaluation overflows where this stays below the largest float.

    Float64 rounds a term of `bound` at most n + 10 times on its way, in all methods. Its underflow
    costs at most :math:`2^{-1075} = e\lambda` in each of fewer than 8 products per operation, which
    is worth 8 more roundings of the λ term. So `bound` may lack :math:`(1-e)^{n+18}`, where
    :math:`e = 2^{-53}`, which the inflation by :math:`1 + 2(n+18)e` makes up for.
    """
    info = np.finfo(value.dtype)
    ku = k * (float(info.eps) / 2)  # exact, and so is 1 - ku
    gamma = np.where(ku < 1, ku / (1 - ku), np.inf)
    flushed = operations * float(info.smallest_normal) * (1 + gamma)
    inflation = 1 + (n + 18) * float(np.finfo(np.float64).eps)
    bound = (inherited + gamma * magnitude + flushed) * inflation
    safe = (magnitude + bound) * inflation < float(info.max)  # False for NaN
    return Ledger(value, np.where(safe, bound, np.inf))
