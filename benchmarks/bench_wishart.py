"""`sample_gd_error` next to the same recurrence in NumPy, and to gradient descent on matrices X."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

import numpy as np

from benchmarks.timing import first_call, machine, seconds, table
from gdtheory.reference.moments import Gaussian
from gdtheory.reference.population import loss_at, loss_polynomial
from gdtheory.wishart.sampling import Floats, sample_gd_error

Z = 6  # allowed standard errors of a mean
CHUNK = 1000  # samples that NumPy works on at a time, few enough to stay in the cache
STEPS = 20
# Small: at larger rates, as n / (n + d + 1), the mean for n = 20 is made by divergence so rare that no sample
# shows it.
ETA = 0.25
SIZES = {"n = 20, d = 10": (20, 10, 10**5), "n = 2·10^8, d = 10^8": (2 * 10**8, 10**8, 10**5)}
LARGEST_MATRIX = 10**4  # entries of an X, for gradient descent on X itself


def bidiagonal(n: int, d: int, steps: int, eta: float, size: int) -> Floats:
    """Return the errors by the bidiagonal form, vectorised over samples."""
    rng = np.random.default_rng(0)
    r = min(steps, n, d)
    i = np.arange(r)[:, None]
    errors = []
    for _ in range(size // CHUNK):
        a = np.sqrt(rng.chisquare(n - i, (r, CHUNK)))
        b = np.sqrt(rng.chisquare(np.maximum(d - 1 - i, 1), (r, CHUNK))) * (i < d - 1)
        w = np.zeros((r + 1, CHUNK))
        w[0] = np.sqrt(rng.chisquare(d, CHUNK))
        for t in range(1, steps + 1):
            k = min(t, r)
            z = eta / n * (a[:k] * w[:k] + b[:k] * w[1 : k + 1])
            w[:k] -= a[:k] * z
            w[1 : k + 1] -= b[:k] * z
        errors.append((w * w).sum(axis=0) / 2)
    return np.concatenate(errors)


def direct(n: int, d: int, steps: int, eta: float, size: int) -> Floats:
    """Return the errors of gradient descent on matrices X, by the definition."""
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(size // CHUNK):
        X, w = rng.standard_normal((CHUNK, d, n)), rng.standard_normal((CHUNK, d, 1))
        for _ in range(steps):
            w -= eta / n * (X @ (X.mT @ w))
        errors.append((w * w).sum(axis=(1, 2)) / 2)
    return np.concatenate(errors)


def check(found: Mapping[str, Callable[[], Floats]], mean: Fraction) -> None:
    """Raise an error unless the mean of every candidate is near the exact one."""
    for name, run in found.items():
        errors = run()
        off = abs(errors.mean() - float(mean)) / (errors.std() / np.sqrt(len(errors)))
        if not off < Z:
            raise ArithmeticError(f"{name}: a mean {off:.1f} standard errors from the exact one")


def main() -> None:
    """Check, time and print."""
    setup = "from gdtheory.wishart.sampling import sample_gd_error"
    print("sample_gd_error,", first_call(setup, "sample_gd_error(20, 10, 20, '1/2', 10)"))
    for title, (n, d, size) in SIZES.items():
        samplers: dict[str, Callable[..., Floats]] = {"gdtheory": sample_gd_error, "numpy": bidiagonal}
        if n * d <= LARGEST_MATRIX:
            samplers["on X"] = direct
        found = {name: partial(run, n, d, STEPS, ETA, size) for name, run in samplers.items()}
        check(found, loss_at(loss_polynomial(Gaussian(1), d, n, STEPS, curvature=False), Fraction(ETA)))
        print(table(f"{size:,} errors after {STEPS} steps, {title}", seconds(found)))


if __name__ == "__main__":
    print(machine())
    main()
