"""The board: every hex, its tile, the species on it, and the elements on its corners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..board import CORNER_ID, CORNER_XY, HEX_ID, HEX_NAMES, HEX_XY
from . import _shapes as draw
from ._looks import CHOICE, DARK, MUTED, TILE_LOOKS, mix

Plain = Mapping[str, Any]

SIDE: Final = 70.0
"""The side of a hex."""

_INSET: Final = SIDE - 2.5
_TUNDRA: Final = SIDE * 0.86  # a tundra tile lies on its tile and leaves a rim of it
_NAME_Y: Final = -42.0
_TERRAIN_Y: Final = 50.0
_COLUMNS: Final = 34.0  # from cube to cube
_ROWS: Final = {1: (8.0,), 2: (-13.0, 28.0)}  # middles of the cubes, which may wear cones
_MOTIFS: Final = ((-32, -28), (32, -28), (-33, 33), (33, 33), (0, 4))  # the last only where nobody is


def board(plain: Plain, choices: Mapping[str, set[str]]) -> str:
    """The whole board, D3 at (0, 0)."""
    tiles, corners = plain["tiles"], plain["corners"]
    chosen_hexes, chosen_corners = choices.get("hex", set()), choices.get("corner", set())
    hexes = [
        draw.at(
            *_place(HEX_XY[HEX_ID[name]]),
            _tile(name, tiles[name], plain["hibernating"]) if name in tiles else _vacant(name),
            data_hex=name,
        )
        for name in HEX_NAMES
    ]
    rims = [
        draw.at(
            *_place(HEX_XY[HEX_ID[name]]),
            draw.hexagon(SIDE - 4, fill="none", stroke=CHOICE, stroke_width=3),
        )
        for name in sorted(chosen_hexes)
    ]
    discs = [
        draw.at(
            *_place(CORNER_XY[CORNER_ID[name]]), draw.disc(element), data_corner=name, data_element=element
        )
        for name, element in corners.items()
    ]
    rings = [
        draw.at(*_place(CORNER_XY[CORNER_ID[name]]), draw.choosable(15 if name in corners else 7))
        for name in sorted(chosen_corners)
    ]
    return "".join((*hexes, *rims, *discs, *rings))


def _place(xy: Any) -> tuple[float, float]:
    return float(xy[0]) * SIDE, float(xy[1]) * SIDE


def _vacant(name: str) -> str:
    return draw.hexagon(_INSET, fill="#ebeeeb", stroke="#cdd3d0", stroke_width=1) + draw.word(
        0, 5, name, 13, "middle", "#9aa3a2"
    )


def _tile(name: str, tile: Plain, hibernating: Plain | None) -> str:
    kind = "tundra" if tile.get("tundra") else tile["terrain"]
    base = TILE_LOOKS[tile["terrain"]].colour
    rim = draw.hexagon(_INSET, fill=base, stroke=mix(base, DARK, 0.45), stroke_width=1.6)
    ice = draw.hexagon(_TUNDRA, fill=TILE_LOOKS[kind].colour, stroke="#bccbd6", stroke_width=1.5)
    counted = tile.get("scored")
    return "".join(
        (
            draw.hint(_told(name, tile)),
            rim,
            ice if kind == "tundra" else "",
            *(draw.at(x, y, draw.motif(kind)) for x, y in _motifs(len(tile.get("species", ())))),
            draw.word(-9 if counted else 0, _NAME_Y, name, 12, "middle", DARK, bold=True),
            draw.at(10, _NAME_Y - 4.3, draw.scored(), data_mark="scored") if counted else "",
            draw.word(0, _TERRAIN_Y, kind, 10, "middle", DARK if kind != "tundra" else MUTED),
            *_species(tile, hibernating if hibernating and hibernating["hex"] == name else None),
        )
    )


def _motifs(n: int) -> Sequence[tuple[int, int]]:
    """Where the signs of the terrain fit beside n cubes."""
    return () if n > 3 else _MOTIFS[:4] if n else _MOTIFS


def _told(name: str, tile: Plain) -> str:
    """A tile in words."""
    terrain = f"tundra on {tile['terrain']}" if tile.get("tundra") else tile["terrain"]
    species = ", ".join(f"{count} {animal}" for animal, count in tile.get("species", {}).items())
    dominant = f"; {tile['dominant']} dominates" if "dominant" in tile else ""
    return f"{name}, {terrain}: {species or 'no species'}{dominant}{'; scored' if tile.get('scored') else ''}"


def _species(tile: Plain, hibernating: Plain | None) -> Iterator[str]:
    species: Mapping[str, int] = tile.get("species", {})
    for (animal, count), (x, y) in zip(species.items(), _places(len(species)), strict=True):
        wears = animal == tile.get("dominant")
        yield draw.at(
            x,
            y,
            draw.cube(animal, count),
            draw.at(2, -12, draw.cone(animal), data_mark="cone") if wears else "",
            data_animal=animal,
            data_count=count,
        )
    if hibernating:
        x, y = _places(len(species))[list(species).index(hibernating["animal"])]
        yield draw.at(x + 16, y + 12, draw.asleep(hibernating["count"]), data_mark="asleep")


def _places(n: int) -> Sequence[tuple[float, float]]:
    """Where n cubes stand: up to three in one row, more in two."""
    halves = [n] if n <= 3 else [(n + 1) // 2, n // 2]
    rows = _ROWS[len(halves)]
    return [
        ((i - (half - 1) / 2) * _COLUMNS - 2, y)
        for half, y in zip(halves, rows, strict=True)
        for i in range(half)
    ]
