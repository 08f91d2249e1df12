"""Runs the examples in the docstrings, through the package that the other tests import."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import gdtheory
import gdtheory.proofs

# In a checkout the proofs are not below the folder of the package.
PACKAGES = (gdtheory, gdtheory.proofs)
MODULES = {package.__name__ for package in PACKAGES} | {
    module.name
    for package in PACKAGES
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
}


# Importing __main__ would run the command.
@pytest.mark.parametrize("name", sorted(MODULES - {"gdtheory.__main__"}))
def test_examples(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert not failed, "the captured output says which"
