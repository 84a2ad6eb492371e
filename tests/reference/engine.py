"""The reference state: one generator plays the whole game and stops at every node that is presented.

A generator cannot be copied, so `clone` replays the actions.
"""

from collections.abc import Callable, Generator
from fractions import Fraction

from . import actions as act
from .position import Position
from .turn import Turn

Game = Generator[None, int, None]


class ReferenceState(Position):
    """A game in explicit-chance mode, stopped at `node`.

    >>> state = ReferenceState({"animals": ["mammal", "insect"]})
    >>> state.node, len(state.legal())
    ('reveal_card', 25)
    """

    def __init__(self, rules: dict):
        super().__init__(rules)
        self.history: list[int] = []
        self.node, self.actor = "", None
        self._given = rules
        self._options: dict = {}
        self._weights: dict[int, int] = {}
        self._game: Game = Turn(self).game()
        self._advance(None)

    # Playing

    def legal(self) -> list[int]:
        """The legal action ids, ascending; empty at the end."""
        return sorted(self._options)

    def apply(self, action: int) -> None:
        if action not in self._options:
            raise ValueError(f"action {action} is not legal at {self.node}: {self.legal()}")
        self.history.append(action)
        self._advance(action)

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """(action, probability) pairs, ascending; empty where an animal decides."""
        total = sum(self._weights.values())
        return [(action, Fraction(self._weights[action], total)) for action in sorted(self._weights)]

    def clone(self) -> "ReferenceState":
        copy = ReferenceState(self._given)
        for action in self.history:
            copy.apply(action)
        return copy

    def _advance(self, action: int | None) -> None:
        try:
            self._game.send(action)
        except StopIteration:
            self.node, self.actor, self._options, self._weights = "end", None, {}, {}

    # Asking; all three return only when the question is settled

    def choose(self, node: str, actor: str, options: dict, weights: dict[int, int] | None = None) -> Game:
        """The value of the chosen option; None for PASS, or where nothing can be chosen (P-1)."""
        self.drop_cones()
        if not options:
            return None
        if len(options) == 1:
            return next(iter(options.values()))
        self.node, self.actor, self._options, self._weights = node, actor, options, weights or {}
        return options[(yield)]

    def draw(self, node: str, build: Callable, weights: dict[str, int]) -> Game:
        """A chance node over names with whole-number weights."""
        options = build(name for name, weight in weights.items() if weight)
        return self.choose(node, "chance", options, {a: weights[name] for a, name in options.items()})

    def count(self, node: str, actor: str, most: int, effect: Callable[[int], None]) -> Game:
        """COUNT(0..most), in parts of at most 15, each of which takes effect at once (P-3, P-4)."""
        while most > 0:
            number = yield from self.choose(node, actor, act.counts(0, most))
            effect(number)
            most -= number
            if number < act.MOST:
                return

    # The end

    @property
    def is_terminal(self) -> bool:
        return self.node == "end"

    @property
    def vp_by_source(self) -> dict[str, dict[str, int]]:
        """For each animal in play its VPs by source, zeros included; they sum to `vp`."""
        return {animal: dict(parts) for animal, parts in self.sources.items()}

    @property
    def scores(self) -> dict[str, int]:
        """For each animal the score of the seat that runs it: that of its lowest animal (R-SET-3)."""
        return {a: min(self.vp[other] for other in seat) for seat in self.rules.seats for a in seat}

    @property
    def winner(self) -> str | None:
        """The animal that names the winning seat (R-END-1); None before the end."""
        if not self.is_terminal:
            return None
        vp = self.vp
        named = [min(seat, key=lambda animal: vp[animal]) for seat in self.rules.seats]
        return max(sorted(named, key=self.animals.index), key=lambda animal: vp[animal])

    def to_dict(self) -> dict:
        return self.position_dict() | {"node": self.node, "actor": self.actor, "legal": self.legal()}
