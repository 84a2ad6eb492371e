"""The board and the names of the game: geometry and vocabulary as small read-only tables.

Everywhere in arrays an animal, an element, a hex, ... is its index in the tuple of names here; at the edge
of the API it is the name. Both directions:

>>> ANIMALS[2], ANIMAL_ID["bird"]
('bird', 2)
>>> HEX_NAMES[17], HEX_ID["D3"]
('D3', 17)
>>> CORNER_ID["D3.e"] == CORNER_ID["E3.sw"]         # every alias of a corner is known
True

Geometry (R-SET-1), all of it from `data/board.json`:

>>> [HEX_NAMES[h] for h in np.flatnonzero(HEX_NEIGHBORS[HEX_ID["A1"]])]
['A2', 'B1', 'B2']
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .errors import UnknownName, nearest, show

ANIMALS: Final = ("mammal", "reptile", "bird", "amphibian", "arachnid", "insect")
"""The animals in food chain order, highest first (R-SET-2)."""

ELEMENTS: Final = ("meat", "sun", "seed", "water", "grub", "grass")
"""The element types; the i-th is the fixed one of the i-th animal (R-SET-2)."""

TERRAINS: Final = ("sea", "wetland", "savannah", "jungle", "forest", "desert", "mountain")
"""The terrains a tile can show."""

TILE_KINDS: Final = (*TERRAINS, "tundra")
"""What a tile can count as: its terrain or, once glaciated, tundra."""

CARDS: Final = (
    "aquatic", "biodiversity", "biomass", "blight", "catastrophe", "cold_snap", "disease", "ecodiversity",
    "evolution", "fecundity", "fertile", "habitat", "hibernation", "ice_age", "ice_sheet", "immigrants",
    "instinct", "intelligence", "mass_exodus", "metamorphosis", "niche_biomes", "nocturnal", "omnivore",
    "parasitism", "predator", "symbiotic",
)  # fmt: skip
"""The dominance cards, C-1 to C-26."""

BOXES: Final = ("adaptation", "regression", "abundance", "wasteland", "depletion", "wanderlust")
"""The boxes of elements on the action display."""


def _numbered(name: str, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{name}_{n}" for n in numbers)


SPACES: Final = (
    "initiative",
    *_numbered("adaptation", (1, 2, 3)),
    *_numbered("regression", (1, 2)),
    *_numbered("abundance", (1, 2)),
    "wasteland",
    "depletion",
    *_numbered("glaciation", (1, 2, 3, 4)),
    *(f"speciation_{element}" for element in ELEMENTS),
    *_numbered("wanderlust", (1, 2, 3)),
    *_numbered("migration", (7, 6, 5, 4, 3, 2)),
    "competition_jungle_wetland",
    "competition_wetland_desert",
    "competition_desert_forest",
    "competition_forest_savannah",
    "competition_savannah_mountain",
    "competition_mountain_sea",
    "competition_sea_jungle",
    *_numbered("domination", (1, 2, 3, 4, 5)),
)
"""The 41 spaces of the action display in order of resolution (rules section 4)."""


def _ids(names: Iterable[str]) -> Mapping[str, int]:
    return MappingProxyType({name: i for i, name in enumerate(names)})


def _frozen(values: object, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


_BOARD = json.loads((Path(__file__).parent / "data" / "board.json").read_text(encoding="utf-8"))
_HEXES: list[dict[str, Any]] = _BOARD["hexes"]
_CORNERS: list[dict[str, Any]] = _BOARD["corners"]

HEX_NAMES: Final[tuple[str, ...]] = tuple(h["name"] for h in _HEXES)
"""The 35 hexes: column A to G, row from the top."""

CORNER_NAMES: Final[tuple[str, ...]] = tuple(c["name"] for c in _CORNERS)
"""The canonical names of the 92 corners: lowest-numbered hex and direction."""

ANIMAL_ID: Final = _ids(ANIMALS)
ELEMENT_ID: Final = _ids(ELEMENTS)
TERRAIN_ID: Final = _ids(TERRAINS)
CARD_ID: Final = _ids(CARDS)
SPACE_ID: Final = _ids(SPACES)
HEX_ID: Final = _ids(HEX_NAMES)
CORNER_ID: Final[Mapping[str, int]] = MappingProxyType(
    {name: c["id"] for c in _CORNERS for name in c["names"]}
)
"""Corner ids by name, canonical or alias."""

HEX_NEIGHBORS: Final[npt.NDArray[np.bool_]] = _frozen(
    [[other in h["neighbors"].values() for other in range(len(_HEXES))] for h in _HEXES], np.bool_
)
"""(35, 35) bool: which hexes share an edge."""

HEX_CORNERS: Final[npt.NDArray[np.int8]] = _frozen([sorted(h["corners"].values()) for h in _HEXES], np.int8)
"""(35, 6) int8: the corners of each hex, ascending."""

CORNER_HEXES: Final[npt.NDArray[np.int8]] = _frozen(
    [sorted(c["hexes"]) + [-1] * (3 - len(c["hexes"])) for c in _CORNERS], np.int8
)
"""(92, 3) int8: the one to three hexes each corner touches, ascending, padded with -1."""

# board.json measures x in half sides of a hex and y in quarters of its height.
_TO_SIDES = np.array([1 / 2, np.sqrt(3) / 4])

HEX_XY: Final[npt.NDArray[np.float64]] = _frozen([(h["x"], h["y"]) * _TO_SIDES for h in _HEXES], np.float64)
"""(35, 2) float64: centre of each hex, in sides of a hex, x to the right and y down, D3 at (0, 0)."""

CORNER_XY: Final[npt.NDArray[np.float64]] = _frozen(
    [(c["x"], c["y"]) * _TO_SIDES for c in _CORNERS], np.float64
)
"""(92, 2) float64: place of each corner, in the units of `HEX_XY`."""

_KINDS: Final[Mapping[str, Mapping[str, int]]] = {
    "animal": ANIMAL_ID,
    "element": ELEMENT_ID,
    "terrain": TERRAIN_ID,
    "card": CARD_ID,
    "space": SPACE_ID,
    "hex": HEX_ID,
    "corner": CORNER_ID,
}


def id_of(kind: str, name: str) -> int:
    """The id of a name. `kind` is animal, element, terrain, card, space, hex or corner.

    >>> id_of("element", "grub")
    4
    >>> id_of("animal", "brid")
    Traceback (most recent call last):
        ...
    ds_sim.errors.UnknownName: no animal is called 'brid'; did you mean 'bird'?
    """
    ids = _KINDS[kind]
    if isinstance(name, str) and name in ids:
        return ids[name]
    hint = nearest(name, ids) if isinstance(name, str) else ""
    raise UnknownName(f"no {kind} is called {show(name)}{hint or f'; expected one of {example(ids)}'}")


def example(names: Iterable[str]) -> str:
    """The first few of `names`, for an error message."""
    shown = list(names)
    return ", ".join(shown[:8]) + (", ..." if len(shown) > 8 else "")
