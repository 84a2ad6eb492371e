"""Chance: both modes, the probabilities, and the random stream."""

import random
from collections import Counter

import numpy as np
import pytest
from engine_games import (
    CHANCE_NODES,
    biased,
    play_out,
    random_rules,
    row_of,
    run_python,
    sealed,
    step,
    struct_at,
    uniform,
    walk,
)

import ds_sim as ds
from ds_sim._core.layout import STATE


def some_rules(seed):
    return ds.Rules.from_dict(random_rules(random.Random(seed)))


# ---- both modes ----


@pytest.mark.parametrize("part", range(3))
def test_recorded_game_replayed_explicitly(part):
    """The history of a sampled game, chance included, leads the explicit mode through the same positions."""
    for seed in range(60 * part, 60 * part + 60):
        sampled = ds.State(some_rules(seed), seed=seed, record=True)
        explicit, taken = ds.State(sampled.rules, explicit_chance=True), 0
        for state in walk(sampled, biased(random.Random(seed))):
            for action in state.history[taken:]:
                explicit.apply(action)
            taken = len(state.history)
            assert explicit == state and hash(explicit) == hash(state)
            assert (explicit.node, explicit.actor) == (state.node, state.actor)
        assert explicit.is_terminal and explicit.winner == sampled.winner


@pytest.mark.parametrize("seed", range(10))
def test_recording_changes_nothing(seed):
    """Game i of seed s is one game, whether it is recorded or not."""
    recorded = play_out(ds.State(seed=seed, record=True), uniform(random.Random(seed)))
    silent = play_out(ds.State(seed=seed), uniform(random.Random(seed)))
    assert silent.history == b"" and silent.scores.tolist() == recorded.scores.tolist()
    assert silent == recorded


def test_recording_changes_nothing_where_chance_has_no_choice():
    rules = ds.Rules(("mammal", "bird"), cards=["omnivore"], max_turns=2)
    assert ds.State(rules, seed=1, record=True) == ds.State(rules, seed=1)


# ---- probabilities ----


def test_probabilities():
    """They are those of uniform draws from the unseen rest, ascending, and sum to 1."""
    for seed in range(20):
        for state in walk(ds.State(some_rules(seed), explicit_chance=True), uniform(random.Random(seed))):
            if state.is_chance:
                check_probabilities(state)


def check_probabilities(state):
    outcomes, plain = state.chance_outcomes(), state.to_dict()
    assert [action for action, _ in outcomes] == state.legal_actions().tolist()
    assert sum(probability for _, probability in outcomes) == pytest.approx(1, abs=1e-12)
    if state.node == "reveal_card":
        assert {probability for _, probability in outcomes} == {1 / len(outcomes)}
    else:
        kind, rest = ("terrain", "unseen_tiles") if state.node == "reveal_tile" else ("element", "bag")
        whole = sum(plain[rest].values())
        shares = [(ds.actions.parse(f"{kind}:{name}"), n / whole) for name, n in plain[rest].items()]
        assert dict(outcomes) == pytest.approx(dict(shares), abs=1e-12)


def test_no_outcomes_elsewhere():
    state = ds.State(seed=1)
    with pytest.raises(ds.DsSimError, match="place"):
        state.chance_outcomes()


def before_chance(node, seed):
    """A sampled state, an action after which chance is asked at `node`, and the explicit state there."""
    rng = random.Random(seed)
    while True:
        state = ds.State(ds.Rules(("mammal", "bird", "insect")), seed=seed, record=True)
        explicit = ds.State.from_dict(state.to_dict(), explicit_chance=True)
        while not state.is_terminal:
            action, taken = rng.choice(state.legal_actions().tolist()), len(state.history)
            explicit.apply(action)
            if explicit.node == node:
                return state, action, explicit
            state.apply(action)
            for outcome in state.history[taken + 1 :]:
                explicit.apply(outcome)


# 99.99% quantiles of chi-square by degrees of freedom; the seeds are fixed.
CHI_SQUARE = {5: 25.7, 6: 27.9, 15: 45.9, 16: 47.6, 17: 49.2, 18: 50.8, 19: 52.4, 24: 60.1, 48: 93.2}


def chi_square(counts, shares):
    games = sum(counts.values())
    return sum((counts[key] - games * share) ** 2 / (games * share) for key, share in shares.items())


@pytest.mark.parametrize("seed", [5, 6])
@pytest.mark.parametrize("node", CHANCE_NODES)
def test_sampling_follows_the_probabilities(node, seed):
    """The first draw of 10,000 clones with streams of their own, against the shares of the unseen rest."""
    state, action, explicit = before_chance(node, seed)
    shares = dict(explicit.chance_outcomes())
    assert len(set(shares.values())) > 1 or node == "reveal_card"
    at, drawn = len(state.history) + 1, Counter()
    for index in range(10_000):
        clone = state.clone()
        clone.reseed(99, index)
        clone.apply(action)
        drawn[clone.history[at]] += 1
    assert drawn.keys() <= shares.keys()
    assert chi_square(drawn, shares) < CHI_SQUARE[len(shares) - 1]


def test_setups_are_fair():
    """Every card but Ice Age is as often face up; pairs of first tiles are as without replacement."""
    cards, pairs, games = Counter(), Counter(), 6_000
    for index in range(games):
        row = row_of(ds.State(seed=4, index=index))
        cards.update(c for c in range(26) if int(row["face_up"]) >> c & 1)
        pairs[tuple(row["stack_face_up"][:2].tolist())] += 1
    assert cards[13] == 0 and sum(cards.values()) == 5 * games
    # Five of 25 at once vary less than independent draws: the statistic is multiplied by 24 / 20.
    assert chi_square(cards, dict.fromkeys(cards, 1 / 25)) * 24 / 20 < CHI_SQUARE[24]
    tiles = [6, 3, 3, 3, 3, 3, 3]
    shares = {(a, b): tiles[a] * (tiles[b] - (a == b)) / (24 * 23) for a in range(7) for b in range(7)}
    assert chi_square(pairs, shares) < CHI_SQUARE[48]


# ---- the stream ----


def with_stream(state, words):
    """The same state whose random stream stands at the two words."""
    body = bytearray(state.to_bytes()[:-4])
    at = struct_at(body) + STATE.fields["rng"][1]
    body[at : at + 16] = np.array(words, np.uint64).tobytes()
    return ds.State.from_bytes(sealed(body))


def xoroshiro(words):
    """The published generator xoroshiro128++ 1.0."""
    mask = 2**64 - 1

    def rotate(x, k):
        return (x << k | x >> 64 - k) & mask

    a, b = words
    while True:
        yield (rotate((a + b) & mask, 17) + a) & mask
        b ^= a
        a, b = rotate(a, 49) ^ b ^ (b << 21 & mask), rotate(b, 28)


def bounded(stream, n):
    """Lemire's method: 32 bits scaled to 0..n-1; what would make some likelier is drawn again."""
    while True:
        product = (next(stream) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


def test_published_generator():
    """The known answers for the seed (1, 2)."""
    stream = xoroshiro((1, 2))
    answers = [393217, 669327710093319, 1732421326133921491, 11394790081659126983, 9555452776773192676]
    assert [next(stream) for _ in answers] == answers


@pytest.mark.parametrize("words", [(1, 2), (2**64 - 1, 5), (3, 2**63), (2**40, 2**24 - 1)])
@pytest.mark.parametrize("node", CHANCE_NODES)
def test_draws_are_those_of_the_published_generator(node, words):
    """Whole reveals, draw by draw. The first output for (1, 2) is one that must be drawn again."""
    state, action, explicit = before_chance(node, 5)
    state, stream, at = with_stream(state, words), xoroshiro(words), len(state.history) + 1
    state.apply(action)
    expected = bytearray()
    while explicit.is_chance:
        plain = explicit.to_dict()
        weights = {"reveal_card": {}, "reveal_tile": plain["unseen_tiles"], "draw_element": plain["bag"]}[
            explicit.node
        ]
        each = list(weights.values()) or [1] * len(plain["legal"])
        things = [action for action, n in zip(plain["legal"], each, strict=True) for _ in range(n)]
        expected.append(things[bounded(stream, len(things))])
        explicit.apply(expected[-1])
    assert len(expected) > 5 and state.history[at : at + len(expected)] == bytes(expected)


def test_seed_and_index_tell_streams_apart():
    starts = {hash(ds.State(seed=seed, index=index)) for seed in range(40) for index in range(40)}
    assert len(starts) == 1600
    assert ds.State(seed=2**64 - 1, index=2**64 - 1) == ds.State(seed=2**64 - 1, index=2**64 - 1)


def test_seeds():
    """E-3: without a seed each game is another, and tells its seed; 0 is a seed like any other."""
    first, second = ds.State(), ds.State()
    assert first.seed != second.seed and first != second
    assert ds.State(seed=first.seed) == first
    assert ds.State(seed=0) == ds.State(seed=0) != ds.State(seed=1)
    assert ds.State(seed=0).seed == 0
    first.reseed()
    assert first.seed not in (second.seed, 0)


def test_reseed_starts_the_stream_of_seed_and_index():
    state = ds.State(ds.Rules(max_turns=6), seed=1)
    other = ds.State.from_dict(state.to_dict(), seed=8, index=3)
    state.reseed(8, index=3)
    assert (state.seed, state.index) == (8, 3) == (other.seed, other.index)
    ends = [play_out(s, uniform(random.Random(1))) for s in (state, other)]
    assert ends[0] == ends[1]


def test_clones_go_on_alike_until_reseeded():
    """Two clones with other streams are independent continuations; the original goes on as if nothing was."""
    rules = ds.Rules(("mammal", "bird", "insect"), max_turns=5)
    original = ds.State(rules, seed=1)
    alone, alike, first, second = (original.clone() for _ in range(4))
    first.reseed(1, index=1)
    second.reseed(2)
    ends = [play_out(s, uniform(random.Random(1))) for s in (original, alone, alike, first, second)]
    assert ends[0] == ends[1] == ends[2]
    assert len({hash(end) for end in ends}) == 3


def test_interleaved_games_equal_the_same_alone():
    """E-2."""
    rules, seeds = ds.Rules(max_turns=4), (1, 2)
    alone = [play_out(ds.State(rules, seed=seed), uniform(random.Random(seed))) for seed in seeds]
    both = [(ds.State(rules, seed=seed), uniform(random.Random(seed))) for seed in seeds]
    while not all(state.is_terminal for state, _ in both):
        for state, choose in both:
            if not state.is_terminal:
                step(state, choose)
    assert [state for state, _ in both] == alone
    assert [state.to_bytes() for state, _ in both] == [state.to_bytes() for state in alone]


def test_global_streams_are_untouched():
    """E-2."""
    before, numpys = random.getstate(), np.random.get_state()[1].tolist()
    state = ds.State(record=True)
    play_out(state, uniform(random.Random(1))).clone().reseed()
    assert random.getstate() == before
    assert np.random.get_state()[1].tolist() == numpys


GAME = """
import ds_sim as ds
seats = [["bird", "mammal"], ["insect"]]
rules = ds.Rules(("bird", "mammal", "insect"), seats=seats, pawns={"bird": 5, "insect": 2})
state = ds.State(rules, seed=11)
print(rules, state.to_dict())
while not state.is_terminal:
    legal = state.legal_actions()
    state.apply(int(legal[(7 * state.turn + len(legal)) % len(legal)]))
    print(hash(state), state.to_bytes().hex()[-60:])
print(state.winner, state.scores.tolist())
"""


def test_python_hash_seed_changes_nothing():
    """E-5: hashes of states included."""
    assert len({run_python(GAME, PYTHONHASHSEED=seed) for seed in ("0", "1", "random")}) == 1
