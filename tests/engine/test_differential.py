"""The engine against the slow reference, in lockstep over random rule sets and players."""

import random

import pytest
from engine_games import ANIMAL_SETS, biased, position_of, random_rules
from reference import ReferenceState

import ds_sim as ds
from ds_sim.board import ANIMALS
from ds_sim.nodes import NODES

PARTS, GAMES = 6, 95  # 570: ten with each of the 57 sets of animals


def lockstep(rules, rng, shown=0.2):
    """One game in both engines: legal actions at every node, whole positions at a share `shown` of them."""
    ours, reference = ds.State(ds.Rules.from_dict(rules), explicit_chance=True), ReferenceState(rules)
    choose, nodes = biased(rng), set()
    while True:
        legal, so_far = ours.legal_actions().tolist(), reference.history
        assert (ours.node, ours.actor, legal) == (reference.node, reference.actor, reference.legal()), so_far
        nodes.add(ours.node)
        if not legal or rng.random() < shown:
            assert position_of(ours) == reference.to_dict(), so_far
            assert ours.legal_mask().nonzero()[0].tolist() == legal
        if ours.is_chance:
            chances = [(action, float(p)) for action, p in reference.chance_outcomes()]
            assert ours.chance_outcomes() == [(a, pytest.approx(p, abs=1e-12)) for a, p in chances], so_far
        if not legal:
            return ours, reference, nodes
        action = choose(ours.node, legal)
        ours.apply(action)
        reference.apply(action)


def check_end(ours, reference):
    vp = [reference.vp.get(animal, 0) for animal in ANIMALS]
    assert ours.scores.tolist() == vp == ours.returns("vp").tolist()
    assert (ours.winner, ours.turn, ours.truncated) == (reference.winner, reference.turn, reference.truncated)
    winners = next(seat for seat in reference.rules.seats if reference.winner in seat)
    assert ours.returns("win").tolist() == [float(animal in winners) for animal in ANIMALS]
    check_ranks(ours, reference)


def check_ranks(ours, reference):
    """Of two seats, the one with the better lowest animal has the higher rank; the ranks are equal steps."""
    rank = dict(zip(ANIMALS, ours.returns("rank"), strict=True))
    seats = [min((reference.vp[a], -ANIMALS.index(a), a) for a in seat) for seat in reference.rules.seats]
    best_first = [rank[a] for _, _, a in sorted(seats, key=lambda seat: seat[:2], reverse=True)]
    steps = max(len(seats) - 1, 1)
    assert best_first == pytest.approx([1 - place / steps for place in range(len(seats))])
    for seat in reference.rules.seats:
        assert len({rank[animal] for animal in seat}) == 1


def compare_games(seeds):
    visited = set()
    for seed in seeds:
        rng = random.Random(seed)
        ours, reference, nodes = lockstep(random_rules(rng, ANIMAL_SETS[seed % len(ANIMAL_SETS)]), rng)
        check_end(ours, reference)
        visited |= nodes
    return visited


@pytest.mark.parametrize("part", range(PARTS))
def test_random_rule_sets(part):
    """All 57 sets of animals take turns; the other switches are drawn. Every node is reached."""
    assert compare_games(range(part * GAMES, part * GAMES + GAMES)) == set(NODES)


@pytest.mark.soak
def test_many_random_rule_sets():
    assert compare_games(range(10_000, 12_000)) == set(NODES)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(57))
def test_whole_games_as_printed(seed):
    """To the end that Ice Age brings."""
    rules = {"animals": list(ANIMAL_SETS[seed])}
    ours, reference, _ = lockstep(rules, random.Random(seed), shown=0.05)
    check_end(ours, reference)
