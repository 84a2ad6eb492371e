"""The initiative space: R-INI-1, R-INI-2."""

from positions import SPACES, at, crowd, execute, get, legal, play, position, settle

ORDER = {"initiative": "mammal amphibian bird"}


def test_r_ini_1_the_owner_swaps_with_its_left_neighbour_and_places_the_same_pawn_again():
    state = execute("mammal bird amphibian", {"migration_2": "amphibian", "initiative": "bird"}, **ORDER)
    assert at(state) == ("initiative", "bird")
    play(state, "place:adaptation_1")
    assert get(state, "initiative") == ["mammal", "bird", "amphibian"]
    assert at(state) == ("adapt", "bird")
    assert get(state, "pawns") == {"bird": 1}
    assert get(state, "spaces") == {"migration_2": "amphibian"}


def test_r_ini_1_the_pawn_waits_on_its_new_space():
    state = execute("mammal bird amphibian", {"adaptation_1": "mammal", "initiative": "bird"}, **ORDER)
    play(state, "place:domination_5")
    assert at(state) == ("adapt", "mammal")
    assert get(state, "spaces") == {"domination_5": "bird"}
    assert get(state, "pawns") == {"mammal": 1}


def test_r_ini_1_the_first_animal_places_again_without_a_swap():
    state = execute("mammal bird", {"initiative": "bird"}, initiative="bird mammal")
    assert "place:domination_1" in legal(state)
    play(state, "place:adaptation_3")
    assert get(state, "initiative") == ["bird", "mammal"]
    assert at(state) == ("adapt", "bird")


def test_r_ini_1_the_owner_may_forgo_both():
    state = execute("mammal bird amphibian", {"adaptation_1": "mammal", "initiative": "bird"}, **ORDER)
    play(state, "pass")
    assert get(state, "initiative") == ["mammal", "amphibian", "bird"]
    assert get(state, "spaces") == {}
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}


def test_r_ini_1_the_new_order_rules_the_next_planning():
    state = execute("mammal bird", {"migration_2": "mammal", "initiative": "bird"}, initiative="mammal bird")
    settle(play(state, "place:depletion"))
    assert at(state) == ("place", "bird")


def test_r_ini_2_the_pawn_may_go_on_any_vacant_space_but_back():
    state = execute(
        "mammal bird amphibian",
        {"wasteland": "mammal", "domination_1": "mammal", "initiative": "bird"},
        **ORDER,
    )
    vacant = [space for space in SPACES if space not in ("initiative", "wasteland", "domination_1")]
    assert legal(state) == ["pass", *(f"place:{space}" for space in vacant)]


def test_r_ini_2_without_another_vacant_space_nothing_happens():
    state = crowd("initiative", initiative="mammal bird")
    assert at(state) == ("adapt", "mammal")
    assert get(state, "initiative") == ["mammal", "bird"]
    assert get(state, "pawns")["bird"] == 1


def test_r_ini_2_initiative_restay_lets_the_pawn_stay_and_act_next_turn():
    state = execute(
        "mammal bird amphibian",
        {"migration_2": "mammal", "initiative": "bird"},
        initiative_restay=True,
        **ORDER,
    )
    assert "place:initiative" in legal(state)
    settle(play(state, "place:initiative"))
    assert get(state, "initiative") == ["mammal", "bird", "amphibian"]
    assert get(state, "turn") == 3
    assert get(state, "spaces") == {"initiative": "bird"}
    assert get(state, "pawns") == {"mammal": 1}
    play(state, "place:migration_2")
    assert at(state) == ("initiative", "bird")
    play(state, "place:adaptation_1")
    assert get(state, "initiative") == ["bird", "mammal", "amphibian"]


def test_r_ini_2_with_initiative_restay_the_own_space_is_vacant_even_when_no_other_is():
    state = crowd("initiative", initiative="mammal bird", initiative_restay=True)
    assert at(state) == ("initiative", "bird")
    assert legal(state) == ["pass", "place:initiative"]


def test_r_ini_1_owners_of_the_initiative_pawn_need_no_other_pawn():
    state = position("mammal bird", "bird", initiative="mammal bird")
    play(state, "place:initiative")
    assert at(state) == ("initiative", "bird")
    assert get(state, "pawns") == {"bird": 1}
