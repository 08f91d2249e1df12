r"""The loss of chain of thought on inputs with another covariance, and with more steps, than in training.

The n inputs are the columns of X, independent x_i ~ N(0, Σ), S = X Xᵀ / n and w* ~ N(0, I_d). A layer with
the weights of eq. (8) takes a gradient-descent step per token whatever the inputs are, so k' generated tokens
have, with ``steps = k' + 1``, the loss ½ E tr (I - η S)^{2 · steps}. X may be turned without changing its
trace: only the eigenvalues of Σ matter. Source: Huang et al. (2025), Theorem 4.2, where

.. math:: \delta I \le \eta \Sigma \le (2 - \delta) I.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from gdtheory.arguments import Rate, exact_rate, float_array, plain_count, require_finite
from gdtheory.cot.evaluation import LARGEST_DENOMINATOR_BITS, LARGEST_STEPS, polynomial_at, require_few_bits
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError
from gdtheory.matrices import number_like
from gdtheory.namespace import Array, as_objects
from gdtheory.wishart.covariance import MAX_DEGREE, moment_table
from gdtheory.wishart.laws import covariance
from gdtheory.wishart.sampling import MOST_NUMBERS, sample_wishart

CHUNK_NUMBERS = 2**22
"""About how many numbers of random matrices are held at a time."""

LARGEST_DIMENSION = 2**12
"""The largest d of random matrices: several are held at a time."""

LARGEST_WORK = 2 * 10**22
"""The most that d² bits³ may be for powers of d numbers, so that they take some 20 s."""

LARGEST_ELIMINATION = 2 * 10**13
"""The most that d⁵ bits² may be for an exact covariance, for the same."""


def population_generalisation_loss(eigenvalues: ArrayLike, steps: int, eta: Rate) -> Fraction | float:
    r"""Return the loss for n = ∞, :math:`\tfrac12 \sum_i (1 - \eta \lambda_i)^{2 \cdot steps}`.

    Parameters
    ----------
    eigenvalues : array_like, shape (d,)
        Eigenvalues of Σ, not negative.
    steps : int
        One more than the number k' of generated tokens, from 0 to 1000.
    eta : int, Fraction, str or float
        Learning rate; a float is taken exactly as its binary value.

    Returns
    -------
    Fraction or float
        The loss exactly, floats in a list being taken as the binary fractions that they are; but for a
        NumPy array of float32 or float64 a float that is computed in this dtype.

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError, ArgumentError
        If the eigenvalues are no vector, none, negative or not finite, another number is not as above, the
        exact loss is too long or the rounded one too large.

    Notes
    -----
    It is at most `generalisation_bound`, and at most the loss for any n: the trace of a convex function of a
    matrix is convex, and S has the mean Σ.

    Examples
    --------
    >>> population_generalisation_loss([1, "1/2"], 1, 1)
    Fraction(1, 8)
    """
    values, steps = _spectrum(eigenvalues), plain_count("steps", steps, 0, LARGEST_STEPS)
    rate = exact_rate("eta", eta)
    if values.dtype == object:
        integers, scale = _integers("eigenvalues", values)
        p, q = rate.as_integer_ratio()
        bits = require_few_bits(steps, p, q, scale, integers.max())
        _require_little_work("eigenvalues", len(values) ** 2 * bits**3)
        return Fraction(((q * scale - p * integers) ** (2 * steps)).sum(), 2 * (q * scale) ** (2 * steps))
    with np.errstate(over="ignore", invalid="ignore"):
        return _finite(((1 - number_like("eta", rate, values) * values) ** (2 * steps)).sum() / 2)


def largest_delta(eigenvalues: ArrayLike, eta: Rate) -> Fraction:
    r"""Return the largest δ with :math:`\delta I \le \eta \Sigma \le (2 - \delta) I`, exactly.

    Theorem 4.2 asks for one above 0; without it more steps do not make the loss for n = ∞ small. Parameters
    and errors are those of `population_generalisation_loss`.

    Examples
    --------
    >>> largest_delta([1, 3], "1/2")
    Fraction(1, 2)
    """
    values, eta = _spectrum(eigenvalues), exact_rate("eta", eta)
    ends = [eta * exact_rate("eigenvalues", end) for end in (values.min(), values.max())]
    return min(min(x, 2 - x) for x in ends)


def generalisation_bound(d: int, steps: int, delta: Rate) -> Fraction:
    r"""Return :math:`\tfrac d2 (1 - \delta)^{2 \cdot steps}`, the bound on the loss for n = ∞.

    It holds as :math:`|1 - \eta \lambda_i| \le 1 - \delta` for all eigenvalues. It says nothing of finite n:
    there the loss is greater than for n = ∞ and, for large k', grows with k', unless all η λ_i are 0.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    steps : int
        One more than the number k' of generated tokens, from 0 to 1000.
    delta : int, Fraction, str or float
        At most 1, such as `largest_delta`; a float is taken exactly as its binary value.

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError, ArgumentError
        If a number is not as above, or the bound is too long.

    Examples
    --------
    >>> generalisation_bound(2, 2, "1/2")
    Fraction(1, 16)
    """
    d, steps, delta = (
        plain_count("d", d, 1),
        plain_count("steps", steps, 0, LARGEST_STEPS),
        exact_rate("delta", delta),
    )
    if delta > 1:
        raise ArgumentError("delta", expected="at most 1", got="a larger number")
    require_few_bits(steps, *delta.as_integer_ratio())
    return d * (1 - delta) ** (2 * steps) / 2


def generalisation_loss(Sigma: ArrayLike, n: int, steps: int, eta: Rate) -> Fraction:
    r"""Return :math:`\tfrac12 E \operatorname{tr} (I - \eta S)^{2 \cdot steps}` for n inputs, exactly.

    Parameters
    ----------
    Sigma : array_like, shape (d,) or (d, d)
        Eigenvalues of the covariance, not negative, or the covariance itself, symmetric and positive
        semidefinite. Floats are taken exactly as their binary values.
    n : int
        Number of inputs, at least 1.
    steps : int
        One more than the number k' of generated tokens, from 0 to 8: the moments of higher degree take too
        long, and `sample_generalisation_loss` has to do.
    eta : int, Fraction, str or float
        Learning rate; a float is taken exactly as its binary value.

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError, ArgumentError
        If Σ is no covariance or another number is not as above, or this would take more than some 20 s.

    Examples
    --------
    >>> from gdtheory.cot.evaluation import evaluation_loss
    >>> generalisation_loss([1, 1, 1], 5, 3, "1/4") == evaluation_loss(5, 3, 3, "1/4")
    True
    """
    n, steps = plain_count("n", n, 1), plain_count("steps", steps, 0, MAX_DEGREE // 2)
    eta = exact_rate("eta", eta)
    integers, scale = _exact_covariance(Sigma, steps, n, *eta.as_integer_ratio())
    power_sums = _power_sums(integers, 2 * steps)
    moments = [len(integers)]
    for degree in range(1, 2 * steps + 1):
        terms = moment_table(0, (degree,)).items()  # each is of this degree in Σ
        coefficients = [(mu, sum(c * n**i for i, c in enumerate(row))) for (_, mu), row in terms]
        moments.append(sum(c * math.prod(power_sums[part] for part in mu) for mu, c in coefficients))
    signed = [math.comb(2 * steps, degree) * moment for degree, moment in enumerate(moments)]
    return polynomial_at(signed, -eta / (n * scale)) / 2


def sample_generalisation_loss(
    Sigma: ArrayLike, n: int, steps: int, eta: Rate, size: int, *, seed: int = 0
) -> tuple[float, float]:
    r"""Return an estimate of the loss for n inputs from random ones, and its standard error.

    The mean over w* is taken exactly: the estimate is the mean of
    :math:`\tfrac12 \operatorname{tr} (I - \eta S)^{2 \cdot steps}` over independent S.

    Parameters
    ----------
    Sigma : array_like of float64, shape (d,) or (d, d)
        Eigenvalues of the covariance, not negative, or the covariance itself.
    n : int
        Number of inputs, at least 1.
    steps : int
        One more than the number k' of generated tokens, from 0 to 1000.
    eta : int, Fraction, str or float
        Learning rate.
    size : int
        Number of samples, at least 2.
    seed : int
        At least 0; one seed gives one answer.

    Returns
    -------
    mean, standard_error : float

    Raises
    ------
    DTypeError, NonFiniteError, ShapeError, ArgumentError
        If Σ is no covariance or larger than 4096 x 4096, another number is not as above, the samples would
        have more than 2⁴⁰ numbers, or a loss is too large for float64.

    Notes
    -----
    With many steps the mean rests on rare S with an eigenvalue beyond 2 / η. A sample without them
    underestimates it, and its standard error says nothing of that: for Σ = I, n = 20, d = 10, η = 2/5 and
    30 steps, 20 000 samples give 0.033 ± 0.0003, where the mean is 1 544 481.

    A sample costs some d³ log(steps) operations, whatever n. With d of some thousands that is a minute.

    Examples
    --------
    >>> mean, error = sample_generalisation_loss([1.0, 0.5], 10**9, 1, 1, 100)
    >>> round(mean, 3)  # for n = ∞ it is 1/8
    0.125
    """
    roots = np.sqrt(_float_spectrum(Sigma))
    d = len(roots)
    if d > LARGEST_DIMENSION:
        raise ShapeError("Sigma", expected=f"at most {LARGEST_DIMENSION} eigenvalues", got=d)
    n, steps, size = (
        plain_count("n", n, 1),
        plain_count("steps", steps, 0, LARGEST_STEPS),
        plain_count("size", size, 2, MOST_NUMBERS // d**2),
    )
    rate = number_like("eta", exact_rate("eta", eta), roots)
    losses = []
    seeds = np.random.SeedSequence(plain_count("seed", seed, 0))
    per_chunk = max(1, CHUNK_NUMBERS // d**2)
    for start in range(0, size, per_chunk):
        state = int(seeds.spawn(1)[0].generate_state(1, np.uint64)[0])
        W = sample_wishart(n, d, min(per_chunk, size - start), seed=state)
        with np.errstate(over="ignore", invalid="ignore"):
            Q = np.eye(d) - rate / n * (roots[:, None] * W * roots)
            losses.append((np.linalg.matrix_power(Q, steps) ** 2).sum(axis=(1, 2)) / 2)
    sample = np.concatenate(losses)
    with np.errstate(over="ignore", invalid="ignore"):
        return _finite(sample.mean()), _finite(sample.std(ddof=1) / math.sqrt(size))


# ---------------------------------------------------------------------------------- covariances


def _spectrum(eigenvalues: ArrayLike) -> Array:
    """Return the eigenvalues as floats if they are an array of floats, and else as fractions."""
    if isinstance(eigenvalues, np.ndarray) and eigenvalues.dtype.kind == "f":
        values: Array = float_array("eigenvalues", eigenvalues)
        require_finite("eigenvalues", values)
    else:
        values = _fractions("eigenvalues", eigenvalues)
    return _require_spectrum("eigenvalues", values)


def _require_spectrum(name: str, values: Array) -> Array:
    if values.ndim != 1 or not values.size:
        raise ShapeError(name, expected="shape (d,), d > 0", got=f"shape {values.shape}")
    if (values < 0).any():
        raise ArgumentError(name, expected="eigenvalues from 0 on", got=values.min())
    return values


def _fractions(name: str, numbers: ArrayLike) -> Array:
    """Return an array of the numbers as fractions, each taken exactly."""
    if isinstance(numbers, np.ma.MaskedArray):
        raise DTypeError(name, expected="an array without a mask", got="a masked array")
    try:
        entries = np.array(numbers, dtype=object)
    except (TypeError, ValueError) as error:
        raise DTypeError(name, expected="an array of numbers", got=str(error)) from None
    return as_objects([exact_rate(name, entry) for entry in entries.flat], entries.shape)


def _integers(name: str, fractions: Array) -> tuple[Array, int]:
    """Return the fractions times their common denominator, and this: integers are far quicker."""
    scale = 1
    for entry in fractions.flat:
        scale = math.lcm(scale, entry.denominator)
        if scale.bit_length() > LARGEST_DENOMINATOR_BITS:
            expected = f"fractions whose common denominator has at most {LARGEST_DENOMINATOR_BITS} bits"
            raise ArgumentError(name, expected=expected, got="a longer one")
    integers = [entry.numerator * (scale // entry.denominator) for entry in fractions.flat]
    return as_objects(integers, fractions.shape), scale


def _require_little_work(name: str, work: int, most: int = LARGEST_WORK) -> None:
    if work > most:
        raise ArgumentError(name, expected="fewer or shorter numbers", got="what takes more than some 20 s")


def _exact_covariance(Sigma: ArrayLike, steps: int, *numbers: int) -> tuple[Array, int]:
    """Return a covariance, or its eigenvalues, as integers, and their common denominator."""
    exact = _fractions("Sigma", Sigma)
    if exact.ndim != 2:
        _require_spectrum("Sigma", exact)
    integers, scale = _integers("Sigma", exact)
    largest = max(map(abs, integers.flat), default=0)
    bits = require_few_bits(max(steps, 1), scale, largest, *numbers)
    _require_little_work("Sigma", len(exact) ** 2 * bits**3)
    if exact.ndim == 2:
        bits = scale.bit_length() + largest.bit_length()
        _require_little_work("Sigma", len(exact) ** 5 * bits**2, LARGEST_ELIMINATION)
        covariance(exact)
    return integers, scale


def _power_sums(integers: Array, highest: int) -> list[int]:
    """Return tr A^p for p = 0, ..., highest, for a matrix of integers or its eigenvalues."""
    power, sums = integers, [len(integers)]
    for _ in range(highest):
        sums.append(power.trace() if power.ndim == 2 else power.sum())
        power = power @ integers if power.ndim == 2 else power * integers
    return sums


def _float_spectrum(Sigma: ArrayLike) -> Array:
    array = float_array("Sigma", Sigma, dtype=np.dtype(np.float64))
    require_finite("Sigma", array)
    if array.ndim != 2:
        return _require_spectrum("Sigma", array)
    return np.maximum(np.linalg.eigvalsh(covariance(array)), 0)  # rounding errors apart


def _finite(number: Any) -> float:
    if not np.isfinite(number):
        raise NonFiniteError("result", expected=f"a number in the range of {number.dtype}", got=number)
    return cast(float, number.item())
