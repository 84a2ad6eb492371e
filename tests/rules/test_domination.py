"""Domination: R-DMN-1 to R-DMN-3."""

import pytest
from positions import at, execute, get, legal, play, settle

ALL = {"mammal": 6, "reptile": 5, "bird": 4, "amphibian": 3, "arachnid": 2, "insect": 1}
QUIET = {"arachnid": False, "insect": False}
SIX = "mammal reptile bird amphibian arachnid insect"


def dominate(*actions, animals="mammal bird", spaces=None, **parts):
    return play(execute(animals, spaces or {"domination_1": "bird"}, **parts), *actions)


def test_r_dmn_1_a_tile_with_species_that_has_not_been_scored_this_turn():
    state = dominate(
        species={"E4": {"mammal": 1}, "D2": {"bird": 1}},
        spaces={"domination_2": "bird", "domination_1": "bird"},
    )
    assert at(state) == ("dominate", "bird")
    assert legal(state) == ["pass", "hex:D2", "hex:E4"]
    play(state, "hex:E4")
    assert get(state, "tiles")["E4"]["scored"] is True
    assert at(state) == ("dominate", "bird")
    assert legal(state) == ["pass", "hex:D2"]


@pytest.mark.parametrize(
    ("hexagon", "tiles", "tundra", "points"),
    [
        ("E5", {"E5": "sea"}, [], [9, 5, 3, 2]),
        ("D2", {}, [], [8, 4, 2, 1]),
        ("E3", {}, [], [7, 4, 2]),
        ("C3", {}, [], [6, 3, 2]),
        ("C4", {}, [], [5, 3, 2]),
        ("E4", {}, [], [4, 2]),
        ("D4", {}, [], [3, 2]),
        ("D3", {}, [], [1]),
        ("D2", {}, ["D2"], [1]),
    ],
)
def test_r_dmn_1_values_of_the_terrains_and_nothing_beyond_the_list(hexagon, tiles, tundra, points):
    state = dominate(
        f"hex:{hexagon}",
        animals=SIX,
        tiles={**tiles, "F4": "sea"},
        tundra=tundra,
        abilities=QUIET,
        species={hexagon: ALL, "F4": {"insect": 1}},
        spaces={"domination_2": "bird", "domination_1": "bird"},
    )
    ranked = ["mammal", "reptile", "bird", "amphibian"]
    assert get(state, "vp") == dict(zip(ranked, points, strict=False))


def test_r_dmn_1_animals_are_ranked_by_number_of_species():
    state = dominate(
        "hex:D2",
        animals="mammal bird insect",
        species={"D2": {"mammal": 1, "bird": 2, "insect": 5}},
        abilities=QUIET,
    )
    assert get(state, "vp") == {"insect": 8, "bird": 4, "mammal": 2}


def test_r_dmn_1_ties_are_broken_by_the_food_chain():
    state = dominate(
        "hex:D2",
        animals="mammal bird insect",
        species={"D2": {"mammal": 2, "bird": 3, "insect": 3}},
        abilities=QUIET,
    )
    assert get(state, "vp") == {"bird": 8, "insect": 4, "mammal": 2}


def test_r_dmn_1_only_animals_present_are_ranked():
    state = dominate("hex:D2", animals="mammal bird insect", species={"D2": {"insect": 1}}, abilities=QUIET)
    assert get(state, "vp") == {"insect": 8}


def test_r_dmn_1_endangered_species_score_too():
    state = dominate("hex:E3", species={"E3": {"mammal": 2, "bird": 1}}, corners={"E3.e": "seed"})
    assert get(state, "vp") == {"mammal": 7, "bird": 4}


def test_r_dmn_1_forgoing_scores_nothing():
    state = dominate("pass", species={"E3": {"mammal": 2}}, corners={"E3.e": "meat"})
    assert get(state, "vp") == {}
    assert get(state, "cards")["taken"] == []


def test_r_dmn_1_without_a_tile_the_pawn_only_comes_off():
    state = dominate(
        "hex:E3", species={"E3": {"bird": 1}}, spaces={"domination_5": "mammal", "domination_1": "bird"}
    )
    assert state.actor == "chance"
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}


def test_r_dmn_2_the_dominating_animal_takes_a_card_whoever_scored():
    state = dominate("hex:E3", species={"E3": {"mammal": 1, "bird": 5}}, corners={"E3.e": "meat"})
    assert at(state) == ("take_card", "mammal")
    assert legal(state) == [
        "card:aquatic",
        "card:biodiversity",
        "card:biomass",
        "card:blight",
        "card:catastrophe",
    ]
    play(state, "card:biodiversity")
    # Seven for the bird; the mammal had four from the tile, and shares it with the bird.
    assert get(state, "vp") == {"bird": 7, "mammal": 5}
    assert get(state, "cards")["taken"] == ["biodiversity"]
    assert get(state, "cards")["face_up"] == ["aquatic", "biomass", "blight", "catastrophe"]


def test_r_dmn_2_without_a_dominating_animal_no_card_is_taken():
    state = dominate(
        "hex:E3", species={"E3": {"mammal": 1, "bird": 5}}, corners={"E3.e": "meat", "E3.se": "seed"}
    )
    assert get(state, "vp") == {"bird": 7, "mammal": 4}
    assert get(state, "cards")["taken"] == []


def test_r_dmn_2_the_last_face_up_card_must_be_taken():
    state = dominate(
        "hex:E3",
        species={"E3": {"bird": 1}},
        corners={"E3.e": "seed"},
        deck=(),
        spaces={"domination_2": "bird", "domination_1": "bird"},
    )
    assert get(state, "cards") == {"face_up": [], "taken": ["ice_age"]}


def test_r_dmn_2_with_no_card_face_up_nothing_is_taken():
    everywhere = {h: {"bird": 1} for h in ("D2", "E3", "E4")}
    state = dominate(
        species=everywhere,
        corners={"D2.e": "seed", "E4.e": "seed"},
        deck=("fertile",),
        spaces={"domination_3": "bird", "domination_2": "bird", "domination_1": "bird"},
    )
    play(state, "hex:D2", "card:fertile", "hex:D2", "hex:E3")
    assert get(state, "cards") == {"face_up": [], "taken": ["fertile", "ice_age"]}
    before = get(state, "vp")["bird"]
    play(state, "hex:E4")
    assert get(state, "phase") == "ended"
    # Ended at once: the tile and then, in the final scoring, wetland, savannah and desert.
    assert get(state, "vp")["bird"] == before + 4 + 8 + 7 + 4


def test_r_dmn_3_cards_are_not_refilled_before_the_reset():
    everywhere = {h: {"bird": 1} for h in ("D2", "E3", "E4")}
    state = dominate(
        "hex:D2",
        "card:biodiversity",
        species=everywhere,
        corners={"D2.e": "seed", "E4.e": "seed"},
        spaces={"domination_2": "bird", "domination_1": "bird"},
    )
    play(state, "hex:E3")
    assert at(state) == ("take_card", "bird")
    assert legal(state) == ["card:aquatic", "card:biomass", "card:blight", "card:catastrophe"]
    play(state, "card:biomass")
    assert (state.node, state.actor) == ("reveal_card", "chance")
    settle(state)
    assert len(get(state, "cards")["face_up"]) == 5
