"""What a position is worth, one hex at a time: compiled functions for playout policies.

Everywhere `state` is one record of the state's layout, an element of `state.array` or `batch.array` or the
`view` that a compiled policy gets; `rules` is the record of the rule set, `rules.core.array[0]` or
`view.rules`; `hex` is 0 to 34, `animal` and `type` (of an element) are 0 to 5. Nothing is checked, nothing is
allocated.

Small results come packed. A *set* of hexes is a uint64 with bit h for hex h; a set of corners is two such
words, bit c % 64 of word c // 64. *Lanes* are a uint64 of eight counters, byte i for animal or type i: add
them as numbers, read one with `lane`. To go through a set:

    left = frontier(state)
    while left:
        hex = first(left)
        left = without_first(left)

From Python they can be called too, for a look (matches, lane of the bird):

>>> import ds_sim as ds
>>> from ds_sim.scoring import kernels
>>> state = ds.State(ds.Rules(), seed=7)
>>> hex = ds.board.HEX_ID["D3"]
>>> kernels.lane(kernels.matches(state.array[0], hex), 2)
2
"""

# mypy: disable-error-code="no-any-return"
# Numba, not Python, gives these functions their types.
from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import types
from numba.extending import intrinsic

from .._core.layout import NONE
from .._jit import jit
from ..board import ANIMALS, CORNER_HEXES, ELEMENTS, HEX_CORNERS, HEX_NAMES, HEX_NEIGHBORS, TERRAINS

Record: TypeAlias = Any
Word: TypeAlias = Any  # uint64

N_ANIMALS: Final = len(ANIMALS)
N_TYPES: Final = len(ELEMENTS)
N_HEXES: Final = len(HEX_NAMES)
TUNDRA: Final = len(TERRAINS)
NOBODY: Final = -1

# ---- the board as words; Numba takes module-level arrays as constants ----


def _words(rows: Any, words: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Sets, given as rows of ids (negative ones are padding), as arrays of words."""
    table = np.zeros((len(rows), words), np.uint64)
    for row, ids in zip(table, rows, strict=True):
        for i in ids:
            if i >= 0:
                row[i // 64] |= np.uint64(1 << int(i) % 64)
    table.flags.writeable = False
    return table


NEIGHBORS: Final = _words([np.flatnonzero(row) for row in HEX_NEIGHBORS], 1)[:, 0]
"""(35,) uint64: the hexes adjacent to a hex."""
CORNERS: Final = _words(HEX_CORNERS, 2)
"""(35, 2) uint64: the corners of a hex."""
AROUND: Final = _words(CORNER_HEXES, 1)[:, 0]
"""(92,) uint64: the one to three hexes a corner touches."""

Int: Final[Any] = np.int64
ZERO: Final[Any] = np.uint64(0)
ONE: Final[Any] = np.uint64(1)
BYTE: Final[Any] = np.uint64(0xFF)
EACH: Final[Any] = np.uint64(0x0101010101010101)
"""Lanes with 1 in each."""
TOP: Final[Any] = np.uint64(0x8080808080808080)
LOW: Final[Any] = np.uint64(0x7F7F7F7F7F7F7F7F)
SPECIES: Final[Any] = np.uint64(0x0000FFFFFFFFFFFF)

# ---- words ----


def _count(typing: Any, word: Any) -> Any:
    return types.uint64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


def _first(typing: Any, word: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero_is_undefined = context.get_constant(types.boolean, True)
        return builder.cttz(args[0], zero_is_undefined)

    return types.int64(types.uint64), code


# Intrinsics: one instruction where the processor has one. Only for compiled code.
count: Final[Any] = intrinsic(_count)
"""count(word): how many bits a word has, as uint64."""
first: Final[Any] = intrinsic(_first)
"""first(word): the lowest bit of a word that is not zero, as int64."""


@jit
def size(word: Word) -> int:
    """How many bits a word has, as a signed number."""
    return Int(count(word))


@jit
def bit(i: int) -> Word:
    return ONE << np.uint64(i)


@jit
def has(word: Word, i: int) -> bool:
    return (word >> np.uint64(i)) & ONE != ZERO


@jit
def without_first(word: Word) -> Word:
    return word & (word - ONE)


@jit
def lanes(counters: Any) -> Word:
    """Eight counters of one byte as lanes; LLVM makes one load of it."""
    word = ZERO
    for i in range(8):
        word |= np.uint64(counters[i]) << np.uint64(8 * i)
    return word


@jit
def lane(word: Word, i: int) -> int:
    """Lane i, as a signed number."""
    return Int((word >> np.uint64(8 * i)) & BYTE)


@jit
def nonzero(word: Word) -> Word:
    """Lanes with 1 where a lane is not zero."""
    return ((((word & LOW) + LOW) | word) & TOP) >> np.uint64(7)


@jit
def leader(word: Word) -> int:
    """The animal whose lane is above zero and strictly the highest, or -1."""
    best, animal = 0, NOBODY
    for a in range(N_ANIMALS):
        n = lane(word, a)
        if n > best:
            best, animal = n, a
        elif n == best:
            animal = NOBODY
    return animal


# ---- what lies where ----


@jit
def species(state: Record, hex: int) -> Word:
    """Species on a hex by animal, as lanes."""
    return lanes(state.tiles[hex]) & SPECIES


@jit
def held(state: Record, type: int) -> Word:
    """Elements of a type on each animal, fixed ones included, as lanes."""
    return lanes(state.held[type])


@jit
def inhabited(state: Record) -> Word:
    """The tiles with species."""
    word = ZERO
    for a in range(N_ANIMALS):
        word |= state.presence[a]
    return word


@jit
def occupied(state: Record) -> tuple[Word, Word]:
    """The corners with an element."""
    low = high = ZERO
    for e in range(N_TYPES):
        low |= state.elements[e, 0]
        high |= state.elements[e, 1]
    return low, high


@jit
def elements_on(state: Record, type: int, hex: int) -> int:
    """How many elements of a type lie on a hex's corners."""
    return Int(
        count(state.elements[type, 0] & CORNERS[hex, 0]) + count(state.elements[type, 1] & CORNERS[hex, 1])
    )


@jit
def kind(state: Record, hex: int) -> int:
    """What a tile counts as: its terrain 0 to 6, or 7 for tundra."""
    return TUNDRA if has(state.tundra, hex) else Int(state.tiles[hex, 6])


@jit
def neighbors(state: Record, hex: int) -> Word:
    """The tiles adjacent to a hex."""
    return NEIGHBORS[hex] & state.earth


# ---- matching, dominance, endangerment (section 2 of the rules) ----


@jit
def matches_at(state: Record, low: Word, high: Word) -> Word:
    """R-DOM-1 on a set of corners: every animal's match with the elements there, as lanes."""
    total = ZERO
    for e in range(N_TYPES):
        total += held(state, e) * (count(state.elements[e, 0] & low) + count(state.elements[e, 1] & high))
    return total


@jit
def matches(state: Record, hex: int) -> Word:
    """R-DOM-1: the match of every animal on a hex, as lanes of at most 36."""
    return matches_at(state, CORNERS[hex, 0], CORNERS[hex, 1])


@jit
def match(state: Record, animal: int, hex: int) -> int:
    """R-DOM-1: the match of one animal on a hex, 0 to 36."""
    total = 0
    for e in range(N_TYPES):
        total += Int(state.held[e, animal]) * elements_on(state, e, hex)
    return total


@jit
def deserves_with(state: Record, hex: int, matched: Word) -> int:
    """R-DOM-3 with matches as given (lanes), for what would be: the animal that deserves dominance, or -1."""
    return leader(matched & (nonzero(species(state, hex)) * BYTE))


@jit
def deserves(state: Record, hex: int) -> int:
    """R-DOM-3: the animal that deserves dominance of a hex, or -1."""
    return deserves_with(state, hex, matches(state, hex))


@jit
def cone(state: Record, hex: int) -> int:
    """Declared claims: the animal whose cone stands on a hex, or -1."""
    animal = state.tiles[hex, 7]
    return NOBODY if animal == NONE else Int(animal)


@jit
def dominant(state: Record, rules: Record, hex: int) -> int:
    """R-DOM-4: the animal that dominates a hex, or -1."""
    return cone(state, hex) if rules.declared else deserves(state, hex)


@jit
def hibernating(state: Record, animal: int, hex: int) -> int:
    """C-13: species of an animal on a hex that Extinction spares."""
    here = state.hibernating_hex == hex and state.hibernating_animal == animal
    return Int(state.hibernating_count) if here else 0


@jit
def endangered(state: Record, animal: int, hex: int) -> int:
    """R-DOM-2: species of an animal on a hex that Extinction would take, the mammal's save left aside."""
    n = Int(state.tiles[hex, animal])
    if n == 0 or match(state, animal, hex) > 0:
        return 0
    return n - hibernating(state, animal, hex)


@jit
def endangered_on(state: Record, hex: int) -> Word:
    """R-DOM-2: `endangered` of every animal on a hex, as lanes."""
    gone = species(state, hex) & (EACH - nonzero(matches(state, hex))) * BYTE
    if state.hibernating_count > 0 and state.hibernating_hex == hex:
        asleep = np.uint64(8 * state.hibernating_animal)
        if (gone >> asleep) & BYTE:
            gone -= np.uint64(state.hibernating_count) << asleep
    return gone


# ---- VPs ----


@jit
def tile_score(state: Record, rules: Record, hex: int, animal: int) -> int:
    """R-DMN-1: VPs an animal would get if the tile were scored now."""
    n = state.tiles[hex, animal]
    if n == 0:
        return 0
    rank = 0
    for other in range(N_ANIMALS):
        ahead = state.tiles[hex, other]
        rank += ahead > n or (ahead == n and other < animal)
    return Int(rules.tile_values[kind(state, hex), rank])


@jit
def tile_scores(state: Record, rules: Record, hex: int) -> Word:
    """R-DMN-1: VPs every animal would get if the tile were scored now, as lanes."""
    score = ZERO
    if species(state, hex) == ZERO:
        return score
    for animal in range(N_ANIMALS):
        score |= np.uint64(tile_score(state, rules, hex, animal)) << np.uint64(8 * animal)
    return score


@jit
def tundra_species(state: Record) -> Word:
    """Species on tundra tiles, counted together by animal, as lanes."""
    total = ZERO
    left = state.tundra
    while left:
        total += species(state, first(left))
        left = without_first(left)
    return total


@jit
def survival(state: Record, rules: Record) -> tuple[int, int]:
    """R-RES-2 as of now: the animal that would score Survival, or -1, and its VPs."""
    animal = leader(tundra_species(state))
    if animal == NOBODY:
        return animal, 0
    return animal, Int(rules.bonus_vp[count(state.presence[animal] & state.tundra)])


@jit
def frontier(state: Record) -> Word:
    """R-WAN-1: the empty hexes adjacent to a tile."""
    near = ZERO
    left = state.earth
    while left:
        near |= NEIGHBORS[first(left)]
        left = without_first(left)
    return near & ~state.earth


@jit
def wanderlust_worth(state: Record, rules: Record, hex: int) -> int:
    """R-WAN-2: VPs for a tile put on an empty hex adjacent to a tile; 0 for any other hex."""
    return 0 if has(state.earth, hex) else Int(rules.bonus_vp[count(neighbors(state, hex))])


# ---- Glaciation ----


@jit
def glaciable(state: Record) -> Word:
    """R-GLA-2: the tiles that can be glaciated; none if no tundra tile is left."""
    if state.tundra_left == 0:
        return ZERO
    near = ZERO
    left = state.tundra
    while left:
        near |= NEIGHBORS[first(left)]
        left = without_first(left)
    return near & state.earth & ~state.tundra


@jit
def tundra_bonus(state: Record, rules: Record, hex: int) -> int:
    """R-GLA-5: VPs for the tundra tiles adjacent to a tile that is glaciated."""
    return Int(rules.bonus_vp[count(NEIGHBORS[hex] & state.tundra)])


@jit
def surplus(state: Record, hex: int) -> Word:
    """R-GLA-3: species every animal would lose to its gene pool, as lanes."""
    there = species(state, hex)
    return there - nonzero(there)


@jit
def frozen(tundra: Word) -> tuple[Word, Word]:
    """R-GLA-4: the corners that touch three of a set of hexes."""
    one0 = one1 = two0 = two1 = three0 = three1 = ZERO
    left = tundra
    while left:
        hex = first(left)
        left = without_first(left)
        three0 |= two0 & CORNERS[hex, 0]
        three1 |= two1 & CORNERS[hex, 1]
        two0 |= one0 & CORNERS[hex, 0]
        two1 |= one1 & CORNERS[hex, 1]
        one0 |= CORNERS[hex, 0]
        one1 |= CORNERS[hex, 1]
    return three0, three1


@jit
def touching(low: Word, high: Word) -> Word:
    """The hexes that touch a set of corners."""
    hexes = ZERO
    while low:
        hexes |= AROUND[first(low)]
        low = without_first(low)
    while high:
        hexes |= AROUND[64 + first(high)]
        high = without_first(high)
    return hexes


class GlaciationWorth(NamedTuple):
    """What Glaciation of one tile would bring; where it is not legal nothing, and Survival as it is now."""

    legal: bool
    bonus: int
    """VPs for the animal that glaciates."""
    lost: Word
    """Species every animal would lose to its gene pool, as lanes."""
    vanished: Word
    """Elements that would go to the bag, by type, as lanes."""
    gained: Word
    """Tiles every animal would newly dominate, as lanes."""
    ceded: Word
    """Tiles every animal would no longer dominate, as lanes."""
    survivor: int
    """The animal that would then score Survival, or -1."""
    survival_vp: int


@jit
def glaciation_worth(state: Record, rules: Record, hex: int) -> GlaciationWorth:
    """R-GLA-2 to R-GLA-5 on one tile, without doing it."""
    return glaciated(state, rules, hex) if has(glaciable(state), hex) else not_glaciated(state, rules)


@jit
def not_glaciated(state: Record, rules: Record) -> GlaciationWorth:
    animal, vp = survival(state, rules)
    return GlaciationWorth(False, 0, ZERO, ZERO, ZERO, ZERO, animal, vp)


@jit
def glaciated(state: Record, rules: Record, hex: int) -> GlaciationWorth:
    """`glaciation_worth` of a tile known to be legal."""
    low, high = frozen(state.tundra | bit(hex))
    vanished = elements_at(state, low, high)
    gained, ceded = dominance_changes(state, rules, low, high) if vanished else (ZERO, ZERO)
    animal, vp = survival_with(state, rules, hex)
    return GlaciationWorth(
        True, tundra_bonus(state, rules, hex), surplus(state, hex), vanished, gained, ceded, animal, vp
    )


@jit
def elements_at(state: Record, low: Word, high: Word) -> Word:
    """Elements on a set of corners by type, as lanes."""
    there = ZERO
    for e in range(N_TYPES):
        there |= (count(state.elements[e, 0] & low) + count(state.elements[e, 1] & high)) << np.uint64(8 * e)
    return there


@jit
def dominance_changes(state: Record, rules: Record, low: Word, high: Word) -> tuple[Word, Word]:
    """Tiles every animal would gain and cede, as lanes, if the elements on a set of corners went to the bag.

    With declared claims a cone falls, and none is set.
    """
    gained = ceded = ZERO
    low0, high0 = occupied(state)
    left = touching(low & low0, high & high0) & inhabited(state)
    while left:
        hex = first(left)
        left = without_first(left)
        before = dominant(state, rules, hex)
        after = deserves_with(state, hex, matches_at(state, CORNERS[hex, 0] & ~low, CORNERS[hex, 1] & ~high))
        if before != after and before != NOBODY:
            ceded += ONE << np.uint64(8 * before)
        if before != after and after != NOBODY and not rules.declared:
            gained += ONE << np.uint64(8 * after)
    return gained, ceded


@jit
def survival_with(state: Record, rules: Record, hex: int) -> tuple[int, int]:
    """R-RES-2 if a tile were glaciated: the animal that would then score Survival, or -1, and its VPs."""
    animal = leader(tundra_species(state) + nonzero(species(state, hex)))  # R-GLA-3: one of each stays
    if animal == NOBODY:
        return animal, 0
    return animal, Int(rules.bonus_vp[count(state.presence[animal] & (state.tundra | bit(hex)))])
