"""The golden games, the walkthrough and the perft counts: what a right engine reproduces exactly."""

import json

import pytest
from engine_games import actions_of, digest, golden, position_of

import ds_sim as ds
from ds_sim.board import ANIMALS, CARDS
from ds_sim.nodes import NODES

GAMES = golden("games.jsonl")
PERFTS = golden("perft.jsonl")


def start(game):
    return ds.State(ds.Rules.from_dict(game["rules"]), seed=0, explicit_chance=True)


def through_json(state):
    copy = ds.State.from_dict(json.loads(json.dumps(state.to_dict())), explicit_chance=True)
    assert copy == state and position_of(copy) == position_of(state)
    return copy


@pytest.mark.parametrize("through", [lambda state: state, through_json], ids=["straight", "through JSON"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["name"])
def test_games(game, through):
    state, digests, actions = start(game), [], actions_of(game)
    for number, action in enumerate(actions, start=1):
        state.apply(action)
        state.verify()
        if number % 25 == 0 or number == len(actions):
            digests.append(digest(state))
            state = through(state)
    assert digests == game["digests"]
    assert state.is_terminal and state.actor is None and state.legal_actions().size == 0
    assert state.scores.tolist() == [game["vp"].get(animal, 0) for animal in ANIMALS]
    assert (state.winner, state.turn, state.truncated) == (game["winner"], game["turns"], game["truncated"])


def test_games_reach_every_node_and_card():
    nodes, cards = set(), set()
    for game in GAMES:
        state = start(game)
        for action in actions_of(game):
            nodes.add(state.node)
            state.apply(action)
        nodes.add(state.node)
        cards.update(state.to_dict()["cards"]["taken"])
    assert nodes == set(NODES)
    assert cards == set(CARDS)


def test_walkthrough():
    steps = golden("walkthrough.jsonl")
    state = start(steps[0]["state"])
    for step in steps:
        assert position_of(state) == step["state"], step["step"]
        assert ds.actions.text(step["id"]) == step["action"]
        state.apply(step["action"])


def perft(state, depth):
    if state.is_terminal:
        return 1
    legal = state.legal_actions().tolist()
    if depth == 1:
        return len(legal)
    leaves = 0
    for action in legal:
        child = state.clone()
        child.apply(action)
        leaves += perft(child, depth - 1)
    return leaves


@pytest.mark.parametrize("case", PERFTS, ids=lambda case: f"{case['leaves']}-{len(case['actions'])}")
def test_perft(case):
    state = start(case)
    for action in actions_of(case):
        state.apply(action)
    assert perft(state, case["depth"]) == case["leaves"]
