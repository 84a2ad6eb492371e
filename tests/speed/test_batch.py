"""Batches: every row is a single state, whatever the size; what does not fit is refused, nothing changed."""

import copy
import gc

import numpy as np
import pytest
from playing import FOUR, PAIR, SHORT, columns_of, positions

import ds_sim as ds
from ds_sim import observation
from ds_sim.actions import N_ACTIONS, PASS
from ds_sim.nodes import NODES

SIZES = [1, 255, 256, 257, 65537]


def singles(size, rules=SHORT, seed=2, first=0, step=1):
    return [ds.State(rules, seed=seed, index=first + i) for i in range(0, size, step)]


def same(batch, row, state):
    """To the bit, random stream included, and in what is legal."""
    return batch.array[row].tobytes() == state.array.tobytes() and batch.state(row) == state


def step(batch, number, **options):
    actions = batch.random_actions(seed=8, index=number)
    batch.apply(actions, **options)
    return actions


# ---- rows are states ----


@pytest.mark.parametrize("size", SIZES)
def test_every_row_is_the_same_in_two_runs_and_as_a_state(size):
    """E-4; of the largest batch every 16th row is held against a state."""
    one, other = (ds.Batch(SHORT, size, seed=2, first=40) for _ in range(2))
    every = 16 if size > 1000 else 1
    states = singles(size, first=40, step=every)
    assert len({row.tobytes() for row in one.array}) == size
    for number in range(4):
        assert one.array.tobytes() == other.array.tobytes()
        masks, counts = one.legal_mask(), one.legal_counts()
        actions = step(one, number)
        assert step(other, number).tobytes() == actions.tobytes()
        for row, state in zip(range(0, size, every), states, strict=True):
            legal = np.flatnonzero(masks[row]).tolist()
            assert legal == state.legal_actions().tolist() and len(legal) == counts[row]
            state.apply(int(actions[row]))
    for row, state in zip(range(0, size, every), states, strict=True):
        assert same(one, row, state)


def test_masks_are_lists_at_all_rows_and_nodes_to_the_end():
    """E-13, E-42: whole games, under several rule sets; together they meet nearly every node."""
    nodes = set()
    for rules in (FOUR, FOUR.replace(dominance_claims="declared"), ds.Rules(initiative_restay=True)):
        batch, states = ds.Batch(rules, 12, seed=3), singles(12, rules, 3)
        number = 0
        while not batch.is_terminal.all():
            nodes |= {state.node for state in states}
            mask = batch.legal_mask()
            assert mask.dtype == bool and mask.shape == (12, N_ACTIONS)
            assert [NODES[node] for node in batch.array["node"]] == [state.node for state in states]
            actions = step(batch, number)
            for row, state in enumerate(states):
                assert np.flatnonzero(mask[row]).tolist() == state.legal_actions().tolist()
                if not state.is_terminal:
                    state.apply(int(actions[row]))
            number += 1
        assert all(same(batch, row, state) for row, state in enumerate(states))
    assert len(nodes) >= 45


def test_random_actions_are_legal_and_even():
    batch = ds.Batch(PAIR, 41 * 400, seed=1)
    actions = batch.random_actions(seed=3)
    assert batch.legal_mask()[np.arange(len(batch)), actions].all()
    counts = np.bincount(actions, minlength=42)[1:42]
    assert (
        (counts - 400) ** 2 / 400
    ).sum() < 80  # chi-squared, 40 degrees of freedom: 1 in 5,000 is above 80
    assert batch.random_actions(seed=3).tobytes() == actions.tobytes()
    assert batch.random_actions(seed=3, index=1).tobytes() != actions.tobytes()


def test_finished_rows_stay_and_take_pass_alone():
    batch = ds.Batch(SHORT, 5, seed=1)
    number = 0
    while not batch.is_terminal.all():
        step(batch, number)
        number += 1
    before = batch.array.tobytes()
    assert not batch.legal_mask().any() and not batch.legal_counts().any()
    assert (batch.random_actions(seed=1) == PASS).all()
    batch.apply(np.zeros(5, np.uint8))
    with pytest.raises(ds.IllegalAction, match=r"row 3; in row 3: 7 \(place:.*\) at node 'end'"):
        batch.apply([0, 0, 0, 7, 0])
    assert batch.array.tobytes() == before


def test_ended_marks_rows_just_ended():
    batch, ended, number = ds.Batch(SHORT, 30, seed=1), np.ones(30, bool), 0
    while not batch.is_terminal.all():
        over = batch.is_terminal
        step(batch, number, ended=ended)
        assert (ended == (batch.is_terminal & ~over)).all()
        number += 1


def test_auto_reset_begins_the_game_a_size_further_on():
    batch, ended = ds.Batch(SHORT, 3, seed=2, first=10, auto_reset=True), np.zeros(3, bool)
    states, indices = singles(3, first=10), [10, 11, 12]
    for number in range(1500):
        actions = step(batch, number, ended=ended)
        for row in range(3):
            states[row].apply(int(actions[row]))
            assert ended[row] == states[row].is_terminal
            if ended[row]:
                indices[row] += 3
                states[row] = ds.State(SHORT, seed=2, index=indices[row])
        assert batch.indices.tolist() == indices and not batch.is_terminal.any()
        assert all(same(batch, row, state) for row, state in enumerate(states))
    assert min(indices) > 20


def test_auto_reset_of_games_that_are_over_at_once():
    rules = PAIR.replace(pawns=0, max_turns=1, abilities=dict.fromkeys(ds.board.ANIMALS, False))
    batch = ds.Batch(rules, 3, seed=1, auto_reset=True)
    batch.apply([0, 0, 0])
    assert batch.is_terminal.all() and batch.indices.tolist() == [0, 1, 2]


def test_reset_of_marked_rows():
    batch = ds.Batch(SHORT, 4, seed=2)
    for number in range(30):
        step(batch, number)
    before = [row.tobytes() for row in batch.array]
    batch.reset(where=np.array([True, False, False, True]))
    assert batch.indices.tolist() == [4, 1, 2, 7]
    assert same(batch, 0, ds.State(SHORT, seed=2, index=4)) and same(
        batch, 3, ds.State(SHORT, seed=2, index=7)
    )
    assert [row.tobytes() for row in batch.array][1:3] == before[1:3]
    batch.reset()
    assert batch.indices.tolist() == [8, 5, 6, 11]


def test_apply_where_marked():
    """What stands for other rows is not looked at."""
    batch, states = ds.Batch(SHORT, 4, seed=2), singles(4)
    actions = np.array([255, 3, 200, 5], np.uint8)
    ended = np.ones(4, bool)
    batch.apply(actions, where=np.array([False, True, False, True]), ended=ended)
    states[1].apply(3)
    states[3].apply(5)
    assert all(same(batch, row, state) for row, state in enumerate(states)) and not ended.any()
    batch.apply(actions, where=np.zeros(4, bool))
    assert all(same(batch, row, state) for row, state in enumerate(states))


def test_states_in_and_out():
    """E-7: streams included, and nothing shared."""
    states = positions(SHORT, games=2)
    kept = [state.to_bytes() for state in states]
    batch = ds.Batch.of(states)
    assert all(same(batch, row, state) for row, state in enumerate(states))
    out = [batch.state(row) for row in range(len(states))]
    step(batch, 1)
    assert [state.to_bytes() for state in states] == kept
    assert [state == before for state, before in zip(out, states, strict=True)] == [True] * len(states)
    assert batch.state(-1) == batch.state(len(states) - 1)
    for state in out:  # they go on by themselves, on streams of their own
        while not state.is_terminal:
            state.apply(int(state.legal_actions()[0]))


def test_states_at_chance_nodes_go_on():
    state = ds.State(SHORT, seed=3, explicit_chance=True)
    batch = ds.Batch.of([state])
    assert not batch.state(0).is_chance and batch.state(0) == ds.State(SHORT, seed=3)


def test_the_seed_of_games_begun_by_a_batch_of_states():
    """E-3."""
    state = ds.State(SHORT, seed=3)
    one, other = (ds.Batch.of([state]) for _ in range(2))
    assert one.seed != other.seed
    told = ds.Batch.of([state, state], seed=5)
    told.reset()
    assert same(told, 1, ds.State(SHORT, seed=5, index=3))


def test_clones_are_independent():
    batch = ds.Batch(SHORT, 6, seed=2, auto_reset=True)
    step(batch, 0)
    clone = batch.clone()
    assert clone.array.tobytes() == batch.array.tobytes() and clone.auto_reset
    before = clone.array.tobytes()
    for number in range(1, 400):
        step(batch, number)
    assert clone.array.tobytes() == before
    for number in range(1, 400):
        step(clone, number)
    assert clone.array.tobytes() == batch.array.tobytes()
    assert clone.indices.tolist() == batch.indices.tolist()


def test_a_batch_is_not_copied_by_accident():
    with pytest.raises(TypeError):
        copy.deepcopy(ds.Batch(PAIR, 1))


def test_the_array_is_read_only_and_outlives_its_batch():
    array = ds.Batch(PAIR, 3, seed=1).array
    gc.collect()
    assert array["turn"].tolist() == [1, 1, 1]
    for write in (lambda: array["turn"].__setitem__(0, 5), lambda: array.setflags(write=True)):
        with pytest.raises(ValueError, match=r"read-only|WRITEABLE"):
            write()


# ---- playouts ----


def of_seed(state):
    legal = state.legal_actions()
    return int(legal[state.seed % len(legal)])


def test_playouts_of_a_batch_are_playouts_from_its_rows():
    policies = {"mammal": "uniform", "bird": "uniform", "arachnid": "uniform", "insect": of_seed}
    batch = ds.Batch(SHORT, 12, seed=2)
    for number in range(90):
        step(batch, number)
    before = batch.array.tobytes()
    results = batch.playout(policies, seed=6, threads=3)
    assert batch.array.tobytes() == before
    for row in range(12):
        alone = ds.playouts_from(batch.state(row), 1, policies, seed=6, first=row)
        assert columns_of(alone) == {
            name: getattr(results, name)[row : row + 1].tobytes() for name in columns_of(alone)
        }


def test_playouts_of_rows_that_are_over():
    end = positions(SHORT, games=1)[-1]
    results = ds.Batch.of([end, end]).playout(seed=1)
    assert results.vp.tolist() == [end.scores.tolist()] * 2 and not results.decisions.any()
    assert [ds.board.ANIMALS[w] for w in results.winner] == [end.winner] * 2
    assert not results.vp_by_source.any()


# ---- observations ----


def test_observations_are_kept_and_are_those_of_states():
    """E-15: keep, step, compare."""
    batch, states = ds.Batch(SHORT, 6, seed=2), singles(6)
    kept = batch.observation()
    before = kept.copy()
    out = np.full_like(kept, -1)
    assert batch.observation(out=out) is out and (out == before).all()
    for number in range(50):
        actions = step(batch, number)
        for state, action in zip(states, actions, strict=True):
            state.apply(int(action))
    assert (kept == before).all() and (batch.observation() != before).any()
    for row, state in enumerate(states):
        assert (batch.observation()[row] == observation.observe(state.array)[0]).all()


def test_masks_and_counts_are_kept():
    """E-15."""
    batch = ds.Batch(SHORT, 6, seed=2)
    kept = batch.legal_mask(), batch.legal_counts(), batch.indices, batch.is_terminal
    before = [array.copy() for array in kept]
    for number in range(50):
        step(batch, number)
    batch.reset()
    assert all((a == b).all() for a, b in zip(kept, before, strict=True))


def test_outputs_are_filled_in_place():
    batch = ds.Batch(SHORT, 6, seed=2)
    for name, dtype, shape in (("legal_mask", bool, (6, N_ACTIONS)), ("legal_counts", np.int32, (6,))):
        out = np.ones(shape, dtype)
        assert getattr(batch, name)(out=out) is out and (out == getattr(batch, name)()).all()
    out = np.full(6, 255, np.uint8)
    assert batch.random_actions(4, out=out) is out and (out == batch.random_actions(4)).all()


# ---- bad input ----


@pytest.fixture
def batch():
    return ds.Batch(SHORT, 4, seed=2)


def read_only(array):
    array.flags.writeable = False
    return array


def outputs(dtype, shape):
    """What is no output of that kind, E-11."""
    wrong = np.float64 if dtype != np.float64 else np.int8
    longer = (shape[0] + 1, *shape[1:])
    return [
        np.zeros(shape, wrong),
        np.zeros(longer, dtype),
        np.zeros(shape[::-1] if len(shape) > 1 else (*shape, 1), dtype),
        np.zeros((*shape[:-1], 2 * shape[-1]), dtype)[..., ::2],
        read_only(np.zeros(shape, dtype)),
        np.zeros(shape, dtype).tolist(),
        "out",
    ]


@pytest.mark.parametrize("which", range(7))
@pytest.mark.parametrize(
    ("call", "dtype", "shape"),
    [
        (lambda batch, out: batch.legal_mask(out=out), bool, (4, N_ACTIONS)),
        (lambda batch, out: batch.legal_counts(out=out), np.int32, (4,)),
        (lambda batch, out: batch.random_actions(1, out=out), np.uint8, (4,)),
        (lambda batch, out: batch.apply([1, 2, 3, 4], ended=out), bool, (4,)),
    ],
)
def test_outputs_that_do_not_fit(batch, call, dtype, shape, which):
    out, before = outputs(dtype, shape)[which], batch.array.tobytes()
    with pytest.raises(ds.RunError, match=r"(out|ended): .*expected"):
        call(batch, out)
    assert batch.array.tobytes() == before


@pytest.mark.parametrize("out", [np.zeros((4, 3), np.float32), np.zeros((4, observation.SIZE)), "out"])
def test_observation_outputs_that_do_not_fit(batch, out):
    with pytest.raises(ds.DsSimError, match="out"):
        batch.observation(out=out)


@pytest.mark.parametrize(
    "actions",
    [
        [1, 2, 3],
        [1, 2, 3, 4, 5],
        [[1, 2, 3, 4]],
        7,
        [],
        [1.0, 2.0, 3.0, 4.0],
        [True, False, True, True],
        ["pass"] * 4,
        [None] * 4,
        [1, 2, 3, -1],
        [1, 2, 3, 235],
        np.array([1, 2, 3, 2**63], np.uint64),
        np.array([1, 2, 3, -(2**40)]),
        np.array([1, 2, 3, 255], np.uint8),
        [1, 2, 3, 150],
        [0, 2, 3, 4],
    ],
)
def test_actions_that_do_not_fit(batch, actions):
    """E-9, E-11: nothing is changed, `ended` neither."""
    before, ended = batch.array.tobytes(), np.ones(4, bool)
    with pytest.raises(ds.IllegalAction, match="actions: "):
        batch.apply(actions, ended=ended)
    assert batch.array.tobytes() == before and ended.all()


def test_every_illegal_action_is_refused(batch):
    """E-9: in one row, the others being fine."""
    for number in range(60):
        mask, actions = batch.legal_mask(), batch.random_actions(seed=8, index=number)
        before = batch.array.tobytes()
        for action in np.flatnonzero(~mask[2]):
            wrong = actions.copy()
            wrong[2] = action
            with pytest.raises(ds.IllegalAction, match=f"illegal in row 2; in row 2: {action} "):
                batch.apply(wrong)
        assert batch.array.tobytes() == before
        batch.apply(actions)


def test_the_rows_are_named():
    batch = ds.Batch(SHORT, 20, seed=2)
    with pytest.raises(
        ds.IllegalAction, match=r"row 0, 1, 2, 3, 4, 5, 6, 7, \.\.\. \(20 in all\); in row 0: 226"
    ):
        batch.apply(np.full(20, 226))


@pytest.mark.parametrize("dtype", ["u1", "i1", "i2", ">u2", "<i4", ">i8", "u8"])
def test_integers_of_any_kind_are_actions(batch, dtype):
    strided = np.repeat(np.array([4, 3, 2, 1], dtype), 2)[::2]
    batch.apply(read_only(strided))
    states = singles(4)
    for state, action in zip(states, (4, 3, 2, 1), strict=True):
        state.apply(action)
    assert all(same(batch, row, state) for row, state in enumerate(states))


@pytest.mark.parametrize("where", [[True], np.ones(4), np.ones(4, np.uint8), np.ones((4, 1), bool), "all", 1])
def test_marks_that_do_not_fit(batch, where):
    before = batch.array.tobytes()
    for call in (lambda: batch.apply([1, 2, 3, 4], where=where), lambda: batch.reset(where)):
        with pytest.raises(ds.RunError, match=r"where: .*expected an array of bool \(4,\)"):
            call()
    assert batch.array.tobytes() == before


@pytest.mark.parametrize("size", [0, -1, True, 2.0, "4", None, 2**32 + 1])
def test_sizes(size):
    with pytest.raises(ds.RunError, match=r"size = .*expected an integer from 1"):
        ds.Batch(PAIR, size)


@pytest.mark.parametrize("arguments", [{"seed": -1}, {"seed": True}, {"first": 2**64}, {"rules": "all"}])
def test_what_a_batch_is_made_of(arguments):
    with pytest.raises(ds.DsSimError, match=f"{next(iter(arguments))} = .*expected"):
        ds.Batch(**{"rules": PAIR, "size": 2, **arguments})


def test_the_last_index_there_is():
    assert ds.Batch(PAIR, 2, seed=1, first=2**64 - 2).indices.tolist() == [2**64 - 2, 2**64 - 1]
    with pytest.raises(ds.RunError, match=r"first = .*expected at most"):
        ds.Batch(PAIR, 3, seed=1, first=2**64 - 2)


@pytest.mark.parametrize("row", [4, -5, 2**70, 1.0, None, "0"])
def test_rows_that_are_none(batch, row):
    with pytest.raises(ds.RunError, match=r"row = .*expected"):
        batch.state(row)


@pytest.mark.parametrize("states", [[], [None], [ds.State(PAIR, seed=1), 3]])
def test_batches_of_no_states(states):
    with pytest.raises(ds.RunError, match=r"states = .*expected one or more"):
        ds.Batch.of(states)


def test_batches_of_states_under_several_rules():
    with pytest.raises(ds.RunError, match=r"the same rules"):
        ds.Batch.of([ds.State(PAIR, seed=1), ds.State(FOUR, seed=1)])


def test_a_seed_left_out_is_drawn_and_told():
    """E-3."""
    one, other = ds.Batch(PAIR, 2), ds.Batch(PAIR, 2)
    assert one.seed != other.seed
    assert ds.Batch(PAIR, 2, seed=one.seed).array.tobytes() == one.array.tobytes()


# ---- actions of policies ----


@ds.policy
def last(view, legal, n):
    return n - 1


@ds.policy
def broken(view, legal, n):
    if view.turn > 0:
        raise ValueError("as meant")
    return 0


def test_policies_choose_row_by_row():
    """Each animal's own; rows left out, and games that are over, get PASS."""
    batch = ds.Batch(FOUR, 50, seed=3)
    policies = dict.fromkeys(FOUR.animals, "uniform") | {FOUR.animals[0]: last}
    first, second = (ds.board.ANIMAL_ID[animal] for animal in FOUR.animals[:2])
    seen = set()
    for step in range(60):
        asked = np.arange(50) % 7 != step % 7
        actions = batch.policy_actions(policies, seed=1, index=step, where=asked)
        mask, actor = batch.legal_mask(), batch.array["actor"]
        assert not actions[~asked].any() and mask[asked, actions[asked]].all()
        mine = asked & (actor == first)
        assert (actions[mine] == 234 - mask[mine][:, ::-1].argmax(axis=1)).all()
        seen |= set(actions[asked & (actor == second)].tolist())
        batch.apply(actions, where=asked)
    assert len(seen) > 10
    again = batch.policy_actions("uniform", seed=1)
    assert (again == batch.policy_actions("uniform", seed=1)).all()
    assert (again != batch.policy_actions("uniform", seed=2)).any()


def test_a_policy_that_fails_in_a_batch_is_named():
    batch = ds.Batch(ds.Rules(animals=("bird", "insect")), 9, seed=3)
    before = batch.array.tobytes()
    with pytest.raises(ds.PolicyError, match="'broken' raised ValueError: as meant"):
        batch.policy_actions(broken, seed=1)
    with pytest.raises(ds.PolicyError, match=r"<lambda>.* 999"):
        batch.policy_actions(lambda state: 999, seed=1)
    with pytest.raises(ds.PolicyError, match="policies key = 'mammal'"):
        batch.policy_actions({"mammal": "uniform"}, seed=1)
    assert batch.array.tobytes() == before
