"""Glaciation: R-GLA-1 to R-GLA-5."""

import pytest
from positions import at, execute, get, legal, on, play, settle

LATER = {"wanderlust_1": "mammal"}
RING = ["C3", "C4", "D2", "D4", "E3", "E4"]


def tundra(state):
    return [h for h, tile in get(state, "tiles").items() if tile.get("tundra")]


def glaciate(hexagon, **parts):
    return play(execute("mammal bird", {**LATER, "glaciation_1": "bird"}, **parts), f"hex:{hexagon}")


def test_r_gla_1_only_the_leftmost_occupied_space_acts():
    spaces = {**LATER, "glaciation_4": "mammal", "glaciation_3": "mammal", "glaciation_2": "bird"}
    state = execute("mammal bird", spaces)
    assert at(state) == ("glaciate", "bird")
    play(state, "hex:E3")
    assert state.node == "wander_stack"
    assert get(state, "spaces") == {"glaciation_3": "mammal", "glaciation_4": "mammal"}
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}


def test_r_gla_1_the_others_act_in_later_turns_one_a_turn():
    state = execute(
        "mammal bird", {"glaciation_4": "mammal", "glaciation_3": "mammal", "glaciation_2": "bird"}
    )
    settle(play(state, "pass"))
    assert get(state, "spaces") == {"glaciation_1": "mammal", "glaciation_2": "mammal"}
    play(state, "place:depletion")
    assert at(state) == ("glaciate", "mammal")


def test_r_gla_1_a_forgone_glaciation_uses_up_the_pawn_and_the_turn():
    state = execute("mammal bird", {**LATER, "glaciation_2": "mammal", "glaciation_1": "bird"})
    play(state, "pass")
    assert state.node == "wander_stack"
    assert get(state, "spaces") == {"glaciation_2": "mammal"}
    assert tundra(state) == ["D3"]


def test_r_gla_2_a_tile_next_to_tundra_that_is_not_tundra_yet():
    state = execute(
        "mammal bird", {**LATER, "glaciation_1": "bird"}, tundra=["E3"], tiles={"E2": "sea", "F4": "sea"}
    )
    assert legal(state) == ["pass", "hex:C3", "hex:C4", "hex:D2", "hex:D4", "hex:E2", "hex:E4"]


def test_r_gla_2_one_of_the_remaining_tundra_tiles_is_put_there():
    state = glaciate("D2")
    assert tundra(state) == ["D2", "D3"]
    assert get(state, "tundra_left") == 10


def test_r_gla_2_a_glaciated_tile_is_no_longer_its_old_terrain():
    # The wetland is tundra when the competition of wetland and desert comes: only tundra is asked for.
    state = execute(
        "mammal bird",
        {"migration_2": "mammal", "competition_wetland_desert": "bird", "glaciation_1": "bird"},
        species={"D2": {"mammal": 1, "bird": 1}, "D3": {"mammal": 1, "bird": 1}},
    )
    play(state, "hex:D2", "pass")
    assert at(state) == ("compete_tile", "bird")
    assert legal(state) == ["pass", "hex:D2", "hex:D3"]


def test_r_gla_2_without_a_tundra_tile_left_the_pawn_only_comes_off():
    state = execute("mammal bird", {**LATER, "glaciation_2": "mammal", "glaciation_1": "bird"}, tundra_left=0)
    assert at(state) == ("wander_stack", "mammal")
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}
    assert get(state, "spaces") == {"glaciation_2": "mammal"}


def test_r_gla_2_without_a_legal_tile_the_pawn_only_comes_off():
    state = execute("mammal bird", {**LATER, "glaciation_1": "bird"}, tundra=RING)
    assert at(state) == ("wander_stack", "mammal")
    assert get(state, "tundra_left") == 5


def test_r_gla_3_each_animal_keeps_one_species_and_the_rest_return_to_the_gene_pools():
    state = glaciate("E4", species={"E4": {"mammal": 1, "bird": 4}, "E3": {"bird": 2}})
    assert on(state, "E4") == {"mammal": 1, "bird": 1}
    assert on(state, "E3") == {"bird": 2}
    assert get(state, "gene_pool") == {"mammal": 20, "bird": 23}
    assert get(state, "eliminated") == {}


def test_r_gla_4_elements_between_three_tundra_tiles_go_to_the_bag():
    state = glaciate(
        "E3", tundra=["D2"], corners={"D2.se": "meat", "D3.e": "meat", "D2.e": "meat", "E3.e": "meat"}
    )
    assert get(state, "corners") == {"D3.e": "meat", "D2.e": "meat", "E3.e": "meat"}
    # Of twenty meats one is in the Adaptation box and three stay on earth.
    assert get(state, "bag")["meat"] == 16


def test_r_gla_4_a_corner_of_two_tundra_tiles_and_no_third_tile_is_safe():
    state = glaciate("E3", tundra=["D2"], corners={"D2.e": "meat"})
    assert get(state, "corners") == {"D2.e": "meat"}


def test_r_gla_4_an_element_put_between_three_tundra_tiles_since_then_goes_too():
    state = glaciate("C4", tundra=["D2", "E3"], corners={"D2.se": "meat", "D3.e": "sun"})
    assert get(state, "corners") == {"D3.e": "sun"}


def test_r_gla_4_nothing_goes_without_a_glaciation():
    state = execute(
        "mammal bird", {**LATER, "glaciation_1": "bird"}, tundra=["D2", "E3"], corners={"D2.se": "meat"}
    )
    play(state, "pass")
    assert get(state, "corners") == {"D2.se": "meat"}


@pytest.mark.parametrize(
    ("frozen", "points"),
    [
        ([], 1),
        (["D2"], 3),
        (["D2", "E4"], 6),
        (["D2", "E4", "E2"], 10),
        (["D2", "E4", "E2", "F2"], 15),
        (["D2", "E4", "E2", "F2", "F3"], 21),
    ],
)
def test_r_gla_5_bonus_points_for_the_tundra_tiles_next_to_the_new_one(frozen, points):
    state = glaciate("E3", tundra=frozen, tiles={"E2": "sea", "F2": "sea", "F3": "sea"})
    assert get(state, "vp") == {"bird": points}


def test_r_gla_5_other_tundra_tiles_do_not_count():
    state = glaciate("E3", tundra=["C3", "C4", "D4"])
    assert get(state, "vp") == {"bird": 1}
