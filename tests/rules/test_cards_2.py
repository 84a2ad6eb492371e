"""The dominance cards C-10 to C-18."""

from positions import SPACES, at, counts, empty_bag, execute, get, legal, on, play, settle, take

# The corners of the starting earth but for E4.e, which has the bird's seed in `take`.
OTHER_CORNERS = (
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
    "D3.e",
    "D4.e",
    "E2.se",
    "E3.se",
    "E4.se",
    "E3.e",
)
LAST = {"D4": {"mammal": 1}}
BAG = [f"element:{e}" for e in ("meat", "sun", "seed", "water", "grub", "grass")]


def test_c_10_fecundity_adds_a_species_on_every_occupied_tile_if_wished():
    state = take("fecundity", species={"C3": {"bird": 1}, "D2": {"bird": 2, "mammal": 1}, **LAST})
    for count in ("count:1", "count:0", "count:1"):
        assert at(state) == ("fecundity", "bird")
        assert legal(state) == counts(1)
        play(state, count)
    assert at(state) == ("dominate", "bird")
    assert [on(state, h).get("bird", 0) for h in ("C3", "D2", "E4", "D4")] == [2, 2, 2, 0]
    assert get(state, "gene_pool")["bird"] == 18


def test_c_10_fecundity_lasts_as_long_as_the_gene_pool():
    state = take(
        "fecundity", "count:1", species={"C3": {"bird": 1}, "D2": {"bird": 2}}, gene_pool={"bird": 1}
    )
    assert at(state) == ("dominate", "bird")
    assert [on(state, h)["bird"] for h in ("C3", "D2", "E4")] == [2, 2, 1]


def test_c_11_fertile_scores_a_point_for_each_species_on_a_tile_of_the_taker():
    state = take("fertile", species={"D2": {"bird": 1, "mammal": 4}, "C3": {"mammal": 9}})
    assert at(state) == ("fertile", "bird")
    assert legal(state) == ["hex:D2", "hex:E4"]
    play(state, "hex:D2")
    assert get(state, "vp") == {"bird": 5}


def test_c_12_habitat_places_an_element_of_the_bag_on_any_vacant_corner():
    state = take("habitat", species=LAST)
    assert at(state) == ("habitat_element", "bird")
    assert legal(state) == BAG
    play(state, "element:meat")
    assert at(state) == ("habitat_corner", "bird")
    assert legal(state) == [f"corner:{c}" for c in OTHER_CORNERS]
    play(state, "corner:C2.e")
    assert get(state, "corners") == {"C2.e": "meat", "E4.e": "seed"}
    assert get(state, "bag")["meat"] == 18


def test_c_12_habitat_needs_a_vacant_corner():
    corners = dict(zip(OTHER_CORNERS, ["sun"] * 10 + ["meat"] * 10 + ["grass"] * 3, strict=True))
    assert at(take("habitat", species=LAST, corners=corners)) == ("dominate", "bird")


def test_c_12_habitat_offers_only_what_the_bag_holds():
    # Sixteen grubs on corners, four in the Abundance box.
    corners = dict.fromkeys(OTHER_CORNERS[:16], "grub")
    state = take("habitat", species=LAST, corners=corners, boxes={"abundance": "grub grub grub grub"})
    assert legal(state) == [e for e in BAG if e != "element:grub"]


def test_c_12_habitat_needs_something_in_the_bag():
    state = execute(
        "mammal bird",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=("habitat",),
        species={"D4": {"bird": 1}, "A1": {"mammal": 1}},
        **empty_bag("mammal bird"),
    )
    play(state, "hex:D4", "card:habitat")
    assert at(state) == ("dominate", "bird")


def test_c_13_hibernation_brings_back_up_to_five_eliminated_species():
    state = take("hibernation", species=LAST, eliminated={"bird": 7})
    assert at(state) == ("hibernate_hex", "bird")
    assert legal(state) == [f"hex:{h}" for h in ("C3", "C4", "D2", "D3", "D4", "E3", "E4")]
    play(state, "hex:C3")
    assert at(state) == ("hibernate_count", "bird")
    assert legal(state) == counts(5)
    play(state, "count:3")
    assert on(state, "C3") == {"bird": 3}
    assert get(state, "eliminated") == {"bird": 4}
    assert get(state, "gene_pool")["bird"] == 20
    assert get(state, "hibernating") == {"animal": "bird", "hex": "C3", "count": 3}


def test_c_13_hibernation_is_limited_by_the_eliminated_species():
    assert legal(take("hibernation", "hex:C3", species=LAST, eliminated={"bird": 2})) == counts(2)


def test_c_13_hibernation_without_eliminated_species_does_nothing():
    assert at(take("hibernation", species=LAST, eliminated={"mammal": 2})) == ("dominate", "bird")


def test_c_13_hibernating_species_survive_this_extinction_but_not_the_next():
    state = take("hibernation", "hex:C3", "count:4", eliminated={"bird": 4})
    assert at(state) == ("dominate", "bird")
    settle(play(state, "pass"))
    assert on(state, "C3") == {"bird": 4}
    assert get(state, "hibernating") is None
    play(state, "place:depletion", "place:speciation_meat")
    assert on(state, "C3") == {}
    assert get(state, "eliminated") == {"bird": 4}


def test_c_13_others_of_the_animal_on_that_tile_are_not_protected():
    state = take(
        "hibernation", "hex:C3", "count:2", "pass", species={"C3": {"bird": 3}}, eliminated={"bird": 2}
    )
    assert on(state, "C3") == {"bird": 2}
    assert get(state, "eliminated") == {"bird": 3}


def test_c_13_a_hibernating_mammal_is_not_saved_a_second_time():
    # Two mammals hibernate on C3; the endangered ones are those of D2 and E3.
    state = take(
        "hibernation",
        "hex:C3",
        "count:2",
        "pass",
        taker="mammal",
        eliminated={"mammal": 2},
        species={"D2": {"mammal": 1}, "E3": {"mammal": 2}},
    )
    assert at(state) == ("save", "mammal")
    assert legal(state) == ["hex:D2", "hex:E3"]
    play(state, "hex:E3")
    assert [on(state, h) for h in ("C3", "D2", "E3")] == [{"mammal": 2}, {}, {"mammal": 1}]


def test_c_14_ice_age_scores_the_tiles_each_animal_dominates():
    # The bird dominates D2, E3 and E4, the mammal C4.
    state = execute(
        "mammal bird",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=(),
        tile_values={"desert": []},
        corners={"D2.e": "seed", "E4.e": "seed", "B4.e": "meat"},
        species={"D2": {"bird": 1}, "E3": {"bird": 1}, "E4": {"bird": 1}, "C4": {"mammal": 1, "bird": 5}},
    )
    play(state, "hex:E4")
    assert get(state, "cards")["taken"] == ["ice_age"]
    assert get(state, "vp") == {"mammal": 1, "bird": 6}
    assert at(state) == ("dominate", "bird")


def test_c_14_the_game_ends_at_this_turns_reset():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        deck=("omnivore",),
        corners={"E4.e": "seed"},
        species={"E4": {"bird": 1}},
    )
    play(state, "hex:E4", "card:ice_age")
    assert state.is_terminal
    assert get(state, "cards") == {"face_up": ["omnivore"], "taken": ["ice_age"]}
    # Desert 4, one tile dominated 1, desert 4.
    assert get(state, "vp") == {"bird": 9}


def test_c_15_ice_sheet_is_a_glaciation_that_cannot_be_forgone():
    state = take(
        "ice_sheet",
        species={"E3": {"mammal": 3, "bird": 2}, **LAST},
        tundra=["D2"],
        corners={"D2.se": "meat"},
    )
    assert at(state) == ("glaciate", "bird")
    assert legal(state) == [f"hex:{h}" for h in ("C3", "C4", "D4", "E3", "E4")]
    play(state, "hex:E3")
    assert get(state, "tiles")["E3"]["tundra"] is True
    assert on(state, "E3") == {"mammal": 1, "bird": 1}
    assert get(state, "gene_pool") == {"mammal": 22, "bird": 21}
    assert get(state, "corners") == {"E4.e": "seed"}
    assert get(state, "vp") == {"bird": 3}
    assert get(state, "tundra_left") == 9


def test_c_15_ice_sheet_leaves_the_glaciation_pawns_where_they_are():
    state = execute(
        "mammal bird",
        {"glaciation_2": "mammal", "domination_2": "bird", "domination_1": "bird", "glaciation_1": "bird"},
        deck=("ice_sheet",),
        corners={"E4.e": "seed"},
        species={"E4": {"bird": 1}, **LAST},
    )
    play(state, "pass", "hex:E4", "card:ice_sheet", "hex:C3")
    assert get(state, "spaces") == {"glaciation_2": "mammal"}


def test_c_15_ice_sheet_without_a_tundra_tile_left_does_nothing():
    state = take("ice_sheet", species=LAST, tundra_left=0)
    assert at(state) == ("dominate", "bird")
    assert get(state, "vp") == {}


def test_c_15_ice_sheet_without_a_tile_to_cover_does_nothing():
    state = take(
        "ice_sheet", species=LAST, tundra=["C3", "C4", "D2", "D4", "E3", "E4"], tile_values={"tundra": []}
    )
    assert at(state) == ("dominate", "bird")
    assert get(state, "tundra_left") == 5


def test_c_16_immigrants_costs_every_animal_an_element_a_pawn_or_species_in_food_chain_order():
    state = take(
        "immigrants",
        animals="mammal bird insect",
        held={"mammal": "sun grass", "insect": "meat"},
        species={"D4": {"mammal": 3}, "D2": {"mammal": 2, "insect": 2}, "E3": {"insect": 1}},
    )
    # Only the bird, whose Domination pawn has come off, has an available pawn.
    assert at(state) == ("immigrants", "mammal")
    assert legal(state) == ["element:sun", "element:grass", "lose_species"]
    play(state, "lose_species")
    assert (on(state, "D4"), on(state, "D2")) == ({"mammal": 1}, {"mammal": 1, "insect": 2})
    assert get(state, "eliminated") == {"mammal": 3}
    assert at(state) == ("immigrants", "bird")
    assert legal(state) == ["lose_pawn", "lose_species"]
    play(state, "lose_pawn")
    assert get(state, "pawns") == {}
    assert at(state) == ("immigrants", "insect")
    assert legal(state) == ["element:meat", "lose_species"]
    play(state, "element:meat")
    assert get(state, "elements")["insect"] == {"grass": 2}
    assert get(state, "bag")["meat"] == 19
    assert at(state) == ("dominate", "bird")


def test_c_16_a_pawn_is_lost_for_good():
    state = take("immigrants", "lose_pawn", "pass", species=LAST)
    assert (state.actor, get(state, "spaces")) == ("chance", {})
    assert get(state, "pawns") == {"bird": 1}


def test_c_16_without_another_loss_species_are_lost_unasked():
    state = take("immigrants", "lose_species", species={"D4": {"mammal": 2}, "D2": {"bird": 3}})
    # The mammal has no pawn and only fixed elements.
    assert at(state) == ("dominate", "bird")
    assert (on(state, "D4"), on(state, "D2")) == ({"mammal": 1}, {"bird": 1})
    assert get(state, "eliminated") == {"mammal": 1, "bird": 2}


def test_c_17_instinct_puts_an_available_pawn_on_any_vacant_space():
    state = take("instinct", species=LAST)
    assert at(state) == ("instinct", "bird")
    assert legal(state) == [f"place:{space}" for space in SPACES if space != "domination_2"]
    play(state, "place:domination_4")
    # The next pawn, of domination_2, has come off already.
    assert get(state, "spaces") == {"domination_4": "bird"}
    assert get(state, "pawns") == {"bird": 1}


def test_c_17_a_space_still_to_come_acts_this_turn():
    state = take("instinct", "place:domination_4", "pass", species=LAST)
    assert at(state) == ("dominate", "bird")
    assert get(state, "spaces") == {}


def test_c_17_a_space_already_passed_or_just_resolved_acts_next_turn():
    nodes = {"domination_1": "dominate", "adaptation_1": "adapt", "initiative": "initiative"}
    for space, node in nodes.items():
        state = take("instinct", f"place:{space}", "pass", species={**LAST, "C4": {"bird": 1}})
        settle(state)
        assert get(state, "turn") == 3
        assert (get(state, "spaces"), get(state, "pawns")) == ({space: "bird"}, {"bird": 1})
        play(state, "place:depletion")
        assert at(state) == (node, "bird")


def test_c_17_without_an_available_pawn_nothing_happens():
    state = execute(
        "mammal bird",
        {"domination_2": "mammal", "domination_1": "mammal"},
        deck=("instinct",),
        corners={"E4.e": "seed"},
        species={"E4": {"bird": 1}, **LAST},
    )
    play(state, "hex:E4", "card:instinct")
    assert at(state) == ("dominate", "mammal")
    assert get(state, "pawns") == {"mammal": 2}


def test_c_18_intelligence_gives_a_pawn_to_the_taker_and_every_animal_above_it():
    state = take("intelligence", animals="mammal reptile bird amphibian insect", species=LAST)
    # The bird's two Domination pawns have come off.
    assert get(state, "pawns") == {"mammal": 1, "reptile": 1, "bird": 3}
