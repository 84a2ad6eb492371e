"""What the players hold dear: every number that was tuned, in one place, in VPs.

A player's *scales* are an array of floats: first what a VP of each of the six animals is worth to it (1 for
its own, less than 0 for the others'), then the weights below, then what each tile is worth as it is (`now`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..board import HEX_NAMES, SPACES

MATCH_ENOUGH: Final = 3

_TABLE: Final = {
    # greedy; expert at the start, with all cards unseen; expert at the end, with none
    "TILE": (0.5, 0.589, 0.657),  # a VP that a tile would score now
    "LIVE": (0.25, 0.261, 0.186),  # a species that is not endangered
    "DOOMED": (0.1, 0.0913, 0.109),  # an endangered one
    "TUNDRA": (0.4, 0.5, 0.453),  # a species on tundra, for Survival
    "DOMINANCE": (1.2, 1.5, 1.24),  # a tile dominated
    "SAFETY": (0.3, 0.333, 0.327),  # a point of match on a tile one lives on, up to MATCH_ENOUGH
    "REACH": (0.1, 0.138, 0.135),  # a point of match on another tile
    "ELEMENT": (0.5, 0.456, 0.517),  # an element on the animal, of itself
    "PAWN": (8, 8.12, 8),  # an action pawn, for the rest of the game
    "CARD": (5, 6.72, 5.29),  # the right to take a card
    "LEFT": (0.3, 0.3, 0.278),  # a place to the left on the initiative track
    "ROOM": (0.1, 0.0927, 0.106),  # a VP of the first place of a new tile
    "END": (0, 8.99, 10),  # to end the game as its leader; the opposite as another
    "RIVALS": (1, 0.737, 0.787),  # what a VP of all rivals together costs
    "FIRST": (0, 0.3, 0.33),  # the share of it that falls on the leading rival
    "DENY": (0, 0.56, 0.464),  # how far what rivals get on the display counts
    "BEST": (0, 0.334, 0.272),  # the share of the best face-up card in the worth of taking one
}

(
    TILE,
    LIVE,
    DOOMED,
    TUNDRA,
    DOMINANCE,
    SAFETY,
    REACH,
    ELEMENT,
    PAWN,
    CARD,
    LEFT,
    ROOM,
    END,
    RIVALS,
    FIRST,
    DENY,
    BEST,
) = range(6, 6 + len(_TABLE))
WEIGHTS: Final = 6 + len(_TABLE)
NOW: Final = WEIGHTS
SCALES: Final = NOW + len(HEX_NAMES)
UNWEIGHED: Final = np.inf
"""The worth of a tile that was not asked for yet."""


def _weights(column: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    weights = np.array([0.0] * 6 + [row[column] for row in _TABLE.values()])
    weights.flags.writeable = False
    return weights


GREEDY: Final = _weights(0)
EXPERT_EARLY: Final = _weights(1)
EXPERT_LATE: Final = _weights(2)

_ROWS: Final = {
    # row of the display: what the expert multiplies its worth by; and again for each pawn it has there
    "initiative": (0.77, 1),
    "adaptation": (1.37, 0.731),
    "regression": (0.934, 0.543),
    "abundance": (1.1, 0.7),
    "wasteland": (1.42, 1),
    "depletion": (1, 1),
    "glaciation": (0.687, 0.3),
    "speciation": (0.556, 0.379),
    "wanderlust": (1.78, 0.89),
    "migration": (0.555, 0.323),
    "competition": (0.816, 0.762),
    "domination": (1.52, 1.22),
}
ROWS: Final = np.array([_ROWS[space.split("_")[0]] for space in SPACES]).T.copy()
"""(2, 41): the same by space."""
ROWS.flags.writeable = False
