"""The rule set (rules section 8): a frozen, validated value, with the printed game as its default.

>>> rules = Rules(animals=("insect", "bird"), pawns={"bird": 5}, cards=["omnivore"])
>>> rules
Rules(animals=('bird', 'insect'), pawns={'bird': 5}, cards=('ice_age', 'omnivore'))
>>> rules.pawns["bird"], rules.pawns["insect"]      # maps are filled up with the defaults
(5, 7)
>>> Rules.from_dict(rules.to_dict()) == rules
True
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from ._core.rules import CoreRules
from .board import ANIMAL_ID, ANIMALS, CARD_ID, CARDS, TILE_KINDS, example
from .errors import RulesError, nearest, show

T = TypeVar("T")

# R-SET-3, by the number of animals in play.
PAWNS: Final = {2: 7, 3: 6, 4: 5, 5: 4, 6: 3}
GENE_POOL: Final = {2: 50, 3: 45, 4: 40, 5: 35, 6: 30}

BONUS_VP: Final = (1, 3, 6, 10, 15, 21, 28, 36, 45)
"""R-VP-1, for quantities 1, 2, ..."""

TILE_VALUES: Final = {
    "sea": (9, 5, 3, 2),
    "wetland": (8, 4, 2, 1),
    "savannah": (7, 4, 2),
    "jungle": (6, 3, 2),
    "forest": (5, 3, 2),
    "desert": (4, 2),
    "mountain": (3, 2),
    "tundra": (1,),
}
"""R-DMN-1."""

SPECIATION_LIMITS: Final = {
    "sea": 4,
    "wetland": 4,
    "savannah": 3,
    "jungle": 3,
    "forest": 3,
    "desert": 2,
    "mountain": 2,
    "tundra": 1,
}
"""R-SPE-1."""

AUTOMATIC, DECLARED = "automatic", "declared"


class Table(Mapping[str, T]):
    """A small map that cannot change, so that a rule set can be hashed.

    >>> Table({"sea": 4})
    {'sea': 4}
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, T]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: str) -> T:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)


class RuleTables(NamedTuple):
    """A rule set as the plain numbers the engine runs on.

    Tuples by animal have length 6 in food chain order, with 0 or False for animals not in play; tuples by
    tile have length 8, the terrains and then tundra.
    """

    animals: tuple[bool, ...]
    """Who is in play."""
    seats: tuple[int, ...]
    """One per seat: the animals it runs as a bit set, bit 0 the mammal."""
    pawns: tuple[int, ...]
    gene_pool: tuple[int, ...]
    bonus_vp: tuple[int, ...]
    """1 to 28 numbers, for quantities 1, 2, ...; the last holds for all above."""
    tile_values: tuple[tuple[int, ...], ...]
    """By tile: up to 6 numbers, for the first, second, ... animal."""
    speciation_limits: tuple[int, ...]
    tundra_tiles: int
    cards: int
    """The deck as a bit set, bit 0 for C-1."""
    handicap: tuple[int, ...]
    abilities: tuple[bool, ...]
    initiative_restay: bool
    declared: bool
    """Whether dominance is claimed (`dominance_claims="declared"`)."""
    max_turns: int


@dataclass(frozen=True, init=False, repr=False)
class Rules:
    """A rule set. Everything that is not given is as printed.

    Values are checked against the bounds of rules section 8, else `RulesError`, and brought to one form:
    animals, seats and cards in their order, maps complete, numbers for all spread over the animals. Two rule
    sets are equal when all their values in that form are; they can be hashed, copied and pickled.
    """

    animals: tuple[str, ...]
    """The 2 to 6 animals in play, in food chain order."""
    seats: tuple[tuple[str, ...], ...]
    """Who runs which: a partition of `animals`, in food chain order. Default: one animal each."""
    pawns: Table[int]
    """APs by animal in play, 0 to 40 (R-SET-3)."""
    gene_pool: Table[int]
    """Species in the gene pool after setup by animal in play, 0 to 200 (R-SET-3)."""
    bonus_vp: tuple[int, ...]
    """Bonus VPs for quantities 1, 2, ... (R-VP-1): 1 to 28 numbers of 0 to 1000; the last holds on."""
    tile_values: Table[tuple[int, ...]]
    """By terrain, and "tundra": up to 6 numbers of 0 to 100 (R-DMN-1)."""
    speciation_limits: Table[int]
    """By terrain, and "tundra": 0 to 15 (R-SPE-1)."""
    tundra_tiles: int
    """Tundra tiles besides the first, 0 to 28."""
    cards: tuple[str, ...]
    """The cards in the deck, in C order, `ice_age` always among them."""
    handicap: Table[int]
    """VPs at the start by animal in play, 0 to 1000."""
    abilities: Table[bool]
    """Whether an animal in play has its special ability: the mammal's save, the reptile's free regression,
    the bird's two steps, the amphibian's third element, the arachnid's free competition, the insect's free
    speciation."""
    initiative_restay: bool
    """Whether the initiative pawn may go back where it was (R-INI-2)."""
    dominance_claims: str
    """"automatic" or "declared" (R-DOM-4)."""
    max_turns: int
    """A game is stopped after so many turns, 1 to 1000 (R-END-3)."""

    def __init__(
        self,
        animals: Iterable[str] = ANIMALS,
        seats: Iterable[Iterable[str]] | None = None,
        pawns: int | Mapping[str, int] | None = None,
        gene_pool: int | Mapping[str, int] | None = None,
        bonus_vp: Sequence[int] = BONUS_VP,
        tile_values: Mapping[str, Sequence[int]] | None = None,
        speciation_limits: Mapping[str, int] | None = None,
        tundra_tiles: int = 11,
        cards: Iterable[str] = CARDS,
        handicap: int | Mapping[str, int] | None = None,
        abilities: Mapping[str, bool] | None = None,
        initiative_restay: bool = False,
        dominance_claims: str = AUTOMATIC,
        max_turns: int = 100,
    ) -> None:
        animals = _animals(animals)
        values = {
            "animals": animals,
            "seats": _seats(seats, animals),
            "pawns": _by_animal("pawns", pawns, animals, PAWNS[len(animals)], 40),
            "gene_pool": _by_animal("gene_pool", gene_pool, animals, GENE_POOL[len(animals)], 200),
            "bonus_vp": _numbers("bonus_vp", bonus_vp, 1, 28, 1000),
            "tile_values": _tile_values("tile_values", tile_values),
            "speciation_limits": _limits("speciation_limits", speciation_limits),
            "tundra_tiles": _number("tundra_tiles", tundra_tiles, 0, 28),
            "cards": _cards(cards),
            "handicap": _by_animal("handicap", handicap, animals, 0, 1000),
            "abilities": _map("abilities", abilities, dict.fromkeys(animals, True), ANIMALS, _bool),
            "initiative_restay": _bool("initiative_restay", initiative_restay),
            "dominance_claims": _claims(dominance_claims),
            "max_turns": _number("max_turns", max_turns, 1, 1000),
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rules:
        """The rule set that plain data (protocol section 4) describes; fields left out are as printed."""
        if not isinstance(data, Mapping):
            _refuse("rules", data, "a map of field names to values")
        for field, value in data.items():
            if field not in FIELDS:
                hint = nearest(field, FIELDS) if isinstance(field, str) else ""
                _refuse("rules", field, f"field names out of {', '.join(FIELDS)}{hint}")
            if value is None:
                _refuse(field, value, "a value; leave the field out for its default")
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """The plain data of protocol section 4: `animals`, and every field and entry that is not as printed.

        >>> Rules(animals=("bird", "insect"), handicap=3, tile_values={"sea": [9]}).to_dict()
        {'animals': ['bird', 'insect'], 'tile_values': {'sea': [9]}, 'handicap': {'bird': 3, 'insect': 3}}
        """
        return {"animals": list(self.animals)} | {k: _plain(v) for k, v in self._differences().items()}

    def replace(self, **changes: Any) -> Rules:
        """This rule set with some fields changed. Fields that were at their default follow the change:

        >>> Rules().replace(animals=("mammal", "bird")).pawns
        {'mammal': 7, 'bird': 7}
        """
        return Rules.from_dict({"animals": self.animals} | self._differences() | changes)

    def tables(self) -> RuleTables:
        """The rule set as plain numbers, everything filled in."""

        def by_animal(values: Mapping[str, int]) -> tuple[int, ...]:
            return tuple(values.get(animal, 0) for animal in ANIMALS)

        return RuleTables(
            animals=tuple(animal in self.animals for animal in ANIMALS),
            seats=tuple(sum(1 << ANIMAL_ID[animal] for animal in seat) for seat in self.seats),
            pawns=by_animal(self.pawns),
            gene_pool=by_animal(self.gene_pool),
            bonus_vp=self.bonus_vp,
            tile_values=tuple(self.tile_values[tile] for tile in TILE_KINDS),
            speciation_limits=tuple(self.speciation_limits[tile] for tile in TILE_KINDS),
            tundra_tiles=self.tundra_tiles,
            cards=sum(1 << CARD_ID[card] for card in self.cards),
            handicap=by_animal(self.handicap),
            abilities=tuple(self.abilities.get(animal, False) for animal in ANIMALS),
            initiative_restay=self.initiative_restay,
            declared=self.dominance_claims == DECLARED,
            max_turns=self.max_turns,
        )

    @cached_property
    def core(self) -> CoreRules:
        """The rule set as the compiled core reads it; made once."""
        return CoreRules(self.tables())

    def _differences(self) -> dict[str, Any]:
        """Every field but `animals` that differs from its default; of maps, the entries that do."""
        standard = Rules(self.animals)
        different: dict[str, Any] = {}
        for field in FIELDS[1:]:
            value, default = getattr(self, field), getattr(standard, field)
            if isinstance(value, Table):
                value, default = {k: v for k, v in value.items() if v != default[k]}, {}
            if value != default:
                different[field] = value
        return different

    def __repr__(self) -> str:
        shown = {"animals": self.animals} | self._differences()
        return f"Rules({', '.join(f'{field}={value!r}' for field, value in shown.items())})"

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], Rules], tuple[dict[str, Any]]]:
        # Copies and pickles pass through the checks like any other plain data.
        return Rules.from_dict, (self.to_dict(),)


FIELDS: Final = tuple(Rules.__dataclass_fields__)
"""The names of the fields, in the order of rules section 8."""


def _plain(value: Any) -> Any:
    """`value` in JSON types."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _refuse(field: str, value: object, accepted: str) -> NoReturn:
    raise RulesError(f"{field} = {show(value)}: expected {accepted}")


def _number(field: str, value: object, low: int, high: int) -> int:
    # Integers of NumPy are welcome; True is no number, nor is 3.0 or "3".
    try:
        number = low - 1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        _refuse(field, value, f"an integer from {low} to {high}")
    return int(number)


def _numbers(field: str, value: object, shortest: int, longest: int, high: int) -> tuple[int, ...]:
    accepted = f"a list of {shortest} to {longest} integers from 0 to {high}"
    if not isinstance(value, (list, tuple)) or not shortest <= len(value) <= longest:
        _refuse(field, value, accepted)
    return tuple(_number(f"{field}[{i}]", item, 0, high) for i, item in enumerate(value))


def _bool(field: str, value: object) -> bool:
    if not isinstance(value, bool):
        _refuse(field, value, "true or false")
    return value


def _tile_values(field: str, value: object) -> Table[tuple[int, ...]]:
    return _map(field, value, TILE_VALUES, TILE_KINDS, lambda name, item: _numbers(name, item, 0, 6, 100))


def _limits(field: str, value: object) -> Table[int]:
    return _map(field, value, SPECIATION_LIMITS, TILE_KINDS, lambda name, item: _number(name, item, 0, 15))


def _claims(value: object) -> str:
    if not isinstance(value, str) or value not in (AUTOMATIC, DECLARED):
        _refuse("dominance_claims", value, f"{AUTOMATIC!r} or {DECLARED!r}")
    return str(value)


def _name(field: str, value: object, known: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in known:
        hint = nearest(value, known) if isinstance(value, str) else ""
        _refuse(field, value, f"a name out of {example(known)}{hint}")
    return value


def _names(field: str, value: object, known: Sequence[str]) -> list[str]:
    if not isinstance(value, (list, tuple, set, frozenset)):
        _refuse(field, value, f"a list of names out of {example(known)}")
    return [_name(field, name, known) for name in value]


def _animals(value: object) -> tuple[str, ...]:
    names = _names("animals", value, ANIMALS)
    if not 2 <= len(set(names)) == len(names):
        _refuse("animals", value, "2 to 6 different animals")
    return tuple(animal for animal in ANIMALS if animal in names)


def _seats(value: object, animals: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    if value is None:
        return tuple((animal,) for animal in animals)
    accepted = f"each of {', '.join(animals)} in exactly one seat, and no seat without an animal"
    if not isinstance(value, (list, tuple, set, frozenset)):
        _refuse("seats", value, accepted)
    seats = sorted(sorted(map(ANIMAL_ID.__getitem__, _names("seats", seat, animals))) for seat in value)
    everyone = sorted(animal for seat in seats for animal in seat)
    if [] in seats or everyone != [ANIMAL_ID[animal] for animal in animals]:
        _refuse("seats", value, accepted)
    return tuple(tuple(ANIMALS[i] for i in seat) for seat in seats)


def _cards(value: object) -> tuple[str, ...]:
    deck = {*_names("cards", value, CARDS), "ice_age"}
    return tuple(card for card in CARDS if card in deck)


def _map(
    field: str,
    value: object,
    default: Mapping[str, T],
    known: Sequence[str],
    check: Callable[[str, object], T],
) -> Table[T]:
    """`default` with the entries of `value` put in. Entries it has no place for are checked, then ignored."""
    if value is None:
        return Table(default)
    if not isinstance(value, Mapping):
        _refuse(field, value, f"a map from names out of {example(known)}")
    entries = {
        _name(f"{field} key", key, known): check(f"{field}[{key!r}]", item) for key, item in value.items()
    }
    return Table({key: entries.get(key, standard) for key, standard in default.items()})


def _by_animal(field: str, value: object, animals: tuple[str, ...], default: int, high: int) -> Table[int]:
    def check(name: str, number: object) -> int:
        return _number(name, number, 0, high)

    if value is None or isinstance(value, Mapping):
        return _map(field, value, dict.fromkeys(animals, default), ANIMALS, check)
    if isinstance(value, (list, tuple, str)):
        _refuse(field, value, f"an integer from 0 to {high}, or a map from animals to such")
    return Table(dict.fromkeys(animals, check(field, value)))
