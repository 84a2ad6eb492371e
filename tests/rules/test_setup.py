"""Components and setup: R-SET-1 to R-SET-7."""

import pytest
from positions import at, corner_names, execute, get, legal, play, settle

import ds_sim as ds

STARTING_SPECIES = {
    "C3": {"bird": 1, "amphibian": 1, "arachnid": 2},
    "C4": {"mammal": 1, "bird": 2, "arachnid": 1},
    "D2": {"amphibian": 2, "arachnid": 1, "insect": 1},
    "D3": {},
    "D4": {"mammal": 2, "reptile": 1, "bird": 1},
    "E3": {"reptile": 1, "amphibian": 1, "insect": 2},
    "E4": {"mammal": 1, "reptile": 2, "insect": 1},
}


def fresh(**rules):
    return ds.State(ds.Rules(**rules), explicit_chance=True)


def species_of(state):
    return {h: tile.get("species", {}) for h, tile in get(state, "tiles").items()}


def test_r_set_1_the_board_has_35_hexes_and_92_corners_with_names():
    assert [ds.actions.text(140 + h) for h in (0, 3, 4, 8, 17, 34)] == [
        "hex:A1",
        "hex:A4",
        "hex:B1",
        "hex:B5",
        "hex:D3",
        "hex:G4",
    ]
    assert len(set(corner_names())) == 92


def test_r_set_1_a_corner_has_a_name_for_each_hex_it_touches():
    for name in ("D3.e", "E3.sw", "E4.nw"):
        assert ds.actions.parse(f"corner:{name}") == 48 + 55
    assert ds.actions.text(48 + 55) == "corner:D3.e"


def test_r_set_1_an_element_can_lie_on_the_outer_rim():
    state = execute("mammal bird", {"abundance_1": "bird"}, tiles={"B2": "sea", "A1": "sea"})
    play(state, "element:grub")
    assert {"corner:A1.w", "corner:A1.nw", "corner:A1.sw"} <= set(legal(state))
    play(state, "corner:A1.w")
    assert get(state, "corners") == {"A1.w": "grub"}


def test_r_set_1_an_element_needs_a_vacant_corner_that_touches_a_tile():
    state = execute("mammal bird", {"abundance_1": "bird"}, corners={"D3.e": "sun", "E4.e": "sun"})
    play(state, "element:grub")
    assert legal(state) == [
        f"corner:{c}"
        for c in (
            "B2.se",
            "B3.se",
            "B2.e",
            "B3.e",
            "B4.e",
            "C2.se",
            "C3.se",
            "C4.se",
            "C2.e",
            "C3.e",
            "C4.e",
            "C5.e",
            "D1.se",
            "D2.se",
            "D3.se",
            "D4.se",
            "D2.e",
            "D4.e",
            "E2.se",
            "E3.se",
            "E4.se",
            "E3.e",
        )
    ]


def test_r_set_2_each_animal_starts_with_its_fixed_elements():
    assert get(fresh(), "elements") == {
        "mammal": {"meat": 2},
        "reptile": {"sun": 2},
        "bird": {"seed": 2},
        "amphibian": {"water": 3},
        "arachnid": {"grub": 2},
        "insect": {"grass": 2},
    }


def test_r_set_2_animals_are_kept_in_food_chain_order():
    assert ds.Rules(animals=("insect", "bird", "mammal")).animals == ("mammal", "bird", "insect")
    assert [ds.actions.text(a) for a in range(175, 181)] == [
        "animal:mammal",
        "animal:reptile",
        "animal:bird",
        "animal:amphibian",
        "animal:arachnid",
        "animal:insect",
    ]


def test_r_set_2_fixed_elements_are_never_lost():
    state = execute(
        "mammal bird amphibian",
        {"depletion": "bird"},
        boxes={"regression": "meat seed water water"},
        held={"amphibian": "water"},
    )
    assert get(state, "elements") == {"mammal": {"meat": 2}, "bird": {"seed": 2}, "amphibian": {"water": 3}}


@pytest.mark.parametrize(
    ("names", "pawns", "pool"),
    [
        ("mammal bird", 7, 50),
        ("mammal bird insect", 6, 45),
        ("mammal reptile bird insect", 5, 40),
        ("mammal reptile bird amphibian insect", 4, 35),
        ("mammal reptile bird amphibian arachnid insect", 3, 30),
    ],
)
def test_r_set_3_pawns_and_gene_pools_depend_on_the_number_of_animals(names, pawns, pool):
    state = fresh(animals=tuple(names.split()))
    assert get(state, "pawns") == dict.fromkeys(names.split(), pawns)
    assert get(state, "gene_pool") == dict.fromkeys(names.split(), pool)


def test_r_set_3_one_animal_alone_or_the_same_twice_cannot_play():
    with pytest.raises(ValueError, match="animals"):
        ds.Rules(animals=("bird",))
    with pytest.raises(ValueError, match="animals"):
        ds.Rules(animals=("bird", "mammal", "bird"))


def test_r_set_3_only_animals_in_play_place_their_starting_species():
    two, six = fresh(animals=("mammal", "bird")), fresh()
    assert species_of(two) == {
        "C3": {"bird": 1},
        "C4": {"mammal": 1, "bird": 2},
        "D2": {},
        "D3": {},
        "D4": {"mammal": 2, "bird": 1},
        "E3": {},
        "E4": {"mammal": 1},
    }
    for same in ("corners", "bag", "unseen_tiles", "stacks"):
        assert get(two, same) == get(six, same)


def test_r_set_4_the_starting_earth():
    state = fresh()
    assert species_of(state) == STARTING_SPECIES
    assert {h: tile["terrain"] for h, tile in get(state, "tiles").items()} == {
        "D3": "sea",
        "D2": "wetland",
        "E3": "savannah",
        "E4": "desert",
        "D4": "mountain",
        "C4": "forest",
        "C3": "jungle",
    }
    assert [h for h, tile in get(state, "tiles").items() if tile.get("tundra")] == ["D3"]
    assert get(state, "corners") == {
        "D2.e": "grass",
        "D3.e": "grass",
        "E3.se": "sun",
        "D3.se": "sun",
        "D4.e": "meat",
        "C4.e": "meat",
        "C4.se": "seed",
        "C3.se": "seed",
        "B3.e": "grub",
        "C3.e": "grub",
        "C2.se": "water",
        "D2.se": "water",
    }


def test_r_set_5_the_supply():
    state = fresh()
    assert get(state, "bag") == dict.fromkeys(("meat", "sun", "seed", "water", "grub", "grass"), 18)
    assert get(state, "unseen_tiles") == {
        "sea": 6,
        "wetland": 3,
        "savannah": 3,
        "jungle": 3,
        "forest": 3,
        "desert": 3,
        "mountain": 3,
    }
    assert get(state, "stacks") == [{"face_up": None, "left": 8}] * 3
    assert get(state, "tundra_left") == 11


def test_r_set_5_any_of_25_cards_may_come_first_but_not_ice_age():
    outcomes = fresh().chance_outcomes()
    assert [action for action, _ in outcomes] == [c for c in range(200, 226) if c != 213]
    assert [p for _, p in outcomes] == pytest.approx([1 / 25] * 25)


def test_r_set_5_ice_age_is_the_last_card():
    state = fresh(cards=("ice_age", "habitat", "symbiotic"))
    assert legal(state) == ["card:habitat", "card:symbiotic"]
    play(state, "card:symbiotic")
    assert get(state, "cards") == {"face_up": ["habitat", "ice_age", "symbiotic"], "taken": []}
    assert state.node == "reveal_tile"


@pytest.mark.parametrize(
    ("names", "order"),
    [
        ("mammal reptile bird amphibian arachnid insect", "insect arachnid amphibian bird reptile mammal"),
        ("mammal bird amphibian", "amphibian bird mammal"),
    ],
)
def test_r_set_6_initiative_starts_in_reverse_food_chain_order(names, order):
    assert get(fresh(animals=tuple(names.split())), "initiative") == order.split()


def test_r_set_7_first_five_cards_then_three_tiles_then_twelve_elements():
    state, nodes = fresh(), []
    while state.actor == "chance":
        nodes.append(state.node)
        state.apply(int(state.legal_actions()[0]))
    assert nodes == ["reveal_card"] * 5 + ["reveal_tile"] * 3 + ["draw_element"] * 12
    assert state.node == "place"
    assert get(state, "vp") == {}


def test_r_set_7_four_elements_each_into_adaptation_abundance_and_wanderlust_in_this_order():
    state = fresh()
    while state.node != "draw_element":
        state.apply(int(state.legal_actions()[0]))
    play(state, *["element:sun"] * 4, *["element:grub"] * 4, "element:meat", *["element:seed"] * 3)
    assert get(state, "boxes") == {
        "adaptation": {"sun": 4},
        "regression": {},
        "abundance": {"grub": 4},
        "wasteland": {},
        "depletion": {},
        "wanderlust": {"meat": 1, "seed": 3},
    }
    assert get(state, "bag") == {"meat": 17, "sun": 14, "seed": 15, "water": 18, "grub": 14, "grass": 18}
    assert at(state) == ("place", "insect")


def test_r_set_7_tiles_are_drawn_in_proportion_to_the_unseen_ones_of_all_stacks():
    state = fresh()
    while state.node != "reveal_tile":
        state.apply(int(state.legal_actions()[0]))
    assert dict(state.chance_outcomes()) == pytest.approx(
        {228: 6 / 24, 229: 3 / 24, 230: 3 / 24, 231: 3 / 24, 232: 3 / 24, 233: 3 / 24, 234: 3 / 24}
    )
    play(state, "terrain:sea")
    assert get(state, "stacks") == [
        {"face_up": "sea", "left": 7},
        {"face_up": None, "left": 8},
        {"face_up": None, "left": 8},
    ]
    assert dict(state.chance_outcomes())[228] == pytest.approx(5 / 23)


def test_r_set_7_elements_are_drawn_in_proportion_to_the_bag():
    state = fresh()
    while state.node != "draw_element":
        state.apply(int(state.legal_actions()[0]))
    assert [p for _, p in state.chance_outcomes()] == pytest.approx([1 / 6] * 6)
    play(state, "element:meat")
    assert dict(state.chance_outcomes())[42] == pytest.approx(17 / 107)
    assert dict(state.chance_outcomes())[43] == pytest.approx(18 / 107)


def test_r_set_7_handicaps_are_the_only_points_at_the_start():
    state = settle(fresh(handicap={"bird": 4}))
    assert get(state, "vp") == {"bird": 4}
