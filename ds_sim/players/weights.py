"""What the players hold dear: every number that was tuned, in one place, in VPs.

A player's *scales* are an array of floats: first what a VP of each of the six animals is worth to it (1 for its
own, less than 0 for the others'), then the weights below.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..board import SPACES

MATCH_ENOUGH: Final = 3

_TABLE: Final = {
    # greedy; expert at the start, with all cards unseen; expert at the end, with none
    "TILE": (0.5, 0.657, 0.657),  # a VP that a tile would score now
    "LIVE": (0.25, 0.261, 0.213),  # a species that is not endangered
    "DOOMED": (0.1, 0.1, 0.109),  # an endangered one
    "TUNDRA": (0.4, 0.5, 0.453),  # a species on tundra, for Survival
    "DOMINANCE": (1.2, 1.5, 1.24),  # a tile dominated
    "SAFETY": (0.3, 0.3, 0.3),  # a point of match on a tile one lives on, up to MATCH_ENOUGH
    "REACH": (0.1, 0.127, 0.115),  # a point of match on another tile
    "ELEMENT": (0.5, 0.456, 0.547),  # an element on the animal, of itself
    "PAWN": (8, 7.25, 8),  # an action pawn, for the rest of the game
    "CARD": (5, 6.09, 4.65),  # the right to take a card
    "LEFT": (0.3, 0.3, 0.3),  # a place to the left on the initiative track
    "ROOM": (0.1, 0.1, 0.1),  # a VP of the first place of a new tile
    "END": (0, 10, 10),  # to end the game as its leader; the opposite as another
    "RIVALS": (1, 0.813, 0.678),  # what a VP of all rivals together costs
    "FIRST": (0, 0.3, 0.33),  # the share of it that falls on the leading rival
    "DENY": (0, 0.56, 0.5),  # how far what rivals get on the display counts
    "BEST": (0, 0.3, 0.272),  # the share of the best face-up card in the worth of taking one
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


def _weights(column: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    weights = np.array([0.0] * 6 + [row[column] for row in _TABLE.values()])
    weights.flags.writeable = False
    return weights


GREEDY: Final = _weights(0)
EXPERT_EARLY: Final = _weights(1)
EXPERT_LATE: Final = _weights(2)

_ROWS: Final = {
    # row of the display: what the expert multiplies its worth by; and again for each pawn it has there
    "initiative": (0.88, 1),
    "adaptation": (1.09, 0.731),
    "regression": (1, 0.6),
    "abundance": (1.1, 0.7),
    "wasteland": (1.42, 1),
    "depletion": (1, 1),
    "glaciation": (0.767, 0.3),
    "speciation": (0.657, 0.46),
    "wanderlust": (1.52, 0.778),
    "migration": (0.657, 0.323),
    "competition": (0.757, 0.7),
    "domination": (1.52, 1.22),
}
ROWS: Final = np.array([_ROWS[space.split("_")[0]] for space in SPACES]).T.copy()
"""(2, 41): the same by space."""
ROWS.flags.writeable = False
