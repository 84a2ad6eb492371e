"""Complete games in bulk, on threads, without the GIL."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ._core.playout import Columns, PolicyFailure, play_games
from ._threads import available_threads
from .board import ANIMALS, CARDS, SPACES
from .errors import DsSimError, RunError, show
from .nodes import SOURCES
from .policies import PolicyLike, blame, by_animal, handles
from .rules import Rules
from .state import State, Utility, as_word

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .batch import Batch

Progress: TypeAlias = "bool | Callable[[int, int], object] | None"
"""None or False: silent. True: a bar on a terminal. A callable gets (games done, games in all), a few times a
second."""

COLUMNS: Final[Mapping[str, tuple[Any, tuple[int, ...]]]] = {
    "winner": (np.int8, ()),
    "vp": (np.int32, (len(ANIMALS),)),
    "turns": (np.int32, ()),
    "decisions": (np.int32, ()),
    "truncated": (np.bool_, ()),
    "vp_by_source": (np.int32, (len(ANIMALS), len(SOURCES))),
    "card_taker": (np.int8, (len(CARDS),)),
    "placed": (np.uint16, (len(ANIMALS), len(SPACES))),
    "eliminated": (np.uint16, (len(ANIMALS),)),
    "dominated": (np.uint8, (len(ANIMALS),)),
}
"""The columns of results: dtype, and shape after the axis of games."""

_CHUNK_MOST: Final = 256
_POLL_SECONDS: Final = 0.1


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """What came of many games, row i being game `first + i` of the run. Arrays are C-contiguous.

    Axes over animals have length 6 in food chain order, with zeros for animals not in play.
    """

    rules: Rules
    seed: int
    first: int
    policies: tuple[str | None, ...]
    """The name of each animal's policy; None for animals not in play."""
    winner: npt.NDArray[np.int8]
    """(games,): the animal that won, or names the winning seat (R-END-1), 0..5."""
    vp: npt.NDArray[np.int32]
    """(games, 6): final VPs."""
    turns: npt.NDArray[np.int32]
    """(games,): the last turn played, from 1."""
    decisions: npt.NDArray[np.int32]
    """(games,): decisions presented to animals; chance is not counted."""
    truncated: npt.NDArray[np.bool_]
    """(games,): whether `max_turns` ended the game."""
    vp_by_source: npt.NDArray[np.int32]
    """(games, 6, 11): VPs by `ds_sim.nodes.SOURCES`; losses are negative. Sums to `vp` over a whole game."""
    card_taker: npt.NDArray[np.int8]
    """(games, 26): the animal that took each card, or -1."""
    placed: npt.NDArray[np.uint16]
    """(games, 6, 41): pawns each animal placed on each space."""
    eliminated: npt.NDArray[np.uint16]
    """(games, 6): species of each animal eliminated."""
    dominated: npt.NDArray[np.uint8]
    """(games, 6): tiles each animal dominated at the end."""
    records: tuple[bytes, ...] | None = None
    """With `keep_records`: the actions of each game, chance included (protocol.md section 5)."""

    def __len__(self) -> int:
        return len(self.winner)

    def __repr__(self) -> str:
        games = f"{len(self):,} game{'s' * (len(self) != 1)}"
        return f"<results of {games}: {', '.join(self.rules.animals)}; seed {self.seed}>"

    def returns(self, utility: Utility = "win") -> npt.NDArray[np.float64]:
        """`State.returns` of every game: float64 array (games, 6)."""
        if utility not in ("win", "rank", "vp"):
            raise RunError(f"utility = {show(utility)}: expected 'win', 'rank' or 'vp'")
        if utility == "vp":
            return self.vp.astype(np.float64)
        seats = [[ANIMALS.index(animal) for animal in seat] for seat in self.rules.seats]
        # A seat is compared by its lowest animal, ties by food chain (R-END-1): one number that orders both.
        keys = self.vp.astype(np.int64) * len(ANIMALS) + (len(ANIMALS) - 1 - np.arange(len(ANIMALS)))
        lowest = [self.vp[:, seat].argmin(axis=1) for seat in seats]
        standing = np.stack(
            [
                keys[np.arange(len(self)), np.asarray(seat)[low]]
                for seat, low in zip(seats, lowest, strict=True)
            ],
            axis=1,
        )
        place = (standing[:, None, :] > standing[:, :, None]).sum(axis=2)
        value = place == 0 if utility == "win" else 1.0 - place / max(len(seats) - 1, 1)
        returns = np.zeros((len(self), len(ANIMALS)))
        for i, seat in enumerate(seats):
            returns[:, seat] = value[:, i, None]
        return returns

    def mean_returns(self, utility: Utility = "win") -> npt.NDArray[np.float64]:
        """The mean of `returns`: float64 array (6,)."""
        return np.asarray(self.returns(utility).mean(axis=0))

    def standard_errors(self, utility: Utility = "win") -> npt.NDArray[np.float64]:
        """The standard error of `mean_returns`, sample standard deviation over sqrt(games): float64 array
        (6,)."""
        if len(self) < 2:
            raise RunError(f"games = {len(self)}: expected two or more for a standard error")
        return np.asarray(self.returns(utility).std(axis=0, ddof=1) / np.sqrt(len(self)))

    def to_arrow(self) -> pyarrow.Table:
        """A `pyarrow.Table` with a row a game and one column per number, named as in `columns`. Needs
        ds-sim[arrow]."""
        from .tables import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a `pandas.DataFrame`. Needs ds-sim[pandas]."""
        from .tables import to_pandas

        return to_pandas(self)

    def to_polars(self) -> polars.DataFrame:
        """The same as a `polars.DataFrame`. Needs ds-sim[polars]."""
        from .tables import to_polars

        return to_polars(self)


def playouts(
    rules: Rules | None = None,
    games: int = 1000,
    policies: PolicyLike | Mapping[str, PolicyLike] = "uniform",
    *,
    seed: int | None = None,
    first: int = 0,
    threads: int | None = None,
    progress: Progress = None,
    keep_records: bool = False,
) -> Results:
    """Plays games `first`, `first + 1`, ... of the run with a seed to their end.

    `policies`: one for all animals, or a map by animal; each a name ("uniform", "greedy", "expert"), a
    policy, or a callable on a state. Game i depends on (rules, policies, seed, i) alone: not on threads,
    chunks or machines. `threads`: None for as many as this process may use. Ctrl-C returns within a second.
    Raises `RunError` and `PolicyError`.

    >>> results = playouts(Rules(animals=("bird", "insect")), games=10, seed=1)
    >>> results.vp.shape, bool((results.vp_by_source.sum(axis=2) == results.vp).all())
    ((10, 6), True)
    """
    return _run(
        Rules() if rules is None else rules,
        None,
        games,
        policies,
        seed,
        first,
        threads,
        progress,
        keep_records,
    )


def playouts_from(
    state: State,
    games: int = 100,
    policies: PolicyLike | Mapping[str, PolicyLike] = "uniform",
    *,
    seed: int | None = None,
    first: int = 0,
    threads: int | None = 1,
    progress: Progress = None,
    keep_records: bool = False,
) -> Results:
    """The same from a position on, each game with a random stream of its own; the state itself is left as it
    is.

    `vp` are the final VPs; the counting columns and `vp_by_source` hold what came after the position.
    `Results.mean_returns` and `standard_errors` sum it up.

    >>> results = playouts_from(State(Rules(animals=("bird", "insect")), seed=3), 10, seed=1)
    >>> results.mean_returns("win").sum()
    np.float64(1.0)
    """
    if not isinstance(state, State):
        raise RunError(f"state = {show(state)}: expected a ds_sim.State")
    if state.is_terminal:
        raise RunError("state: the game is over; expected a position with something to decide")
    return _run(
        state.rules,
        state.array.view(np.uint8).copy(),
        games,
        policies,
        seed,
        first,
        threads,
        progress,
        keep_records,
    )


def play_positions(
    batch: Batch, policies: PolicyLike | Mapping[str, PolicyLike], seed: int | None, threads: int | None
) -> Results:
    """`Batch.playout`."""
    starts = batch.array.view(np.uint8).copy()
    return _run(batch.rules, starts, len(batch), policies, seed, 0, threads, None, False)


def _run(
    rules: Rules,
    starts: npt.NDArray[np.uint8] | None,
    games: int,
    policies: PolicyLike | Mapping[str, PolicyLike],
    seed: int | None,
    first: int,
    threads: int | None,
    progress: Progress,
    keep_records: bool,
) -> Results:
    if not isinstance(rules, Rules):
        raise RunError(f"rules = {show(rules)}: expected a ds_sim.Rules")
    games = _number("games", games, 1, 2**40)
    workers = available_threads() if threads is None else _number("threads", threads, 1, 4096)
    seed = secrets.randbits(64) if seed is None else as_word("seed", seed)
    first = first_index(first, games)
    chosen = by_animal(policies, rules)
    held = handles(chosen, State(rules, seed=0))
    arrays = {name: np.zeros((games, *shape), dtype) for name, (dtype, shape) in COLUMNS.items()}
    columns = Columns(arrays)
    records: list[tuple[int, bytes]] | None = [] if keep_records else None
    stop = np.zeros(1, np.uint8)
    chunk = max(1, min(_CHUNK_MOST, games // (8 * workers)))
    rows = range(0, games, chunk)
    done = np.zeros(len(rows), np.int64)

    def play(k: int) -> None:
        row = rows[k]
        size = min(chunk, games - row)
        play_games(
            rules.core, starts, held, seed, first + row, row, size, columns, records, stop, done[k : k + 1]
        )

    try:
        run_chunks(play, len(rows), workers, stop, lambda: int(done.sum()), games, progress)
    except PolicyFailure as failure:
        blame(failure, chosen, held)
    kept = None if records is None else tuple(actions for _, actions in sorted(records))
    names = tuple(None if one is None else one.name for one in chosen)
    return Results(rules, seed, first, names, records=kept, **arrays)


def run_chunks(
    play: Callable[[int], None],
    chunks: int,
    workers: int,
    stop: npt.NDArray[np.uint8],
    done: Callable[[], int],
    total: int,
    progress: Progress,
) -> None:
    """Runs play(0), ..., play(chunks - 1) on threads, reporting progress; sets stop[0] when anything goes
    wrong.

    The caller's thread only waits, so that Ctrl-C is seen at once.
    """
    todo = iter(range(chunks))
    lock = threading.Lock()

    def work() -> None:
        while not stop[0]:
            with lock:
                k = next(todo, None)
            if k is None:
                return
            play(k)

    with reporter(progress) as report, ThreadPoolExecutor(workers, "ds-sim") as pool:
        try:
            running: set[Future[None]] = {pool.submit(work) for _ in range(min(workers, chunks))}
            while running:
                finished, running = wait(running, _POLL_SECONDS, FIRST_EXCEPTION)
                report(done(), total)
                for future in finished:
                    future.result()
        finally:
            stop[0] = 1  # and leaving the pool waits for its threads


def reporter(progress: Progress) -> AbstractContextManager[Callable[[int, int], object]]:
    """Where progress goes, as a context."""
    if progress is None or progress is False:
        return nullcontext(lambda done, total: None)
    if progress is True:
        from .progress import bar

        return bar()
    if callable(progress):
        return nullcontext(progress)
    raise RunError(f"progress = {show(progress)}: expected True, False, None or a callable of (done, total)")


def first_index(first: object, games: int) -> int:
    """`first` of a run of so many games: every index is a word."""
    number = as_word("first", first)
    if number + games > 2**64:
        raise RunError(f"first = {number}: expected at most 2**64 - {games}, for {games} games")
    return number


def _number(name: str, value: object, low: int, high: int) -> int:
    try:
        number = as_word(name, value)
    except DsSimError:
        number = -1
    if not low <= number <= high:
        raise RunError(f"{name} = {show(value)}: expected an integer from {low} to {high}")
    return number
