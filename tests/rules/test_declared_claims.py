"""Declared dominance: section 8, `dominance_claims="declared"`."""

from positions import at, cones, execute, get, legal, on, play, position, settle

import ds_sim as ds

DECLARED = {"dominance_claims": "declared"}
# The bird deserves D2, E3 and E4, the mammal C4.
LAND = {
    "corners": {"D2.e": "seed", "E4.e": "seed", "B4.e": "meat"},
    "species": {
        "D2": {"bird": 1},
        "E3": {"bird": 1, "mammal": 4},
        "E4": {"bird": 1},
        "C4": {"mammal": 1, "bird": 5},
    },
}
LAST = {"migration_2": "mammal"}


def claims(state):
    return [action for action in legal(state) if action.startswith("hex:")]


def test_declared_claims_no_cone_is_set_at_setup():
    state = settle(ds.State(ds.Rules(dominance_claims="declared"), explicit_chance=True))
    assert cones(state) == {}


def test_declared_claims_a_an_animal_claims_at_its_own_placement_what_it_deserves_one_at_a_time():
    state = position("mammal bird", "bird", **LAND, **DECLARED)
    assert claims(state) == ["hex:D2", "hex:E3", "hex:E4"]
    play(state, "hex:E3")
    assert at(state) == ("place", "bird")
    assert cones(state) == {"E3": "bird"}
    assert claims(state) == ["hex:D2", "hex:E4"]


def test_declared_claims_a_claims_are_optional_and_end_with_the_placement():
    state = position(
        "mammal bird", "bird", pawns={"mammal": 1, "bird": 1}, initiative="bird mammal", **LAND, **DECLARED
    )
    play(state, "place:wasteland")
    assert at(state) == ("place", "mammal")
    assert claims(state) == ["hex:C4"]
    assert cones(state) == {}


def test_declared_claims_a_nothing_is_claimed_without_strict_dominance():
    state = position(
        "mammal bird",
        "bird",
        corners={"E4.e": "seed", "E4.se": "meat"},
        species={"E4": {"mammal": 1, "bird": 1}, "D2": {"bird": 3}},
        **DECLARED,
    )
    assert claims(state) == []


def test_declared_claims_nothing_is_claimed_with_automatic_claims():
    assert claims(position("mammal bird", "bird", **LAND)) == []


def test_p_6_claims_may_come_in_any_order():
    one = play(position("mammal bird", "bird", **LAND, **DECLARED), "hex:E4", "hex:D2")
    other = play(position("mammal bird", "bird", **LAND, **DECLARED), "hex:D2", "hex:E4")
    assert one.to_dict() == other.to_dict()
    assert cones(one) == {"D2": "bird", "E4": "bird"}


def test_p_6_an_animal_without_a_pawn_to_place_cannot_claim():
    state = play(position("mammal bird", "bird", pawns={"bird": 2}, **LAND, **DECLARED), "place:wasteland")
    assert at(state) == ("place", "bird")
    assert "hex:C4" not in legal(state)


def test_declared_claims_b_the_animal_that_deserves_a_scored_tile_without_a_cone_may_claim_it():
    state = execute("mammal bird", {"domination_2": "mammal", "domination_1": "mammal"}, **LAND, **DECLARED)
    play(state, "hex:E3")
    assert at(state) == ("claim", "bird")
    assert legal(state) == ["pass", "hex:E3"]
    play(state, "hex:E3")
    assert cones(state) == {"E3": "bird"}
    assert at(state) == ("take_card", "bird")


def test_declared_claims_b_the_claim_comes_after_the_scoring_and_may_be_forgone_with_the_card():
    state = execute("mammal bird", {"domination_2": "mammal", "domination_1": "mammal"}, **LAND, **DECLARED)
    play(state, "hex:E3")
    assert get(state, "vp") == {"mammal": 7, "bird": 4}
    play(state, "pass")
    assert at(state) == ("dominate", "mammal")
    assert get(state, "cards")["taken"] == []
    assert cones(state) == {}


def test_declared_claims_b_with_a_cone_nothing_is_asked():
    state = execute("mammal bird", {"domination_1": "mammal"}, cones={"E3": "bird"}, **LAND, **DECLARED)
    play(state, "hex:E3")
    assert at(state) == ("take_card", "bird")


def test_declared_claims_b_nobody_is_asked_where_nobody_deserves_it():
    state = execute(
        "mammal bird",
        {"domination_2": "mammal", "domination_1": "mammal"},
        corners={"E4.e": "seed", "E4.se": "meat"},
        species={"E4": {"mammal": 1, "bird": 1}, "D2": {"bird": 1}},
        **DECLARED,
    )
    play(state, "hex:E4")
    assert at(state) == ("dominate", "mammal")


def test_declared_claims_ice_age_reads_cones():
    state = execute(
        "mammal bird",
        {"domination_2": "mammal", "domination_1": "mammal"},
        deck=(),
        cones={"D2": "bird", "E3": "bird", "C4": "mammal"},
        **LAND,
        **DECLARED,
    )
    play(state, "hex:E3")
    # The bird deserves E4 too, but has no cone there: 3 for two tiles, and 4 for its place.
    assert get(state, "vp") == {"mammal": 7 + 1, "bird": 4 + 3}


def test_declared_claims_a_cone_falls_as_soon_as_it_is_not_deserved():
    state = execute(
        "mammal bird",
        {**LAST, "abundance_1": "mammal"},
        cones={"E3": "bird", "E4": "bird"},
        **LAND,
        boxes={"abundance": "meat meat grass grass"},
        **DECLARED,
    )
    play(state, "element:meat", "corner:E3.e")
    assert cones(state) == {"E4": "bird"}


def test_declared_claims_a_fallen_cone_does_not_come_back():
    spaces = {**LAST, "depletion": "mammal", "abundance_1": "mammal"}
    state = execute(
        "mammal bird",
        spaces,
        cones={"E3": "bird"},
        boxes={"abundance": "meat meat grass grass", "depletion": "meat"},
        **LAND,
        **DECLARED,
    )
    play(state, "element:meat", "corner:E3.e", "corner:E3.e")
    assert cones(state) == {}


def test_declared_claims_nobody_takes_over_a_fallen_cone_without_a_claim():
    state = execute(
        "mammal bird",
        {**LAST, "abundance_2": "mammal", "abundance_1": "mammal"},
        cones={"E3": "bird"},
        **LAND,
        boxes={"abundance": "meat meat grass grass"},
        **DECLARED,
    )
    play(state, "element:meat", "corner:E3.e", "element:meat", "corner:E2.se")
    assert cones(state) == {}


def test_declared_claims_regression_can_fell_a_cone_where_nobody_is_asked():
    # E4: a seed and a sun for the bird, two meats for the mammal: 5 to 4, then 4 to 4.
    state = execute(
        "mammal bird",
        LAST,
        cones={"E4": "bird"},
        held={"bird": "seed sun sun"},
        boxes={"regression": "seed"},
        corners={"E4.e": "seed", "E4.se": "sun", "D4.e": "meat", "D3.se": "meat"},
        species={"E4": {"mammal": 1, "bird": 1}},
        **DECLARED,
    )
    assert cones(state) == {}


def test_declared_claims_all_that_regression_removes_is_one_effect():
    # E4: meat and sun make 3 for the mammal, two suns 2 for the bird. When each has lost a sun it is 2 to 1.
    state = execute(
        "mammal bird",
        LAST,
        cones={"E4": "mammal"},
        held={"mammal": "sun", "bird": "sun sun"},
        boxes={"regression": "sun"},
        corners={"E4.e": "meat", "E4.se": "sun"},
        species={"E4": {"mammal": 1, "bird": 1}},
        **DECLARED,
    )
    assert cones(state) == {"E4": "mammal"}


def test_declared_claims_wasteland_can_fell_a_cone():
    state = execute(
        "mammal bird",
        LAST,
        cones={"E4": "bird"},
        boxes={"wasteland": "seed"},
        corners={"D3.e": "seed"},
        species={"E4": {"mammal": 1, "bird": 1}},
        **DECLARED,
    )
    assert cones(state) == {}


def test_declared_claims_all_that_wasteland_removes_is_one_effect():
    # E4: two meats make 4 for the mammal, a seed 2 for the bird. The tundra leaves one meat: 2 to 0.
    state = execute(
        "mammal bird",
        LAST,
        cones={"E4": "mammal"},
        boxes={"wasteland": "seed meat"},
        corners={"D3.se": "meat", "E4.e": "meat", "D3.e": "seed"},
        species={"E4": {"mammal": 1, "bird": 1}},
        **DECLARED,
    )
    assert get(state, "corners") == {"E4.e": "meat"}
    assert cones(state) == {"E4": "mammal"}


def test_declared_claims_all_that_blight_removes_is_one_effect():
    # E4: two seeds make 4 for the bird, a meat 2 for the mammal. One seed stays: 2 to 0.
    state = execute(
        "mammal bird",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=("blight",),
        cones={"E4": "bird"},
        corners={"D4.e": "seed", "E4.e": "seed", "E4.se": "meat"},
        species={"E4": {"mammal": 1, "bird": 1}, "C3": {"mammal": 1}},
        **DECLARED,
    )
    play(state, "hex:E4", "card:blight", "corner:E4.e")
    assert get(state, "corners") == {"E4.e": "seed"}
    assert cones(state) == {"E4": "bird"}


def test_declared_claims_migration_can_fell_a_cone():
    state = execute(
        "mammal bird",
        {"migration_3": "mammal", "migration_4": "bird"},
        cones={"E4": "bird", "D2": "bird"},
        **LAND,
        **DECLARED,
    )
    play(state, "hex:D2", "hex:C3")
    assert cones(state) == {"E4": "bird"}


def test_declared_claims_extinction_fells_no_cone_of_a_species_with_a_match():
    state = execute(
        "mammal bird", {"depletion": "bird"}, cones={"E3": "bird", "C4": "mammal"}, **LAND, **DECLARED
    )
    assert (on(state, "E3"), on(state, "C4")) == ({"bird": 1, "mammal": 1}, {"mammal": 1})
    assert cones(state) == {"E3": "bird", "C4": "mammal"}


def test_declared_claims_cones_stay_from_turn_to_turn():
    state = settle(execute("mammal bird", {"depletion": "bird"}, cones={"E4": "bird"}, **LAND, **DECLARED))
    assert at(state) == ("place", "bird")
    assert cones(state) == {"E4": "bird"}
    assert claims(state) == ["hex:D2", "hex:E3"]
