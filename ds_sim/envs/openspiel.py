"""The game in OpenSpiel, with explicit chance. Importing this module registers it; needs `ds-sim[openspiel]`.

>>> import pyspiel
>>> import ds_sim.envs.openspiel
>>> game = pyspiel.load_game("python_dominant_species(animals=mammal+bird)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), game.num_players(), game.max_chance_nodes_in_history()
(True, 2, 1252)

A player is an animal in play, by its place in the food chain; the animals of one seat share its "win" and
"rank". Actions and chance outcomes are those of the protocol, integers below 235.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

import ds_sim as ds
from ds_sim import observation

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise ImportError("ds_sim.envs.openspiel needs OpenSpiel: pip install 'ds-sim[openspiel]'") from error

NAME: Final = "python_dominant_species"
PARAMETERS: Final = {"animals": "", "rules": "{}", "utility": "win"}
"""`animals`: names with commas, pluses or spaces between, all six by default. `rules`: every other field of
`ds_sim.Rules` as a JSON object; in a game string, where OpenSpiel splits at commas, write semicolons for
them. `utility`: win, rank or vp."""


def _game_type(utility: pyspiel.GameType.Utility) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Dominant Species",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def _parse(parameters: Mapping[str, Any]) -> tuple[ds.Rules, str]:
    """The rule set and the utility that game parameters name."""
    given = PARAMETERS | dict(parameters)
    for name, value in given.items():
        if name not in PARAMETERS:
            raise ds.RulesError(f"parameter {name!r}: expected one of {', '.join(PARAMETERS)}")
        if not isinstance(value, str):
            raise ds.RulesError(f"{name} = {value!r}: expected a string")
    if given["utility"] not in ("win", "rank", "vp"):
        raise ds.RulesError(f"utility = {given['utility']!r}: expected 'win', 'rank' or 'vp'")
    try:
        fields = json.loads(given["rules"].replace(";", ","))
    except json.JSONDecodeError as error:
        raise ds.RulesError(f"rules = {given['rules']!r}: expected a JSON object ({error})") from None
    animals = [name for name in re.split(r"[,+;\s]+", given["animals"]) if name]
    if animals and isinstance(fields, dict):
        fields.setdefault("animals", animals)
    rules = ds.Rules.from_dict(fields)
    if animals and set(animals) != set(rules.animals):
        raise ds.RulesError(
            f"animals = {given['animals']!r}: the parameter `rules` has {', '.join(rules.animals)}"
        )
    return rules, given["utility"]


def _canonical(rules: ds.Rules, utility: str) -> dict[str, str]:
    """Parameters that survive a game string: without commas, equals signs and brackets."""
    fields = rules.to_dict()
    animals = "+".join(fields.pop("animals"))
    return {"animals": animals, "rules": json.dumps(fields, separators=(";", ":")), "utility": utility}


# ---- bounds ----


def max_decisions(rules: ds.Rules) -> int:
    """No game presents more decisions, chance not counted. Proven, not measured: most take far fewer.

    A turn resolves each of the 41 spaces once at most, each tile and card comes once a game, and a question
    for a number is repeated only after 15 species (P-3).
    """
    n = len(rules.animals)
    portions = sum((rules.gene_pool[animal] + 4) // 15 for animal in rules.animals)
    turn = 41  # Planning
    turn += 35 + 5 if rules.dominance_claims == "declared" else 0
    turn += 1 + 3 + (2 + 1) + 2 * 2 + 1 + 1 + 1  # initiative ... depletion, glaciation
    turn += 6 * (1 + 3) + 1  # speciation
    turn += 3  # wanderlust, if forgone
    turn += sum(3 * moves + 1 for moves in (7, 6, 5, 4, 3, 2))  # migration
    turn += 2 + 7 * 3 * 2  # competition
    turn += 5 + 1  # domination, and the mammal's save
    tiles = 24 * (3 + 6 * n + portions)  # element, corner, hex; then every animal from up to six tiles
    cards = 26  # taken
    cards += 3 * 35 + 2 * n  # biomass, fecundity, predator; disease, immigrants
    cards += 8 + 2 * 4 + 4 * 2 + 3  # those that ask 8, 4, 2 times and once
    cards += 1 + 5 * n + portions  # mass exodus
    return rules.max_turns * turn + tiles + cards


def max_chance_nodes(rules: ds.Rules) -> int:
    """No game has more chance nodes: each card and tile once, twelve elements a turn, and `symbiotic`."""
    return len(rules.cards) + 24 + 12 * rules.max_turns + len(rules.animals)


def max_vp(rules: ds.Rules) -> int:
    """No animal ever has more VPs. Proven, not measured."""
    tile = max((value for values in rules.tile_values.values() for value in values), default=0)
    bonus = max(rules.bonus_vp)
    cubes = sum(rules.gene_pool[animal] + 4 for animal in rules.animals)
    each_turn = 5 * tile + bonus  # domination and survival
    bonuses = rules.tundra_tiles + 24 + 1  # each glaciation, each tile of wanderlust, the ice age
    cards = 35 + 120 + cubes  # biodiversity, ecodiversity, fertile
    return max(rules.handicap.values()) + rules.max_turns * each_turn + bonuses * bonus + cards + 35 * tile


class DominantSpeciesGame(pyspiel.Game):  # type: ignore[misc]
    """A rule set and a utility as an OpenSpiel game. Bad parameters raise `RulesError`, a `ValueError`."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.rules, self.utility = _parse(params or {})
        self.start = ds.State(self.rules, seed=0, explicit_chance=True)
        players = len(self.rules.animals)
        shared = len(self.rules.seats) < players
        total = None if shared else {"win": 1.0, "rank": players / 2}.get(self.utility)
        kind = pyspiel.GameType.Utility
        info = pyspiel.GameInfo(
            num_distinct_actions=ds.actions.N_ACTIONS,
            max_chance_outcomes=ds.actions.N_ACTIONS,  # what their ids must be below
            num_players=players,
            min_utility=0.0,
            max_utility=float(max_vp(self.rules)) if self.utility == "vp" else 1.0,
            utility_sum=total,
            max_game_length=max_decisions(self.rules),
        )
        game_type = _game_type(kind.GENERAL_SUM if total is None else kind.CONSTANT_SUM)
        super().__init__(game_type, info, _canonical(self.rules, self.utility))

    def new_initial_state(self, position: ds.State | Mapping[str, Any] | None = None) -> DominantSpeciesState:
        """The start of a game; or a position, a `ds_sim.State` or its plain data, with an empty history."""
        return DominantSpeciesState(
            self, self.start.clone() if position is None else self._position(position)
        )

    def _position(self, position: ds.State | Mapping[str, Any]) -> ds.State:
        data = position.to_dict() if isinstance(position, ds.State) else position
        state = ds.State.from_dict(data, seed=0, explicit_chance=True)
        if state.rules != self.rules:
            raise ds.InvalidState(f"position: its rule set is {state.rules}, the game's {self.rules}")
        return state

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> Observer | IIGObserverForPublicInfoGame:
        """The observer of the position; with perfect recall, of the history, which has no tensor."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.rules, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)

    def max_chance_nodes_in_history(self) -> int:
        return max_chance_nodes(self.rules)


class DominantSpeciesState(pyspiel.State):  # type: ignore[misc]
    """A state of the game. `position` is the `ds_sim.State` it stands for, `str` its plain data as JSON."""

    def __init__(self, game: DominantSpeciesGame, position: ds.State) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        position = self.position
        if position.is_terminal:
            return int(pyspiel.PlayerId.TERMINAL)
        if position.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return position.rules.animals.index(position.actor)

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions().tolist()  # type: ignore[no-any-return]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return ds.actions.text(action)

    def is_terminal(self) -> bool:
        return self.position.is_terminal

    def returns(self) -> list[float]:
        """By player; zeros before the end."""
        position = self.position
        if not position.is_terminal:
            return [0.0] * len(position.rules.animals)
        returns = position.returns(self.get_game().utility)
        return [float(returns[ds.board.ANIMAL_ID[animal]]) for animal in position.rules.animals]

    def __str__(self) -> str:
        return json.dumps(self.position.to_dict())


class Observer:
    """What a player sees: `tensor` and its parts in `dict`, as `ds_sim.observation` tells, or a string."""

    def __init__(self, rules: ds.Rules, params: Mapping[str, Any] | None = None) -> None:
        if params:
            raise ds.InvalidState(f"observation parameters {dict(params)!r}: expected none")
        self._viewers = [ds.board.ANIMAL_ID[animal] for animal in rules.animals]
        self._rows = np.zeros((1, observation.SIZE), np.float32)
        self.tensor = self._rows[0]
        self.dict = {f.name: observation.field(self.tensor, f.name) for f in observation.FIELDS}

    def set_from(self, state: DominantSpeciesState, player: int) -> None:
        """Writes what `player` sees; like every OpenSpiel observer, into the same arrays each time."""
        observation.observe(state.position.array, self._viewers[player], out=self._rows)

    def string_from(self, state: DominantSpeciesState, player: int) -> str:
        return str(state)


pyspiel.register_game(_game_type(pyspiel.GameType.Utility.GENERAL_SUM), DominantSpeciesGame)
