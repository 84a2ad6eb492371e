"""The vector environment against single games, and what Gymnasium asks of vector environments."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

import ds_sim as ds
from ds_sim import observation
from ds_sim.envs.gymnasium import ID, DominantSpeciesEnv, DominantSpeciesVectorEnv

RULES = ds.Rules(animals=("mammal", "bird", "insect"), max_turns=3, handicap={"bird": 4})


def last_action(states, legal):
    return 234 - legal[:, ::-1].argmax(axis=1)


def make(num_envs=5, **arguments):
    return DominantSpeciesVectorEnv(num_envs, RULES, **{"animal": "bird"} | arguments)


def choose(infos, random):
    """A random legal action for each row; 0 where there is none, to be ignored."""
    mask = infos["action_mask"]
    return (mask * random.random(mask.shape)).argmax(axis=1)


class Single:
    """One row, played on single states: the game, then the one `step` further on, and so on."""

    def __init__(self, seed, index, step, reward, opponents):
        self.env = DominantSpeciesEnv(RULES, animal="bird", reward=reward, opponents=opponents)
        self.env.reset(seed=seed)
        self.step_by, self.over = step, False
        self.go_to(index)

    def go_to(self, index):
        while True:
            state = self.env.game
            if state.index == index:
                return
            self.env.reset()

    def step(self, action):
        if self.over:
            self.go_to(self.env.game.index + self.step_by)
            self.over = False
            return 0.0, False, False
        _, reward, terminated, truncated, _ = self.env.step(action)
        self.over = terminated or truncated
        return reward, terminated, truncated


@pytest.mark.parametrize("reward", ["vp", "win"])
def test_rows_are_single_environments(reward):
    """E-4, E-16, E-42: through many games of each row, illegal actions among them."""
    env, random = make(reward=reward, opponents=last_action), np.random.default_rng(1)
    seen, infos = env.reset(seed=3)
    rows = [Single(3, i, 5, reward, lambda state: state.legal_actions()[-1]) for i in range(5)]
    ended = 0
    for _ in range(250):
        for i, row in enumerate(rows):
            np.testing.assert_array_equal(seen[i], observation.observe(row.env.game.array, 1 + 1)[0])
            legal = np.zeros(0) if row.over else row.env.game.legal_actions()
            np.testing.assert_array_equal(np.flatnonzero(infos["action_mask"][i]), legal)
        actions = choose(infos, random)
        cheats = random.random(5) < 0.002
        actions[cheats] = 234
        seen, rewards, terminations, truncations, infos = env.step(actions)
        told = [row.step(action) for row, action in zip(rows, actions, strict=True)]
        assert list(zip(rewards, terminations, truncations, strict=True)) == told
        ended += sum(row.over for row in rows)
    assert ended > 6


@pytest.mark.parametrize("reward", ["vp", "win", "rank"])
def test_rewards_sum_to_the_returns(reward):
    """E-16, with opponents that draw."""
    env, random = make(64, reward=reward), np.random.default_rng(2)
    _, infos = env.reset(seed=5)
    total, running = np.zeros(64), np.ones(64, bool)
    while running.any():
        _, rewards, terminations, truncations, infos = env.step(choose(infos, random))
        total[running] += rewards[running]
        for i in np.flatnonzero(running & (terminations | truncations)):
            assert total[i] == pytest.approx(env.batch.state(i).returns(reward)[2])
        running &= ~(terminations | truncations)


def test_what_gymnasium_asks():
    env = gymnasium.make_vec(ID, 6, vectorization_mode="vector_entry_point", rules=RULES, animal="insect")
    assert isinstance(env, VectorEnv) and env.num_envs == 6
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    env.action_space.seed(1)
    seen, infos = env.reset(seed=1)
    for _ in range(300):
        assert env.observation_space.contains(seen)
        assert infos["action_mask"].dtype == np.int8 and infos["action_mask"].shape == (6, 235)
        seen, rewards, terminations, truncations, infos = env.step(
            env.action_space.sample(tuple(infos["action_mask"]))
        )
        assert rewards.dtype == np.float64 and rewards.shape == (6,)
        assert terminations.dtype == truncations.dtype == np.bool_
        assert not (terminations & truncations).any()
    env.close()


def test_runs_repeat():
    """E-4, E-5: every row, also those of further resets; other seeds give others."""

    def run(seed, num_envs=7):
        env, random = make(num_envs), np.random.default_rng(0)
        traces = []
        for number in range(2):
            seen, infos = env.reset(seed=seed if number == 0 else None)
            for _ in range(60):
                traces.append(seen)
                seen, *_, infos = env.step(choose(infos, random))
        return np.array(traces)

    np.testing.assert_array_equal(run(1), run(1))
    assert (run(1)[0] != run(2)[0]).any()
    assert (run(1)[0] != run(1)[60]).any()


def test_observations_are_kept():
    """E-15."""
    env = make()
    kept, infos = env.reset(seed=1)
    before, mask = kept.copy(), infos["action_mask"].copy()
    env.step(choose(infos, np.random.default_rng(1)))
    np.testing.assert_array_equal(kept, before)
    np.testing.assert_array_equal(infos["action_mask"], mask)


def test_illegal_actions():
    env = make(3, illegal_reward=-5)
    _, infos = env.reset(seed=1)
    actions = choose(infos, np.random.default_rng(1))
    actions[1] = 0
    _, rewards, terminations, _, infos = env.step(actions)
    assert terminations.tolist() == [False, True, False] and rewards[1] == -5
    assert not infos["action_mask"][1].any() and infos["action_mask"][0].any()
    _, rewards, terminations, _, infos = env.step(choose(infos, np.random.default_rng(1)))
    assert rewards[1] == 0 and not terminations[1] and env.batch.indices[1] == 4

    strict = make(3, illegal_reward=None)
    strict.reset(seed=1)
    before = strict.batch.array.copy()
    with pytest.raises(ds.IllegalAction, match="row 1"):
        strict.step(actions)
    assert (strict.batch.array == before).all()


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([1, 2], r"int64 \(2,\), expected integers \(3,\)"),
        ([1.0, 2.0, 3.0], "float64"),
        ([1, 2, 235], r"actions\[2\] = 235.*0 to 234"),
        ([1, -1, 2], r"actions\[1\] = -1"),
        (["a", "b", "c"], "expected integers"),
    ],
)
def test_no_actions_at_all(actions, said):
    env = make(3)
    env.reset(seed=1)
    with pytest.raises(ds.IllegalAction, match=said):
        env.step(actions)


def test_stepping_before_the_start():
    with pytest.raises(ds.DsSimError, match="reset"):
        make().step(np.zeros(5, int))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"num_envs": 0}, "size = 0"),
        ({"animal": "reptile"}, "animal = 'reptile'"),
        ({"opponents": "strong"}, "opponents = 'strong'"),
        ({"reward": "points"}, "reward = 'points'"),
    ],
)
def test_bad_arguments(arguments, said):
    with pytest.raises(ds.DsSimError, match=said):
        make(**arguments)


def test_an_animal_without_decisions():
    rules = ds.Rules(animals=("bird", "insect"), pawns={"bird": 0}, gene_pool=0, max_turns=1, cards=[])
    env = DominantSpeciesVectorEnv(2, rules, opponents=last_action)
    with pytest.raises(ds.DsSimError, match="animal = 'bird': no decision"):
        env.reset(seed=1)


@ds.policy
def last(view, legal, n):
    return n - 1


@pytest.mark.parametrize("policy", [last, ds.PythonPolicy(lambda state: state.legal_actions()[-1])])
def test_policies_as_opponents(policy):
    """What the others do is what the policy does, row by row."""
    env, random = make(4, opponents={"mammal": policy, "insect": policy}), np.random.default_rng(4)
    _, infos = env.reset(seed=2)
    rows = [ds.State(RULES, seed=2, index=i) for i in range(4)]
    for _ in range(30):
        for i, state in enumerate(rows):
            while state.actor != "bird":
                state.apply(policy.choose(state))
            assert state.to_bytes() == env.batch.state(i).to_bytes()
        actions = choose(infos, random)
        for state, action in zip(rows, actions, strict=True):
            state.apply(int(action))
        infos = env.step(actions)[4]


def test_an_opponent_that_raises_ends_all_games():
    calls = []

    def opponents(states, legal):
        calls.append(None)
        if len(calls) == 40:
            raise KeyError("as meant")
        return last_action(states, legal)

    env = make(3, opponents=opponents)
    _, infos = env.reset(seed=1)

    def play(infos):
        while True:
            infos = env.step(infos["action_mask"].argmax(axis=1))[4]

    with pytest.raises(KeyError, match="as meant"):
        play(infos)
    with pytest.raises(ds.InvalidState, match="reset"):
        env.step(np.zeros(3, np.int64))
    env.reset()
    assert env.batch.indices.min() >= 3
