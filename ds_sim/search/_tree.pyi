from typing import Any

import numpy as np
import numpy.typing as npt

from .._core.playout import PolicyFailure
from .._core.rules import CoreRules
from .._core.state import CoreState

class EvaluatorFailure(Exception):
    view: Any

class PriorFailure(Exception):
    failure: PolicyFailure

class Tree:
    core: CoreRules
    used: int
    room: int
    simulations: int
    seed: int
    batch: int
    def __init__(
        self,
        state: CoreState,
        policies: list[Any],
        prior_policies: list[Any] | None,
        *,
        seed: int,
        explicit_chance: bool,
        puct: bool,
        exploration: float,
        first_play: float,
        prior_weight: float,
        utility: int,
        room: int,
        batch: int,
        truncate: int,
        evaluator: int,
        python_evaluator: Any,
        python_prior: Any,
    ) -> None: ...
    def grow(self, simulations: int, stop: npt.NDArray[np.uint8], done: npt.NDArray[np.int64]) -> None: ...
    def root_statistics(
        self,
    ) -> tuple[
        npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]
    ]: ...
    def principal_variation(self, first: int, length: int) -> list[int]: ...
    def move_root(self, action: int | None, state: CoreState) -> None: ...
