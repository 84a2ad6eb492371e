"""How everything on the table looks: a short name on a colour, so that colour is never the only sign.

The colours of the animals, after the palette of Okabe and Ito, differ for every kind of colour vision, and so
do those of the elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

DARK: Final = "#1d2733"
LIGHT: Final = "#ffffff"
MUTED: Final = "#5b6672"
LINE: Final = "#c3bfb1"
PAPER: Final = "#f8f5ec"
CARD: Final = "#fffdf7"
OCEAN: Final = "#e3e6e3"
CHOICE: Final = "#c2185b"
CHOSEN: Final = "#fbe3ec"
GOLD: Final = "#ffd54a"


class Look(NamedTuple):
    """What stands for a thing: its code, its colour, and the colour to write on that."""

    code: str
    colour: str
    ink: str = DARK


ANIMAL_LOOKS: Final[Mapping[str, Look]] = {
    "mammal": Look("M", "#32343d", LIGHT),
    "reptile": Look("R", "#ee7722"),
    "bird": Look("B", "#f2e34c"),
    "amphibian": Look("Am", "#0069b4", LIGHT),
    "arachnid": Look("Ar", "#e8a6cd"),
    "insect": Look("I", "#12a67c"),
}

ELEMENT_LOOKS: Final[Mapping[str, Look]] = {
    "meat": Look("Me", "#8f1d35", LIGHT),
    "sun": Look("Su", "#ffd447"),
    "seed": Look("Sd", "#a3653c", LIGHT),
    "water": Look("Wa", "#4c94e0"),
    "grub": Look("Gb", "#f3ead8"),
    "grass": Look("Gs", "#62b53f"),
}

TILE_LOOKS: Final[Mapping[str, Look]] = {
    "sea": Look("Se", "#8dbfe0"),
    "wetland": Look("W", "#93cdbd"),
    "savannah": Look("Sv", "#e8c869"),
    "jungle": Look("J", "#9bc65f"),
    "forest": Look("F", "#6fab73"),
    "desert": Look("D", "#efdfae"),
    "mountain": Look("Mo", "#b9b1a9"),
    "tundra": Look("T", "#f7fbfd"),
}

# Faint signs of what grows there, one path each in a square of about 12 by 10 around (0, 0).
MOTIFS: Final[Mapping[str, str]] = {
    "sea": "M-7-2q3.5-4 7 0t7 0M-7 3q3.5-4 7 0t7 0",
    "wetland": "M-4 5v-8M0 5v-11M4 5v-7M-7 5h14",
    "savannah": "M-5 5q0-5-3-7M-5 5q0-6 2-9M4 5q0-5-3-7M4 5q0-6 3-9",
    "jungle": "M0 6v-8M0-2q-3-4-7-1M0-2q3-4 7-1M0-2q-1-5-4-5M0-2q1-5 4-5",
    "forest": "M-5 3h10l-5-10zM0 3v4",
    "desert": "M-8 3q4-6 8 0q4-6 8 0M-3-4h.1M3-5h.1",
    "mountain": "M-8 5l5-9 4 7 2-4 5 6",
    "tundra": "M0-6v12M-5.2-3l10.4 6M5.2-3l-10.4 6",
}


def mix(colour: str, other: str, share: float) -> str:
    """`share` of `other` in `colour`.

    >>> mix("#000000", "#ffffff", 0.2)
    '#333333'
    """
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex()
