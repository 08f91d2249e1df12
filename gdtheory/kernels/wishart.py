"""Gradient descent on many bidiagonal matrices. `gdtheory.wishart.sampling` draws them and says why."""

from __future__ import annotations

import numpy as np

from gdtheory.arguments import FloatArray
from gdtheory.kernels.compiling import compiled


@compiled()
def gd_errors(chi: FloatArray, rate: float, first: int, errors: FloatArray) -> None:
    """Write ½‖w_t‖², t = first, first + 1, ..., to the columns of `errors`, for each row of `chi`.

    A row of `chi`, which is C-contiguous, is (‖w_0‖, a_1, ..., a_r, b_1, ..., b_r). With the lower
    bidiagonal B of shape (r + 1, r) that has a_i at (i, i) and b_i at (i + 1, i),

        w_0 = ‖w_0‖ e_1,    w_t = (I - rate B Bᵀ) w_{t-1}.
    """
    r = chi.shape[1] // 2
    w, z = np.empty(r + 1), np.empty(r)
    for sample in range(len(chi)):
        a, b = chi[sample, 1 : r + 1], chi[sample, r + 1 :]
        w[:] = 0
        w[0] = chi[sample, 0]
        for t in range(first + errors.shape[1]):
            if t > 0:
                # All of w_{t-1} beyond its first t entries is zero.
                _gd_step(a, b, rate, min(t, r), w, z)
            if t >= first:
                square = 0.0
                for entry in w:
                    square += entry * entry
                errors[sample, t - first] = square / 2


@compiled()
def _gd_step(a: FloatArray, b: FloatArray, rate: float, k: int, w: FloatArray, z: FloatArray) -> None:
    """Subtract rate B Bᵀ w from w, where only its first k entries are not zero, by z = Bᵀ w."""
    for i in range(k):
        z[i] = a[i] * w[i] + b[i] * w[i + 1]
    for i in range(k):
        w[i] -= rate * (a[i] * z[i])
    for i in range(k):
        w[i + 1] -= rate * (b[i] * z[i])
