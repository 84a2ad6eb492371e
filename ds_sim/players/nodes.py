"""What a legal action is worth at each node of the pawns' actions: one function per node, named after it.

All take (view, scales, action) and return the change the action brings the acting animal, in VPs. To forgo
and to be done are worth 0. What is chosen over several nodes is worth at the first what its best continuation
is.
"""

# ruff: noqa: SIM109 - compiled code compares numbers one by one
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Final

import numpy as np

from ..actions import ANIMAL, CARD, CORNER, COUNT, ELEMENT, HEX, PASS, STACK
from ..nodes import NODE_ID
from ..scoring.kernels import (
    CORNERS,
    NOBODY,
    Int,
    first,
    has,
    lane,
    matches_at,
    neighbors,
    wanderlust_worth,
    without_first,
)
from . import weights as w
from ._compile import floats, inner
from .cards import (
    AQUATIC_CORNER,
    FIRST_CARD_NODE,
    HABITAT_CORNER,
    at_card_node,
    card_worth,
    element_anywhere,
)
from .worth import (
    Floats,
    N,
    Scales,
    View,
    around,
    best_victim,
    fill_arriving,
    fill_bred,
    fill_gone,
    fill_put,
    if_added,
    if_corner_cleared,
    if_gained,
    if_glaciated,
    if_lost,
    if_one_left,
    if_removed,
    ruler,
    scored,
)

PLACE: Final = NODE_ID["place"]
INITIATIVE: Final = NODE_ID["initiative"]
INSTINCT: Final = NODE_ID["instinct"]
ADAPT: Final = NODE_ID["adapt"]
REGRESS: Final = NODE_ID["regress"]
ABUNDANCE_ELEMENT: Final = NODE_ID["abundance_element"]
ABUNDANCE_CORNER: Final = NODE_ID["abundance_corner"]
WASTELAND: Final = NODE_ID["wasteland"]
DEPLETE: Final = NODE_ID["deplete"]
GLACIATE: Final = NODE_ID["glaciate"]
SPECIATE_CORNER: Final = NODE_ID["speciate_corner"]
SPECIATE_COUNT: Final = NODE_ID["speciate_count"]
SPECIATE_FREE: Final = NODE_ID["speciate_free"]
WANDER_STACK: Final = NODE_ID["wander_stack"]
WANDER_HEX: Final = NODE_ID["wander_hex"]
WANDER_ELEMENT: Final = NODE_ID["wander_element"]
WANDER_CORNER: Final = NODE_ID["wander_corner"]
WANDER_MOVE: Final = NODE_ID["wander_move"]
MIGRATE_FROM: Final = NODE_ID["migrate_from"]
MIGRATE_TO: Final = NODE_ID["migrate_to"]
MIGRATE_COUNT: Final = NODE_ID["migrate_count"]
COMPETE_TILE: Final = NODE_ID["compete_tile"]
COMPETE_VICTIM: Final = NODE_ID["compete_victim"]
DOMINATE: Final = NODE_ID["dominate"]
CLAIM: Final = NODE_ID["claim"]
TAKE_CARD: Final = NODE_ID["take_card"]
SAVE: Final = NODE_ID["save"]

WASTELAND_BOX: Final = 3


@inner
def prepare(view: View, scales: Scales, changes: Floats) -> None:
    """What `at_node` looks up where actions share it: changes by hex; for `migrate_to` by species that go."""
    node = Int(view.node)
    if node == ABUNDANCE_CORNER or node == WANDER_CORNER or node == HABITAT_CORNER or node == AQUATIC_CORNER:
        fill_put(view, scales, Int(view.cursor.element), changes)
    elif node == SPECIATE_CORNER:
        fill_bred(view, scales, 1 << Int(view.cursor.element), changes)
    elif node == MIGRATE_FROM:
        fill_arriving(view, scales, changes)
    elif node == MIGRATE_TO:
        source = Int(view.cursor.hex)
        for n in (1, movable(view, source)):
            changes[n] = if_removed(view, scales, source, Int(view.actor), n)


@inner
def at_node(view: View, scales: Scales, changes: Floats, action: int) -> float:
    """What an action is worth at the node at hand, but for `place`, `initiative` and `instinct`."""
    node = Int(view.node)
    if action == PASS:
        return 0.0
    if node >= FIRST_CARD_NODE:
        return at_card_node(view, scales, changes, action)
    if node <= GLACIATE:
        return at_element_node(view, scales, changes, action)
    if node == SPECIATE_CORNER:
        return around(view, changes, action - CORNER)
    if node == SPECIATE_COUNT:
        return if_added(view, scales, first(view.cursor.targets), Int(view.actor), action - COUNT)
    if node == SPECIATE_FREE:
        return if_added(view, scales, action - HEX, Int(view.actor), 1)
    if node <= WANDER_MOVE:
        return at_wander_node(view, scales, changes, action)
    if node == MIGRATE_FROM:
        return if_one_left(view, scales, action - HEX, changes)
    if node == MIGRATE_TO:
        return best_move(view, scales, changes, action - HEX)
    if node == MIGRATE_COUNT:
        return moved(view, scales, Int(view.cursor.hex), Int(view.cursor.target), action - COUNT)
    if node == COMPETE_TILE:
        return best_victim(view, scales, action - HEX)
    if node == COMPETE_VICTIM:
        return if_removed(view, scales, Int(view.cursor.hex), action - ANIMAL, 1)
    if node == DOMINATE:
        return dominate(view, scales, action - HEX)
    if node == CLAIM:
        return scales[w.CARD]
    if node == TAKE_CARD:
        return card_worth(view, scales, action - CARD)
    return save(view, scales, action - HEX)


@inner
def at_element_node(view: View, scales: Scales, changes: Floats, action: int) -> float:
    node = Int(view.node)
    if node == ADAPT:
        return if_gained(view, scales, action - ELEMENT)
    if node == REGRESS:
        return -if_lost(view, scales, action - ELEMENT)
    if node == ABUNDANCE_ELEMENT:
        return element_anywhere(view, scales, action - ELEMENT)
    if node == ABUNDANCE_CORNER:
        return around(view, changes, action - CORNER)
    if node == WASTELAND:
        return wasteland(view, scales, action - ELEMENT)
    if node == DEPLETE:
        return if_corner_cleared(view, scales, action - CORNER)
    return if_glaciated(view, scales, action - HEX)


@inner
def at_wander_node(view: View, scales: Scales, changes: Floats, action: int) -> float:
    node = Int(view.node)
    if node == WANDER_STACK:
        return 1.0 + scales[w.ROOM] * view.rules.tile_values[Int(view.stack_face_up[action - STACK]), 0]
    if node == WANDER_HEX:
        return wander_hex(view, scales, action - HEX)
    if node == WANDER_ELEMENT:
        return wander_element(view, scales, action - ELEMENT)
    if node == WANDER_CORNER:
        return around(view, changes, action - CORNER)
    return moved(view, scales, first(view.cursor.targets), Int(view.cursor.hex), action - COUNT)


# ---- Wasteland ----


@inner
def wasteland(view: View, scales: Scales, type: int) -> float:
    """R-WAS-1: the loss on tundra that is averted if the last element of a type leaves the box."""
    if view.boxes[WASTELAND_BOX, type] != 1:
        return 0.0
    return -if_wasted(view, scales, type)


@inner
def if_wasted(view: View, scales: Scales, type: int) -> float:
    """R-WAS-2: the change if the elements of a type on corners of tundra tiles went to the bag."""
    changes = floats()
    fill_gone(view, scales, type, changes)
    total = 0.0
    for word in range(2):
        touched = np.uint64(0)
        left = view.tundra
        while left:
            touched |= CORNERS[first(left), word]
            left = without_first(left)
        left = view.elements[type, word] & touched
        while left:
            total += around(view, changes, 64 * word + first(left))
            left = without_first(left)
    return total


# ---- Wanderlust ----


@inner
def wander_hex(view: View, scales: Scales, hex: int) -> float:
    """R-WAN-2, and who could live on the new tile."""
    me = Int(view.actor)
    match = matches_at(view, CORNERS[hex, 0], CORNERS[hex, 1])
    change = scales[me] * wanderlust_worth(view, view.rules, hex)
    near = neighbors(view, hex)
    for animal in range(N):
        if lane(match, animal) > 0 and near & view.presence[animal]:
            change += scales[animal] * scales[w.ROOM] * 4
    return change


@inner
def wander_element(view: View, scales: Scales, type: int) -> float:
    """R-WAN-3: the best corner of the new tile, and who would match there."""
    hex = Int(view.cursor.hex)
    near = neighbors(view, hex)
    change = 0.0
    for animal in range(N):
        if near & view.presence[animal]:
            change += scales[animal] * min(Int(view.held[type, animal]), 2)
    return change * scales[w.SAFETY]


# ---- Migration ----


@inner
def moved(view: View, scales: Scales, source: int, target: int, n: int) -> float:
    """The change if n species of the acting animal went from a tile to another."""
    me = Int(view.actor)
    return if_removed(view, scales, source, me, n) + if_added(view, scales, target, me, n)


@inner
def unmoved(view: View, hex: int) -> int:
    """R-MIG-1: species of the acting animal on a tile that have not moved."""
    n = Int(view.tiles[hex, view.actor])
    for i in range(7):
        if view.cursor.moved[i, 0] == hex + 1:
            n -= Int(view.cursor.moved[i, 1])
    return n


@inner
def movable(view: View, source: int) -> int:
    """R-MIG-1: the most species that go from a tile on in one move."""
    return min(unmoved(view, source), Int(view.cursor.left))


@inner
def best_move(view: View, scales: Scales, gone: Floats, target: int) -> float:
    """The change of moving the best number of species to a tile, one or all; `gone` where they come from."""
    me, most = Int(view.actor), movable(view, Int(view.cursor.hex))
    best = gone[1] + if_added(view, scales, target, me, 1)
    if most > 1:
        best = max(best, gone[most] + if_added(view, scales, target, me, most))
    return best


# ---- Domination ----


@inner
def dominate(view: View, scales: Scales, hex: int) -> float:
    """R-DMN-1, R-DMN-2: the VPs of a tile, and who gets a card for it."""
    animal = ruler(view, hex)
    change = scored(view, scales, hex)
    return change if animal == NOBODY or view.face_up == 0 else change + scales[animal] * scales[w.CARD]


@inner
def save(view: View, scales: Scales, hex: int) -> float:
    """R-RES-1: what one species of the mammal is worth where all its others die, next turn."""
    score = view.rules.tile_values[7 if has(view.tundra, hex) else Int(view.tiles[hex, 6]), 0]
    return 1.0 * score
