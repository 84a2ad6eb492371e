"""Matching, endangerment and dominance: R-DOM-1 to R-DOM-4."""

import pytest
from positions import cones, execute, get, on, play, position

BIRD, D3, E3, E4 = 2, 17, 22, 23


def dominant(tile_species, corners, held=None, animals="mammal bird amphibian"):
    state = position(animals, "bird", species={"E4": tile_species}, corners=corners, held=held or {})
    return cones(state).get("E4")


def test_r_dom_1_a_match_sums_products_over_the_types_on_all_six_corners():
    # E3 touches two seeds and a sun, E4 one seed and the sun, D3 only the sun. The bird: two seeds, one sun.
    state = position(
        "mammal bird",
        "bird",
        species={"D3": {"bird": 1}, "E3": {"bird": 1}, "E4": {"bird": 1}},
        corners={"E3.e": "seed", "E3.se": "seed", "D3.e": "sun"},
        held={"bird": "sun"},
    )
    matches = state.matches()
    assert matches.shape == (6, 35)
    assert [matches[BIRD, h] for h in (D3, E3, E4)] == [1, 5, 3]


def test_r_dom_1_six_corners_with_six_elements_held_match_36():
    corners = dict.fromkeys(("E4.e", "E4.se", "D4.e", "D3.se", "D3.e", "E3.se"), "seed")
    state = position(
        "mammal bird", "bird", species={"E4": {"bird": 1}}, corners=corners, held={"bird": "seed " * 4}
    )
    assert state.matches()[BIRD, E4] == 36


def test_r_dom_1_elements_away_from_the_tile_do_not_count():
    state = position(
        "mammal bird", "bird", species={"E4": {"bird": 1}}, corners={"C3.e": "seed", "E3.e": "seed"}
    )
    assert state.matches()[BIRD, E4] == 0


def test_r_dom_2_a_species_without_a_match_is_endangered():
    state = execute(
        "mammal bird amphibian",
        {"depletion": "bird"},
        corners={"E4.e": "seed"},
        species={"E4": {"bird": 2, "amphibian": 3}, "D2": {"bird": 1}},
    )
    assert on(state, "E4") == {"bird": 2}
    assert on(state, "D2") == {}
    assert get(state, "eliminated") == {"bird": 1, "amphibian": 3}


def test_r_dom_3_the_highest_match_dominates_whatever_the_numbers_of_species():
    assert dominant({"mammal": 1, "bird": 9}, {"E4.e": "meat", "E4.se": "meat", "D4.e": "seed"}) == "mammal"


def test_r_dom_3_three_fixed_elements_beat_two():
    assert dominant({"mammal": 1, "amphibian": 1}, {"E4.e": "meat", "E4.se": "water"}) == "amphibian"


@pytest.mark.parametrize("others", [{}, {"amphibian": 1}])
def test_r_dom_3_a_tie_at_the_top_leaves_nobody(others):
    corners = {"E4.e": "meat", "E4.se": "seed", "D4.e": "sun"}
    tile_species = {"mammal": 1, "bird": 1, **others}
    assert dominant(tile_species, corners, {"amphibian": "sun"}) is None


def test_r_dom_3_a_tie_below_the_top_does_not_matter():
    corners = {"E4.e": "meat", "E4.se": "seed", "D4.e": "water"}
    assert dominant({"mammal": 1, "bird": 1, "amphibian": 1}, corners) == "amphibian"


def test_r_dom_3_an_animal_alone_without_a_match_does_not_dominate():
    assert dominant({"bird": 5}, {"E4.e": "meat"}) is None


def test_r_dom_3_an_animal_that_is_not_there_does_not_count():
    corners = {"E4.e": "meat", "E4.se": "meat", "D4.e": "seed"}
    assert dominant({"bird": 1}, corners) == "bird"


def test_r_dom_4_by_default_cones_follow_at_once():
    state = execute(
        "mammal bird",
        {"abundance_1": "bird"},
        species={"E4": {"mammal": 1, "bird": 1}},
        corners={"E4.e": "meat", "E4.se": "seed"},
        boxes={"abundance": "seed seed grass grass"},
    )
    assert cones(state) == {}
    play(state, "element:seed", "corner:D3.e")
    assert cones(state) == {"E4": "bird"}


def test_r_dom_4_by_default_a_cone_falls_as_soon_as_it_is_not_deserved():
    state = execute(
        "mammal bird",
        {"abundance_1": "mammal", "migration_2": "mammal"},
        species={"E4": {"mammal": 1, "bird": 1}},
        corners={"E4.e": "meat", "E4.se": "meat", "D4.e": "seed"},
        boxes={"abundance": "seed seed grass grass"},
    )
    assert cones(state) == {"E4": "mammal"}
    play(state, "element:seed", "corner:D3.e")
    assert (state.node, cones(state)) == ("migrate_from", {})
