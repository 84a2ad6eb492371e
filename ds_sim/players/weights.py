"""What the players hold dear: every number that was tuned, in one place, in VPs.

A player's *scales* are an array of floats: first what a VP of each of the six animals is worth to it (1 for its
own), then the weights below.
"""

from __future__ import annotations

from typing import Final

import numpy as np

# Places in the scales, after the six animals.
(
    TILE,  # a VP that a tile would score now
    LIVE,  # a species that is not endangered
    DOOMED,  # an endangered one
    TUNDRA,  # a species on tundra, for Survival
    DOMINANCE,  # a tile dominated
    SAFETY,  # a point of match on a tile one lives on, up to MATCH_ENOUGH
    REACH,  # a point of match on another tile
    ELEMENT,  # an element on the animal, of itself
    PAWN,  # an action pawn, for the rest of the game
    CARD,  # the right to take a card
    LEFT,  # a place to the left on the initiative track
    ROOM,  # a VP of the first place of a new tile
    END,  # what Ice Age brings by ending the game
    WEIGHTS,
) = range(6, 20)

MATCH_ENOUGH: Final = 3

GREEDY: Final = np.zeros(WEIGHTS)
GREEDY[TILE] = 1.0
GREEDY[LIVE] = 0.3
GREEDY[DOOMED] = 0.1
GREEDY[TUNDRA] = 0.5
GREEDY[DOMINANCE] = 1.5
GREEDY[SAFETY] = 0.3
GREEDY[REACH] = 0.1
GREEDY[ELEMENT] = 0.5
GREEDY[PAWN] = 8.0
GREEDY[CARD] = 4.0
GREEDY[LEFT] = 0.3
GREEDY[ROOM] = 0.1
GREEDY.flags.writeable = False
