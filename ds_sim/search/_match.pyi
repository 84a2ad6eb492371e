from typing import Any

import numpy as np
import numpy.typing as npt

from .._core.rules import CoreRules
from .._core.state import CoreState

class Seats:
    def __init__(self, core: CoreRules, policies: list[Any], seed: int, index: int, *, free: int) -> None: ...
    def play_on(self, state: CoreState, stop: npt.NDArray[np.uint8]) -> int: ...
