"""Many actions at once: `State.trace`."""

import numpy as np
import pytest

import ds_sim as ds
from ds_sim.errors import DsSimError, IllegalAction, UnknownAction, UnknownName
from ds_sim.records import Record, play_record

RULES = ds.Rules(animals=("bird", "insect"), max_turns=4)


@pytest.fixture(scope="module")
def record() -> Record:
    return play_record(RULES, seed=7)


def test_the_states_are_those_of_single_steps(record):
    state, walker = record.start(), record.start()
    traced = state.trace(record.actions)
    assert traced.dtype == state.array.dtype
    for row, action in zip(traced, record.actions, strict=False):
        assert row.tobytes() == walker.array.tobytes()
        walker.apply(action)
    assert traced[-1].tobytes() == walker.array.tobytes() == state.array.tobytes()
    assert state.is_terminal and state.winner == record.winner
    assert len(traced) == len(record.actions) + 1


def test_fields_are_those_of_the_whole_states(record):
    whole = record.start().trace(record.actions)
    names = ["vp", "turn", "elements", "cursor", "node"]
    some = record.start().trace(record.actions, names)
    assert list(some.dtype.names) == names
    for name in names:
        assert np.array_equal(some[name], whole[name]), name


def test_a_trace_in_parts_is_the_whole(record):
    state = record.start()
    parts = [state.trace(record.actions[:50], ["vp"]), state.trace(record.actions[50:], ["vp"])]
    assert np.array_equal(
        np.concatenate([parts[0][:-1], parts[1]]), record.start().trace(record.actions, ["vp"])
    )


def test_a_recording_state_records_what_it_traces(record):
    state = ds.State(RULES, seed=7, explicit_chance=True, record=True)
    state.apply(record.actions[0])
    state.trace(record.actions[1:])
    assert state.history == record.actions


def test_a_sampling_state_draws_what_it_would_draw_in_single_steps():
    one, other = (ds.State(RULES, seed=5) for _ in range(2))
    taken = []
    while not one.is_terminal:
        taken.append(int(one.legal_actions()[-1]))
        one.apply(taken[-1])
    other.trace(taken)
    assert other.array.tobytes() == one.array.tobytes()


@pytest.mark.parametrize("kind", [list, bytes, bytearray, tuple, np.array, iter])
def test_actions_come_in_any_sequence(record, kind):
    few = list(record.actions[:20])
    state = record.start()
    state.trace(kind(few))
    walker = record.start()
    for action in few:
        walker.apply(action)
    assert state == walker


def test_no_actions_give_the_state_at_hand():
    state = ds.State(RULES, seed=1)
    before = state.array.tobytes()
    assert state.trace(b"").tobytes() == before == state.array.tobytes()


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0], IllegalAction, r"actions\[20\]: action 0 \(pass\) is not legal at node"),
        ([255], UnknownAction, r"actions\[20\]: action 255: expected an integer from 0 to 234"),
        ([300], UnknownAction, r"actions = .*: expected integers from 0 to 234"),
        ([-1], UnknownAction, r"actions = "),
        ([1.5], UnknownAction, r"actions = "),
        (["place:initiative"], UnknownAction, r"actions = "),
        ([None], UnknownAction, r"actions = "),
    ],
)
def test_a_bad_action_is_named_and_none_is_carried_out(record, actions, error, message):
    state = ds.State(RULES, seed=7, explicit_chance=True, record=True)
    state.apply(record.actions[0])
    before, history = state.array.tobytes(), state.history
    with pytest.raises(error, match=message):
        state.trace([*record.actions[1:21], *actions])
    assert (state.array.tobytes(), state.history) == (before, history)
    state.trace(record.actions[1:])
    assert state.is_terminal


def test_a_game_that_is_over_takes_no_more(record):
    state = record.start()
    with pytest.raises(IllegalAction, match="the game is over"):
        state.trace([*record.actions, 0])
    assert state.turn == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (["turns"], r"fields: 'turns' is none of tiles, .*rng; did you mean 'turn'\?"),
        (["turn", "turn"], "fields: 'turn' stands there twice"),
        ([["turn"]], "fields = "),
        (7, "fields = 7"),
        ("turn", r"fields: 't' is none of"),
    ],
)
def test_bad_fields_are_named(record, fields, message):
    state = record.start()
    with pytest.raises(UnknownName, match=message) as caught:
        state.trace(record.actions, fields)
    assert isinstance(caught.value, DsSimError)
    assert state.turn == 1


@pytest.mark.parametrize("fields", [None, ["turn", "cursor"]])
def test_renaming_the_fields_of_a_trace_renames_no_others(record, fields):
    """NumPy lets anyone rename the fields of a dtype in place."""
    seen = record.start().trace(record.actions, fields)
    names = seen.dtype.names
    seen.dtype.names = tuple(f"my {name}" for name in names)
    inner = seen["my cursor"].dtype
    inner.names = tuple(f"my {name}" for name in inner.names)
    again = record.start().trace(record.actions, fields)
    assert again.dtype.names == names
    assert "card" in again["cursor"].dtype.names
    assert record.verify().to_dict()["vp"]


def test_tables_of_actions_are_none(record):
    table = memoryview(bytes(record.actions[:4])).cast("B", (2, 2))
    with pytest.raises(UnknownAction, match="actions = "):
        record.start().trace(table)  # type: ignore[arg-type]
