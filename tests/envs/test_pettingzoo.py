"""The PettingZoo environment: PettingZoo's own tests, and what they do not look at."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pettingzoo.test
import pytest
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import turn_based_aec_to_parallel

import ds_sim as ds
from ds_sim import observation
from ds_sim.board import ANIMALS
from ds_sim.envs import pettingzoo as adapter

RULES = ds.Rules(animals=("mammal", "bird", "insect"), max_turns=4)
DICTIONARIES = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""What `api_test` warns of wherever observations carry an action mask, as in PettingZoo's own board games."""


def play(env, seed=None, choose=None):
    """A whole game with random actions; the rewards of every agent, as `last` gives them."""
    env.reset(seed=seed)
    for i, agent in enumerate(env.agents):
        env.action_space(agent).seed(i)
    earned = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        earned[agent] += reward
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
    return earned


# ---- PettingZoo's tests ----


@pytest.mark.parametrize("rules", [RULES, ds.Rules(max_turns=2)])
@pytest.mark.parametrize("make", [adapter.env, adapter.raw_env])
def test_api(make, rules):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pettingzoo.test.api_test(make(rules), num_cycles=1000)
    assert {str(warning.message) for warning in caught} == DICTIONARIES


def test_seeds():
    pettingzoo.test.seed_test(lambda: adapter.env(RULES), num_cycles=500)


def test_rendering(capsys):
    pettingzoo.test.render_test(lambda **mode: adapter.env(RULES, **mode))
    assert "planning" in capsys.readouterr().out


def test_performance_benchmark(capsys):
    pettingzoo.test.performance_benchmark(adapter.env(RULES))
    assert "turns per second" in capsys.readouterr().out


def test_state():
    env = adapter.env(RULES)
    check_state_space(env)
    env.reset(seed=1)
    np.testing.assert_array_equal(env.state(), observation.observe(env.unwrapped.game.array, -1)[0])
    assert env.state_space.contains(env.state())


# ---- whole games ----


@pytest.mark.parametrize("reward", ["vp", "win", "rank"])
@pytest.mark.parametrize("seed", range(4))
def test_rewards_sum_to_the_returns(reward, seed):
    """E-16: also what is won and lost in others' turns, and at the end; handicaps too."""
    env = adapter.env(ds.Rules(handicap={"bird": 5, "insect": 1}, max_turns=30), reward=reward)
    earned = play(env, seed)
    returns = env.unwrapped.game.returns(reward)
    assert list(earned.values()) == pytest.approx(returns.tolist())
    assert env.unwrapped.game.is_terminal and not env.agents


def test_mask_is_list_is_reference():
    """E-13: at every decision of a whole game, right in length and type for `sample`."""
    from reference import ReferenceState

    env = adapter.raw_env(RULES)
    env.reset(seed=3)
    recorded = ds.State(RULES, seed=3, record=True)
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        mask = seen["action_mask"]
        assert mask.dtype == np.int8 and mask.shape == (235,)
        np.testing.assert_array_equal(np.flatnonzero(mask), env.game.legal_actions())
        for other in env.agents:
            assert other == agent or not env.observe(other)["action_mask"].any()
        if terminated or truncated:
            env.step(None)
            continue
        assert agent == f"{env.game.actor}_{ANIMALS.index(env.game.actor)}"
        action = env.action_space(agent).sample(mask)
        recorded.apply(int(action))
        env.step(action)
    assert recorded == env.game

    explicit = ds.State(RULES, seed=0, explicit_chance=True)
    reference = ReferenceState(RULES.to_dict())
    for action in recorded.history:
        assert explicit.legal_actions().tolist() == list(reference.legal())
        explicit.apply(action)
        reference.apply(action)
    assert explicit == env.game and reference.is_terminal


def test_whole_games_repeat():
    """E-42, E-7: also after a copy and through pickle; and the next game of the run is another."""
    env = adapter.env(RULES)
    first = play(env, 9), env.unwrapped.game.clone()
    second = play(env), env.unwrapped.game.clone()
    assert first[1] != second[1] and second[1].index == 1
    for again in (adapter.env(RULES), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (play(again, 9), again.unwrapped.game) == first
        assert (play(again), again.unwrapped.game) == second


def test_a_copy_in_the_middle_of_a_game_goes_on_alike():
    """E-7."""
    env = adapter.raw_env(RULES)
    env.reset(seed=2)
    for _ in range(40):
        env.step(env.game.legal_actions()[0])
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        mine = copy.deepcopy(env)
        while mine.agents:
            for one in (mine, twin):
                one.step(None if one.game.is_terminal else one.game.legal_actions()[-1])
            assert (mine.rewards, mine.agent_selection) == (twin.rewards, twin.agent_selection)
        assert mine.game == twin.game != env.game


def test_no_seed_gives_different_games():
    """E-3."""
    seeds = set()
    for _ in range(3):
        env = adapter.raw_env(RULES)
        env.reset()
        seeds.add(env.game.seed)
    assert len(seeds) == 3
    env.reset(seed=0)
    assert env.game == ds.State(RULES, seed=0) != ds.State(RULES, seed=1)


def test_observations_are_kept():
    """E-15."""
    env = adapter.raw_env(RULES)
    env.reset(seed=4)
    kept = env.observe("bird_2")
    before = copy.deepcopy(kept)
    env.step(env.game.legal_actions()[0])
    assert (env.observe("bird_2")["observation"] != kept["observation"]).any()
    for name, values in before.items():
        np.testing.assert_array_equal(kept[name], values)


def test_every_agent_looks_for_itself():
    env = adapter.raw_env(RULES)
    env.reset(seed=4)
    for agent, animal in zip(env.agents, (0, 2, 5), strict=True):
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        np.testing.assert_array_equal(seen["observation"], observation.observe(env.game.array, animal)[0])


def test_truncation_is_told_from_the_end():
    short, whole = adapter.raw_env(ds.Rules(max_turns=1)), adapter.raw_env(ds.Rules(cards=[]))
    for env, truncated in ((short, True), (whole, False)):
        env.reset(seed=1)
        while not env.game.is_terminal:
            legal = env.game.legal_actions()
            env.step(legal[-1])  # never PASS: the first card, the ice age, is soon taken
        assert set(env.truncations.values()) == {truncated} == {env.game.truncated}
        assert set(env.terminations.values()) == {not truncated}


def test_as_a_parallel_environment():
    env = turn_based_aec_to_parallel(adapter.raw_env(RULES))
    seen, _ = env.reset(seed=1)
    while env.agents:
        agent = env.aec_env.agent_selection
        action = int(np.flatnonzero(seen[agent]["action_mask"])[0])
        seen, *_ = env.step({agent: action})
    assert env.aec_env.unwrapped.game.is_terminal


# ---- misuse ----


def test_illegal_action_ends_a_wrapped_game():
    env = adapter.env(RULES, illegal_reward=-3)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(0)
    assert env.rewards[agent] == -3 and all(env.terminations.values())


@pytest.mark.parametrize("action", [0, 234, 235, -1, "pass", None, 1.5])
def test_illegal_action_is_refused_by_the_raw_environment(action):
    env = adapter.raw_env(RULES)
    env.reset(seed=1)
    before = env.game.clone()
    with pytest.raises(ds.IllegalAction, match="action"):
        env.step(action)
    assert env.game == before and env.agent_selection == "insect_5"


def test_stepping_without_a_game():
    env = adapter.raw_env(RULES)
    with pytest.raises(ds.DsSimError, match="reset"):
        env.step(1)
    with pytest.raises(ds.DsSimError, match="reset"):
        env.observe("bird_2")
    play(env, 1)
    with pytest.raises(ds.DsSimError, match="reset"):
        env.step(1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"reward": "points"}, "reward = 'points'.*'vp', 'win', 'rank'"),
        ({"render_mode": "rgb_array"}, "render_mode = 'rgb_array'.*'ansi'"),
        ({"rules": {"animals": ["bird"]}}, "rules = .*ds_sim.Rules"),
    ],
)
def test_bad_arguments(arguments, said):
    with pytest.raises(ds.DsSimError, match=said):
        adapter.env(**arguments)


def test_unknown_agent():
    env = adapter.raw_env(RULES)
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ds.DsSimError, match=r"agent = 'reptile_1'.*mammal_0, bird_2, insect_5"):
            ask("reptile_1")
