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
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from .. import actions
from ..board import ANIMAL_ID, ANIMALS, CARDS, HEX_NAMES, SPACES
from ..playouts import Results
from ..records import Record, records_of
from ..state import State
from ..tables import load

if TYPE_CHECKING:
    import pyarrow

EVENTS: Final = ("order", "place", "card", "tile", "tundra", "score", "dominated")

NAMES: Final = (*SPACES, *CARDS, *HEX_NAMES)
"""What `what` can name."""

_CARD, _HEX = len(SPACES), len(SPACES) + len(CARDS)
_NOBODY = _NOTHING = -1
_GROWING: Final = ("taken", "earth", "tundra")
"""The bit sets of a state that only grow: cards taken, hexes with a tile, hexes with tundra."""
_ORDER, _PLACE, _TAKE, _TILE, _TUNDRA, _SCORE, _DOMINATED = range(len(EVENTS))


class Event(NamedTuple):
    """A row as numbers; -1 for null."""

    game: int
    turn: int
    event: int
    animal: int
    what: int
    value: int


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
    told = (event for row, record in enumerate(records_of(results)) for event in tell(record, results, row))
    table = np.fromiter(chain.from_iterable(told), np.int64).reshape(-1, len(Event._fields))

    def words(column: int, names: Iterable[str]) -> Any:
        ids = table[:, column].astype(np.int8)
        return pa.DictionaryArray.from_arrays(pa.array(ids, mask=ids < 0), pa.array(names))

    values = table[:, 5].astype(np.int8)
    arrays = [
        pa.array(table[:, 0].astype(np.uint64)),
        pa.array(table[:, 1].astype(np.int32)),
        words(2, EVENTS),
        words(3, ANIMALS),
        words(4, NAMES),
        pa.array(values, mask=values < 0),
    ]
    return pa.Table.from_arrays(arrays, schema=schema())


def tell(record: Record, results: Results, row: int) -> Iterator[Event]:
    """The events of one game, found by replaying it."""
    game, state = record.index, record.start()
    growing = [state.array[field] for field in _GROWING]  # views: they follow the game
    before = [word.item() for word in growing]

    def grown(turn: int) -> Iterator[Event]:
        """What came to the board since `before`. Forced choices are no actions, so actions do not tell."""
        after = [word.item() for word in growing]
        cards, tiles, tundra = (_bits(new & ~old) for new, old in zip(after, before, strict=True))
        for card in cards:
            yield Event(game, turn, _TAKE, int(results.card_taker[row, card]), _CARD + card, _NOTHING)
        for event, hexes in ((_TILE, tiles), (_TUNDRA, tundra)):
            for hex_ in hexes:
                yield Event(game, turn, event, _NOBODY, _HEX + hex_, _NOTHING)
        before[:] = after

    yield from _order(game, state)
    for action in record.actions:
        turn = state.turn
        if actions.PLACE <= action < actions.ELEMENT:
            yield Event(game, turn, _PLACE, _actor(state), action - actions.PLACE, _NOTHING)
        elif actions.HEX <= action < actions.ANIMAL and state.node == "dominate":
            yield Event(game, turn, _SCORE, _actor(state), _HEX + action - actions.HEX, _NOTHING)
        state.apply(action)
        if state.turn != turn:
            yield from grown(turn)
            yield from _order(game, state)
    yield from grown(state.turn)
    for hex_, animal in enumerate(state.dominant()):
        if animal >= 0:
            yield Event(game, state.turn, _DOMINATED, int(animal), _HEX + hex_, _NOTHING)


def _actor(state: State) -> int:
    return ANIMAL_ID[str(state.actor)]


def _order(game: int, state: State) -> Iterator[Event]:
    track = state.array[0]["initiative"]
    for place, animal in enumerate(track[: len(state.rules.animals)], start=1):
        yield Event(game, state.turn, _ORDER, int(animal), _NOTHING, place)


def _bits(word: int) -> Iterator[int]:
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low
