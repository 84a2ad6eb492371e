"""Scoring against the engine: what functions say an action would bring is compared with what it brings."""

import os
import random
from collections import defaultdict

import numpy as np
import pytest
from engine_games import biased, random_rules, run_python, uniform, walk

import ds_sim as ds
from ds_sim import scoring
from ds_sim._core.layout import STATE, VIEW
from ds_sim._jit import jit
from ds_sim.board import ANIMAL_ID, ANIMALS
from ds_sim.errors import DsSimError
from ds_sim.scoring import kernels

GAMES = 260
HEX = 140  # the first HEX action


def random_game(seed):
    """The decisions of a game under a random rule set, with a player of random character."""
    rng = random.Random(seed)
    rules = ds.Rules.from_dict(random_rules(rng))
    return walk(ds.State(rules, seed=seed), biased(rng))


@pytest.fixture(scope="module")
def at():
    """Positions of random games by node: all where something can be scored, and a share of the others."""
    found, rng = defaultdict(list), random.Random(0)
    for seed in range(GAMES):
        for state in random_game(seed):
            if state.node in ("dominate", "glaciate", "wander_hex") or rng.random() < 0.3:
                found[state.node].append(state.clone())
    return found


def row(state):
    return state.array[0].copy()


def hexes_of(actions):
    return {int(action) - HEX for action in actions if HEX <= action < HEX + 35}


def in_set(word):
    return {h for h in range(35) if int(word) >> h & 1}


def after(state, action):
    """The state after an action, or None if more happened than the action itself."""
    other = state.clone()
    other.apply(action)
    same = (other.turn, other.array["phase"][0], other.array["taken"][0])
    return other if same == (state.turn, state.array["phase"][0], state.array["taken"][0]) else None


def dominated(state):
    return np.bincount(state.dominant()[state.dominant() >= 0], minlength=6)


# ---- against the engine ----


def test_matches_and_dominance_are_the_engine_s(at):
    states = [state for found in at.values() for state in found]
    rows = np.array([row(state) for state in states])
    assert (scoring.matches(rows) == [state.matches() for state in states]).all()
    for declared in (False, True):
        rules = ds.Rules(dominance_claims="declared" if declared else "automatic")
        some = [i for i, state in enumerate(states) if state.rules.dominance_claims == rules.dominance_claims]
        assert len(some) > 3_000
        assert (scoring.dominance(rows[some], rules) == [states[i].dominant() for i in some]).all()


def test_deserved_dominance_under_declared_claims_is_dominance_under_automatic_ones():
    rules = ds.Rules(dominance_claims="declared", max_turns=6)
    automatic = replace_claims(rules).to_dict()
    differ = 0
    for seed in range(3):
        for state in walk(ds.State(rules, seed=seed), biased(random.Random(seed))):
            if state.node in ("place", "dominate"):
                data = state.to_dict() | {"rules": automatic}
                data.pop("legal")
                data["tiles"] = {
                    h: {k: v for k, v in t.items() if k != "dominant"} for h, t in data["tiles"].items()
                }
                deserved = ds.State.from_dict(data).dominant()
                assert scoring.dominance(state, deserved=True).tolist() == deserved.tolist()
                differ += deserved.tolist() != state.dominant().tolist()
    assert differ > 20


def replace_claims(rules):
    return ds.Rules.from_dict(rules.to_dict() | {"dominance_claims": "automatic"})


def test_tile_scores_are_what_domination_brings(at):
    compared = 0
    for state in at["dominate"]:
        scores = scoring.tile_scores(state)
        for hex in hexes_of(state.legal_actions()):
            if then := after(state, HEX + hex):
                assert (then.scores - state.scores).tolist() == scores[hex].tolist()
                compared += 1
    assert compared > 2_000


def test_glaciation_worth_is_what_glaciation_brings(at):
    compared = vanished = changed = survivors = 0
    for state in at["glaciate"]:
        worth, now = scoring.glaciation_worth(state), scoring.survival(state)
        legal = hexes_of(state.legal_actions())
        assert set(np.flatnonzero(worth.legal)) == legal
        for hex in legal:
            if not (then := after(state, HEX + hex)):
                continue
            bonus = np.zeros(6, int)
            bonus[ANIMAL_ID[state.actor]] = worth.bonus[hex]
            assert (then.scores - state.scores).tolist() == bonus.tolist()
            old, new = state.array[0], then.array[0]
            assert (new["gene_pool"] - old["gene_pool"])[:6].tolist() == worth.lost[hex].tolist()
            assert (new["bag"] - old["bag"])[:6].tolist() == worth.vanished[hex].tolist()
            moved = worth.gained[hex].astype(int) - worth.ceded[hex]
            assert (dominated(then) - dominated(state)).tolist() == moved.tolist()
            assert moves(state, then) == (worth.gained[hex].tolist(), worth.ceded[hex].tolist())
            survivor = (worth.survivor[hex], worth.survival_vp[hex])
            assert survivor == tuple(scoring.survival(then)) == plain_survival(then)
            compared, vanished = compared + 1, vanished + bool(worth.vanished[hex].any())
            changed, survivors = changed + bool(worth.ceded[hex].any()), survivors + (survivor != tuple(now))
        check_nothing_elsewhere(worth, now)
    assert compared > 2_000 and min(vanished, changed, survivors) > 20


def moves(state, then):
    """How many tiles every animal gained and ceded between two states."""
    gained, ceded = [0] * 6, [0] * 6
    for old, new in zip(state.dominant(), then.dominant(), strict=True):
        if old != new:
            ceded[old] += old >= 0
            gained[new] += new >= 0
    return gained, ceded


def plain_survival(state):
    """R-RES-2 by its words."""
    tundra = [h for h in range(35) if int(state.array["tundra"][0]) >> h & 1]
    species = state.array["tiles"][0][tundra, :6].astype(int)
    totals = species.sum(axis=0).tolist()
    most = max(totals)
    if most == 0 or totals.count(most) > 1:
        return (-1, 0)
    animal, track = totals.index(most), (0, *state.rules.bonus_vp)
    return animal, track[min((species[:, totals.index(most)] > 0).sum(), len(track) - 1)]


def check_nothing_elsewhere(worth, now):
    elsewhere = ~worth.legal
    for field in ("bonus", "lost", "vanished", "gained", "ceded"):
        assert not getattr(worth, field)[elsewhere].any(), field
    assert (worth.survivor[elsewhere] == now.animal).all() and (worth.survival_vp[elsewhere] == now.vp).all()


def test_wanderlust_worth_is_what_wanderlust_brings(at):
    compared = 0
    for state in at["wander_hex"]:
        worth, legal = scoring.wanderlust_worth(state), hexes_of(state.legal_actions())
        assert in_set(kernels.frontier(state.array[0])) == legal
        assert set(np.flatnonzero(worth)) <= legal
        for hex in legal:
            if then := after(state, HEX + hex):
                assert then.scores.sum() - state.scores.sum() == worth[hex]
                compared += 1
    assert compared > 2_000


def resets():
    """Positions where the mammal is asked what to save."""
    for seed in range(150):
        rng = random.Random(seed)
        rules = ds.Rules(
            animals=("mammal", *rng.sample(ANIMALS[1:], rng.randint(1, 3))),
            dominance_claims=rng.choice(["automatic", "declared"]),
            bonus_vp=[rng.randrange(50) for _ in range(12)],
            max_turns=rng.choice([6, 30]),
        )
        for state in walk(ds.State(rules, seed=seed), uniform(rng)):
            if state.node == "save":
                yield state


def test_extinction_takes_the_endangered_and_survival_and_final_scoring_pay_as_told():
    compared = sleeping = ended = paid = 0
    for state in resets():
        gone = scoring.endangered(state)
        assert set(np.flatnonzero(gone[0])) == hexes_of(state.legal_actions())
        hex = int(state.legal_actions()[0]) - HEX
        then = state.clone()
        then.apply(HEX + hex)
        gone[0, hex] -= 1
        old, new = state.array[0], then.array[0]
        assert (old["tiles"][:, :6] - new["tiles"][:, :6]).T.tolist() == gone.tolist()
        expected, survivor = np.zeros(6, int), scoring.survival(then)
        expected[survivor.animal] += survivor.vp
        if then.is_terminal:
            expected += scoring.tile_scores(then).sum(axis=0)
        assert (then.scores - state.scores).tolist() == expected.tolist()
        compared, ended = compared + 1, ended + then.is_terminal
        sleeping, paid = sleeping + (old["hibernating_count"] > 0), paid + (survivor.vp > 0)
    assert compared > 500 and min(ended, paid, sleeping) > 5


def test_hibernating_species_are_spared_and_only_they():
    state = hibernation()
    asleep, animal, hex = hibernating(state)
    assert asleep > 0
    awake = row(state)
    awake["hibernating_count"] = 0
    difference = scoring.endangered(np.array([awake]))[0].astype(int) - scoring.endangered(state)
    there = state.matches()[animal, hex] == 0
    expected = np.zeros((6, 35), int)
    expected[animal, hex] = asleep if there else 0
    assert there and difference.tolist() == expected.tolist()


def hibernating(state):
    return [int(state.array[f"hibernating_{part}"][0]) for part in ("count", "animal", "hex")]


def hibernation():
    """A position with endangered hibernating species."""
    rules = ds.Rules(cards=["hibernation"], max_turns=12)
    for seed in range(500):
        for state in walk(ds.State(rules, seed=seed), biased(random.Random(seed))):
            here = state.array[0]
            if (
                here["hibernating_count"]
                and not state.matches()[here["hibernating_animal"], here["hibernating_hex"]]
            ):
                return state
    raise AssertionError("no such position")


@pytest.mark.soak
@pytest.mark.parametrize("play", ["uniform", "greedy"])
def test_a_million_positions(play):
    policy = ds.policies.named(play)
    rng, size, rules = random.Random(1), 25_000, ds.Rules()
    rows, theirs, their_matches = (
        np.empty(size, STATE),
        np.empty((size, 35), int),
        np.empty((size, 6, 35), int),
    )
    state = ds.State(rules, seed=0)
    for _ in range(1_000_000 // size):
        for i in range(size):
            while state.is_terminal:  # without pawns a new game may be over too
                rules = ds.Rules.from_dict(random_rules(rng) | {"dominance_claims": "automatic"})
                state = ds.State(rules, seed=rng.getrandbits(60))
            state.apply(policy.choose(state, rng.getrandbits(60)))
            rows[i], theirs[i], their_matches[i] = state.array[0], state.dominant(), state.matches()
        assert (scoring.dominance(rows, deserved=True) == theirs).all()
        assert (scoring.matches(rows) == their_matches).all()


# ---- kernels in users' code ----


@jit
def everything(state, rules, hex, animal):
    """Each kernel once, on a record of any of the two layouts."""
    worth = kernels.glaciation_worth(state, rules, hex)
    survivor, vp = kernels.survival(state, rules)
    return (
        kernels.match(state, animal, hex),
        kernels.lane(kernels.matches(state, hex), animal),
        kernels.dominant(state, rules, hex),
        kernels.deserves(state, hex),
        kernels.endangered(state, animal, hex),
        kernels.lane(kernels.endangered_on(state, hex), animal),
        kernels.tile_score(state, rules, hex, animal),
        kernels.lane(kernels.tile_scores(state, rules, hex), animal),
        survivor,
        vp,
        kernels.wanderlust_worth(state, rules, hex),
        worth.bonus,
        kernels.lane(worth.lost, animal),
    )


@jit
def everything_of_view(view, hex, animal):
    return everything(view, view.rules, hex, animal)


def test_kernels_on_one_record_or_a_policy_s_view_tell_what_the_functions_tell():
    for seed in (3, 4, 5):
        state = max(random_game(seed), key=lambda state: state.turn).clone()
        rules = state.rules
        view = np.zeros(1, VIEW)
        for name in STATE.names:
            if name != "rng":
                view[name] = state.array[name]
        view["rules"] = rules.core.array
        worth, survivor = scoring.glaciation_worth(state), scoring.survival(state)
        for hex in range(35):
            for animal in range(6):
                match, gone = state.matches()[animal, hex], scoring.endangered(state)[animal, hex]
                if not int(state.array["earth"][0]) >> hex & 1:
                    match = everything(state.array[0], rules.core.array[0], hex, animal)[0]  # no tile: free
                score = scoring.tile_scores(state)[hex, animal]
                told = (match, match, state.dominant()[hex], scoring.dominance(state, deserved=True)[hex],
                        gone, gone, score, score, *survivor, scoring.wanderlust_worth(state)[hex],
                        worth.bonus[hex], worth.lost[hex, animal])  # fmt: skip
                assert everything(state.array[0], rules.core.array[0], hex, animal) == told
                assert everything_of_view(view[0], hex, animal) == told


@jit
def collect(word, out):
    n = 0
    while word:
        out[n] = kernels.first(word)
        word = kernels.without_first(word)
        n += 1
    return n


@pytest.mark.parametrize("numbers", [[], [0], [63], [0, 7, 8, 31, 32, 62, 63], list(range(64))])
def test_words_are_sets(numbers):
    word = np.uint64(sum(1 << i for i in numbers))
    out = np.zeros(64, int)
    n = collect(word, out)
    assert out[:n].tolist() == numbers and kernels.size(word) == n
    assert [i for i in range(64) if kernels.has(word, i)] == numbers


@pytest.mark.parametrize(
    ("counters", "leader"),
    [
        ([0] * 6, -1),
        ([0, 0, 3, 0, 0, 0], 2),
        ([3, 0, 3, 0, 0, 0], -1),
        ([3, 4, 3, 4, 5, 0], 4),
        ([0, 0, 9, 9, 8, 255], 5),
    ],
)
def test_lanes(counters, leader):
    lanes = kernels.lanes(np.array([*counters, 0, 0], np.uint8))
    assert [kernels.lane(lanes, i) for i in range(8)] == [*counters, 0, 0]
    assert [kernels.lane(kernels.nonzero(lanes), i) for i in range(6)] == [int(n > 0) for n in counters]
    assert kernels.leader(lanes) == leader


# ---- what can be given ----

WITH_RULES = ["dominance", "tile_scores", "survival", "glaciation_worth", "wanderlust_worth"]
FUNCTIONS = ["matches", "endangered", *WITH_RULES]


@pytest.fixture(scope="module")
def rules():
    return ds.Rules(max_turns=5)


@pytest.fixture(scope="module")
def rows(rules):
    """2,600 rows: three chunks, the last one short."""
    found = []
    for seed in range(20):
        found += [row(state) for state in walk(ds.State(rules, seed=seed), biased(random.Random(seed)))]
    return np.array(found[:2600])


def score(name, states, rules, **options):
    result = getattr(scoring, name)(states, *([rules] if name in WITH_RULES else []), **options)
    return result if isinstance(result, tuple) else (result,)


def same(a, b):
    return all(x.dtype == y.dtype and np.array_equal(x, y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_many_rows_are_scored_like_each_alone(name, rows, rules):
    results = score(name, rows, rules)
    for i in (0, 1023, 1024, 2599):
        assert same([r[i] for r in results], score(name, rows[i], rules))
        assert same([r[i : i + 1] for r in results], score(name, rows[i : i + 1], rules))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_state_has_no_leading_axis_and_brings_its_rules(name, rules):
    state = ds.State(rules, seed=3)
    alone = getattr(scoring, name)(state)
    alone = alone if isinstance(alone, tuple) else (alone,)
    assert same([np.asarray(a)[None] for a in alone], score(name, state.array, rules))


class Batch:
    """What a batch shows of itself."""

    def __init__(self, array, rules):
        self.array, self.rules = array, rules


@pytest.mark.parametrize("name", FUNCTIONS)
def test_any_memory_parallel_or_not_gives_the_same(name, rows, rules):
    expected = score(name, rows, rules)
    locked = rows.copy()
    locked.flags.writeable = False
    strided = np.repeat(rows, 2)[::2]
    odd = np.frombuffer(b"\0" + rows.tobytes(), STATE, offset=1)
    for states in (locked, strided, odd):
        assert same(score(name, states, rules), expected)
    assert same([r[::-1] for r in score(name, rows[::-1], rules)], expected)
    assert same(score(name, rows, rules, parallel=True), expected)
    batch = getattr(scoring, name)(Batch(rows, rules))
    assert same(batch if isinstance(batch, tuple) else (batch,), expected)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_rows_give_empty_results(name, rules):
    assert all(r.shape[0] == 0 for r in score(name, np.empty(0, STATE), rules))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_go_where_they_are_told(name, rows, rules):
    expected = score(name, rows, rules)
    whole = [np.ones_like(e) for e in expected]
    strided = [np.repeat(w, 2, axis=0)[::2] for w in whole]
    for out in (whole, strided):
        kind = {"survival": scoring.Survival, "glaciation_worth": scoring.Glaciation}.get(name)
        got = score(name, rows, rules, out=kind(*out) if kind else out[0])
        assert all(g is o for g, o in zip(got, out, strict=True)) and same(out, expected)


def test_scoring_changes_no_state(rows, rules):
    before = rows.tobytes()
    for name in FUNCTIONS:
        score(name, rows, rules)
    assert rows.tobytes() == before


@pytest.mark.parametrize(
    ("states", "told"),
    [
        (7, "states = 7"),
        ([1, 2], "states = [1, 2]"),
        (None, "states = None"),
        (np.zeros(3), "float64"),
        (np.zeros(3, VIEW), "1000 bytes"),
        (np.zeros((2, 2), STATE), "(2, 2)"),
    ],
)
@pytest.mark.parametrize("name", ["matches", "glaciation_worth"])
def test_other_things_are_not_states(name, states, told, rules):
    with pytest.raises(DsSimError) as error:
        score(name, states, rules)
    assert told in str(error.value) and "expected" in str(error.value)


@pytest.mark.parametrize("name", WITH_RULES)
def test_an_array_needs_rules_and_a_state_refuses_others(name, rows, rules):
    function = getattr(scoring, name)
    for states, given, told in (
        (rows, None, "rules = None"),
        (rows, "printed", "rules = 'printed'"),
        (ds.State(rules, seed=1), ds.Rules(), "rules: not those"),
    ):
        with pytest.raises(DsSimError) as error:
            function(states, given)
        assert told in str(error.value)


def locked(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ([[0]], "out = [[0]]: expected an array"),
        (np.zeros((2600, 6, 35), np.int64), "int64"),
        (np.zeros((2600, 35, 6), np.uint8), "(2600, 35, 6)"),
        (locked(np.zeros((2600, 6, 35), np.uint8)), "read-only"),
    ],
)
def test_results_do_not_go_into_the_wrong_array(out, told, rows):
    with pytest.raises(DsSimError) as error:
        scoring.matches(rows, out=out)
    assert told in str(error.value)


def test_results_of_several_fields_name_the_wrong_one(rows, rules):
    with pytest.raises(DsSimError, match=r"out\.vp: float64"):
        scoring.survival(rows, rules, out=scoring.Survival(np.zeros(2600, np.int8), np.zeros(2600)))
    with pytest.raises(DsSimError, match="expected a tuple of arrays"):
        scoring.survival(rows, rules, out=np.zeros(2600))


# ---- threads and forks (E-31, E-38) ----

THREADS = """
import os, threading, numpy as np, ds_sim as ds
from ds_sim import scoring
rules = ds.Rules()
rows = np.repeat(ds.State(rules, seed=1).array, 5000)
def work():
    return scoring.matches(rows, parallel=True).sum() + scoring.dominance(rows, rules, parallel=True).sum()
scoring._processors = lambda: 2  # also where there is one
expected, got = work(), []
"""


def test_threads_may_score_at_once_e_31():
    run_python(THREADS + """
threads = [threading.Thread(target=lambda: got.extend(work() for _ in range(5))) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
assert got == [expected] * 40
""")  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_after_parallel_scoring_may_score_too_e_31():
    run_python(THREADS + """
child = os.fork()
if not child:
    os._exit(0 if work() == expected else 1)
assert os.waitpid(child, 0)[1] == 0
assert work() == expected
""")  # fmt: skip


def test_the_package_and_its_import_do_without_numba_e_38():
    run_python("import sys, ds_sim; assert not {'numba', 'ds_sim.scoring'} & set(sys.modules)")
