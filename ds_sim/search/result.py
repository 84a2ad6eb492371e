"""What a search found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import actions
from ..board import ANIMAL_ID
from ..errors import IllegalAction
from ..state import State


@dataclass(frozen=True, repr=False)
class SearchResult:
    """What a search found at its root. Rows are the legal actions, ascending."""

    actor: str
    actions: npt.NDArray[np.uint8]
    """(n,): action ids."""
    visits: npt.NDArray[np.int64]
    """(n,): simulations that began with each."""
    values: npt.NDArray[np.float64]
    """(n, 6): mean return of every animal, NaN where never visited."""
    standard_errors: npt.NDArray[np.float64]
    """(n,): of the actor's mean return, simulations taken as independent; NaN below two visits."""
    principal_variation: tuple[str, ...]
    """The line that begins with `best` and goes on with the most visited, as action texts."""
    simulations: int
    nodes: int
    """Nodes of the tree, over all threads."""
    seconds: float
    seed: int
    _state: State
    _explicit: bool

    def __repr__(self) -> str:
        return (
            f"<search of {self.actor}: {actions.text(self.best)} after {self.simulations:,} simulations, "
            f"{self.nodes:,} nodes, {self.seconds:.1f} s>"
        )

    @property
    def best(self) -> int:
        """The most visited action; among equals that of the higher mean return, then the lower id."""
        return most_visited(self.actions, self.visits, self.values[:, ANIMAL_ID[self.actor]])

    @property
    def policy(self) -> npt.NDArray[np.float64]:
        """(235,): the share of visits of every action; a target for learning."""
        share = np.zeros(actions.N_ACTIONS)
        share[self.actions] = self.visits / max(1, self.visits.sum())
        return share

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation in words, from the root's position; with open-loop chance up to where
        chance has a say."""
        state, words = stopping(self._state, True), []
        for text in self.principal_variation:
            if state.is_terminal or (state.is_chance and not self._explicit):
                break
            try:
                words.append(state.describe(text))
            except IllegalAction:
                break
            state.apply(text)
        return tuple(words)


def stopping(state: State, explicit_chance: bool) -> State:
    """A copy of the position that stops at chance nodes, or that draws by itself."""
    return State.from_dict(
        state.to_dict(), seed=state.seed, index=state.index, explicit_chance=explicit_chance
    )


def most_visited(
    ids: npt.NDArray[np.uint8], visits: npt.NDArray[np.int64], means: npt.NDArray[np.float64]
) -> int:
    """The most visited action; among equals that of the higher mean return, then the lower id."""
    order = np.lexsort((-ids.astype(int), np.nan_to_num(means, nan=-np.inf), visits))
    return int(ids[order[-1]])


@dataclass(frozen=True)
class Analysis:
    """The best actions of a position in words: `str()` of it is a table for people."""

    actor: str
    rows: tuple[tuple[str, str, int, float, float, float], ...]
    """(action, in words, visits, win probability, and its 95 % interval), the most visited first."""
    result: SearchResult

    def __str__(self) -> str:
        width = max([len(row[1]) for row in self.rows] + [6])
        lines = [f"{'action':<{width}}  visits    win  95 % interval"]
        for _, words, visits, win, low, high in self.rows:
            lines.append(f"{words:<{width}}  {visits:6d}  {win:4.0%}   {low:4.0%} to {high:4.0%}")
        return "\n".join(lines)
