"""The engine against the slow reference, in lockstep over random rule sets and players."""

import random

import pytest

import ds_sim as ds
from tests.engine.helpers import ANIMAL_SETS, biased, position_of, random_rules
from tests.reference import ReferenceState


def chances(state):
    return {action: probability for action, probability in state.chance_outcomes()}


def lockstep(rules, rng, shown=0.2):
    """One game in both engines: legal lists at every node, whole positions at a share `shown` of them."""
    ours, reference = ds.State(ds.Rules.from_dict(rules), seed=0, explicit_chance=True), ReferenceState(rules)
    choose, nodes = biased(rng), set()
    while True:
        legal = ours.legal_actions().tolist()
        assert (ours.node, ours.actor, legal) == (reference.node, reference.actor, reference.legal()), reference.history
        nodes.add(ours.node)
        if not legal or rng.random() < shown:
            assert position_of(ours) == reference.to_dict(), reference.history
        if ours.is_chance:
            assert chances(ours) == pytest.approx({a: float(p) for a, p in reference.chance_outcomes()}, abs=1e-12)
        if not legal:
            return ours, reference, nodes
        action = choose(ours.node, legal)
        ours.apply(action)
        reference.apply(action)


def check_end(ours, reference):
    rules = reference.rules
    vp = [reference.vp.get(animal, 0) for animal in ds.board.ANIMALS]
    assert ours.is_terminal and ours.scores.tolist() == vp == ours.returns("vp").tolist()
    assert (ours.winner, ours.turn, ours.truncated) == (reference.winner, reference.turn, reference.truncated)
    winners = next(seat for seat in rules.seats if reference.winner in seat)
    assert ours.returns("win").tolist() == [float(animal in winners) for animal in ds.board.ANIMALS]


def compare_games(seeds):
    nodes = set()
    for seed in seeds:
        rng = random.Random(seed)
        rules = random_rules(rng, ANIMAL_SETS[seed % len(ANIMAL_SETS)])
        ours, reference, visited = lockstep(rules, rng)
        check_end(ours, reference)
        nodes |= visited
    return nodes


@pytest.mark.parametrize("part", range(8))
def test_random_rule_sets(part):
    """All 57 sets of animals take turns; so do the switches of rules.md section 8."""
    compare_games(range(125 * part, 125 * part + 125))
