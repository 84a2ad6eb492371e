"""ds-sim: an exact and fast simulator of the board game Dominant Species.

>>> import ds_sim as ds
>>> state = ds.State(ds.Rules(animals=("mammal", "bird", "insect")), seed=7)
>>> state.node, state.actor
('place', 'insect')
>>> results = ds.playouts(state.rules, games=100, seed=1)
>>> results.vp.shape
(100, 6)
"""

import importlib
from typing import Any

from . import actions, board

try:
    from .batch import Batch
except ModuleNotFoundError as missing:
    if not (missing.name or "").startswith("ds_sim._core."):
        raise
    raise ImportError(
        "ds_sim is not built in its source folder, which Python found before any installed package: "
        "start Python in another folder, or run `pip install -e .` in this one"
    ) from missing
from .errors import DsSimError, IllegalAction, InvalidState, PolicyError, RecordError, RulesError, RunError
from .playouts import Results, playouts, playouts_from
from .policies import PythonPolicy, policy
from .rules import Rules
from .state import State

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "DsSimError",
    "IllegalAction",
    "InvalidState",
    "PolicyError",
    "PythonPolicy",
    "RecordError",
    "Results",
    "Rules",
    "RulesError",
    "RunError",
    "State",
    "__version__",
    "actions",
    "board",
    "playouts",
    "playouts_from",
    "policy",
]

_ON_USE = ("lab", "observation", "records", "scoring", "search", "view")  # with what they import


def __getattr__(name: str) -> Any:
    if name in _ON_USE:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ON_USE])
