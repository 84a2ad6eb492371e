"""Games in bulk: the same for any threads and chunks, counted as the rules say, refused if they cannot be."""

import math
import os
import pickle
import random
import statistics
import sys

import numpy as np
import pytest
import reference.cards
from engine_games import ANIMAL_SETS, random_rules
from playing import (
    FOUR,
    PAIR,
    SHORT,
    Counting,
    columns_of,
    digest,
    explicit,
    noting_takers,
    positions,
    replayed,
)

import ds_sim as ds
from ds_sim import _threads
from ds_sim._threads import available_threads
from ds_sim.board import ANIMALS, CARDS, SPACES
from ds_sim.nodes import SOURCES
from ds_sim.playouts import COLUMNS

module = sys.modules["ds_sim.playouts"]  # the package has a function of that name


@ds.policy
def last(view, legal, n):
    return n - 1


@ds.policy
def drawn(view, legal, n):
    return np.int64(view.random >> np.uint64(33)) % n


def of_seed(state):
    legal = state.legal_actions()
    return int(legal[state.seed % len(legal)])


MIXED = {"mammal": "uniform", "bird": drawn, "arachnid": of_seed, "insect": last}


# ---- the same, always ----


@pytest.fixture(scope="module")
def alone():
    return ds.playouts(SHORT, 60, MIXED, seed=3, threads=1, keep_records=True)


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_any_number_of_threads_gives_equal_bytes(alone, threads):
    """E-5, E-41: all columns, the records, and the means."""
    results = ds.playouts(SHORT, 60, MIXED, seed=3, threads=threads, keep_records=True)
    assert columns_of(results) == columns_of(alone) and results.records == alone.records
    for utility in ("win", "rank", "vp"):
        assert results.mean_returns(utility).tobytes() == alone.mean_returns(utility).tobytes()
        assert results.standard_errors(utility).tobytes() == alone.standard_errors(utility).tobytes()


@pytest.mark.parametrize("most", [1, 7, 59, 1000])
def test_any_chunk_gives_equal_bytes(alone, monkeypatch, most):
    """E-5, E-41."""
    monkeypatch.setattr(module, "_CHUNK_MOST", most)
    assert digest(ds.playouts(SHORT, 60, MIXED, seed=3, threads=2, keep_records=True)) == digest(alone)


def test_a_run_in_parts_is_the_run(alone):
    parts = [
        ds.playouts(SHORT, games, MIXED, seed=3, first=first, keep_records=True)
        for first, games in ((0, 1), (1, 40), (41, 19))
    ]
    for name in COLUMNS:
        assert np.concatenate([getattr(p, name) for p in parts]).tobytes() == getattr(alone, name).tobytes()
    assert sum((p.records for p in parts), ()) == alone.records


def test_workers_play_different_games():
    """E-1: 8 workers, 100 games each."""
    results = ds.playouts(SHORT, 800, seed=1, threads=8, keep_records=True)
    assert len(set(results.records)) == 800


def test_two_runs_at_once_are_as_alone():
    """E-2: in one process, from two threads."""
    from concurrent.futures import ThreadPoolExecutor

    def run(seed):
        return digest(ds.playouts(SHORT, 300, seed=seed, threads=2, keep_records=True))

    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(run, (1, 2)))
    assert together == [run(1), run(2)]


def test_no_global_random_stream_is_touched():
    """E-2."""
    before = random.getstate(), np.random.get_state()[1].tolist(), np.random.get_state()[2:]
    ds.playouts(SHORT, 20, MIXED)
    batch = ds.Batch(PAIR, 3)
    batch.apply(batch.random_actions(seed=1))
    batch.playout()
    after = random.getstate(), np.random.get_state()[1].tolist(), np.random.get_state()[2:]
    assert after == before


def test_a_seed_left_out_is_drawn_and_told():
    """E-3."""
    one, other = (ds.playouts(SHORT, 20, keep_records=True) for _ in range(2))
    assert one.seed != other.seed and one.records != other.records
    assert ds.playouts(SHORT, 20, seed=one.seed, keep_records=True).records == one.records


def test_every_seed_counts_zero_included():
    """E-3."""
    seeds = [0, 1, 2**32, 2**63, 2**64 - 1]
    assert len({digest(ds.playouts(SHORT, 5, seed=seed, keep_records=True)) for seed in seeds}) == len(seeds)


def test_the_last_index_there_is():
    results = ds.playouts(PAIR, 2, seed=1, first=2**64 - 2)
    state = ds.State(PAIR, seed=1, index=2**64 - 1)
    assert results.first == 2**64 - 2 and state.index == 2**64 - 1


# ---- what is counted ----


def rule_sets(number, **fixed):
    for i in range(number):
        given = random_rules(random.Random(i), ANIMAL_SETS[i * 5 % len(ANIMAL_SETS)])
        yield i, ds.Rules.from_dict(given | fixed)


def test_all_columns_agree_with_the_reference(monkeypatch):
    """The reference replays the records and counts for itself."""
    monkeypatch.setattr(reference.cards, "carry_out", noting_takers())
    seen = dict.fromkeys(("takers", "placed", "lost", "dominated"), 0)
    for i, rules in rule_sets(14):
        results = ds.playouts(rules, 2, seed=i, keep_records=True)
        for row, actions in enumerate(results.records):
            game = Counting(rules.to_dict())
            for action in actions:
                game.apply(action)
            assert game.is_terminal
            told = {a: results.vp_by_source[row, ANIMALS.index(a)].tolist() for a in rules.animals}
            assert told == {a: [game.vp_by_source[a][s] for s in SOURCES] for a in rules.animals}
            assert results.vp[row].tolist() == [game.vp.get(a, 0) for a in ANIMALS]
            assert ANIMALS[results.winner[row]] == game.winner
            takers = [game.takers.get(card) for card in CARDS]
            assert [None if a < 0 else ANIMALS[a] for a in results.card_taker[row]] == takers
            assert results.placed[row].tolist() == [[game.placed[a, s] for s in SPACES] for a in ANIMALS]
            assert results.eliminated[row].tolist() == [game.lost[a] for a in ANIMALS]
            assert results.dominated[row].tolist() == [game.dominated()[a] for a in ANIMALS]
            for name in seen:
                value = getattr(game, name)
                seen[name] += len(value() if callable(value) else value)
    assert min(seen.values()) > 20


def test_sources_sum_to_vps_under_all_kinds_of_rules():
    for i, rules in rule_sets(60):
        results = ds.playouts(rules, 15, seed=i, threads=1)
        assert (results.vp_by_source.sum(axis=2) == results.vp).all()
        assert (results.vp_by_source[..., :-1] >= 0).all() and (results.vp_by_source[..., -1] <= 0).all()
        absent = [k for k, animal in enumerate(ANIMALS) if animal not in rules.animals]
        for name in ("vp", "vp_by_source", "placed", "eliminated", "dominated"):
            assert not getattr(results, name)[:, absent].any()


def test_records_replay_to_the_results():
    for i, rules in rule_sets(12):
        results = ds.playouts(rules, 5, seed=i, first=9, keep_records=True)
        for row, actions in enumerate(results.records):
            end, decisions = replayed(ds.State(rules, explicit_chance=True), actions)
            assert end.scores.tolist() == results.vp[row].tolist()
            assert (end.winner, end.turn) == (ANIMALS[results.winner[row]], results.turns[row])
            assert (decisions, end.truncated) == (results.decisions[row], results.truncated[row])


def test_a_game_of_a_run_is_the_state_of_that_seed_and_index():
    """Its decisions, played on `State(seed, index)`, meet the same chance."""
    results = ds.playouts(FOUR, 3, seed=11, first=5, keep_records=True)
    for row, actions in enumerate(results.records):
        told, state = ds.State(FOUR, explicit_chance=True), ds.State(FOUR, seed=11, index=5 + row)
        for action in actions:
            if not told.is_chance:
                assert told == state
                state.apply(action)
            told.apply(action)
        assert state.is_terminal and told == state


def test_truncated_games_are_marked():
    results = ds.playouts(FOUR.replace(max_turns=1), 50, seed=1)
    assert (results.turns == 1).all() and results.truncated.all()  # Ice Age is not face up so early
    few = ds.playouts(FOUR.replace(max_turns=3, cards=("omnivore",)), 50, seed=1)
    taken = few.card_taker[:, CARDS.index("ice_age")] >= 0
    assert taken.any() and (few.truncated == ~taken).all()


def test_shapes_and_dtypes():
    results = ds.playouts(PAIR, 3, seed=1)
    shapes = {
        "winner": ((3,), "int8"),
        "vp": ((3, 6), "int32"),
        "turns": ((3,), "int32"),
        "decisions": ((3,), "int32"),
        "truncated": ((3,), "bool"),
        "vp_by_source": ((3, 6, 11), "int32"),
        "card_taker": ((3, 26), "int8"),
        "placed": ((3, 6, 41), "uint16"),
        "eliminated": ((3, 6), "uint16"),
        "dominated": ((3, 6), "uint8"),
    }
    assert set(shapes) == set(COLUMNS) and len(results) == 3
    for name, shape in shapes.items():
        column = getattr(results, name)
        assert (column.shape, str(column.dtype)) == shape and column.flags.c_contiguous


def test_what_played_is_told():
    results = ds.playouts(SHORT, 1, MIXED, seed=4)
    assert results.policies == ("uniform", None, "drawn", None, "of_seed", "last")
    assert (results.rules, results.seed, results.first, results.records) == (SHORT, 4, 0, None)


def test_results_pickle():
    results = ds.playouts(SHORT, 4, seed=1, keep_records=True)
    copy = pickle.loads(pickle.dumps(results))
    assert digest(copy) == digest(results) and copy.rules == results.rules and copy != results


@pytest.mark.parametrize("abilities", [True, False])
def test_a_game_without_anything_to_decide(abilities):
    rules = PAIR.replace(pawns=0, max_turns=1, abilities=dict.fromkeys(ANIMALS, abilities))
    results = ds.playouts(rules, 3, seed=1, keep_records=True)
    assert (results.turns == 1).all() and results.truncated.all()
    assert abilities == bool(results.decisions.any())


@ds.policy
def claims_nothing(view, legal, n):
    """Any action but on hexes: where nobody claims a tile, nobody takes Ice Age."""
    room = n
    while room > 1 and 140 <= legal[room - 1] < 175:
        room -= 1
    return np.int64(view.random >> np.uint64(33)) % room


def test_the_longest_games():
    """E-12, E-19, E-21: a thousand turns with forty pawns each."""
    rules = ds.Rules(pawns=40, gene_pool=200, max_turns=1000, dominance_claims="declared")
    results = ds.playouts(rules, 1, claims_nothing, seed=1)
    assert results.turns[0] == 1000 and results.truncated[0] and results.decisions[0] > 10_000
    assert (results.vp_by_source.sum(axis=2) == results.vp).all()


# ---- returns ----


def test_returns_are_those_of_the_replayed_states():
    shared = 0
    for i, rules in rule_sets(40, max_turns=1):
        shared += len(rules.seats) < len(rules.animals)
        results = ds.playouts(rules, 3, seed=i, keep_records=True)
        for row, actions in enumerate(results.records):
            end, _ = replayed(ds.State(rules, explicit_chance=True), actions)
            for utility in ("win", "rank", "vp"):
                assert results.returns(utility)[row].tolist() == end.returns(utility).tolist()
    assert shared > 5


@pytest.mark.parametrize(
    ("handicap", "win", "rank"),
    [
        (7, ["mammal", "insect"], {"mammal": 1.0, "insect": 1.0, "bird": 0.5, "arachnid": 0.0}),
        ({"mammal": 3, "bird": 2, "arachnid": 2}, ["bird"], {"bird": 1.0, "arachnid": 0.5}),
        (
            {"arachnid": 5, "insect": 5, "mammal": 5},
            ["mammal", "insect"],
            {"mammal": 1, "insect": 1, "arachnid": 0.5},
        ),
    ],
)
def test_ties_and_shared_seats(handicap, win, rank):
    """R-END-1, R-SET-3: the handicap is all that is scored."""
    nothing = dict.fromkeys(FOUR.tile_values, ())
    rules = FOUR.replace(
        seats=(("mammal", "insect"), ("bird",), ("arachnid",)),
        handicap=handicap, tile_values=nothing, bonus_vp=(0,), cards=(), max_turns=1,
    )  # fmt: skip
    results = ds.playouts(rules, 4, seed=1)
    won = [float(a in win) for a in ANIMALS]
    assert results.returns("win").tolist() == [won] * 4
    assert results.returns("rank").tolist() == [[rank.get(a, 0.0) for a in ANIMALS]] * 4
    assert results.returns("vp").tolist() == results.vp.tolist()
    assert {ANIMALS[w] for w in results.winner} <= set(win)


@pytest.mark.parametrize("utility", ["win", "rank", "vp"])
def test_means_and_standard_errors_by_hand(utility):
    state = positions(SHORT)[3]
    results = ds.playouts_from(state, 30, seed=2, keep_records=True)
    ends = [replayed(explicit(state), actions)[0].returns(utility) for actions in results.records]
    for animal, column in enumerate(zip(*ends, strict=True)):
        assert results.mean_returns(utility)[animal] == pytest.approx(statistics.fmean(column))
        error = statistics.stdev(column) / math.sqrt(30)
        assert results.standard_errors(utility)[animal] == pytest.approx(error)


def test_one_game_has_no_standard_error():
    with pytest.raises(ds.RunError, match="games = 1: expected two or more"):
        ds.playouts(PAIR, 1, seed=1).standard_errors()


@pytest.mark.parametrize("utility", ["won", None, 0])
def test_unknown_utility(utility):
    with pytest.raises(ds.RunError, match=r"utility = .* expected 'win', 'rank' or 'vp'"):
        ds.playouts(PAIR, 1, seed=1).returns(utility)


# ---- from a position ----


def test_a_position_is_left_as_it_is():
    for state in positions(SHORT)[:-1:3]:
        if not state.is_terminal:
            before = state.to_bytes()
            ds.playouts_from(state, 3, MIXED, seed=1, threads=2)
            assert state.to_bytes() == before


def test_playouts_from_a_position_go_on_from_it():
    for state in positions(SHORT, games=2):
        if state.is_terminal:
            continue
        results = ds.playouts_from(state, 4, MIXED, seed=6, first=3, keep_records=True)
        assert ((results.vp - state.scores) == results.vp_by_source.sum(axis=2)).all()
        for row, actions in enumerate(results.records):
            end, decisions = replayed(explicit(state), actions)
            assert (end.scores.tolist(), decisions) == (results.vp[row].tolist(), results.decisions[row])


def test_the_random_stream_of_the_position_does_not_matter():
    state = positions(SHORT)[2]
    other = state.clone()
    other.reseed(99)
    assert digest(ds.playouts_from(state, 10, seed=1)) == digest(ds.playouts_from(other, 10, seed=1))


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_playouts_from_any_number_of_threads(threads):
    state = positions(SHORT)[2]
    one, many = (ds.playouts_from(state, 50, MIXED, seed=1, threads=t) for t in (1, threads))
    assert columns_of(one) == columns_of(many)


def test_playouts_from_chance_nodes():
    state, nodes = ds.State(SHORT, seed=3, explicit_chance=True), set()
    while not state.is_terminal:
        if state.is_chance and state.node not in nodes:
            nodes.add(state.node)
            results = ds.playouts_from(state, 40, seed=1, keep_records=True)
            first = {actions[0] for actions in results.records}
            assert len(first) > 1 and first <= set(state.legal_actions().tolist())
            for row, actions in enumerate(results.records):
                assert replayed(state.clone(), actions)[0].scores.tolist() == results.vp[row].tolist()
        state.apply(int(state.legal_actions()[0]))
    assert nodes == {"reveal_card", "reveal_tile", "draw_element"}


def test_a_finished_game_is_no_position_to_play_from():
    with pytest.raises(ds.RunError, match="the game is over"):
        ds.playouts_from(positions(SHORT, 1)[-1], 3)


@pytest.mark.parametrize("state", [None, "D3", SHORT, ds.Batch(PAIR, 1)])
def test_only_states_are_positions(state):
    with pytest.raises(ds.RunError, match=r"state = .* expected a ds_sim\.State"):
        ds.playouts_from(state, 3)


# ---- bad input ----

BAD = {
    "games": [0, -1, 2**40 + 1, True, 2.0, "7", None],
    "threads": [0, -1, 4097, True, 1.5, "two"],
    "seed": [-1, 2**64, True, 0.5, "seven"],
    "first": [-1, 2**64, True, 1.0, None],
    "progress": [3, "yes"],
    "rules": [5, "Rules", {"animals": ["bird", "insect"]}],
    "policies": [None, 3, [], ("uniform", "greedy")],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in BAD for value in BAD[name]])
def test_bad_input_is_named(name, value):
    """E-11."""
    arguments = {"rules": PAIR, "games": 2, name: value}
    with pytest.raises(ds.DsSimError, match=f"{name} = .*expected"):
        ds.playouts(**arguments)


def test_indices_end_where_words_end():
    with pytest.raises(ds.RunError, match=rf"first = {2**64 - 3}: expected at most 2\*\*64 - 4, for 4 games"):
        ds.playouts(PAIR, 4, seed=1, first=2**64 - 3)


# ---- progress ----


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_counts_up_to_all_games(threads):
    told = []
    ds.playouts(PAIR, 300, seed=1, threads=threads, progress=lambda *pair: told.append(pair))
    assert told[-1] == (300, 300) and told == sorted(told) and {total for _, total in told} == {300}


def test_what_progress_raises_comes_out():
    def tell(done, total):
        raise ZeroDivisionError("of the user")

    with pytest.raises(ZeroDivisionError, match="of the user"):
        ds.playouts(FOUR, 2000, seed=1, progress=tell)


def test_progress_draws_nothing_where_there_is_no_terminal(capfd):
    """E-40."""
    ds.playouts(PAIR, 10, seed=1, progress=True)
    assert "".join(capfd.readouterr()) == ""


# ---- processors ----


@pytest.mark.parametrize(
    ("affinity", "quota", "threads"),
    [
        (8, "max 100000", 8),
        (8, "300000 100000", 3),
        (2, "300000 100000", 2),
        (8, "50000 100000", 1),
        (8, "250000 100000", 2),
        (8, "nonsense", 8),
        (8, None, 8),
    ],
)
def test_processors_are_those_of_this_process(monkeypatch, tmp_path, affinity, quota, threads):
    """E-36: its affinity, and what its control group grants."""
    file = tmp_path / "cpu.max"
    if quota is not None:
        file.write_text(quota + "\n")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(affinity)), raising=False)
    asked = []
    monkeypatch.setattr(_threads, "Path", lambda path: asked.append(path) or file)
    assert available_threads() == threads and asked == ["/sys/fs/cgroup/cpu.max"]


def test_processors_where_there_is_no_affinity(monkeypatch, tmp_path):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    monkeypatch.setattr(_threads, "Path", lambda path: tmp_path / "none")
    assert available_threads() == 1


def test_results_are_told_in_a_line():
    assert repr(ds.playouts(ds.Rules(animals=("bird", "insect"), max_turns=2), 1200, seed=5)) == (
        "<results of 1,200 games: bird, insect; seed 5>"
    )
