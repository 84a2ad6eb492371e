"""Regression: R-REG-1 to R-REG-3."""

import pytest
from positions import at, execute, get, legal, play


def held(state, animal):
    return get(state, "elements")[animal]


# The decision of this pawn comes after Regression: it shows what Regression left.
LATER = {"abundance_2": "mammal"}


def test_r_reg_1_the_owner_protects_a_type_of_the_box_that_it_holds_beyond_its_fixed_elements():
    state = execute(
        "mammal bird",
        {**LATER, "regression_1": "bird"},
        held={"bird": "sun water grass"},
        boxes={"regression": "sun seed water water"},
    )
    assert at(state) == ("regress", "bird")
    assert legal(state) == ["pass", "element:sun", "element:water"]


def test_r_reg_1_a_protected_type_is_kept_and_the_others_lose_one():
    state = execute(
        "mammal bird",
        {**LATER, "regression_1": "bird"},
        held={"bird": "sun water", "mammal": "sun"},
        boxes={"regression": "sun water"},
    )
    play(state, "element:sun")
    assert state.node == "abundance_element"
    assert held(state, "bird") == {"sun": 1, "seed": 2}
    assert held(state, "mammal") == {"meat": 2}


def test_r_reg_1_a_second_pawn_protects_another_type():
    state = execute(
        "mammal bird",
        {**LATER, "regression_1": "bird", "regression_2": "bird"},
        held={"bird": "sun water"},
        boxes={"regression": "sun water"},
    )
    play(state, "element:water")
    assert at(state) == ("regress", "bird")
    assert legal(state) == ["pass", "element:sun"]
    play(state, "element:sun")
    assert held(state, "bird") == {"sun": 1, "seed": 2, "water": 1}


def test_r_reg_1_without_a_further_type_the_second_pawn_only_comes_off():
    state = execute(
        "mammal bird",
        {**LATER, "regression_1": "bird", "regression_2": "bird"},
        held={"bird": "sun sun"},
        boxes={"regression": "sun"},
    )
    play(state, "element:sun")
    assert state.node == "abundance_element"
    assert get(state, "pawns") == {"mammal": 1, "bird": 2}


def test_r_reg_1_pawns_act_from_left_to_right_then_the_reptile_for_free():
    state = execute(
        "mammal reptile bird",
        {**LATER, "regression_1": "bird", "regression_2": "mammal"},
        held={"mammal": "grub", "reptile": "grub", "bird": "grub"},
        boxes={"regression": "grub"},
    )
    actors = []
    while state.node == "regress":
        actors.append(state.actor)
        play(state, "element:grub")
    assert actors == ["bird", "mammal", "reptile"]


def test_r_reg_1_the_reptile_protects_a_second_type_with_its_free_action():
    state = execute(
        "mammal reptile",
        {**LATER, "regression_1": "reptile"},
        held={"reptile": "seed water grass"},
        boxes={"regression": "seed water grass"},
    )
    play(state, "element:seed")
    assert legal(state) == ["pass", "element:water", "element:grass"]
    play(state, "element:grass")
    assert held(state, "reptile") == {"sun": 2, "seed": 1, "grass": 1}


@pytest.mark.parametrize("box", ["sun", "sun sun sun"])
def test_r_reg_2_one_element_of_a_type_is_lost_whatever_its_number_in_the_box(box):
    state = execute(
        "mammal bird", {"abundance_1": "mammal"}, held={"bird": "sun sun"}, boxes={"regression": box}
    )
    assert held(state, "bird") == {"sun": 1, "seed": 2}


def test_r_reg_2_one_of_each_type_present_is_lost():
    state = execute(
        "mammal bird",
        {"abundance_1": "mammal"},
        held={"bird": "meat sun water grass"},
        boxes={"regression": "meat water grass"},
    )
    assert held(state, "bird") == {"sun": 1, "seed": 2}


def test_r_reg_2_of_the_own_type_only_what_is_beyond_the_fixed_elements_can_be_lost():
    state = execute(
        "mammal bird", {"abundance_1": "mammal"}, held={"bird": "seed"}, boxes={"regression": "meat seed"}
    )
    assert held(state, "bird") == {"seed": 2}
    assert held(state, "mammal") == {"meat": 2}


def test_r_reg_1_the_own_type_can_be_protected_when_it_is_held_beyond_the_fixed_elements():
    state = execute(
        "mammal bird",
        {**LATER, "regression_1": "bird"},
        held={"bird": "seed"},
        boxes={"regression": "meat seed"},
    )
    assert legal(state) == ["pass", "element:seed"]


def test_r_reg_2_lost_elements_return_to_the_bag():
    state = execute(
        "mammal bird",
        {"abundance_1": "mammal"},
        held={"bird": "sun", "mammal": "sun"},
        boxes={"regression": "sun"},
    )
    # Of twenty suns one lies in each of the Adaptation and Regression boxes, two in Wanderlust.
    assert get(state, "bag")["sun"] == 16


def test_r_reg_3_it_happens_every_turn_pawns_or_not():
    state = execute("mammal bird", {"depletion": "mammal"}, held={"bird": "sun"}, boxes={"regression": "sun"})
    assert held(state, "bird") == {"seed": 2}


def test_r_reg_2_forgoing_protects_nothing():
    state = execute(
        "mammal bird", {**LATER, "regression_1": "bird"}, held={"bird": "sun"}, boxes={"regression": "sun"}
    )
    play(state, "pass")
    assert held(state, "bird") == {"seed": 2}


def test_r_reg_1_a_protection_holds_for_one_turn_and_one_animal():
    state = execute(
        "mammal bird",
        {**LATER, "regression_1": "bird"},
        held={"bird": "sun", "mammal": "sun"},
        boxes={"regression": "sun"},
    )
    play(state, "element:sun")
    assert (held(state, "bird"), held(state, "mammal")) == ({"sun": 1, "seed": 2}, {"meat": 2})
