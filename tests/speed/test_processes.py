"""What needs a process of its own: interrupts, forks, caches, imports, hash seeds."""

import json
import signal

import pytest
from playing import Child, said

USER = """
import numpy as np
import numba
import ds_sim as ds
from ds_sim.scoring import kernels

STEP = 1

@numba.njit
def helper(x, n):
    return (x + STEP) % n

@ds.policy
def mine(view, legal, n):
    worth = kernels.match(view, view.actor, 17)
    return helper(np.int64(view.random >> np.uint64(40)) + worth, n)

@ds.policy(checked=True)
def other(view, legal, n):
    return n - 1

first = lambda state: int(state.legal_actions()[0])
POLICIES = {"bird": mine, "insect": other, "mammal": "uniform", "arachnid": first}
RULES = ds.Rules(animals=tuple(POLICIES), max_turns=2)

def play(threads=2, games=40, **options):
    import hashlib
    from ds_sim.playouts import COLUMNS
    results = ds.playouts(RULES, games, POLICIES, seed=1, threads=threads, keep_records=True, **options)
    parts = [getattr(results, name).tobytes() for name in COLUMNS] + list(results.records)
    return hashlib.sha256(b"".join(parts)).hexdigest()
"""

REPORT = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import user
    digests = [user.play(threads) for threads in (1, 2)]
hits = [p._callback.cache_hits for p in (user.mine, user.other)]
print(json.dumps([digests, hits, [str(w.message) for w in caught]]))
"""


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A directory with a user's module, compiled by an earlier process; and what that one played."""
    home = tmp_path_factory.mktemp("home")
    (home / "user.py").write_text(USER)
    (one, two), hits, warnings = report(home)
    assert one == two and hits == [0, 0] and warnings == []
    return home, one


def report(home, **environment):
    return json.loads(said(REPORT, cwd=home, NUMBA_CACHE_DIR=str(home / "cache"), **environment))


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_a_warm_cache_and_any_hash_seed_give_the_same_games(warm, seed):
    """E-5, E-28, E-29: new processes, from stored code."""
    home, digest = warm
    assert report(home, PYTHONHASHSEED=seed) == [[digest] * 2, [1, 1], []]


def test_a_changed_constant_is_compiled_again(warm, tmp_path):
    """E-25, E-28: one set from outside too, which no stored code knows of."""
    _, digest = warm
    (tmp_path / "user.py").write_text(
        USER.replace("STEP = 1", 'STEP = int(__import__("os").environ["STEP"])')
    )
    digests = [report(tmp_path, STEP=step) for step in ("1", "2", "2")]
    assert [hits for _, hits, _ in digests] == [[0, 0], [0, 1], [1, 1]]
    (one, _), (two, _), (again, _) = (pair for pair, _, _ in digests)
    assert one == digest and two == again != one


def test_nowhere_to_store_warns_once(warm, tmp_path):
    """E-28: no directory that can be made, not even by root; the games are the same."""
    _, digest = warm
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "__pycache__").write_text("in the way")
    (tmp_path / "file").write_text("in the way")
    below = str(tmp_path / "file" / "below")
    script = REPORT.replace("import user\n", "import ds_sim.scoring, user\n")
    told = said(script, cwd=tmp_path, NUMBA_CACHE_DIR=below, XDG_CACHE_HOME=below, HOME=below)
    digests, hits, warnings = json.loads(told)
    assert (digests, hits) == ([digest] * 2, [0, 0])
    assert len(warnings) == 1 and "cannot be stored" in warnings[0]


def test_policies_without_a_source_file_warn_once():
    """E-28: typed into an interpreter, they cannot be stored."""
    script = """
import warnings
import ds_sim as ds
policies = [ds.policy(lambda view, legal, n: 0), ds.policy(lambda view, legal, n: n - 1)]
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for policy in policies:
        ds.playouts(games=1, policies=policy, seed=1)
print(len(caught), "cannot be stored" in str(caught[0].message))
"""
    assert said(script).split() == ["1", "True"]


# ---- forks and other processes ----


def test_forks_after_threads_and_compiled_policies(warm):
    """E-1, E-7, E-31: children play on, each its own games, as here; so do processes begun afresh."""
    home, digest = warm
    script = """
import multiprocessing, os, sys
import user

def games(first):
    results = user.ds.playouts(user.RULES, 100, user.mine, seed=1, first=first, threads=2, keep_records=True)
    return results.records

if __name__ == "__main__":
    before = user.play(), user.play(8)
    child = os.fork()
    if child == 0:
        os._exit(0 if (user.play(), user.play(8)) == before else 3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with multiprocessing.get_context("fork").Pool(8) as pool:
        records = [actions for part in pool.map(games, range(0, 800, 100)) for actions in part]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(user.play, [1]) == [before[0]]
    print(before[0], len(records), len(set(records)), tuple(records[:100]) == games(0))
"""
    (home / "forks.py").write_text(script)
    told = said(
        "import runpy; runpy.run_path('forks.py', run_name='__main__')",
        cwd=home,
        NUMBA_CACHE_DIR=str(home / "cache"),
    )
    assert told.split() == [digest, "800", "800", "True"]


# ---- interrupts ----

INTERRUPTED = """
import sys, time
import ds_sim as ds

def python(state):
    return int(state.legal_actions()[0])

compiled = ds.policy(lambda view, legal, n: n - 1)
policy = {"uniform": "uniform", "compiled": compiled, "python": python}[sys.argv[1]]
rules = ds.Rules(max_turns=50)
ds.playouts(rules, 2, policy, seed=1)
done = []
def report(games, total):
    done.append(games)
    if len(done) == 1:
        print("playing", flush=True)
try:
    ds.playouts(rules, 400_000, policy, seed=1, threads=2, progress=report)
except KeyboardInterrupt:
    print(done[-1])
    sys.exit(0)
print("ran to its end")
"""


@pytest.mark.parametrize("policy", ["uniform", "compiled", "python"])
def test_an_interrupt_ends_playouts(policy):
    """E-20: long before all games are played."""
    child = Child(INTERRUPTED, policy)
    child.wait_for("playing")
    child.process.send_signal(signal.SIGINT)
    output, errors, code = child.finish()
    assert code == 0, errors
    assert int(output) < 200_000


@pytest.mark.parametrize("kind", ["python", "compiled"])
def test_an_interrupt_does_not_wait_for_a_slow_game(kind):
    """E-20: a policy that thinks for long is asked no more, in the middle of the game."""
    script = """
import os, signal, sys, threading, time
import numpy as np, numba
import ds_sim as ds

asked, pause = np.zeros(1, np.int64), threading.Event()

def note():
    asked[0] += 1
    if asked[0] == 5:
        os.kill(os.getpid(), signal.SIGINT)
    pause.wait(0.02)

def python(state):
    note()
    return int(state.legal_actions()[0])

@ds.policy
def compiled(view, legal, n):
    with numba.objmode():
        note()
    return 0

try:
    ds.playouts(ds.Rules(max_turns=50), 1, {"python": python, "compiled": compiled}[sys.argv[1]], seed=1)
except KeyboardInterrupt:
    print(asked[0])
"""
    assert int(said(script, kind, NUMBA_CACHE_DIR="")) < 200  # the game has thousands of decisions


def test_an_interrupt_ends_the_command_line():
    """E-20: exit code 130, nothing on stdout."""
    script = """
from ds_sim.cli import main, simulate
played = simulate.playouts
def playouts(*arguments, **options):
    print("playing", flush=True)
    return played(*arguments, **options)
simulate.playouts = playouts
simulate.CHUNK = 400_000
main(["simulate", "--games", "400000", "--seed", "1"])
"""
    child = Child(script)
    child.wait_for("playing")
    child.process.send_signal(signal.SIGINT)
    output, errors, code = child.finish()
    assert (output, errors.strip(), code) == ("", "ds-sim: interrupted", 130)


# ---- imports ----


def test_import_loads_nothing_heavy():
    """E-38."""
    script = """
import sys
import ds_sim
heavy = "numba llvmlite pandas polars pyarrow matplotlib scipy rich click pyspiel gymnasium pettingzoo"
print([name for name in heavy.split() if name in sys.modules])
ds_sim.playouts(games=2, seed=1)
ds_sim.Batch(size=2).playout(lambda state: int(state.legal_actions()[0]))
print([name for name in heavy.split() if name in sys.modules])
"""
    assert said(script) == "[]\n[]\n"


def test_no_thread_outlives_its_run():
    script = """
import threading
import ds_sim as ds
ds.playouts(games=200, seed=1, threads=8)
print(threading.active_count())
"""
    assert said(script) == "1\n"
