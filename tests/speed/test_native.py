"""The native loops hold no lock and were compiled as meant (E-32)."""

import ast
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from playing import FOUR

import ds_sim as ds

module = sys.modules["ds_sim.playouts"]
CORE = Path(__file__).parents[2] / "ds_sim" / "_core"


@ds.policy
def drawn(view, legal, n):
    return np.int64(view.random >> np.uint64(33)) % n


class Heart(threading.Thread):
    """Counts how often it gets to run."""

    def __init__(self):
        super().__init__()
        self.beats, self.over = 0, threading.Event()

    def run(self):
        while not self.over.wait(0.0005):
            self.beats += 1

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


@pytest.mark.parametrize("policy", ["uniform", drawn])
def test_other_threads_run_during_playouts(monkeypatch, policy):
    """A call is eight chunks: if each held the lock, there would be about eight beats."""
    monkeypatch.setattr(module, "_CHUNK_MOST", 10**9)
    ds.playouts(FOUR, 8, policy, seed=1)
    with Heart() as heart:
        ds.playouts(FOUR, 3_000, policy, seed=1, threads=1)
    assert heart.beats > 100


def test_other_threads_run_during_a_step_of_a_batch():
    batch = ds.Batch(FOUR, 100_000, seed=1)
    actions, mask = batch.random_actions(1), batch.legal_mask()
    beats = []
    for number in range(40):
        with Heart() as heart:
            batch.apply(actions)
            batch.legal_mask(out=mask)
            batch.random_actions(1, number, out=actions)
        beats.append(heart.beats)
    assert sum(beats) > 200  # a few in every step, which is a call or two


def as_built():
    """The directives that setup.py gives."""
    tree = ast.parse((CORE.parents[1] / "setup.py").read_text(encoding="utf-8"))
    values = {node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)}
    return ast.literal_eval(values["DIRECTIVES"])


@pytest.mark.soak
def test_cython_has_no_performance_hints(tmp_path):
    sources = [str(path) for path in sorted(CORE.glob("*.pyx"))]
    directives = "show_performance_hints=True", *(f"{name}={value}" for name, value in as_built().items())
    options = [part for directive in directives for part in ("-X", directive)]
    command = [sys.executable, "-m", "cython", "-3", "-I", str(CORE.parents[1]), *options]
    for source in sources:
        out = tmp_path / (Path(source).stem + ".c")
        done = subprocess.run([*command, source, "-o", str(out)], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "performance hint" not in done.stdout + done.stderr, done.stderr
    assert len(sources) >= 6
