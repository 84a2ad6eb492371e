"""A million games (E-14, E-21), by the native playouts."""

import random

import numpy as np
import pytest
from engine_games import ANIMAL_SETS, random_rules

import ds_sim as ds
from ds_sim.board import ANIMALS

pytestmark = pytest.mark.soak


def check(results):
    """A game that found nothing legal, or had no end, would not be here; its numbers have to make sense."""
    rules, vp = results.rules, results.vp.astype(np.int64)
    assert (results.turns >= 1).all() and (results.turns <= rules.max_turns).all()
    assert (results.turns[results.truncated] == rules.max_turns).all()
    assert (results.vp_by_source.sum(axis=2) == vp).all() and (vp >= 0).all()
    seats = [[ANIMALS.index(animal) for animal in seat] for seat in rules.seats]
    assert not np.delete(vp, [animal for seat in seats for animal in seat], axis=1).any()
    seat_of = {animal: number for number, seat in enumerate(seats) for animal in seat}
    scores = np.stack(
        [vp[:, seat].min(axis=1) for seat in seats], axis=1
    )  # R-SET-3: that of the lowest animal
    winners = [seat_of[animal] for animal in results.winner.tolist()]
    assert (scores[np.arange(len(scores)), winners] == scores.max(axis=1)).all()


def check_records(rules, seed, games):
    """Some of the games, replayed with every check on."""
    results = ds.playouts(rules, games=games, seed=seed, keep_records=True)
    for index, actions in enumerate(results.records):
        state = ds.State(rules, explicit_chance=True)
        for action in actions:
            state.apply(action)
            state.verify()
            assert state.is_terminal or len(state.legal_actions()) >= 2
        assert state.is_terminal and state.scores.tolist() == results.vp[index].tolist()
        assert ANIMALS[results.winner[index]] == state.winner and results.turns[index] == state.turn


@pytest.mark.parametrize("players", range(2, 7))
def test_games_as_printed(players):
    """780,000 games."""
    sets = [animals for animals in ANIMAL_SETS if len(animals) == players]
    for number, animals in enumerate(sets):
        check(ds.playouts(ds.Rules(animals), games=156_000 // len(sets), seed=number))
        check_records(ds.Rules(animals), number, 5)


def test_games_under_random_rules():
    """220,000 games, a thousand each with rule sets of all kinds."""
    for number in range(220):
        rng = random.Random(number)
        rules = ds.Rules.from_dict(
            random_rules(rng, ANIMAL_SETS[number % 57]) | {"max_turns": rng.choice([1, 10, 100])}
        )
        check(ds.playouts(rules, games=1000, seed=number))
        check_records(rules, number, 2)
