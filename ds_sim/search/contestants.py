"""Who takes part in an arena: policies and searches, from Python or from a text."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ..errors import DsSimError, PolicyError, SearchError, nearest, show
from ..policies import Policy, PolicyLike, named
from ..rules import Rules
from ..state import State
from .presets import PRESETS
from .tree import Search

_BUDGETS: Final = ("simulations", "seconds", "nodes")
_OPTIONS: Final = tuple(p for p in inspect.signature(Search).parameters if p not in ("state", "seed"))


class SearchPlayer:
    """A player that searches anew at every decision, with a budget and the options of `Search`.

    >>> SearchPlayer(simulations=500, policy="greedy", truncate=20)
    <player mcts:simulations=500,policy=greedy,truncate=20>
    """

    def __init__(self, *, name: str | None = None, **options: Any) -> None:
        if name is not None and not isinstance(name, str):
            raise SearchError(f"name = {show(name)}: expected a text")
        for key in options:
            _check_option(key)
        self.budget = {key: options[key] for key in _BUDGETS if key in options}
        self.options = {key: value for key, value in options.items() if key not in _BUDGETS}
        if not self.budget:
            raise SearchError("budget: expected simulations, seconds or nodes")
        self.name = name or self.described

    @property
    def described(self) -> str:
        """Its budget and options as a text."""
        both = self.budget | self.options
        return "mcts:" + ",".join(f"{key}={_text(value)}" for key, value in both.items())

    def check(self, rules: Rules) -> None:
        """Raises what a search would raise, at once, with the name of the player."""
        try:
            search = Search(State(rules, seed=0), seed=0, **self.options)
            search.run(**(self.budget | {"simulations": 0}))
            search.run(**(self.budget | {"seconds": 0.0}))
        except DsSimError as error:
            raise type(error)(f"player = {show(self.name)}: {error}") from error.__cause__

    def choose(self, state: State, seed: int, progress: Callable[[int, int], object] | None = None) -> int:
        """The action it plays."""
        return Search(state, seed=seed, **self.options).run(**self.budget, progress=progress).best

    def __repr__(self) -> str:
        return f"<player {self.name}>"


Contestant: TypeAlias = "PolicyLike | SearchPlayer"
"""A text ("greedy", "mcts:simulations=500"), a policy, a callable on a state, or a `SearchPlayer`."""


def contestant(value: Contestant) -> Policy | SearchPlayer:
    """The player that a text or an object stands for.

    A text is the name of a policy, or the name of a search, "mcts" or a preset, with its budget and what
    differs:

    >>> contestant("strong:simulations=200").options["truncate"] == PRESETS["strong"]["truncate"]
    True
    >>> contestant("greedy")
    <policy greedy>
    """
    if isinstance(value, SearchPlayer):
        return value
    if isinstance(value, str):
        kind, _, rest = value.partition(":")
        if kind == "mcts" or kind in PRESETS:
            try:
                return SearchPlayer(name=value, **{**PRESETS.get(kind, {}), **_options(rest)})
            except SearchError as error:
                raise SearchError(f"player = {show(value)}: {error}") from None
        if rest:
            try:
                return named(value, "player")
            except PolicyError as error:
                searches = ", ".join(("mcts", *PRESETS))
                raise SearchError(f"{error}; expected a policy, or a search: {searches}") from error
    return named(value, "player")


def _options(text: str) -> Mapping[str, Any]:
    options = {}
    for pair in filter(None, text.split(",")):
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals:
            raise SearchError(f"{show(pair)}, expected option=value")
        _check_option(key)
        if key in options:
            raise SearchError(f"{key} stands there twice")
        options[key] = _value(value.strip())
    return options


def _check_option(key: str) -> None:
    known = _BUDGETS + _OPTIONS
    if key not in known:
        raise SearchError(f"{key}: no option of a search; expected {', '.join(known)}{nearest(key, known)}")


def description(player: Policy | SearchPlayer) -> str:
    """What tells a player from another of the same name.

    >>> description(SearchPlayer(simulations=5, name="search")), description(contestant("greedy"))
    ('mcts:simulations=5', 'greedy (ds_sim.players.greedy.greedy)')
    """
    if isinstance(player, SearchPlayer):
        return player.described
    function: Any = getattr(player, "function", None)
    place = f" ({function.__module__}.{function.__qualname__})" if hasattr(function, "__qualname__") else ""
    return player.name + place


def same_player(one: Policy | SearchPlayer, other: Policy | SearchPlayer) -> bool:
    """Whether two players do the same."""
    if isinstance(one, SearchPlayer) and isinstance(other, SearchPlayer):
        return (one.budget, one.options) == (other.budget, other.options)
    return type(one) is type(other) and getattr(one, "function", one) is getattr(other, "function", other)


def _value(text: str) -> int | float | str | None:
    if text == "none":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _text(value: object) -> str:
    return str(getattr(value, "name", getattr(value, "__name__", value)))
