"""What is wrong is refused, with an error that says so, and changes nothing."""

import copy
import random

import numpy as np
import pytest
from engine_games import ANIMAL_SETS, biased, play_out, random_rules, run_python, uniform, walk

import ds_sim as ds
from ds_sim.errors import NotTerminal
from ds_sim.nodes import NODES

WRONG_ACTIONS = [
    *(
        -1,
        235,
        255,
        256,
        2**31,
        2**64,
        2**70,
        -(2**70),
        0.0,
        1.0,
        float("nan"),
        True,
        False,
        None,
        b"\x01",
        "",
        "PASS",
    ),
    *(
        " pass",
        "hex:Z9",
        "count:16",
        [1],
        (1,),
        {},
        object(),
        1j,
        np.float32(1),
        np.int64(235),
        np.array([1]),
    ),
]


# ---- actions (E-9, E-10, E-11) ----


def refusal(state, action):
    """What the error says; None if there is none."""
    try:
        state.apply(action)
    except ds.IllegalAction as error:
        return str(error)
    return None


def check_refusals(state):
    before, legal = state.to_bytes(), state.legal_actions().tolist()
    for action in set(range(235)) - set(legal):
        assert str(action) in (refusal(state, action) or "accepted"), state
    assert state.to_bytes() == before and state.legal_actions().tolist() == legal
    state.verify()


def check_illegal_ids(seeds, share):
    states, nodes = 0, set()
    for seed in seeds:
        rules = random_rules(random.Random(seed), ANIMAL_SETS[seed % 57])
        rng = random.Random(seed)
        mode = {"explicit_chance": seed % 3 == 0, "record": seed % 2 == 0}
        for state in walk(ds.State(ds.Rules.from_dict(rules), seed=seed, **mode), biased(rng)):
            if state.node not in nodes or rng.random() < share:
                check_refusals(state)
                states += 1
                nodes.add(state.node)
    return states, nodes


def test_illegal_ids():
    """Every illegal id at some states of every node: in the middle of every compound action, too."""
    states, nodes = check_illegal_ids(range(200), 0.03)
    assert states > 1000 and nodes == set(NODES)


@pytest.mark.soak
def test_illegal_ids_at_ten_thousand_states():
    states, nodes = check_illegal_ids(range(1000, 3000), 0.08)
    assert states > 10_000 and nodes == set(NODES)


@pytest.mark.parametrize("action", WRONG_ACTIONS, ids=lambda action: repr(action)[:20])
def test_wrong_actions(action):
    state = ds.State(ds.Rules(("mammal", "bird")), seed=1, record=True)
    before = state.to_bytes()
    with pytest.raises(ds.IllegalAction, match=r"action|text"):
        state.apply(action)
    assert state.to_bytes() == before


@pytest.mark.parametrize("kind", [np.uint8, np.int64, np.uint64])
def test_integers_of_numpy_are_actions(kind):
    state, other = ds.State(seed=1), ds.State(seed=1)
    state.apply(kind(9))
    other.apply("place:wasteland")
    assert state == other


def test_the_error_names_what_is_legal():
    state = ds.State(ds.Rules(("mammal", "bird")), seed=1)
    with pytest.raises(
        ds.IllegalAction, match=r"action 157 \(hex:D3\).*'place' of bird.*place:initiative.*41 in all"
    ):
        state.apply("hex:D3")


def test_nothing_after_the_end():
    state = play_out(ds.State(ds.Rules(max_turns=1), seed=1), uniform(random.Random(1)))
    before = state.to_bytes()
    for action in [*range(235), "pass", *WRONG_ACTIONS]:
        with pytest.raises(ds.IllegalAction):
            state.apply(action)
    assert state.to_bytes() == before and not state.legal_mask().any()


def test_decisions_at_chance_nodes_and_outcomes_at_decisions():
    chance, decision = ds.State(explicit_chance=True), ds.State(seed=1)
    for state, action in (
        (chance, "place:wasteland"),
        (chance, "pass"),
        (chance, "card:ice_age"),
        (decision, "card:aquatic"),
    ):
        with pytest.raises(ds.IllegalAction):
            state.apply(action)


def test_results_before_the_end():
    state = ds.State(seed=1)
    assert state.winner is None
    with pytest.raises(NotTerminal):
        state.returns()
    with pytest.raises(ds.DsSimError, match="utility"):
        state.returns("points")


@pytest.mark.parametrize("value", [-1, 2**64, 1.0, "1", True, [1], np.float64(1)], ids=repr)
@pytest.mark.parametrize("field", ["seed", "index"])
def test_seeds_and_indices(field, value):
    state = ds.State(seed=1)
    before = state.to_bytes()
    with pytest.raises(ds.DsSimError, match=field):
        ds.State(**{"seed": 1, field: value})
    with pytest.raises(ds.DsSimError, match=field):
        state.reseed(**{"seed": 1, field: value})
    assert state.to_bytes() == before and (state.seed, state.index) == (1, 0)


@pytest.mark.parametrize("rules", [{}, {"animals": ["bird", "mammal"]}, "printed", 3, ds.Rules], ids=repr)
def test_rules_of_another_type(rules):
    with pytest.raises(ds.DsSimError, match="rules"):
        ds.State(rules)


# ---- bytes ----


@pytest.mark.parametrize(
    "data", [None, "", "DSST", 3, [1], b"", b"DSST", b"\0" * 2000, ds.State], ids=lambda d: repr(d)[:16]
)
def test_no_bytes_of_a_state(data):
    with pytest.raises(ds.InvalidState, match=r"data|version"):
        ds.State.from_bytes(data)


def test_truncated_and_longer_bytes():
    data = ds.State(seed=1, record=True).to_bytes()
    for length in range(len(data)):
        with pytest.raises(ds.InvalidState):
            ds.State.from_bytes(data[:length])
    for more in (b"\0", b"x" * 1000):
        with pytest.raises(ds.InvalidState):
            ds.State.from_bytes(data + more)


def test_altered_bytes():
    """Every byte, with the checksum as it was."""
    data = ds.State(seed=1, record=True).to_bytes()
    for at in range(len(data)):
        with pytest.raises(ds.InvalidState):
            ds.State.from_bytes(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])


# Runs in a process of its own, so that a crash would be seen. Every state that is accepted has to be one: it
# verifies, and so does whatever comes of it.
CRAFTED = """
import random, sys
from engine_games import STATE, ds, random_rules, biased, sealed, struct_at, uniform, walk

seed, kind, number = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
rng = random.Random(seed)

def collect():
    kept = {}
    for game in range(40):
        rules = random_rules(random.Random(game)) | {"max_turns": 20}
        state = ds.State(ds.Rules.from_dict(rules), seed=game, explicit_chance=game % 2 == 0)
        for _ in walk(state, biased(random.Random(game))):
            if state.node not in kept or rng.random() < 0.01:
                kept[state.node] = state.to_bytes()[:-4]
    return list(kept.values())

def offsets():
    size, fields = ds._core.state.layout()
    return size, sorted(fields.values())

def flip(body):  # one to three bytes of the struct; the small fields behind the sets as often as all others
    size, starts = offsets()
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = struct_at(body) + rng.choice([rng.randrange(size), rng.choice(starts)])
        near = [body[at] ^ 1 << rng.randrange(8), (body[at] + 1) % 256]
        body[at] = rng.choice([0, 1, 255, rng.randrange(256), *near])

def head(body):
    body[rng.randrange(struct_at(body))] = rng.randrange(256)

def garbage(body):
    at, size = struct_at(body), offsets()[0]
    start = at + rng.choice([0, rng.randrange(size)])
    body[start : at + size] = rng.randbytes(at + size - start)

bodies, accepted = collect(), 0
for _ in range(number):
    body = bytearray(rng.choice(bodies))
    {"flip": flip, "head": head, "garbage": garbage}[kind](body)
    try:
        state = ds.State.from_bytes(sealed(body))
    except ds.DsSimError:
        continue
    accepted += 1
    state.to_dict(), hash(state), state.dominant(), state.matches()
    for _ in walk(state, uniform(rng), 60):
        state.verify()
        assert state.is_terminal or state.legal_actions().size > 1
print(accepted)
"""


@pytest.mark.parametrize("seed", range(2))
def test_crafted_structs(seed):
    assert int(run_python(CRAFTED, str(seed), "flip", "2000")) > 60


@pytest.mark.parametrize("kind", ["head", "garbage"])
def test_crafted_heads_and_garbage(kind):
    run_python(CRAFTED, "1", kind, "800")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 14))
def test_many_crafted_structs(seed):
    run_python(CRAFTED, str(seed), "flip", "100000")


# ---- states that look right at once, but come to nothing ----


def at_node(node, **rules):
    for seed in range(1000):
        state = ds.State(ds.Rules(**rules), seed=seed, explicit_chance=True)
        for _ in walk(state, biased(random.Random(seed))):
            if state.node == node and state.turn > 1:
                return state.to_dict()
    raise AssertionError(node)


def check_refused_or_sound(data):
    try:
        state = ds.State.from_dict(data, seed=1)
    except ds.InvalidState:
        return
    for _ in walk(state, uniform(random.Random(1))):
        state.verify()


def test_card_revealed_though_five_are_face_up():
    data = at_node("reveal_tile")
    assert len(data["cards"]["face_up"]) == 5
    check_refused_or_sound(without(data, "cursor", "legal") | {"node": "reveal_card"})


def test_draws_into_full_boxes():
    data = at_node("draw_element")
    check_refused_or_sound(
        without(data, "legal") | {"cursor": {"draw": 0}, "boxes": data["boxes"] | whole_box(data)}
    )


def whole_box(data):
    """A full Adaptation box, from the bag."""
    element = max(data["bag"], key=data["bag"].__getitem__)
    before = data["boxes"]["adaptation"]
    for name, number in before.items():
        data["bag"][name] = data["bag"].get(name, 0) + number
    data["bag"][element] -= 4
    return {"adaptation": {element: 4}}


def test_initiative_of_an_animal_without_a_pawn():
    data = at_node("initiative")
    owner = data["actor"]
    others = [animal for animal in data["rules"]["animals"] if not data["pawns"].get(animal)]
    assert owner not in others and others
    check_refused_or_sound(without(data, "legal") | {"actor": others[0]})


def test_immigrants_of_an_animal_that_has_lost_a_pawn_already():
    data = at_node("immigrants", animals=("mammal", "bird"), cards=["immigrants"])
    pawns = data["pawns"] | {data["actor"]: 6 - list(data["spaces"].values()).count(data["actor"])}
    try:
        state = ds.State.from_dict(without(data, "legal") | {"pawns": pawns})
    except ds.InvalidState:
        return
    state.apply("lose_pawn")
    state.verify()


def test_reseed_after_ice_age():
    data = at_node("reveal_tile", cards=["ice_age"])
    check_refused_or_sound(without(data, "legal") | {"cards": {"face_up": [], "taken": ["ice_age"]}})


def test_reseed_after_the_last_turn():
    data = at_node("draw_element")
    check_refused_or_sound(without(data, "legal") | {"turn": 100})


@pytest.mark.parametrize("vp", [10**6, 10**8, 2**31 - 1])
def test_vast_vps(vp):
    data = at_node("glaciate", animals=("mammal", "bird"), bonus_vp=[1000])
    check_refused_or_sound(data | {"vp": {"mammal": vp, "bird": vp}})


def without(data, *keys):
    return {key: value for key, value in data.items() if key not in keys}


# ---- plain data ----

NONSENSE = [
    None,
    True,
    -1,
    2**31,
    2**70,
    1.5,
    float("nan"),
    "x",
    "",
    [],
    {},
    [[]],
    [None],
    {"a": 1},
    {"": None},
    {1: 2},
]
MAY_BE = {
    ("hibernating", "None"),
    ("vp", "{}"),
    ("eliminated", "{}"),
    ("spaces", "{}"),
    ("cursor", "{}"),
    ("rules", "{}"),
}
PLAIN = ds.State(seed=1).to_dict()


@pytest.mark.parametrize("key", PLAIN)
def test_missing_keys(key):
    data = without(PLAIN, key)
    if key in ("cursor", "legal"):
        assert ds.State.from_dict(data) == ds.State(seed=1)
    else:
        with pytest.raises(ds.DsSimError, match=key):
            ds.State.from_dict(data)


@pytest.mark.parametrize("key", PLAIN)
def test_nonsense_for_a_key(key):
    for value in NONSENSE:
        if (key, repr(value)) not in MAY_BE:
            with pytest.raises(ds.DsSimError):
                ds.State.from_dict(PLAIN | {key: value})


def test_nonsense_anywhere():
    """At every value of the plain form: an error, or the same state."""
    state = ds.State(ds.Rules(("mammal", "bird"), dominance_claims="declared"), seed=1)
    data = without(state.to_dict(), "legal")
    for path in paths(data):
        for value in NONSENSE:
            check_nonsense(state, data, path, value)


def check_nonsense(state, data, path, value):
    crafted = copy.deepcopy(data)
    inner = crafted
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    try:
        other = ds.State.from_dict(crafted)
    except ds.DsSimError:
        return
    other.verify()
    assert other == state or other.to_dict() != state.to_dict(), path
    assert type(value) is type(same(other.to_dict(), path)) or value in ({}, []), (path, value)


def same(data, path):
    for key in path:
        data = data[key] if not isinstance(data, dict) else data.get(key)
    return data


def paths(data, path=()):
    for key, item in data.items() if isinstance(data, dict) else enumerate(data):
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from paths(item, (*path, key))


@pytest.mark.parametrize(
    "data", [None, 1, "state", [], [PLAIN], {}, {"format": 1}, {1: 2}], ids=lambda d: repr(d)[:16]
)
def test_no_plain_data(data):
    with pytest.raises(ds.DsSimError):
        ds.State.from_dict(data)


@pytest.mark.parametrize("version", [0, 2, True, 1.0, "1", None, [1]], ids=repr)
def test_format(version):
    with pytest.raises(ds.InvalidState, match="format"):
        ds.State.from_dict(PLAIN | {"format": version})


@pytest.mark.parametrize(
    "key", ["cursor", "cards", "boxes", "tiles", "stacks", "hibernating", "rules", "junk"]
)
def test_unknown_keys(key):
    data = copy.deepcopy(PLAIN)
    if key == "junk":
        data["junk"] = 1
    elif key == "stacks":
        data["stacks"][0]["junk"] = 1
    elif key == "hibernating":
        data["hibernating"] = {"animal": "bird", "hex": "D3", "count": 1, "junk": 1}
    else:
        data[key]["junk"] = {}
    with pytest.raises(ds.DsSimError, match="junk"):
        ds.State.from_dict(data)


@pytest.mark.parametrize("key", PLAIN)
def test_deep_nesting(key):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    inner = {"place": deep} if key == "cursor" else deep
    with pytest.raises(ds.DsSimError):
        ds.State.from_dict(PLAIN | {key: inner})
    while (
        deep
    ):  # taken apart step by step: so deep a list overflows the stack of its own destruction elsewhere
        deep = deep.pop()


def test_from_dict_leaves_its_data_alone():
    data = copy.deepcopy(PLAIN)
    ds.State.from_dict(data)
    assert data == PLAIN


# ---- no state at all ----

UNBORN = """
import ds_sim as ds
state = ds.State.__new__(ds.State)
for question in ("legal_actions", "legal_mask", "dominant", "matches", "verify", "chance_outcomes", "returns",
                 "to_dict", "to_bytes", "clone", "reseed", "__hash__"):
    try:
        getattr(state, question)()
    except Exception as error:
        assert not isinstance(error, SystemError), error
for name in ("node", "actor", "winner", "scores", "turn", "history", "rules"):
    getattr(state, name, None)
try:
    state == ds.State(seed=1), state.apply(0)
except Exception:
    pass
"""


def test_a_state_never_begun_does_not_crash():
    """E-11: `__new__` without `__init__`, as a subclass that forgets `super().__init__()` does."""
    run_python(UNBORN)
