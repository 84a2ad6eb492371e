"""Random rule sets and biased random players, so that games go where uniform play seldom does."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import ds_sim as ds
from ds_sim._core.layout import STATE
from ds_sim.board import ANIMALS, CARDS, TILE_KINDS

GOLDEN = Path(__file__).parents[1] / "golden"
ANIMAL_SETS = [animals for n in range(2, 7) for animals in combinations(ANIMALS, n)]
PASS, COUNT = 0, range(181, 197)
CHANCE_NODES = ("reveal_card", "reveal_tile", "draw_element")
# PLACE ids by row of the display.
ROWS = [
    *([1], [2, 3, 4], [5, 6], [7, 8], [9], [10], [11, 12, 13, 14]),
    *(range(15, 21), range(21, 24), range(24, 30), range(30, 37), range(37, 42)),
]
HEXES = range(140, 175)

Plain = dict[str, Any]
Choose = Callable[[str, Sequence[int]], int]


# ---- golden data ----


def golden(name: str) -> list[Plain]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


def actions_of(game: Plain) -> bytes:
    return base64.b64decode(game["actions"])


def position_of(state: ds.State) -> Plain:
    """The plain form without its cursor, which is free in form."""
    data = state.to_dict()
    del data["cursor"]
    return data


def digest(state: ds.State) -> str:
    text = json.dumps(position_of(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# ---- rule sets ----


def random_rules(rng: random.Random, animals: Sequence[str] | None = None) -> Plain:
    """Plain data of a rule set in which about every other switch is set, and often to its extremes."""
    animals = animals or rng.choice(ANIMAL_SETS)
    rules: Plain = {"animals": list(animals)}
    fields: dict[str, Callable[[], Any]] = {
        "seats": lambda: _partition(rng, animals),
        "pawns": lambda: _by_name(rng, animals, lambda: rng.choice([0, 1, 2, 3, 5, 8, rng.randrange(41)])),
        "gene_pool": lambda: _by_name(
            rng, animals, lambda: rng.choice([0, 1, 3, 20, 200, rng.randrange(201)])
        ),
        "bonus_vp": lambda: [rng.choice([0, 7, 1000]) for _ in range(rng.choice([1, 2, 9, 28]))],
        "tile_values": lambda: _by_name(
            rng, TILE_KINDS, lambda: [rng.randrange(101) for _ in range(rng.randrange(7))]
        ),
        "speciation_limits": lambda: _by_name(rng, TILE_KINDS, lambda: rng.choice([0, 1, 4, 15])),
        "tundra_tiles": lambda: rng.choice([0, 1, 5, 28]),
        "cards": lambda: rng.sample(CARDS, rng.choice([0, 1, 2, 4, 6, 12, 25])),
        "handicap": lambda: _by_name(rng, animals, lambda: rng.choice([0, 5, 1000])),
        "abilities": lambda: _by_name(rng, animals, lambda: rng.random() < 0.4),
        "initiative_restay": lambda: True,
        "dominance_claims": lambda: "declared",
    }
    for field, draw in fields.items():
        if rng.random() < 0.4:
            rules[field] = draw()
    rules["max_turns"] = rng.choice([1, 2, 4, 8])
    return rules


def _partition(rng: random.Random, animals: Sequence[str]) -> list[list[str]]:
    seats: list[list[str]] = [[] for _ in range(rng.randint(1, len(animals)))]
    for animal in animals:
        rng.choice(seats).append(animal)
    return [seat for seat in seats if seat]


def _by_name(rng: random.Random, names: Sequence[str], draw: Callable[[], Any]) -> Plain:
    return {name: draw() for name in rng.sample(names, rng.randint(1, len(names)))}


# ---- players ----


def biased(rng: random.Random) -> Choose:
    """A random player with a character: how often it passes, claims, takes many, and where it goes."""
    passes = rng.choice([0.0, 0.05, 1.0])
    claims = rng.choice([0.0, 0.5, 1.0])
    counts = rng.choice([random.Random.choice, lambda _, options: options[-1], lambda _, options: options[0]])
    favourites = {space for row in rng.sample(ROWS, rng.choice([2, 4, 12])) for space in row}
    favourites |= set(ROWS[-1]) if rng.random() < 0.6 else set()

    def choose(node: str, legal: Sequence[int]) -> int:
        options = list(legal)
        if options[0] == PASS and len(options) > 1 and rng.random() >= passes:
            options = options[1:]
        if node == "place":
            claimable = [a for a in options if a in HEXES]
            options = [a for a in options if a not in HEXES]
            if claimable and rng.random() < claims:
                options = claimable
            options = [a for a in options if a in favourites] or options
        return counts(rng, options) if options[0] in COUNT else rng.choice(options)

    return choose


def uniform(rng: random.Random) -> Choose:
    return lambda node, legal: legal[rng.randrange(len(legal))]


def step(state: ds.State, choose: Choose) -> int:
    action = choose(state.node, state.legal_actions().tolist())
    state.apply(action)
    return action


def walk(state: ds.State, choose: Choose, most: int = 10**9) -> Iterator[ds.State]:
    """The state itself, at every node from the present one on, the last included."""
    yield state
    while not state.is_terminal and most > 0:
        step(state, choose)
        most -= 1
        yield state


def play_out(state: ds.State, choose: Choose) -> ds.State:
    for _ in walk(state, choose):
        pass
    return state


def last(state: ds.State) -> ds.State:
    """The state after a thousand decisions; here, where other processes find it by name."""
    for _ in walk(state, uniform(random.Random(3)), 1000):
        pass
    return state


# ---- saved bytes: 36 of header, the rules as JSON, the struct, the history, 4 of checksum ----


def struct_at(data: bytes) -> int:
    """Where the struct begins."""
    return 36 + int.from_bytes(data[24:28], "little")


def row_of(state: ds.State) -> Any:
    """The struct of a state, as one element of an array of STATE."""
    data = state.to_bytes()
    return np.frombuffer(data, STATE, 1, offset=struct_at(data))[0]


def sealed(body: bytes | bytearray) -> bytes:
    """Bytes without a checksum, with the right one."""
    return bytes(body) + zlib.crc32(body).to_bytes(4, "little")


# ---- other processes ----


def run_python(code: str, *arguments: str, **environment: str) -> str:
    """What a fresh interpreter with our import path prints; fails if it does, a crash included."""
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stderr[-3000:]}"
    return done.stdout
