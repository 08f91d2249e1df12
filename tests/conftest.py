"""How hard the tests try: HYPOTHESIS_PROFILE=dev (default), ci (the same draws every time) or deep."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import HealthCheck, settings

from gdtheory import registry
from gdtheory.rungs import Effort

# No deadline: the first call of a kernel compiles it.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "deep", deadline=None, max_examples=5000, suppress_health_check=[HealthCheck.too_slow]
)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
settings.load_profile(PROFILE)


@pytest.fixture(scope="session")
def effort() -> Effort:
    """Problems drawn per rung and claim; a failing report names the seed."""
    seed = 0 if settings().derandomize else random.SystemRandom().randrange(2**32)
    return Effort(max_examples=settings().max_examples, seed=seed)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a claim over all of them."""
    if "claim" in metafunc.fixturenames:
        metafunc.parametrize("claim", registry.claims(), ids=lambda claim: claim.id)
