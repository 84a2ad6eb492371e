"""Recorded games (protocol section 5): write, read, replay and verify them.

A record is the rule set, the seed and index, and the bytes of all actions, chance included. One record is one
line of a `.dsl.jsonl` file.

>>> record = play_record(Rules(animals=("bird", "insect")), seed=7)
>>> record.policies["bird"], len(record.actions) > 100
('uniform', True)
>>> Record.from_json(record.to_json()) == record
True
>>> record.verify().winner == record.winner
True
>>> [step.text for step in record.replay()][:2] == [actions.text(a) for a in record.actions[:2]]
True
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from . import actions
from ._files import replacing
from .board import ANIMAL_ID, ANIMALS
from .errors import DsSimError, IllegalAction, RecordError, RulesError, show
from .playouts import Results, playouts
from .policies import PolicyLike
from .rules import Rules, Table
from .state import State

FORMAT: Final = 1
"""Version of the text and the binary form."""

RULES_VERSION: Final = 1
"""Raised whenever a correction lets some game go on differently from before."""

SEED_LIMIT: Final = 2**64
"""Seeds and game indices are below this."""

_DIGEST_BYTES = 2  # kept per action
_MAGIC = b"DSLR"
_HEAD = struct.Struct("<4sBIII")  # magic, format, lengths of header, actions and digests
_CHECKSUM = struct.Struct("<I")


class Step(NamedTuple):
    """One action of a game: where it was taken and the state it led to."""

    number: int
    """Position in the record, from 0."""
    actor: str
    """Who acted: an animal, or "chance"."""
    node: str
    action: int
    state: State
    """The state after the action; a copy of its own."""

    @property
    def text(self) -> str:
        """The action's text form."""
        return actions.text(self.action)


@dataclass(frozen=True)
class Record:
    """A recorded game. An unfinished one, as in an error report, has `winner` None.

    Raises `RecordError` when a field cannot be what it says.
    """

    rules: Rules
    seed: int
    index: int
    """Which game of the run with that seed."""
    actions: bytes
    """Every presented action, chance actions included."""
    vp: Mapping[str, int]
    """The final VPs of every animal in play."""
    winner: str | None
    turns: int
    """The last turn played, from 1."""
    truncated: bool
    """Whether the game stopped at `max_turns` (R-END-3)."""
    digests: bytes = b""
    """Empty, or two bytes per action: the first of the `digest` of the state it led to."""
    rules_version: int = RULES_VERSION
    """The `RULES_VERSION` it was played under."""
    policies: Mapping[str, str] = field(default_factory=dict)
    """Who played each animal, by the name of the policy, where that is known."""
    error: str | None = None
    """In an error report: what went wrong after the last action."""

    def __post_init__(self) -> None:
        _check_integer("seed", self.seed, 0, SEED_LIMIT - 1)
        _check_integer("index", self.index, 0, SEED_LIMIT - 1)
        _check_integer("turns", self.turns, 1, self.rules.max_turns)
        _check_integer("rules_version", self.rules_version, 1, 2**31 - 1)
        _check("truncated", self.truncated, isinstance(self.truncated, bool), "true or false")
        animals = self.rules.animals
        names = ", ".join(animals)
        winners = (None, *animals)
        _check("winner", self.winner, self.winner in winners, f"one of {names}, or none if unfinished")
        complete = isinstance(self.vp, Mapping) and set(self.vp) == set(animals)
        _check("vp", self.vp, complete, f"VPs of each of {names}")
        for animal in animals:
            _check_integer(f"vp[{animal!r}]", self.vp[animal], 0, 2**31 - 1)
        fitting = len(self.digests) in (0, _DIGEST_BYTES * len(self.actions))
        _check(
            "digests", self.digests, fitting, f"{_DIGEST_BYTES} bytes for each of {len(self.actions)} actions"
        )
        named = isinstance(self.policies, Mapping) and all(
            animal in animals and isinstance(name, str) for animal, name in self.policies.items()
        )
        _check("policies", self.policies, named, f"a map from {names} to names")
        _check("error", self.error, self.error is None or isinstance(self.error, str), "a text")
        for name, values in (("vp", self.vp), ("policies", self.policies)):
            ordered = {animal: values[animal] for animal in animals if animal in values}
            object.__setattr__(self, name, Table(ordered))

    @classmethod
    def of(cls, state: State, *, error: str | None = None) -> Record:
        """The record of a state made with `record=True`, as far as its game has come."""
        return cls(
            rules=state.rules,
            seed=state.seed,
            index=state.index,
            actions=state.history,
            vp=_vp(state),
            winner=state.winner,
            turns=state.turn,
            truncated=state.truncated,
            error=error,
        )

    def start(self) -> State:
        """The state before the first action, in explicit mode."""
        return State(self.rules, seed=self.seed, index=self.index, explicit_chance=True)

    def replay(self) -> Iterator[Step]:
        """The game step by step.

        Raises `RecordError` at the first action that is illegal, or leads to another state than recorded.
        Every state is checked whole (`State.verify`); a fault found there is a bug, and no `RecordError`.
        """
        state = self.start()
        for number, action in enumerate(self.actions):
            actor, node = str(state.actor), state.node
            try:
                state.apply(action)
            except IllegalAction as error:
                raise RecordError(f"action {number}: {error}{self._age()}") from error
            state.verify()
            if self.digests and _short_digest(state) != self._digest_of(number):
                what = f"action {number} ({actions.text(action)})"
                raise RecordError(f"{what} leads to another state than recorded{self._age()}")
            yield Step(number, actor, node, action, state.clone())

    def verify(self) -> State:
        """Replay the game, compare its end with the record, and return its last state.

        Raises `RecordError` with the first thing that differs.
        """
        state = self.start()
        for step in self.replay():
            state = step.state
        self.check_end(state)
        return state

    def check_end(self, state: State) -> None:
        """Compare the recorded end with the state the actions lead to; `RecordError` tells what differs."""
        found = {"vp": _vp(state), "winner": state.winner, "turns": state.turn, "truncated": state.truncated}
        for name, value in found.items():
            recorded = getattr(self, name)
            if recorded != value:
                raise RecordError(f"{name}: recorded as {recorded!r}, replayed as {value!r}{self._age()}")

    def with_digests(self) -> Record:
        """The same record with digests, which let a later mismatch name its first action."""
        return replace(self, digests=b"".join(_short_digest(step.state) for step in self.replay()))

    def _digest_of(self, number: int) -> bytes:
        return self.digests[number * _DIGEST_BYTES : (number + 1) * _DIGEST_BYTES]

    def _age(self) -> str:
        if self.rules_version == RULES_VERSION:
            return ""
        return f" (recorded under rules version {self.rules_version}, this is {RULES_VERSION})"

    # Text form

    def to_json(self) -> str:
        """The record as one line of JSON, without the line end."""
        data = self._header() | {"actions": _to_base64(self.actions)}
        if self.digests:
            data["digests"] = _to_base64(self.digests)
        return _compact(data)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record in a line of JSON. Keys beyond the known ones are left aside."""
        data = _json_object(text)
        return cls._from_header(
            data,
            _from_base64("actions", _get(data, "actions")),
            _from_base64("digests", data.get("digests", "")),
        )

    # Binary form

    def to_bytes(self) -> bytes:
        """The record in a compact binary form with lengths and a checksum."""
        header = _compact(self._header()).encode()
        head = _HEAD.pack(_MAGIC, FORMAT, len(header), len(self.actions), len(self.digests))
        body = head + header + self.actions + self.digests
        return body + _CHECKSUM.pack(zlib.crc32(body))

    @classmethod
    def from_bytes(cls, data: bytes) -> Record:
        """The record in what `to_bytes` made."""
        if len(data) < _HEAD.size + _CHECKSUM.size:
            raise RecordError(f"record of {len(data)} bytes: too short")
        magic, version, *lengths = _HEAD.unpack_from(data)
        if magic != _MAGIC:
            raise RecordError(f"record begins with {magic!r}: expected {_MAGIC!r}")
        _check_format(version)
        if len(data) != _HEAD.size + sum(lengths) + _CHECKSUM.size:
            raise RecordError(f"record of {len(data)} bytes: does not fit its stated lengths")
        body, checksum = data[: -_CHECKSUM.size], data[-_CHECKSUM.size :]
        if _CHECKSUM.pack(zlib.crc32(body)) != checksum:
            raise RecordError("record: the checksum does not fit")
        header_end = _HEAD.size + lengths[0]
        actions_end = header_end + lengths[1]
        header = _json_object(body[_HEAD.size : header_end].decode())
        return cls._from_header(header, body[header_end:actions_end], body[actions_end:])

    def _header(self) -> dict[str, Any]:
        """Everything but the strings of bytes, in JSON types."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "index": self.index,
            "vp": dict(self.vp),
            "winner": self.winner,
            "turns": self.turns,
            "truncated": self.truncated,
            "rules_version": self.rules_version,
        }
        if self.policies:
            data["policies"] = dict(self.policies)
        if self.error is not None:
            data["error"] = self.error
        return data

    @classmethod
    def _from_header(cls, data: Mapping[str, Any], actions: bytes, digests: bytes) -> Record:
        _check_format(_get(data, "format"))
        try:
            rules = Rules.from_dict(_get(data, "rules"))
        except RulesError as error:
            raise RecordError(f"rules: {error}") from error
        return cls(
            rules=rules,
            actions=actions,
            digests=digests,
            **{field: _get(data, field) for field in ("seed", "index", "vp", "winner", "turns", "truncated")},
            rules_version=data.get("rules_version", RULES_VERSION),
            policies=data.get("policies", {}),
            error=data.get("error"),
        )


def digest(state: State) -> str:
    """16 hexadecimal digits that stand for a state: the same on every machine and in every version.

    They begin the SHA-256 of `to_dict()` without `cursor`, as JSON with sorted keys and no spaces.
    """
    plain = state.to_dict()
    plain.pop("cursor", None)
    return hashlib.sha256(_compact(plain, sort_keys=True).encode()).hexdigest()[:16]


def kept_records(results: Results) -> tuple[bytes, ...]:
    """The actions of each game; raises `RecordError` if they were not kept."""
    if results.records is None:
        raise RecordError("results: have no records; play with keep_records=True")
    return results.records


def records_of(results: Results) -> Iterator[Record]:
    """The records of games that `playouts` played with `keep_records=True`."""
    kept = kept_records(results)
    players = {
        animal: name for animal, name in zip(ANIMALS, results.policies, strict=True) if name is not None
    }
    for row, moves in enumerate(kept):
        yield Record(
            rules=results.rules,
            seed=results.seed,
            index=results.first + row,
            actions=moves,
            vp={animal: int(results.vp[row, ANIMAL_ID[animal]]) for animal in results.rules.animals},
            winner=ANIMALS[results.winner[row]],
            turns=int(results.turns[row]),
            truncated=bool(results.truncated[row]),
            policies=players,
        )


def play_record(
    rules: Rules | None = None,
    *,
    seed: int,
    index: int = 0,
    policies: PolicyLike | Mapping[str, PolicyLike] = "uniform",
    digests: bool = False,
) -> Record:
    """The record of game `index` of the run with this seed: the same game that `playouts` plays.

    With `digests` it can tell later where a replay first differs.
    """
    results = playouts(rules, 1, policies, seed=seed, first=index, threads=1, keep_records=True)
    record = next(records_of(results))
    return record.with_digests() if digests else record


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """The records of a `.dsl.jsonl` file, one by one. A bad line raises `RecordError` with its number."""
    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield Record.from_json(line.decode("utf-8"))
            except (DsSimError, UnicodeDecodeError) as error:
                raise RecordError(f"line {number}: {error}") from error


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> int:
    """Write a `.dsl.jsonl` file and return how many records it holds.

    The file appears whole or not at all: until the last record it has another name in the same folder.
    """
    written = 0
    with replacing(path) as file:
        for record in records:
            file.write(record.to_json().encode() + b"\n")
            written += 1
    return written


def _vp(state: State) -> Table[int]:
    return Table({animal: int(state.scores[ANIMAL_ID[animal]]) for animal in state.rules.animals})


def _short_digest(state: State) -> bytes:
    return bytes.fromhex(digest(state))[:_DIGEST_BYTES]


def _compact(data: object, *, sort_keys: bool = False) -> str:
    return json.dumps(data, sort_keys=sort_keys, separators=(",", ":"))


def _json_object(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise RecordError(f"record: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise RecordError(f"record = {show(data)}: expected a JSON object")
    return data


def _get(data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise RecordError(f"record: {key!r} is missing")
    return data[key]


def _check(field: str, value: object, right: bool, accepted: str) -> None:
    if not right:
        raise RecordError(f"{field} = {show(value)}: expected {accepted}")


def _check_integer(field: str, value: object, low: int, high: int) -> None:
    right = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    _check(field, value, right, f"an integer from {low} to {high}")


def _check_format(version: object) -> None:
    _check("format", version, version == FORMAT and not isinstance(version, bool), str(FORMAT))


def _to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _from_base64(field: str, text: object) -> bytes:
    try:
        return base64.b64decode(text, validate=True)  # type: ignore[arg-type]
    except (ValueError, TypeError) as error:
        raise RecordError(f"{field} = {show(text)}: expected bytes in base64") from error
