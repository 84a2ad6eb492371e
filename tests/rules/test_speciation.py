"""Speciation: R-SPE-1, R-SPE-2."""

import pytest
from positions import at, counts, execute, get, legal, on, play

LATER = {"wanderlust_1": "mammal"}


def speciate(corner, **parts):
    """The bird on `speciation_sun`, with a sun on that corner chosen."""
    state = execute("mammal bird", {**LATER, "speciation_sun": "bird"}, corners={corner: "sun"}, **parts)
    return play(state, f"corner:{corner}")


def test_r_spe_1_an_element_of_the_type_of_the_space_is_chosen():
    state = execute(
        "mammal bird",
        {**LATER, "speciation_sun": "bird"},
        corners={"D3.e": "sun", "C3.e": "sun", "E3.e": "seed", "C2.e": "sun"},
    )
    assert at(state) == ("speciate_corner", "bird")
    assert legal(state) == ["pass", "corner:C2.e", "corner:C3.e", "corner:D3.e"]


def test_r_spe_1_new_species_on_each_tile_around_up_to_its_limit():
    # D3.e touches the tundra D3 (1), the savannah E3 (3) and the desert E4 (2).
    state = speciate("D3.e")
    asked = []
    for count in ("count:1", "count:3", "count:0"):
        asked.append(legal(state))
        assert at(state) == ("speciate_count", "bird")
        play(state, count)
    assert asked == [counts(1), counts(3), counts(2)]
    assert state.node == "wander_stack"
    assert [on(state, h) for h in ("D3", "E3", "E4")] == [{"bird": 1}, {"bird": 3}, {}]
    assert get(state, "gene_pool") == {"mammal": 20, "bird": 16}


@pytest.mark.parametrize(
    ("corner", "tiles", "limit"),
    [
        ("A2.w", {"B2": "jungle", "A2": "sea"}, 4),
        ("C2.e", {}, 4),
        ("E3.e", {}, 3),
        ("B2.e", {}, 3),
        ("B4.e", {}, 3),
        ("E4.e", {}, 2),
        ("C5.e", {}, 2),
    ],
)
def test_r_spe_1_limits_of_the_terrains(corner, tiles, limit):
    assert legal(speciate(corner, tiles=tiles)) == counts(limit)


def test_r_spe_1_the_limit_of_tundra_is_1_whatever_lies_below():
    assert legal(speciate("C2.e", tundra=["D2"])) == counts(1)


def test_r_spe_1_species_that_are_there_already_do_not_count():
    assert legal(speciate("E4.e", species={"E4": {"bird": 7}})) == counts(2)


def test_r_spe_1_the_gene_pool_is_a_limit_too():
    state = speciate("D3.se", gene_pool={"bird": 3}, eliminated={"bird": 1})
    # D3.se touches D3 (1), D4 (2) and E4 (2).
    play(state, "count:1")
    assert legal(state) == counts(2)
    play(state, "count:1")
    assert legal(state) == counts(1)
    play(state, "count:1")
    assert get(state, "gene_pool") == {"mammal": 20}
    assert state.node == "wander_stack"


def test_r_spe_1_the_action_ends_with_the_gene_pool():
    state = speciate("D3.se", gene_pool={"bird": 2}, eliminated={"bird": 2})
    play(state, "count:1", "count:1")
    assert state.node == "wander_stack"
    assert on(state, "E4") == {}


def test_r_spe_1_an_empty_gene_pool_leaves_nothing_to_do():
    state = execute(
        "mammal bird",
        {**LATER, "speciation_sun": "bird"},
        corners={"D3.e": "sun"},
        gene_pool={"bird": 0},
        eliminated={"bird": 4},
    )
    assert at(state) == ("wander_stack", "mammal")
    assert get(state, "pawns") == {"mammal": 1, "bird": 1}


def test_r_spe_1_without_an_element_of_the_type_the_pawn_only_comes_off():
    state = execute("mammal bird", {**LATER, "speciation_sun": "bird"}, corners={"D3.e": "seed"})
    assert at(state) == ("wander_stack", "mammal")


def test_r_spe_2_the_insect_places_one_species_on_any_tile_after_the_six_spaces():
    state = execute(
        "mammal insect",
        {**LATER, "speciation_grass": "insect"},
        corners={"E3.e": "grass"},
        tiles={"E2": "sea"},
    )
    assert state.node == "speciate_corner"
    play(state, "pass")
    assert at(state) == ("speciate_free", "insect")
    assert legal(state) == ["pass", *(f"hex:{h}" for h in ("C3", "C4", "D2", "D3", "D4", "E2", "E3", "E4"))]
    play(state, "hex:E2")
    assert on(state, "E2") == {"insect": 1}
    assert get(state, "gene_pool") == {"mammal": 20, "insect": 19}
    assert state.node == "wander_stack"


def test_r_spe_2_with_an_empty_gene_pool_the_insect_is_not_asked():
    state = execute("mammal insect", LATER, gene_pool={"insect": 0}, eliminated={"insect": 4})
    assert at(state) == ("wander_stack", "mammal")
