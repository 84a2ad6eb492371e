"""The Gymnasium environments: Gymnasium's own checks, and what they do not look at."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ds_sim as ds
from ds_sim import observation
from ds_sim.envs.gymnasium import ID, DominantSpeciesEnv

RULES = ds.Rules(animals=("mammal", "bird", "insect"), max_turns=4)


def first(state):
    return state.legal_actions()[0]


def play(env, seed=None, choose=None):
    """A whole episode; the sum of its rewards."""
    _, info = env.reset(seed=seed)
    random = np.random.default_rng(0)
    total, over = 0.0, False
    while not over:
        action = random.choice(np.flatnonzero(info["action_mask"]))
        _, reward, terminated, truncated, info = env.step(action)
        total, over = total + reward, terminated or truncated
    return total


# ---- Gymnasium's checks ----


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("animal", RULES.animals)
def test_check_env(animal, capsys):
    env = gymnasium.make(ID, rules=RULES, animal=animal)
    check_env(env.unwrapped)
    assert "planning" in capsys.readouterr().out  # the human rendering


@pytest.mark.filterwarnings("error")
def test_made_and_checked_at_every_step():
    env = gymnasium.make(ID, reward="win")
    assert play(env, seed=1) in (0, 1)


# ---- whole episodes ----


@pytest.mark.parametrize("reward", ["vp", "win", "rank"])
@pytest.mark.parametrize("animal", ["mammal", "insect"])
def test_rewards_sum_to_the_returns(reward, animal):
    """E-16: also what is won and lost in others' turns, and at the end; handicaps too."""
    rules = ds.Rules(handicap={"mammal": 5, "insect": 1}, max_turns=30)
    for seed in range(4):
        env = DominantSpeciesEnv(rules, animal=animal, reward=reward)
        total = play(env, seed)
        assert total == pytest.approx(env.game.returns(reward)[ds.board.ANIMALS.index(animal)])


def test_only_the_animal_is_asked_and_told_what_is_legal():
    """E-13."""
    env = DominantSpeciesEnv(RULES, animal="bird")
    seen, info = env.reset(seed=5)
    over = False
    while not over:
        mask = info["action_mask"]
        assert env.game.actor == "bird" and mask.dtype == np.int8 and mask.shape == (235,)
        np.testing.assert_array_equal(np.flatnonzero(mask), env.game.legal_actions())
        np.testing.assert_array_equal(env.action_masks(), mask)
        np.testing.assert_array_equal(seen, observation.observe(env.game.array, 2)[0])
        action = env.action_space.sample(mask)
        seen, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    assert env.game.is_terminal and not info["action_mask"].any()
    assert (terminated, truncated) == (not env.game.truncated, env.game.truncated)


def test_opponents_play_as_told():
    """The game is the one that the same choices give on a `State`."""
    env = DominantSpeciesEnv(
        RULES, animal="bird", opponents={"mammal": first, "insect": lambda s: s.legal_actions()[-1]}
    )
    _, info = env.reset(seed=8)
    random, over, chosen = np.random.default_rng(1), False, []
    while not over:
        chosen.append(random.choice(np.flatnonzero(info["action_mask"])))
        _, _, terminated, truncated, info = env.step(chosen[-1])
        over = terminated or truncated
    state, mine = ds.State(RULES, seed=8), iter(chosen)
    while not state.is_terminal:
        legal = state.legal_actions()
        state.apply(
            next(mine) if state.actor == "bird" else legal[0] if state.actor == "mammal" else legal[-1]
        )
    assert state == env.game


def test_opponents_may_answer_in_words():
    env = DominantSpeciesEnv(RULES, opponents=lambda state: ds.actions.text(int(first(state))))
    assert play(env, 1) >= 0


def test_opponents_cannot_look_ahead_or_meddle():
    """E-23: they are shown a copy with another random stream."""
    shown = []

    def curious(state):
        shown.append(state.clone())
        choice = first(state)
        while not state.is_terminal:
            state.apply(first(state))
        return choice

    env = DominantSpeciesEnv(RULES, animal="mammal", opponents=curious)
    env.reset(seed=3)
    true = ds.State(RULES, seed=3)
    for state in shown:
        assert state == true
        ahead, guess = true.clone(), state
        while not ahead.is_terminal:
            ahead.apply(first(ahead))
        while not guess.is_terminal:
            guess.apply(first(guess))
        assert ahead != guess
        true.apply(first(true))
    assert true == env.game


def test_whole_episodes_repeat():
    """E-42, E-7: also after a copy and through pickle; and the next episode is another game."""
    env = DominantSpeciesEnv(RULES)
    one = play(env, 9), env.game.clone()
    two = play(env), env.game.clone()
    assert one[1] != two[1]
    for again in (DominantSpeciesEnv(RULES), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (play(again, 9), again.game) == one
        assert (play(again), again.game) == two


def test_observations_are_kept():
    """E-15."""
    env = DominantSpeciesEnv(RULES)
    kept, info = env.reset(seed=4)
    before = kept.copy(), info["action_mask"].copy()
    seen, *_ = env.step(np.flatnonzero(info["action_mask"])[0])
    assert (seen != kept).any()
    np.testing.assert_array_equal(kept, before[0])
    np.testing.assert_array_equal(info["action_mask"], before[1])


# ---- misuse ----


def test_illegal_action_ends_the_episode():
    env = DominantSpeciesEnv(RULES, illegal_reward=-7)
    env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-7, True, False, 0)
    assert env.observation_space.contains(seen)
    with pytest.raises(ds.DsSimError, match="reset"):
        env.step(1)


def test_illegal_action_is_refused_if_wished():
    env = DominantSpeciesEnv(RULES, illegal_reward=None)
    env.reset(seed=1)
    before = env.game.clone()
    with pytest.raises(ds.IllegalAction, match="action 0"):
        env.step(0)
    assert env.game == before
    env.step(first(env.game))


@pytest.mark.parametrize("action", [235, -1, "pass", None, 1.5, np.zeros(2, int)])
def test_no_action_at_all(action):
    env = DominantSpeciesEnv(RULES)
    env.reset(seed=1)
    with pytest.raises(ds.IllegalAction, match=r"action = .*0 to 234"):
        env.step(action)


def test_stepping_without_an_episode():
    env = DominantSpeciesEnv(RULES)
    for ask in (lambda: env.step(1), env.action_masks):
        with pytest.raises(ds.DsSimError, match="reset"):
            ask()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"animal": "reptile"}, "animal = 'reptile'.*'mammal', 'bird', 'insect'"),
        ({"opponents": "strong"}, "opponents = 'strong'.*uniform, greedy, expert"),
        ({"opponents": {"bird": "uniform"}}, "opponents = .*bird, insect"),
        ({"reward": "points"}, "reward = 'points'"),
        ({"render_mode": "rgb_array"}, "render_mode = 'rgb_array'"),
        ({"rules": 3}, "rules = 3"),
    ],
)
def test_bad_arguments(arguments, said):
    with pytest.raises(ds.DsSimError, match=said):
        DominantSpeciesEnv(**{"rules": RULES} | arguments)


def test_an_animal_without_decisions():
    env = DominantSpeciesEnv(
        ds.Rules(animals=("bird", "insect"), pawns={"bird": 0}, gene_pool=0, max_turns=1, cards=[]),
        opponents=first,
    )
    with pytest.raises(ds.DsSimError, match="animal = 'bird': it has no decision"):
        env.reset(seed=1)


def test_an_opponent_that_cheats():
    env = DominantSpeciesEnv(RULES, opponents=lambda state: 0)
    with pytest.raises(ds.PolicyError, match=r"action 0 \(pass\) is not legal"):
        env.reset(seed=1)


def failing():
    """An opponent that plays a while, then raises once."""
    left = [30]

    def choose(state):
        left[0] -= 1
        if left[0] == 0:
            raise KeyError("as meant")
        return state.legal_actions()[0]

    return choose


def test_an_opponent_that_raises_ends_the_episode():
    """Else the next step would play for the opponent."""
    env = DominantSpeciesEnv(RULES, animal="bird", opponents=failing())
    _, info = env.reset(seed=1)

    def play(info):
        while True:
            info = env.step(int(info["action_mask"].argmax()))[4]

    with pytest.raises(ds.PolicyError, match="as meant"):
        play(info)
    with pytest.raises(ds.InvalidState, match="reset"):
        env.step(0)
    env.reset()
    assert env.game.index == 1 and env.game.actor == "bird"


def test_a_reward_that_is_no_number():
    for wrong in ("x", float("nan"), [1]):
        with pytest.raises(ds.DsSimError, match="illegal_reward"):
            DominantSpeciesEnv(RULES, illegal_reward=wrong)
