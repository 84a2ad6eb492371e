"""The Reset: R-RES-1 to R-RES-5, R-END-2, R-END-3."""

import pytest
from positions import at, empty_bag, execute, get, legal, on, play, position, settle

IDLE = {"depletion": "bird"}
SIX = "mammal reptile bird amphibian arachnid insect"
# Three seeds that touch the whole starting earth.
SEEDS = {"C3.e": "seed", "C4.e": "seed", "D3.e": "seed"}


def reset(animals="mammal bird", spaces=None, **parts):
    """The state at the Reset's first decision after an Execution in which nothing happens."""
    return execute(animals, spaces or IDLE, **parts)


def boxes(state):
    return {box: content for box, content in get(state, "boxes").items() if content}


def test_r_res_1_endangered_species_are_eliminated():
    state = reset(species={"E4": {"bird": 2}, "D2": {"bird": 1}}, corners={"D2.e": "seed"})
    assert (on(state, "E4"), on(state, "D2")) == ({}, {"bird": 1})
    assert get(state, "eliminated") == {"bird": 2}


def test_r_res_1_the_mammal_saves_one_species_on_a_tile_of_its_choice():
    state = reset(
        species={"C3": {"mammal": 3}, "E4": {"mammal": 2}, "D2": {"mammal": 1}}, corners={"D2.e": "meat"}
    )
    assert at(state) == ("save", "mammal")
    assert legal(state) == ["hex:C3", "hex:E4"]
    play(state, "hex:E4")
    assert [on(state, h) for h in ("C3", "E4", "D2")] == [{}, {"mammal": 1}, {"mammal": 1}]
    assert get(state, "eliminated") == {"mammal": 4}


def test_r_res_1_a_save_without_a_choice_is_made_by_the_engine():
    state = reset(species={"C3": {"mammal": 3}})
    assert state.actor == "chance"
    assert on(state, "C3") == {"mammal": 1}


def test_r_res_1_the_saved_species_stays_where_it_is():
    state = reset(species={"C3": {"mammal": 1}, "E4": {"mammal": 1}})
    assert at(state) == ("save", "mammal")
    settle(play(state, "hex:C3"))
    assert at(state) == ("place", "bird")
    assert on(state, "C3") == {"mammal": 1}


def test_r_res_2_the_animal_with_the_most_species_on_tundra_scores_for_the_tundra_tiles_it_occupies():
    state = reset(
        tundra=["C3", "D4", "E3"],
        corners={**SEEDS, "D2.se": "meat"},
        species={"C3": {"bird": 1}, "D3": {"bird": 1, "mammal": 2}, "E3": {"bird": 1}, "D2": {"mammal": 9}},
    )
    assert get(state, "vp") == {"bird": 6}


def test_r_res_2_numbers_are_counted_together_over_all_tundra_tiles():
    state = reset(
        tundra=["C3", "E3"],
        corners={**SEEDS, "D2.se": "meat"},
        species={"C3": {"bird": 1}, "D3": {"bird": 1}, "E3": {"mammal": 3}},
    )
    assert get(state, "vp") == {"mammal": 1}


def test_r_res_2_a_tie_scores_for_nobody():
    state = reset(
        tundra=["C3", "E3"],
        corners={**SEEDS, "D2.se": "meat"},
        species={"C3": {"bird": 1}, "D3": {"bird": 1}, "E3": {"mammal": 2}},
    )
    assert get(state, "vp") == {}


def test_r_res_2_survival_comes_after_extinction():
    state = reset(species={"D3": {"mammal": 5, "bird": 2}}, corners={"D3.e": "seed"})
    # The mammal keeps the one it saves: two birds are more.
    assert on(state, "D3") == {"mammal": 1, "bird": 2}
    assert get(state, "vp") == {"bird": 1}


def test_r_res_2_nobody_on_tundra_scores_nothing():
    assert get(reset(species={"D2": {"bird": 1}}, corners={"D2.e": "seed"}), "vp") == {}


def test_r_res_3_the_game_ends_when_ice_age_was_taken_this_turn():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        species={"E3": {"bird": 1}},
        corners={"E3.e": "seed"},
        deck=(),
    )
    play(state, "hex:E3")
    assert state.is_terminal
    assert (state.node, state.actor, legal(state)) == ("end", None, [])
    assert (get(state, "phase"), get(state, "turn"), get(state, "truncated")) == ("ended", 2, False)


def test_r_res_3_extinction_and_survival_come_before_the_final_scoring():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        deck=(),
        corners={"E3.e": "seed", "D2.se": "seed"},
        species={"E3": {"bird": 1}, "E4": {"mammal": 4}, "C3": {"mammal": 2}, "D3": {"bird": 1}},
    )
    play(state, "hex:E3")
    # Savannah 7, two dominated tiles 3.
    assert (state.node, get(state, "vp")) == ("save", {"bird": 10})
    play(state, "hex:E4")
    # Survival 1; then savannah 7 and tundra 1. The mammal keeps the desert alone.
    assert get(state, "vp") == {"mammal": 4, "bird": 19}


def test_r_res_3_pawns_still_pending_when_ice_age_is_taken_act_first():
    state = execute(
        "mammal bird",
        {"domination_2": "mammal", "domination_1": "bird"},
        deck=(),
        species={"E3": {"bird": 1}, "D2": {"mammal": 1}},
        corners={"E3.e": "seed", "C2.e": "meat"},
    )
    play(state, "hex:E3")
    # Ice Age: one point for the tile each of them dominates.
    assert get(state, "vp") == {"bird": 8, "mammal": 1}
    assert at(state) == ("dominate", "mammal")
    play(state, "hex:D2")
    assert state.is_terminal
    assert get(state, "vp") == {"bird": 8 + 7, "mammal": 1 + 8 + 8}


def test_r_res_4_glaciation_pawns_slide_left_without_gaps():
    spaces = {"glaciation_4": "mammal", "glaciation_3": "bird", "glaciation_1": "bird"}
    state = settle(play(execute("mammal bird", spaces), "pass"))
    assert get(state, "spaces") == {"glaciation_1": "bird", "glaciation_2": "mammal"}


def test_r_res_4_boxes_empty_and_move_on_then_four_elements_are_drawn_into_each():
    state = reset(
        boxes={
            "adaptation": "meat sun seed water",
            "regression": "grub",
            "abundance": "grub grub grass grass",
            "wasteland": "sun sun",
            "depletion": "meat meat",
            "wanderlust": "seed seed seed seed",
        }
    )
    assert state.node == "draw_element"
    assert boxes(state) == {
        "regression": {"meat": 1, "sun": 1, "seed": 1, "water": 1},
        "wasteland": {"grub": 2, "grass": 2},
        "depletion": {"sun": 2},
    }
    assert get(state, "bag") == {"meat": 19, "sun": 17, "seed": 19, "water": 19, "grub": 18, "grass": 18}
    play(state, *["element:sun"] * 4, *["element:grub"] * 4, *["element:grass"] * 4)
    assert state.node == "place"
    assert boxes(state) == {
        "adaptation": {"sun": 4},
        "regression": {"meat": 1, "sun": 1, "seed": 1, "water": 1},
        "abundance": {"grub": 4},
        "wasteland": {"grub": 2, "grass": 2},
        "depletion": {"sun": 2},
        "wanderlust": {"grass": 4},
    }


def test_r_res_4_draws_are_in_proportion_to_the_bag():
    state = reset(
        boxes={
            "adaptation": "meat sun seed water",
            "abundance": "grub grub grass grass",
            "wanderlust": "seed seed seed seed",
        }
    )
    assert dict(state.chance_outcomes()) == pytest.approx(
        {42: 19 / 112, 43: 19 / 112, 44: 19 / 112, 45: 19 / 112, 46: 18 / 112, 47: 18 / 112}
    )


def test_r_res_4_what_the_bag_lacks_stays_missing():
    # The bag is empty; only the six elements of the Wanderlust and Depletion boxes come back.
    parts = empty_bag(SIX, {"wanderlust": "grass grass grass", "depletion": "grass grass grass"})
    state = execute(
        SIX,
        {"initiative": "bird"},
        initiative="bird mammal reptile amphibian arachnid insect",
        gene_pool={"insect": 0},
        eliminated={"insect": 4},
        **parts,
    )
    play(state, "pass")
    # A single type is no choice: four into Adaptation, two into Abundance, none into Wanderlust.
    assert state.node == "place"
    assert boxes(state) == {"adaptation": {"grass": 4}, "abundance": {"grass": 2}}
    assert get(state, "bag") == {}


def test_r_res_4_cards_then_tiles_then_pawns_and_boxes():
    state = execute(
        "mammal bird",
        {"glaciation_3": "mammal", "domination_1": "bird", "wanderlust_2": "bird", "glaciation_2": "bird"},
        species={"E3": {"bird": 1}},
        corners={"E3.e": "seed"},
    )
    play(state, "pass", "stack:2", "hex:D1", "pass", "hex:E3", "card:biodiversity")
    assert state.node == "reveal_card"
    assert get(state, "phase") == "reset"
    assert legal(state) == [
        f"card:{c}"
        for c in (
            "cold_snap",
            "disease",
            "ecodiversity",
            "evolution",
            "fecundity",
            "fertile",
            "habitat",
            "hibernation",
            "ice_sheet",
            "immigrants",
            "instinct",
            "intelligence",
            "mass_exodus",
            "metamorphosis",
            "niche_biomes",
            "nocturnal",
            "omnivore",
            "parasitism",
            "predator",
            "symbiotic",
        )
    ]
    play(state, "card:symbiotic")
    assert state.node == "reveal_tile"
    assert get(state, "spaces") == {"glaciation_3": "mammal"}
    assert get(state, "boxes")["regression"] == {}
    play(state, "terrain:mountain")
    assert state.node == "draw_element"
    assert get(state, "spaces") == {"glaciation_1": "mammal"}
    assert get(state, "tiles")["E3"]["scored"] is True
    settle(state)
    assert get(state, "cards") == {
        "face_up": ["aquatic", "biomass", "blight", "catastrophe", "symbiotic"],
        "taken": ["biodiversity"],
    }


def test_r_res_4_cards_are_refilled_as_far_as_there_are_any():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        species={"E3": {"bird": 1}},
        corners={"E3.e": "seed"},
        deck=("biodiversity", "biomass"),
    )
    play(state, "hex:E3", "card:biodiversity")
    assert state.node == "draw_element"
    assert get(state, "cards") == {"face_up": ["biomass", "ice_age"], "taken": ["biodiversity"]}


def test_r_res_4_ice_age_is_revealed_when_no_other_card_is_left():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        species={"E3": {"bird": 1}},
        corners={"E3.e": "seed"},
        deck=("biodiversity", "biomass", "blight", "ecodiversity", "nocturnal"),
    )
    assert "ice_age" not in get(state, "cards")["face_up"]
    play(state, "hex:E3", "card:biodiversity")
    assert state.node == "draw_element"
    assert "ice_age" in get(state, "cards")["face_up"]


def test_r_res_5_tiles_may_be_scored_again():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        species={"E3": {"bird": 1}},
        corners={"E3.e": "seed"},
        deck=("biodiversity", "biomass"),
    )
    settle(play(state, "hex:E3", "card:biodiversity"))
    assert "scored" not in get(state, "tiles")["E3"]
    play(state, "place:domination_1")
    assert legal(state) == ["pass", "hex:E3"]


def test_r_res_5_pawns_on_the_display_stay_and_their_owners_place_fewer():
    state = settle(
        play(
            execute(
                "mammal bird", {"migration_2": "mammal", "glaciation_2": "mammal", "glaciation_1": "bird"}
            ),
            "pass",
        )
    )
    assert get(state, "spaces") == {"glaciation_1": "mammal"}
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}
    assert "place:glaciation_1" not in legal(state)


def test_r_end_2_without_any_species_left_the_game_ends():
    state = reset(
        species={"E4": {"mammal": 1, "bird": 1}},
        gene_pool={"mammal": 0, "bird": 0},
        eliminated={"mammal": 3, "bird": 3},
        abilities={"mammal": False},
        vp={"bird": 2},
    )
    assert state.is_terminal
    assert (get(state, "phase"), get(state, "truncated"), get(state, "vp")) == ("ended", False, {"bird": 2})


def test_r_end_2_not_while_a_gene_pool_has_species():
    state = reset(
        species={"E4": {"mammal": 1, "bird": 1}},
        gene_pool={"mammal": 1, "bird": 0},
        eliminated={"mammal": 2, "bird": 3},
        abilities={"mammal": False},
    )
    assert not state.is_terminal


def test_r_end_2_not_while_a_species_is_on_earth():
    state = reset(
        species={"E4": {"mammal": 1, "bird": 1}},
        gene_pool={"mammal": 0, "bird": 0},
        eliminated={"mammal": 3, "bird": 3},
    )
    assert not state.is_terminal
    assert on(state, "E4") == {"mammal": 1}


def test_r_end_3_after_max_turns_the_game_is_scored_and_marked_truncated():
    state = reset(turn=5, max_turns=5, species={"E4": {"bird": 1}}, corners={"E4.e": "seed"})
    assert state.is_terminal
    assert (get(state, "turn"), get(state, "truncated"), get(state, "vp")) == (5, True, {"bird": 4})


def test_r_end_3_not_before():
    state = settle(reset(turn=4, max_turns=5))
    assert at(state) == ("place", "bird")
    assert get(state, "turn") == 5


@pytest.mark.parametrize("ending", ["ice_age", "extinct"])
def test_r_end_3_another_end_in_the_last_turn_is_no_truncation(ending):
    if ending == "ice_age":
        state = execute(
            "mammal bird",
            {"domination_1": "bird"},
            species={"E3": {"bird": 1}},
            corners={"E3.e": "seed"},
            deck=(),
            turn=5,
            max_turns=5,
        )
        play(state, "hex:E3")
    else:
        state = reset(
            turn=5, max_turns=5, gene_pool={"mammal": 0, "bird": 0}, eliminated={"mammal": 4, "bird": 4}
        )
    assert state.is_terminal
    assert get(state, "truncated") is False


def test_r_res_1_the_mammal_may_save_after_ice_age_and_the_game_is_scored_once():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        deck=(),
        corners={"E3.e": "seed"},
        species={"E3": {"bird": 1}, "E4": {"mammal": 1}, "C3": {"mammal": 1}},
    )
    play(state, "hex:E3")
    assert state.node == "save"
    play(state, "hex:C3")
    # Bird: savannah 7, Ice Age 1, savannah 7. Mammal: jungle 6.
    assert get(state, "vp") == {"mammal": 6, "bird": 15}
    assert state.is_terminal


def test_r_res_5_a_new_turn_starts_with_the_first_animal_that_has_a_pawn():
    state = position("mammal bird", "mammal", initiative="bird mammal")
    settle(play(state, "place:depletion"))
    assert at(state) == ("place", "mammal")
