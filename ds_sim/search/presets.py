"""Options of a search that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

STRONG: Final[Mapping[str, Any]] = {
    "policy": "greedy",
    "prior": "expert",
    "prior_weight": 0.5,
    "truncate": 40,
    "exploration": 0.3,
}
"""What plays best for its simulations: `Search(state, **STRONG)`; measured in docs/search.md."""

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {"strong": STRONG}
