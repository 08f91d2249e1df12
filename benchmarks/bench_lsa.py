"""`gdtheory.lsa` next to the same products in NumPy, PyTorch and JAX, those that are installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

import gdtheory as gd
from benchmarks.timing import first_call, machine, seconds, table

NAMES = ("W_K", "W_Q", "W_V", "P")
SIZES = {
    "4096 tasks of 21 tokens of 21 features": (4096, 21, 21),
    "10^6 tokens of 64 features": (1, 10**6, 64),
}


def folded(tokens: Any, weights: gd.LSAWeights) -> Any:
    """Return the layer as `gdtheory.lsa` computes it, in the operations of an array library."""
    M = weights.W_PV @ ((tokens.mT @ tokens) @ weights.W_KQ)
    return tokens + tokens @ M.mT


def error_bound(tokens: np.ndarray, weights: gd.LSAWeights) -> np.ndarray:
    """Return what rounding in the tokens' dtype may change the result by, in any order of summation.

    A term of the result is rounded at most K = T + 5D + 1 times: in sums of T terms for the Gram matrix,
    of D terms each for W_KQ, W_PV, two products with them and M e, and in the last sum. So the bound is
    γ_K times the same expression in absolute values, γ_K = K u / (1 - K u).
    """
    T, D = tokens.shape[-2:]
    Ku = (T + 5 * D + 1) * np.finfo(tokens.dtype).eps / 2
    return Ku / (1 - Ku) * folded(*_map(lambda a: np.abs(a.astype(np.float64)), tokens, weights))


def candidates(tokens: np.ndarray, weights: gd.LSAWeights) -> dict[str, Callable[[], Any]]:
    """Return functions without arguments, ours first. The arrays of each library are made beforehand."""
    found: dict[str, Callable[[], Any]] = {
        "gdtheory": lambda: gd.lsa(tokens, weights),
        "numpy": lambda: folded(tokens, weights),
    }
    if torch := _installed("torch"):
        in_torch = _map(torch.tensor, tokens, weights)
        found["torch"] = lambda: folded(*in_torch)
    if jax := _installed("jax"):
        jax.config.update("jax_enable_x64", True)
        jax_tokens, jax_weights = _map(jax.numpy.asarray, tokens, weights)
        run = jax.jit(lambda e, *w: folded(e, gd.LSAWeights(*w)))
        arrays = [getattr(jax_weights, name) for name in NAMES]
        found["jax"] = lambda: run(jax_tokens, *arrays).block_until_ready()
    return found


def check(found: dict[str, Callable[[], Any]], tokens: np.ndarray, weights: gd.LSAWeights) -> None:
    """Raise an error unless every candidate is right to within rounding."""
    wide = folded(*_map(lambda a: a.astype(np.float64), tokens, weights))
    allowed = error_bound(tokens, weights) + error_bound(
        *_map(lambda a: a.astype(np.float64), tokens, weights)
    )
    for name, run in found.items():
        error = np.abs(np.asarray(run()) - wide)
        if not (error <= allowed).all():
            raise ArithmeticError(f"{name}: an error of {error.max()}, beyond rounding")


def main() -> None:
    """Check, time and print."""
    setup = "import numpy as np, gdtheory as gd; gd.lsa"
    layer = "gd.LSAWeights(*[np.eye(21)] * 4)"
    print("lsa,", first_call(setup, f"gd.lsa(np.ones((100, 21, 21)), {layer})"))
    rng = np.random.default_rng(0)
    for size, shape in SIZES.items():
        for dtype in (np.float32, np.float64):
            T, D = shape[1:]
            tokens = rng.standard_normal(shape, dtype)
            scales = (1 / D, 1, 1 / D, 1 / T)
            weights = gd.LSAWeights(*(rng.standard_normal((D, D), dtype) * dtype(s) for s in scales))
            found = candidates(tokens, weights)
            check(found, tokens, weights)
            print(table(f"lsa, {size}, {np.dtype(dtype)}", seconds(found)))


def _map(function: Callable[[Any], Any], tokens: Any, weights: gd.LSAWeights) -> tuple[Any, gd.LSAWeights]:
    """Apply a function to the tokens and to every weight."""
    return function(tokens), gd.LSAWeights(*(function(getattr(weights, name)) for name in NAMES))


def _installed(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


if __name__ == "__main__":
    print(machine())
    main()
