"""Equations for a list of counts: where a claim has no induction, each is derived for all sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gdtheory.proofs.blocks import Equations


def cases(p: Any, lhs: Any, rhs: Any, counts: Iterable[Mapping[str, int]]) -> Equations:
    """Yield, for each setting of the counts of a problem, that both sides agree."""
    for setting in counts:
        at = replace(p, **setting)
        yield ", ".join(f"{name} = {count}" for name, count in setting.items()), lhs(at), rhs(at)
