"""The dominance cards C-1 to C-9."""

import pytest
from positions import at, counts, empty_bag, execute, get, legal, on, play, take

# All six corners of D2.
AROUND_D2 = dict.fromkeys(("D2.e", "D2.se", "C3.e", "C2.se", "C2.e", "D1.se"), "sun")


def test_c_1_aquatic_places_an_element_of_the_bag_and_up_to_four_species():
    state = take("aquatic", tiles={"C2": "sea"}, species={"D4": {"mammal": 1}})
    assert at(state) == ("aquatic_hex", "bird")
    assert legal(state) == ["hex:C2", "hex:D2"]
    play(state, "hex:C2")
    assert at(state) == ("aquatic_element", "bird")
    assert legal(state) == [f"element:{e}" for e in ("meat", "sun", "seed", "water", "grub", "grass")]
    play(state, "element:grub")
    assert at(state) == ("aquatic_corner", "bird")
    assert legal(state) == [f"corner:{c}" for c in ("B1.se", "B1.e", "B2.e", "C1.se", "C2.se", "C2.e")]
    play(state, "corner:B1.se")
    assert get(state, "corners") == {"B1.se": "grub", "E4.e": "seed"}
    assert get(state, "bag")["grub"] == 17
    assert at(state) == ("aquatic_count", "bird")
    assert legal(state) == counts(4)
    play(state, "count:3")
    assert on(state, "C2") == {"bird": 3}
    assert get(state, "gene_pool")["bird"] == 17


def test_c_1_aquatic_does_not_count_tundra_as_sea_or_wetland():
    state = take("aquatic", tiles={"C2": "sea", "E5": "sea"}, tundra=["D2"], species={"D4": {"mammal": 1}})
    assert legal(state) == ["hex:C2", "hex:E5"]


def test_c_1_aquatic_without_a_choice_of_tile_goes_on_to_the_element():
    assert at(take("aquatic", species={"D4": {"mammal": 1}})) == ("aquatic_element", "bird")


def test_c_1_aquatic_without_a_sea_or_wetland_does_nothing():
    state = take("aquatic", tundra=["D2"], species={"D4": {"mammal": 1}})
    assert at(state) == ("dominate", "bird")
    assert get(state, "cards")["taken"] == ["aquatic"]


def test_c_1_aquatic_chooses_among_the_tiles_with_a_vacant_corner():
    state = take("aquatic", tiles={"F4": "sea"}, corners=AROUND_D2, species={"D4": {"mammal": 1}})
    assert at(state) == ("aquatic_element", "bird")
    play(state, "element:meat")
    # The corners of F4, but for E4.e with the seed.
    assert legal(state) == [f"corner:{c}" for c in ("E4.se", "E5.e", "F3.se", "F4.se", "F4.e")]


def test_c_1_aquatic_skips_the_element_when_no_such_tile_has_a_vacant_corner():
    state = take("aquatic", corners=AROUND_D2, species={"D4": {"mammal": 1}})
    assert at(state) == ("aquatic_count", "bird")
    play(state, "count:4")
    assert on(state, "D2") == {"bird": 4}


def test_c_1_aquatic_skips_the_element_when_the_bag_is_empty():
    state = execute(
        "mammal bird",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=("aquatic",),
        species={"D4": {"bird": 1}, "A1": {"mammal": 1}},
        **empty_bag("mammal bird"),
    )
    # D4 lies between seeds (ids 40 to 59): the bird dominates it.
    play(state, "hex:D4", "card:aquatic")
    assert at(state) == ("aquatic_hex", "bird")
    assert {"hex:A1", "hex:D2"} <= set(legal(state))
    play(state, "hex:A1")
    assert at(state) == ("aquatic_count", "bird")


@pytest.mark.parametrize("left", [1, 3])
def test_c_1_aquatic_is_limited_by_the_gene_pool(left):
    state = take(
        "aquatic",
        "element:sun",
        "corner:D2.e",
        species={"D4": {"mammal": 1}},
        gene_pool={"bird": left},
        eliminated={"bird": 3},
    )
    assert legal(state) == counts(left)


def test_c_1_aquatic_with_an_empty_gene_pool_still_places_the_element():
    state = take(
        "aquatic",
        "element:sun",
        "corner:D2.e",
        species={"D4": {"mammal": 1}},
        gene_pool={"bird": 0},
        eliminated={"bird": 3},
    )
    assert state.node == "dominate"
    assert get(state, "corners") == {"D2.e": "sun", "E4.e": "seed"}


def test_c_2_biodiversity_scores_each_tile_shared_with_an_opposing_species():
    state = take(
        "biodiversity",
        animals="mammal bird insect",
        species={
            "C3": {"bird": 3, "mammal": 2},
            "D2": {"bird": 1, "insect": 1, "mammal": 1},
            "D4": {"bird": 2},
            "E3": {"mammal": 1, "insect": 1},
        },
    )
    assert get(state, "vp") == {"bird": 2}


def test_c_2_biodiversity_may_score_nothing():
    assert get(take("biodiversity", species={"D4": {"mammal": 2}}), "vp") == {}


def test_c_3_biomass_eliminates_one_species_on_each_tile_with_more_species_than_elements():
    # D2: four species, one element. D4: one species, none. E3: two and two. E4: one and one.
    state = take(
        "biomass",
        corners={"C2.e": "sun", "E3.e": "sun", "E2.se": "sun"},
        species={"D2": {"mammal": 2, "bird": 2}, "D4": {"mammal": 1}, "E3": {"mammal": 1, "bird": 1}},
    )
    assert at(state) == ("biomass_victim", "bird")
    assert legal(state) == ["animal:mammal", "animal:bird"]
    play(state, "animal:mammal")
    assert at(state) == ("dominate", "bird")
    assert [on(state, h) for h in ("D2", "D4", "E3", "E4")] == [
        {"mammal": 1, "bird": 2},
        {},
        {"mammal": 1, "bird": 1},
        {"bird": 1},
    ]
    assert get(state, "eliminated") == {"mammal": 2}


def test_c_3_biomass_may_hit_the_own_species_and_goes_by_ascending_hex():
    state = take("biomass", species={"D2": {"mammal": 1, "bird": 1}, "C3": {"mammal": 1, "bird": 2}})
    play(state, "animal:bird")
    assert (on(state, "C3"), on(state, "D2")) == ({"mammal": 1, "bird": 1}, {"mammal": 1, "bird": 1})
    assert at(state) == ("biomass_victim", "bird")
    play(state, "animal:bird")
    assert on(state, "D2") == {"mammal": 1}
    assert get(state, "eliminated") == {"bird": 2}


def test_c_3_biomass_without_a_crowded_tile_does_nothing():
    state = take("biomass", corners={"C2.e": "sun"}, species={"D2": {"mammal": 1}})
    assert at(state) == ("dominate", "bird")
    assert get(state, "eliminated") == {}


def test_c_4_blight_leaves_one_element_of_a_tile():
    # D2 has three elements, D3 two of them, C3 and E3 one, E4 one.
    state = take(
        "blight", corners={"C2.e": "sun", "C3.e": "meat", "D2.se": "grub"}, species={"D4": {"mammal": 1}}
    )
    assert at(state) == ("blight_hex", "bird")
    assert legal(state) == ["hex:D2", "hex:D3"]
    play(state, "hex:D2")
    assert at(state) == ("blight_keep", "bird")
    assert legal(state) == ["corner:C2.e", "corner:C3.e", "corner:D2.se"]
    play(state, "corner:D2.se")
    assert get(state, "corners") == {"D2.se": "grub", "E4.e": "seed"}
    # Twenty of each, less one meat and one sun in Adaptation, two suns in Wanderlust.
    assert (get(state, "bag")["meat"], get(state, "bag")["sun"]) == (19, 17)


def test_c_4_blight_needs_a_tile_with_two_elements():
    state = take("blight", corners={"C2.e": "sun"}, species={"D4": {"mammal": 1}})
    assert at(state) == ("dominate", "bird")
    assert get(state, "corners") == {"C2.e": "sun", "E4.e": "seed"}


def test_c_5_catastrophe_leaves_one_species_there_and_takes_one_from_each_tile_around():
    state = take(
        "catastrophe",
        species={"D3": {"mammal": 3, "bird": 2}, "D2": {"mammal": 1, "bird": 1}, "C4": {"mammal": 2}},
    )
    assert at(state) == ("catastrophe_hex", "bird")
    play(state, "hex:D3")
    assert at(state) == ("catastrophe_keep", "bird")
    assert legal(state) == ["animal:mammal", "animal:bird"]
    play(state, "animal:bird")
    # C4 has only mammals: no choice. D2 is asked, E4 has only the bird.
    assert at(state) == ("catastrophe_victim", "bird")
    assert legal(state) == ["animal:mammal", "animal:bird"]
    assert on(state, "C4") == {"mammal": 1}
    play(state, "animal:mammal")
    assert [on(state, h) for h in ("D3", "D2", "C4", "E4")] == [{"bird": 1}, {"bird": 1}, {"mammal": 1}, {}]
    assert get(state, "eliminated") == {"mammal": 5, "bird": 2}


def test_c_5_catastrophe_may_choose_a_tile_with_two_species_or_beside_any():
    # E4 and C1 hold one species each, and nobody lives beside them.
    state = take("catastrophe", tiles={"C2": "sea", "C1": "sea", "B1": "sea"}, species={"C1": {"mammal": 1}})
    assert legal(state) == [f"hex:{h}" for h in ("B1", "C2", "D3", "D4", "E3")]


def test_c_5_catastrophe_on_a_crowd_without_neighbours():
    state = take("catastrophe", species={"C3": {"mammal": 2}})
    # E4 and C3 are not adjacent: C3 has two species; the tiles around each lie beside them.
    assert legal(state) == [f"hex:{h}" for h in ("C3", "C4", "D2", "D3", "D4", "E3")]
    play(state, "hex:C3")
    assert on(state, "C3") == {"mammal": 1}
    assert at(state) == ("dominate", "bird")


def test_c_5_catastrophe_on_an_empty_tile_strikes_around_it():
    state = take("catastrophe", "hex:D4", species={"C4": {"mammal": 2, "bird": 1}})
    assert at(state) == ("catastrophe_victim", "bird")
    play(state, "animal:mammal")
    assert (on(state, "C4"), on(state, "E4")) == ({"mammal": 1, "bird": 1}, {})


def test_c_6_cold_snap_takes_one_of_every_other_animal_from_every_tundra_tile():
    state = take(
        "cold_snap",
        animals="mammal bird insect",
        tundra=["D2"],
        species={
            "D3": {"mammal": 3, "bird": 2, "insect": 1},
            "D2": {"mammal": 1, "bird": 1},
            "E3": {"mammal": 2, "insect": 2},
        },
    )
    assert [on(state, h) for h in ("D3", "D2", "E3")] == [
        {"mammal": 2, "bird": 2},
        {"bird": 1},
        {"mammal": 2, "insect": 2},
    ]
    assert get(state, "eliminated") == {"mammal": 2, "insect": 1}


def test_c_7_disease_costs_animals_with_more_elements_one_of_their_own_choice():
    state = take(
        "disease",
        animals="mammal reptile bird insect",
        species={"D4": {"mammal": 1}},
        held={"mammal": "sun grass", "reptile": "seed seed seed", "bird": "grub", "insect": "meat"},
    )
    # The reptile has only seeds to lose. The insect has as many elements as the bird.
    assert at(state) == ("disease", "mammal")
    assert legal(state) == ["element:sun", "element:grass"]
    play(state, "element:grass")
    assert get(state, "elements") == {
        "mammal": {"meat": 2, "sun": 1},
        "reptile": {"sun": 2, "seed": 2},
        "bird": {"seed": 2, "grub": 1},
        "insect": {"meat": 1, "grass": 2},
    }


def test_c_7_disease_is_answered_in_food_chain_order_and_spares_fixed_elements():
    state = take(
        "disease",
        animals="mammal bird amphibian insect",
        species={"D4": {"mammal": 1}},
        held={"insect": "meat sun", "mammal": "meat sun"},
    )
    assert at(state) == ("disease", "mammal")
    assert legal(state) == ["element:meat", "element:sun"]
    play(state, "element:meat")
    assert at(state) == ("disease", "insect")
    play(state, "element:sun")
    # The amphibian's three elements are more than two, but fixed.
    assert get(state, "elements") == {
        "mammal": {"meat": 2, "sun": 1},
        "bird": {"seed": 2},
        "amphibian": {"water": 3},
        "insect": {"meat": 1, "grass": 2},
    }


def test_c_7_disease_returns_the_elements_to_the_bag():
    state = take("disease", held={"mammal": "grub"}, species={"D4": {"mammal": 1}})
    assert get(state, "bag")["grub"] == 18


def test_c_8_ecodiversity_scores_for_each_element_on_earth_of_a_type_the_taker_holds():
    state = take(
        "ecodiversity",
        held={"bird": "sun sun", "mammal": "grub"},
        species={"D4": {"mammal": 1}},
        corners={"C3.e": "sun", "C2.e": "sun", "D2.e": "seed", "E3.e": "grub", "D3.e": "meat"},
    )
    # Two seeds and two suns. Only the taker scores.
    assert get(state, "vp") == {"bird": 4}


def test_c_9_evolution_replaces_one_species_each_of_up_to_two_other_animals():
    state = take(
        "evolution",
        animals="mammal reptile bird insect",
        species={"C3": {"mammal": 1}, "D2": {"mammal": 2, "insect": 1}, "D4": {"reptile": 1}},
    )
    assert at(state) == ("evolution_animal", "bird")
    assert legal(state) == ["pass", "animal:mammal", "animal:reptile", "animal:insect"]
    play(state, "animal:mammal")
    assert at(state) == ("evolution_hex", "bird")
    assert legal(state) == ["hex:C3", "hex:D2"]
    play(state, "hex:D2")
    assert on(state, "D2") == {"mammal": 1, "bird": 1, "insect": 1}
    assert get(state, "gene_pool")["bird"] == 19
    assert get(state, "eliminated") == {"mammal": 1}
    assert at(state) == ("evolution_animal", "bird")
    assert legal(state) == ["pass", "animal:reptile", "animal:insect"]
    play(state, "animal:insect")
    assert at(state) == ("dominate", "bird")
    assert on(state, "D2") == {"mammal": 1, "bird": 2}
    assert get(state, "eliminated") == {"mammal": 1, "insect": 1}


def test_c_9_evolution_offers_only_animals_below_the_first_choice_for_the_second():
    state = take(
        "evolution",
        "animal:insect",
        animals="mammal reptile bird insect",
        species={"C3": {"mammal": 1}, "D4": {"reptile": 1, "insect": 1}},
    )
    assert at(state) == ("dominate", "bird")
    assert get(state, "eliminated") == {"insect": 1}


def test_c_9_evolution_offers_only_animals_on_earth_and_may_be_declined():
    state = take(
        "evolution", animals="mammal reptile bird insect", species={"C3": {"mammal": 1}, "D4": {"reptile": 1}}
    )
    assert legal(state) == ["pass", "animal:mammal", "animal:reptile"]
    play(state, "pass")
    assert at(state) == ("dominate", "bird")
    assert get(state, "eliminated") == {}


def test_c_9_evolution_lasts_as_long_as_the_gene_pool():
    state = take(
        "evolution",
        "animal:mammal",
        animals="mammal bird insect",
        gene_pool={"bird": 1},
        eliminated={"bird": 2},
        species={"C3": {"mammal": 1}, "D4": {"insect": 1}},
    )
    assert at(state) == ("dominate", "bird")
    assert on(state, "C3") == {"bird": 1}
    assert get(state, "gene_pool") == {"mammal": 20, "insect": 20}


def test_c_9_evolution_without_a_gene_pool_does_nothing():
    state = take("evolution", gene_pool={"bird": 0}, eliminated={"bird": 3}, species={"C3": {"mammal": 1}})
    assert at(state) == ("dominate", "bird")
