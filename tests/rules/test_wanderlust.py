"""Wanderlust: R-WAN-1 to R-WAN-5."""

import pytest
from positions import FURTHER_TILES, at, empty_bag, execute, get, legal, on, play, settle

LATER = {"domination_1": "mammal"}


def wander(*actions, animals="mammal bird", spaces=None, **parts):
    return play(execute(animals, spaces or {"wanderlust_1": "bird"}, **parts), *actions)


def test_r_wan_1_one_of_the_face_up_tiles_goes_on_an_empty_hex_next_to_a_tile():
    state = wander(stacks=("sea", "forest", "sea"))
    assert at(state) == ("wander_stack", "bird")
    assert legal(state) == ["pass", "stack:1", "stack:2", "stack:3"]
    play(state, "stack:2")
    assert at(state) == ("wander_hex", "bird")
    assert legal(state) == [
        f"hex:{h}" for h in ("B2", "B3", "B4", "C2", "C5", "D1", "D5", "E2", "E5", "F2", "F3", "F4")
    ]
    play(state, "hex:E2")
    assert get(state, "tiles")["E2"] == {"terrain": "forest"}


def test_r_wan_1_without_a_face_up_tile_the_pawn_only_comes_off():
    parts = empty_bag("mammal bird")
    assert len(parts["tiles"]) == FURTHER_TILES.total()
    state = execute(
        "mammal bird",
        {"migration_2": "mammal", "wanderlust_1": "bird"},
        species={"A1": {"mammal": 1}},
        **parts,
    )
    assert at(state) == ("migrate_from", "mammal")
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}


@pytest.mark.parametrize(
    ("hexagon", "tiles", "points"),
    [
        ("D1", {}, 1),
        ("C2", {}, 3),
        ("C2", {"B2": "sea"}, 6),
        ("C2", {"B2": "sea", "B1": "sea"}, 10),
        ("C2", {"B2": "sea", "B1": "sea", "C1": "sea"}, 15),
        ("C2", {"B2": "sea", "B1": "sea", "C1": "sea", "D1": "forest"}, 21),
    ],
)
def test_r_wan_2_bonus_points_for_the_tiles_next_to_it(hexagon, tiles, points):
    state = wander("stack:1", f"hex:{hexagon}", tiles=tiles)
    assert get(state, "vp") == {"bird": points}


def test_r_wan_3_then_an_element_of_the_box_may_go_on_a_vacant_corner_of_it():
    # Of E2's corners three touch the starting earth: D1.se, D2.e and E2.se.
    state = wander("stack:1", "hex:E2", corners={"D2.e": "sun"}, boxes={"wanderlust": "meat seed seed grub"})
    assert at(state) == ("wander_element", "bird")
    assert legal(state) == ["pass", "element:meat", "element:seed", "element:grub"]
    play(state, "element:seed")
    assert at(state) == ("wander_corner", "bird")
    assert legal(state) == ["corner:D1.se", "corner:D1.e", "corner:E1.se", "corner:E2.se", "corner:E2.e"]
    play(state, "corner:E1.se")
    assert get(state, "corners") == {"D2.e": "sun", "E1.se": "seed"}


def test_r_wan_3_no_element_need_be_put():
    state = wander(
        "stack:1", "hex:E2", "pass", spaces={**LATER, "wanderlust_1": "bird"}, species={"D3": {"bird": 1}}
    )
    assert state.node == "dominate"
    assert get(state, "corners") == {}
    assert get(state, "boxes")["wanderlust"] == {"sun": 2, "water": 2}


def test_r_wan_3_without_a_vacant_corner_it_is_not_asked():
    # C2 is a gap between six tiles; an element lies on each of its corners.
    corners = dict.fromkeys(("C2.e", "C2.se", "B2.e", "B1.se", "B1.e", "C1.se"), "sun")
    tiles = {"B2": "sea", "B1": "sea", "C1": "sea", "D1": "forest"}
    state = wander(
        "stack:1",
        "hex:C2",
        spaces={**LATER, "wanderlust_1": "bird"},
        corners=corners,
        tiles=tiles,
        species={"D3": {"bird": 1}},
    )
    assert at(state) == ("dominate", "mammal")


def test_r_wan_4_every_animal_may_move_species_from_the_tiles_around_onto_it():
    state = wander(
        "stack:1",
        "hex:E2",
        "pass",
        spaces={**LATER, "wanderlust_1": "bird"},
        animals="mammal bird insect",
        abilities={"insect": False},
        species={"D2": {"mammal": 2, "bird": 1}, "E3": {"bird": 3}, "D3": {"insect": 1}, "E4": {"mammal": 5}},
    )
    assert at(state) == ("wander_move", "mammal")
    assert legal(state) == ["count:0", "count:1", "count:2"]
    play(state, "count:2")
    assert at(state) == ("wander_move", "bird")
    assert legal(state) == ["count:0", "count:1"]
    play(state, "count:0")
    assert at(state) == ("wander_move", "bird")
    assert legal(state) == ["count:0", "count:1", "count:2", "count:3"]
    play(state, "count:2")
    assert at(state) == ("dominate", "mammal")
    assert on(state, "E2") == {"mammal": 2, "bird": 2}
    assert on(state, "D2") == {"bird": 1}
    assert on(state, "E3") == {"bird": 1}


def test_r_wan_4_animals_move_even_when_the_owner_has_nothing_to_move():
    state = wander("stack:1", "hex:F2", "pass", species={"E3": {"mammal": 1}})
    assert at(state) == ("wander_move", "mammal")


def test_r_wan_5_the_taken_tile_is_not_replaced_before_the_reset():
    state = wander("stack:2", "hex:D1", "pass", spaces={"wanderlust_2": "mammal", "wanderlust_1": "bird"})
    assert at(state) == ("wander_stack", "mammal")
    assert legal(state) == ["pass", "stack:1", "stack:3"]
    # Three of the 24 further tiles are face up, seven lie in each stack.
    assert get(state, "stacks") == [
        {"face_up": "sea", "left": 7},
        {"face_up": None, "left": 7},
        {"face_up": "jungle", "left": 7},
    ]
    play(state, "pass")
    assert state.node == "reveal_tile"
    settle(play(state, "terrain:mountain"))
    assert get(state, "stacks")[1] == {"face_up": "mountain", "left": 6}


def test_r_wan_5_three_pawns_can_take_all_three_tiles():
    spaces = {"wanderlust_3": "mammal", "wanderlust_2": "mammal", "wanderlust_1": "bird"}
    state = wander("stack:2", "hex:D1", "pass", spaces=spaces)
    play(state, "stack:1", "hex:E2", "pass")
    assert legal(state) == ["pass", "stack:3"]
    play(state, "stack:3", "hex:F2", "pass")
    assert [stack["face_up"] for stack in get(state, "stacks")] == [None, None, None]
