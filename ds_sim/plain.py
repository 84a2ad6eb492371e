"""A state as plain data (protocol.md section 4): the bytes of the C struct to JSON types, and back.

What is wrong with the form of the data is said here; whether the position is possible, the core's `verify`
decides.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

import numpy as np

from ._core.layout import CHANCE, CURSOR, NONE, STATE
from .board import (
    ANIMAL_ID,
    ANIMALS,
    BOXES,
    CARD_ID,
    CARDS,
    CORNER_HEXES,
    CORNER_ID,
    CORNER_NAMES,
    ELEMENT_ID,
    ELEMENTS,
    HEX_CORNERS,
    HEX_ID,
    HEX_NAMES,
    SPACE_ID,
    SPACES,
    TERRAIN_ID,
    TERRAINS,
)
from .errors import InvalidState, nearest, show
from .nodes import NODE_ID, NODES, PHASES

FORMAT: Final = 1
_TERRAIN, _CONE = 6, 7  # columns of `tiles` after the six animals
_STACKS = 3

Row = Any  # one element of an array of STATE


# ---- to plain data ----


def _bits(word: Any) -> list[int]:
    word = int(word)
    return [i for i in range(word.bit_length()) if word >> i & 1]


def _counts(names: Iterable[str], numbers: Any) -> dict[str, int]:
    return {name: int(n) for name, n in zip(names, numbers, strict=False) if n}


def _corner_elements(row: Row) -> dict[int, int]:
    return {64 * w + i: e for e in range(6) for w in range(2) for i in _bits(row["elements"][e][w])}


def _tile(row: Row, h: int, dominant: int) -> dict[str, Any]:
    tile: dict[str, Any] = {"terrain": TERRAINS[row["tiles"][h][_TERRAIN]]}
    for flag in ("tundra", "scored"):
        if int(row[flag]) >> h & 1:
            tile[flag] = True
    if species := _counts(ANIMALS, row["tiles"][h]):
        tile["species"] = species
    if dominant >= 0:
        tile["dominant"] = ANIMALS[dominant]
    return tile


def _hibernating(row: Row) -> dict[str, Any] | None:
    if not row["hibernating_count"]:
        return None
    return {
        "animal": ANIMALS[row["hibernating_animal"]],
        "hex": HEX_NAMES[row["hibernating_hex"]],
        "count": int(row["hibernating_count"]),
    }


def _cursor(row: Row) -> dict[str, Any]:
    """What differs from an empty cursor, under the names of the C struct."""
    fields: Mapping[str, Any] = CURSOR.fields or {}
    empty, cursor = _empty_cursor(), row["cursor"]
    return {name: cursor[name].tolist() for name in fields if not np.array_equal(cursor[name], empty[name])}


def _empty_cursor() -> Any:
    cursor = np.zeros((), CURSOR)
    for name in ("card", "hex", "target"):
        cursor[name] = NONE
    return cursor[()]


def to_plain(row: Row, dominant: Any, legal: Any) -> dict[str, Any]:
    """The plain form of a state, but for its `rules`. `dominant`: (35,) animals or -1; `legal`: action
    ids."""
    actor = int(row["actor"])
    tiles = _bits(row["earth"])
    return {
        "format": FORMAT,
        "turn": int(row["turn"]),
        "phase": PHASES[row["phase"]],
        "truncated": bool(row["truncated"]),
        "initiative": [ANIMALS[a] for a in row["initiative"] if a != NONE],
        "vp": _counts(ANIMALS, row["vp"]),
        "pawns": _counts(ANIMALS, row["pawns"]),
        "gene_pool": _counts(ANIMALS, row["gene_pool"]),
        "eliminated": _counts(ANIMALS, row["eliminated"]),
        "elements": {
            animal: held for a, animal in enumerate(ANIMALS) if (held := _counts(ELEMENTS, row["held"][:, a]))
        },
        "tiles": {HEX_NAMES[h]: _tile(row, h, dominant[h]) for h in tiles},
        "corners": {CORNER_NAMES[c]: ELEMENTS[e] for c, e in sorted(_corner_elements(row).items())},
        "spaces": {SPACES[i]: ANIMALS[row["owner"][i]] for i in _bits(row["spaces"])},
        "boxes": {box: _counts(ELEMENTS, row["boxes"][b]) for b, box in enumerate(BOXES)},
        "bag": _counts(ELEMENTS, row["bag"]),
        "cards": {
            "face_up": [CARDS[c] for c in _bits(row["face_up"])],
            "taken": [CARDS[c] for c in _bits(row["taken"])],
        },
        "stacks": [
            {"face_up": None if t == NONE else TERRAINS[t], "left": int(left)}
            for t, left in zip(row["stack_face_up"], row["stack_left"], strict=True)
        ],
        "unseen_tiles": _counts(TERRAINS, row["unseen_tiles"]),
        "tundra_left": int(row["tundra_left"]),
        "hibernating": _hibernating(row),
        "node": NODES[row["node"]],
        "actor": "chance" if actor == CHANCE else None if actor == NONE else ANIMALS[actor],
        "legal": [int(a) for a in legal],
        "cursor": _cursor(row),
    }


# ---- from plain data ----

_KEYS: Final = (
    *(
        "format",
        "rules",
        "turn",
        "phase",
        "truncated",
        "initiative",
        "vp",
        "pawns",
        "gene_pool",
        "eliminated",
    ),
    *("elements", "tiles", "corners", "spaces", "boxes", "bag", "cards", "stacks", "unseen_tiles"),
    *("tundra_left", "hibernating", "node", "actor"),
)
_DERIVED: Final = ("legal", "cursor")
_TILE_KEYS: Final = ("terrain", "tundra", "scored", "species", "dominant")


def _refuse(field: str, value: object, accepted: str) -> NoReturn:
    raise InvalidState(f"{field} = {show(value)}: expected {accepted}")


def _mapping(field: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        _refuse(field, value, "a map with texts as keys")
    return value


def _list(field: str, value: object) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        _refuse(field, value, "a list")
    return list(value)


def _keys(
    field: str, value: object, known: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    data = _mapping(field, value)
    for key in data:
        if key not in known and key not in optional:
            _refuse(field, key, f"keys out of {', '.join(known)}{nearest(key, known)}")
    for key in known:
        if key not in data:
            _refuse(field, sorted(data), f"the key {key!r} too")
    return data


def _integer(field: str, value: object, high: int) -> int:
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number <= high:
        _refuse(field, value, f"an integer from 0 to {high}")
    return number


def _flag(field: str, value: object) -> bool:
    if not isinstance(value, bool):
        _refuse(field, value, "true or false")
    return value


def _id(field: str, value: object, ids: Mapping[str, int]) -> int:
    if not isinstance(value, str) or value not in ids:
        hint = nearest(value, ids) if isinstance(value, str) else ""
        _refuse(field, value, f"a name such as {next(iter(ids))!r}{hint}")
    return ids[value]


def _fill(target: Any, field: str, value: object, ids: Mapping[str, int], high: int) -> None:
    for name, number in _mapping(field, value).items():
        target[_id(f"{field} key", name, ids)] = _integer(f"{field}[{name!r}]", number, high)


def _set(field: str, value: object, ids: Mapping[str, int]) -> int:
    names = [_id(field, name, ids) for name in _list(field, value)]
    if len(set(names)) != len(names):
        _refuse(field, value, "no name twice")
    return sum(1 << i for i in names)


def _read_tiles(row: Row, value: object, declared: bool) -> None:
    row["tiles"][:, _TERRAIN:] = NONE
    for name, data in _mapping("tiles", value).items():
        field = f"tiles[{name!r}]"
        h = _id("tiles key", name, HEX_ID)
        tile = _keys(field, data, ("terrain",), _TILE_KEYS)
        terrain = _id(f"{field}.terrain", tile["terrain"], TERRAIN_ID)
        row["tiles"][h][_TERRAIN] = terrain
        bit = np.uint64(1 << h)
        row["earth"] |= bit
        row["terrain"][terrain] |= bit
        for flag in ("tundra", "scored"):
            if _flag(f"{field}.{flag}", tile.get(flag, False)):
                row[flag] |= bit
        _fill(row["tiles"][h][:6], f"{field}.species", tile.get("species", {}), ANIMAL_ID, 255)
        row["presence"] |= np.where(row["tiles"][h][:6] > 0, bit, np.uint64(0))
        if "dominant" in tile:
            cone = _id(f"{field}.dominant", tile["dominant"], ANIMAL_ID)
            row["tiles"][h][_CONE] = cone if declared else NONE  # else derived
        for c in HEX_CORNERS[h]:
            row["shore"][c >> 6] |= np.uint64(1 << (int(c) & 63))


def _read_corners(row: Row, value: object) -> None:
    seen: set[int] = set()
    for name, element in _mapping("corners", value).items():
        c = _id("corners key", name, CORNER_ID)
        if c in seen:
            _refuse("corners key", name, f"one element a corner; this one is {CORNER_NAMES[c]} again")
        if not any(h >= 0 and int(row["earth"]) >> int(h) & 1 for h in CORNER_HEXES[c]):
            _refuse("corners key", name, "a corner that touches a tile")
        seen.add(c)
        row["elements"][_id(f"corners[{name!r}]", element, ELEMENT_ID)][c >> 6] |= np.uint64(1 << (c & 63))


def _read_spaces(row: Row, value: object) -> None:
    for name, animal in _mapping("spaces", value).items():
        i = _id("spaces key", name, SPACE_ID)
        row["spaces"] |= np.uint64(1 << i)
        row["owner"][i] = _id(f"spaces[{name!r}]", animal, ANIMAL_ID)


def _read_initiative(row: Row, value: object) -> None:
    track = _list("initiative", value)
    if len(track) > len(ANIMALS):
        _refuse("initiative", value, "the animals in play, each once")
    row["initiative"] = NONE
    for i, animal in enumerate(track):
        row["initiative"][i] = _id("initiative", animal, ANIMAL_ID)


def _read_stacks(row: Row, value: object) -> None:
    stacks = _list("stacks", value)
    if len(stacks) != _STACKS:
        _refuse("stacks", value, "three stacks")
    for k, data in enumerate(stacks):
        stack = _keys(f"stacks[{k}]", data, ("face_up", "left"))
        face_up = stack["face_up"]
        row["stack_face_up"][k] = (
            NONE if face_up is None else _id(f"stacks[{k}].face_up", face_up, TERRAIN_ID)
        )
        row["stack_left"][k] = _integer(f"stacks[{k}].left", stack["left"], 8)


def _read_hibernating(row: Row, value: object) -> None:
    if value is None:
        return
    data = _keys("hibernating", value, ("animal", "hex", "count"))
    row["hibernating_animal"] = _id("hibernating.animal", data["animal"], ANIMAL_ID)
    row["hibernating_hex"] = _id("hibernating.hex", data["hex"], HEX_ID)
    row["hibernating_count"] = _integer("hibernating.count", data["count"], 5)
    if data["count"] == 0:
        _refuse("hibernating.count", 0, "1 to 5, or null for hibernating")


def _read_actor(row: Row, value: object) -> None:
    if value is None:
        row["actor"] = NONE
    elif value == "chance":
        row["actor"] = CHANCE
    else:
        row["actor"] = _id("actor", value, ANIMAL_ID)


def _read_cursor(row: Row, value: object) -> None:
    row["cursor"] = _empty_cursor()
    for name, content in _mapping("cursor", value).items():
        if name not in (CURSOR.fields or {}):
            _refuse("cursor", name, f"keys out of {', '.join(CURSOR.fields or {})}")
        base = CURSOR[name].base
        shape = CURSOR[name].shape
        flat = np.asarray(_nested(f"cursor.{name}", content, np.iinfo(base).max), dtype=base)
        if flat.shape != shape:
            _refuse(f"cursor.{name}", content, f"integers in the shape {shape}")
        row["cursor"][name] = flat
    if "place" not in value and NODES[row["node"]] == "place":  # type: ignore[operator]
        _find_place(row)


def _nested(field: str, value: object, high: int, depth: int = 2) -> Any:
    if isinstance(value, (list, tuple)) and depth > 0:
        items = [_nested(field, item, high, depth - 1) for item in value]
        if len({len(item) if isinstance(item, list) else -1 for item in items}) > 1:
            _refuse(field, value, "lists of equal length")
        return items
    return _integer(field, value, high)


def _find_place(row: Row) -> None:
    """Whose turn it is to place follows from the actor."""
    for i, animal in enumerate(row["initiative"]):
        if animal == row["actor"]:
            row["cursor"]["place"] = i


def from_plain(data: object, declared: bool) -> Row:
    """The bytes of the state that plain data describes: an array () of STATE, its random stream empty.

    `declared`: whether cones are part of the state. Raises `InvalidState` with the field, the value and what
    would be accepted.
    """
    plain = _keys("state", data, _KEYS, _DERIVED)
    if type(plain["format"]) is not int or plain["format"] != FORMAT:
        _refuse("format", plain["format"], f"{FORMAT}")
    row = np.zeros(1, STATE)[0]
    row["turn"] = _integer("turn", plain["turn"], 65535)
    row["phase"] = _id("phase", plain["phase"], {name: i for i, name in enumerate(PHASES)})
    row["truncated"] = _flag("truncated", plain["truncated"])
    row["node"] = _id("node", plain["node"], NODE_ID)
    row["tundra_left"] = _integer("tundra_left", plain["tundra_left"], 28)
    _fill(row["vp"], "vp", plain["vp"], ANIMAL_ID, 2**31 - 1)
    for field in ("pawns", "gene_pool", "eliminated"):
        _fill(row[field], field, plain[field], ANIMAL_ID, 255)
    for animal, held in _mapping("elements", plain["elements"]).items():
        a = _id("elements key", animal, ANIMAL_ID)
        _fill(row["held"][:, a], f"elements[{animal!r}]", held, ELEMENT_ID, 6)
    _read_tiles(row, plain["tiles"], declared)
    _read_corners(row, plain["corners"])
    _read_spaces(row, plain["spaces"])
    _read_initiative(row, plain["initiative"])
    boxes = _keys("boxes", plain["boxes"], BOXES)
    for b, box in enumerate(BOXES):
        _fill(row["boxes"][b], f"boxes[{box!r}]", boxes[box], ELEMENT_ID, 4)
    _fill(row["bag"], "bag", plain["bag"], ELEMENT_ID, 20)
    cards = _keys("cards", plain["cards"], ("face_up", "taken"))
    row["face_up"] = _set("cards.face_up", cards["face_up"], CARD_ID)
    row["taken"] = _set("cards.taken", cards["taken"], CARD_ID)
    _read_stacks(row, plain["stacks"])
    _fill(row["unseen_tiles"], "unseen_tiles", plain["unseen_tiles"], TERRAIN_ID, 6)
    _read_hibernating(row, plain["hibernating"])
    _read_actor(row, plain["actor"])
    _read_cursor(row, plain.get("cursor", {}))
    return row


def check_derived(data: Mapping[str, Any], dominant: Any, legal: Any) -> None:
    """Refuses what follows from the rest and is told otherwise. `dominant`: (35,) animals or -1; `legal`:
    action ids."""
    if "legal" in data:
        told = [_integer("legal", action, 255) for action in _list("legal", data["legal"])]
        if told != legal.tolist():
            _refuse("legal", told, f"{legal.tolist()}, or no such key")
    for name, tile in data["tiles"].items():
        animal = dominant[HEX_ID[name]]
        right = ANIMALS[animal] if animal >= 0 else None
        if "dominant" in tile and tile["dominant"] != right:
            _refuse(f"tiles[{name!r}].dominant", tile["dominant"], f"{right!r}, or no such key")


def rules_of(data: object) -> Any:
    """The `rules` of plain data, unchecked but for being there."""
    return _mapping("state", data).get("rules")
