"""Native loops that the benchmarks set beside ours, and what the core was built with."""

from typing import Any

from .state import CoreState

def build() -> dict[str, Any]:
    """The compiler of the core, and the instruction paths taken on this processor."""

def floor_loop(n: int) -> int:
    """n times one bounded draw, one bit select and one dependent load of a state: what a random decision
    costs at least."""

def copy_loop(state: CoreState, n: int) -> None:
    """n times a state copied by assignment, as the search does it."""

def memcpy_loop(state: CoreState, n: int) -> None:
    """n times a memcpy of as many bytes between two plain buffers."""
