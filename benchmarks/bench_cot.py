"""The gradient of the chain-of-thought loss next to NumPy: sampling, bare products, and one formula."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.timing import first_call, machine, seconds, table
from gdtheory.cot import eigenvalue_gradient, loss_coefficients, population_gradient
from gdtheory.cot.eigenvalues import greek

CONTEXTS = 200
K, ETA = 20, 0.4


def sampled(V: np.ndarray, W: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean gradient over the contexts X (contexts, d, n), stacked, and its standard error.

    This is what one does without the closed form.
    """
    d, n = X.shape[1:]
    identity, S = np.eye(d), X @ X.mT / n
    power, dV, dW = np.broadcast_to(identity, S.shape), 0, 0
    for i in range(K + 1):
        A = S @ (W @ (identity - power) - identity)
        M = V @ A - (ETA * S @ power if i < K else power)
        dV, dW = dV + M @ A.mT, dW + S @ V.T @ M @ (identity - power)
        power = power - ETA * S @ power
    draws = np.stack([dV, dW])
    return draws.mean(1), draws.std(1) / np.sqrt(len(X))


def products(V: np.ndarray, W: np.ndarray) -> list[np.ndarray]:
    """Return ten products of matrices, as many as the gradient takes."""
    return [x @ y for x in (V, W) for y in (V, W, V.T, W.T, V)]


def by_modes(v: np.ndarray, w: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient in the eigenvalues, each term as it stands in the formula."""
    a = loss_coefficients(n, len(v), K, ETA).like(v)
    kappa, mu, nu, phi, alpha = greek(a)
    t, C = w.sum(), v**2
    A = kappa * w**2 + 2 * (mu * t - phi) * w + nu * (w**2).sum() + a.a3 * t**2 - 2 * a.beta_F * t + a.c
    half = kappa * w * C + mu * (t * C + (w * C).sum()) + C.sum() * (nu * w + a.a3 * t - a.beta_F)
    return A * v - (alpha * w + a.beta_K * t - 1), half - phi * C - alpha * v - a.beta_K * v.sum()


def main() -> None:
    """Check, time and print."""
    setup = "import numpy as np; from gdtheory.cot import population_gradient"
    print(
        "population_gradient,", first_call(setup, "population_gradient(np.eye(64), np.eye(64), 128, 20, 0.4)")
    )
    rng = np.random.default_rng(0)

    d, n = 32, 128
    V, W = -0.3 * np.eye(d) + rng.normal(0, 0.02, (d, d)), rng.normal(0, 0.1, (d, d))
    X = rng.standard_normal((CONTEXTS, d, n))
    mean, error = sampled(V, W, X)
    z = np.abs(np.stack(population_gradient(V, W, n, K, ETA)) - mean) / error
    if not z.max() < 7:  # of 2048 entries; a false alarm in about 10^8 runs if they are normal
        raise ArithmeticError(f"an entry is {z.max()} standard errors off")
    candidates: dict[str, Callable[[], object]] = {
        "gdtheory": lambda: population_gradient(V, W, n, K, ETA),
        "sampling": lambda: sampled(V, W, X),
    }
    share = np.median(error) / np.sqrt((mean**2).mean())
    title = f"gradient, d = {d}, k = {K}; {CONTEXTS} contexts leave an error of {share:.0%}"
    print(table(title, seconds(candidates)))

    V, W = rng.normal(0, 1 / 16, (2, 256, 256))
    candidates = {
        "gdtheory": lambda: population_gradient(V, W, 512, K, ETA),
        "10 products": lambda: products(V, W),
    }
    print(table(f"gradient, d = 256, k = {K}", seconds(candidates)))

    v, w = rng.normal(0, 0.1, (2, 10**6))
    for ours, plain in zip(
        eigenvalue_gradient(v, w, 2 * 10**6, K, ETA), by_modes(v, w, 2 * 10**6), strict=True
    ):
        if not np.allclose(ours, plain, rtol=0, atol=1e-12):
            raise ArithmeticError(f"an error of {np.abs(ours - plain).max()}, beyond rounding")
    candidates = {
        "gdtheory": lambda: eigenvalue_gradient(v, w, 2 * 10**6, K, ETA),
        "numpy": lambda: by_modes(v, w, 2 * 10**6),
    }
    print(table(f"gradient in 10^6 eigenvalues, k = {K}", seconds(candidates)))


if __name__ == "__main__":
    print(machine())
    main()
