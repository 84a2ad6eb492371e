"""ds-sim: an exact and fast simulator of the board game Dominant Species.

>>> import ds_sim as ds
>>> state = ds.State(ds.Rules(animals=("mammal", "bird", "insect")), seed=7)
>>> state.node, state.actor
('place', 'insect')
"""

from . import actions, board
from .errors import DsSimError, IllegalAction, InvalidState, RecordError, RulesError
from .rules import Rules
from .state import State

__version__ = "0.1.0"

__all__ = [
    "DsSimError",
    "IllegalAction",
    "InvalidState",
    "RecordError",
    "Rules",
    "RulesError",
    "State",
    "__version__",
    "actions",
    "board",
]
