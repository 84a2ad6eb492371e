"""What each dominance card (rules section 7) is worth in a position, and what is chosen at its nodes.

`card_worth` is the change the card brings its taker, the acting animal; where it asks others, they are
thought to lose what an element is worth.
"""

# ruff: noqa: SIM109 - compiled code compares numbers one by one
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Final

import numpy as np

from ..actions import ANIMAL, CORNER, COUNT, ELEMENT, HEX, LOSE_PAWN, LOSE_SPECIES, PASS
from ..board import CARD_ID
from ..nodes import NODE_ID
from ..scoring.kernels import (
    BYTE,
    CORNERS,
    Int,
    elements_on,
    first,
    glaciable,
    has,
    inhabited,
    kind,
    lane,
    neighbors,
    occupied,
    size,
    species,
    without_first,
)
from . import weights as w
from ._compile import floats, inner
from .worth import (
    NEVER,
    Floats,
    N,
    Scales,
    View,
    Word,
    around,
    best_victim,
    dominated,
    elements_held,
    fill_put,
    if_added,
    if_bred,
    if_corner_cleared,
    if_cubes,
    if_element_put,
    if_gained,
    if_glaciated,
    if_lost,
    if_removed,
    loose,
    some,
)

AQUATIC: Final = CARD_ID["aquatic"]
BIODIVERSITY: Final = CARD_ID["biodiversity"]
BIOMASS: Final = CARD_ID["biomass"]
BLIGHT: Final = CARD_ID["blight"]
CATASTROPHE: Final = CARD_ID["catastrophe"]
COLD_SNAP: Final = CARD_ID["cold_snap"]
DISEASE: Final = CARD_ID["disease"]
ECODIVERSITY: Final = CARD_ID["ecodiversity"]
EVOLUTION: Final = CARD_ID["evolution"]
FECUNDITY: Final = CARD_ID["fecundity"]
FERTILE: Final = CARD_ID["fertile"]
HABITAT: Final = CARD_ID["habitat"]
HIBERNATION: Final = CARD_ID["hibernation"]
ICE_AGE: Final = CARD_ID["ice_age"]
ICE_SHEET: Final = CARD_ID["ice_sheet"]
IMMIGRANTS: Final = CARD_ID["immigrants"]
INSTINCT: Final = CARD_ID["instinct"]
INTELLIGENCE: Final = CARD_ID["intelligence"]
MASS_EXODUS: Final = CARD_ID["mass_exodus"]
METAMORPHOSIS: Final = CARD_ID["metamorphosis"]
NICHE_BIOMES: Final = CARD_ID["niche_biomes"]
NOCTURNAL: Final = CARD_ID["nocturnal"]
OMNIVORE: Final = CARD_ID["omnivore"]
PARASITISM: Final = CARD_ID["parasitism"]
PREDATOR: Final = CARD_ID["predator"]
SYMBIOTIC: Final = CARD_ID["symbiotic"]

# ---- taking a card ----


@inner
def card_worth(view: View, scales: Scales, card: int) -> float:
    """What a card would bring the acting animal, taken for the tile in `view.cursor.hex`."""
    me = Int(view.actor)
    if card == AQUATIC:
        return best_hex(view, scales, card, view.terrain[0] | view.terrain[1]) + scales[w.ELEMENT]
    if card == BIODIVERSITY:
        return scales[me] * size(view.presence[me] & shared(view))
    if card == BIOMASS or card == FECUNDITY or card == PREDATOR:
        return on_every_tile(view, scales, card)
    if card == BLIGHT or card == CATASTROPHE or card == MASS_EXODUS:
        return best_hex(view, scales, card, view.earth)
    if card == COLD_SNAP:
        return cold_snap(view, scales)
    if card == DISEASE:
        return disease(view, scales)
    if card == ECODIVERSITY:
        return scales[me] * ecodiversity(view)
    if card == EVOLUTION:
        return evolution(view, scales)
    if card == FERTILE:
        return best_hex(view, scales, card, view.presence[me])
    if card == HABITAT:
        return 2 * scales[w.ELEMENT]
    if card == HIBERNATION:
        return best_hex(view, scales, card, view.earth)
    if card == ICE_AGE:
        return ice_age(view, scales)
    if card == ICE_SHEET:
        return best_hex(view, scales, card, glaciable(view))
    if card == IMMIGRANTS or card == SYMBIOTIC:
        return elements_of_all(view, scales, card)
    if card == INSTINCT:
        return 0.5 * scales[w.CARD] if view.pawns[me] > 0 else 0.0
    if card == INTELLIGENCE or card == OMNIVORE or card == PARASITISM:
        return pawns(view, scales, card)
    if card == METAMORPHOSIS:
        return metamorphosis(view, scales)
    if card == NICHE_BIOMES:
        return niche_biomes(view, scales)
    return scales[w.LEFT]  # nocturnal


@inner
def best_hex(view: View, scales: Scales, card: int, choice: Word) -> float:
    """The best of a set of hexes at the card's first node; 0 if there is none."""
    best = NEVER
    left = choice
    while left:
        best = max(best, at_hex(view, scales, card, first(left)))
        left = without_first(left)
    return best if choice else 0.0


@inner
def at_hex(view: View, scales: Scales, card: int, hex: int) -> float:
    """What choosing a hex brings at the card's first node."""
    me = Int(view.actor)
    if card == AQUATIC:
        return if_bred(view, scales, hex, 4) if not has(view.tundra, hex) else 0.0
    if card == BLIGHT:
        return blighted(view, scales, hex)
    if card == CATASTROPHE:
        return catastrophe(view, scales, hex)
    if card == FERTILE:
        return scales[me] * species_on(view, hex)
    if card == HIBERNATION:
        return hibernated(view, scales, hex)
    if card == MASS_EXODUS:
        return emptied(view, scales, hex)
    return if_glaciated(view, scales, hex)


@inner
def on_every_tile(view: View, scales: Scales, card: int) -> float:
    """What the best choice on every tile that a card asks about brings together."""
    me = Int(view.actor)
    total = 0.0
    left = inhabited(view) if card == BIOMASS else view.presence[me]
    while left:
        hex = first(left)
        left = without_first(left)
        if card == FECUNDITY:
            total += if_bred(view, scales, hex, 1)
        elif card == PREDATOR or species_on(view, hex) > elements_near(view, hex):
            victim = best_victim(view, scales, hex)
            if victim == 0.0 and card == BIOMASS and view.tiles[hex, me] > 0:
                victim = if_removed(view, scales, hex, me, 1)
            total += victim
    return total


@inner
def species_on(view: View, hex: int) -> int:
    n = 0
    for animal in range(N):
        n += Int(view.tiles[hex, animal])
    return n


@inner
def elements_near(view: View, hex: int) -> int:
    """Elements of all types on a hex."""
    n = 0
    for type in range(N):
        n += elements_on(view, type, hex)
    return n


@inner
def shared(view: View) -> Word:
    """Tiles with species of animals other than the acting one."""
    tiles = np.uint64(0)
    for animal in range(N):
        if animal != view.actor:
            tiles |= view.presence[animal]
    return tiles


@inner
def cold_snap(view: View, scales: Scales) -> float:
    total = 0.0
    left = view.tundra
    while left:
        hex = first(left)
        left = without_first(left)
        cubes = species(view, hex)
        for animal in range(N):
            if animal != view.actor and lane(cubes, animal) > 0:
                cubes -= some(animal, 1)
        total += if_cubes(view, scales, hex, cubes)
    return total


@inner
def disease(view: View, scales: Scales) -> float:
    """C-7: rivals with more elements lose one, a loose one if they have one."""
    mine = elements_held(view, Int(view.actor))
    total = 0.0
    for animal in range(N):
        more = elements_held(view, animal)
        if more > mine and more > view.rules.fixed[animal]:
            total -= scales[animal] * scales[w.ELEMENT]
    return total


@inner
def ecodiversity(view: View) -> int:
    total = 0
    for type in range(N):
        if view.held[type, view.actor] > 0:
            total += size(view.elements[type, 0]) + size(view.elements[type, 1])
    return total


@inner
def evolution(view: View, scales: Scales) -> float:
    """C-9: the best two replacements, of different animals."""
    best = second = 0.0
    for animal in range(N):
        if animal != view.actor and view.presence[animal]:
            change = best_evolution(view, scales, animal)
            second = max(second, min(best, change))
            best = max(best, change)
    return best + second


@inner
def best_evolution(view: View, scales: Scales, animal: int) -> float:
    best = NEVER
    left = view.presence[animal]
    while left:
        best = max(best, evolved(view, scales, animal, first(left)))
        left = without_first(left)
    return best


@inner
def evolved(view: View, scales: Scales, animal: int, hex: int) -> float:
    """C-9: the change if a species of an animal on a tile became one of the acting animal's."""
    return if_cubes(view, scales, hex, species(view, hex) - some(animal, 1) + some(Int(view.actor), 1))


@inner
def catastrophe(view: View, scales: Scales, hex: int) -> float:
    change = NEVER
    for animal in range(N):
        if view.tiles[hex, animal] > 0:
            change = max(change, if_cubes(view, scales, hex, some(animal, 1)))
    change = max(change, 0.0) if change == NEVER else change
    left = neighbors(view, hex)
    while left:
        near = first(left)
        left = without_first(left)
        change += best_loss(view, scales, near)
    return change


@inner
def best_loss(view: View, scales: Scales, hex: int) -> float:
    """The best change of eliminating one species on a tile, be it one's own; 0 if there is none."""
    best = NEVER
    for animal in range(N):
        if view.tiles[hex, animal] > 0:
            best = max(best, if_removed(view, scales, hex, animal, 1))
    return best if best > NEVER else 0.0


@inner
def blighted(view: View, scales: Scales, hex: int) -> float:
    """C-4: the change if all elements of a tile went but the one best kept."""
    total = 0.0
    worst = 0.0
    low, high = occupied(view)
    for word in range(2):
        left = CORNERS[hex, word] & (low if word == 0 else high)
        while left:
            corner = 64 * word + first(left)
            left = without_first(left)
            change = if_corner_cleared(view, scales, corner)
            total += change
            worst = min(worst, change)
    return total - worst


@inner
def hibernated(view: View, scales: Scales, hex: int) -> float:
    me = Int(view.actor)
    return if_added(view, scales, hex, me, min(5, Int(view.eliminated[me])))


@inner
def emptied(view: View, scales: Scales, hex: int) -> float:
    """C-19: the change if all but the acting animal's species left a tile; they live on elsewhere."""
    me = Int(view.actor)
    mine = species(view, hex) & (BYTE << np.uint64(8 * me))
    return if_cubes(view, scales, hex, mine) - scales[w.LIVE]


@inner
def ice_age(view: View, scales: Scales) -> float:
    """C-14: everybody's bonus for tiles dominated; and that the game ends."""
    total = scales[w.END]
    for animal in range(N):
        total += scales[animal] * view.rules.bonus_vp[dominated(view, animal)]
    return total


@inner
def elements_of_all(view: View, scales: Scales, card: int) -> float:
    """C-16: everybody loses about an element. C-26: the taker and animals with fewer gain one."""
    me = Int(view.actor)
    mine = elements_held(view, me)
    total = 0.0
    for animal in range(N):
        if not view.rules.animals & (1 << animal):
            continue
        others = elements_held(view, animal)
        if card == IMMIGRANTS:
            total -= scales[animal] * scales[w.ELEMENT]
        elif (animal == me or others < mine) and others < 6:
            total += scales[animal] * 2 * scales[w.ELEMENT]
    return total


@inner
def pawns(view: View, scales: Scales, card: int) -> float:
    """C-18, C-23, C-24: who gains an action pawn."""
    me = Int(view.actor)
    total = 0.0
    for animal in range(N):
        above = card == INTELLIGENCE and animal < me
        below = card == PARASITISM and animal > me
        if view.rules.animals & (1 << animal) and (animal == me or above or below):
            total += scales[animal] * scales[w.PAWN]
    return total


@inner
def metamorphosis(view: View, scales: Scales) -> float:
    give = NEVER
    take = NEVER
    for type in range(N):
        if loose(view, Int(view.actor), type) > 0:
            give = max(give, if_lost(view, scales, type))
        if view.bag[type] > 0:
            take = max(take, if_gained(view, scales, type))
    return give + take if give > NEVER and take > NEVER else 0.0


@inner
def niche_biomes(view: View, scales: Scales) -> float:
    me = Int(view.actor)
    hex = Int(view.cursor.hex)
    if hex >= 35:
        return 0.0
    total = 0.0
    for animal in range(N):
        if view.vp[animal] > view.vp[me]:
            lost = min(Int(view.rules.tile_values[kind(view, hex), 0]), Int(view.vp[animal]))
            total -= scales[animal] * lost
    return total


# ---- the nodes of cards ----

FIRST_CARD_NODE: Final = NODE_ID["aquatic_hex"]

AQUATIC_HEX: Final = NODE_ID["aquatic_hex"]
AQUATIC_ELEMENT: Final = NODE_ID["aquatic_element"]
AQUATIC_CORNER: Final = NODE_ID["aquatic_corner"]
AQUATIC_COUNT: Final = NODE_ID["aquatic_count"]
BIOMASS_VICTIM: Final = NODE_ID["biomass_victim"]
BLIGHT_HEX: Final = NODE_ID["blight_hex"]
BLIGHT_KEEP: Final = NODE_ID["blight_keep"]
CATASTROPHE_HEX: Final = NODE_ID["catastrophe_hex"]
CATASTROPHE_KEEP: Final = NODE_ID["catastrophe_keep"]
CATASTROPHE_VICTIM: Final = NODE_ID["catastrophe_victim"]
DISEASE_ELEMENT: Final = NODE_ID["disease"]
EVOLUTION_ANIMAL: Final = NODE_ID["evolution_animal"]
EVOLUTION_HEX: Final = NODE_ID["evolution_hex"]
FECUNDITY_COUNT: Final = NODE_ID["fecundity"]
FERTILE_HEX: Final = NODE_ID["fertile"]
HABITAT_ELEMENT: Final = NODE_ID["habitat_element"]
HABITAT_CORNER: Final = NODE_ID["habitat_corner"]
HIBERNATE_HEX: Final = NODE_ID["hibernate_hex"]
HIBERNATE_COUNT: Final = NODE_ID["hibernate_count"]
IMMIGRANTS_LOSS: Final = NODE_ID["immigrants"]
EXODUS_HEX: Final = NODE_ID["exodus_hex"]
EXODUS_COUNT: Final = NODE_ID["exodus_count"]
METAMORPHOSIS_GIVE: Final = NODE_ID["metamorphosis_give"]
METAMORPHOSIS_TAKE: Final = NODE_ID["metamorphosis_take"]
PREDATOR_VICTIM: Final = NODE_ID["predator_victim"]


@inner
def at_card_node(view: View, scales: Scales, changes: Floats, action: int) -> float:
    """What an action is worth at a node of a card, but for `glaciate` and `instinct`."""
    node = Int(view.node)
    if node == AQUATIC_HEX or node == BLIGHT_HEX or node == CATASTROPHE_HEX:
        return at_hex(view, scales, Int(view.cursor.card), action - HEX)
    if node == FERTILE_HEX or node == HIBERNATE_HEX or node == EXODUS_HEX:
        return at_hex(view, scales, Int(view.cursor.card), action - HEX)
    if node == AQUATIC_ELEMENT:
        return if_element_put(view, scales, Int(view.cursor.hex), action - ELEMENT)
    if node == HABITAT_ELEMENT:
        return element_anywhere(view, scales, action - ELEMENT)
    if node == AQUATIC_CORNER or node == HABITAT_CORNER:
        return around(view, changes, action - CORNER)
    if node == AQUATIC_COUNT:
        return if_added(view, scales, Int(view.cursor.hex), Int(view.actor), action - COUNT)
    if node == FECUNDITY_COUNT:
        return if_added(view, scales, first(view.cursor.targets), Int(view.actor), action - COUNT)
    if node == HIBERNATE_COUNT:
        return if_added(view, scales, Int(view.cursor.hex), Int(view.actor), action - COUNT)
    if node == BIOMASS_VICTIM or node == CATASTROPHE_VICTIM or node == PREDATOR_VICTIM:
        return if_removed(view, scales, first(view.cursor.targets), action - ANIMAL, 1)
    if node == CATASTROPHE_KEEP:
        return if_cubes(view, scales, Int(view.cursor.hex), some(action - ANIMAL, 1))
    if node == BLIGHT_KEEP:
        return -if_corner_cleared(view, scales, action - CORNER)
    if node == DISEASE_ELEMENT or node == METAMORPHOSIS_GIVE:
        return if_lost(view, scales, action - ELEMENT)
    if node == METAMORPHOSIS_TAKE:
        return if_gained(view, scales, action - ELEMENT)
    if node == EVOLUTION_ANIMAL:
        return best_evolution(view, scales, action - ANIMAL) if action != PASS else 0.0
    if node == EVOLUTION_HEX:
        return evolved(view, scales, Int(view.cursor.animal), action - HEX)
    if node == IMMIGRANTS_LOSS:
        return immigrants(view, scales, action)
    if node == EXODUS_COUNT:
        return exodus_count(view, scales, action - COUNT)
    return 0.0


@inner
def element_anywhere(view: View, scales: Scales, type: int) -> float:
    """The best change of putting an element of a type on a vacant corner of the earth."""
    changes = floats()
    fill_put(view, scales, type, changes)
    best = NEVER
    low, high = occupied(view)
    for word in range(2):
        left = view.shore[word] & ~(low if word == 0 else high)
        while left:
            best = max(best, around(view, changes, 64 * word + first(left)))
            left = without_first(left)
    return best


@inner
def immigrants(view: View, scales: Scales, action: int) -> float:
    me = Int(view.actor)
    if action == LOSE_PAWN:
        return -scales[w.PAWN]
    if action != LOSE_SPECIES:
        return if_lost(view, scales, action - ELEMENT)
    total = 0.0
    left = view.presence[me]
    while left:
        hex = first(left)
        left = without_first(left)
        total += if_removed(view, scales, hex, me, Int(view.tiles[hex, me]) - 1)
    return total


@inner
def exodus_count(view: View, scales: Scales, n: int) -> float:
    """C-19: n species go to the first target, the others to the best of the further ones."""
    animal = Int(view.cursor.animal)
    others = Int(view.tiles[Int(view.cursor.hex), animal]) - n
    best = NEVER
    left = without_first(view.cursor.targets)
    while left:
        best = max(best, if_added(view, scales, first(left), animal, others))
        left = without_first(left)
    return if_added(view, scales, first(view.cursor.targets), animal, n) + best
