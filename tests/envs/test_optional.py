"""The adapters' libraries are optional: nothing loads them, and who lacks one is told what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIBRARIES = {"openspiel": "pyspiel", "pettingzoo": "pettingzoo", "gymnasium": "gymnasium"}


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_the_package_loads_no_adapter():
    loaded = python("import sys, ds_sim, ds_sim.envs; print(sorted(sys.modules))")
    for library in [*LIBRARIES.values(), "open_spiel"]:
        assert f"'{library}'" not in loaded


@pytest.mark.parametrize(("adapter", "library"), LIBRARIES.items())
def test_a_missing_library_is_named_with_its_extra(adapter, library):
    said = python(f"import sys; sys.modules[{library!r}] = None; import ds_sim.envs.{adapter}")
    assert f"pip install 'ds-sim[{adapter}]'" in said.splitlines()[-1]


@pytest.mark.parametrize("adapter", LIBRARIES)
def test_adapters_do_not_stand_on_each_other(adapter):
    loaded = python(f"import sys, ds_sim.envs.{adapter}; print(sorted(sys.modules))")
    assert f"'ds_sim.envs.{adapter}'" in loaded
    for other in LIBRARIES:
        assert other == adapter or f"'ds_sim.envs.{other}'" not in loaded
