"""Beside the board: whose decision it is, the animals, the action display with its boxes, the cards.

Every section is drawn from (0, 0) down and says how high it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from ..board import CARDS, SPACES
from . import _shapes as draw
from ._looks import ANIMAL_LOOKS, CARD, CHOICE, CHOSEN, DARK, LIGHT, LINE, MUTED, PAPER, TILE_LOOKS, mix

Plain = Mapping[str, Any]

WIDTH: Final = 424.0


class Section(NamedTuple):
    """A drawing and its height."""

    drawing: str
    height: float


# ---- the decision ----

_TITLE_CHARACTERS: Final = 52


def heading(plain: Plain, winner: str | None, title: str | None) -> Section:
    """The title, the turn, and who decides what."""
    lines, y = [], 0.0
    if title:
        lines.append(draw.word(0, 12, _cut(title, _TITLE_CHARACTERS), 13, fill=MUTED))
        y = 22.0
    when, what = situation(plain, winner)
    who = winner or plain["actor"]
    shown = draw.at(14, y + 45, draw.cube(who)) if who in ANIMAL_LOOKS else ""
    lines += [
        draw.word(0, y + 18, when, 20, bold=True),
        shown,
        draw.word(40 if shown else 0, y + 48, what, 14, bold=winner is not None),
    ]
    return Section("".join(lines), y + 62)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def situation(plain: Plain, winner: str | None) -> tuple[str, str]:
    """How far the game is, and who decides what or has won."""
    if winner is not None:
        over = f"{'Cut off' if plain['truncated'] else 'Over'} after turn {plain['turn']}"
        return over, f"{winner} wins with {plain['vp'].get(winner, 0)} VPs"
    card = plain["cursor"].get("card")
    node = plain["node"].replace("_", " ")
    what = f"{plain['actor']}: {node}{'' if card is None else f' (card {title(CARDS[card])})'}"
    return f"Turn {plain['turn']}, {plain['phase']}", what


def title(name: str) -> str:
    """A name as it is printed.

    >>> title("ice_age")
    'Ice Age'
    """
    return name.replace("_", " ").title()


# ---- animals ----

_ROW: Final = 25.0
_NUMBERS: Final = (("VPs", 150.0), ("pawns", 192.0), ("pool", 230.0), ("out", 266.0), ("cones", 304.0))
_HELD_X, _HELD_STEP = 324.0, 18.6


def animals(plain: Plain) -> Section:
    """A table of the animals in initiative order."""
    counts = (
        plain["vp"],
        plain["pawns"],
        plain["gene_pool"],
        plain["eliminated"],
        Counter(tile.get("dominant") for tile in plain["tiles"].values()),
    )
    seats = {animal: n for n, seat in enumerate(plain["rules"].get("seats", ()), 1) for animal in seat}
    heads = [draw.word(x, 11, name, 11, "end", MUTED) for name, x in _NUMBERS]
    heads += [
        draw.word(0, 11, "animal / seat" if seats else "animal", 11, fill=MUTED),
        draw.word(_HELD_X - 9, 11, "elements", 11, fill=MUTED),
    ]
    rows = [
        draw.at(
            0,
            18 + i * _ROW,
            draw.box(-6, 0, WIDTH + 12, _ROW, 5, fill=CHOSEN) if animal == plain["actor"] else "",
            draw.at(13, 14, draw.cube(animal), scale=0.75),
            draw.word(34, 18, animal, 13, bold=True),
            draw.word(105, 18, f"/{seats[animal]}", 11, fill=MUTED) if seats else "",
            *_numbers([count.get(animal, 0) for count in counts]),
            *_held(plain["elements"].get(animal, {})),
            data_row=animal,
        )
        for i, animal in enumerate(plain["initiative"])
    ]
    return Section("".join((*heads, *rows)), 18 + _ROW * len(rows))


def _numbers(numbers: Sequence[int]) -> Iterator[str]:
    for number, (name, x) in zip(numbers, _NUMBERS, strict=True):
        yield draw.word(x, 18, number, 14 if name == "VPs" else 13, "end", bold=name == "VPs")


def _held(elements: Mapping[str, int]) -> Iterator[str]:
    for i, element in enumerate(_each(elements)):
        yield draw.at(_HELD_X + i * _HELD_STEP, 12.5, draw.disc(element, 8.4), data_element=element)


def _each(numbers: Mapping[str, int]) -> Iterator[str]:
    """A name for each of what is counted."""
    return (name for name, count in numbers.items() for _ in range(count))


# ---- the action display ----

_SLOT: Final = (28.0, 26.0)
_STEP: Final = 32.0
_SLOTS_X: Final = 92.0
_PLAIN_ROW, _CAPTIONED_ROW = 28.5, 43.0
_BOX_X, _BOX_WIDTH = 320.0, 104.0
_FREE: Final = {"regression": "reptile", "speciation": "insect", "competition": "arachnid"}  # R-EXE-2


def display(plain: Plain, choices: Mapping[str, set[str]]) -> Section:
    """The spaces with their pawns; at the right the boxes of elements."""
    rows, y = [], 0.0
    for name, members in groupby(SPACES, lambda space: space.partition("_")[0]):
        spaces = list(members)
        captioned = _caption(spaces[0]) != ""
        slots = [
            draw.at(_SLOTS_X + i * _STEP, 0, _slot(space, plain["spaces"].get(space), choices))
            for i, space in enumerate(spaces)
        ]
        rows.append(
            draw.at(
                0,
                y,
                draw.word(0, 18, title(name), 13),
                *slots,
                draw.at(_SLOTS_X + len(spaces) * _STEP, 0, _free(name, plain)),
                draw.at(_BOX_X, 0, _box(name, plain)),
            )
        )
        y += _CAPTIONED_ROW if captioned else _PLAIN_ROW
    return Section("".join(rows), y)


def _slot(space: str, owner: str | None, choices: Mapping[str, set[str]]) -> str:
    chosen = space in choices.get("place", ())
    paper = mix(PAPER, DARK, 0.1) if owner else CHOSEN if chosen else CARD
    middle = _SLOT[0] / 2
    return "".join(
        (
            draw.box(0, 0, *_SLOT, 5, fill=paper, stroke=CHOICE if chosen else LINE, stroke_width=1.2),
            draw.at(middle, 13, draw.pawn(owner), data_space=space, data_animal=owner) if owner else "",
            draw.at(middle, 34, _caption(space)) if _caption(space) else "",
        )
    )


def _caption(space: str) -> str:
    """What tells a space from the others of its row, if they differ."""
    row, _, rest = space.partition("_")
    if row == "speciation":
        return draw.disc(rest, 7)
    if row == "migration":
        return draw.word(0, 3, rest, 11, "middle", MUTED)
    if row == "competition":
        return "".join(_half(terrain, x) for terrain, x in zip(rest.split("_"), (-14.0, 0.0), strict=True))
    return ""


def _half(terrain: str, x: float) -> str:
    look = TILE_LOOKS[terrain]
    return draw.box(
        x, -6, 14, 12, 2, fill=look.colour, stroke=mix(look.colour, DARK, 0.4), stroke_width=0.8
    ) + draw.word(x + 7, 3.2, look.code, 8.5, "middle", look.ink, bold=True)


def _free(row: str, plain: Plain) -> str:
    """The free action that belongs to an animal in play every turn."""
    animal = _FREE.get(row)
    if (
        animal is None
        or animal not in plain["initiative"]
        or not plain["rules"].get("abilities", {}).get(animal, True)
    ):
        return ""
    look = ANIMAL_LOOKS[animal]
    return draw.tag(
        "g",
        draw.box(1, 2, 26, 22, 11, fill=mix(look.colour, LIGHT, 0.75), stroke=look.colour, stroke_width=1.2),
        draw.word(14, 12, look.code, 10, "middle", DARK, bold=True),
        draw.word(14, 20.5, "free", 8.5, "middle", DARK),
    )


def _box(row: str, plain: Plain) -> str:
    if row == "glaciation":
        return draw.at(15, 13, draw.tile("tundra", 11)) + draw.word(
            32, 18, f"{plain['tundra_left']} left", 13
        )
    if row not in plain["boxes"]:
        return ""
    discs = (
        draw.at(15 + i * 24.6, 13, draw.disc(element, 10.5), data_element=element)
        for i, element in enumerate(_each(plain["boxes"][row]))
    )
    tray = draw.box(0, 0, _BOX_WIDTH, _SLOT[1], 13, fill="#e9e4d6", stroke=LINE, stroke_width=1)
    return draw.tag("g", tray, *discs, data_box=row)


# ---- cards ----

_CARD: Final = (80.0, 40.0)
_CARD_STEP: Final = 86.0


def cards(plain: Plain, choices: Mapping[str, set[str]]) -> Section:
    """The face-up cards; which were taken, the mouse tells."""
    taken = plain["cards"]["taken"]
    told = draw.hint(f"Taken: {', '.join(map(title, taken)) or 'none'}")
    left = len(plain["rules"].get("cards", CARDS)) - len(taken) - len(plain["cards"]["face_up"])
    head = draw.tag("g", told, draw.word(WIDTH, 12, f"{left} to come, {len(taken)} taken", 12, "end", MUTED))
    faces = [
        draw.at(i * _CARD_STEP, 19, _card(card, card in choices.get("card", ())), data_card=card)
        for i, card in enumerate(plain["cards"]["face_up"])
    ]
    return Section("".join((draw.word(0, 12, "Cards", 13, bold=True), head, *faces)), 19 + _CARD[1])


def _card(card: str, chosen: bool) -> str:
    words = title(card).split()
    size = 11 if max(map(len, words)) < 12 else 10
    lines = (
        draw.word(_CARD[0] / 2, 24 - 7 * (len(words) - 1) + 14 * i, w, size, "middle")
        for i, w in enumerate(words)
    )
    fill, stroke = (CHOSEN, CHOICE) if chosen else (CARD, LINE)
    return "".join((draw.box(0, 0, *_CARD, 6, fill=fill, stroke=stroke, stroke_width=1.4), *lines))
