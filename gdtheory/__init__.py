"""Published results that in-context learning is gradient descent, as executable claims.

Importing this package loads none of its dependencies: every public name is loaded at first use.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


class _CheckoutProofs:
    """Finds ``gdtheory.proofs`` in the folder proofs/ beside this package.

    An installation holds that folder inside the package, a checkout beside it; and in a checkout
    ``python -m gdtheory`` and ``python -m pytest`` import this package from the current directory,
    wherever it is installed. To extend ``__path__`` by the checkout would be shorter, but then
    ``gdtheory.tests`` and ``gdtheory.gdtheory.gdtheory`` could be imported too.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != f"{__name__}.proofs":
            return None
        return PathFinder.find_spec(name, [str(_HERE.parent)])


if not (_HERE / "proofs").exists() and (_HERE.parent / "proofs" / "blocks.py").exists():
    sys.meta_path.insert(0, _CheckoutProofs)  # before the finder of another, editable installation


_HOMES = {
    "Claim": "definition",
    "LSAWeights": "constructions.lsa",
    "both_sides": "checking",
    "check": "checking",
    "cite": "registry",
    "claim": "registry",
    "claims": "registry",
    "lsa": "kernels.lsa",
}
"""Where each public name lives; it is loaded at first use."""

_MODULES = ("constructions", "cot", "errors", "functions", "problems", "reference", "wishart")
"""The public modules."""

__all__ = [*sorted((*_HOMES, *_MODULES)), "__version__"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
