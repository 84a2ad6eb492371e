"""The rule set (rules section 8): bounds, one form, and the plain-data form of protocol section 4."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ds_sim.board import ANIMALS, CARDS, TILE_KINDS
from ds_sim.errors import RulesError
from ds_sim.rules import Rules

# R-SET-3, copied from the rules: animals in play -> APs, gene pool.
PLAYERS = {2: (7, 50), 3: (6, 45), 4: (5, 40), 5: (4, 35), 6: (3, 30)}


@pytest.mark.parametrize(("n", "pawns", "pool"), [(n, *numbers) for n, numbers in PLAYERS.items()])
def test_pawns_and_gene_pool_go_by_the_number_of_animals(n, pawns, pool):
    tables = Rules(animals=ANIMALS[:n]).tables()
    assert tables.pawns == (pawns,) * n + (0,) * (6 - n)
    assert tables.gene_pool == (pool,) * n + (0,) * (6 - n)


def test_the_printed_game():
    tables = Rules().tables()
    assert tables.animals == (True,) * 6
    assert tables.seats == (1, 2, 4, 8, 16, 32)
    assert tables.bonus_vp == (1, 3, 6, 10, 15, 21, 28, 36, 45)
    assert tables.tile_values == (
        (9, 5, 3, 2),
        (8, 4, 2, 1),
        (7, 4, 2),
        (6, 3, 2),
        (5, 3, 2),
        (4, 2),
        (3, 2),
        (1,),
    )
    assert tables.speciation_limits == (4, 4, 3, 3, 3, 2, 2, 1)
    assert tables.cards == 2**26 - 1
    assert tables.handicap == (0,) * 6
    assert tables.abilities == (True,) * 6
    assert (tables.tundra_tiles, tables.max_turns) == (11, 100)
    assert not tables.initiative_restay and not tables.declared


def test_animals_not_in_play_have_nothing_in_the_tables():
    tables = Rules(animals=["insect", "bird"], handicap=4).tables()
    assert tables.animals == tables.abilities == (False, False, True, False, False, True)
    assert tables.pawns == (0, 0, 7, 0, 0, 7)
    assert tables.handicap == (0, 0, 4, 0, 0, 4)
    assert tables.seats == (0b000100, 0b100000)


def test_the_order_animals_are_given_in_does_not_matter():
    assert Rules(animals=["insect", "mammal"]) == Rules(animals=("mammal", "insect"))
    assert Rules(animals={"insect", "mammal"}).animals == ("mammal", "insect")


def test_seats_are_kept_in_food_chain_order():
    rules = Rules(seats=[["insect", "reptile"], ["arachnid", "amphibian", "bird"], ["mammal"]])
    assert rules.seats == (("mammal",), ("reptile", "insect"), ("bird", "amphibian", "arachnid"))
    assert rules.tables().seats == (0b000001, 0b100010, 0b011100)


def test_entries_for_animals_not_in_play_are_checked_then_ignored():
    two = Rules(animals=("mammal", "bird"))
    assert Rules(animals=("mammal", "bird"), pawns={"insect": 40}, abilities={"reptile": False}) == two
    with pytest.raises(RulesError, match=r"pawns\['insect'\] = 41: expected an integer from 0 to 40"):
        Rules(animals=("mammal", "bird"), pawns={"insect": 41})
    with pytest.raises(RulesError, match=r"abilities\['reptile'\] = 0: expected true or false"):
        Rules(animals=("mammal", "bird"), abilities={"reptile": 0})


def test_cards_lose_order_and_repeats_and_gain_ice_age():
    assert Rules(cards=["predator", "aquatic", "predator"]).cards == ("aquatic", "ice_age", "predator")
    assert Rules(cards=[]).cards == ("ice_age",)
    assert Rules(cards=set(CARDS)) == Rules()


def test_integers_of_numpy_are_integers():
    rules = Rules(pawns=np.int64(9), tundra_tiles=np.uint8(3), bonus_vp=[np.int32(4)])
    assert rules == Rules(pawns=9, tundra_tiles=3, bonus_vp=(4,))
    assert json.loads(json.dumps(rules.to_dict())) == rules.to_dict()


def test_plain_data_holds_only_what_differs():
    """Protocol section 4: animals always, maps with the entries that differ, a number for all as a map."""
    assert Rules().to_dict() == {"animals": list(ANIMALS)}
    rules = Rules(
        animals=("bird", "mammal"),
        seats=[["bird"], ["mammal"]],
        pawns={"bird": 7, "mammal": 8},
        gene_pool=50,
        handicap=2,
        tile_values={"sea": [9, 5, 3, 2], "tundra": []},
        speciation_limits={"desert": 2},
        cards=["symbiotic", "aquatic"],
        abilities={"mammal": True, "bird": False},
        dominance_claims="declared",
    )
    assert rules.to_dict() == {
        "animals": ["mammal", "bird"],
        "pawns": {"mammal": 8},
        "tile_values": {"tundra": []},
        "cards": ["aquatic", "ice_age", "symbiotic"],
        "handicap": {"mammal": 2, "bird": 2},
        "abilities": {"bird": False},
        "dominance_claims": "declared",
    }


LARGEST = {
    "pawns": 40,
    "gene_pool": 200,
    "handicap": 1000,
    "tundra_tiles": 28,
    "max_turns": 1000,
    "bonus_vp": [1000] * 28,
    "tile_values": {"sea": [100] * 6},
    "speciation_limits": {"tundra": 15},
}
SMALLEST = {
    "pawns": 0,
    "gene_pool": 0,
    "handicap": 0,
    "tundra_tiles": 0,
    "max_turns": 1,
    "bonus_vp": [0],
    "tile_values": {"sea": []},
    "speciation_limits": {"tundra": 0},
}


@pytest.mark.parametrize("values", [LARGEST, SMALLEST])
def test_the_bounds_themselves_are_accepted(values):
    rules = Rules.from_dict(values)
    assert Rules.from_dict(rules.to_dict()) == rules


REFUSED = [
    ("animals", ["mammal"]),
    ("animals", ["mammal", "mammal"]),
    ("animals", ["mammal", "reptile", "mammal"]),
    ("animals", "mammal"),
    ("animals", ["mammal", "brid"]),
    ("animals", ["mammal", 2]),
    ("animals", []),
    ("seats", [["mammal", "reptile", "bird"]]),
    ("seats", [["mammal", "reptile", "bird"], ["amphibian", "arachnid", "insect"], []]),
    ("seats", [["mammal", "mammal"], ["reptile", "bird", "amphibian", "arachnid", "insect"]]),
    ("seats", [["mammal", "reptile", "bird"], ["bird", "amphibian", "arachnid", "insect"]]),
    ("seats", list(ANIMALS)),
    ("seats", "mammal"),
    ("seats", {"mammal": ["bird"]}),
    ("pawns", -1),
    ("pawns", 41),
    ("pawns", True),
    ("pawns", 3.0),
    ("pawns", float("nan")),
    ("pawns", "3"),
    ("pawns", [3] * 6),
    ("pawns", {"brid": 3}),
    ("pawns", {"bird": None}),
    ("pawns", {0: 3}),
    ("pawns", 10**30),
    ("gene_pool", 201),
    ("gene_pool", {"bird": -1}),
    ("handicap", 1001),
    ("handicap", -1),
    ("bonus_vp", []),
    ("bonus_vp", [1] * 29),
    ("bonus_vp", [1001]),
    ("bonus_vp", [1, -1]),
    ("bonus_vp", [1.5]),
    ("bonus_vp", "123"),
    ("bonus_vp", 3),
    ("tile_values", {"sea": [1] * 7}),
    ("tile_values", {"sea": [101]}),
    ("tile_values", {"sea": 9}),
    ("tile_values", {"lake": [1]}),
    ("tile_values", [[9]] * 8),
    ("speciation_limits", {"sea": 16}),
    ("speciation_limits", {"sea": False}),
    ("speciation_limits", 4),
    ("tundra_tiles", 29),
    ("tundra_tiles", -1),
    ("tundra_tiles", {"bird": 1}),
    ("cards", ["ice"]),
    ("cards", "ice_age"),
    ("cards", {"ice_age": True}),
    ("abilities", True),
    ("abilities", {"bird": 1}),
    ("abilities", {"brid": True}),
    ("initiative_restay", 1),
    ("initiative_restay", "true"),
    ("dominance_claims", "claimed"),
    ("dominance_claims", True),
    ("max_turns", 0),
    ("max_turns", 1001),
    ("max_turns", True),
]


@pytest.mark.parametrize(("field", "value"), REFUSED)
def test_a_value_out_of_bounds_is_refused_by_the_name_of_its_field(field, value):
    for make in (Rules.from_dict, lambda data: Rules(**data)):
        with pytest.raises(RulesError, match=rf"^{field}.* = .*: expected "):
            make({field: value})


def test_null_is_no_value_in_plain_data():
    for field in Rules().__dataclass_fields__:
        with pytest.raises(RulesError, match=f"^{field} = None"):
            Rules.from_dict({field: None})


def test_an_unknown_field_is_refused_with_a_hint():
    with pytest.raises(RulesError, match=r"'max_turn'.*did you mean 'max_turns'\?"):
        Rules.from_dict({"max_turn": 3})
    with pytest.raises(RulesError, match="'turns'"):
        Rules().replace(turns=3)
    for wrong in ([], "mammal", None, 3):
        with pytest.raises(RulesError, match="a map of field names"):
            Rules.from_dict(wrong)


def test_a_seat_is_refused_when_its_animal_is_not_in_play():
    with pytest.raises(RulesError, match=r"^seats = 'insect': expected a name out of mammal, bird"):
        Rules(animals=("mammal", "bird"), seats=[["mammal"], ["bird"], ["insect"]])


def test_a_rule_set_cannot_change():
    rules = Rules()
    with pytest.raises(FrozenInstanceError):
        rules.max_turns = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        rules.pawns["bird"] = 3  # type: ignore[index]


def test_replace_lets_defaults_follow():
    assert Rules(max_turns=7).replace(animals=ANIMALS[:2]) == Rules(animals=ANIMALS[:2], max_turns=7)
    assert Rules(pawns={"bird": 9}).replace(pawns={"mammal": 1}) == Rules(pawns={"mammal": 1})
    assert replace(Rules(), max_turns=7) == Rules(max_turns=7)


names = st.sampled_from(ANIMALS)
tiles = st.sampled_from(TILE_KINDS)


def numbers(high: int) -> st.SearchStrategy[int]:
    return st.integers(0, high)


def for_animals(high: int) -> st.SearchStrategy[object]:
    return numbers(high) | st.dictionaries(names, numbers(high))


@st.composite
def plain_rules(draw: st.DrawFn) -> dict[str, object]:
    """Plain data of any rule set, each field given or left out."""
    animals = draw(st.permutations(ANIMALS))[: draw(st.integers(2, 6))]
    seat_of = [draw(st.integers(0, len(animals) - 1)) for _ in animals]
    seats = [[a for a, seat in zip(animals, seat_of, strict=True) if seat == s] for s in set(seat_of)]
    fields = st.fixed_dictionaries(
        {"animals": st.just(animals)},
        optional={
            "seats": st.permutations(seats),
            "pawns": for_animals(40),
            "gene_pool": for_animals(200),
            "bonus_vp": st.lists(numbers(1000), min_size=1, max_size=28),
            "tile_values": st.dictionaries(tiles, st.lists(numbers(100), max_size=6)),
            "speciation_limits": st.dictionaries(tiles, numbers(15)),
            "tundra_tiles": numbers(28),
            "cards": st.lists(st.sampled_from(CARDS)),
            "handicap": for_animals(1000),
            "abilities": st.dictionaries(names, st.booleans()),
            "initiative_restay": st.booleans(),
            "dominance_claims": st.sampled_from(["automatic", "declared"]),
            "max_turns": st.integers(1, 1000),
        },
    )
    return draw(fields)


@given(plain_rules())
def test_plain_data_comes_back(data):
    rules = Rules.from_dict(data)
    plain = rules.to_dict()
    assert Rules.from_dict(json.loads(json.dumps(plain))) == rules
    assert Rules.from_dict(plain).to_dict() == plain
    assert eval(repr(rules), {"Rules": Rules}) == rules


@given(plain_rules())
def test_copies_are_equal_and_hash_alike(data):
    rules = Rules.from_dict(data)
    copies = [copy.copy(rules), copy.deepcopy(rules), rules.replace()]
    copies += [pickle.loads(pickle.dumps(rules, protocol)) for protocol in range(2, 6)]
    for other in copies:
        assert other == rules and hash(other) == hash(rules) and other.tables() == rules.tables()


@given(plain_rules(), plain_rules())
def test_rule_sets_are_equal_exactly_when_their_plain_data_is(a, b):
    one, other = Rules.from_dict(a), Rules.from_dict(b)
    assert (one == other) == (one.to_dict() == other.to_dict())
    assert (one == other) == (one.tables() == other.tables())


@given(plain_rules())
def test_tables_follow_the_given_values(data):
    tables = Rules.from_dict(data).tables()
    animals = data["animals"]
    assert tables.animals == tuple(animal in animals for animal in ANIMALS)
    default_pawns, default_pool = PLAYERS[len(animals)]
    for field, default, table in (
        ("pawns", default_pawns, tables.pawns),
        ("gene_pool", default_pool, tables.gene_pool),
        ("handicap", 0, tables.handicap),
    ):
        given_value = data.get(field, {})
        for i, animal in enumerate(ANIMALS):
            wanted = given_value if isinstance(given_value, int) else given_value.get(animal, default)
            assert table[i] == (wanted if animal in animals else 0)
    assert sum(tables.seats) == sum(1 << ANIMALS.index(animal) for animal in animals)
    assert {i for i in range(26) if tables.cards >> i & 1} == {
        CARDS.index(card) for card in [*data.get("cards", CARDS), "ice_age"]
    }
