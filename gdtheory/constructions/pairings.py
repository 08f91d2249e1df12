"""Pairings of indices, which stand for products of Kronecker deltas, and the loops of two of them."""

from __future__ import annotations

from collections.abc import Iterator

Pairing = tuple[tuple[int, int], ...]
"""Pairs of indices in which each index occurs once."""


def pairings(indices: tuple[int, ...]) -> Iterator[Pairing]:
    """Yield all pairings of an even number of indices, 1 · 3 · 5 ⋯ of them."""
    if not indices:
        yield ()
        return
    first, *others = indices
    for other in others:
        rest = tuple(index for index in others if index != other)
        for pairing in pairings(rest):
            yield ((first, other), *pairing)


def loops(p: Pairing, q: Pairing) -> tuple[int, ...]:
    """Return how many pairs of `p` are in each loop of the union of two pairings, the largest first.

    Examples
    --------
    >>> loops(((0, 1), (2, 3), (4, 5)), ((0, 1), (2, 4), (3, 5)))
    (2, 1)
    """
    partners = [{a: b for pair in pairing for a, b in (pair, pair[::-1])} for pairing in (p, q)]
    left, lengths = set(partners[0]), []
    while left:
        index, length = min(left), 0
        while index in left:
            other = partners[0][index]
            left -= {index, other}
            index, length = partners[1][other], length + 1
        lengths.append(length)
    return tuple(sorted(lengths, reverse=True))
