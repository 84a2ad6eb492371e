"""What a pawn on each space of the action display is worth: for `place`, `initiative` and `instinct`.

Every row is worth what its best action would bring now. A space further right of a row is worth less: others
take the best before it.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Final

import numpy as np

from ..board import SPACE_ID, TERRAIN_ID
from ..scoring.kernels import (
    TUNDRA,
    Int,
    bit,
    first,
    frontier,
    glaciable,
    has,
    inhabited,
    kind,
    without_first,
)
from . import weights as w
from ._compile import floats, inner
from .cards import element_anywhere
from .nodes import dominate, if_wasted, wander_hex
from .worth import (
    Floats,
    N,
    Scales,
    View,
    around,
    best_victim,
    elements_held,
    fill_arriving,
    fill_bred,
    fill_gone,
    if_gained,
    if_glaciated,
    if_lost,
    if_one_left,
    loose,
)

ADAPTATION: Final = SPACE_ID["adaptation_1"]
REGRESSION: Final = SPACE_ID["regression_1"]
ABUNDANCE: Final = SPACE_ID["abundance_1"]
WASTELAND: Final = SPACE_ID["wasteland"]
DEPLETION: Final = SPACE_ID["depletion"]
GLACIATION: Final = SPACE_ID["glaciation_1"]
SPECIATION: Final = SPACE_ID["speciation_meat"]
WANDERLUST: Final = SPACE_ID["wanderlust_1"]
MIGRATION: Final = SPACE_ID["migration_7"]
COMPETITION: Final = SPACE_ID["competition_jungle_wetland"]
DOMINATION: Final = SPACE_ID["domination_1"]
SPACES: Final = 41

BOX_ADAPTATION, BOX_REGRESSION, BOX_ABUNDANCE, BOX_WASTELAND, BOX_DEPLETION = range(5)

_PAIRS: Final = (
    *("jungle wetland", "wetland desert", "desert forest", "forest savannah"),
    *("savannah mountain", "mountain sea", "sea jungle"),
)
TERRAINS: Final = np.array([[TERRAIN_ID[name] for name in pair.split()] for pair in _PAIRS])
"""(7, 2): the terrains of the Competition spaces."""


@inner
def vacant(view: View, start: int, end: int) -> bool:
    """Whether a space from start on and before end has no pawn."""
    return ~view.spaces & (bit(end) - bit(start)) != np.uint64(0)


@inner
def fill_display(view: View, scales: Scales, spaces: Floats) -> None:
    """The worth of each vacant space."""
    spaces[0] = scales[w.LEFT]
    if vacant(view, ADAPTATION, REGRESSION):
        spread(spaces, ADAPTATION, REGRESSION, adaptation(view, scales), 0.8)
    if vacant(view, REGRESSION, ABUNDANCE):
        spread(spaces, REGRESSION, ABUNDANCE, regression(view, scales), 1.0)
    if vacant(view, ABUNDANCE, WASTELAND):
        spread(spaces, ABUNDANCE, WASTELAND, abundance(view, scales), 0.8)
    if vacant(view, WASTELAND, DEPLETION):
        spaces[WASTELAND] = wasteland(view, scales)
    if vacant(view, DEPLETION, GLACIATION):
        spaces[DEPLETION] = depletion(view, scales)
    if vacant(view, GLACIATION, SPECIATION):
        glaciation(view, scales, spaces)
    if vacant(view, SPECIATION, WANDERLUST):
        speciation(view, scales, spaces)
    if vacant(view, WANDERLUST, MIGRATION):
        spread(spaces, WANDERLUST, MIGRATION, wanderlust(view, scales), 0.8)
    if vacant(view, MIGRATION, COMPETITION):
        migration(view, scales, spaces)
    if vacant(view, COMPETITION, DOMINATION):
        competition(view, scales, spaces)
    if vacant(view, DOMINATION, SPACES):
        domination(view, scales, spaces)


@inner
def spread(spaces: Floats, start: int, end: int, worth: float, less: float) -> None:
    """Gives the first space of a row its worth, the others less and less."""
    for space in range(start, end):
        spaces[space] = worth
        worth *= less


@inner
def adaptation(view: View, scales: Scales) -> float:
    best = 0.0
    if elements_held(view, Int(view.actor)) < 6:
        for type in range(N):
            if view.boxes[BOX_ADAPTATION, type] > 0:
                best = max(best, if_gained(view, scales, type))
    return best


@inner
def regression(view: View, scales: Scales) -> float:
    best = 0.0
    for type in range(N):
        if view.boxes[BOX_REGRESSION, type] > 0 and loose(view, Int(view.actor), type) > 0:
            best = max(best, -if_lost(view, scales, type))
    return best


@inner
def abundance(view: View, scales: Scales) -> float:
    best = 0.0
    for type in range(N):
        if view.boxes[BOX_ABUNDANCE, type] > 0 and view.held[type, view.actor] > 0:
            best = max(best, element_anywhere(view, scales, type))
    return best


@inner
def wasteland(view: View, scales: Scales) -> float:
    best = 0.0
    for type in range(N):
        if view.boxes[BOX_WASTELAND, type] == 1:
            best = max(best, -if_wasted(view, scales, type))
    return best


@inner
def depletion(view: View, scales: Scales) -> float:
    best = 0.0
    changes = floats()
    for type in range(N):
        if view.boxes[BOX_DEPLETION, type] > 0:
            fill_gone(view, scales, type, changes)
            for word in range(2):
                left = view.elements[type, word]
                while left:
                    best = max(best, around(view, changes, 64 * word + first(left)))
                    left = without_first(left)
    return best


@inner
def glaciation(view: View, scales: Scales, spaces: Floats) -> None:
    """R-GLA-1: a pawn acts this turn only if it is the leftmost."""
    best = 0.0
    left = glaciable(view)
    while left:
        best = max(best, if_glaciated(view, scales, first(left)))
        left = without_first(left)
    before = False
    for space in range(GLACIATION, SPECIATION):
        spaces[space] = 0.4 * best if before else best
        before |= has(view.spaces, space)


@inner
def speciation(view: View, scales: Scales, spaces: Floats) -> None:
    """The best corner of each type whose space is vacant."""
    bred = floats()
    types = Int((~view.spaces >> np.uint64(SPECIATION)) & np.uint64(63))
    if view.gene_pool[view.actor] == 0:
        types = 0
    fill_bred(view, scales, types, bred)
    for type in range(N):
        best = 0.0
        if types & (1 << type):
            for word in range(2):
                left = view.elements[type, word]
                while left:
                    best = max(best, around(view, bred, 64 * word + first(left)))
                    left = without_first(left)
        spaces[SPECIATION + type] = best


@inner
def wanderlust(view: View, scales: Scales) -> float:
    best = 0.0
    left = frontier(view)
    while left:
        best = max(best, wander_hex(view, scales, first(left)))
        left = without_first(left)
    return best


@inner
def migration(view: View, scales: Scales, spaces: Floats) -> None:
    """The best moves of one species from each tile, as many as the space allows."""
    me = Int(view.actor)
    arriving = floats()
    moves = floats()
    fill_arriving(view, scales, arriving)
    for i in range(7):
        moves[i] = 0.0
    left = view.presence[me]
    while left:
        source = first(left)
        left = without_first(left)
        insert(moves, 7, if_one_left(view, scales, source, arriving))
    total = 0.0
    for n in range(1, 8):
        total += moves[n - 1]
        if n > 1:
            spaces[MIGRATION + 7 - n] = total


@inner
def insert(descending: Floats, n: int, value: float) -> None:
    """Puts a value into its place among the n largest."""
    for i in range(n):
        if value > descending[i]:
            value, descending[i] = descending[i], value


@inner
def competition(view: View, scales: Scales, spaces: Floats) -> None:
    """R-COM-2: the best victim on each kind of tile."""
    kinds = floats()
    for k in range(TUNDRA + 1):
        kinds[k] = 0.0
    left = view.presence[view.actor]
    while left:
        hex = first(left)
        left = without_first(left)
        k = kind(view, hex)
        kinds[k] = max(kinds[k], best_victim(view, scales, hex))
    for i in range(7):
        spaces[COMPETITION + i] = kinds[TERRAINS[i, 0]] + kinds[TERRAINS[i, 1]] + kinds[TUNDRA]


@inner
def domination(view: View, scales: Scales, spaces: Floats) -> None:
    """The best tiles; as many are gone as pawns stand before."""
    tiles = floats()
    for i in range(5):
        tiles[i] = 0.0
    left = inhabited(view)
    while left:
        insert(tiles, 5, dominate(view, scales, first(left)))
        left = without_first(left)
    before = 0
    for space in range(DOMINATION, SPACES):
        spaces[space] = tiles[before]
        before += has(view.spaces, space)
