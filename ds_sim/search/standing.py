"""The built-in evaluator, `standing`: VPs so far and what the tiles would bring, as chances of winning."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .._jit import jit
from ..scoring import kernels
from .evaluators import Evaluator

SPREAD: Final = 12.0
"""VPs that make a factor of e in the odds of two seats."""


@jit
def expect(view: Any, worth: Any) -> None:
    """VPs to expect for every animal: those it has, and what every tile would bring at the end (R-END-1)."""
    for animal in range(6):
        worth[animal] = view.vp[animal]
    for hex in range(35):
        if not kernels.has(view.earth, hex):
            continue
        scores = kernels.tile_scores(view, view.rules, hex)
        for animal in range(6):
            worth[animal] += kernels.lane(scores, animal)


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
    expect(view, out)


def win(view: Any, out: Any) -> None:
    """For the utility "win": a softmax over the seats."""
    worth = np.zeros(6)
    expect(view, worth)
    level(view, worth)
    best, total = worth.max(), 0.0
    for seat in range(view.rules.n_seats):
        total += np.exp((worth[first_of(view.rules.seats[seat])] - best) / SPREAD)
    for animal in range(6):
        if view.rules.animals >> animal & 1:
            out[animal] = np.exp((worth[animal] - best) / SPREAD) / total


def rank(view: Any, out: Any) -> None:
    """For the utility "rank": the mean chance to be before each other seat."""
    worth = np.zeros(6)
    expect(view, worth)
    level(view, worth)
    for seat in range(view.rules.n_seats):
        own = worth[first_of(view.rules.seats[seat])]
        ahead = -0.5  # of itself
        for other in range(view.rules.n_seats):
            ahead += 1.0 / (1.0 + np.exp((worth[first_of(view.rules.seats[other])] - own) / SPREAD))
        for animal in range(6):
            if view.rules.seats[seat] >> animal & 1:
                out[animal] = ahead / max(1, view.rules.n_seats - 1)


STANDING: Final = {
    "win": Evaluator(win, name="standing"),
    "rank": Evaluator(rank, name="standing (rank)"),
    "vp": Evaluator(vp, name="standing (vp)"),
}
"""By utility."""
