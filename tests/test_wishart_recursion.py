"""The linear recursion of E tr Wᵏ for many k, at random n and d modulo random primes.

For one k it says that a polynomial in n and d with whole coefficients, of degree k + 2 at most, is zero. If
it were not, a random prime p between 2³⁰ and 2³¹ could still divide all coefficients, of some 2k log₂ k bits,
and else the value at random n and d modulo p could be zero (Schwartz and Zippel): together a chance below
10⁻⁵ for k ≤ 400. Three independent primes make it less than 10⁻¹² for all k here together.
"""

from __future__ import annotations

import itertools
import os
import random

import numpy as np
import pytest
import sympy

from gdtheory.wishart import trace_moments, zonal_trace_moment

K_MAX = 2000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 400


def cumulative(factor, length, p):
    """1, f(0), f(0) f(1), ... modulo p."""
    factors = (factor(i) for i in range(length))
    return list(itertools.accumulate(factors, lambda product, f: product * f % p, initial=1))


def moments_by_partitions(k_max, n, d, p):
    """E tr Wᵏ modulo p, by the sum over the partitions (a, b, 1, ..., 1) with c ones.

    Contents and hooks of such a partition are products of functions of a, b, c and a - b, but for two boxes.
    """
    inverse = np.array([0] + [pow(x, -1, p) for x in range(1, 2 * k_max + 3)], np.uint64)
    factorial = cumulative(lambda i: i + 1, 2 * k_max + 2, p)
    row = [n * d * x for x in cumulative(lambda j: 2 * (j + 1) * (n + 2 * j + 2) * (d + 2 * j + 2), k_max, p)]
    second = cumulative(lambda j: (2 * j - 1) * (n + 2 * j - 1) * (d + 2 * j - 1), k_max, p)
    column = cumulative(lambda i: -(i + 2) * (n - i - 2) * (d - i - 2), k_max, p)

    def over(numerators, denominators):
        pairs = zip(numerators, denominators, strict=False)
        return np.array([x * pow(y, -1, p) % p for x, y in pairs], np.uint64)

    of_a = over([0, *row], [1, *factorial[1::2]])
    of_b = over(second[1:], factorial[0::2])
    of_c = over(column, [x * y for x, y in itertools.pairwise(factorial)])
    moments = [d % p]
    for k in range(1, k_max + 1):
        total = row[k - 1] * pow(factorial[2 * k], -1, p)
        for b in range(1, k // 2 + 1):
            a = np.arange(b, k - b + 1)
            c = k - a - b
            term = of_a[a] * of_c[c] % p * (2 * (a - b) + 1).astype(np.uint64) % p
            for hook in (2 * a + c, 2 * a + c + 1, 2 * b + c - 1, 2 * b + c):
                term = term * inverse[hook] % p
            total += int(term.sum() % p) * int(of_b[b - 1])
        moments.append(2 * k * total % p)
    return moments


def test_the_sum_over_partitions_is_the_closed_form():
    p = 2**31 - 1
    exact = [10, *(zonal_trace_moment(k, 20, 10) for k in range(1, 31))]
    assert moments_by_partitions(30, 20, 10, p) == [moment % p for moment in exact]


@pytest.mark.parametrize("seed", range(3))
def test_the_recursion_holds_for_every_k(seed):
    rng = random.Random(seed)
    p = sympy.nextprime(rng.randrange(2**30, 2**31 - 1000))
    n, d = rng.randrange(p), rng.randrange(p)
    expected = moments_by_partitions(K_MAX, n, d, p)
    assert [moment % p for moment in trace_moments(400, n, d)] == expected[:401]
    t, v, m = n + d - 1, (n - d) ** 2, expected
    for k in range(4, K_MAX + 1):
        right = (
            (4 * k - 1) * t * m[k - 1]
            + (5 * k**3 - 16 * k**2 + 17 * k - 7 - (2 * k - 3) * (2 * t**2 + v)) * m[k - 2]
            + t * ((4 * k - 11) * v - 10 * k**3 + 68 * k**2 - 150 * k + 107) * m[k - 3]
            - (k - 4) * ((2 * k - 7) ** 2 - v) * ((k - 2) ** 2 - v) * m[k - 4]
        )
        assert ((k + 1) * m[k] - right) % p == 0, k
