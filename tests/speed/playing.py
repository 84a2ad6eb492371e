"""What the tests of this folder share: runs as bytes, replays, and a reference that counts."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from reference import ReferenceState, cards

import ds_sim as ds
from ds_sim.playouts import COLUMNS

PAIR = ds.Rules(animals=("bird", "insect"))
FOUR = ds.Rules(animals=("mammal", "bird", "arachnid", "insect"))
SHORT = FOUR.replace(max_turns=2)


def columns_of(results):
    """The bytes of every column, by name."""
    return {name: getattr(results, name).tobytes() for name in COLUMNS}


def digest(results):
    """A hash of all columns, and of the records if there are any."""
    parts = [*columns_of(results).values(), *(results.records or ())]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def explicit(state):
    """The same position, stopping at chance nodes, as records are replayed."""
    return ds.State.from_dict(state.to_dict(), explicit_chance=True)


def replayed(state, actions):
    """The end of a game that goes on from an explicit state, and how many decisions were presented."""
    decisions = 0
    for action in actions:
        decisions += not state.is_chance
        state.apply(action)
    assert state.is_terminal
    return state, decisions


def positions(rules, games=4, every=17, seed=5):
    """States on the way through some games, the end of each included."""
    found = []
    for index in range(games):
        state, number = ds.State(rules, seed=seed, index=index), 0
        while not state.is_terminal:
            if number % every == 0:
                found.append(state.clone())
            legal = state.legal_actions()
            state.apply(int(legal[(number * 7 + index) % len(legal)]))
            number += 1
        found.append(state.clone())
    return found


class Counting(ReferenceState):
    """The reference, counting what results count."""

    def __init__(self, rules):
        self.placed, self.lost, self.takers = Counter(), Counter(), {}
        super().__init__(rules)

    def place_pawn(self, animal, space):
        self.placed[animal, space] += 1
        super().place_pawn(animal, space)

    def eliminate(self, animal, hex_, number=1):
        self.lost[animal] += number
        super().eliminate(animal, hex_, number)

    def dominated(self):
        return Counter(filter(None, (self.dominant(h) for h, tile in self.tiles.items() if tile.present)))


def noting_takers(carry_out=cards.carry_out):
    """Stands for the reference's `carry_out`: it notes who took the card."""

    def noted(s, card, me, scored):
        s.takers[card] = me
        return carry_out(s, card, me, scored)

    return noted


class Child:
    """A script in a process of its own, talking in lines."""

    def __init__(self, script, *arguments, cwd=None, **environment):
        package = str(Path(ds.__file__).parents[1])
        paths = os.pathsep.join(filter(None, [str(cwd or ""), package]))
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-c", script, *map(str, arguments)],
            cwd=cwd, env={**os.environ, "PYTHONPATH": paths, **environment},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def wait_for(self, line):
        assert self.process.stdout.readline() == line + "\n", self.process.stderr.read()

    def finish(self):
        """What it printed since, its errors, and its exit code."""
        said, errors = self.process.communicate(timeout=120)
        return said, errors, self.process.returncode


def said(script, *arguments, **options):
    """The output of a script that has to end well."""
    output, errors, code = Child(script, *arguments, **options).finish()
    assert code == 0, errors
    return output
