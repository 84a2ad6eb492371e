"""What changes are worth to the acting animal: the sums all players share.

Everywhere `view` is the record a policy is shown, `scales` say what things are worth (`weights`), a `change`
is a difference of worth, in VPs, and 0 means that nothing changes. The acting animal is `view.actor`.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from ..scoring.kernels import (
    AROUND,
    BYTE,
    CORNERS,
    EACH,
    NEIGHBORS,
    NOBODY,
    ONE,
    SPECIES,
    TOP,
    TUNDRA,
    ZERO,
    Int,
    bit,
    cone,
    count,
    dominant,
    elements_on,
    first,
    has,
    held,
    kind,
    lane,
    matches,
    neighbors,
    nonzero,
    occupied,
    size,
    species,
    touching,
    without_first,
)
from . import weights as w
from ._compile import inner

View: TypeAlias = Any
Scales: TypeAlias = Any  # float64 array
Word: TypeAlias = Any  # uint64
Floats: TypeAlias = Any  # float64 array

NEVER: Final = -1e9
"""The worth of what should not be done."""
N: Final = 6

BIRD: Final = 2
ARACHNID: Final = 4
REPTILE: Final = 1
INSECT: Final = 5


# ---- lanes ----


@inner
def some(animal: int, n: int) -> Word:
    """n species of an animal, as lanes."""
    return np.uint64(n) << np.uint64(8 * animal)


@inner
def rank(cubes: Word, animal: int, n: int) -> int:
    """R-DMN-1: how many animals stand before one with n species (fewer than 128), 0 to 5."""
    here = np.uint64(8 * animal)
    before = (ONE << here) - ONE
    after = ~before << np.uint64(8)
    as_many = ((cubes | TOP) - np.uint64(n) * EACH) & before
    more = ((cubes | TOP) - np.uint64(n + 1) * EACH) & after
    return size((as_many | more) & TOP & SPECIES)


# ---- one tile ----


@inner
def standing(view: View, scales: Scales, kind_: int, cubes: Word, match: Word) -> float:
    """What a tile of a kind would be worth with species and matches as given (lanes)."""
    me = Int(view.actor)
    total = 0.0
    ruler, most = NOBODY, 0
    alive = scales[w.LIVE] + (scales[w.TUNDRA] if kind_ == TUNDRA else 0.0)
    values = view.rules.tile_values[kind_]
    left = cubes
    while left:
        here = np.uint64(first(left)) & ~np.uint64(7)
        left &= ~(BYTE << here)
        animal = Int(here >> np.uint64(3))
        n, matched = Int((cubes >> here) & BYTE), Int((match >> here) & BYTE)
        safe = scales[w.TILE] * values[rank(cubes, animal, n)] + alive * n
        total += scales[animal] * (safe if matched > 0 else scales[w.DOOMED] * n)
        ruler = animal if matched > most else (NOBODY if matched == most else ruler)
        most = max(most, matched)
    if ruler != NOBODY:
        total += scales[ruler] * scales[w.DOMINANCE]
    enough = min(lane(match, me), w.MATCH_ENOUGH)
    return total + enough * (scales[w.SAFETY] if lane(cubes, me) > 0 else scales[w.REACH])


@inner
def forget(scales: Scales) -> None:
    """Before a new decision."""
    for i in range(w.NOW, w.SCALES):
        scales[i] = w.UNWEIGHED


@inner
def now(view: View, scales: Scales, hex: int) -> float:
    """What a tile is worth as it is: weighed when first asked, then looked up."""
    if scales[w.NOW + hex] == w.UNWEIGHED:
        scales[w.NOW + hex] = standing(view, scales, kind(view, hex), species(view, hex), matches(view, hex))
    return scales[w.NOW + hex]


@inner
def if_cubes(view: View, scales: Scales, hex: int, cubes: Word) -> float:
    """The change if a tile had these species (lanes)."""
    return standing(view, scales, kind(view, hex), cubes, matches(view, hex)) - now(view, scales, hex)


@inner
def if_added(view: View, scales: Scales, hex: int, animal: int, n: int) -> float:
    """The change if n species of an animal came to a tile."""
    return if_cubes(view, scales, hex, species(view, hex) + some(animal, n))


@inner
def if_removed(view: View, scales: Scales, hex: int, animal: int, n: int) -> float:
    """The change if n species of an animal, which are there, left a tile."""
    return if_cubes(view, scales, hex, species(view, hex) - some(animal, n))


@inner
def concerned(view: View, cubes: Word, differences: Word) -> bool:
    """Whether matches differ for the acting animal or one with species there."""
    return differences & (nonzero(cubes) * BYTE | BYTE << np.uint64(8 * view.actor)) != ZERO


@inner
def if_matched(view: View, scales: Scales, hex: int, before: Word, after: Word) -> float:
    """The change if matches on a tile (lanes) became others."""
    cubes = species(view, hex)
    if not concerned(view, cubes, before ^ after):
        return 0.0
    return standing(view, scales, kind(view, hex), cubes, after) - now(view, scales, hex)


# ---- elements ----


@inner
def if_element_put(view: View, scales: Scales, hex: int, type: int) -> float:
    """The change on one tile if an element were put on a corner of it."""
    match = matches(view, hex)
    return if_matched(view, scales, hex, match, match + held(view, type))


@inner
def if_element_gone(view: View, scales: Scales, hex: int, type: int) -> float:
    """The change on one tile if one of its elements went to the bag."""
    match = matches(view, hex)
    return if_matched(view, scales, hex, match, match - held(view, type))


@inner
def around(view: View, changes: Floats, corner: int) -> float:
    """The sum of changes, by hex, over the tiles a corner touches."""
    total = 0.0
    left = AROUND[corner] & view.earth
    while left:
        total += changes[first(left)]
        left = without_first(left)
    return total


@inner
def if_corner_cleared(view: View, scales: Scales, corner: int) -> float:
    """The change if the element on a corner went to the bag."""
    type = type_on(view, corner)
    change = 0.0
    left = AROUND[corner] & view.earth
    while left:
        change += if_element_gone(view, scales, first(left), type)
        left = without_first(left)
    return change


@inner
def fill_put(view: View, scales: Scales, type: int, changes: Floats) -> None:
    """`if_element_put` of every tile."""
    left = view.earth
    while left:
        changes[first(left)] = if_element_put(view, scales, first(left), type)
        left = without_first(left)


@inner
def fill_gone(view: View, scales: Scales, type: int, changes: Floats) -> None:
    """`if_element_gone` of every tile with an element of the type; of the others nothing."""
    left = view.earth
    while left:
        hex = first(left)
        left = without_first(left)
        there = elements_on(view, type, hex) > 0
        changes[hex] = if_element_gone(view, scales, hex, type) if there else 0.0


@inner
def type_on(view: View, corner: int) -> int:
    """The type of the element on a corner that has one."""
    for type in range(N):
        if has(view.elements[type, corner >> 6], corner & 63):
            return type
    return 0


@inner
def if_gained(view: View, scales: Scales, type: int) -> float:
    """The change if the acting animal held one more element of a type."""
    return scales[w.ELEMENT] + if_held(view, scales, type, 1)


@inner
def if_lost(view: View, scales: Scales, type: int) -> float:
    """The change if the acting animal lost an element of a type, which it has."""
    return -scales[w.ELEMENT] + if_held(view, scales, type, -1)


@inner
def if_held(view: View, scales: Scales, type: int, more: int) -> float:
    me = Int(view.actor)
    change = 0.0
    left = view.earth
    while left:
        hex = first(left)
        left = without_first(left)
        n = elements_on(view, type, hex)
        if n == 0:
            continue
        match = matches(view, hex)
        mine = lane(match, me)
        after = match + some(me, n) if more > 0 else match - some(me, n)
        if has(view.presence[me], hex):
            change += if_matched(view, scales, hex, match, after)
        else:
            change += scales[w.REACH] * (min(lane(after, me), w.MATCH_ENOUGH) - min(mine, w.MATCH_ENOUGH))
    return change


@inner
def loose(view: View, animal: int, type: int) -> int:
    """Elements of a type on an animal beyond its fixed ones."""
    fixed = Int(view.rules.fixed[animal]) if type == animal else 0
    return Int(view.held[type, animal]) - fixed


@inner
def elements_held(view: View, animal: int) -> int:
    n = 0
    for type in range(N):
        n += Int(view.held[type, animal])
    return n


# ---- species ----


@inner
def best_victim(view: View, scales: Scales, hex: int) -> float:
    """The best change of eliminating one opposing species on a tile; 0 if there is none."""
    best = 0.0
    cubes, what, match = species(view, hex), kind(view, hex), matches(view, hex)
    left = cubes & ~(BYTE << np.uint64(8 * view.actor))
    while left:
        animal = first(left) >> 3
        left &= ~(BYTE << np.uint64(8 * animal))
        change = standing(view, scales, what, cubes - some(animal, 1), match) - now(view, scales, hex)
        best = max(best, change)
    return best


@inner
def if_bred(view: View, scales: Scales, hex: int, most: int) -> float:
    """The change if the acting animal put as many species as it may on a tile; 0 if that is a loss."""
    me = Int(view.actor)
    n = min(most, Int(view.gene_pool[me]))
    return max(0.0, if_added(view, scales, hex, me, n))


@inner
def fill_bred(view: View, scales: Scales, types: int, changes: Floats) -> None:
    """R-SPE-1: the change on each tile with elements of some types (bits) by speciating there."""
    pool = Int(view.gene_pool[view.actor])
    low = high = ZERO
    for type in range(N):
        if types & (1 << type):
            low |= view.elements[type, 0]
            high |= view.elements[type, 1]
    left = touching(low, high) & view.earth
    while left:
        hex = first(left)
        left = without_first(left)
        n = min(pool, Int(view.rules.speciation_limits[kind(view, hex)]))
        changes[hex] = max(0.0, if_added(view, scales, hex, Int(view.actor), n))


@inner
def fill_arriving(view: View, scales: Scales, changes: Floats) -> None:
    """The change on each tile in reach if one more species of the acting animal came to it."""
    left = in_reach(view)
    while left:
        changes[first(left)] = if_added(view, scales, first(left), Int(view.actor), 1)
        left = without_first(left)


@inner
def in_reach(view: View) -> Word:
    """The tiles that the acting animal's species reach in one migration."""
    tiles = ZERO
    left = view.presence[view.actor]
    while left:
        tiles |= reach(view, first(left))
        left = without_first(left)
    return tiles


@inner
def if_one_left(view: View, scales: Scales, source: int, arriving: Floats) -> float:
    """The change if one species of the acting animal migrated from a tile to the best one in reach."""
    best = NEVER
    left = reach(view, source)
    while left:
        best = max(best, arriving[first(left)])
        left = without_first(left)
    return best + if_removed(view, scales, source, Int(view.actor), 1)


@inner
def reach(view: View, hex: int) -> Word:
    """R-MIG-1, R-MIG-2: the tiles that the acting animal's species on a tile reach in one migration."""
    near = neighbors(view, hex)
    reached = near
    if view.actor == BIRD and view.rules.abilities & (1 << BIRD):
        while near:
            reached |= neighbors(view, first(near))
            near = without_first(near)
    return reached & ~bit(hex)


# ---- Glaciation ----


@inner
def if_glaciated(view: View, scales: Scales, hex: int) -> float:
    """R-GLA-2 to R-GLA-5: the change if the acting animal glaciated a tile."""
    me = Int(view.actor)
    beside = size(NEIGHBORS[hex] & view.tundra)
    change = scales[me] * Int(view.rules.bonus_vp[beside]) - now(view, scales, hex)
    change += standing(view, scales, TUNDRA, nonzero(species(view, hex)), matches(view, hex))
    if beside < 2:
        return change  # R-GLA-4: no corner touches three tundra tiles
    low, high = occupied(view)
    for word in range(2):
        left = CORNERS[hex, word] & (low if word == 0 else high)
        while left:
            corner = 64 * word + first(left)
            left = without_first(left)
            if count(AROUND[corner] & (view.tundra | bit(hex))) == 3:  # R-GLA-4
                change += if_corner_cleared(view, scales, corner)
    return change


# ---- scoring a tile ----


@inner
def scored(view: View, scales: Scales, hex: int) -> float:
    """R-DMN-1: the change if a tile were scored."""
    cubes, what = species(view, hex), kind(view, hex)
    total = 0.0
    left = cubes
    while left:
        animal = first(left) >> 3
        n = lane(left, animal)
        left &= ~(BYTE << np.uint64(8 * animal))
        total += scales[animal] * view.rules.tile_values[what, rank(cubes, animal, n)]
    return total


@inner
def ruler(view: View, hex: int) -> int:
    """R-DOM-4: the animal that would take a card if the tile were scored, or -1."""
    if view.rules.declared and cone(view, hex) != NOBODY:
        return cone(view, hex)
    return top(species(view, hex), matches(view, hex))


@inner
def top(cubes: Word, match: Word) -> int:
    """R-DOM-3: the animal with species here and the highest match, or -1."""
    best, most = NOBODY, 0
    left = cubes
    while left:
        animal = first(left) >> 3
        left &= ~(BYTE << np.uint64(8 * animal))
        matched = lane(match, animal)
        if matched >= most:
            best = animal if matched > most else NOBODY
            most = matched
    return best


@inner
def dominated(view: View, animal: int) -> int:
    """How many tiles an animal dominates."""
    n = 0
    left = view.presence[animal]
    while left:
        n += dominant(view, view.rules, first(left)) == animal
        left = without_first(left)
    return n
