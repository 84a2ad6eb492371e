"""A single state, checked at every door. `ds_sim.State` adds names and plain data on top."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .rules import CoreRules

def layout() -> tuple[int, dict[str, int]]:
    """Size of a state in bytes, and offset of every field, as the C compiler laid them out."""

class CoreState:
    @property
    def core(self) -> CoreRules: ...
    @property
    def explicit_chance(self) -> bool: ...
    @property
    def recording(self) -> bool: ...
    def _begin(
        self, core: CoreRules, seed: int, index: int, explicit_chance: bool, recording: bool
    ) -> None: ...
    def _attach(self, core: CoreRules, explicit_chance: bool, recording: bool) -> None: ...
    def _load(self, raw: npt.NDArray[np.uint8], history: npt.NDArray[np.uint8] | None) -> str | None: ...
    def _copy_from(self, other: CoreState) -> None: ...
    def _reseed(self, seed: int, index: int) -> None: ...
    def apply(self, action: int | str) -> None:
        """Carries out a legal action, by id or text, and goes on to the next presented node.

        An illegal one raises `IllegalAction`, and nothing is changed.
        """

    def legal_actions(self) -> npt.NDArray[np.uint8]:
        """The legal actions in ascending order: uint8 array (n,), n at least 2, or 0 at the end of the game.

        At a chance node these are the possible outcomes.
        """

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Which of the 235 actions are legal: bool array (235,)."""

    def _chance_outcomes(self) -> list[tuple[int, float]]: ...
    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @property
    def is_chance(self) -> bool:
        """Whether the state stands at a chance node (explicit chance only)."""

    @property
    def turn(self) -> int:
        """The turn, from 1; at the end the last one played."""

    @property
    def truncated(self) -> bool:
        """Whether `max_turns` ended the game (R-END-3)."""

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        """VPs now: int32 array (6,) in food chain order, zeros for animals not in play."""

    @property
    def history(self) -> bytes:
        """The actions presented and taken so far, chance included, as bytes; empty unless made with `record=True`."""

    @property
    def _node(self) -> int: ...
    @property
    def _actor(self) -> int: ...
    def _winner(self) -> int: ...
    def dominant(self) -> npt.NDArray[np.int8]:
        """Who dominates each hex (R-DOM-3, R-DOM-4): int8 array (35,), an animal 0..5, or -1 for nobody."""

    def matches(self) -> npt.NDArray[np.uint8]:
        """The match of every animal with every hex (R-DOM-1): uint8 array (6, 35), 0..36; zero where no tile is."""

    def verify(self) -> None:
        """Recomputes all that is cached and counts all that is conserved; raises AssertionError if anything is off."""

    @property
    def array(self) -> npt.NDArray[Any]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def _raw(self) -> bytes: ...
    def _same_position(self, other: CoreState) -> bool: ...
    def __hash__(self) -> int: ...
