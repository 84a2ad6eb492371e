"""Positions for the adapters: golden games give every kind of node."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path

import pytest

import ds_sim as ds
from ds_sim.nodes import NODES

TESTS = Path(__file__).parents[1]
EACH_NODE = 3


@pytest.fixture(scope="session")
def every_node() -> list[ds.State]:
    """A few states at every kind of node, of many rule sets, chance nodes and the end included."""
    seen: Counter[str] = Counter()
    states = []
    for line in (TESTS / "golden" / "games.jsonl").read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        state = ds.State(ds.Rules.from_dict(game["rules"]), seed=0, explicit_chance=True)
        for action in [*base64.b64decode(game["actions"]), None]:
            if seen[state.node] < EACH_NODE:
                seen[state.node] += 1
                states.append(state.clone())
            if action is not None:
                state.apply(action)
    assert set(seen) == set(NODES)
    return states
