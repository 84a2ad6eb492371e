"""A slow, readable second engine, made from the rules and the protocol alone, to test the fast one against.

It shares no code and no table with the package. Explicit chance only.
"""

from .actions import action_text
from .engine import ReferenceState

__all__ = ["ReferenceState", "action_text"]
