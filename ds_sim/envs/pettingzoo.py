"""The game as a PettingZoo AEC environment, an agent for every animal in play. Needs `ds-sim[pettingzoo]`.

>>> from ds_sim.envs import pettingzoo
>>> env = pettingzoo.env(reward="vp")
>>> env.reset(seed=7)
>>> env.agent_selection
'insect_5'
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

import ds_sim as ds
from ds_sim import observation

from ._episode import (
    RENDER_MODES,
    REWARDS,
    Episode,
    action_mask,
    checked,
    checked_reward,
    checked_rules,
    draw,
    no_actions,
)

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("ds_sim.envs.pettingzoo needs PettingZoo: pip install 'ds-sim[pettingzoo]'") from error

AGENTS: Final = {animal: f"{animal}_{i}" for i, animal in enumerate(ds.board.ANIMALS)}
"""The agent of each animal: its name and its place in the food chain, from 0."""

Observation = dict[str, npt.NDArray[Any]]


def env(
    rules: ds.Rules | None = None,
    *,
    reward: str = "vp",
    render_mode: str | None = None,
    illegal_reward: float = -1.0,
) -> AECEnv:
    """`raw_env` in PettingZoo's usual wrappers: an illegal action ends the game, at `illegal_reward`."""
    wrapped: AECEnv = raw_env(rules, reward=reward, render_mode=render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=checked_reward(illegal_reward))
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801
    """The environment itself. An illegal action raises `IllegalAction` and changes nothing.

    `reward`: what the rewards of an agent sum to: its final VPs ("vp"; all points, also those earned and lost
    in others' turns), or its `State.returns` "win" or "rank", paid at the end. A game that `max_turns` ends
    is truncated.

    `reset(seed=s)` starts the game `ds_sim.State(rules, seed=s)`, each further `reset()` the next of that
    run; `options` are not used. Observations are dicts: `observation` float32 (n,) as `ds_sim.observation`
    tells, looked at by the agent, and `action_mask` int8 (235,), all 0 for agents that are not to act.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "dominant_species_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self, rules: ds.Rules | None = None, *, reward: str = "vp", render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.rules = checked_rules(rules)
        self.render_mode = checked("render_mode", render_mode, (None, *RENDER_MODES))
        self._episode = Episode(self.rules, checked("reward", reward, REWARDS))
        self.agents: list[str] = []
        self.possible_agents = [AGENTS[animal] for animal in self.rules.animals]
        self._ids = {AGENTS[animal]: ds.board.ANIMAL_ID[animal] for animal in self.rules.animals}
        self.state_space = spaces.Box(np.zeros_like(observation.HIGH), observation.HIGH)
        self._observation_spaces = {agent: _observation_space() for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(ds.actions.N_ACTIONS) for agent in self.possible_agents}

    @property
    def game(self) -> ds.State:
        """The state of the game."""
        state = self._episode.state
        if state is None:
            raise ds.InvalidState("game: there is none before reset()")
        return state

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._episode.start(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise ds.InvalidState("step: no game is going on; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ds.IllegalAction("action = None: expected only of agents whose game is over")
        self.game.apply(action)
        self._cumulative_rewards[agent] = 0.0
        paid = self._episode.pay()
        self.rewards = {agent: float(paid[self._ids[agent]]) for agent in self.agents}
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Whose decision it is; at the end every agent is done, and the first is asked first."""
        game = self.game
        if game.is_terminal:
            self.terminations = dict.fromkeys(self.agents, not game.truncated)
            self.truncations = dict.fromkeys(self.agents, bool(game.truncated))
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = AGENTS[str(game.actor)]

    def observe(self, agent: str) -> Observation:
        """What the agent sees now; new arrays each time."""
        viewer = self._ids[self._known(agent)]
        acts = not self.game.is_terminal and agent == self.agent_selection
        return {
            "observation": observation.observe(self.game.array, viewer)[0],
            "action_mask": action_mask(self.game) if acts else no_actions(),
        }

    def state(self) -> npt.NDArray[np.float32]:
        """The position, looked at by nobody: float32 (n,)."""
        observed: npt.NDArray[np.float32] = observation.observe(self.game.array, -1)[0]
        return observed

    def render(self) -> str | None:
        """The position as text: returned ("ansi") or printed ("human")."""
        if self.render_mode is None:
            raise ds.DsSimError(
                "render_mode = None: expected 'ansi' or 'human', given when the environment is made"
            )
        text = draw(self.game)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _known(self, agent: str) -> str:
        if agent not in self._ids:
            raise ds.DsSimError(f"agent = {agent!r}: expected one of {', '.join(self._ids)}")
        return agent


def _observation_space() -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(observation.HIGH), observation.HIGH),
            "action_mask": spaces.Box(0, 1, (ds.actions.N_ACTIONS,), np.int8),
        }
    )
