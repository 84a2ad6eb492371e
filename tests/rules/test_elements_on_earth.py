"""Abundance, Wasteland and Depletion: R-ABU-1, R-WAS-1, R-WAS-2, R-DEP-1."""

from positions import at, corner_names, empty_bag, execute, get, legal, play

# Every corner of the starting earth but D3.e, D2.se and E3.e.
ALMOST_FULL = dict.fromkeys(
    ("B2.se", "B3.se", "B2.e", "B3.e", "B4.e", "C2.se", "C3.se", "C4.se", "C2.e", "C3.e", "C4.e", "C5.e"),
    "sun",
) | dict.fromkeys(("D1.se", "D3.se", "D4.se", "D2.e", "D4.e", "E2.se", "E3.se", "E4.se", "E4.e"), "grass")


def test_r_abu_1_an_element_of_the_box_goes_to_a_vacant_corner_that_touches_a_tile():
    state = execute(
        "mammal bird",
        {"wasteland": "mammal", "abundance_1": "bird"},
        corners=ALMOST_FULL,
        boxes={"abundance": "meat meat seed grub", "wasteland": "water seed"},
    )
    assert at(state) == ("abundance_element", "bird")
    assert legal(state) == ["pass", "element:meat", "element:seed", "element:grub"]
    play(state, "element:meat")
    assert at(state) == ("abundance_corner", "bird")
    assert legal(state) == ["corner:D2.se", "corner:D3.e", "corner:E3.e"]
    play(state, "corner:E3.e")
    assert get(state, "corners")["E3.e"] == "meat"
    assert get(state, "boxes")["abundance"] == {"meat": 1, "seed": 1, "grub": 1}


def test_r_abu_1_without_a_vacant_corner_the_pawn_only_comes_off():
    parts = empty_bag("mammal bird")
    state = execute("mammal bird", {"wasteland": "mammal", "abundance_1": "bird"}, **parts)
    assert at(state) == ("wasteland", "mammal")
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}
    assert get(state, "corners") == parts["corners"]
    assert len(parts["corners"]) == len(corner_names())


def test_r_abu_1_two_pawns_cannot_use_the_same_corner():
    state = execute("mammal bird", {"abundance_2": "mammal", "abundance_1": "bird"})
    play(state, "element:grub", "corner:D3.e", "element:grass")
    assert at(state) == ("abundance_corner", "mammal")
    assert "corner:D3.e" not in legal(state)
    assert len(legal(state)) == 23


def test_r_was_1_the_owner_removes_an_element_of_the_box():
    state = execute(
        "mammal bird", {"wanderlust_1": "mammal", "wasteland": "bird"}, boxes={"wasteland": "meat seed seed"}
    )
    assert at(state) == ("wasteland", "bird")
    assert legal(state) == ["pass", "element:meat", "element:seed"]
    play(state, "element:seed")
    assert get(state, "boxes")["wasteland"] == {"meat": 1, "seed": 1}
    # Of twenty seeds one is in the Adaptation box and one stays in Wasteland.
    assert get(state, "bag")["seed"] == 18


def test_r_was_2_elements_of_the_types_in_the_box_leave_the_tundra():
    state = execute(
        "mammal bird",
        {"wanderlust_1": "mammal"},
        boxes={"wasteland": "meat seed"},
        corners={"D3.e": "meat", "C3.e": "seed", "D2.se": "sun", "E3.e": "meat", "E3.se": "seed"},
    )
    assert get(state, "corners") == {"D2.se": "sun", "E3.e": "meat", "E3.se": "seed"}
    # Of twenty meats there is one each in Adaptation, in Wasteland and on earth.
    assert get(state, "bag")["meat"] == 17


def test_r_was_2_every_tundra_tile_counts():
    state = execute(
        "mammal bird",
        {"wanderlust_1": "mammal"},
        boxes={"wasteland": "meat"},
        tundra=["E3"],
        corners={"E3.e": "meat", "E4.e": "meat", "D3.e": "meat"},
    )
    assert get(state, "corners") == {"E4.e": "meat"}


def test_r_was_1_removing_the_last_of_a_type_saves_the_tundra_from_it():
    state = execute(
        "mammal bird",
        {"wanderlust_1": "mammal", "wasteland": "bird"},
        boxes={"wasteland": "meat seed"},
        corners={"D3.e": "meat", "C3.e": "seed"},
    )
    play(state, "element:meat")
    assert get(state, "corners") == {"D3.e": "meat"}


def test_r_was_1_removing_one_of_two_saves_nothing():
    state = execute(
        "mammal bird",
        {"wanderlust_1": "mammal", "wasteland": "bird"},
        boxes={"wasteland": "meat meat"},
        corners={"D3.e": "meat"},
    )
    play(state, "element:meat")
    assert get(state, "corners") == {}


def test_r_was_2_it_follows_a_forgone_wasteland_too():
    state = execute(
        "mammal bird",
        {"wanderlust_1": "mammal", "wasteland": "bird"},
        boxes={"wasteland": "meat seed"},
        corners={"D3.e": "meat", "C3.e": "seed"},
    )
    play(state, "pass")
    assert get(state, "corners") == {}


def test_r_was_2_it_happens_without_a_pawn():
    state = execute(
        "mammal bird", {"depletion": "mammal"}, boxes={"wasteland": "meat"}, corners={"C4.e": "meat"}
    )
    assert get(state, "corners") == {}


def test_r_dep_1_an_element_whose_type_is_in_the_box_leaves_the_earth():
    state = execute(
        "mammal bird",
        {"wanderlust_1": "mammal", "depletion": "bird"},
        boxes={"depletion": "meat seed"},
        corners={"D3.e": "meat", "C3.e": "seed", "D2.se": "sun", "E3.e": "meat"},
    )
    assert at(state) == ("deplete", "bird")
    assert legal(state) == ["pass", "corner:C3.e", "corner:D3.e", "corner:E3.e"]
    play(state, "corner:E3.e")
    assert get(state, "corners") == {"D3.e": "meat", "C3.e": "seed", "D2.se": "sun"}
    assert get(state, "boxes")["depletion"] == {"meat": 1, "seed": 1}
    assert get(state, "bag")["meat"] == 17


def test_r_dep_1_without_a_matching_element_the_pawn_only_comes_off():
    state = execute(
        "mammal bird",
        {"wanderlust_1": "mammal", "depletion": "bird"},
        boxes={"depletion": "meat"},
        corners={"D3.e": "sun"},
    )
    assert at(state) == ("wander_stack", "mammal")
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}
