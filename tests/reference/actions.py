"""Action ids. A builder turns the things that may be chosen into `{action id: thing}`."""

from collections.abc import Iterable

from .board import ANIMALS, CARDS, CORNER_NAMES, ELEMENTS, HEX_NAMES, SPACES, TERRAINS

PLACE, ELEMENT, CORNER, HEX, ANIMAL, COUNT, STACK, CARD = 1, 42, 48, 140, 175, 181, 197, 200
TERRAIN = 228
MOST = 15  # the largest COUNT (P-3)

PASS = {0: None}
LOSE_PAWN = {226: "lose_pawn"}
LOSE_SPECIES = {227: "lose_species"}


def spaces(names: Iterable[str]) -> dict[int, str]:
    return {PLACE + SPACES.index(name): name for name in names}


def elements(names: Iterable[str]) -> dict[int, str]:
    return {ELEMENT + ELEMENTS.index(name): name for name in names}


def corners(ids: Iterable[int]) -> dict[int, int]:
    return {CORNER + corner: corner for corner in ids}


def hexes(ids: Iterable[int]) -> dict[int, int]:
    return {HEX + tile: tile for tile in ids}


def animals(names: Iterable[str]) -> dict[int, str]:
    return {ANIMAL + ANIMALS.index(name): name for name in names}


def counts(least: int, most: int) -> dict[int, int]:
    return {COUNT + n: n for n in range(least, min(most, MOST) + 1)}


def stacks(indices: Iterable[int]) -> dict[int, int]:
    return {STACK + k: k for k in indices}


def cards(names: Iterable[str]) -> dict[int, str]:
    return {CARD + CARDS.index(name): name for name in names}


def terrains(names: Iterable[str]) -> dict[int, str]:
    return {TERRAIN + TERRAINS.index(name): name for name in names}


def _texts() -> dict[int, str]:
    kinds = {
        "place": spaces(SPACES),
        "element": elements(ELEMENTS),
        "corner": {CORNER + i: name for i, name in enumerate(CORNER_NAMES)},
        "hex": {HEX + i: name for i, name in enumerate(HEX_NAMES)},
        "animal": animals(ANIMALS),
        "count": counts(0, MOST),
        "stack": {STACK + k: k + 1 for k in range(3)},
        "card": cards(CARDS),
        "terrain": terrains(TERRAINS),
    }
    texts = {action: f"{kind}:{name}" for kind, names in kinds.items() for action, name in names.items()}
    return {0: "pass", **texts, **LOSE_PAWN, **LOSE_SPECIES}


_TEXTS = _texts()


def action_text(action: int) -> str:
    """The text form of an action id, as in `corner:D3.e`."""
    return _TEXTS[action]
