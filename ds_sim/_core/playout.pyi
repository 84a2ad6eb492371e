"""Playing games to their end, without the GIL, under any policies."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .rules import CoreRules
from .state import CoreState

class PythonCallback:
    @property
    def choose(self) -> Callable[[Any], int | str]: ...
    @property
    def prototype(self) -> CoreState: ...
    error: Any  # the exception that choose raised, or None
    def __init__(self, choose: Callable[[Any], int | str], prototype: CoreState) -> None: ...

class Columns:
    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None: ...

class PolicyFailure(Exception):
    animal: int
    view: npt.NDArray[Any]
    legal: npt.NDArray[np.uint8]
    answer: int
    def __init__(
        self, animal: int, view: npt.NDArray[Any], legal: npt.NDArray[np.uint8], answer: int
    ) -> None: ...

def choose(state: CoreState, policies: list[int | PythonCallback | None], seed: int) -> int: ...
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
) -> None: ...
