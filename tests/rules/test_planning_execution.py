"""The turn, Planning and the order of Execution: R-TUR-1, R-PLA-1, R-EXE-1, R-EXE-2."""

import pytest
from positions import SPACES, at, crowd, execute, get, legal, play, position, settle

import ds_sim as ds

# The mammal and the bird share a wetland; every space has something to offer, far from the tundra.
BUSY = {
    "species": {"D2": {"mammal": 1, "bird": 1}},
    "corners": {
        "D2.e": "meat",
        "D1.se": "sun",
        "C2.e": "seed",
        "C2.se": "water",
        "E4.e": "grub",
        "E4.se": "grass",
    },
    "boxes": {"wasteland": "grub grub", "depletion": "grub"},
}


def passes(state):
    """Forgo every decision of the Execution; the nodes and actors met."""
    met = []
    while get(state, "phase") == "execution":
        met.append((state.node, state.actor))
        play(state, "pass")
    return met


def test_r_tur_1_turns_are_counted_from_1():
    state = settle(ds.State(ds.Rules(), explicit_chance=True))
    assert (get(state, "turn"), get(state, "phase")) == (1, "planning")


def test_r_tur_1_planning_execution_and_reset_make_a_turn():
    state = position("mammal bird", "bird", turn=4, spaces={"adaptation_1": "mammal"})
    assert (get(state, "turn"), get(state, "phase")) == (4, "planning")
    play(state, "place:depletion")
    assert (get(state, "turn"), get(state, "phase")) == (4, "execution")
    play(state, "pass")
    assert (get(state, "turn"), get(state, "phase")) == (4, "reset")
    settle(state)
    assert (get(state, "turn"), get(state, "phase"), state.node) == (5, "planning", "place")


def test_r_pla_1_animals_place_one_pawn_each_in_initiative_order_again_and_again():
    state = position(
        "mammal bird insect",
        "bird",
        initiative="bird mammal insect",
        pawns={"bird": 2, "mammal": 2, "insect": 2},
    )
    actors = []
    for space in ("migration_7", "migration_6", "migration_5", "migration_4", "migration_3"):
        actors.append(state.actor)
        play(state, f"place:{space}")
    assert [*actors, state.actor] == ["bird", "mammal", "insect", "bird", "mammal", "insect"]


def test_r_pla_1_animals_without_a_pawn_are_passed_over():
    state = position(
        "mammal bird insect", "bird", initiative="bird mammal insect", pawns={"bird": 1, "insect": 2}
    )
    play(state, "place:wanderlust_1")
    assert at(state) == ("place", "insect")
    play(state, "place:wanderlust_2")
    assert at(state) == ("place", "insect")


def test_r_pla_1_pawns_go_on_vacant_spaces_only_and_placing_is_compulsory():
    state = position(
        "mammal bird", "bird", spaces={"initiative": "bird", "wasteland": "mammal", "domination_5": "mammal"}
    )
    taken = {"initiative", "wasteland", "domination_5"}
    assert legal(state) == [f"place:{space}" for space in SPACES if space not in taken]


def test_r_pla_1_planning_ends_when_no_space_is_vacant():
    state = position("mammal bird", "bird", spaces=dict.fromkeys(SPACES[:-2], "mammal"), pawns={"bird": 3})
    # Then the bird has a single space left for its second pawn, and none for its third.
    play(state, "place:domination_5")
    assert get(state, "phase") == "execution"
    assert get(state, "pawns")["bird"] == 1


def test_r_exe_1_the_41_spaces_in_order():
    assert [ds.actions.text(action) for action in range(1, 42)] == [f"place:{space}" for space in SPACES]


def test_r_exe_1_spaces_are_resolved_in_the_fixed_order():
    assert passes(crowd("domination_5", **BUSY)) == (
        [("adapt", "mammal")] * 3
        + [("abundance_element", "mammal")] * 2
        + [("wasteland", "mammal"), ("deplete", "mammal"), ("glaciate", "mammal")]
        + [("speciate_corner", "mammal")] * 6
        + [("wander_stack", "mammal")] * 3
        + [("migrate_from", "mammal")] * 6
        + [("compete_tile", "mammal")] * 2
        + [("dominate", "mammal")] * 4
        + [("dominate", "bird")]
    )


def test_r_exe_1_a_pawn_comes_off_before_its_action():
    state = execute("mammal bird", {"adaptation_2": "bird", "migration_2": "mammal"})
    assert at(state) == ("adapt", "bird")
    assert get(state, "pawns") == {"bird": 1}
    assert get(state, "spaces") == {"migration_2": "mammal"}


@pytest.mark.parametrize(
    ("space", "node"),
    [
        ("initiative", "initiative"),
        ("adaptation_1", "adapt"),
        ("abundance_2", "abundance_element"),
        ("wasteland", "wasteland"),
        ("depletion", "deplete"),
        ("glaciation_3", "glaciate"),
        ("speciation_water", "speciate_corner"),
        ("wanderlust_3", "wander_stack"),
        ("migration_2", "migrate_from"),
        ("competition_jungle_wetland", "compete_tile"),
        ("domination_1", "dominate"),
    ],
)
def test_r_exe_1_every_action_may_be_forgone(space, node):
    state = execute("mammal bird", {space: "bird"}, **BUSY)
    assert at(state) == (node, "bird")
    before = {
        key: get(state, key) for key in ("tiles", "corners", "elements", "vp", "initiative", "gene_pool")
    }
    play(state, "pass")
    assert state.actor == "chance"
    assert {key: get(state, key) for key in before} == before
    assert get(state, "pawns") == {"bird": 1}


def test_r_exe_1_a_protection_may_be_forgone():
    state = execute(
        "mammal bird", {"regression_1": "bird"}, held={"bird": "sun water"}, boxes={"regression": "sun water"}
    )
    assert legal(state) == ["pass", "element:sun", "element:water"]


def test_r_exe_1_a_pawn_whose_action_cannot_be_done_still_comes_off():
    spaces = {
        "wasteland": "bird",
        "depletion": "bird",
        "speciation_sun": "mammal",
        "competition_sea_jungle": "bird",
    }
    state = execute("mammal bird", spaces)
    assert state.actor == "chance"
    assert get(state, "spaces") == {}
    assert get(state, "pawns") == {"mammal": 1, "bird": 3}


def test_r_exe_2_the_reptile_protects_without_a_pawn():
    state = execute(
        "reptile bird", {"depletion": "bird"}, held={"reptile": "seed"}, boxes={"regression": "seed"}
    )
    assert at(state) == ("regress", "reptile")


def test_r_exe_2_the_insect_speciates_without_a_pawn():
    state = execute("bird insect", {"depletion": "bird"})
    assert at(state) == ("speciate_free", "insect")


def test_r_exe_2_the_arachnid_competes_without_a_pawn():
    state = execute("bird arachnid", {"depletion": "bird"}, species={"E4": {"bird": 1, "arachnid": 1}})
    assert at(state) == ("compete_tile", "arachnid")


def test_r_exe_2_nobody_acts_for_an_animal_that_is_not_in_play():
    state = execute(
        "mammal bird",
        {"depletion": "bird"},
        held={"bird": "sun"},
        boxes={"regression": "water"},
        species={"E4": {"mammal": 1, "bird": 1}},
        corners={"E4.e": "meat", "E4.se": "seed"},
    )
    assert state.actor == "chance"


def test_r_exe_2_the_free_actions_come_every_turn():
    state = execute("bird insect", {"depletion": "bird"}, turn=2)
    for turn in (2, 3, 4):
        assert (*at(state), get(state, "turn")) == ("speciate_free", "insect", turn)
        settle(play(state, "pass"))
        play(state, "place:depletion")
