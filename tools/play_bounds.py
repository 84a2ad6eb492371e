"""Plays random games over rule sets at their bounds (rules section 8), verifying every state.

`tools/sanitize.sh` runs it under the sanitizers.

Usage: play_bounds.py [games per rule set]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

import ds_sim as ds
from ds_sim.actions import PLACE
from ds_sim.board import ANIMALS, SPACE_ID, TILE_KINDS

PAIRS: Final = (("mammal", "bird"), ("reptile", "arachnid"), ("amphibian", "insect"))
LARGEST: Final[Mapping[str, Any]] = {
    "pawns": 40,
    "gene_pool": 200,
    "bonus_vp": (1000,) * 28,
    "tile_values": dict.fromkeys(TILE_KINDS, (100,) * 6),
    "speciation_limits": dict.fromkeys(TILE_KINDS, 15),
    "tundra_tiles": 28,
    "handicap": 1000,
}
SMALLEST: Final[Mapping[str, Any]] = {
    "pawns": 0,
    "gene_pool": 0,
    "bonus_vp": (0,),
    "tile_values": dict.fromkeys(TILE_KINDS, ()),
    "speciation_limits": dict.fromkeys(TILE_KINDS, 0),
    "tundra_tiles": 0,
    "max_turns": 60,
}
RULE_SETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "printed": {},
    **{f"{n} animals": {"animals": ANIMALS[-n:]} for n in range(2, 6)},
    **{"pair " + "-".join(pair): {"animals": pair} for pair in PAIRS},
    "seats": {"seats": PAIRS},
    "declared": {"dominance_claims": "declared", "initiative_restay": True},
    "no abilities": {"abilities": dict.fromkeys(ANIMALS, False)},
    "largest": {**LARGEST, "max_turns": 12},
    "largest, two animals": {**LARGEST, "animals": PAIRS[0], "max_turns": 12},
    "largest, declared": {**LARGEST, "dominance_claims": "declared", "max_turns": 12},
    "smallest": SMALLEST,
    "no cards": {"cards": ()},
    "no cubes": {"gene_pool": 0, "pawns": 8},
    "one turn": {"max_turns": 1},
}
LONGEST: Final[Mapping[str, Any]] = {**LARGEST, "animals": ANIMALS[:2], "pawns": 2, "max_turns": 1000}
DOMINATION: Final = range(PLACE + SPACE_ID["domination_1"], PLACE + SPACE_ID["domination_5"] + 1)


def play(state: ds.State, chance: random.Random, avoided: Iterable[int] = (), every: int = 1) -> int:
    """Plays to the end, verifying each `every`-th state; returns the number of decisions."""
    decisions = 0
    while not state.is_terminal:
        legal = [int(action) for action in state.legal_actions()]
        state.apply(chance.choice([action for action in legal if action not in avoided] or legal))
        decisions += 1
        if decisions % every == 0:
            state.verify()
        if decisions % 50 == 0:
            check_copies(state)
    state.verify()
    return decisions


def check_copies(state: ds.State) -> None:
    """Every way out of a state and in again gives the same one."""
    assert state.clone() == state
    assert ds.State.from_bytes(state.to_bytes()) == state
    assert ds.State.from_dict(state.to_dict(), explicit_chance=state.explicit_chance) == state
    refuse_damaged(state)


def refuse_damaged(state: ds.State) -> None:
    """An illegal action and damaged bytes are refused, and nothing else happens."""
    illegal = next(action for action in range(235) if action not in state.legal_actions())
    data = bytearray(state.to_bytes())
    data[len(data) // 2] ^= 0xFF
    for attempt in (lambda: state.apply(illegal), lambda: ds.State.from_bytes(bytes(data))):
        try:
            attempt()
        except ValueError:
            continue
        raise AssertionError("accepted what is illegal")


def play_in_bulk(rules: ds.Rules, seed: int) -> None:
    """The loops without the GIL: playouts, batches, searches."""
    first = ds.PythonPolicy(lambda state: state.legal_actions()[0])
    ds.playouts(rules, 20, seed=seed, threads=2, keep_records=True)
    ds.playouts(rules, 2, first, seed=seed, threads=1)
    batch = ds.Batch(rules, 33, seed=seed, auto_reset=seed % 2 == 0)
    for step in range(100):
        batch.legal_mask()
        batch.apply(batch.policy_actions(first if step % 10 == 0 else "uniform", seed=seed, index=step))
    batch.observation()
    batch.playout(seed=seed)
    state = next((state for state in map(batch.state, range(33)) if not state.is_terminal), None)
    if state is not None:
        for chance in ("open", "explicit"):
            search = ds.search.Search(state, chance=chance, threads=2, max_nodes=200, seed=seed)
            search.advance(search.run(150).best)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    played = decisions = 0
    for name, fields in RULE_SETS.items():
        for seed in range(games):
            modes = {"explicit_chance": seed % 2 == 0, "record": seed % 3 == 0}
            state = ds.State(ds.Rules(**fields), seed=seed, **modes)
            decisions += play(state, random.Random(seed))
            played += 1
            if seed < 4:
                play_in_bulk(ds.Rules(**fields), seed)
        print(f"{name}: {games} games", flush=True)
    state = ds.State(ds.Rules(**LONGEST), seed=1)
    decisions += play(state, random.Random(1), avoided=DOMINATION, every=25)
    print(f"longest: {state.turn} turns, {int(state.scores.max())} VPs")
    print(f"{played + 1} games, {decisions} decisions")


if __name__ == "__main__":
    main()
