"""Actions: integers below 235 (protocol section 1), their names, and their text form.

>>> text(1), text(48 + 55), text(200)
('place:initiative', 'corner:D3.e', 'card:aquatic')
>>> parse("hex:D3"), parse("corner:E3.sw")          # a corner is read under every alias
(157, 103)
>>> hex("D3") == parse("hex:D3"), PASS == parse("pass")
(True, True)

`PLACE`, `ELEMENT`, `CORNER`, ... are the first id of each range, `RANGES` the whole ranges by kind.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .board import (
    ANIMALS,
    CARDS,
    CORNER_ID,
    CORNER_NAMES,
    ELEMENTS,
    HEX_NAMES,
    SPACES,
    TERRAINS,
    id_of,
)
from .errors import DsSimError, UnknownAction, nearest, show

N_ACTIONS: Final = 235
"""How many actions there are; an action fits a byte."""

PASS: Final = 0
PLACE: Final = 1
ELEMENT: Final = 42
CORNER: Final = 48
HEX: Final = 140
ANIMAL: Final = 175
COUNT: Final = 181
STACK: Final = 197
CARD: Final = 200
LOSE_PAWN: Final = 226
LOSE_SPECIES: Final = 227
TERRAIN: Final = 228

MAX_COUNT: Final = 15
"""The largest COUNT; larger numbers are asked in portions (P-3)."""

_ARGUMENTS: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = {
    "place": (PLACE, SPACES),
    "element": (ELEMENT, ELEMENTS),
    "corner": (CORNER, CORNER_NAMES),
    "hex": (HEX, HEX_NAMES),
    "animal": (ANIMAL, ANIMALS),
    "count": (COUNT, tuple(str(n) for n in range(MAX_COUNT + 1))),
    "stack": (STACK, ("1", "2", "3")),
    "card": (CARD, CARDS),
    "terrain": (TERRAIN, TERRAINS),
}
_BARE: Final = {"pass": PASS, "lose_pawn": LOSE_PAWN, "lose_species": LOSE_SPECIES}

RANGES: Final[Mapping[str, range]] = MappingProxyType(
    {kind: range(first, first + len(names)) for kind, (first, names) in _ARGUMENTS.items()}
    | {kind: range(action, action + 1) for kind, action in _BARE.items()}
)
"""The ids of each kind of action, by the word its text begins with."""


def _texts() -> dict[str, int]:
    texts = dict(_BARE)
    for kind, (first, names) in _ARGUMENTS.items():
        texts |= {f"{kind}:{name}": first + i for i, name in enumerate(names)}
    return texts


_IDS: Final = _texts()
_TEXTS: Final = tuple(sorted(_IDS, key=_IDS.__getitem__))
_ALIASES: Final = {f"corner:{name}": CORNER + corner_id for name, corner_id in CORNER_ID.items()}
_READABLE: Final = _IDS | _ALIASES
_KIND_OF: Final = tuple(text.partition(":")[0] for text in _TEXTS)


def check(action: int) -> int:
    """`action` as an int, or `UnknownAction` if no action has that number."""
    try:
        number = operator.index(action)
    except TypeError:
        number = -1
    if isinstance(action, bool) or not 0 <= number < N_ACTIONS:
        raise UnknownAction(f"{show(action)} is no action: an action is an integer from 0 to {N_ACTIONS - 1}")
    return number


def text(action: int) -> str:
    """The text form of an action.

    >>> text(226)
    'lose_pawn'
    """
    return _TEXTS[check(action)]


def kind(action: int) -> str:
    """The word an action's text begins with: a key of `RANGES`.

    >>> kind(60)
    'corner'
    """
    return _KIND_OF[check(action)]


def argument(action: int) -> str | None:
    """What stands behind the colon of an action's text: a name, or a number; None for a bare word.

    >>> argument(157), argument(0)
    ('D3', None)
    """
    return text(action).partition(":")[2] or None


def parse(text: str) -> int:
    """The action a text stands for, to the letter: no other case, no spaces.

    >>> parse("count:3")
    184
    >>> parse("place:speciation_sum")
    Traceback (most recent call last):
        ...
    ds_sim.errors.UnknownAction: 'place:speciation_sum' is no action; did you mean 'place:speciation_sun'?
    """
    if not isinstance(text, str):
        raise UnknownAction(f"{show(text)} is no text of an action, but {type(text).__name__}")
    action = _READABLE.get(text)
    if action is None:
        raise UnknownAction(f"{show(text)} is no action{_hint(text)}")
    return action


def _hint(text: str) -> str:
    """What was probably meant, else what is accepted."""
    word, colon, _ = text.strip().lower().partition(":")
    if not colon or word not in _ARGUMENTS:
        words = ", ".join([*_BARE, *(f"{kind}:..." for kind in _ARGUMENTS)])
        return nearest(text, _READABLE) or f"; expected one of {words}"
    names = _ARGUMENTS[word][1]
    same_kind = [readable for readable in _READABLE if readable.startswith(f"{word}:")]
    return nearest(text, same_kind) or f"; expected {word}:{names[0]} to {word}:{names[-1]}"


def place(space: str) -> int:
    """The action that puts an AP on `space`."""
    return PLACE + id_of("space", space)


def element(name: str) -> int:
    return ELEMENT + id_of("element", name)


def corner(name: str) -> int:
    """The action that names a corner, by its canonical name or any alias."""
    return CORNER + id_of("corner", name)


def hex(name: str) -> int:
    return HEX + id_of("hex", name)


def animal(name: str) -> int:
    return ANIMAL + id_of("animal", name)


def count(n: int) -> int:
    """The action COUNT(n), n from 0 to 15."""
    return COUNT + _bounded("count", n, 0, MAX_COUNT)


def stack(k: int) -> int:
    """The action STACK(k), k from 1 to 3."""
    return STACK + _bounded("stack", k, 1, 3) - 1


def card(name: str) -> int:
    return CARD + id_of("card", name)


def terrain(name: str) -> int:
    """The chance outcome that reveals a tile of this terrain."""
    return TERRAIN + id_of("terrain", name)


def _bounded(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise DsSimError(f"{name} = {show(value)}: expected an integer from {low} to {high}")
    return value
