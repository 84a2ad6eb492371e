"""Recorded games (protocol section 5)."""

import base64
import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ds_sim as ds
from ds_sim import actions
from ds_sim.errors import DsSimError, RecordError
from ds_sim.playouts import playouts
from ds_sim.records import (
    RULES_VERSION,
    Record,
    digest,
    play_record,
    read_records,
    records_of,
    write_records,
)

GOLDEN = Path(__file__).parent / "golden" / "games.jsonl"
TWO = ds.Rules(animals=("bird", "insect"), max_turns=6)  # short games


@pytest.fixture(scope="module")
def record() -> Record:
    return play_record(TWO, seed=7, index=3, digests=True)


def golden_record(game: dict) -> Record:
    fields = ("vp", "winner", "turns", "truncated")
    made = base64.b64decode(game["actions"])
    return Record(ds.Rules.from_dict(game["rules"]), 0, 0, made, **{field: game[field] for field in fields})


def golden_games(count: int) -> list[dict]:
    return [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()[:count]]


@pytest.mark.parametrize("game", golden_games(8), ids=lambda game: game["name"])
def test_golden_games_verify_and_have_the_golden_digests(game):
    record = golden_record(game)
    record.verify()
    last = len(record.actions) - 1
    kept = [digest(s.state) for s in record.replay() if s.number % 25 == 24 or s.number == last]
    assert kept == game["digests"]


def test_a_played_game_replays_to_its_recorded_end(record):
    end = record.verify()
    assert end.is_terminal and end.winner == record.winner
    assert {a: end.to_dict()["vp"].get(a, 0) for a in TWO.animals} == dict(record.vp)


def test_a_record_holds_the_chance_actions_too(record):
    steps = list(record.replay())
    assert len(steps) == len(record.actions)
    assert steps[0].actor == "chance" and {step.actor for step in steps} == {"chance", "bird", "insect"}


def test_steps_keep_their_own_states(record):
    states = [step.state for step in record.replay()]
    late = [digest(state) for state in states]
    assert late == [digest(step.state) for step in record.replay()]


def test_the_game_depends_on_seed_and_index_alone():
    games = {(s, i): play_record(TWO, seed=s, index=i).actions for s in (0, 1) for i in (0, 1)}
    assert len(set(games.values())) == 4
    assert play_record(TWO, seed=1, index=0).actions == games[1, 0]


def test_recording_a_game_does_not_change_it():
    """Chance passes by the same draws whether it is written down, shown, or neither."""
    rules = TWO.replace(max_turns=100)  # long enough for the bag and the deck to run out
    record = play_record(rules, seed=5, index=2)
    plain, recording = (ds.State(rules, seed=5, index=2, record=kept) for kept in (False, True))
    for step in record.replay():
        if step.actor != "chance":
            plain.apply(step.action)
            recording.apply(step.action)
    assert plain == recording == record.verify()
    assert Record.of(recording) == replace(record, policies={})


def test_a_record_is_the_game_that_playouts_play():
    results = playouts(TWO, 4, seed=3, first=10, keep_records=True)
    records = list(records_of(results))
    assert records == [play_record(TWO, seed=3, index=10 + row) for row in range(4)]
    for row, record in enumerate(records):
        record.verify()
        assert record.winner == ds.board.ANIMALS[results.winner[row]]
    with pytest.raises(RecordError, match="keep_records"):
        next(records_of(playouts(TWO, 1, seed=3)))


# Text form


def test_the_text_form_has_the_keys_of_the_protocol(record):
    plain = replace(record, digests=b"", policies={})
    data = json.loads(plain.to_json())
    assert base64.b64decode(data.pop("actions")) == plain.actions
    assert data.pop("rules_version") == RULES_VERSION
    assert data == {
        "format": 1,
        "rules": {"animals": ["bird", "insect"], "max_turns": 6},
        "seed": 7,
        "index": 3,
        "vp": dict(record.vp),
        "winner": record.winner,
        "turns": record.turns,
        "truncated": record.truncated,
    }
    assert "\n" not in plain.to_json()


def test_a_record_with_the_protocol_keys_alone_is_read(record):
    data = json.loads(record.to_json())
    for key in ("rules_version", "digests", "policies"):
        del data[key]
    assert Record.from_json(json.dumps(data)) == replace(record, digests=b"", policies={})


def test_text_and_binary_form_come_back(record):
    for one in (record, replace(record, digests=b""), replace(record, winner=None, error="Zoë: 日本")):
        assert Record.from_json(one.to_json()) == one
        assert Record.from_bytes(one.to_bytes()) == one
    assert len(record.to_bytes()) < len(record.to_json())


SPOILED = [
    ("format", 2),
    ("format", True),
    ("rules", {"animals": ["bird"]}),
    ("rules", None),
    ("seed", -1),
    ("seed", 2**64),
    ("seed", 1.0),
    ("index", "0"),
    ("actions", "*"),
    ("actions", 3),
    ("vp", {"bird": 3}),
    ("vp", {"bird": 3, "insect": -1}),
    ("vp", {"bird": 3, "insect": True}),
    ("vp", [3, 4]),
    ("winner", "mammal"),
    ("winner", ["bird"]),
    ("turns", 0),
    ("turns", 101),
    ("truncated", 0),
    ("digests", "AAAA"),
    ("rules_version", "1"),
    ("policies", "uniform"),
    ("policies", {"mammal": "uniform"}),
    ("policies", {"bird": 3}),
    ("error", 3),
]


@pytest.mark.parametrize(("key", "value"), SPOILED)
def test_a_spoiled_field_is_refused_by_name(record, key, value):
    data = json.loads(record.to_json()) | {key: value}
    with pytest.raises(RecordError, match=key):
        Record.from_json(json.dumps(data))


@pytest.mark.parametrize(
    "key", ["format", "rules", "seed", "index", "actions", "vp", "winner", "turns", "truncated"]
)
def test_a_missing_key_is_named(record, key):
    data = json.loads(record.to_json())
    del data[key]
    with pytest.raises(RecordError, match=f"'{key}' is missing"):
        Record.from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3"])
def test_text_that_is_no_record(text):
    with pytest.raises(RecordError):
        Record.from_json(text)


# Binary form


def test_every_truncation_of_the_binary_form_is_refused(record):
    data = record.to_bytes()
    for length in range(0, len(data), 7):
        with pytest.raises(RecordError):
            Record.from_bytes(data[:length])
    with pytest.raises(RecordError, match="lengths"):
        Record.from_bytes(data + b"\0")


@given(st.data())
def test_every_flipped_bit_of_the_binary_form_is_noticed(record, data):
    good = record.to_bytes()
    bit = data.draw(st.integers(0, 8 * len(good) - 1))
    spoiled = bytearray(good)
    spoiled[bit // 8] ^= 1 << bit % 8
    with pytest.raises(RecordError):
        Record.from_bytes(bytes(spoiled))


# Mismatches


def test_an_illegal_action_is_named_by_its_index(record):
    spoiled = bytearray(record.actions)
    spoiled[40] = actions.LOSE_PAWN
    with pytest.raises(RecordError, match=r"^action 40: .*lose_pawn"):
        replace(record, actions=bytes(spoiled)).verify()


def test_with_digests_the_first_differing_action_is_named(record):
    """E-27"""
    spoiled = bytearray(record.digests)
    spoiled[2 * 33] ^= 1
    with pytest.raises(RecordError, match=r"^action 33 \(.*\) leads to another state than recorded$"):
        replace(record, digests=bytes(spoiled)).verify()


def test_a_mismatch_under_another_rules_version_says_so(record):
    """E-27"""
    old = replace(record, digests=bytes(len(record.digests)), rules_version=RULES_VERSION + 1)
    with pytest.raises(RecordError, match=f"recorded under rules version {RULES_VERSION + 1}"):
        old.verify()


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("vp", lambda r: {**r.vp, "bird": r.vp["bird"] + 1}),
        ("winner", lambda r: next(a for a in TWO.animals if a != r.winner)),
        ("turns", lambda r: r.turns - 1),
        ("truncated", lambda r: not r.truncated),
        ("winner", lambda r: None),
    ],
)
def test_an_end_other_than_recorded_is_named(record, field, change):
    with pytest.raises(RecordError, match=f"^{field}: recorded as "):
        replace(record, **{field: change(record)}).verify()


def test_a_game_cut_short_does_not_verify(record):
    with pytest.raises(RecordError):
        replace(record, actions=record.actions[:-1], digests=b"").verify()


# Files


def test_a_file_of_records_comes_back(tmp_path, record):
    folder = tmp_path / "Zoë 日本"
    folder.mkdir()
    path = folder / "games.dsl.jsonl"
    written = [record, play_record(ds.Rules(animals=("mammal", "bird", "insect")), seed=0)]
    assert write_records(path, written) == 2
    assert list(read_records(path)) == written
    assert b"\r" not in path.read_bytes()
    assert os.listdir(folder) == ["games.dsl.jsonl"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, record):
    path = tmp_path / "games.dsl.jsonl"
    write_records(path, [record])

    def failing():
        yield record
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(path, failing())
    assert list(read_records(path)) == [record]
    assert os.listdir(tmp_path) == ["games.dsl.jsonl"]


def test_a_bad_line_is_named_by_its_number(tmp_path, record):
    path = tmp_path / "games.dsl.jsonl"
    path.write_text(f"{record.to_json()}\n\n{{}}\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"^line 3: "):
        list(read_records(path))
    path.write_bytes(b"\xff\n")
    with pytest.raises(DsSimError, match=r"^line 1: "):
        list(read_records(path))


def test_digests_are_those_of_plain_json_without_the_cursor():
    """The recipe of the golden games, written out once more."""
    state = ds.State(TWO, seed=1)
    plain = {key: value for key, value in state.to_dict().items() if key != "cursor"}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    assert digest(state) == hashlib.sha256(text.encode()).hexdigest()[:16]
