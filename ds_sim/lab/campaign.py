"""What a campaign plays: a `campaign.toml`, read and checked, and the cells and chunks it comes to.

>>> campaign = from_dict({"seed": 7, "games": 2500, "chunk": 1000, "animals": ["bird", "insect"],
...                       "variants": {"head_start": {"handicap": {"bird": 5}}}})
>>> [cell.label for cell in campaign.cells]
['base · bird, insect · uniform', 'head_start · bird, insect · uniform']
>>> [(chunk.first, chunk.games) for chunk in campaign.chunks if chunk.cell.number == 1]
[(0, 1000), (1000, 1000), (2000, 500)]
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ..board import ANIMALS
from ..errors import DsSimError, RulesError, nearest, show
from ..policies import by_animal
from ..rules import FIELDS, Rules
from ..tables import GROUPS

BASE: Final = "base"
"""The name of the rule set without any variant."""

OTHERS: Final = "others"

KEYS: Final[Mapping[str, str]] = {
    "name": "a title (default: campaign)",
    "seed": "an integer from 0 to 2**63 - 1; all cells play with it, so that games can be paired",
    "games": "games of every cell, from 1 to 2**40",
    "chunk": "games of one part, from 1 to 10,000,000 (default: 10,000)",
    "detailed": "how many games of every cell, from 0, are also told turn by turn (default: one in a "
    "hundred, but at least 100 and at most 300)",
    "columns": f"groups of columns out of {', '.join(GROUPS)} (default: all)",
    "animals": "a list of names, or a list of such lists (default: all six)",
    "subsets": 'play every subset of the animals: "all", or a list of sizes',
    "policies": "a policy, or a list of line-ups: a policy for all, a map by animal with `others`, "
    "or { rotate = [a policy per seat] }",
    "rules": "the rule set that everything starts from (default: as printed)",
    "variants": "named differences to it",
}
"""The keys of a campaign, and what they take."""


class CampaignError(DsSimError):
    """A campaign that cannot be run as asked."""


@dataclass(frozen=True)
class Cell:
    """One setting to be played: a rule set and who plays whom."""

    number: int
    variant: str
    rules: Rules
    lineup: str
    """The line-up as the campaign names it; rotations of one line-up share it."""
    policies: tuple[tuple[str, str], ...]
    """(animal, policy) of every animal in play."""

    @property
    def host(self) -> str:
        """The policy of most animals."""
        return Counter(policy for _, policy in self.policies).most_common(1)[0][0]

    @property
    def players(self) -> str:
        """Who plays, in words: "greedy", or "mammal expert, others greedy"."""
        special = [f"{animal} {policy}" for animal, policy in self.policies if policy != self.host]
        return ", ".join([*special, f"others {self.host}"]) if special else self.host

    @property
    def label(self) -> str:
        """The cell in words."""
        return f"{self.variant} · {', '.join(self.rules.animals)} · {self.players}"

    @property
    def setting(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """What two cells must share to be compared: the animals and who plays them."""
        return self.rules.animals, self.policies

    def to_dict(self) -> dict[str, Any]:
        """The cell as plain data, with its rule set complete in `rules` and named by `rules_sha256`."""
        rules = self.rules.to_dict()
        return {
            "cell": self.number,
            "variant": self.variant,
            "lineup": self.lineup,
            "policies": dict(self.policies),
            "rules": rules,
            "rules_sha256": sha256(rules),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Cell:
        """The cell that `to_dict` described."""
        policies = tuple(data["policies"].items())
        return cls(data["cell"], data["variant"], Rules.from_dict(data["rules"]), data["lineup"], policies)


@dataclass(frozen=True)
class Chunk:
    """Games `first`, ..., `first + games - 1` of a cell: one task, one part."""

    cell: Cell
    number: int
    first: int
    games: int


@dataclass(frozen=True)
class Campaign:
    """A checked campaign. Game i of every cell is game i of the run with this seed."""

    name: str
    seed: int
    games: int
    chunk: int
    detailed: int
    columns: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def chunks(self) -> Iterator[Chunk]:
        """Every chunk, cells in turn: after each round all cells have the same games, ready to be paired."""
        return itertools.chain.from_iterable(zip(*(self.chunks_of(cell) for cell in self.cells), strict=True))

    def chunks_of(self, cell: Cell) -> Iterator[Chunk]:
        """The chunks of a cell."""
        for number, first in enumerate(range(0, self.games, self.chunk)):
            yield Chunk(cell, number, first, min(self.chunk, self.games - first))

    @property
    def parts(self) -> int:
        """The number of chunks."""
        return -(-self.games // self.chunk) * len(self.cells)

    @property
    def total(self) -> int:
        """Games in all."""
        return self.games * len(self.cells)

    def to_dict(self) -> dict[str, Any]:
        """The campaign as plain data."""
        numbers = {key: getattr(self, key) for key in ("name", "seed", "games", "chunk", "detailed")}
        return numbers | {"columns": list(self.columns), "cells": [cell.to_dict() for cell in self.cells]}

    @cached_property
    def key(self) -> str:
        """16 hexadecimal digits that stand for all of it."""
        return sha256(self.to_dict())[:16]


def sha256(data: object) -> str:
    """The SHA-256 of plain data, as JSON with sorted keys."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def load(path: str | os.PathLike[str]) -> Campaign:
    """The campaign in a TOML file. Raises `CampaignError`, which names the file, the key and what is
    accepted.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CampaignError(f"{path}: not TOML: {error}") from error
    try:
        return from_dict(data)
    except DsSimError as error:
        raise CampaignError(f"{path}: {error}") from error


def from_dict(data: Mapping[str, Any]) -> Campaign:
    """The campaign that plain data describes, by the keys in `KEYS`. Raises `CampaignError`."""
    for key in data:
        if key not in KEYS:
            raise CampaignError(f"{key}: no such key; expected {', '.join(KEYS)}{nearest(key, KEYS)}")
    for key in ("seed", "games"):
        if key not in data:
            raise CampaignError(f"{key} is missing: expected {KEYS[key]}")
    name = data.get("name", "campaign")
    if not isinstance(name, str) or not name.isprintable():
        refuse("name", name, "a title that can be printed")
    groups = data.get("columns", list(GROUPS))
    if not isinstance(groups, list):
        refuse("columns", groups)
    for group in groups:
        if not isinstance(group, str) or group not in GROUPS:
            hint = nearest(group, GROUPS) if isinstance(group, str) else ""
            refuse("columns", group, f"names out of {', '.join(GROUPS)}{hint}")
    cells = _cells(data)
    games = _number("games", data["games"], 1, 2**40)
    return Campaign(
        name=name,
        seed=_number("seed", data["seed"], 0, 2**63 - 1),
        games=games,
        chunk=_number("chunk", data.get("chunk", 10_000), 1, 10_000_000),
        detailed=_number("detailed", data.get("detailed", min(max(games // 100, 100), 300)), 0, 2**40),
        columns=tuple(group for group in GROUPS if group in groups),
        cells=tuple(cells),
    )


def refuse(key: str, value: object, accepted: str | None = None) -> Any:
    raise CampaignError(f"{key} = {show(value)}: expected {accepted or KEYS[key.partition('[')[0]]}")


def _number(key: str, value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        refuse(key, value)
    return int(value)  # type: ignore[call-overload, no-any-return]


# ---- cells: animals x line-ups x variants ----


def _cells(data: Mapping[str, Any]) -> list[Cell]:
    base = _table("rules", data.get("rules", {}))
    variants: dict[str, dict[str, Any]] = {BASE: {}} | _variants(data.get("variants", {}))
    lineups = data.get("policies", "uniform")
    lineups = lineups if isinstance(lineups, list) else [lineups]
    if not lineups:
        refuse("policies", lineups)
    cells: list[Cell] = []
    changed = {BASE}
    for animals in _animals(data):
        standard = _rules("rules", base | {"animals": animals})
        for lineup, policies in _lineups(lineups, standard):
            for variant, differences in variants.items():
                rules = _rules(f"variants.{variant}", _merged(base, differences) | {"animals": animals})
                if variant == BASE or rules != standard:
                    changed.add(variant)
                    cells.append(Cell(len(cells), variant, rules, lineup, policies))
    for variant in variants:
        if variant not in changed:
            raise CampaignError(f"variants.{variant}: changes nothing of the rule set it is compared with")
    return cells


def _table(key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        refuse(key, value, "a table of fields of the rule set")
    assert isinstance(value, dict)
    for field in value:
        if field == "animals":
            raise CampaignError(f"{key}.animals: give `animals` at the top of the campaign instead")
        if field not in FIELDS:
            raise CampaignError(
                f"{key}.{field}: no such rule; expected {', '.join(FIELDS[1:])}{nearest(field, FIELDS)}"
            )
    return value


def _variants(value: object) -> dict[str, dict[str, Any]]:
    if not isinstance(value, dict):
        refuse("variants", value, "tables [variants.NAME] of differences to the rules")
    assert isinstance(value, dict)
    if BASE in value:
        raise CampaignError(f"variants.{BASE}: this name stands for the rules without a variant")
    for name in value:
        if not name.isprintable():
            refuse("variants", name, "names that can be printed")
    return {name: _table(f"variants.{name}", differences) for name, differences in value.items()}


def _merged(base: Mapping[str, Any], differences: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with the differences put in, maps entry by entry."""
    both = dict(base)
    for field, value in differences.items():
        old = both.get(field)
        both[field] = old | value if isinstance(old, dict) and isinstance(value, dict) else value
    return both


def _rules(key: str, fields: Mapping[str, Any]) -> Rules:
    try:
        return Rules.from_dict(fields)
    except RulesError as error:
        raise CampaignError(f"{key}: {error}") from error


def _animals(data: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The sets of animals to be played."""
    value = data.get("animals", list(ANIMALS))
    if not isinstance(value, list) or not value:
        refuse("animals", value)
    nested = [isinstance(item, list) for item in value]
    if any(nested) and not all(nested):
        refuse("animals", value)
    sets = [
        _rules("animals", {"animals": animals}).animals for animals in (value if all(nested) else [value])
    ]
    if len(set(sets)) < len(sets):
        refuse("animals", value, "no set of animals twice")
    if "subsets" not in data:
        return sets
    if all(nested):
        raise CampaignError("subsets: contradicts a list of lists in `animals`; expected one of both")
    return _subsets(sets[0], data["subsets"])


def _subsets(animals: tuple[str, ...], value: object) -> list[tuple[str, ...]]:
    possible = range(2, len(animals) + 1)
    sizes = list(possible) if value == "all" else value
    if (
        not isinstance(sizes, list)
        or not sizes
        or any(type(n) is not int or n not in possible for n in sizes)
    ):
        refuse("subsets", value, f'"all", or a list of sizes from 2 to {len(animals)}')
    assert isinstance(sizes, list)
    return [subset for size in sorted(set(sizes)) for subset in itertools.combinations(animals, size)]


def _lineups(values: Sequence[object], rules: Rules) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """The name and the policies by animal of every line-up; one that rotates comes once a seat.

    What comes again (a line-up that comes back to itself, or differs in absent animals only) is one: part of
    the rotation, if there is one, since a rotation is compared as a whole.
    """
    names: dict[tuple[tuple[str, str], ...], str] = {}
    for i, value in enumerate(values):
        key = f"policies[{i}]"
        for policies in _arrangements(key, value, rules):
            _check_policies(key, policies, rules)
            pairs = tuple((animal, policies[animal]) for animal in rules.animals)
            if pairs not in names or (_rotates(value) and len(set(policies.values())) > 1):
                names[pairs] = _lineup_name(value)
    for pairs, name in names.items():
        yield name, pairs


def _rotates(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"rotate"}


def _arrangements(key: str, value: object, rules: Rules) -> Iterator[dict[str, str]]:
    if isinstance(value, str):
        yield dict.fromkeys(rules.animals, value)
    elif isinstance(value, dict) and _rotates(value):
        names = value["rotate"]
        if not isinstance(names, list) or len(names) != len(rules.seats):
            refuse(f"{key}.rotate", names, f"a list of {len(rules.seats)} policies, one a seat")
        for shift in range(len(names)):
            turned = names[shift:] + names[:shift]
            yield {a: name for seat, name in zip(rules.seats, turned, strict=True) for a in seat}
    elif isinstance(value, dict):
        for animal in value:
            if animal not in (*ANIMALS, OTHERS):
                hint = nearest(animal, (*ANIMALS, OTHERS, "rotate"))
                raise CampaignError(f"{key}.{animal}: expected animals, {OTHERS}, or rotate alone{hint}")
        missing = [animal for animal in rules.animals if animal not in value]
        if missing and OTHERS not in value:
            raise CampaignError(f"{key}: {missing[0]} has no policy; add it, or {OTHERS}")
        yield {animal: value[animal] if animal in value else value[OTHERS] for animal in rules.animals}
    else:
        refuse(key, value)


def _lineup_name(value: Any) -> str:
    if isinstance(value, str):
        return value
    if _rotates(value):
        return f"rotation of {', '.join(f'{n} {name}' for name, n in Counter(value['rotate']).items())}"
    return ", ".join(f"{animal} {policy}" for animal, policy in value.items())


def _check_policies(key: str, policies: Mapping[str, Any], rules: Rules) -> None:
    for animal, name in policies.items():
        if not isinstance(name, str):
            refuse(f"{key}.{animal}", name, "the name of a policy, or `module:attribute`")
    try:
        by_animal(policies, rules)
    except DsSimError as error:
        raise CampaignError(f"{key}: {error}") from error
