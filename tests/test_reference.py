"""The reference engine against the golden games: the yardstick must itself be straight."""

import base64
import hashlib
import json
from pathlib import Path

import pytest
from reference import ReferenceState, action_text
from reference.board import CORNER_IDS, HEX_NAMES

GOLDEN = Path(__file__).parent / "golden"


def read(name: str) -> list[dict]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


GAMES = {game["name"]: game for game in read("games.jsonl")}
# Declared claims, no abilities, six animals, early ends, all cards taken early.
REPLAYED = ["random/3", "random/7", "random/24", "random/27", "random/35", "random/39", "cards/0", "cards/2"]
SMALL = [case for case in read("perft.jsonl") if case["leaves"] < 1000 and len(case["actions"]) < 1100]


def digest(state: ReferenceState) -> str:
    text = json.dumps(state.to_dict(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def replay(rules: dict, actions: str) -> ReferenceState:
    state = ReferenceState(rules)
    for action in base64.b64decode(actions):
        state.apply(action)
    return state


def perft(state: ReferenceState, depth: int) -> int:
    if state.is_terminal:
        return 1
    if depth == 1:
        return len(state.legal())
    leaves = 0
    *first, last = state.legal()
    for action in first:
        child = state.clone()
        child.apply(action)
        leaves += perft(child, depth - 1)
    state.apply(last)  # the state itself goes down the last branch: clones are dear
    return leaves + perft(state, depth - 1)


@pytest.mark.parametrize("name", REPLAYED)
def test_golden_game(name):
    game = GAMES[name]
    state, digests = ReferenceState(game["rules"]), []
    actions = base64.b64decode(game["actions"])
    for number, action in enumerate(actions, start=1):
        state.apply(action)
        if number % 25 == 0 or number == len(actions):
            digests.append(digest(state))
    assert digests == game["digests"]
    assert state.is_terminal and state.legal() == []
    assert (state.vp, state.winner) == (game["vp"], game["winner"])
    assert (state.turn, state.truncated) == (game["turns"], game["truncated"])
    assert {animal: sum(parts.values()) for animal, parts in state.vp_by_source.items()} == game["vp"]


def test_walkthrough():
    steps = read("walkthrough.jsonl")
    state = ReferenceState(steps[0]["state"]["rules"])
    for step in steps:
        assert state.to_dict() == step["state"], step["step"]
        assert action_text(step["id"]) == step["action"]
        state.apply(step["id"])


@pytest.mark.parametrize("case", SMALL, ids=lambda case: f"{case['leaves']}-{len(case['actions'])}")
def test_perft(case):
    assert perft(replay(case["rules"], case["actions"]), case["depth"]) == case["leaves"]


def test_illegal_action_changes_nothing():
    state = ReferenceState({})
    before = state.to_dict()
    with pytest.raises(ValueError, match="action 0 is not legal at reveal_card"):
        state.apply(0)
    assert state.to_dict() == before


def test_chance_probabilities_sum_to_one():
    state = ReferenceState({"animals": ["mammal", "bird"]})
    for kind in ("reveal_card", "reveal_tile", "draw_element"):
        while state.node != kind:
            state.apply(state.legal()[0])
        assert [action for action, _ in state.chance_outcomes()] == state.legal()
        assert sum(probability for _, probability in state.chance_outcomes()) == 1


def test_clone_goes_its_own_way():
    state = ReferenceState({})
    twin = state.clone()
    twin.apply(twin.legal()[0])
    assert state.to_dict() == ReferenceState({}).to_dict() != twin.to_dict()


def test_seats_score_by_their_lowest_animal():
    rules = dict(GAMES["cards/2"]["rules"], seats=[["insect", "mammal"], ["amphibian", "reptile"]])
    state = replay(rules, GAMES["cards/2"]["actions"])
    vp = GAMES["cards/2"]["vp"]
    first, second = min(vp["mammal"], vp["insect"]), min(vp["reptile"], vp["amphibian"])
    assert state.scores == {"mammal": first, "insect": first, "reptile": second, "amphibian": second}
    assert vp[state.winner] == max(first, second)
    assert state.to_dict()["rules"]["seats"] == [["mammal", "insect"], ["reptile", "amphibian"]]


def test_board_names():
    assert sorted(HEX_NAMES) == HEX_NAMES and len(HEX_NAMES) == 35
    assert set(CORNER_IDS.values()) == set(range(92))
