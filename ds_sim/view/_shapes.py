"""Pieces of SVG. Every shape is drawn around (0, 0); `at` puts it somewhere.

There are no ids, style sheets or references, so any number of pictures can stand on one page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Final

from ._looks import ANIMAL_LOOKS, CHOICE, DARK, ELEMENT_LOOKS, GOLD, LIGHT, MOTIFS, TILE_LOOKS, Look, mix

CUBE: Final = (28, 22, 4)
"""Width, height and depth of a cube in front of us."""


def tag(name: str, *inside: str, **attributes: object) -> str:
    """An element; `_` in the name of an attribute is `-`, None leaves it out.

    >>> tag("text", "a", font_size=12.0, x=None)
    '<text font-size="12">a</text>'
    """
    given = (
        f' {key.replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    start = f"<{name}{''.join(given)}"
    return f"{start}>{''.join(inside)}</{name}>" if inside else f"{start}/>"


def _value(value: object) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else escape(str(value))


def at(x: float, y: float, *inside: str, scale: float = 1, **attributes: object) -> str:
    """A group that lies at (x, y)."""
    place = f"translate({_value(float(x))} {_value(float(y))}){f' scale({scale})' if scale != 1 else ''}"
    return tag("g", *inside, transform=place, **attributes)


def word(
    x: float,
    y: float,
    text: object,
    size: float = 12,
    anchor: str = "start",
    fill: str | None = None,
    bold: bool = False,
) -> str:
    """One line of text, its baseline at y."""
    return tag(
        "text",
        escape(str(text)),
        x=x,
        y=y,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
        fill=fill,
        font_weight="bold" if bold else None,
    )


def hint(text: str) -> str:
    """What is told of a group where the mouse rests."""
    return tag("title", escape(text))


def polygon(points: Iterable[tuple[float, float]], **attributes: object) -> str:
    return tag(
        "polygon", points=" ".join(f"{_value(float(x))},{_value(float(y))}" for x, y in points), **attributes
    )


@cache
def hexagon(side: float, **attributes: object) -> str:
    """A hexagon with flat top."""
    corners = ((side * math.cos(k * math.pi / 3), side * math.sin(k * math.pi / 3)) for k in range(6))
    return polygon(corners, stroke_linejoin="round", **attributes)


def box(x: float, y: float, width: float, height: float, radius: float = 4, **attributes: object) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, rx=radius, **attributes)


def edge(look: Look) -> str:
    """The colour of the outline of a piece."""
    return mix(look.colour, DARK, 0.6)


@cache
def disc(element: str, radius: float = 12) -> str:
    """An element."""
    look = ELEMENT_LOOKS[element]
    return tag("circle", r=radius, fill=look.colour, stroke=edge(look), stroke_width=1.4) + word(
        0, radius * 0.34, look.code, round(radius * 0.95, 1), "middle", look.ink, bold=True
    )


@cache
def cube(animal: str, count: int | None = None) -> str:
    """A species cube, with how many there are of it; without, only its letters."""
    look, (width, height, depth) = ANIMAL_LOOKS[animal], CUBE
    x, y = width / 2, height / 2
    outline = (
        (-x, -y),
        (-x + depth, -y - depth),
        (x + depth, -y - depth),
        (x + depth, y - depth),
        (x, y),
        (-x, y),
    )
    top = ((-x, -y), (-x + depth, -y - depth), (x + depth, -y - depth), (x, -y))
    side = ((x, -y), (x + depth, -y - depth), (x + depth, y - depth), (x, y))
    letters = (
        [word(0, 5, look.code, 14, "middle", look.ink, bold=True)]
        if count is None
        else [
            word(0, 1.5, count, 13, "middle", look.ink, bold=True),
            word(0, 9, look.code, 8, "middle", look.ink, bold=True),
        ]
    )
    return "".join(
        (
            polygon(outline, fill=look.colour, stroke=LIGHT, stroke_width=3.5, stroke_linejoin="round"),
            polygon(outline, fill=look.colour, stroke=edge(look), stroke_width=1.4, stroke_linejoin="round"),
            polygon(top, fill=mix(look.colour, LIGHT, 0.45)),
            polygon(side, fill=mix(look.colour, DARK, 0.4)),
            *letters,
        )
    )


@cache
def cone(animal: str) -> str:
    """The cone of a dominating animal; its foot is at (0, 0)."""
    look = ANIMAL_LOOKS[animal]
    path = "M-8-1L-1-15h2L8-1Q0 3-8-1z"
    return "".join(
        tag("path", d=path, fill=look.colour, stroke=stroke, stroke_width=width, stroke_linejoin="round")
        for stroke, width in ((LIGHT, 4), (edge(look), 1.4))
    )


@cache
def pawn(animal: str) -> str:
    """An action pawn: a cylinder."""
    look = ANIMAL_LOOKS[animal]
    outline = {"stroke": edge(look), "stroke_width": 1.2}
    return "".join(
        (
            tag("path", d="M-10-6V7A10 4 0 0 0 10 7V-6z", fill=look.colour, **outline),
            tag("ellipse", cx=0, cy=-6, rx=10, ry=4, fill=mix(look.colour, LIGHT, 0.45), **outline),
            word(0, 7.5, look.code, 11, "middle", look.ink, bold=True),
        )
    )


@cache
def tile(kind: str, side: float) -> str:
    """A small terrain tile with its letters."""
    look = TILE_LOOKS[kind]
    return hexagon(side, fill=look.colour, stroke=edge(look), stroke_width=1) + word(
        0, side * 0.32, look.code, round(side * 0.85, 1), "middle", look.ink, bold=True
    )


@cache
def motif(kind: str) -> str:
    """The sign of a terrain, faint."""
    ink = mix(TILE_LOOKS[kind].colour, DARK, 0.28)
    return tag("path", d=MOTIFS[kind], fill="none", stroke=ink, stroke_width=1.4, stroke_linecap="round")


@cache
def scored() -> str:
    """The mark of a tile that was scored this turn."""
    return tag("circle", r=7, fill=GOLD, stroke=DARK, stroke_width=1.2) + tag(
        "path",
        d="M-3.4.2l2.4 2.6 4.4-5.4",
        fill="none",
        stroke=DARK,
        stroke_width=1.8,
        stroke_linecap="round",
    )


def asleep(count: int) -> str:
    """The mark of hibernating species."""
    return tag("circle", r=8, fill=DARK, stroke=LIGHT, stroke_width=1.2) + word(
        0, 3.2, f"z{count}", 9, "middle", LIGHT, bold=True
    )


def choosable(radius: float) -> str:
    """The mark of a corner that may be chosen now."""
    return tag("circle", r=radius, fill="none", stroke=CHOICE, stroke_width=2.5)
