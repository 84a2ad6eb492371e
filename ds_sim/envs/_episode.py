"""What the adapters of reinforcement learning share: a game, its rewards, and its picture as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

import ds_sim as ds
from ds_sim.policies import Policy, PolicyLike, named

Reward: TypeAlias = Literal["vp", "win", "rank"]
REWARDS: Final = ("vp", "win", "rank")
Opponent: TypeAlias = PolicyLike
"""The name of a built-in policy, a policy, or a callable that takes a state and returns one of its legal
actions, by id or text. It is shown a copy whose random stream is not the game's, so it cannot look ahead."""

RENDER_MODES: Final = ("ansi", "human")


def checked_rules(rules: object) -> ds.Rules:
    if rules is not None and not isinstance(rules, ds.Rules):
        raise ds.RulesError(f"rules = {rules!r}: expected a ds_sim.Rules")
    return ds.Rules() if rules is None else rules


def checked(field: str, value: object, accepted: tuple[Any, ...]) -> Any:
    if not any(value is one or (isinstance(value, str) and value == one) for one in accepted):
        raise ds.DsSimError(f"{field} = {value!r}: expected one of {', '.join(map(repr, accepted))}")
    return value


def checked_reward(value: object) -> float | None:
    """`illegal_reward`: a finite number, or None."""
    if value is None or (isinstance(value, (int, float, np.number)) and np.isfinite(value)):
        return None if value is None else float(value)
    raise ds.DsSimError(f"illegal_reward = {value!r}: expected a number, or None")


def action_mask(state: ds.State) -> npt.NDArray[np.int8]:
    """The legal actions: a new int8 array (235,), fit for `Discrete.sample`."""
    return state.legal_mask().astype(np.int8)


def no_actions() -> npt.NDArray[np.int8]:
    return np.zeros(ds.actions.N_ACTIONS, np.int8)


class Episode:
    """One game after the other: `start(seed)` is game 0 of the run with that seed, `start()` the next one."""

    def __init__(self, rules: ds.Rules, reward: Reward) -> None:
        self.rules, self.reward = rules, reward
        self.state: ds.State | None = None
        self._paid = np.zeros(len(ds.board.ANIMALS))

    def start(self, seed: int | None = None) -> ds.State:
        if seed is None and self.state is not None:
            self.state = ds.State(self.rules, seed=self.state.seed, index=self.state.index + 1)
        else:
            self.state = ds.State(self.rules, seed=seed)
        self._paid = np.zeros(len(ds.board.ANIMALS))
        return self.state

    def pay(self) -> npt.NDArray[np.float64]:
        """What each animal has won since the last call, in whoever's turn: float64 (6,). Sums to returns."""
        assert self.state is not None
        if self.reward == "vp":
            worth = self.state.scores.astype(np.float64)
        elif self.state.is_terminal:
            worth = self.state.returns(self.reward)
        else:
            worth = self._paid
        paid, self._paid = worth - self._paid, worth
        return paid


def draw(state: ds.State) -> str:
    """The position in a few lines of text."""
    plain = state.to_dict()
    lines = [f"turn {plain['turn']}, {plain['phase']}: {plain['actor'] or 'nobody'} at {plain['node']}"]
    for animal in plain["initiative"]:
        numbers = (f"{plain[key].get(animal, 0)} {word}" for key, word in _NUMBERS.items())
        lines.append(f"{animal:<9}  {', '.join(numbers)}, {_counted(plain['elements'].get(animal, {}))}")
    for name, tile in plain["tiles"].items():
        kind = "tundra" if tile.get("tundra") else tile["terrain"]
        cone = f", dominated by {tile['dominant']}" if "dominant" in tile else ""
        lines.append(f"{name} {kind:<8}  {_counted(tile.get('species', {})) or 'empty'}{cone}")
    return "\n".join(lines) + "\n"


_NUMBERS: Final = {"vp": "VP", "pawns": "APs", "gene_pool": "in the gene pool"}


def _counted(numbers: dict[str, int]) -> str:
    return " ".join(f"{n} {name}" for name, n in numbers.items())


def opponents_by_animal(
    opponents: Opponent | Mapping[str, Opponent], rules: ds.Rules, learner: str
) -> dict[str, Policy]:
    """Who plays each of the others in play."""
    others = [animal for animal in rules.animals if animal != learner]
    given = dict(opponents) if isinstance(opponents, Mapping) else dict.fromkeys(others, opponents)
    if set(given) != set(others):
        raise ds.DsSimError(f"opponents = {given!r}: expected one for each of {', '.join(others)}")
    return {animal: named(opponent, "opponents") for animal, opponent in given.items()}
