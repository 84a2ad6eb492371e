"""Migration: R-MIG-1, R-MIG-2 and the canonical order of its moves."""

import pytest
from positions import at, execute, get, legal, on, play

LATER = {"domination_1": "mammal"}
BESIDE = {"C4": ["C3", "D3", "D4"], "C3": ["C4", "D2", "D3"]}


def migrate(x, *actions, who="mammal", **parts):
    return play(execute("mammal bird", {**LATER, f"migration_{x}": who}, **parts), *actions)


def hexes(*names):
    return [f"hex:{name}" for name in names]


def test_r_mig_1_species_move_to_an_adjacent_tile():
    state = migrate(7, species={"C4": {"mammal": 2}, "E3": {"bird": 1}})
    assert at(state) == ("migrate_from", "mammal")
    assert legal(state) == ["pass", "hex:C4"]
    play(state, "hex:C4")
    assert at(state) == ("migrate_to", "mammal")
    assert legal(state) == hexes(*BESIDE["C4"])
    play(state, "hex:D4")
    assert at(state) == ("migrate_count", "mammal")
    assert legal(state) == ["count:1", "count:2"]
    play(state, "count:2")
    assert on(state, "C4") == {}
    assert on(state, "D4") == {"mammal": 2}


@pytest.mark.parametrize("x", [2, 3, 4, 5, 6, 7])
def test_r_mig_1_up_to_the_number_of_the_space(x):
    state = migrate(x, "hex:C4", "hex:D4", species={"C4": {"mammal": 9}})
    assert legal(state) == [f"count:{n}" for n in range(1, x + 1)]
    play(state, f"count:{x}")
    assert state.node == "dominate"
    assert on(state, "C4") == {"mammal": 9 - x}


def test_r_mig_1_moves_may_be_split_until_none_is_left():
    state = migrate(3, "hex:C4", "hex:C3", "count:1", species={"C4": {"mammal": 9}})
    assert at(state) == ("migrate_from", "mammal")
    play(state, "hex:C4", "hex:D3")
    assert legal(state) == ["count:1", "count:2"]
    play(state, "count:2")
    assert state.node == "dominate"


def test_r_mig_1_the_owner_may_stop_early():
    state = migrate(7, "hex:C4", "hex:C3", "count:1", "pass", species={"C4": {"mammal": 9}})
    assert state.node == "dominate"


def test_r_mig_1_each_species_moves_once():
    # The one that came from C3 does not go on from C4; the one that was there may.
    state = migrate(7, "hex:C3", "hex:C4", species={"C3": {"mammal": 1}, "C4": {"mammal": 1}})
    assert legal(state) == ["pass", "hex:C4"]
    play(state, "hex:C4")
    assert legal(state) == hexes(*BESIDE["C4"])
    play(state, "hex:D3")
    assert state.node == "dominate"
    assert (on(state, "C4"), on(state, "D3")) == ({"mammal": 1}, {"mammal": 1})


def test_r_mig_1_without_species_on_earth_the_pawn_only_comes_off():
    state = migrate(7, species={"C3": {"bird": 1}})
    assert at(state) == ("dominate", "mammal")
    assert get(state, "pawns") == {"mammal": 2}


def test_r_mig_1_only_tiles_can_be_reached():
    state = migrate(2, "hex:F4", species={"F4": {"mammal": 1}, "C3": {"bird": 1}}, tiles={"F4": "sea"})
    assert on(state, "E4") == {"mammal": 1}


def test_r_mig_2_birds_may_move_up_to_two_steps():
    state = migrate(2, "hex:D2", who="bird", species={"D2": {"bird": 1}})
    assert at(state) == ("migrate_to", "bird")
    assert legal(state) == hexes("C3", "C4", "D3", "D4", "E3", "E4")


def test_r_mig_2_other_animals_move_one_step():
    state = migrate(2, "hex:D2", species={"D2": {"mammal": 1}})
    assert legal(state) == hexes("C3", "D3", "E3")


def test_r_mig_2_the_tile_stepped_over_must_exist():
    # F2 and F4 are two steps apart, but F3 between them is empty.
    state = migrate(2, "hex:F2", who="bird", species={"F2": {"bird": 1}}, tiles={"F2": "sea", "F4": "sea"})
    assert legal(state) == hexes("D2", "D3", "E3", "E4")


def test_r_mig_2_with_that_tile_the_second_step_is_possible():
    state = migrate(
        2, "hex:F2", who="bird", species={"F2": {"bird": 1}}, tiles={"F2": "sea", "F3": "sea", "F4": "sea"}
    )
    assert legal(state) == hexes("D2", "D3", "E3", "E4", "F3", "F4")


def test_r_mig_2_two_steps_are_one_move():
    state = migrate(2, "hex:D2", "hex:D4", "count:2", who="bird", species={"D2": {"bird": 3}})
    assert state.node == "dominate"
    assert on(state, "D4") == {"bird": 2}


def test_p_2_sources_of_a_migration_come_in_ascending_order():
    state = migrate(
        7,
        "hex:C4",
        "hex:D3",
        "count:1",
        species={"C3": {"mammal": 1}, "C4": {"mammal": 2}, "E3": {"mammal": 1}},
    )
    assert legal(state) == ["pass", "hex:C4", "hex:E3"]


def test_p_2_targets_from_the_same_source_come_in_ascending_order():
    state = migrate(7, "hex:C3", "hex:D2", "count:1", species={"C3": {"mammal": 3}, "C4": {"mammal": 1}})
    assert legal(state) == ["pass", "hex:C3", "hex:C4"]
    play(state, "hex:C3")
    # Of the tiles around C3 only D3 is above D2, and is taken without a question.
    assert at(state) == ("migrate_count", "mammal")
    play(state, "count:1")
    assert on(state, "D3") == {"mammal": 1}
    assert legal(state) == ["pass", "hex:C4"]


def test_p_2_a_source_whose_highest_target_was_used_is_not_offered_again():
    state = migrate(7, "hex:C3", "hex:D3", "count:1", species={"C3": {"mammal": 3}, "C4": {"mammal": 1}})
    assert legal(state) == ["pass", "hex:C4"]


def test_p_2_another_source_has_all_its_targets():
    state = migrate(
        7, "hex:C3", "hex:D3", "count:1", "hex:C4", species={"C3": {"mammal": 2}, "C4": {"mammal": 1}}
    )
    assert legal(state) == hexes(*BESIDE["C4"])
