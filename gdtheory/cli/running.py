"""Checks many claims, in this process or in several."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from gdtheory import checking, registry
from gdtheory.definition import Claim
from gdtheory.errors import GDTheoryError
from gdtheory.evidence import Report


def cpus() -> int:
    """Return how many CPUs this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def finished(
    claims: Sequence[Claim], examples: int, seed: int, jobs: int
) -> Generator[tuple[Claim, Report], None, None]:
    """Yield the report of each claim as soon as it is there.

    Claims from files are checked in this process: their classes cannot be sent to another one.
    Close the iterator to stop the work.
    """
    registered = [claim for claim in claims if registry.name_of(claim) == claim.id]
    jobs = min(jobs, len(registered))
    if jobs < 2:
        yield from _finished_here(claims, examples, seed)
        return
    here = [claim for claim in claims if claim not in registered]
    with _pool(jobs) as pool:
        futures = _submit(pool, registered, examples, seed)
        yield from _finished_here(here, examples, seed)
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool:
            raise GDTheoryError("a process died, perhaps for want of memory; try --jobs 1") from None


def _finished_here(claims: Sequence[Claim], examples: int, seed: int) -> Iterator[tuple[Claim, Report]]:
    for claim in claims:
        yield claim, checking.check(claim, max_examples=examples, seed=seed)


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Return a pool that stops its work, and does not wait for it, when anything is raised."""
    others = set(multiprocessing.active_children())
    # "spawn", because a process forked while OpenMP threads run, such as those of kernels, may hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=_start_worker)
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _submit(
    pool: ProcessPoolExecutor, claims: Sequence[Claim], examples: int, seed: int
) -> dict[Future[Report], Claim]:
    """Submit the claims in their order, so that rows of the table need not wait for later ones."""
    # Ctrl-C reaches every process of a terminal. Workers that ignore it from their first moment
    # print no traceback; they inherit this when they are started, and that is by `submit`.
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return {
            pool.submit(checking.check, claim.id, max_examples=examples, seed=seed): claim for claim in claims
        }
    finally:
        signal.signal(signal.SIGINT, previous)


def _start_worker() -> None:
    """Let a worker end with its parent, also if that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # not every system lets a process inherit it
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
