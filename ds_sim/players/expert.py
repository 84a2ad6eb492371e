"""The expert player: the greedy one's sums under weights that follow the clock and the standings, and a plan
of all its pawns.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import numpy as np

from ..actions import HEX
from ..scoring.kernels import (
    BYTE,
    Int,
    first,
    has,
    inhabited,
    kind,
    lane,
    matches,
    nonzero,
    size,
    species,
    without_first,
)
from . import weights as w
from ._compile import floats, inner, row, tables
from .cards import card_worth
from .display import fill_display
from .greedy import choose
from .nodes import DOMINATE, PLACE
from .worth import NEVER, Floats, N, Scales, View, forget, rank

SPACES: Final = 41
ALL: Final[Any] = np.uint64((1 << SPACES) - 1)
_STARTS: Final = (0, 1, 4, 6, 8, 9, 10, 14, 20, 23, 29, 36, SPACES)
ROW: Final = np.repeat(list(pairwise(_STARTS)), np.diff(_STARTS), axis=0)
"""(41, 2): the first space of the row that a space is in, and the first one after it."""
ROW.flags.writeable = False


@inner
def clock(view: View) -> float:
    """The share of the cards that is still unseen: 1 at first, 0 when Ice Age comes up."""
    unseen = np.uint64(view.rules.cards & ~view.face_up & ~view.taken)
    return size(unseen) / max(1.0, 1.0 * size(np.uint64(view.rules.cards)))


@inner
def project(view: View, final: Floats) -> None:
    """VPs of every animal if the game ended with what lives on earth now."""
    for animal in range(N):
        final[animal] = view.vp[animal]
    left = inhabited(view)
    while left:
        hex = first(left)
        left = without_first(left)
        cubes = species(view, hex) & (nonzero(matches(view, hex)) * BYTE)
        what = kind(view, hex)
        while cubes:
            animal = first(cubes) >> 3
            place = rank(species(view, hex), animal, lane(cubes, animal))
            final[animal] += view.rules.tile_values[what, place]
            cubes &= ~(BYTE << np.uint64(8 * animal))


@inner
def set_scales(view: View, early: Any, late: Any, final: Floats, scales: Scales) -> None:
    """The weights of the hour; a VP of the leading rival costs more than those of the others."""
    me = Int(view.actor)
    share = clock(view)
    for i in range(N, w.WEIGHTS):
        scales[i] = late[i] + share * (early[i] - late[i])
    leading = -1
    for animal in range(N):
        rival = animal != me and has(np.uint64(view.rules.animals), animal)
        if rival and (leading < 0 or final[animal] > final[leading]):
            leading = animal
    others = max(1, Int(view.rules.n_animals) - 1)
    for animal in range(N):
        scales[animal] = -scales[w.RIVALS] * (1.0 - scales[w.FIRST]) / others
    scales[leading] -= scales[w.RIVALS] * scales[w.FIRST]
    scales[me] = 1.0
    forget(scales)
    scales[w.END] *= min(1.0, max(-1.0, (final[me] - final[leading]) / 20.0))


@inner
def play(view: View, legal: Any, n: int, early: Any, late: Any, rows: Any) -> int:
    scales = floats()
    final = floats()
    project(view, final)
    set_scales(view, early, late, final, scales)
    if view.node == PLACE and legal[n - 1] < HEX:
        return plan(view, legal, n, early, late, rows, final, scales)
    if view.node == DOMINATE:
        best = 0.0
        for card in range(26):
            if has(np.uint64(view.face_up), card):
                best = max(best, card_worth(view, scales, card))
        scales[w.CARD] += scales[w.BEST] * (best - scales[w.CARD])
    return choose(view, scales, legal, n)


@inner
def plan(
    view: View, legal: Any, n: int, early: Any, late: Any, rows: Any, final: Floats, scales: Scales
) -> int:
    """The space with which the whole Planning is thought to end best."""
    me = Int(view.actor)
    wants = tables()
    theirs = floats()
    for animal in range(N):
        if view.pawns[animal] > 0:
            view.actor = animal
            set_scales(view, early, late, final, theirs)
            fill_display(view, theirs, row(wants, animal))
            weigh_rows(view, rows, row(wants, animal))
    view.actor = me
    chosen, best = 0, 2 * NEVER
    for i in range(n):
        worth = drafted(view, wants, scales, rows, Int(legal[i]) - 1)
        if worth > best:
            chosen, best = i, worth
    return chosen


@inner
def weigh_rows(view: View, rows: Any, wants: Floats) -> None:
    """Weighs the worth of spaces by row, and by pawns that the acting animal has there already."""
    for space in range(SPACES):
        wants[space] *= rows[0, space]
    for space in range(SPACES):
        if has(view.spaces, space) and view.owner[space] == view.actor:
            lower(wants, rows, space)


@inner
def lower(wants: Floats, rows: Any, space: int) -> None:
    for other in range(ROW[space, 0], ROW[space, 1]):
        wants[other] *= rows[1, other]


@inner
def drafted(view: View, wants: Any, scales: Scales, rows: Any, space: int) -> float:
    """What Planning brings in all if the acting animal takes a space, then everybody what it wants most."""
    me = Int(view.actor)
    left = tables()
    pawns = floats()
    for animal in range(N):
        pawns[animal] = view.pawns[animal]
        if view.pawns[animal] > 0:
            for i in range(SPACES):
                row(left, animal)[i] = row(wants, animal)[i]
    taken = view.spaces
    place = Int(view.cursor.place)
    players = Int(view.rules.n_animals)
    total = 0.0
    idle = 0
    while idle < players:
        animal = Int(view.initiative[place])
        place = place + 1 if place + 1 < players else 0
        if pawns[animal] == 0:
            idle += 1
            continue
        idle = 0
        if space < 0:
            space = wanted(row(left, animal), taken)
            if space < 0:
                break
        worth = row(left, animal)[space]
        total += worth if animal == me else scales[animal] * scales[w.DENY] * worth
        taken |= np.uint64(1) << np.uint64(space)
        lower(row(left, animal), rows, space)
        pawns[animal] -= 1
        space = -1
    return total


@inner
def wanted(worths: Floats, taken: Any) -> int:
    """The vacant space worth most, or -1."""
    best = -1
    left = ~taken & ALL
    while left:
        space = first(left)
        left = without_first(left)
        if best < 0 or worths[space] > worths[best]:
            best = space
    return best


def expert(view: View, legal: Any, n: int) -> int:
    """The built-in policy "expert"."""
    return play(view, legal, n, w.EXPERT_EARLY, w.EXPERT_LATE, w.ROWS)
