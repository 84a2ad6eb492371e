"""The built-in evaluator, `standing`: VPs so far and what is to come, as chances of winning.

What is to come for an animal, compared with the others, is a sum of features times weights; the weights go
over from those of the last turn to those of the first with the cards that are left. tools/fit_standing.py
fitted them to games of the built-in players.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..scoring import kernels
from .evaluators import Evaluator
from .standing_weights import SPREAD, WEIGHTS

jit: Final[Any] = numba.njit(nogil=True)
"""Not cached one by one: what is cached is the whole evaluator, which knows the weights in it."""

KINDS: Final = (
    *("initiative", "adaptation", "regression", "abundance", "wasteland", "depletion", "glaciation"),
    *("speciation", "wanderlust", "migration", "competition", "domination"),
)
_KIND_SIZES: Final = (1, 3, 2, 2, 1, 1, 4, 6, 3, 6, 7, 5)
_KIND: Final = np.repeat(np.arange(len(KINDS)), _KIND_SIZES)
"""By space of the display."""

(SAFE_TILES, DOOMED_TILES, DOMINANCE, SAFE, DOOMED, POOL, HELD, PAWNS, TUNDRA, TILES, MATCH, BEST, ANIMAL) = (
    range(13)
)
ON_DISPLAY: Final = ANIMAL + 6
N_FEATURES: Final = ON_DISPLAY + len(KINDS)
FEATURES: Final = (
    *("VPs of tiles that it would keep", "VPs of tiles where it is endangered", "tiles dominated"),
    *("species not endangered", "species endangered", "gene pool", "elements held", "action pawns at hand"),
    *("species on tundra", "tiles occupied", "matches, up to 3 a tile", "best tile dominated"),
    *("is mammal", "is reptile", "is bird", "is amphibian", "is arachnid", "is insect"),
    *(f"pawns on {kind}" for kind in KINDS),
)
"""Of every animal."""

MATCH_ENOUGH: Final = 3
POOL_ENOUGH: Final = 20


@jit
def fill_features(view: Any, x: Any) -> None:
    """The features of the six animals: x, float64 (6, N_FEATURES), zero at first."""
    for hex in range(35):
        species = kernels.species(view, hex)
        if species == 0:
            continue
        match = kernels.matches(view, hex)
        scores = kernels.tile_scores(view, view.rules, hex)
        doomed = kernels.endangered_on(view, hex)
        tundra = kernels.has(view.tundra, hex)
        for animal in range(6):
            n = kernels.lane(species, animal)
            if n == 0:
                continue
            lost = kernels.lane(doomed, animal)
            score = kernels.lane(scores, animal)
            x[animal, DOOMED_TILES if lost else SAFE_TILES] += score
            x[animal, DOOMED] += lost
            x[animal, SAFE] += n - lost
            x[animal, TILES] += 1
            x[animal, MATCH] += min(kernels.lane(match, animal), MATCH_ENOUGH)
            if tundra:
                x[animal, TUNDRA] += n
        ruler = kernels.dominant(view, view.rules, hex)
        if ruler >= 0:
            x[ruler, DOMINANCE] += 1
            x[ruler, BEST] = max(x[ruler, BEST], kernels.lane(scores, ruler))
    for animal in range(6):
        x[animal, POOL] = min(view.gene_pool[animal], POOL_ENOUGH)
        x[animal, PAWNS] = view.pawns[animal]
        x[animal, ANIMAL + animal] = 1
        for element in range(6):
            x[animal, HELD] += view.held[element, animal]
    for space in range(41):
        if view.spaces >> np.uint64(space) & np.uint64(1):
            x[view.owner[space], ON_DISPLAY + _KIND[space]] += 1


@jit
def left(view: Any) -> float:
    """The part of the dominance cards that is not taken yet: 1 at the start, 0 when the game ends."""
    return 1.0 - kernels.count(np.uint64(view.taken)) / kernels.count(np.uint64(view.rules.cards))


@jit
def expect(view: Any, worth: Any) -> None:
    """VPs to expect at the end for every animal; only their differences mean something."""
    x = np.zeros((6, N_FEATURES))
    fill_features(view, x)
    part = left(view)
    for animal in range(6):
        worth[animal] = view.vp[animal]
        for i in range(N_FEATURES):
            worth[animal] += x[animal, i] * (WEIGHTS[i, 0] + part * WEIGHTS[i, 1])


@jit
def spread(view: Any) -> float:
    """VPs that make a factor of e in the odds of two seats."""
    return SPREAD[0] + SPREAD[1] * np.sqrt(left(view))


@jit
def level(view: Any, worth: Any) -> None:
    """Every animal of a seat is worth what the lowest of them is (R-END-1)."""
    for seat in range(view.rules.n_seats):
        lowest = np.inf
        for animal in range(6):
            if view.rules.seats[seat] >> animal & 1:
                lowest = min(lowest, worth[animal])
        for animal in range(6):
            if view.rules.seats[seat] >> animal & 1:
                worth[animal] = lowest


@jit
def first_of(animals: int) -> int:
    animal = 0
    while not animals >> animal & 1:
        animal += 1
    return animal


def vp(view: Any, out: Any) -> None:
    """For the utility "vp"."""
    worth = np.zeros(6)
    expect(view, worth)
    for animal in range(6):
        if view.rules.animals >> animal & 1:
            out[animal] = worth[animal]


def win(view: Any, out: Any) -> None:
    """For the utility "win": a softmax over the seats."""
    worth = np.zeros(6)
    expect(view, worth)
    level(view, worth)
    scale, best, total = spread(view), -np.inf, 0.0
    for seat in range(view.rules.n_seats):
        best = max(best, worth[first_of(view.rules.seats[seat])])
    for seat in range(view.rules.n_seats):
        total += np.exp((worth[first_of(view.rules.seats[seat])] - best) / scale)
    for animal in range(6):
        if view.rules.animals >> animal & 1:
            out[animal] = np.exp((worth[animal] - best) / scale) / total


def rank(view: Any, out: Any) -> None:
    """For the utility "rank": the mean chance to be before each other seat."""
    worth = np.zeros(6)
    expect(view, worth)
    level(view, worth)
    scale = spread(view)
    for seat in range(view.rules.n_seats):
        own = worth[first_of(view.rules.seats[seat])]
        ahead = -0.5  # of itself
        for other in range(view.rules.n_seats):
            ahead += 1.0 / (1.0 + np.exp((worth[first_of(view.rules.seats[other])] - own) / scale))
        for animal in range(6):
            if view.rules.seats[seat] >> animal & 1:
                out[animal] = ahead / max(1, view.rules.n_seats - 1)


STANDING: Final = {
    "win": Evaluator(win, name="standing"),
    "rank": Evaluator(rank, name="standing (rank)"),
    "vp": Evaluator(vp, name="standing (vp)"),
}
"""By utility."""
