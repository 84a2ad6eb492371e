"""One animal's game as a Gymnasium environment, the others played by policies. Needs `ds-sim[gymnasium]`.

Importing this module registers `ds_sim/DominantSpecies-v0`:

>>> import gymnasium
>>> import ds_sim.envs.gymnasium
>>> env = gymnasium.make("ds_sim/DominantSpecies-v0", animal="bird")
>>> observation, info = env.reset(seed=7)
>>> over = False
>>> while not over:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
...     over = terminated or truncated
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import ds_sim as ds
from ds_sim import observation

from ._episode import (
    RENDER_MODES,
    REWARDS,
    Episode,
    Opponent,
    action_mask,
    checked,
    checked_reward,
    checked_rules,
    draw,
    no_actions,
    opponents_by_animal,
)

try:
    import gymnasium
    from gymnasium import spaces

    from .gymnasium_vector import DominantSpeciesVectorEnv
except ImportError as error:
    raise ImportError("ds_sim.envs.gymnasium needs Gymnasium: pip install 'ds-sim[gymnasium]'") from error

__all__ = ["ID", "DominantSpeciesEnv", "DominantSpeciesVectorEnv", "Opponent"]

ID: Final = "ds_sim/DominantSpecies-v0"


class DominantSpeciesEnv(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """The decisions of one animal; `opponents` take those of the others.

    Observations: float32 (n,) as `ds_sim.observation` tells, looked at by the animal. Actions: ids below 235;
    which are legal is told by `info["action_mask"]`, int8 (235,), and by `action_masks()`, bool. An illegal
    action ends the episode with `illegal_reward` and is told by `info["illegal_action"]`; with
    `illegal_reward=None` it raises and changes nothing.

    `reward`: what the rewards of an episode sum to: the animal's final VPs ("vp"; all points, also those won
    and lost in others' turns), or its `State.returns` "win" or "rank", paid at the end. A game that
    `max_turns` ends is truncated.

    `reset(seed=s)` starts the game `ds_sim.State(rules, seed=s)`, each further `reset()` the next of that
    run; `options` are not used. `opponents`: one for all, or a map by animal; `animal`: by default the first
    in play.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        rules: ds.Rules | None = None,
        *,
        animal: str | None = None,
        opponents: Opponent | Mapping[str, Opponent] = "uniform",
        reward: str = "vp",
        illegal_reward: float | None = -1.0,
        render_mode: str | None = None,
    ) -> None:
        self.rules = checked_rules(rules)
        self.animal = checked(
            "animal", self.rules.animals[0] if animal is None else animal, self.rules.animals
        )
        self.render_mode = checked("render_mode", render_mode, (None, *RENDER_MODES))
        self.illegal_reward = checked_reward(illegal_reward)
        self.observation_space = spaces.Box(np.zeros_like(observation.HIGH), observation.HIGH)
        self.action_space = spaces.Discrete(ds.actions.N_ACTIONS)
        self._episode = Episode(self.rules, checked("reward", reward, REWARDS))
        self._opponents = opponents_by_animal(opponents, self.rules, self.animal)
        self._id = ds.board.ANIMAL_ID[self.animal]
        self._over = True

    @property
    def game(self) -> ds.State:
        """The state of the game."""
        state = self._episode.state
        if state is None:
            raise ds.InvalidState("game: there is none before reset()")
        return state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self._over = True
        self._episode.start(seed)
        self._let_others_play()
        if self.game.is_terminal:
            raise ds.DsSimError(
                f"animal = {self.animal!r}: it has no decision in the whole game under these rules"
            )
        self._over = False
        return self._observe(), {"action_mask": action_mask(self.game)}

    def step(
        self, action: np.int64 | int
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        if self._over:
            raise ds.InvalidState("step: no episode is going on; call reset() first")
        if not self.action_space.contains(action):
            raise ds.IllegalAction(
                f"action = {action!r}: expected an integer from 0 to {ds.actions.N_ACTIONS - 1}"
            )
        action = int(action)
        if self.illegal_reward is not None and not self.game.legal_mask()[action]:
            self._over = True
            info = {"action_mask": no_actions(), "illegal_action": action}
            return self._observe(), float(self.illegal_reward), True, False, info
        self.game.apply(action)
        self._over = True  # should an opponent fail
        self._let_others_play()
        self._over = bool(self.game.is_terminal)
        mask = no_actions() if self._over else action_mask(self.game)
        truncated = bool(self._over and self.game.truncated)
        reward = float(self._episode.pay()[self._id])
        return self._observe(), reward, self._over and not truncated, truncated, {"action_mask": mask}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool (235,), under the name that maskable learners ask for."""
        return self.game.legal_mask()

    def render(self) -> str | None:
        """The position as text: returned ("ansi") or printed ("human")."""
        if self.render_mode is None:
            return None
        text = draw(self.game)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _observe(self) -> npt.NDArray[np.float32]:
        observed: npt.NDArray[np.float32] = observation.observe(self.game.array, self._id)[0]
        return observed

    def _let_others_play(self) -> None:
        game = self.game
        while (actor := game.actor) != self.animal and actor is not None:
            game.apply(self._opponents[actor].choose(game, int(self.np_random.integers(2**63))))


if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point=f"{__name__}:DominantSpeciesEnv",
        vector_entry_point=f"{__name__}:DominantSpeciesVectorEnv",
    )
