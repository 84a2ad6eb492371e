"""The examples run as they stand, and show what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import ds_sim as ds

ROOT = Path(__file__).parents[2]


def run(name: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(Path(ds.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_a_search_of_ones_own() -> None:
    lines = run("own_mcts.py").splitlines()
    assert len(lines) == 3 and all(re.fullmatch(r"own: .+; ds.search: .+", line) for line in lines)


def test_training_a_policy() -> None:
    """What is trained wins far more often than the quarter of a policy that moves at random."""
    untrained, trained, places = run("train_policy.py").splitlines()
    assert int(re.findall(r"(\d+)%", untrained)[0]) < 40
    assert int(re.findall(r"(\d+)%", trained)[0]) > 60
    assert places.startswith("places first: ")
