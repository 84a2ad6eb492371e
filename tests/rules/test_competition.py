"""Competition: R-COM-1 to R-COM-3."""

import pytest
from positions import at, execute, get, legal, on, play

LATER = {"domination_1": "mammal"}
BOTH = {"mammal": 1, "bird": 2}


def compete(space, *actions, animals="mammal bird", who="mammal", **parts):
    return play(execute(animals, {**LATER, f"competition_{space}": who}, **parts), *actions)


def test_r_com_1_the_arachnid_is_first_on_any_tile():
    state = compete(
        "jungle_wetland",
        animals="mammal bird arachnid",
        species={
            "C3": {"mammal": 1, "bird": 1},
            "D3": {"bird": 1, "arachnid": 1},
            "D4": {"mammal": 1, "arachnid": 1},
            "E4": {"arachnid": 1},
        },
    )
    assert at(state) == ("compete_tile", "arachnid")
    assert legal(state) == ["pass", "hex:D3", "hex:D4"]
    play(state, "hex:D4")
    assert on(state, "D4") == {"arachnid": 1}
    assert get(state, "eliminated") == {"mammal": 1}
    assert at(state) == ("compete_tile", "mammal")


def test_r_com_1_it_chooses_among_several_opponents():
    state = compete(
        "jungle_wetland",
        "hex:D3",
        animals="mammal bird arachnid",
        species={"D3": {"mammal": 2, "bird": 1, "arachnid": 1}},
    )
    assert at(state) == ("compete_victim", "arachnid")
    assert legal(state) == ["animal:mammal", "animal:bird"]
    play(state, "animal:mammal")
    assert on(state, "D3") == {"mammal": 1, "bird": 1, "arachnid": 1}


def test_r_com_1_without_an_opponent_it_is_not_asked():
    state = compete(
        "jungle_wetland", animals="mammal bird arachnid", species={"D3": {"arachnid": 1}, "E4": {"bird": 1}}
    )
    assert at(state) == ("dominate", "mammal")


def test_r_com_2_one_tile_each_of_the_two_terrains_and_of_tundra():
    state = compete("jungle_wetland", species={"C3": BOTH, "D2": BOTH, "D3": BOTH, "E3": BOTH})
    asked = []
    for hexagon in ("hex:C3", "hex:D2", "hex:D3"):
        assert at(state) == ("compete_tile", "mammal")
        asked.append(legal(state))
        play(state, hexagon)
    assert asked == [["pass", "hex:C3"], ["pass", "hex:D2"], ["pass", "hex:D3"]]
    assert state.node == "dominate"
    assert [on(state, h)["bird"] for h in ("C3", "D2", "D3", "E3")] == [1, 1, 1, 2]
    assert get(state, "eliminated") == {"bird": 3}


def test_r_com_2_forgoing_a_terrain_goes_on_to_the_next():
    state = compete("jungle_wetland", "pass", species={"C3": BOTH, "D2": BOTH, "D3": BOTH})
    assert legal(state) == ["pass", "hex:D2"]
    play(state, "pass")
    assert legal(state) == ["pass", "hex:D3"]
    play(state, "pass")
    assert state.node == "dominate"
    assert get(state, "eliminated") == {}


@pytest.mark.parametrize(
    ("space", "first", "second"),
    [
        ("jungle_wetland", "C3", "D2"),
        ("wetland_desert", "D2", "E4"),
        ("desert_forest", "E4", "C4"),
        ("forest_savannah", "C4", "E3"),
        ("savannah_mountain", "E3", "D4"),
        ("mountain_sea", "D4", "E5"),
        ("sea_jungle", "E5", "C3"),
    ],
)
def test_r_com_2_the_terrains_of_the_spaces_in_the_order_of_their_names(space, first, second):
    everywhere = dict.fromkeys(("C3", "C4", "D2", "D4", "E3", "E4", "E5"), BOTH)
    state = compete(space, tiles={"E5": "sea"}, species=everywhere)
    assert legal(state) == ["pass", f"hex:{first}"]
    play(state, "pass")
    assert legal(state) == ["pass", f"hex:{second}"]
    play(state, "pass")
    assert state.node == "dominate"


def test_r_com_2_one_of_several_tiles_of_a_terrain():
    state = compete("mountain_sea", tiles={"E5": "sea", "C2": "sea"}, species={"E5": BOTH, "C2": BOTH})
    assert legal(state) == ["pass", "hex:C2", "hex:E5"]
    play(state, "hex:E5")
    assert state.node == "dominate"


def test_r_com_2_a_tundra_tile_counts_only_as_tundra():
    state = compete("jungle_wetland", tundra=["D2", "C3"], species={"C3": BOTH, "D2": BOTH})
    assert legal(state) == ["pass", "hex:C3", "hex:D2"]
    play(state, "hex:C3")
    assert state.node == "dominate"


def test_r_com_2_the_owner_must_be_there_and_so_must_an_opponent():
    state = compete("jungle_wetland", species={"C3": {"bird": 2}, "D2": {"mammal": 3}, "D3": {"bird": 1}})
    assert at(state) == ("dominate", "mammal")
    assert get(state, "pawns") == {"mammal": 2}


def test_r_com_2_the_owner_chooses_the_victim():
    state = compete(
        "jungle_wetland",
        "hex:C3",
        animals="mammal bird insect",
        abilities={"insect": False},
        species={"C3": {"mammal": 1, "bird": 1, "insect": 4}},
    )
    assert at(state) == ("compete_victim", "mammal")
    assert legal(state) == ["animal:bird", "animal:insect"]
    play(state, "animal:insect")
    assert on(state, "C3") == {"mammal": 1, "bird": 1, "insect": 3}


def test_r_com_3_eliminated_species_do_not_return_to_the_gene_pool():
    state = compete("jungle_wetland", "hex:C3", species={"C3": BOTH})
    assert get(state, "eliminated") == {"bird": 1}
    assert get(state, "gene_pool") == {"mammal": 20, "bird": 20}


def test_r_com_3_extinction_eliminates_too():
    state = execute("mammal bird", {"depletion": "bird"}, species={"E4": {"bird": 3}})
    assert get(state, "eliminated") == {"bird": 3}
    assert get(state, "gene_pool") == {"mammal": 20, "bird": 20}
