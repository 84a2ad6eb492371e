"""The rule set as the C core reads it."""

from typing import Any

import numpy.typing as npt

from ..rules import RuleTables

def layout() -> tuple[int, dict[str, int]]: ...

class CoreRules:
    def __init__(self, tables: RuleTables) -> None: ...
    @property
    def array(self) -> npt.NDArray[Any]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
