"""Options of a search that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

STRONG: Final[Mapping[str, Any]] = {"policy": "uniform", "prior": "expert", "truncate": 0}
"""What plays best for its time: `Search(state, **STRONG)`; measured in docs/search.md."""

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {"strong": STRONG}
