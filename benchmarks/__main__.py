"""Runs every module bench_*.py in this folder."""

import pkgutil
from importlib import import_module

import benchmarks
from benchmarks.timing import machine

if __name__ == "__main__":
    print(machine())
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name.startswith("bench_"):
            print()
            import_module(f"benchmarks.{module.name}").main()
