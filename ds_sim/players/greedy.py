"""The greedy player: at every node the action that is worth most by itself, now."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..actions import HEX, PASS
from ..actions import PLACE as PLACE_ACTION
from ..scoring.kernels import Int
from . import weights as w
from ._compile import floats, inner
from .display import fill_display
from .nodes import INITIATIVE, INSTINCT, PLACE, at_node, prepare
from .worth import NEVER, Floats, N, Scales, View, forget

CLAIMED: Final = 1e6
"""The worth of a claim at `place`: always made."""
MIX: Final[Any] = np.uint64(0x9E3779B97F4A7C15)


@inner
def set_scales(view: View, weights: Any, scales: Scales) -> None:
    """The weights, and what VPs are worth: a rival's is a loss that the others share."""
    for i in range(N, w.WEIGHTS):
        scales[i] = weights[i]
    for animal in range(N):
        scales[animal] = -1.0 / max(1, Int(view.rules.n_animals) - 1)
    scales[view.actor] = 1.0
    forget(scales)


@inner
def choose(view: View, scales: Scales, legal: Any, n: int) -> int:
    """The index of the action worth most; ties by the private random number."""
    table = floats()
    placing = view.node == PLACE or view.node == INITIATIVE or view.node == INSTINCT
    if placing:
        fill_display(view, scales, table)
    else:
        prepare(view, scales, table)
    chosen, best, luck = 0, 2 * NEVER, np.uint64(0)
    for i in range(n):
        action = Int(legal[i])
        worth = placed(table, action) if placing else at_node(view, scales, table, action)
        draw = (view.random ^ np.uint64(i)) * MIX
        if worth > best or (worth == best and draw > luck):
            chosen, best, luck = i, worth, draw
    return chosen


@inner
def placed(spaces: Floats, action: int) -> float:
    if action == PASS:
        return 0.0
    return spaces[action - PLACE_ACTION] if action < HEX else CLAIMED


def greedy(view: View, legal: Any, n: int) -> int:
    """The built-in policy "greedy"."""
    scales = floats()
    set_scales(view, w.GREEDY, scales)
    return choose(view, scales, legal, n)
