"""Playing games to their end, without the GIL, under any policies."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .rules import CoreRules
from .state import CoreState

class PythonCallback:
    """A Python policy as the native loop calls it: `choose(state)` returns an action of the state it is shown.

    `prototype` is any state under the same rule set; what is shown are copies of it, set to the position.
    """

    @property
    def choose(self) -> Callable[[Any], int | str]: ...
    @property
    def prototype(self) -> CoreState: ...
    error: Any  # the exception that choose raised, or None
    def __init__(self, choose: Callable[[Any], int | str], prototype: CoreState) -> None: ...

class Columns:
    """Rows of the result arrays, one a game; see ds_sim.playouts.Results."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None: ...

class PolicyFailure(Exception):
    """A policy raised or answered nonsense: whose policy, what it saw, what it returned."""

    animal: int
    view: npt.NDArray[Any]
    legal: npt.NDArray[np.uint8]
    answer: int
    def __init__(
        self, animal: int, view: npt.NDArray[Any], legal: npt.NDArray[np.uint8], answer: int
    ) -> None: ...

def play_games(
    core: CoreRules,
    starts: npt.NDArray[np.uint8] | None,
    policies: list[int | PythonCallback | None],
    seed: int,
    first: int,
    row: int,
    games: int,
    columns: Columns,
    records: list[tuple[int, bytes]] | None,
    stop: npt.NDArray[np.uint8],
    done: npt.NDArray[np.int64],
) -> None:
    """Plays games first, first + 1, ... of the run with a seed into rows row, row + 1, ... of the columns.

    From the setup, or from positions: `starts` holds the bytes of one state for all games, or of one for each row.
    Ends early once stop[0] is set; done[0] counts games. With a list `records`, appends (row, action bytes). Raises
    PolicyFailure. Holds no GIL while it plays.
    """

def floor_loop(n: int) -> int:
    """n times one bounded draw, one bit select and one dependent load of a state: what a random decision costs at least."""
