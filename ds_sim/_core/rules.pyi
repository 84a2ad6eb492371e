"""The rule set as the C core reads it."""

from typing import Any

import numpy.typing as npt

from ..rules import RuleTables

def layout() -> tuple[int, dict[str, int]]:
    """Size of a rule set in bytes, and offset of every field, as the C compiler laid them out."""

class CoreRules:
    """The C form of `ds_sim.Rules`, made from its `tables()`, which are already validated."""

    def __init__(self, tables: RuleTables) -> None: ...
    @property
    def array(self) -> npt.NDArray[Any]:
        """The rule set as a read-only structured array (1,) of layout.RULES, without a copy."""

    def __buffer__(self, flags: int, /) -> memoryview: ...
