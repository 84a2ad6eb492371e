"""A position of the game, and all that can be done with it."""

from __future__ import annotations

import functools
import json
import operator
import secrets
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, NoReturn

import numpy as np
import numpy.typing as npt

from . import actions, plain
from ._core.layout import CHANCE, NONE, STATE
from ._core.state import CoreState
from .board import ANIMAL_ID, ANIMALS
from .describe import describe, text
from .errors import (
    IllegalAction,
    InvalidState,
    NotChance,
    NotTerminal,
    UnknownAction,
    UnknownName,
    nearest,
    show,
)
from .nodes import NODES
from .rules import Rules

Utility = Literal["win", "rank", "vp"]

_MAGIC: Final = b"DSST"
_VERSION: Final = 1
_HEAD: Final = struct.Struct(
    "<4sHBBQQIII"
)  # magic, version, flags, 0, seed, index, lengths of rules, state, history
_CHECKSUM: Final = struct.Struct("<I")
_EXPLICIT, _RECORDING = 1, 2
_LAST_ACTION: Final = actions.N_ACTIONS - 1


def as_word(field: str, value: object) -> int:
    """`value` as an unsigned 64-bit integer, for seeds and indices."""
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number < 2**64:
        raise InvalidState(f"{field} = {show(value)}: expected an integer from 0 to 2**64 - 1")
    return number


def _seed(seed: object) -> int:
    return secrets.randbits(64) if seed is None else as_word("seed", seed)


class State(CoreState):
    """A position: whose decision it is, what is legal, and how to go on.

    `State(rules, seed=7)` is the start of game 0 of the run with seed 7 (game i: `index=i`). With
    `explicit_chance=True` it stops at chance nodes, else it draws by itself from its own random stream, which
    depends on (seed, index) alone. Without a seed one is drawn, and told by `seed`. With `record=True` all
    presented actions are kept in `history`. Every error is a `ValueError`, and leaves the state as it was.

    >>> state = State(Rules(animals=("mammal", "bird", "insect")), seed=7)
    >>> state.node, state.actor, len(state.legal_actions())
    ('place', 'insect', 41)
    >>> state.apply("place:speciation_grass")
    >>> state.actor
    'bird'
    >>> while not state.is_terminal:
    ...     state.apply(state.legal_actions()[0])
    >>> state.winner in state.rules.animals
    True
    """

    __slots__ = ("index", "rules", "seed")

    rules: Rules
    """The rule set."""
    seed: int
    """The seed of the random stream, 0 to 2**64 - 1."""
    index: int
    """The index of the game in its run."""

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        seed: int | None = None,
        index: int = 0,
        explicit_chance: bool = False,
        record: bool = False,
    ) -> None:
        self.rules = Rules() if rules is None else _checked_rules(rules)
        self.seed, self.index = _seed(seed), as_word("index", index)
        self._begin(self.rules.core, self.seed, self.index, bool(explicit_chance), bool(record))

    # ---- where the game stands ----

    @property
    def node(self) -> str:
        """The kind of decision at hand (protocol.md section 2)."""
        return NODES[self._node]

    @property
    def actor(self) -> str | None:
        """Who decides: an animal, "chance", or None at the end."""
        actor = self._actor
        return None if actor == NONE else "chance" if actor == CHANCE else ANIMALS[actor]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the chance node at hand, ascending, with their probabilities, which sum to 1.

        Raises `NotChance` elsewhere.
        """
        if not self.is_chance:
            raise NotChance(f"chance_outcomes: the node is {self.node!r}, not a chance node")
        outcomes: list[tuple[int, float]] = self._chance_outcomes()
        return outcomes

    def _action_id(self, action: object) -> int:
        if isinstance(action, str):
            return actions.parse(action)
        if isinstance(action, (bool, np.bool_)):
            raise UnknownAction(f"action = {show(action)}: expected an integer or a text")
        try:
            return operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            raise UnknownAction(f"action = {show(action)}: expected an integer or a text") from None

    def _refuse_action(self, action: int) -> NoReturn:
        if self.is_terminal:
            raise IllegalAction(f"action {action}: the game is over")
        if not 0 <= action <= _LAST_ACTION:
            raise UnknownAction(f"action {show(action)}: expected an integer from 0 to {_LAST_ACTION}")
        legal = [actions.text(int(a)) for a in self.legal_actions()]
        shown = ", ".join(legal[:6]) + (f", ... ({len(legal)} in all)" if len(legal) > 6 else "")
        raise IllegalAction(
            f"action {action} ({actions.text(action)}) is not legal at node {self.node!r} of {self.actor}; "
            f"legal: {shown}"
        )

    # ---- many actions at once ----

    def trace(self, actions: bytes | Iterable[int], fields: Iterable[str] | None = None) -> npt.NDArray[Any]:
        """Carries out actions, and returns the states before each and after the last: structured array
        (n + 1,) with the fields of `array`, or with those named, in their order.

        `actions`: ids, as the bytes of a record or one by one. At the first that is not legal `IllegalAction`
        tells its place, and none is carried out.

        >>> from ds_sim.records import play_record
        >>> record = play_record(Rules(animals=("bird", "insect")), seed=7)
        >>> seen = record.start().trace(record.actions, ["turn", "vp"])
        >>> len(seen) == len(record.actions) + 1, int(seen["turn"][-1]) == record.turns, seen["vp"].shape[1]
        (True, True, 6)
        """
        try:
            ids = np.frombuffer(actions if isinstance(actions, bytes) else bytes(list(actions)), np.uint8)
        except (TypeError, ValueError, NotImplementedError):
            raise UnknownAction(
                f"actions = {show(actions)}: expected integers from 0 to {_LAST_ACTION}"
            ) from None
        try:
            shown, places, widths = _parts(None if fields is None else tuple(fields))
        except TypeError:
            raise UnknownName(f"fields = {show(fields)}: expected names of fields") from None
        # A dtype of its own: whoever renames its fields, as NumPy allows, renames no one else's.
        out = np.empty(len(ids) + 1, shown.newbyteorder("="))
        walker = State.clone(self)
        done = walker._trace(ids, places, widths, out.view(np.uint8))
        if done < len(ids):
            try:
                walker._refuse_action(int(ids[done]))
            except IllegalAction as error:
                raise type(error)(f"actions[{done}]: {error}") from None
        self._take_over(walker)
        return out

    # ---- in words ----

    def describe(self, action: int | str) -> str:
        """A legal action in one sentence; raises `IllegalAction` for any other.

        >>> State(seed=7).describe("place:speciation_sun")
        'insect puts a pawn on Speciation (sun)'
        """
        return describe(self, action)

    def __str__(self) -> str:
        return text(self)

    def __repr__(self) -> str:
        return f"<State turn {self.turn}, {self.node}{f' of {self.actor}' if self.actor else ''}>"

    # ---- as a picture, in notebooks ----

    def _repr_svg_(self) -> str:
        from .view import svg

        return svg(self)

    def _repr_html_(self) -> str:
        return f"<div>{self._repr_svg_()}</div>"

    # ---- copies ----

    def clone(self) -> State:
        """An independent copy, random stream included: both go on alike until one is reseeded."""
        other = State.__new__(State)
        other.rules, other.seed, other.index = self.rules, self.seed, self.index
        other._copy_from(self)
        return other

    def reseed(self, seed: int | None = None, index: int = 0) -> None:
        """Starts the random stream of (seed, index) here; the position stays. None draws a seed."""
        self.seed, self.index = _seed(seed), as_word("index", index)
        self._reseed(self.seed, self.index)

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Callable[[bytes], State], tuple[bytes]]:
        return State.from_bytes, (self.to_bytes(),)

    # Positions are compared, not random streams or histories.

    def __eq__(self, other: object) -> bool:
        return bool(self._same_position(other)) if isinstance(other, State) else NotImplemented

    def __hash__(self) -> int:
        return int(CoreState.__hash__(self))

    # ---- results ----

    @property
    def winner(self) -> str | None:
        """The animal that won, or names the winning seat (R-END-1); None before the end."""
        return ANIMALS[self._winner()] if self.is_terminal else None

    def returns(self, utility: Utility = "win") -> npt.NDArray[np.float64]:
        """What the game was worth to every animal: float64 array (6,) in food chain order, zeros if not in
        play.

        "win": 1.0 for every animal of the winning seat, else 0.0. "rank": from 1.0 (first) to 0.0 (last) in
        equal steps over the seats. "vp": the animal's final VPs. Raises `NotTerminal` before the end.
        """
        if utility not in ("win", "rank", "vp"):
            raise InvalidState(f"utility = {show(utility)}: expected 'win', 'rank' or 'vp'")
        if not self.is_terminal:
            raise NotTerminal("returns: the game is not over")
        vp = self.scores
        if utility == "vp":
            return vp.astype(np.float64)

        def standing(seat: tuple[int, ...]) -> tuple[int, int]:  # R-END-1
            lowest = min(seat, key=lambda a: (vp[a], a))
            return (-int(vp[lowest]), lowest)

        seats = [tuple(ANIMAL_ID[name] for name in seat) for seat in self.rules.seats]
        seats.sort(key=standing)
        returns = np.zeros(len(ANIMALS))
        for place, seat in enumerate(seats):
            value = 1.0 - place / max(len(seats) - 1, 1)
            returns[list(seat)] = value if utility == "rank" else float(place == 0)
        return returns

    # ---- plain data, bytes ----

    def to_dict(self) -> dict[str, Any]:
        """The state in JSON types (protocol.md section 4). The random stream is not part of it."""
        row = np.frombuffer(self._raw(), STATE)[0]
        data = plain.to_plain(row, self.dominant(), self.legal_actions())
        return {"format": data.pop("format"), "rules": self.rules.to_dict(), **data}

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, Any],
        *,
        seed: int | None = None,
        index: int = 0,
        explicit_chance: bool | None = None,
    ) -> State:
        """The state that plain data describes. Raises `InvalidState` for what cannot be.

        `legal`, and `dominant` under automatic claims, follow from the rest: they may be left out, but not be
        wrong. `cursor` may be left out at nodes that need no memory. `explicit_chance` is true by default at
        a chance node, else false.
        """
        rules = Rules.from_dict(plain.rules_of(data))
        row = plain.from_plain(data, rules.dominance_claims == "declared")
        if explicit_chance is None:
            explicit_chance = int(row["actor"]) == CHANCE
        seed, index = _seed(seed), as_word("index", index)
        state = cls._of(rules, row, seed, index, bool(explicit_chance), False, b"", reseed=True)
        plain.check_derived(data, state.dominant(), state.legal_actions())
        return state

    @classmethod
    def _of(
        cls,
        rules: Rules,
        row: Any,
        seed: int,
        index: int,
        explicit: bool,
        record: bool,
        history: bytes,
        *,
        reseed: bool,
    ) -> State:
        state = cls.__new__(cls)
        state.rules, state.seed, state.index = rules, seed, index
        state._attach(rules.core, explicit, record)
        fault = state._load(
            np.frombuffer(row.tobytes(), np.uint8), np.frombuffer(history, np.uint8) if history else None
        )
        if fault:
            raise InvalidState(fault)
        if reseed:
            state._reseed(seed, index)
        return state

    def to_bytes(self) -> bytes:
        """The state with its random stream and history: versioned, with a checksum."""
        rules = json.dumps(self.rules.to_dict(), sort_keys=True, separators=(",", ":")).encode()
        raw, history = self._raw(), self.history
        flags = _EXPLICIT * self.explicit_chance + _RECORDING * self.recording
        head = _HEAD.pack(
            _MAGIC, _VERSION, flags, 0, self.seed, self.index, len(rules), len(raw), len(history)
        )
        body = head + rules + raw + history
        return body + _CHECKSUM.pack(zlib.crc32(body))

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """The state that `to_bytes` wrote. Raises `InvalidState` for anything else, crafted bytes
        included."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise InvalidState(f"data = {show(data)}: expected bytes")
        data = bytes(data)
        if len(data) < _HEAD.size + _CHECKSUM.size or data[:4] != _MAGIC:
            raise InvalidState(f"data: expected bytes that begin with {_MAGIC!r} and a whole header")
        _, version, flags, reserved, seed, index, n_rules, n_raw, n_history = _HEAD.unpack_from(data)
        if version != _VERSION:
            raise InvalidState(f"version = {version}: expected {_VERSION}")
        if len(data) != _HEAD.size + n_rules + n_raw + n_history + _CHECKSUM.size:
            raise InvalidState(f"length = {len(data)}: does not fit the header; the bytes are cut or altered")
        if _CHECKSUM.unpack_from(data, len(data) - _CHECKSUM.size)[0] != zlib.crc32(data[: -_CHECKSUM.size]):
            raise InvalidState("checksum: does not fit; the bytes are altered")
        if flags & ~(_EXPLICIT | _RECORDING) or reserved or n_raw != STATE.itemsize:
            raise InvalidState("header: unknown flags or another size of state")
        at = _HEAD.size
        try:
            rules = Rules.from_dict(json.loads(data[at : at + n_rules]))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise InvalidState(f"rules: not JSON ({error})") from None
        at += n_rules
        row = np.zeros(1, STATE)
        _copy_fields(row, np.frombuffer(data[at : at + n_raw], STATE))  # drops what lies in the padding
        history = data[at + n_raw : at + n_raw + n_history]
        explicit, record = bool(flags & _EXPLICIT), bool(flags & _RECORDING)
        if not row["rng"].any():
            raise InvalidState("rng: the random stream is empty")
        return cls._of(rules, row[0], seed, index, explicit, record, history, reseed=False)


def _checked_rules(rules: object) -> Rules:
    if not isinstance(rules, Rules):
        raise InvalidState(f"rules = {show(rules)}: expected a ds_sim.Rules")
    return rules


@functools.lru_cache
def _parts(
    names: tuple[str, ...] | None,
) -> tuple[np.dtype[Any], npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The dtype of these fields of a state side by side (None: the whole), where they are, and how wide."""
    if names is None:
        return STATE, np.zeros(1, np.intp), np.array([STATE.itemsize])
    known = dict(STATE.fields or {})
    for name in names:
        if name not in known:
            raise UnknownName(
                f"fields: {show(name)} is none of {', '.join(known)}{nearest(str(name), known)}"
            )
        if names.count(name) > 1:
            raise UnknownName(f"fields: {show(name)} stands there twice")
    shown = np.dtype([(name, STATE[name]) for name in names])
    places, widths = [known[name][1] for name in names], [STATE[name].itemsize for name in names]
    return shown, np.array(places, np.intp), np.array(widths, np.intp)


def _copy_fields(target: Any, source: Any) -> None:
    for name in target.dtype.names:
        if target.dtype[name].names:
            _copy_fields(target[name], source[name])
        else:
            target[name] = source[name]
