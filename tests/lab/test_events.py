"""Detailed games told turn by turn, against the same games looked at step by step in plain data."""

from itertools import pairwise
from typing import Any

import pytest

import ds_sim as ds
from ds_sim.lab import events
from ds_sim.records import Record, records_of

Event = tuple[int, str, str | None, str | None, int | None]
"""turn, event, animal, what, value"""

FOUR = ("mammal", "bird", "arachnid", "insect")


def retold(record: Record, takers: dict[str, str]) -> list[Event]:
    """The events of a game: of every turn its order, its actions in turn, and then what came to the board."""
    state = record.start()
    frames = [state.to_dict()]
    acted: list[Event] = []
    for action in record.actions:
        actor, node, turn = state.actor, state.node, state.turn
        verb, _, argument = ds.actions.text(action).partition(":")
        if verb == "place":
            acted.append((turn, "place", actor, argument, None))
        elif node == "dominate" and verb == "hex":
            acted.append((turn, "score", actor, argument, None))
        state.apply(action)
        frames.append(state.to_dict())
    told: list[Event] = []
    firsts = [frames[0], *(b for a, b in pairwise(frames) if a["turn"] != b["turn"])]
    for first, later in pairwise([*firsts, frames[-1]]):
        turn = first["turn"]
        told += [(turn, "order", animal, None, k) for k, animal in enumerate(first["initiative"], 1)]
        told += [event for event in acted if event[0] == turn]
        cards = set(later["cards"]["taken"]) - set(first["cards"]["taken"])
        told += [(turn, "card", takers[card], card, None) for card in ds.board.CARDS if card in cards]
        for event, hexes in (("tile", tiles), ("tundra", tundra)):
            new = hexes(later) - hexes(first)
            told += [(turn, event, None, name, None) for name in ds.board.HEX_NAMES if name in new]
    end = frames[-1]["tiles"]
    told += [
        (state.turn, "dominated", end[name]["dominant"], name, None)
        for name in ds.board.HEX_NAMES
        if "dominant" in end.get(name, {})
    ]
    return told


def tiles(frame: dict[str, Any]) -> set[str]:
    return set(frame["tiles"])


def tundra(frame: dict[str, Any]) -> set[str]:
    return {name for name, tile in frame["tiles"].items() if tile.get("tundra")}


@pytest.mark.parametrize(
    ("rules", "policy", "games"),
    [
        (ds.Rules(animals=("bird", "insect"), max_turns=3), "uniform", 2 * events._BLOCK + 1),
        (ds.Rules(animals=("mammal", "bird", "insect"), max_turns=1), "uniform", 3),
        (ds.Rules(), "greedy", 2),
        (ds.Rules(animals=FOUR, seats=[["mammal", "insect"], ["bird", "arachnid"]]), "greedy", 2),
    ],
    ids=["blocks", "one turn", "six animals", "shared seats"],
)
def test_events_are_those_of_the_games_step_by_step(rules, policy, games):
    results = ds.playouts(rules, games, policy, seed=8, first=40, keep_records=True)
    table = events.to_arrow(results).to_pylist()
    names = ("turn", "event", "animal", "what", "value")
    found = [(row["game"], *(row[name] for name in names)) for row in table]
    expected = [
        (results.first + row, *event)
        for row, record in enumerate(records_of(results))
        for event in retold(record, takers(results, row))
    ]
    assert found == expected


def takers(results: ds.Results, row: int) -> dict[str, str]:
    taken = zip(ds.board.CARDS, results.card_taker[row].tolist(), strict=True)
    return {card: ds.board.ANIMALS[animal] for card, animal in taken if animal >= 0}
