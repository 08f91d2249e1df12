"""Compilation of kernels by Numba, with a cache that stays out of the package folder.

Numba's own choice is ``__pycache__`` next to the source, which a read-only install does not have and a
checkout should not fill. Kernels are cached in ``$XDG_CACHE_HOME/gdtheory/numba`` instead, by default
``~/.cache/gdtheory/numba``, or in ``NUMBA_CACHE_DIR`` where that is set. Where none can be written to,
each process compiles anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba

# Numba's type stubs know neither all of its settings nor options given as a dictionary.
config: Any = numba.config
njit: Any = numba.njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(*, parallel: bool = False, fastmath: Iterable[str] = ()) -> Callable[[Kernel], Kernel]:
    """Return a decorator that has Numba compile a function on its first call.

    Parameters
    ----------
    parallel : bool
        Whether ``numba.prange`` loops run on all threads.
    fastmath : iterable of str
        The liberties that LLVM may take with the floating-point operations written in this function
        (not in those it calls). The empty default keeps each of them as it is written.
    """
    options = {"parallel": parallel, "fastmath": set(fastmath)}

    def decorate(function: Kernel) -> Kernel:
        folder = cache_folder()
        if folder is not None:
            try:
                with _cache_only_in(folder):
                    return njit(function, cache=True, **options)
            except RuntimeError:  # Numba found that it cannot write there
                pass
        return njit(function, **options)

    return decorate


def cache_folder() -> str | None:
    """Return the folder for compiled kernels, or None where the user has no home folder."""
    if config.CACHE_DIR:
        return str(config.CACHE_DIR)
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # a relative path is to be ignored, by the XDG specification
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return str(Path(base, "gdtheory", "numba")) if os.path.isabs(base) else None


@contextmanager
def _cache_only_in(folder: str) -> Iterator[None]:
    """Have Numba cache in `folder`, or fail, what is decorated meanwhile.

    A dispatcher takes its folder when it is made, so functions of other packages are not affected.
    """
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = folder, "UserProvidedCacheLocator"
    try:
        yield
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
