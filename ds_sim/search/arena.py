"""Matches between policies and searches, with seats rotated over the same seeds.

>>> import ds_sim as ds
>>> arena = Arena(["greedy", "uniform"], rules=ds.Rules(animals=("bird", "insect")), seed=1)
>>> result = arena.run(rounds=2)
>>> [game.players for game in result.games]
[('greedy', 'uniform'), ('uniform', 'greedy'), ('greedy', 'uniform'), ('uniform', 'greedy')]

*The schedule.* With as many players as seats, a round is that line-up in every rotation of the seats, all
games of the round on the same random stream; with more players, every choice of that many. The order around
the table changes from round to round. So after any number of rounds every player sat in every seat equally
often. Give a player several times to seat it several times.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import combinations, islice, permutations
from pathlib import Path
from typing import Any, Final

import numpy as np

from .. import __version__
from .._core.playout import PolicyFailure
from .._files import replacing
from ..board import ANIMAL_ID, ANIMALS
from ..errors import SearchError, show
from ..playouts import Progress, run_chunks
from ..policies import UNIFORM, Policy, blame, handles
from ..rules import Rules
from ..state import State, as_word
from ._match import Seats
from .contestants import Contestant, SearchPlayer, contestant, description, same_player
from .ratings import ArenaResult, Game

_FORMAT: Final = 1


class _Stopped(Exception):
    """The arena ends before this game does."""


class Arena:
    """A competition: players, rule set, seed. Every game depends on these and its number alone, unless
    budgets are seconds.

    `players`: at least as many as the rule set has seats, each a text ("uniform", "greedy", "expert",
    "mcts:simulations=500,policy=greedy,truncate=20", "strong:simulations=500"), a policy, a callable on a
    state, or a `SearchPlayer`; or a map of names to those. The same player may be given more than once;
    different ones need different names.
    """

    def __init__(
        self,
        players: Sequence[Contestant] | Mapping[str, Contestant],
        *,
        rules: Rules | None = None,
        seed: int | None = None,
    ) -> None:
        self.rules = Rules() if rules is None else rules
        if not isinstance(self.rules, Rules):
            raise SearchError(f"rules = {show(rules)}: expected a ds_sim.Rules")
        self.seed = secrets.randbits(64) if seed is None else as_word("seed", seed)
        if not isinstance(players, (Sequence, Mapping)) or isinstance(players, str):
            raise SearchError(f"players = {show(players)}: expected several")
        if isinstance(players, Mapping):
            entries = [(str(name), contestant(player)) for name, player in players.items()]
        else:
            entries = [(player.name, player) for player in map(contestant, players)]
        known = dict(entries)
        for name, player in entries:
            if not same_player(player, known[name]):
                raise SearchError(
                    f"players: two are named {name!r}, {description(player)} and {description(known[name])}; "
                    f"expected different names (a map of names to players gives them)"
                )
        seats = len(self.rules.seats)
        if len(entries) < seats:
            raise SearchError(
                f"players: {len(entries)}, expected {seats} or more, one for each seat; some may be the same"
            )
        self._entries = tuple(entries)
        for _, player in entries:
            if isinstance(player, SearchPlayer):
                player.check(self.rules)
        self._line_ups = tuple(combinations(range(len(entries)), seats))
        self._orders = math.factorial(seats - 1)

    @property
    def players(self) -> tuple[str, ...]:
        """The different players, by name, in the order given."""
        return tuple(dict.fromkeys(name for name, _ in self._entries))

    @property
    def games_per_round(self) -> int:
        return len(self._line_ups) * len(self.rules.seats)

    def seating(self, game: int) -> tuple[int, tuple[int, ...]]:
        """The round of a game, and which entry sits in each seat."""
        seats = len(self.rules.seats)
        number, within = divmod(game, self.games_per_round)
        which, rotation = divmod(within, seats)
        first, *others = self._line_ups[which]
        [order] = islice(permutations(others), number % self._orders, number % self._orders + 1)
        table = (first, *order)
        return number, tuple(table[(seat - rotation) % seats] for seat in range(seats))

    def run(
        self,
        rounds: int = 25,
        *,
        path: str | os.PathLike[str] | None = None,
        workers: int = 1,
        progress: Progress = None,
    ) -> ArenaResult:
        """Plays the games of rounds 0, 1, ... and returns them all.

        With a `path` every finished game is a line of that file (JSONL, UTF-8), and games that are there
        already are not played again: a run that was killed goes on where it was, and ends with the same file.
        Games of further rounds stay in it.
        `workers` games are played at once, on threads; they change nothing in the results. Ctrl-C returns
        within a second; finished games are kept.
        """
        total = _integer("rounds", rounds) * self.games_per_round
        workers = _integer("workers", workers)
        log = None if path is None else _Log(path, self._head())
        games = {} if log is None else {game.game: game for game in log.read(self._check)}
        todo = [number for number in range(total) if number not in games]
        stop, lock = np.zeros(1, np.uint8), threading.Lock()

        def play(k: int) -> None:
            try:
                game = self._play(todo[k], stop)
            except _Stopped:
                return
            with lock:
                if log is not None:
                    log.append(game)
                games[game.game] = game

        if todo:
            there = total - len(todo)
            before = len(games) - there
            run_chunks(play, len(todo), workers, stop, lambda: len(games) - before, total, progress)
        if log is not None:
            log.rewrite(games[number] for number in sorted(games))
        return ArenaResult(self.players, tuple(games[number] for number in range(total)), self.seed)

    def _head(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "ds_sim": __version__,
            "players": [name for name, _ in self._entries],
            "are": [description(player) for _, player in self._entries],
            "rules": self.rules.to_dict(),
            "seed": self.seed,
        }

    def _check(self, game: Game) -> None:
        """Raises `ValueError` if this is no game of the arena."""
        index, seating = self.seating(game.game)
        seats = len(self.rules.seats)
        if game.round != index or game.players != tuple(self._entries[entry][0] for entry in seating):
            raise ValueError(f"game {game.game} has another round or other players")
        if sorted(game.places) != list(range(1, seats + 1)) or len(game.vp) != seats:
            raise ValueError(f"game {game.game} has places {game.places} and VPs {game.vp}")

    def _play(self, number: int, stop: Any) -> Game:
        index, seating = self.seating(number)
        chosen: list[Policy | None] = [None] * len(ANIMALS)
        searching: dict[str, SearchPlayer] = {}
        for seat, entry in zip(self.rules.seats, seating, strict=True):
            player = self._entries[entry][1]
            for animal in seat:
                if isinstance(player, SearchPlayer):
                    searching[animal] = player
                else:
                    chosen[ANIMAL_ID[animal]] = player
        held = handles(tuple(chosen), State(self.rules, seed=0))
        free = sum(1 << ANIMAL_ID[animal] for animal in searching)
        seats = Seats(self.rules.core, held, self._word(number, 0), 0, free=free)
        state = State(self.rules, seed=self.seed, index=index)

        def check(done: int = 0, total: int = 0) -> None:
            if stop[0]:
                raise _Stopped

        decisions = 0
        while True:
            try:
                decisions += seats.play_on(state, stop)
            except PolicyFailure as failure:
                policies = tuple(UNIFORM if one is None else one for one in chosen)
                blame(failure, policies, held)
            check()
            if state.is_terminal:
                break
            decisions += 1
            state.apply(searching[str(state.actor)].choose(state, self._word(number, decisions), check))
        return self._game(number, index, seating, state, decisions)

    def _word(self, game: int, decision: int) -> int:
        """A seed for one search of one game."""
        words = np.random.SeedSequence([self.seed, game, decision]).generate_state(1, np.uint64)
        return int(words[0])

    def _game(self, number: int, index: int, seating: tuple[int, ...], state: State, decisions: int) -> Game:
        seats = [[ANIMAL_ID[animal] for animal in seat] for seat in self.rules.seats]
        rank = state.returns("rank")
        last = max(len(seats) - 1, 1)
        return Game(
            game=number,
            round=index,
            players=tuple(self._entries[entry][0] for entry in seating),
            places=tuple(1 + round((1 - rank[seat[0]]) * last) for seat in seats),
            vp=tuple(int(state.scores[seat].min()) for seat in seats),
            turns=state.turn,
            decisions=decisions,
            truncated=bool(state.to_dict()["truncated"]),
        )


class _Log:
    """The file of finished games: a head that says what arena it is, then a line a game."""

    def __init__(self, path: str | os.PathLike[str], head: Mapping[str, Any]) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise SearchError(f"path = {show(path)}: expected a path")
        self._path, self._head = Path(path), head
        if self._path.exists() and not self._path.is_file():
            raise SearchError(f"path = {self._path}: expected a regular file")

    def read(self, check: Callable[[Game], None]) -> list[Game]:
        """The games that are there; begins the file if there is none. A last line that was cut off is
        dropped."""
        data = self._path.read_bytes() if self._path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and _line(self._head).startswith(data):
            self.rewrite(())
            return []
        try:
            head, *games = map(json.loads, whole.decode("utf-8").splitlines())
        except ValueError as error:
            raise SearchError(f"path = {self._path}: not a file of an arena ({error})") from error
        for key, value in self._head.items():
            if not isinstance(head, dict) or head.get(key) != value:
                there = show(head.get(key)) if isinstance(head, dict) else "nothing"
                raise SearchError(
                    f"path = {self._path}: of another arena: {key} is {there}, expected {show(value)}"
                )
        try:
            games = [_game(line) for line in games]
            for game in games:
                check(game)
        except (ValueError, TypeError, AttributeError) as error:
            raise SearchError(f"path = {self._path}: an altered game: {error}") from error
        if whole != data:
            self._replace(whole)
        return games

    def append(self, game: Game) -> None:
        with self._path.open("ab", buffering=0) as file:
            file.write(_line(asdict(game)))

    def rewrite(self, games: Iterable[Game]) -> None:
        """The whole file, in order of games."""
        self._replace(b"".join([_line(self._head), *(_line(asdict(game)) for game in games)]))

    def _replace(self, data: bytes) -> None:
        with replacing(self._path) as file:
            file.write(data)


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


def _game(line: Any) -> Game:
    """The game of a line. Raises what a line of another shape brings."""
    game = Game(**line)
    for name in ("game", "round", "turns", "decisions"):
        if type(getattr(game, name)) is not int or getattr(game, name) < 0:
            raise ValueError(f"{name} = {show(getattr(game, name))}")
    for name in ("places", "vp"):
        if any(type(value) is not int for value in getattr(game, name)):
            raise ValueError(f"{name} = {show(getattr(game, name))}")
    return replace(game, players=tuple(game.players), places=tuple(game.places), vp=tuple(game.vp))


def seed_of(path: Path) -> int | None:
    """The seed of the arena whose games are in a file; None where there is none."""
    try:
        with path.open(encoding="utf-8") as file:
            seed = json.loads(file.readline())["seed"]
        return as_word("seed", seed)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _integer(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 1 <= value <= 2**31:
        raise SearchError(f"{name} = {show(value)}: expected an integer from 1 to {2**31}")
    return int(value)
