"""The OpenSpiel game: OpenSpiel's own suites, its bots, and what they do not look at."""

from __future__ import annotations

import json
import pickle
import random

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation
from open_spiel.python.tests import games_sim_test

import ds_sim as ds
from ds_sim import observation
from ds_sim.envs import openspiel
from ds_sim.nodes import NODES

SHORT = 'python_dominant_species(animals=mammal+bird+insect,rules={"max_turns":1})'
GAMES = [
    SHORT,
    'python_dominant_species(animals=reptile+arachnid,rules={"max_turns":2;"dominance_claims":"declared"},utility=vp)',
    'python_dominant_species(rules={"max_turns":1;"seats":[["mammal";"insect"];["reptile";"bird"];'
    '["amphibian"];["arachnid"]]},utility=rank)',
]


def chance(state, rng):
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return rng.choices(outcomes, weights)[0]


def play(game, seed, choose=None):
    """A whole game, and the state at its end."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance(state, rng))
        else:
            state.apply_action(choose(state) if choose else rng.choice(state.legal_actions()))
    return state


# ---- OpenSpiel's suites ----


@pytest.mark.parametrize("game", GAMES)
def test_random_sim_test(game):
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1, serialize=True, verbose=False)


def test_random_sim_test_of_a_long_game():
    game = pyspiel.load_game('python_dominant_species(rules={"max_turns":3})')
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("game", GAMES)
def test_games_sim_test(game):
    games_sim_test.GamesSimTest("sim_game").sim_game(pyspiel.load_game(game))


class TestApi(api_test.EnforceAPIOnPartialTreeBase):
    """The checks that OpenSpiel's integration tests make of every game."""

    game_name = openspiel.NAME
    game = pyspiel.load_game(SHORT)


def test_playthrough_is_reproduced():
    game = 'python_dominant_species(animals=mammal+bird,rules={"max_turns":1;"pawns":1},utility=win)'
    text = generate_playthrough.playthrough(game, None, seed=3)
    assert f"game: {game}" in text
    actions = [
        int(line.removeprefix("action: ")) for line in text.splitlines() if line.startswith("action: ")
    ]
    assert generate_playthrough.playthrough(game, actions) == text


# ---- parameters ----


def test_registered():
    assert openspiel.NAME in pyspiel.registered_names()
    game = pyspiel.load_game(openspiel.NAME)
    assert (game.num_players(), game.num_distinct_actions()) == (6, 235)
    assert game.rules == ds.Rules() and game.utility == "win"


@pytest.mark.parametrize("animals", ["mammal,bird", "bird + mammal", "mammal bird", "mammal;bird"])
def test_animals_in_any_list(animals):
    game = pyspiel.load_game(openspiel.NAME, {"animals": animals})
    assert game.rules == ds.Rules(animals=("mammal", "bird"))


def test_every_field_of_a_rule_set_survives_the_game_string():
    rules = ds.Rules(
        animals=("mammal", "bird", "insect"), seats=(("mammal", "insect"), ("bird",)), pawns={"bird": 3},
        gene_pool=9, bonus_vp=[1, 2], tile_values={"sea": [9, 1], "tundra": []}, speciation_limits={"sea": 1},
        tundra_tiles=4, cards=["biomass", "aquatic"], handicap={"mammal": 7}, abilities={"insect": False},
        initiative_restay=True, dominance_claims="declared", max_turns=7,
    )  # fmt: skip
    game = pyspiel.load_game(openspiel.NAME, {"rules": json.dumps(rules.to_dict()), "utility": "rank"})
    again = pyspiel.load_game(str(game))
    assert game.rules == again.rules == rules
    assert str(again) == str(game) and again.utility == "rank"
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"animals": "mammal,brid"}, "animals = 'brid'.*did you mean 'bird'"),
        ({"animals": "mammal"}, "animals = .*2 to 6"),
        ({"rules": "{"}, "rules = '{'.*JSON"),
        ({"rules": "[]"}, "rules = .*a map"),
        ({"rules": '{"pawns": 99}'}, "pawns = 99.*0 to 40"),
        ({"rules": '{"turns": 9}'}, "rules = 'turns'.*max_turns"),
        (
            {"animals": "mammal,bird", "rules": '{"animals": ["bird", "insect"]}'},
            "animals = 'mammal,bird'.*insect",
        ),
        ({"utility": "points"}, "utility = 'points'.*'win', 'rank' or 'vp'"),
    ],
)
def test_bad_parameters(parameters, said):
    with pytest.raises(ValueError, match=said):
        pyspiel.load_game(openspiel.NAME, parameters)


@pytest.mark.parametrize("parameters", [{"players": 3}, {"rules": 3}])
def test_parameters_that_openspiel_refuses(parameters):
    with pytest.raises(pyspiel.SpielError, match="parameter"):
        pyspiel.load_game(openspiel.NAME, parameters)
    with pytest.raises(ValueError, match=r"players: expected|players'|rules = 3"):
        openspiel.DominantSpeciesGame(parameters)


# ---- states ----


def test_mask_is_list_is_reference():
    """E-13, E-42: at every decision of whole games, and played again from its history."""
    from reference import ReferenceState

    game = pyspiel.load_game(GAMES[1])
    state, reference, rng = game.new_initial_state(), ReferenceState(game.rules.to_dict()), random.Random(4)
    while not state.is_terminal():
        legal = state.legal_actions()
        assert legal == list(reference.legal())
        assert np.flatnonzero(state.legal_actions_mask()).tolist() == legal
        if state.is_chance_node():
            assert dict(state.chance_outcomes()) == pytest.approx(dict(reference.chance_outcomes()))
        else:
            player = game.rules.animals[state.current_player()]
            assert player == state.position.actor
        action = rng.choice(legal)
        state.apply_action(action)
        reference.apply(action)
    assert state.returns() == [reference.scores[animal] for animal in game.rules.animals]
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state) and again.position == state.position


def test_illegal_action_changes_nothing():
    state = pyspiel.load_game(SHORT).new_initial_state()
    before = str(state)
    with pytest.raises(ds.IllegalAction, match=r"action 3 \(place:adaptation_2\)"):
        state.apply_action(3)
    assert str(state) == before and state.history() == []


def test_clone_is_independent_and_keeps_everything():
    game = pyspiel.load_game(SHORT)
    state = play(game, 1)
    middle = game.new_initial_state()
    for action in state.history()[: len(state.history()) // 2]:
        middle.apply_action(action)
    clone, before = middle.clone(), str(middle)
    clone.apply_action(clone.legal_actions()[0])
    assert str(middle) == before != str(clone)
    assert clone.history()[:-1] == middle.history() and clone.move_number() == middle.move_number() + 1


def test_any_position_can_be_set_up():
    position = ds.State(ds.Rules(animals=("mammal", "bird")), seed=5)
    while position.turn < 3:
        position.apply(position.legal_actions()[0])
    game = pyspiel.load_game("python_dominant_species(animals=mammal+bird)")
    for given in (position, position.to_dict()):
        state = game.new_initial_state(given)
        assert state.position == position and state.position is not position
        assert state.clone().position == position
        assert str(game.deserialize_state(state.serialize())) == str(state)
    with pytest.raises(ds.InvalidState, match="rule set"):
        pyspiel.load_game(openspiel.NAME).new_initial_state(position)


@pytest.mark.parametrize("utility", ["win", "rank", "vp"])
def test_returns(utility):
    game = pyspiel.load_game(
        openspiel.NAME, {"animals": "mammal,bird,insect", "rules": '{"max_turns": 1}', "utility": utility}
    )
    state = play(game, 2)
    assert state.returns() == [state.position.returns(utility)[i] for i in (0, 2, 5)]
    assert sum(state.returns()) == game.utility_sum() or game.utility_sum() is None
    assert game.new_initial_state().returns() == [0, 0, 0]
    assert (game.utility_sum(), game.max_utility()) == {
        "win": (1, 1), "rank": (1.5, 1), "vp": (None, openspiel.max_vp(game.rules))
    }[utility]  # fmt: skip


# ---- observers ----


def test_observers_at_every_node(every_node):
    """E-22."""
    seen = set()
    for position in {state.node: state for state in every_node}.values():
        game = openspiel.DominantSpeciesGame({"rules": json.dumps(position.rules.to_dict())})
        state = game.new_initial_state(position)
        observer, history = make_observation(game), make_observation(game, INFO_STATE_OBS_TYPE)
        for player, animal in enumerate(game.rules.animals):
            observer.set_from(state, player)
            history.set_from(state, player)
            told = observation.observe(position.array, ds.board.ANIMALS.index(animal))[0]
            np.testing.assert_array_equal(observer.tensor, told)
            np.testing.assert_array_equal(state.observation_tensor(player), told)
            np.testing.assert_array_equal(observer.dict["species"], observation.field(told, "species"))
            assert json.loads(observer.string_from(state, player)) == position.to_dict()
            assert state.information_state_string(player) == history.string_from(state, player) == ""
        seen.add(position.node)
    assert seen == set(NODES)


def test_information_state_is_the_history():
    state = play(pyspiel.load_game(SHORT), 3)
    assert state.information_state_string(0) == ", ".join(map(str, state.history()))


def test_observers_take_no_parameters():
    with pytest.raises(ds.DsSimError, match="expected none"):
        make_observation(pyspiel.load_game(SHORT), None, {"planes": True})


# ---- bounds ----


def crowded(max_turns):
    """Rules with many decisions a turn: a pawn for every space, and as many species as can be."""
    return ds.Rules(
        pawns=40, gene_pool=200, max_turns=max_turns, tundra_tiles=28, dominance_claims="declared"
    )


def dawdle(legal, rng):
    """Passes over the end of the game, and asks for more questions: no PASS, small numbers."""
    useful = [action for action in legal if action not in (0, 213)] or legal
    return rng.choice(useful[:3] if rng.random() < 0.8 else useful)


@pytest.mark.parametrize(
    "rules", [ds.Rules(max_turns=4), crowded(2), crowded(4), ds.Rules(animals=("mammal", "bird"))]
)
def test_bounds_hold(rules):
    """E-21."""
    rng = random.Random(9)
    for seed in range(3):
        state = ds.State(rules, seed=seed, explicit_chance=True)
        decisions = chances = 0
        while not state.is_terminal:
            chances, decisions = chances + state.is_chance, decisions + (not state.is_chance)
            state.apply(dawdle(state.legal_actions().tolist(), rng))
        assert decisions <= openspiel.max_decisions(rules)
        assert chances <= openspiel.max_chance_nodes(rules)
        assert 0 <= state.scores.max() <= openspiel.max_vp(rules)


@pytest.mark.soak
@pytest.mark.parametrize("n", range(2, 7))
def test_bounds_hold_over_many_games(n):
    """E-21."""
    rules = ds.Rules(animals=ds.board.ANIMALS[:n])
    results = ds.playouts(rules, games=1_000_000, seed=n)
    assert results.decisions.max() <= openspiel.max_decisions(rules)
    assert results.vp.max() <= openspiel.max_vp(rules)


def test_bounds_are_those_of_the_game():
    game = pyspiel.load_game("python_dominant_species(animals=mammal+bird)")
    assert game.max_game_length() == openspiel.max_decisions(game.rules)
    assert game.max_chance_nodes_in_history() == openspiel.max_chance_nodes(game.rules) == 26 + 24 + 1200 + 2


# ---- OpenSpiel's bots ----


def python_bot(game):
    random_state = np.random.RandomState(1)
    return mcts.MCTSBot(game, 2.0, 3, mcts.RandomRolloutEvaluator(1, random_state), random_state=random_state)


def native_bot(game):
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    return pyspiel.MCTSBot(
        game, evaluator, uct_c=2.0, max_simulations=3, max_memory_mb=10, solve=True, seed=1, verbose=False
    )


@pytest.mark.parametrize("make_bot", [python_bot, native_bot])
def test_mcts_plays_whole_games(make_bot):
    """E-18. Not by the native bot's `step`: that runs Python games without the GIL, and crashes on any."""
    game = pyspiel.load_game(SHORT)
    bot = make_bot(game)
    state = play(game, 6, choose=lambda state: bot.step_with_policy(state)[1])
    assert sorted(state.returns()) == [0, 0, 1]


def test_mcts_search_is_finite_and_legal():
    """E-18."""
    game = pyspiel.load_game(SHORT)
    state, rng = game.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(chance(state, rng))
    root = native_bot(game).mcts_search(state)
    assert root.explore_count == 3
    assert {child.action for child in root.children} == set(state.legal_actions())
    assert all(np.isfinite(child.total_reward) for child in root.children)
