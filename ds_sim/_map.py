"""The earth as a map in plain ASCII: hexes with their species, element names on the corners they lie on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from .board import ANIMALS, CORNER_ID, CORNER_NAMES, HEX_ID, HEX_XY

CODES: Final = dict(zip(ANIMALS, ("M", "R", "B", "Am", "Ar", "I"), strict=True))
"""How the animals are written where there is little room."""

WIDTH: Final = 100

# A hex is drawn with its upper left slash one line below its top edge:
#
#      nw_________ne        line 0    an edge of _EDGE columns between two corners
#      /           \             1    its name and terrain
#     w             e            2    species
#     \             /            3    species
#      sw_________se             4
#
# Every corner has a column and line for itself, and left or right of it a flat edge to name its element on.
_EDGE: Final = 11
_STEP: Final = (_EDGE + 2, 2)  # columns from one column of hexes to the next, lines per half a hex
_MARGIN: Final = 4  # room for a name left of the outermost corner
_SLASHES: Final = ((1, 1, "/"), (_EDGE + 2, 1, "\\"), (0, 3, "\\"), (_EDGE + 3, 3, "/"))
_FLAT_LINES: Final = (0, 4)
_CORNERS: Final = {  # column, line, and what is drawn where no element lies
    "nw": (1, 0, " "),
    "ne": (_EDGE + 2, 0, " "),
    "w": (0, 2, "/"),
    "e": (_EDGE + 3, 2, "\\"),
    "sw": (1, 4, "\\"),
    "se": (_EDGE + 2, 4, "/"),
}
_NAME_GOES_LEFT: Final = ("ne", "w", "se")


class _Canvas:
    """Characters by line and column; what is written later covers what is there."""

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, str]] = {}

    def write(self, column: int, line: int, text: str) -> None:
        self._rows.setdefault(line, {}).update(enumerate(text, column))

    def lines(self) -> list[str]:
        """All lines from the first to the last written, without a common margin."""
        if not self._rows:
            return []
        left = min(column for row in self._rows.values() for column in row)
        filled = (self._rows.get(y, {}) for y in range(min(self._rows), max(self._rows) + 1))
        return [
            "".join(row.get(x, " ") for x in range(left, max(row, default=left) + 1)).rstrip()
            for row in filled
        ]


def _place(name: str) -> tuple[int, int]:
    """Column and line of the upper left of a hex."""
    x, y = np.rint(HEX_XY[HEX_ID[name]] / (1.5, np.sqrt(3) / 2)).astype(int)
    return _MARGIN + (int(x) + 3) * _STEP[0], (int(y) + 5) * _STEP[1]


def _draw_outline(canvas: _Canvas, name: str) -> None:
    column, line = _place(name)
    for x, y, slash in _SLASHES:
        canvas.write(column + x, line + y, slash)
    for y in _FLAT_LINES:
        canvas.write(column + 2, line + y, "_" * _EDGE)


def _draw_corners(canvas: _Canvas, name: str, elements: Mapping[str, str]) -> None:
    column, line = _place(name)
    for direction, (x, y, vacant) in _CORNERS.items():
        element = elements.get(CORNER_NAMES[CORNER_ID[f"{name}.{direction}"]])
        if element is None:
            if vacant != " ":
                canvas.write(column + x, line + y, vacant)
        elif direction in _NAME_GOES_LEFT:
            canvas.write(column + x + 1 - len(element), line + y, element)
        else:  # a long name on the right rim of the whole board begins one column further left
            canvas.write(min(column + x, WIDTH - len(element)), line + y, element)


def _species(tile: Mapping[str, Any]) -> list[str]:
    """Codes and numbers of the species on a tile, in two lines; a star marks who dominates."""
    species: Mapping[str, int] = tile.get("species", {})
    marked = {
        animal: f"{CODES[animal]}{n if n < 100 else '++'}{'*' * (tile.get('dominant') == animal)}"
        for animal, n in species.items()
    }
    halves = [[marked[a] for a in half if a in marked] for half in (ANIMALS[:3], ANIMALS[3:])]
    rows = [[*marked.values()], []] if len(" ".join(marked.values())) <= _EDGE else halves
    return [" ".join(row) if len(" ".join(row)) <= _EDGE else "".join(row) for row in rows]


def _draw_tile(canvas: _Canvas, name: str, tile: Mapping[str, Any]) -> None:
    column, line = _place(name)
    terrain = "TUNDRA" if tile.get("tundra") else tile["terrain"]
    canvas.write(column + 2, line + 1, f"{name} {terrain}".center(_EDGE))
    for y, row in enumerate(_species(tile), 2):
        canvas.write(column + 1, line + y, row.center(_EDGE + 2))


def draw(
    tiles: Mapping[str, Mapping[str, Any]], corners: Mapping[str, str], vacant: Iterable[str] = ()
) -> list[str]:
    """The lines of the map, at most 100 columns wide.

    `tiles` and `corners` as in `State.to_dict()`; of `vacant` hexes the names are shown.

    >>> print("\\n".join(draw({"D3": {"terrain": "sea", "species": {"bird": 2}}}, {"D3.e": "sun"}, ["E4"])))
      ___________
     /   D3 sea  \\
    /      B2     sun
    \\             /
     \\___________/     (E4)
    """
    canvas = _Canvas()
    for name in tiles:
        _draw_outline(canvas, name)
    for name in vacant:
        column, line = _place(name)
        canvas.write(column + 2, line + 2, f"({name})".center(_EDGE))
    for name, tile in tiles.items():
        _draw_tile(canvas, name, tile)
    for name in tiles:
        _draw_corners(canvas, name, corners)
    return canvas.lines()
