"""All pairings of points, over which Wick's theorem sums: what tests of Wishart moments share."""

from __future__ import annotations

from collections.abc import Iterator


def all_pairings(points: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield each way to split the points into pairs: one for no points, none for an odd number."""
    if not points:
        yield ()
    for i in range(1, len(points)):
        for rest in all_pairings(points[1:i] + points[i + 1 :]):
            yield ((points[0], points[i]), *rest)
