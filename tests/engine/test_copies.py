"""Copies go on exactly like the original, share nothing with it, and forget no field."""

import copy
import json
import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from engine_games import biased, last, play_out, random_rules, step, uniform, walk

import ds_sim as ds
from ds_sim.nodes import NODES

DECISIONS = 1000


def collect():
    """A state at every node kind, out of many games in both modes, some recording."""
    states = {}
    for seed in range(400):
        rules = random_rules(random.Random(seed)) | {"max_turns": 60}
        state = ds.State(
            ds.Rules.from_dict(rules), seed=seed, explicit_chance=seed % 3 == 0, record=seed % 5 == 0
        )
        rng = random.Random(seed)
        for _ in walk(state, biased(rng)):
            if state.node not in states or rng.random() < 0.01:
                states[state.node] = state.clone()
        if seed >= 30 and len(states) == len(NODES):
            break
    return states


STATES = collect()
ALL = [STATES[node] for node in NODES if node in STATES]


def thousand_on(state):
    """What the state is at each decision of the next 1,000, or to the end; and its bytes there."""
    hashes = [hash(s) for s in walk(state, uniform(random.Random(3)), DECISIONS)]
    return hashes, state.to_bytes()


GONE_ON = [thousand_on(state.clone()) for state in ALL]


def test_every_node_is_here():
    assert STATES.keys() == set(NODES)


COPIERS = {
    "clone": ds.State.clone,
    "bytes": lambda state: ds.State.from_bytes(state.to_bytes()),
    "bytearray": lambda state: ds.State.from_bytes(bytearray(state.to_bytes())),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "deepcopy in a list": lambda state: copy.deepcopy([state, {"a": state}])[1]["a"],
} | {f"pickle {n}": lambda state, n=n: pickle.loads(pickle.dumps(state, n)) for n in range(2, 6)}


@pytest.mark.parametrize("copier", COPIERS.values(), ids=COPIERS)
def test_copies_go_on_identically(copier):
    """E-6, E-7: position, random stream, mode and history, at every node kind."""
    for state, gone_on in zip(ALL, GONE_ON, strict=True):
        before = state.to_bytes()
        twin = copier(state)
        assert twin == state and twin is not state and hash(twin) == hash(state) and type(twin) is ds.State
        assert twin.to_bytes() == before
        assert (twin.rules, twin.seed, twin.index) == (state.rules, state.seed, state.index)
        assert (twin.history, twin.explicit_chance) == (state.history, state.explicit_chance)
        assert thousand_on(twin) == gone_on
        assert state.to_bytes() == before  # nothing is shared


def test_plain_data_goes_on_identically():
    """E-6: with a new random stream, since plain data carries none."""
    for state in ALL:
        data = json.loads(json.dumps(state.to_dict()))
        twin = ds.State.from_dict(data, seed=5, explicit_chance=state.explicit_chance)
        assert twin == state and hash(twin) == hash(state) and twin.to_dict() == state.to_dict() == data
        again = state.clone()
        again.reseed(5)
        choose = [biased(random.Random(7)) for _ in range(2)]
        for one, other in zip(
            walk(twin, choose[0], DECISIONS), walk(again, choose[1], DECISIONS), strict=True
        ):
            assert one == other


def test_the_original_leaves_its_copies_alone():
    for state in ALL:
        original, twin = state.clone(), state.clone()
        play_out(original, uniform(random.Random(1)))
        assert twin.to_bytes() == state.to_bytes()
        assert twin.legal_actions().tolist() == state.legal_actions().tolist()


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_workers(method):
    """E-7: states sent to other processes go on there as here, and come back."""
    states = ALL[::3]
    with ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        ends = list(pool.map(last, states))
    here = [last(state.clone()) for state in states]
    assert ends == here and [end.to_bytes() for end in ends] == [end.to_bytes() for end in here]


def test_answers_are_not_views():
    """E-15: what was asked before stays as it was, and writing to it changes nothing."""
    state = ds.State(seed=1)
    before = state.to_bytes()
    asked = [state.legal_actions, state.legal_mask, lambda: state.scores, state.dominant, state.matches]
    answers = [question() for question in asked]
    kept = [answer.copy() for answer in answers]
    for _ in range(50):
        step(state, uniform(random.Random(1)))
    for answer, copied in zip(answers, kept, strict=True):
        assert np.array_equal(answer, copied)
    state = ds.State.from_bytes(before)
    for question in (
        state.legal_actions,
        state.legal_mask,
        lambda: state.scores,
        state.dominant,
        state.matches,
    ):
        question()[...] = 1
    assert state.to_bytes() == before and state.legal_actions().tolist() != [1] * len(state.legal_actions())


def test_equality_is_of_positions():
    """Not of streams, seeds, histories or modes."""
    state = ds.State(seed=1, record=True)
    other = ds.State.from_dict(state.to_dict(), seed=2, explicit_chance=True)
    assert other == state and hash(other) == hash(state) and other.to_bytes() != state.to_bytes()
    assert state != ds.State(seed=2) and state != "state" and state is not None
    assert ds.State(ds.Rules(max_turns=99), seed=1) != state
    assert len({state, other, state.clone()}) == 1


# ---- every field counts (E-8) ----


def leaves(data, path=()):
    """Every value below, by its path."""
    if isinstance(data, dict | list) and data:
        for key, item in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(item, (*path, key))
    else:
        yield path, data


def others(value):
    """Values near this one, of its type."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, str):
        names = [
            ds.board.ANIMALS,
            ds.board.ELEMENTS,
            ds.board.TERRAINS,
            ds.board.CARDS,
            ds.board.SPACES,
            NODES,
        ]
        kinds = [kind for kind in names if value in kind]
        return [name for kind in kinds for name in kind if name != value][:5]
    return []


def changed(data, path, value):
    data = copy.deepcopy(data)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return data


def check_change(state, data):
    try:
        other = ds.State.from_dict(data, explicit_chance=state.explicit_chance)
    except ds.DsSimError:
        return False
    if other.rules == state.rules and data["rules"] != state.to_dict()["rules"]:
        return False  # the same deck, written otherwise
    assert other != state and hash(other) != hash(state), [
        key for key in data if data[key] != state.to_dict()[key]
    ]
    return True


@pytest.mark.parametrize("node", NODES)
def test_every_field_counts(node):
    """Whatever is changed in the plain form, another position comes out, or an error."""
    state = STATES[node]
    data, rng = state.to_dict(), random.Random(node)
    for path, value in leaves(data):
        if not is_derived(state, path) and (choice := others(value)):
            check_change(state, changed(data, path, rng.choice(choice)))


def is_derived(state, path):
    return path[0] == "legal" or (path[-1] == "dominant" and state.rules.dominance_claims == "automatic")


def test_derived_fields_must_agree():
    """They may be left out, but if they contradict the rest the data cannot be a state."""
    for state in ALL:
        data = state.to_dict()
        for path, value in leaves(data):
            if is_derived(state, path) and (choice := others(value)):
                with pytest.raises(ds.InvalidState, match=r"legal|dominant"):
                    ds.State.from_dict(changed(data, path, choice[0]), explicit_chance=state.explicit_chance)


def test_fields_that_can_change_alone():
    """Some changes keep every count right, so that they are accepted, and must then tell."""
    state = ds.State(ds.Rules(("mammal", "bird"), dominance_claims="declared"), seed=1)
    data = state.to_dict()
    del data["legal"]
    changes = [
        {"turn": 2},
        {"vp": {"bird": 1}},
        {"initiative": ["mammal", "bird"], "actor": "mammal", "cursor": {}},
        {"stacks": [{"face_up": None, "left": 8}, *data["stacks"][1:]], "unseen_tiles": put_back(data)},
        {"gene_pool": {"mammal": 49, "bird": 50}, "eliminated": {"mammal": 1}},
        {"rules": data["rules"] | {"max_turns": 99}},
        {"rules": data["rules"] | {"seats": [["mammal", "bird"]]}},
        {"rules": data["rules"] | {"bonus_vp": [1]}},
        {"rules": data["rules"] | {"initiative_restay": True}},
        {"rules": data["rules"] | {"abilities": {"bird": False}}},
        {"rules": data["rules"] | {"tile_values": {"tundra": []}}},
        {"rules": data["rules"] | {"speciation_limits": {"tundra": 0}}},
        {"rules": data["rules"] | {"handicap": {"bird": 1}}},
        {"rules": {"animals": ["mammal", "bird"]}},
    ]
    assert all(check_change(state, data | change) for change in changes)


def put_back(data):
    """The unseen tiles with the first stack's face-up one among them."""
    face_up = data["stacks"][0]["face_up"]
    return data["unseen_tiles"] | {face_up: data["unseen_tiles"].get(face_up, 0) + 1}
