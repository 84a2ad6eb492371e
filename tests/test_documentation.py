"""Every example in the README and in the docstrings runs."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import ds_sim

README = Path(__file__).resolve().parent.parent / "README.md"
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(ds_sim.__path__, "ds_sim.")
    if not module.name.endswith("__main__")
)


def test_readme():
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert tried > 0 and failed == 0


@pytest.mark.parametrize("name", ["ds_sim", *MODULES])
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0
