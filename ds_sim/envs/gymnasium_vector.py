"""Many games of `ds_sim.envs.gymnasium` stepped at once, on one `ds_sim.Batch`. Needs `ds-sim[gymnasium]`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import ds_sim as ds
from ds_sim import observation
from ds_sim.policies import Policy

from ._episode import REWARDS, checked, checked_reward, checked_rules, opponents_by_animal

BatchOpponents: TypeAlias = (
    "str | Policy | Callable[[npt.NDArray[Any], npt.NDArray[np.bool_]], npt.ArrayLike]"
)
"""The name of a built-in policy, a policy, or a callable on the states as `Batch.array` and their legal
actions, bool (n, 235), that returns an action for each row, integers (n,); looked at only in rows where an
opponent decides. A callable on single states plays as `ds_sim.PythonPolicy(callable)`."""

Step: TypeAlias = tuple[
    npt.NDArray[np.float32],
    npt.NDArray[np.float64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, Any],
]


class DominantSpeciesVectorEnv(VectorEnv[npt.NDArray[np.float32], npt.NDArray[np.int64], npt.NDArray[Any]]):
    """The decisions of one animal in `num_envs` games; `opponents` take those of the others.

    Observations float32 (n, k), rewards float64 (n,), and `infos["action_mask"]` int8 (n, 235): each row
    means what `DominantSpeciesEnv` means by it. Where a game has ended, the next step ignores the row's
    action and begins another game, with reward 0 (`AutoresetMode.NEXT_STEP`).

    After `reset(seed=s)` row i plays the game `ds_sim.State(rules, seed=s, index=i)`, then those `num_envs`
    further on.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rules: ds.Rules | None = None,
        *,
        animal: str | None = None,
        opponents: BatchOpponents | Mapping[str, str | Policy] = "uniform",
        reward: str = "vp",
        illegal_reward: float | None = -1.0,
    ) -> None:
        self.rules = checked_rules(rules)
        self.animal = checked(
            "animal", self.rules.animals[0] if animal is None else animal, self.rules.animals
        )
        self.reward = checked("reward", reward, REWARDS)
        self.illegal_reward = checked_reward(illegal_reward)
        self._ask = opponents if callable(opponents) else None
        self._policies = (
            {} if callable(opponents) else opponents_by_animal(opponents, self.rules, self.animal)
        )
        self.batch = ds.Batch(self.rules, num_envs, seed=0)
        self.num_envs = len(self.batch)
        self.single_observation_space = spaces.Box(np.zeros_like(observation.HIGH), observation.HIGH)
        self.single_action_space = spaces.Discrete(ds.actions.N_ACTIONS)
        self.action_space = spaces.MultiDiscrete(np.full(self.num_envs, ds.actions.N_ACTIONS))
        self._id = ds.board.ANIMAL_ID[self.animal]
        self._started = self._playing = False

    @cached_property
    def observation_space(self) -> spaces.Space[npt.NDArray[np.float32]]:  # type: ignore[override]
        """Made when asked for: its bounds take as much memory as a few observations of all rows."""
        return batch_space(self.single_observation_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None and self._started:
            self.batch.reset()
        else:
            self.batch = ds.Batch(self.rules, self.num_envs, seed=seed)
            self._draws = 0
        self._started, self._playing = True, False
        self._paid = np.zeros(self.num_envs)
        self._done = np.zeros(self.num_envs, np.bool_)
        self._let_others_play()
        self._refuse_idle(self.batch.is_terminal)
        self._mask = self.batch.legal_mask()
        self._playing = True
        return self._observe(), self._infos()

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        if not self._playing:
            raise ds.InvalidState("step: no game is going on; call reset() first")
        chosen = self._checked_actions(actions)
        fresh = self._done
        played = self._mask[np.arange(self.num_envs), chosen] & ~fresh
        illegal = ~played & ~fresh
        if self.illegal_reward is None and illegal.any():
            raise ds.IllegalAction(
                f"actions: illegal in row {', '.join(map(str, np.flatnonzero(illegal)[:8]))}"
            )
        self._playing = False  # should an opponent fail
        self.batch.reset(where=fresh)
        self._paid[fresh] = 0
        self.batch.apply(chosen, where=played)
        self._let_others_play()
        self._playing = True
        over = self.batch.is_terminal
        self._refuse_idle(over & fresh)
        rewards = self._pay(over, fresh)
        rewards[illegal] = self.illegal_reward or 0.0
        truncations = over & (self.batch.array["truncated"] != 0)
        terminations = (over & ~truncations) | illegal
        self._done = terminations | truncations
        self._mask = self.batch.legal_mask()
        self._mask[self._done] = False
        return self._observe(), rewards, terminations, truncations, self._infos()

    def _checked_actions(self, actions: npt.ArrayLike) -> npt.NDArray[Any]:
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            got = f"{chosen.dtype} {chosen.shape}"
            raise ds.IllegalAction(f"actions: {got}, expected integers ({self.num_envs},)")
        wrong = np.flatnonzero((chosen < 0) | (chosen >= ds.actions.N_ACTIONS))
        if len(wrong):
            row = wrong[0]
            raise ds.IllegalAction(
                f"actions[{row}] = {chosen[row]}: expected an integer from 0 to {ds.actions.N_ACTIONS - 1}"
            )
        return chosen

    def _let_others_play(self) -> None:
        batch = self.batch
        while True:
            waiting = (batch.array["actor"] != self._id) & ~batch.is_terminal
            if not waiting.any():
                return
            if self._ask is not None:
                actions = self._ask(batch.array, batch.legal_mask())
            else:
                everybody = self._policies | {self.animal: ds.policies.UNIFORM}
                actions = batch.policy_actions(everybody, batch.seed, self._draws, where=waiting)
                self._draws += 1
            batch.apply(actions, where=waiting)

    def _refuse_idle(self, rows: npt.NDArray[np.bool_]) -> None:
        if rows.any():
            raise ds.DsSimError(f"animal = {self.animal!r}: no decision in a whole game under these rules")

    def _pay(self, over: npt.NDArray[np.bool_], fresh: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """What the animal has won since the last step, in whoever's turn; from a game's first step on."""
        worth = np.zeros(self.num_envs)
        if self.reward == "vp":
            worth[:] = self.batch.array["vp"][:, self._id]
        else:
            for row in np.flatnonzero(over):
                worth[row] = self.batch.state(int(row)).returns(self.reward)[self._id]
        worth[fresh] = 0
        paid, self._paid = worth - self._paid, worth
        return paid

    def _observe(self) -> npt.NDArray[np.float32]:
        return observation.observe(self.batch.array, self._id)

    def _infos(self) -> dict[str, Any]:
        told = np.ones(self.num_envs, np.bool_)  # Gymnasium's way to say which rows a key is for
        return {"action_mask": self._mask.astype(np.int8), "_action_mask": told}
