"""Bonus points, their floor, the final scoring and the winner: R-VP-1, R-VP-2, R-END-1, R-SET-3."""

import pytest
from positions import execute, get, play

IDLE = {"depletion": "bird"}
# Ten tundra tiles; seeds at six corners touch them all.
FROZEN = ["C3", "C4", "D2", "D4", "E3", "E4", "C2", "E2", "F3"]
SEEDS = dict.fromkeys(("C3.e", "C4.e", "D3.e", "C2.se", "D2.e", "E3.se"), "seed")


def final(animals="mammal bird", **parts):
    """The state after the last turn, in which nothing happened."""
    return execute(animals, {"depletion": animals.split()[-1]}, turn=3, max_turns=3, **parts)


@pytest.mark.parametrize(
    ("n", "points"), [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (7, 28), (8, 36), (9, 45), (10, 45)]
)
def test_r_vp_1_the_bonus_track_and_45_for_nine_or_more(n, points):
    occupied = ["D3", *FROZEN][:n]
    state = execute(
        "mammal bird",
        IDLE,
        tiles={"C2": "sea", "E2": "sea", "F3": "sea"},
        tundra=FROZEN,
        corners=SEEDS,
        species={h: {"bird": 1} for h in occupied},
    )
    assert get(state, "vp") == {"bird": points}


def test_r_vp_1_zero_for_a_quantity_of_zero():
    # Ice Age is taken by the bird; the mammal dominates nothing and scores only for its place, second on the
    # savannah.
    state = execute(
        "mammal bird",
        {"domination_2": "bird", "domination_1": "bird"},
        deck=(),
        corners={"E3.e": "seed"},
        species={"E3": {"mammal": 1, "bird": 2}, "E4": {"mammal": 1}},
    )
    play(state, "hex:E3")
    assert get(state, "vp") == {"mammal": 4, "bird": 8}


@pytest.mark.parametrize(("points", "left"), [(6, 2), (5, 1), (4, 0), (3, 0)])
def test_r_vp_2_points_never_fall_below_0(points, left):
    # The insects are first on the desert and gain 4, the bird 2 and the card; who has more than 2 loses 4.
    state = execute(
        "mammal bird insect",
        {"domination_1": "bird"},
        deck=("niche_biomes",),
        corners={"E4.e": "seed"},
        species={"E4": {"bird": 1, "insect": 3}},
        vp={"mammal": points},
        abilities={"insect": False},
    )
    play(state, "hex:E4")
    assert get(state, "vp") == {"mammal": points, "bird": 2, "insect": 4}
    play(state, "card:niche_biomes")
    assert get(state, "vp") == {animal: n for animal, n in (("mammal", left), ("bird", 2)) if n}


def test_r_end_1_every_tile_is_scored_once_without_cards():
    state = final(
        species={"D2": {"mammal": 2, "bird": 1}, "E4": {"bird": 1}, "C4": {"mammal": 1, "bird": 1}},
        corners={"D2.e": "meat", "C2.e": "seed", "E4.e": "seed", "B3.e": "meat", "B4.e": "seed"},
        vp={"bird": 1},
    )
    # Wetland 8 and 4, desert 4, forest 5 and 3.
    assert get(state, "vp") == {"mammal": 13, "bird": 1 + 4 + 4 + 3}
    assert get(state, "cards")["taken"] == []


def test_r_end_1_tiles_scored_this_turn_are_scored_again():
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        species={"E3": {"bird": 1}},
        turn=3,
        max_turns=3,
        corners={"E3.e": "seed"},
        deck=("biodiversity",),
    )
    play(state, "hex:E3", "card:biodiversity")
    assert get(state, "vp") == {"bird": 14}


def test_r_end_1_tundra_scores_as_tundra():
    state = final(
        species={"D2": {"mammal": 2, "bird": 1}}, corners={"D2.e": "meat", "C2.e": "seed"}, tundra=["D2"]
    )
    # Survival 1 and first place on tundra 1.
    assert get(state, "vp") == {"mammal": 2}


def test_r_end_1_most_points_win():
    state = final(vp={"mammal": 7, "bird": 8})
    assert list(state.scores) == [7, 0, 8, 0, 0, 0]
    assert state.winner == "bird"


def test_r_end_1_a_tie_goes_to_the_animal_higher_in_the_food_chain():
    assert (
        final("mammal bird insect", abilities={"insect": False}, vp={"bird": 8, "insect": 8}).winner == "bird"
    )


def test_r_end_1_everybody_at_zero_leaves_the_highest_in_the_food_chain():
    assert final("bird amphibian").winner == "bird"


@pytest.mark.parametrize(
    ("points", "winner"),
    [
        ({"mammal": 9, "insect": 2, "reptile": 3, "bird": 4}, "reptile"),
        ({"mammal": 3, "insect": 9, "reptile": 3, "bird": 4}, "mammal"),
        ({"mammal": 9, "insect": 3, "reptile": 3, "bird": 9}, "reptile"),
        ({"mammal": 5, "insect": 5, "reptile": 9, "bird": 4}, "mammal"),
        ({"mammal": 5, "insect": 4, "reptile": 3, "bird": 9}, "insect"),
    ],
)
def test_r_end_1_players_are_compared_by_their_lowest_animals(points, winner):
    state = final(
        "mammal reptile bird insect",
        seats=[["mammal", "insect"], ["reptile", "bird"]],
        vp=points,
        abilities={"insect": False},
    )
    assert state.winner == winner


def test_r_set_3_the_animals_of_one_player_compete_like_any_others():
    state = execute(
        "mammal bird insect",
        {"domination_1": "mammal", "competition_jungle_wetland": "mammal"},
        seats=[["mammal", "insect"], ["bird"]],
        abilities={"insect": False},
        species={"C3": {"mammal": 1, "insect": 1}},
    )
    play(state, "hex:C3")
    assert get(state, "eliminated") == {"insect": 1}
