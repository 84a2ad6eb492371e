"""Detailed games, told turn by turn: what happened when, to whom and where.

One row an event, turn by turn; within a turn, cards, tiles and tundra come last:

| event | animal | what | value |
|---|---|---|---|
| order | each animal, at the start of every turn | | its place on the initiative track, from 1 |
| place | who placed a pawn | the space | |
| card | who took it | the card | |
| tile | | the hex a tile was put on | |
| tundra | | the hex that was glaciated | |
| score | whose pawn it was | the hex scored | |
| dominated | who dominates at the end | the hex | |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import actions
from .._core.layout import STATE
from ..board import ANIMALS, CARDS, HEX_NAMES, SPACES
from ..nodes import NODE_ID
from ..playouts import Results
from ..records import Record, records_of
from ..state import State
from ..tables import load

if TYPE_CHECKING:
    import pyarrow

Rows: TypeAlias = npt.NDArray[np.int32]
Places: TypeAlias = npt.NDArray[np.intp]

EVENTS: Final = ("order", "place", "card", "tile", "tundra", "score", "dominated")

NAMES: Final = (*SPACES, *CARDS, *HEX_NAMES)
"""What `what` can name."""

_CARD, _HEX = len(SPACES), len(SPACES) + len(CARDS)
_NOBODY = _NOTHING = -1
_GROWING: Final = ("taken", "earth", "tundra")
"""The bit sets of a state that only grow: cards taken, hexes with a tile, hexes with tundra."""
_FIELDS: Final[Any] = STATE.fields
_AT: Final = {name: int(_FIELDS[name][1]) for name in ("node", "actor", "turn")}
_SEEN: Final = range(min(_AT.values()), max(_AT.values()) + STATE["turn"].itemsize)
"""The bytes of a state in which these fields are, side by side."""
_SEEN_FIELDS: Final = np.dtype(
    {
        "names": list(_AT),
        "formats": [STATE[name] for name in _AT],
        "offsets": [at - _SEEN.start for at in _AT.values()],
        "itemsize": len(_SEEN),
    }
)
_ORDER, _PLACE, _TAKE, _TILE, _TUNDRA, _SCORE, _DOMINATED = range(len(EVENTS))


def schema() -> pyarrow.Schema:
    """The Arrow schema of events."""
    pa = load("pyarrow", "lab")
    word = pa.dictionary(pa.int8(), pa.string())
    return pa.schema(
        [
            pa.field("game", pa.uint64(), nullable=False),
            pa.field("turn", pa.int32(), nullable=False),
            pa.field("event", word, nullable=False),
            pa.field("animal", word),
            pa.field("what", word),
            pa.field("value", pa.int8()),
        ]
    )


def to_arrow(results: Results) -> pyarrow.Table:
    """The events of games that were played with `keep_records=True`."""
    pa = load("pyarrow", "lab")
    told = [tell(record, results, row) for row, record in enumerate(records_of(results))]
    games = np.uint64(results.first) + np.arange(len(told), dtype=np.uint64)
    turn, event, animal, what, value = np.concatenate(told).T.copy()

    def words(column: Rows, names: Iterable[str]) -> Any:
        ids = column.astype(np.int8)
        return pa.DictionaryArray.from_arrays(pa.array(ids, mask=ids < 0), pa.array(names))

    arrays = [
        pa.array(np.repeat(games, [len(rows) for rows in told])),
        pa.array(turn),
        words(event, EVENTS),
        words(animal, ANIMALS),
        words(what, NAMES),
        pa.array(value.astype(np.int8), mask=value < 0),
    ]
    return pa.Table.from_arrays(arrays, schema=schema())


def tell(record: Record, results: Results, row: int) -> Rows:
    """The events of one game, found by replaying it: int32 (events, 5), the columns of `schema` after the
    game as numbers, with -1 for null.
    """
    state, takers = record.start(), results.card_taker[row].tolist()
    struct = state.array.view(np.uint8).data  # a view of the state, which follows the game
    where = struct[_SEEN.start : _SEEN.stop]
    turn = state.array["turn"].data
    growing = [state.array[field].data for field in _GROWING]
    before = [word[0] for word in growing]
    seen = bytearray()  # `where` at every action
    track, turns, tracks = state.array["initiative"][0].data, list[tuple[int, int]](), bytearray()
    rows, places = list[tuple[int, ...]](), list[int]()  # what no action tells, and how many come before it

    apply, last = state.apply, 0
    for action in (*record.actions, None):
        if turn[0] != last:
            done = len(seen) // len(_SEEN)
            if last:
                rows += _grown(last, growing, before, takers)
                places += [done] * (len(rows) - len(places))
            last = turn[0]
            turns.append((done, last))
            tracks += track
        if action is not None:
            seen += where
            apply(action)
    rows += [*_grown(last, growing, before, takers), *_dominated(state)]
    places += [len(record.actions)] * (len(rows) - len(places))
    began, order = _of_turns(np.array(turns), tracks, len(state.rules.animals))
    chosen, acted = _of_actions(record.actions, np.frombuffer(seen, _SEEN_FIELDS))
    when = np.concatenate([3 * np.array(places), 3 * began + 1, 3 * chosen + 2])
    told = np.concatenate([np.array(rows, np.int32), order, acted])
    return told[np.argsort(when, kind="stable")]


def _of_turns(turns: npt.NDArray[np.intp], tracks: bytearray, animals: int) -> tuple[Places, Rows]:
    """After how many actions the turns began, and the events that tell the order of each."""
    rows = np.full((len(turns), animals, 5), _NOTHING, np.int32)
    rows[:, :, 0] = turns[:, 1, None]
    rows[:, :, 1] = _ORDER
    rows[:, :, 2] = np.frombuffer(tracks, np.uint8).reshape(len(turns), -1)[:, :animals]
    rows[:, :, 4] = np.arange(1, animals + 1)
    return turns[:, 0].repeat(animals), rows.reshape(-1, 5)


def _of_actions(taken: bytes, seen: npt.NDArray[Any]) -> tuple[Places, Rows]:
    """Which actions are events, and those."""
    ids = np.frombuffer(taken, np.uint8).astype(np.int32)
    place = (ids >= actions.PLACE) & (ids < actions.ELEMENT)
    score = (seen["node"] == NODE_ID["dominate"]) & (ids != actions.PASS)
    chosen = np.flatnonzero(place | score)
    rows = np.full((len(chosen), 5), _NOTHING, np.int32)
    rows[:, 0] = seen["turn"][chosen]
    rows[:, 1] = np.where(place, _PLACE, _SCORE)[chosen]
    rows[:, 2] = seen["actor"][chosen]
    rows[:, 3] = np.where(place, ids - actions.PLACE, _HEX + ids - actions.HEX)[chosen]
    return chosen, rows


def _grown(turn: int, growing: list[Any], before: list[int], takers: list[int]) -> Iterator[tuple[int, ...]]:
    """What came to the board since `before`. Forced choices are no actions, so actions do not tell."""
    after = [word[0] for word in growing]
    cards, tiles, tundra = (_bits(new & ~old) for new, old in zip(after, before, strict=True))
    for card in cards:
        yield turn, _TAKE, takers[card], _CARD + card, _NOTHING
    for event, hexes in ((_TILE, tiles), (_TUNDRA, tundra)):
        for hex_ in hexes:
            yield turn, event, _NOBODY, _HEX + hex_, _NOTHING
    before[:] = after


def _dominated(state: State) -> Iterator[tuple[int, ...]]:
    for hex_, animal in enumerate(state.dominant().tolist()):
        if animal >= 0:
            yield state.turn, _DOMINATED, animal, _HEX + hex_, _NOTHING


def _bits(word: int) -> Iterator[int]:
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low
