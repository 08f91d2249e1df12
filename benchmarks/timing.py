"""How the benchmarks measure time, and where."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROUNDS = 9
PAUSE = 0.02  # seconds, for the threads of one candidate to fall asleep before the next one starts


def seconds(candidates: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Return the wall times of each candidate in order, the fastest first.

    All candidates run in turn in each round, so that what else the machine does meets all of them. A
    first round is not counted: it compiles, and it fills caches.
    """
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds + 1):
        for name, run in candidates.items():
            time.sleep(PAUSE)
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return {name: sorted(measured[1:]) for name, measured in times.items()}


def table(title: str, times: Mapping[str, list[float]]) -> str:
    """Return a table of medians, fastest times, and medians as multiples of the first candidate's."""
    first = statistics.median(next(iter(times.values())))
    lines = [title, f"  {'':<10}{'median':>12}{'fastest':>12}{'ratio':>8}"]
    for name, measured in times.items():
        median = statistics.median(measured)
        lines.append(f"  {name:<10}{median * 1e3:>9.2f} ms{measured[0] * 1e3:>9.2f} ms{median / first:>8.2f}")
    return "\n".join(lines)


def first_call(setup: str, call: str) -> str:
    """Return how long a first call takes: in a process that compiles, and in one that finds that done."""
    code = f"import time\n{setup}\nstart = time.perf_counter()\n{call}\nprint(time.perf_counter() - start)"
    with tempfile.TemporaryDirectory() as folder:
        variables = os.environ | {"NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-c", code]
        compiling, loading = (
            float(subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=True).stdout)
            for _ in range(2)
        )
    return f"first call in a process: {compiling:.2f} s with compilation, {loading:.2f} s from the cache"


def machine() -> str:
    """Return what the numbers depend on: processor, threads, what else runs, and versions."""
    versions = [f"Python {platform.python_version()}"]
    for package in ("numpy", "numba", "scipy", "torch", "jax"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"no {package}")
    load = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{_processor()}, {os.cpu_count()} threads{load}, {platform.system()}; " + ", ".join(versions)


def _processor() -> str:
    """Return the processor's name; on Linux `platform` does not know it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
