"""The errors of this package: each is a `ValueError` that says what was wrong and what is accepted."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable


class DsSimError(ValueError):
    """Base of every error this package raises on purpose."""


class UnknownName(DsSimError):
    """A name that stands for nothing: no such animal, hex, card, ..."""


class RulesError(DsSimError):
    """A field of a rule set is not acceptable."""


class IllegalAction(DsSimError):
    """The action is not legal in this state, or not an action at all. The state is unchanged."""


class UnknownAction(IllegalAction):
    """A number or a text that is no action."""


class InvalidState(DsSimError):
    """Plain data or bytes that cannot be a state."""


class NotTerminal(DsSimError):
    """A result was asked of a game that is not over."""


class NotChance(DsSimError):
    """Chance outcomes were asked of a state that is at no chance node."""


class PolicyError(DsSimError):
    """A policy raised, or answered something that is not legal."""


class RunError(DsSimError):
    """A run of many games cannot be made as asked: its number of games, threads, ..."""


class SearchError(DsSimError):
    """A search cannot be made as asked, or its evaluator or prior answered nonsense."""


class RecordError(DsSimError):
    """A recorded game that cannot be read, or does not replay."""


def show(value: object) -> str:
    """`value` as it stands in an error message: its repr, shortened."""
    return _SHORT.repr(value)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that names what was probably meant: `"; did you mean 'bird'?"`, or nothing."""
    folded = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.strip().lower(), folded, n=1)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
