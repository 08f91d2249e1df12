"""E tr Wᵏ of the complex Wishart matrix by its recursion, against the sum over all pairings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gdtheory.constructions.random_inputs import complex_gram, power
from gdtheory.definition import Assumption, Claim, Mutant, MutantKind, Source, Variant
from gdtheory.namespace import Array, Scalar, namespace
from gdtheory.problems import ComplexPower
from gdtheory.wishart import complex_trace_moment, trace_moment


def mean_of_power(p: ComplexPower, parts: str = "AB") -> Array:
    """Return E[Wᵏ⁺¹] C (k + 2), real and imaginary part, by pairing the normal factors in all ways."""
    xp = namespace(p.C)
    A, B = (xp.normal(name, p.d, p.n) for name in parts)
    return xp.mean(power(complex_gram(A, B), p.k + 1)) @ doubled(p.C) * (p.k + 2)


def doubled(C: Array) -> Array:
    """Return a real matrix as [[Re C, -Im C], [Im C, Re C]]."""
    xp = namespace(C)
    d = C.shape[0]
    return xp.block([[C, xp.zeros(d, d)], [xp.zeros(d, d), C]])


def two_terms(
    p: ComplexPower,
    moment: Callable[..., Scalar] = lambda k, n, d: complex_trace_moment((k,), n, d),
    last: Callable[..., Scalar] = lambda k, n, d: (k - 1) * (k * k - (n - d) ** 2),
    odd: int = 1,
) -> Array:
    """Return {(2k + 1)(n + d) m_k + (k - 1)(k² - (n - d)²) m_{k-1}} C / d."""
    n, d, k = p.n, p.d, p.k
    total = moment(k, n, d) * (2 * k + odd) * (n + d) + moment(k - 1, n, d) * last(k, n, d)
    return doubled(p.C) * total / d


CLAIM = Claim(
    id="GDT-0062",
    revision=1,
    title="The moments E tr W^k of the complex Wishart matrix follow a recursion of three terms",
    statement=r"""Let $W=XX^H$, where $X$ of shape $(d,n)$ has independent complex normal entries $x$ with
$E\,x=E\,x^2=0$ and $E|x|^2=1$. Then $E\,W^k=\frac{m_k}dI$ with $m_k=E\operatorname{tr}W^k$, $m_0=d$,
$m_1=nd$ and
$$(k+2)\,m_{k+1}=(2k+1)(n+d)\,m_k+(k-1)\bigl(k^2-(n-d)^2\bigr)\,m_{k-1},\qquad k\ge1.$$ So $m_2=nd(n+d)$ and
$m_3=nd(n^2+3nd+d^2+1)$. Shown for $X=(A+iB)/\sqrt2$ with independent standard normal entries of $A$ and $B$,
with $\operatorname{Re}W$ and $\pm\operatorname{Im}W$ as the blocks of a real matrix: $m_{k+1}$ on the left
is the sum over all pairings for $k\le3$ and all $n$ and $d$, and $m_k$ and $m_{k-1}$ on the right are those
of the recursion. The source proves it for every $k$.""",
    source=Source(key="haagerup2003random", locator="Section 8"),
    assumptions=(
        Assumption(
            name="complex entries",
            statement="Real and imaginary parts of the entries of X are independent, with one variance.",
            violation=Variant(name="imaginary part = real part", lhs=partial(mean_of_power, parts="AA")),
        ),
    ),
    problem=ComplexPower,
    example=ComplexPower.smallest,
    lhs=mean_of_power,
    rhs=two_terms,
    mutants=(
        Mutant(
            name="-(k - 1)",
            kind=MutantKind.SIGN,
            rhs=partial(two_terms, last=lambda k, n, d: (1 - k) * (k * k - (n - d) ** 2)),
        ),
        Mutant(
            name="without k²",
            kind=MutantKind.DROPPED,
            rhs=partial(two_terms, last=lambda k, n, d: (1 - k) * (n - d) ** 2),
        ),
        Mutant(name="(2k - 1)(n + d)", kind=MutantKind.INDEX, rhs=partial(two_terms, odd=-1)),
        Mutant(
            name="k for k - 1",
            kind=MutantKind.FACTOR,
            rhs=partial(two_terms, last=lambda k, n, d: k * (k * k - (n - d) ** 2)),
        ),
        Mutant(
            name="the moments of real entries",
            kind=MutantKind.WRONG_INPUT,
            rhs=partial(two_terms, moment=lambda k, n, d: trace_moment((k,), n, d)),
        ),
    ),
    waived={"float": "the mean is taken exactly and nothing computes it in floats"},
)
