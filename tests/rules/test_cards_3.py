"""The dominance cards C-19 to C-26 and the rules for all cards, R-CAR-1 to R-CAR-6."""

import pytest
from positions import at, counts, empty_bag, execute, get, legal, on, play, settle, take

LAST = {"D4": {"mammal": 1}}


def held(state, animal):
    return get(state, "elements")[animal]


def test_c_19_mass_exodus_moves_all_species_of_a_tile_to_the_tiles_around():
    # Around E4 lie D3, D4 and E3; the last takes what is left.
    state = take("mass_exodus", species={"E4": {"mammal": 1, "bird": 3}, "D2": {"mammal": 1}})
    assert at(state) == ("exodus_hex", "bird")
    assert legal(state) == ["hex:D2", "hex:E4"]
    play(state, "hex:E4")
    asked = []
    for count in ("count:0", "count:0", "count:1", "count:2"):
        assert at(state) == ("exodus_count", "bird")
        asked.append(legal(state))
        play(state, count)
    assert asked == [counts(1), counts(1), counts(3), counts(2)]
    assert at(state) == ("dominate", "bird")
    assert [on(state, h) for h in ("E4", "D3", "D4", "E3")] == [{}, {"bird": 1}, {"bird": 2}, {"mammal": 1}]


def test_c_19_mass_exodus_to_a_single_tile_asks_nothing():
    state = take(
        "mass_exodus", "hex:F4", tiles={"F4": "sea"}, species={"F4": {"mammal": 4, "bird": 2}, **LAST}
    )
    assert at(state) == ("dominate", "bird")
    assert (on(state, "F4"), on(state, "E4")) == ({}, {"mammal": 4, "bird": 3})


def test_c_20_metamorphosis_swaps_a_non_fixed_element_for_one_in_the_bag():
    state = take("metamorphosis", species=LAST, held={"bird": "sun seed"})
    assert at(state) == ("metamorphosis_give", "bird")
    assert legal(state) == ["element:sun", "element:seed"]
    play(state, "element:sun")
    assert at(state) == ("metamorphosis_take", "bird")
    assert legal(state) == [f"element:{e}" for e in ("meat", "sun", "seed", "water", "grub", "grass")]
    play(state, "element:grass")
    assert held(state, "bird") == {"seed": 3, "grass": 1}
    # One sun in Adaptation, two in Wanderlust; two grasses in Abundance.
    assert (get(state, "bag")["sun"], get(state, "bag")["grass"]) == (17, 17)


def test_c_20_metamorphosis_takes_from_the_bag_as_it_was_before():
    # All other grubs: fifteen on corners, four in Abundance.
    corners = (
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
    )
    state = take(
        "metamorphosis",
        species=LAST,
        held={"bird": "grub"},
        boxes={"abundance": "grub grub grub grub"},
        corners=dict.fromkeys(corners, "grub"),
    )
    assert at(state) == ("metamorphosis_take", "bird")
    assert legal(state) == [f"element:{e}" for e in ("meat", "sun", "seed", "water", "grass")]


def test_c_20_metamorphosis_needs_a_non_fixed_element():
    assert at(take("metamorphosis", species=LAST)) == ("dominate", "bird")


def test_c_20_metamorphosis_needs_something_in_the_bag():
    state = execute(
        "mammal bird",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=("metamorphosis",),
        species={"D4": {"bird": 1}, "A1": {"mammal": 1}},
        **empty_bag("mammal bird"),
    )
    play(state, "hex:D4", "card:metamorphosis")
    assert at(state) == ("dominate", "bird")
    assert held(state, "bird") == {"seed": 2, "grass": 4}


def test_c_21_niche_biomes_costs_animals_ahead_the_first_place_of_the_tile():
    state = execute(
        "mammal bird amphibian insect",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=("niche_biomes",),
        corners={"E3.e": "seed"},
        species={"E3": {"bird": 1}, **LAST},
        abilities={"insect": False},
        vp={"mammal": 20, "bird": 1, "amphibian": 8, "insect": 9},
    )
    play(state, "hex:E3", "card:niche_biomes")
    # The bird has eight points after the savannah (7): the amphibian is not ahead.
    assert get(state, "vp") == {"mammal": 13, "bird": 8, "amphibian": 8, "insect": 2}


def test_c_21_with_an_empty_list_of_values_it_takes_nothing():
    state = take("niche_biomes", species=LAST, vp={"mammal": 20})
    assert get(state, "vp") == {"mammal": 20}


def test_c_22_nocturnal_swaps_the_initiative_marker_with_the_one_on_its_left():
    state = take("nocturnal", animals="mammal bird insect", species=LAST, initiative="mammal insect bird")
    assert get(state, "initiative") == ["mammal", "bird", "insect"]


def test_c_22_nocturnal_does_nothing_for_the_first():
    state = take("nocturnal", animals="mammal bird insect", species=LAST, initiative="bird mammal insect")
    assert get(state, "initiative") == ["bird", "mammal", "insect"]


def test_c_23_omnivore_gives_the_taker_a_pawn():
    state = take("omnivore", species=LAST)
    assert get(state, "pawns") == {"bird": 3}


def test_c_24_parasitism_gives_a_pawn_to_the_taker_and_every_animal_below_it():
    state = take("parasitism", animals="mammal reptile bird amphibian insect", species=LAST)
    assert get(state, "pawns") == {"bird": 3, "amphibian": 1, "insect": 1}


def test_c_25_predator_takes_an_opposing_species_on_every_tile_of_the_taker():
    state = take(
        "predator",
        animals="mammal bird insect",
        species={
            "C3": {"mammal": 1, "bird": 1, "insect": 2},
            "D2": {"mammal": 3, "bird": 1},
            "D4": {"mammal": 1, "insect": 1},
            "E3": {"mammal": 1, "bird": 1, "insect": 1},
        },
    )
    assert at(state) == ("predator_victim", "bird")
    assert legal(state) == ["animal:mammal", "animal:insect"]
    play(state, "animal:insect")
    # On D2 there are only mammals to choose; E3 is asked next.
    assert on(state, "D2") == {"mammal": 2, "bird": 1}
    assert at(state) == ("predator_victim", "bird")
    play(state, "animal:mammal")
    assert at(state) == ("dominate", "bird")
    assert [on(state, h) for h in ("C3", "D4", "E3", "E4")] == [
        {"mammal": 1, "bird": 1, "insect": 1},
        {"mammal": 1, "insect": 1},
        {"bird": 1, "insect": 1},
        {"bird": 1},
    ]
    assert get(state, "eliminated") == {"mammal": 2, "insect": 1}


def test_c_26_symbiotic_draws_for_the_taker_first_and_then_for_animals_with_fewer_elements():
    # Bird 3; mammal and insect 2; reptile 4; amphibian 3, not fewer.
    state = take(
        "symbiotic",
        animals="mammal reptile bird amphibian insect",
        species=LAST,
        held={"bird": "sun", "reptile": "grub grub"},
    )
    for element in ("element:meat", "element:grub", "element:water"):
        assert at(state) == ("draw_element", "chance")
        play(state, element)
    assert at(state) == ("dominate", "bird")
    assert get(state, "elements") == {
        "mammal": {"meat": 2, "grub": 1},
        "reptile": {"sun": 2, "grub": 2},
        "bird": {"meat": 1, "sun": 1, "seed": 2},
        "amphibian": {"water": 3},
        "insect": {"water": 1, "grass": 2},
    }


def test_c_26_symbiotic_draws_in_proportion_to_the_bag():
    state = take("symbiotic", species=LAST)
    # Of each type twenty, but for the seed on E4 and what lies in the boxes: a meat, a seed, three suns,
    # three waters, two grubs, two grasses.
    assert dict(state.chance_outcomes()) == pytest.approx(
        {42: 19 / 107, 43: 17 / 107, 44: 18 / 107, 45: 17 / 107, 46: 18 / 107, 47: 18 / 107}
    )


def test_c_26_symbiotic_skips_a_taker_with_six_elements():
    state = take("symbiotic", species=LAST, held={"bird": "sun sun sun sun"})
    assert state.node == "draw_element"
    play(state, "element:grub")
    assert at(state) == ("dominate", "bird")
    assert held(state, "bird") == {"sun": 4, "seed": 2}
    assert held(state, "mammal") == {"meat": 2, "grub": 1}


def test_c_26_symbiotic_draws_nothing_from_an_empty_bag():
    # The mammal and the insect hold six each, the bird only its fixed ones.
    state = execute(
        "mammal bird insect",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=("symbiotic",),
        abilities={"insect": False},
        species={"D4": {"bird": 1}, "A1": {"mammal": 1}},
        **empty_bag("mammal insect bird"),
    )
    play(state, "hex:D4", "card:symbiotic")
    assert at(state) == ("dominate", "bird")
    assert held(state, "bird") == {"seed": 2}


def test_r_car_1_a_tile_is_struck_once_even_if_it_still_qualifies():
    state = take("biomass", "animal:mammal", species={"D2": {"mammal": 5, "bird": 1}})
    assert at(state) == ("dominate", "bird")
    assert on(state, "D2") == {"mammal": 4, "bird": 1}


def test_r_car_2_a_gained_pawn_can_be_placed_in_the_next_planning():
    state = take("omnivore", "pass", species={**LAST, "C4": {"bird": 1}})
    settle(state)
    assert get(state, "pawns") == {"bird": 3}
    for space in ("wasteland", "depletion", "migration_2"):
        assert at(state) == ("place", "bird")
        play(state, f"place:{space}")
    assert get(state, "phase") != "planning"


# For R-CAR-3 the bird takes two cards: on E4 hibernation, then on D4 another one.
def sleep_then(card, *actions):
    """Three birds hibernate on C3 beside two others when the second card is taken."""
    return take(
        "hibernation",
        "hex:C3",
        "count:3",
        "hex:D4",
        f"card:{card}",
        *actions,
        deck=(card,),
        corners={"C5.e": "seed"},
        species={"D4": {"bird": 1}, "C3": {"bird": 2}},
        eliminated={"bird": 3},
        tile_values={"desert": [], "mountain": []},
    )


def test_r_car_3_hibernating_species_are_the_last_to_leave():
    # Biomass takes one of five; three hibernate: one more is lost at Extinction.
    state = sleep_then("biomass")
    assert get(state, "phase") == "reset"
    assert get(state, "hibernating") == {"animal": "bird", "hex": "C3", "count": 3}
    assert on(state, "C3") == {"bird": 3}
    assert get(state, "eliminated") == {"bird": 2}


def test_r_car_3_the_protected_number_shrinks_to_what_is_left():
    state = sleep_then("catastrophe", "hex:C3")
    assert get(state, "hibernating") == {"animal": "bird", "hex": "C3", "count": 1}
    assert on(state, "C3") == {"bird": 1}
    assert get(state, "eliminated") == {"bird": 4}


def test_r_car_3_the_protected_number_never_grows():
    state = sleep_then("fecundity", "count:1", "count:0", "count:0")
    assert get(state, "hibernating") == {"animal": "bird", "hex": "C3", "count": 3}
    assert on(state, "C3") == {"bird": 3}
    assert get(state, "eliminated") == {"bird": 3}


def test_r_car_3_species_that_left_are_not_protected():
    # All five go to D2 (asked for C4, D2; D3 takes the rest) and lose their protection.
    state = sleep_then("mass_exodus", "hex:C3", "count:0", "count:5")
    assert on(state, "D2") == {}
    assert get(state, "eliminated") == {"bird": 5}


def test_r_car_4_fixed_elements_are_counted():
    # The amphibian has three elements, the bird two and the mammal three: only the mammal can lose one.
    state = take("disease", animals="mammal bird amphibian", species=LAST, held={"mammal": "sun"})
    assert get(state, "elements") == {"mammal": {"meat": 2}, "bird": {"seed": 2}, "amphibian": {"water": 3}}


def test_r_car_4_ecodiversity_counts_types_of_fixed_elements():
    assert get(take("ecodiversity", species=LAST, corners={"C2.e": "sun"}), "vp") == {"bird": 1}


def test_r_car_4_species_are_counted_as_cubes():
    state = take("fertile", "hex:E4", species={"E4": {"mammal": 3, "bird": 4}, "D2": {"bird": 1}})
    assert get(state, "vp") == {"bird": 7}


def test_r_car_5_a_tundra_tile_has_the_first_place_value_of_tundra():
    state = execute(
        "mammal bird",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=("niche_biomes",),
        vp={"mammal": 5},
        corners={"D2.e": "seed"},
        species={"D2": {"bird": 1}, **LAST},
        tundra=["D2"],
    )
    play(state, "hex:D2", "card:niche_biomes")
    assert get(state, "vp") == {"mammal": 4, "bird": 1}


def test_r_car_6_an_animal_may_choose_to_lose_species_although_it_loses_none():
    state = take(
        "immigrants", "lose_species", "lose_pawn", species={"D4": {"mammal": 1}}, held={"mammal": "sun"}
    )
    assert at(state) == ("dominate", "bird")
    assert get(state, "elements")["mammal"] == {"meat": 2, "sun": 1}
    assert on(state, "D4") == {"mammal": 1}
    assert get(state, "eliminated") == {}
