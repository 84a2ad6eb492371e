"""Adaptation: R-ADA-1, R-ADA-2."""

from positions import at, empty_bag, execute, get, legal, play


def test_r_ada_1_an_element_of_the_box_goes_onto_the_animal():
    state = execute(
        "mammal bird",
        {"migration_2": "mammal", "adaptation_1": "bird"},
        boxes={"adaptation": "sun sun seed grass"},
    )
    assert at(state) == ("adapt", "bird")
    assert legal(state) == ["pass", "element:sun", "element:seed", "element:grass"]
    play(state, "element:sun")
    assert get(state, "elements")["bird"] == {"sun": 1, "seed": 2}


def test_r_ada_1_pawns_act_from_left_to_right_on_what_is_left():
    spaces = {"adaptation_3": "bird", "adaptation_2": "mammal", "adaptation_1": "bird"}
    state = execute("mammal bird", spaces, boxes={"adaptation": "sun sun sun grass"})
    play(state, "element:grass")
    assert at(state) == ("adapt", "mammal")
    assert legal(state) == ["pass", "element:sun"]
    play(state, "pass")
    assert at(state) == ("adapt", "bird")
    assert get(state, "boxes")["adaptation"] == {"sun": 3}


def test_r_ada_2_an_animal_never_holds_more_than_six_elements():
    spaces = {"adaptation_3": "mammal", "adaptation_2": "bird", "adaptation_1": "bird"}
    state = execute(
        "mammal bird", spaces, held={"bird": "meat meat meat"}, boxes={"adaptation": "sun water grub grass"}
    )
    play(state, "element:sun")
    assert at(state) == ("adapt", "mammal")
    assert get(state, "elements")["bird"] == {"meat": 3, "sun": 1, "seed": 2}
    assert get(state, "pawns") == {"bird": 2, "mammal": 1}


def test_r_ada_2_the_third_fixed_element_of_the_amphibian_counts():
    spaces = {"adaptation_2": "bird", "adaptation_1": "amphibian"}
    state = execute("bird amphibian", spaces, held={"amphibian": "meat meat meat", "bird": "meat meat meat"})
    assert at(state) == ("adapt", "bird")


def test_r_ada_1_with_an_empty_box_the_pawn_only_comes_off():
    # The bag is empty too; the animals before the bird hold six elements each.
    parts = empty_bag(
        "mammal reptile amphibian arachnid insect bird",
        {"abundance": "grass grass", "wanderlust": "grass grass grass", "wasteland": "grub grub grub grub"},
    )
    state = execute(
        "mammal reptile bird amphibian arachnid insect",
        {"abundance_1": "mammal", "adaptation_1": "bird"},
        **parts,
    )
    assert state.node != "adapt"
    assert get(state, "pawns")["bird"] == 1
    assert get(state, "elements")["bird"] == {"seed": 2}
