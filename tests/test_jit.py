"""Compiled code on disk (E-28, E-29): it is used again, and nothing that happens to the files does harm."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ds_sim

MODULE = """
from ds_sim._jit import jit
from ds_sim.scoring.kernels import has

@jit
def double(x):
    return 2 * x

@jit(boundscheck=True)
def odd(x):
    return has(x, 0)
"""

REPORT = """
import json, sys, warnings
BEFORE
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import numpy as np
    import ds_sim._jit
    CHANGE
    import code_of_a_user as user
    results = [user.double(4), user.double(0.25), user.odd(np.uint64(3))]
hits = sum(sum(f.stats.cache_hits.values()) for f in (user.double, user.odd))
print(json.dumps([results, hits, [str(w.message) for w in caught]]))
"""
RIGHT = [8, 0.5, True]


@pytest.fixture
def home(tmp_path):
    """A directory with nothing compiled yet."""
    (tmp_path / "code_of_a_user.py").write_text(MODULE)
    return tmp_path


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    (home / "code_of_a_user.py").write_text(MODULE)
    assert run(home) == [RIGHT, 0, []]
    return home, {path: path.read_bytes() for path in files(home)}


@pytest.fixture
def warm(compiled_once):
    """A directory with the files that another process compiled."""
    home, kept = compiled_once
    (home / "code_of_a_user.py").write_text(MODULE)
    for path, data in kept.items():
        path.write_bytes(data)
    return home


def start(home, before="", change="", **environment):
    """A fresh interpreter that runs the code in `home`, with its cache there too."""
    package = Path(ds_sim.__file__).parents[1]
    paths = os.pathsep.join([str(home), str(package)])
    environment = {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(home / "cache"), **environment}
    return subprocess.Popen(
        [sys.executable, "-B", "-c", REPORT.replace("BEFORE", before).replace("CHANGE", change)],
        cwd=home, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(process):
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return json.loads(said)


def run(home, before="", change="", **environment):
    return finish(start(home, before, change, **environment))


def files(home):
    return sorted(home.glob("cache/**/code_of_a_user.*"))


def test_a_new_process_uses_what_another_compiled_e_29(warm):
    kept = {path: path.read_bytes() for path in files(warm)}
    assert len(kept) == 3  # two signatures of one function, one of the other
    assert run(warm) == [RIGHT, 3, []]
    assert {path: path.read_bytes() for path in files(warm)} == kept


def test_cut_empty_and_altered_files_are_compiled_again(warm):
    cut, empty, altered = files(warm)
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    empty.write_bytes(b"")
    altered.write_bytes(altered.read_bytes()[:-100] + bytes(100))
    assert run(warm) == [RIGHT, 0, []]
    assert run(warm) == [RIGHT, 3, []]


@pytest.mark.parametrize(
    "change",
    [
        "ds_sim._jit._fingerprint = lambda: b'another version of ds_sim'",
        "import numba; numba.config.BOUNDSCHECK = 1",
    ],
)
def test_code_of_another_version_or_other_options_is_not_used(warm, change):
    assert run(warm, change=change) == [RIGHT, 0, []]


def test_a_changed_source_is_compiled_again(warm):
    (warm / "code_of_a_user.py").write_text(MODULE.replace("2 * x", "3 * x"))
    assert run(warm)[0] == [12, 0.75, True]
    assert len(files(warm)) == 3  # in place of the old


def warned_once(report):
    results, hits, warnings = report
    assert (results, hits) == (RIGHT, 0)
    assert [w for w in warnings if "cannot be stored" in w] == warnings and len(warnings) == 1


def nowhere(home):
    """An environment in which no directory for compiled code can be made, not even by root."""
    (home / "__pycache__").write_text("in the way")
    (home / "file").write_text("in the way")
    below = str(home / "file" / "below")
    return {"NUMBA_CACHE_DIR": below, "XDG_CACHE_HOME": below, "HOME": below}


def test_where_nothing_can_be_stored_all_works_with_one_warning(home):
    warned_once(run(home, **nowhere(home)))


def test_an_unknown_home_is_no_directory_called_tilde(home):
    environment = {**nowhere(home), "XDG_CACHE_HOME": ""}
    del environment["HOME"]
    warned_once(run(home, before="import os.path; os.path.expanduser = lambda path: path", **environment))
    assert not list(home.rglob("~*"))


def test_a_full_disk_is_no_error(home):
    full = """
import numba.core.caching
def refuse(*args): raise OSError(28, "No space left on device")
numba.core.caching.IndexDataCacheFile._open_for_write = refuse
"""
    warned_once(run(home, before=full))


def test_many_cold_processes_at_once(home):
    reports = [finish(process) for process in [start(home) for _ in range(3)]]
    assert [(results, warnings) for results, _, warnings in reports] == [(RIGHT, [])] * 3
    assert run(home) == [RIGHT, 3, []]
    assert not list(home.rglob("*.tmp.*"))
