"""E tr Wᵏ by a linear recursion in k, against the closed form."""

from __future__ import annotations

from functools import partial

from gdtheory.definition import Claim, Mutant, MutantKind, Source
from gdtheory.namespace import Scalar
from gdtheory.problems import MomentIndex
from gdtheory.wishart import trace_moments, zonal_trace_moment


def by_recursion(p: MomentIndex) -> Scalar:
    """Return (k + 1) m_k, from m_0, ..., m_3 on by the recursion alone."""
    return trace_moments(p.k, p.n, p.d)[p.k] * (p.k + 1)


def four_terms(p: MomentIndex, shift: int = 1, sign: int = 1, constant: int = 107) -> Scalar:
    """Return what the recursion makes of m_{k-1}, ..., m_{k-4} by the closed form."""
    n, d, k = p.n, p.d, p.k
    t, v = n + d - shift, (n - d) ** 2

    def m(j: int) -> Scalar:
        return zonal_trace_moment(j, n, d) if j else d

    return (
        m(k - 1) * t * (4 * k - 1)
        + m(k - 2) * (5 * k**3 - 16 * k**2 + 17 * k - 7 - (2 * k - 3) * (2 * t**2 + v))
        + m(k - 3) * t * ((4 * k - 11) * v - 10 * k**3 + 68 * k**2 - 150 * k + constant)
        - m(k - 4) * (k - 4) * ((2 * k - 7) ** 2 - v) * ((k - 2) ** 2 - v) * sign
    )


CLAIM = Claim(
    id="GDT-0057",
    revision=1,
    title="The moments E tr W^k of the real Wishart matrix follow a linear recursion in k of five terms",
    statement=r"""Let $m_k=E\operatorname{tr}(XX^T)^k$, where $X$ of shape $(d,n)$ has independent standard
normal entries, and let $t=n+d-1$ and $v=(n-d)^2$. Then
$$\begin{aligned}(k+1)\,m_k={}&(4k-1)\,t\,m_{k-1}+\bigl(5k^3-16k^2+17k-7-(2k-3)(2t^2+v)\bigr)\,m_{k-2}\\
&+t\,\bigl((4k-11)\,v-10k^3+68k^2-150k+107\bigr)\,m_{k-3}
-(k-4)\bigl((2k-7)^2-v\bigr)\bigl((k-2)^2-v\bigr)\,m_{k-4}\end{aligned}$$
with $m_0=d$, $m_1=nd$, $m_2=nd(n+d+1)$ and $m_3=nd(n^2+3nd+d^2+3n+3d+4)$. Shown for $4\le k\le16$: as an
identity of polynomials in $n$ and $d$, so for all $n$ and $d$, with the $m_k$ of GDT-0055 on the right and
with those that the recursion gives from $m_0$ to $m_3$ on the left; and for $k\le30$ at $n=20$ and $d=10$. A
proof for every $k$ is not given here. The source has a recursion of this form, five terms with coefficients
that are polynomials in $k$ and the size, for the Gaussian orthogonal ensemble; this one was found by solving
for the coefficients.""",
    source=Source(key="ledoux2009recursion", locator="the recursion for the Gaussian orthogonal ensemble"),
    ours=True,
    problem=MomentIndex,
    example=MomentIndex.smallest,
    lhs=by_recursion,
    rhs=four_terms,
    mutants=(
        Mutant(name="t = n + d", kind=MutantKind.INDEX, rhs=partial(four_terms, shift=0)),
        Mutant(name="+ (k - 4)", kind=MutantKind.SIGN, rhs=partial(four_terms, sign=-1)),
        Mutant(name="170 for 107", kind=MutantKind.ORDER, rhs=partial(four_terms, constant=170)),
    ),
    uses=("GDT-0055",),
    waived={"float": "the moments are computed exactly and nothing computes them in floats"},
)
