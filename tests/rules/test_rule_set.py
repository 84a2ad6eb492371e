"""The rule set as data: section 8. Each field has its effect, its plain form and its bounds."""

import pytest
from positions import execute, get, legal, on, play, settle

import ds_sim as ds

TWO = ("mammal", "bird")


def fresh(**rules):
    return ds.State(ds.Rules(**rules), explicit_chance=True)


def plain(**rules):
    return get(fresh(**rules), "rules")


def test_rule_set_the_default_is_the_printed_game():
    assert plain() == {"animals": ["mammal", "reptile", "bird", "amphibian", "arachnid", "insect"]}


def test_rule_set_only_what_differs_from_the_default_is_written():
    assert plain(
        animals=TWO,
        pawns=7,
        gene_pool=50,
        bonus_vp=(1, 3, 6, 10, 15, 21, 28, 36, 45),
        tundra_tiles=11,
        handicap=0,
        max_turns=100,
        dominance_claims="automatic",
        initiative_restay=False,
        abilities={"bird": True},
        tile_values={"sea": (9, 5, 3, 2)},
        speciation_limits={"tundra": 1},
    ) == {"animals": ["mammal", "bird"]}


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({"pawns": 5}, {"pawns": {"mammal": 5, "bird": 5}}),
        ({"pawns": {"bird": 9, "mammal": 7}}, {"pawns": {"bird": 9}}),
        ({"gene_pool": 0}, {"gene_pool": {"mammal": 0, "bird": 0}}),
        ({"handicap": {"bird": 3}}, {"handicap": {"bird": 3}}),
        ({"tile_values": {"sea": [9, 5, 3, 2], "desert": []}}, {"tile_values": {"desert": []}}),
        ({"speciation_limits": {"sea": 15}}, {"speciation_limits": {"sea": 15}}),
        ({"bonus_vp": [2]}, {"bonus_vp": [2]}),
        ({"tundra_tiles": 0}, {"tundra_tiles": 0}),
        ({"cards": ["predator", "aquatic", "predator"]}, {"cards": ["aquatic", "ice_age", "predator"]}),
        ({"cards": []}, {"cards": ["ice_age"]}),
        ({"abilities": {"mammal": True, "bird": False}}, {"abilities": {"bird": False}}),
        ({"initiative_restay": True}, {"initiative_restay": True}),
        ({"dominance_claims": "declared"}, {"dominance_claims": "declared"}),
        ({"max_turns": 3}, {"max_turns": 3}),
        ({"seats": [["mammal"], ["bird"]]}, {}),
        ({"seats": [["bird", "mammal"]]}, {"seats": [["mammal", "bird"]]}),
    ],
)
def test_rule_set_the_plain_form_of_each_field(given, written):
    rules = plain(animals=TWO, **given)
    assert rules == {"animals": ["mammal", "bird"], **written}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("animals", ("mammal",)),
        ("animals", ("mammal", "fish")),
        ("animals", ("mammal", "mammal")),
        ("seats", [["mammal"]]),
        ("seats", [["mammal", "bird"], []]),
        ("seats", [["mammal", "bird"], ["bird"]]),
        ("pawns", -1),
        ("pawns", 41),
        ("pawns", {"bird": 41}),
        ("pawns", {"fish": 3}),
        ("pawns", {"insect": -1}),
        ("gene_pool", -1),
        ("gene_pool", 201),
        ("bonus_vp", []),
        ("bonus_vp", [1] * 29),
        ("bonus_vp", [1001]),
        ("bonus_vp", [-1]),
        ("tile_values", {"sea": [101]}),
        ("tile_values", {"sea": [1] * 7}),
        ("tile_values", {"lake": [1]}),
        ("speciation_limits", {"sea": 16}),
        ("speciation_limits", {"sea": -1}),
        ("tundra_tiles", 29),
        ("tundra_tiles", -1),
        ("cards", ["flood"]),
        ("handicap", 1001),
        ("handicap", {"bird": -1}),
        ("abilities", {"fish": True}),
        ("dominance_claims", "shouted"),
        ("max_turns", 0),
        ("max_turns", 1001),
    ],
)
def test_rule_set_a_value_outside_its_bounds_is_refused_by_name(field, value):
    with pytest.raises(ValueError, match=field):
        ds.Rules(**{"animals": TWO, field: value})


def test_rule_set_an_unknown_field_is_refused_by_name():
    with pytest.raises((TypeError, ValueError), match="dice"):
        ds.Rules(dice=2)


def test_rule_set_entries_for_animals_not_in_play_are_checked_then_ignored():
    assert plain(animals=TWO, pawns={"insect": 3}, handicap={"reptile": 5}, abilities={"insect": False}) == {
        "animals": ["mammal", "bird"]
    }


def test_rule_set_seats_follow_the_food_chain():
    assert plain(animals=("mammal", "bird", "insect"), seats=[["insect", "bird"], ["mammal"]]) == {
        "animals": ["mammal", "bird", "insect"],
        "seats": [["mammal"], ["bird", "insect"]],
    }


def test_rule_set_pawns_and_gene_pools_by_animal():
    state = fresh(animals=TWO, pawns={"bird": 9}, gene_pool={"mammal": 0})
    assert get(state, "pawns") == {"mammal": 7, "bird": 9}
    assert get(state, "gene_pool") == {"bird": 50}


def test_rule_set_without_any_pawns_turns_pass_by_themselves():
    state = settle(fresh(animals=TWO, pawns=0, abilities={"mammal": False}, max_turns=1))
    assert (state.node, get(state, "truncated")) == ("end", True)


def test_rule_set_bonus_vp_replaces_the_track_and_its_last_value_holds_for_all_above():
    for frozen, points in (([], 7), (["D2"], 0), (["D2", "E4"], 0)):
        state = execute("mammal bird", {"glaciation_1": "bird"}, tundra=frozen, bonus_vp=[7, 0])
        play(state, "hex:E3")
        assert get(state, "vp") == ({"bird": points} if points else {})


def test_rule_set_bonus_vp_pays_the_last_value_for_more():
    state = execute("mammal bird", {"glaciation_1": "bird"}, tundra=["D2", "E4"], bonus_vp=[1, 1000])
    play(state, "hex:E3")
    assert get(state, "vp") == {"bird": 1000}


def test_rule_set_tile_values_replace_single_terrains():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        species={"E4": {"mammal": 2, "bird": 1}},
        tile_values={"desert": [1, 50]},
    )
    play(state, "hex:E4")
    assert get(state, "vp") == {"mammal": 1, "bird": 50}


def test_rule_set_an_empty_list_of_tile_values_scores_nothing():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        species={"E4": {"mammal": 2, "bird": 1}},
        tile_values={"desert": []},
    )
    play(state, "hex:E4")
    assert get(state, "vp") == {}


def test_rule_set_speciation_limits_replace_single_terrains():
    state = execute(
        "mammal bird",
        {"speciation_sun": "bird"},
        corners={"D3.e": "sun"},
        speciation_limits={"tundra": 0, "savannah": 15},
    )
    play(state, "corner:D3.e")
    # Nothing on the tundra D3; up to fifteen on the savannah E3, two on the desert E4.
    assert legal(state) == [f"count:{k}" for k in range(16)]
    play(state, "count:15")
    assert on(state, "E3") == {"bird": 15}
    assert legal(state) == ["count:0", "count:1", "count:2"]


def test_rule_set_tundra_tiles_set_the_stock():
    assert get(fresh(tundra_tiles=28), "tundra_left") == 28
    assert get(fresh(tundra_tiles=0), "tundra_left") == 0


def test_rule_set_cards_make_the_deck():
    state = fresh(cards=("fertile", "fertile", "omnivore", "nocturnal"))
    assert legal(state) == ["card:fertile", "card:nocturnal", "card:omnivore"]


def test_rule_set_handicap_gives_points_at_the_start():
    assert get(fresh(animals=TWO, handicap=12), "vp") == {"mammal": 12, "bird": 12}
    assert get(fresh(animals=TWO, handicap={"mammal": 1000}), "vp") == {"mammal": 1000}


def test_rule_set_abilities_mammal_saves_nothing():
    state = execute(
        "mammal bird",
        {"depletion": "bird"},
        species={"C3": {"mammal": 1}, "E4": {"mammal": 1}},
        abilities={"mammal": False},
    )
    assert get(state, "eliminated") == {"mammal": 2}


def test_rule_set_abilities_reptile_protects_nothing_for_free():
    state = execute(
        "mammal reptile",
        {"abundance_1": "mammal"},
        held={"reptile": "seed"},
        boxes={"regression": "seed"},
        abilities={"reptile": False},
    )
    assert state.node == "abundance_element"
    assert get(state, "elements")["reptile"] == {"sun": 2}


def test_rule_set_abilities_bird_moves_one_step():
    state = execute(
        "mammal bird", {"migration_2": "bird"}, species={"D2": {"bird": 1}}, abilities={"bird": False}
    )
    assert legal(play(state, "hex:D2")) == ["hex:C3", "hex:D3", "hex:E3"]


def test_rule_set_abilities_amphibian_has_two_fixed_elements():
    state = fresh(animals=("mammal", "amphibian"), abilities={"amphibian": False})
    assert get(state, "elements") == {"mammal": {"meat": 2}, "amphibian": {"water": 2}}


def test_rule_set_abilities_arachnid_competes_with_pawns_only():
    state = execute(
        "bird arachnid",
        {"domination_1": "bird"},
        species={"E4": {"bird": 1, "arachnid": 1}},
        abilities={"arachnid": False},
    )
    assert state.node == "dominate"


def test_rule_set_abilities_insect_speciates_with_pawns_only():
    state = execute("bird insect", {"wanderlust_1": "bird"}, abilities={"insect": False})
    assert state.node == "wander_stack"


def test_rule_set_max_turns_bounds_the_game():
    state = fresh(animals=TWO, pawns=1, max_turns=2)
    turns = []
    while not state.is_terminal:
        if state.node == "place":
            turns.append(get(state, "turn"))
        state.apply(int(state.legal_actions()[0]))
    assert turns == [1, 1, 2, 2]
    assert get(state, "truncated") is True
