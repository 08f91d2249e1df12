"""Sums of products of matrices: the scalars among them, and the order of words."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from gdtheory.proofs.blocks import BlockNamespace, free
from gdtheory.proofs.words import cancelled

SIZES = n, d = sympy.symbols("n d", integer=True, positive=True)
SIZE_FREE = BlockNamespace()
t = sympy.Symbol("t")


@pytest.mark.parametrize(
    "zero",
    [
        (n + d) ** 2 - n**2 - 2 * n * d - d**2,
        (n + d) / n - 1 - d / n,
        t * (n + 1) / (2 * n) - t / 2 - t / (2 * n),
        1 / (n + 1) + n / (n + 1) - 1,
        1 / (n + 1) ** 2 - 1 / (n**2 + 2 * n + 1),
        (n**2 - d**2) / (n + d) + d - n,
        1 / (1 + 1 / (n + 1)) - (n + 1) / (n + 2),
        (sympy.sqrt(t) + 1) * (sympy.sqrt(t) - 1) - t + 1,
        (t * (n + d) ** -2 + n) * (n + d) ** 2 - t - n * (n + d) ** 2,
    ],
)
def test_a_scalar_that_is_zero_is_found_to_be_zero(zero):
    assert zero != 0 and cancelled(zero) == 0 and cancelled(zero + t * d) == t * d


scalars = st.recursive(
    st.sampled_from([n, d, t, sympy.Integer(2), sympy.Rational(-1, 3), 1 / (n + d), 1 / n]),
    lambda inner: st.builds(lambda a, b, times: a * b if times else a + b, inner, inner, st.booleans()),
    max_leaves=12,
)


@given(scalars, scalars)
def test_the_normal_form_is_the_same_number_and_tells_scalars_apart(a, b):
    at = {n: 7, d: 5, t: sympy.Rational(3, 11)}
    assert cancelled(a).subs(at) == a.subs(at)
    assert (cancelled(a - b) == 0) == (sympy.cancel(a - b) == 0)


def test_matrices_that_print_alike_are_told_apart():
    fixed, random = free("X", d, d), SIZE_FREE.normal("X", d, d)
    trace = SIZE_FREE.trace
    assert trace(fixed @ random) == trace(random @ fixed) == trace(fixed.T @ random.T)
    assert trace(fixed) != trace(random)
    assert SIZE_FREE.mean(trace(fixed @ random) * trace(random @ fixed)) == trace(fixed @ fixed.T)
