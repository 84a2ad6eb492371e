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

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import actions
from ..board import ANIMALS, CARDS, HEX_NAMES, SPACES
from ..nodes import NODE_ID
from ..playouts import Results
from ..records import kept_records
from ..state import State
from ..tables import load

if TYPE_CHECKING:
    import pyarrow

Column: TypeAlias = "npt.NDArray[Any] | int"

EVENTS: Final = ("order", "place", "card", "tile", "tundra", "score", "dominated")

NAMES: Final = (*SPACES, *CARDS, *HEX_NAMES)
"""What `what` can name."""

_CARD, _HEX = len(SPACES), len(SPACES) + len(CARDS)
_NULL: Final = -1
_BLOCK: Final = 64
"""Games told at once: their states take 50 KB each."""
_ORDER, _PLACE, _TAKE, _TILE, _TUNDRA, _SCORE, _DOMINATED = range(len(EVENTS))
_GROWING: Final = (
    ("taken", _TAKE, _CARD, len(CARDS)),
    ("earth", _TILE, _HEX, len(HEX_NAMES)),
    ("tundra", _TUNDRA, _HEX, len(HEX_NAMES)),
)
"""The bit sets of a state that only grow, what a new bit tells, the name of bit 0, and how many there are. No
action tells these: forced choices are none.
"""
_FIELDS: Final = ("node", "actor", "turn", "initiative", *(field for field, *_ in _GROWING))


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
    """The events of games that `playouts` played with `keep_records=True`; else raises `RecordError`."""
    pa = load("pyarrow", "lab")
    games = len(results)
    blocks = [range(first, min(first + _BLOCK, games)) for first in range(0, games, _BLOCK)]
    return pa.concat_tables([_table(results, block) for block in blocks])


def _table(results: Results, rows: range) -> pyarrow.Table:
    pa = load("pyarrow", "lab")
    game, turn, *numbers = tell(results, rows)
    event, animal, what, value = (column.astype(np.int8) for column in numbers)

    def words(column: npt.NDArray[np.int8], names: Iterable[str]) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array(column, mask=column == _NULL), pa.array(names))

    arrays = [
        pa.array(np.uint64(results.first) + game.astype(np.uint64)),
        pa.array(turn.astype(np.int32)),
        words(event, EVENTS),
        words(animal, ANIMALS),
        words(what, NAMES),
        pa.array(value, mask=value == _NULL),
    ]
    return pa.Table.from_arrays(arrays, schema=schema())


def tell(results: Results, rows: range) -> tuple[npt.NDArray[Any], ...]:
    """The events of the games in these rows, found by replaying their records: the columns of `schema` in
    numbers, (events,) each, with -1 for null; games by their rows.
    """
    trace = _Trace.of(results, rows)
    kinds = (_orders(trace), _choices(trace), _grown(trace), _dominated(trace))
    when, at, event, animal, what, value = (
        np.concatenate(columns)
        for columns in zip(*(np.broadcast_arrays(*kind) for kind in kinds), strict=True)
    )
    order = np.argsort(when, kind="stable")
    at = at[order]
    game = rows.start + trace.game[at]
    return game, trace.seen["turn"][at], event[order], animal[order], what[order], value[order]


class _Trace(NamedTuple):
    """All states of some games, one after the other."""

    seen: npt.NDArray[Any]
    """`_FIELDS` of every state."""
    game: npt.NDArray[np.intp]
    """Its game, from 0."""
    action: npt.NDArray[np.uint8]
    """The action taken there; PASS in the last state of a game."""
    begins: npt.NDArray[np.intp]
    """The first state of every turn of every game."""
    closes: npt.NDArray[np.intp]
    """The first state after each of these turns, or else the last of its game."""
    ends: npt.NDArray[np.intp]
    """The last state of every game."""
    dominant: npt.NDArray[np.int8]
    """(games, 35): who dominates each hex at the end."""
    takers: npt.NDArray[np.int8]
    """(games, 26): who took each card."""
    animals: int
    """How many are in play."""

    @classmethod
    def of(cls, results: Results, rows: range) -> _Trace:
        """Of games with records."""
        kept = kept_records(results)
        parts, dominant, taken = [], [], bytearray()
        for row in rows:
            record, index = kept[row], results.first + row
            state = State(results.rules, seed=results.seed, index=index, explicit_chance=True)
            parts.append(state.trace(record, _FIELDS))
            dominant.append(state.dominant())
            taken += record
            taken.append(actions.PASS)
        seen = np.frombuffer(b"".join(part.data for part in parts), parts[0].dtype)
        sizes = [len(part) for part in parts]
        game, ends = np.repeat(np.arange(len(parts)), sizes), np.cumsum(sizes) - 1
        turn = seen["turn"]
        begins = np.union1d(ends + 1 - sizes, np.flatnonzero(turn[1:] != turn[:-1]) + 1)
        closes = np.minimum(np.append(begins[1:], len(seen)), ends[game[begins]])
        action = np.frombuffer(taken, np.uint8)
        takers, animals = results.card_taker[rows.start : rows.stop], len(results.rules.animals)
        return cls(seen, game, action, begins, closes, ends, np.stack(dominant), takers, animals)


# Each kind of events as columns that broadcast: when (three moments to a state: what came before it, the turn
# that begins with it, the action taken there), a state of its game and turn, event, animal, what, value.


def _orders(trace: _Trace) -> tuple[Column, ...]:
    at = trace.begins.repeat(trace.animals)
    track = trace.seen["initiative"][trace.begins, : trace.animals].ravel()
    place = np.tile(np.arange(1, trace.animals + 1), len(trace.begins))
    return 3 * at + 1, at, _ORDER, track, _NULL, place


def _choices(trace: _Trace) -> tuple[Column, ...]:
    place = (trace.action >= actions.PLACE) & (trace.action < actions.ELEMENT)
    score = (trace.seen["node"] == NODE_ID["dominate"]) & (trace.action != actions.PASS)
    at = np.flatnonzero(place | score)
    event = np.where(place[at], _PLACE, _SCORE)
    what = trace.action[at].astype(np.int16) + np.where(place[at], -actions.PLACE, _HEX - actions.HEX)
    return 3 * at + 2, at, event, trace.seen["actor"][at], what, _NULL


def _grown(trace: _Trace) -> tuple[Column, ...]:
    """What came to the board in every turn: cards, then tiles, then tundra."""
    new, events, names = [], list[int](), list[int]()
    for field, event, name, bits in _GROWING:
        words = trace.seen[field]
        grown = (words[trace.closes] & ~words[trace.begins]).astype("<u8")
        octets = grown.view(np.uint8).reshape(len(grown), -1)
        new.append(np.unpackbits(octets, axis=1, count=bits, bitorder="little"))
        events += [event] * bits
        names += range(name, name + bits)
    turn, bit = np.nonzero(np.hstack(new))
    at = trace.begins[turn]
    takers = np.pad(trace.takers, ((0, 0), (0, len(events) - len(CARDS))), constant_values=_NULL)
    animal = takers[trace.game[at], bit]
    return 3 * trace.closes[turn], at, np.array(events)[bit], animal, np.array(names)[bit], _NULL


def _dominated(trace: _Trace) -> tuple[Column, ...]:
    game, hex_ = np.nonzero(trace.dominant != _NULL)
    at = trace.ends[game]
    return 3 * at, at, _DOMINATED, trace.dominant[game, hex_], _HEX + hex_, _NULL
