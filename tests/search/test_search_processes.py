"""Searches in processes of their own: Ctrl-C, and memory over many of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ds_sim as ds

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(ds.__file__).parents[1])}

INTERRUPTED = """
import ds_sim as ds, numpy as np, sys
options = {"leaves": {"truncate": 0, "evaluator": lambda s: np.full((len(s), 6), 0.25), "batch": 2**20}}
told = []
def tell(done, total):
    if not told:
        told.append(print("searching", flush=True))
try:
    options = options.get(sys.argv[1], {"threads": 2})
    ds.search.mcts(ds.State(seed=1), 10**12, seed=1, max_nodes=10_000, progress=tell, **options)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("kind", ["threads", "leaves"])
def test_ctrl_c_stops_a_search(kind: str) -> None:
    """E-20: also in the middle of a batch of many leaves."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, kind], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()  # it would search on for days
    assert output == "stopped\n" and process.returncode == 0


MANY = """
import ds_sim as ds, numpy as np, resource
state = ds.State(seed=1)
options = {"truncate": 0, "max_nodes": 5000, "prior": lambda state: np.ones(235)}

def some(n):
    for seed in range(n):
        search = ds.search.Search(state, seed=seed, **options)
        search.advance(search.run(40).best)
        search.run(20)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

print(some(100), some(1000))
"""


def test_a_thousand_searches_leave_memory_flat() -> None:
    """E-19: trees, priors and reuse give back what they take. 1 MB kept by a search would be 1 GB."""
    done = subprocess.run(
        [sys.executable, "-c", MANY], capture_output=True, text=True, env=ENVIRONMENT, check=True
    )
    before, after = map(int, done.stdout.split())
    assert after < 1.05 * before
