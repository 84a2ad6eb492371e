"""The free corners beside the board: tiles to come, the bag, the stacks, and what the marks mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..board import ELEMENTS, TERRAINS
from . import _shapes as draw
from ._looks import CHOICE, LINE

Plain = Mapping[str, Any]

_LINE: Final = 19.2
_COLUMN: Final = 102.0


def unseen(plain: Plain) -> str:
    """Terrains, and how many tiles of each lie face down."""
    return _supply(
        "Tiles to come",
        {terrain: draw.tile(terrain, 10) for terrain in TERRAINS},
        plain["unseen_tiles"],
        5,
        0,
    )


def bag(plain: Plain) -> str:
    """Elements, and how many of each are in the bag."""
    return _supply("Bag", {element: draw.disc(element, 9) for element in ELEMENTS}, plain["bag"], 4, 2)


def _supply(title: str, signs: Mapping[str, str], counts: Mapping[str, int], rows: int, down: int) -> str:
    """What there is: so many rows, then a second column that begins so many rows further down."""
    entries = [
        draw.at(
            i // rows * _COLUMN,
            30 + (i if i < rows else i - rows + down) * _LINE,
            draw.at(10, -4, sign),
            draw.word(25, 0, name, 12),
            draw.word(93, 0, counts.get(name, 0), 12, "end", bold=True),
        )
        for i, (name, sign) in enumerate(signs.items())
    ]
    return "".join((draw.word(0, 10, title, 13, bold=True), *entries))


def stacks(plain: Plain) -> str:
    """The stacks of tiles: the face-up tile, and how many lie below."""
    piles = [
        draw.at(
            19 + i * 43,
            38,
            _face(stack["face_up"]),
            draw.word(0, 32, f"+{stack['left']}", 12, "middle", bold=True),
        )
        for i, stack in enumerate(plain["stacks"])
    ]
    return "".join((draw.word(0, 10, "Stacks", 13, bold=True), *piles))


def _face(terrain: str | None) -> str:
    if terrain is None:
        return draw.hexagon(19, fill="none", stroke=LINE, stroke_width=1.4)
    return draw.hint(terrain) + draw.tile(terrain, 19)


def marks() -> str:
    """What the marks mean."""
    signs: Sequence[tuple[str, float, str]] = (
        (draw.cone("mammal"), 13, "dominates"),
        (draw.scored(), 6, "scored"),
        (draw.asleep(3), 6, "hibernating"),
        (draw.hexagon(10, fill="none", stroke=CHOICE, stroke_width=2.5), 6, "may be chosen"),
    )
    return "".join(
        draw.at(10, i * 24, draw.at(0, y, sign), draw.word(20, 10, text, 12))
        for i, (sign, y, text) in enumerate(signs)
    )
