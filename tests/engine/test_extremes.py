"""E-12: the largest numbers a rule set allows; and the odd ends of games (E-24)."""

import random

import pytest
from engine_games import ANIMAL_SETS, biased, play_out, row_of, uniform, walk
from positions import execute, play
from reference import ReferenceState

import ds_sim as ds
from ds_sim.board import ANIMALS, TILE_KINDS

LARGEST = {
    "pawns": 40,
    "gene_pool": 200,
    "bonus_vp": [1000],
    "tile_values": dict.fromkeys(TILE_KINDS, [100] * 6),
    "speciation_limits": dict.fromkeys(TILE_KINDS, 15),
    "tundra_tiles": 28,
    "handicap": 1000,
    "initiative_restay": True,
}


def largest(counts):
    """Never passes, and takes as many as it can."""
    choose = biased(counts)

    def chosen(node, legal):
        return legal[-1] if node.endswith("count") or node == "wander_move" else choose(node, legal)

    return chosen


@pytest.mark.parametrize("claims", ["automatic", "declared"])
@pytest.mark.parametrize(
    "animals", [ANIMALS, ("mammal", "insect"), ("bird", "amphibian", "arachnid")], ids=len
)
def test_largest_numbers_against_the_reference(animals, claims):
    """Python's integers know no overflow."""
    rules = LARGEST | {
        "animals": list(animals),
        "dominance_claims": claims,
        "max_turns": 6,
        "cards": ["ice_age"],
    }
    ours, reference = ds.State(ds.Rules.from_dict(rules), explicit_chance=True), ReferenceState(rules)
    choose = largest(random.Random(1))
    while not ours.is_terminal:
        legal = ours.legal_actions().tolist()
        assert legal == reference.legal()
        action = choose(ours.node, legal)
        ours.apply(action)
        reference.apply(action)
        ours.verify()
    assert ours.scores.tolist() == [reference.vp.get(animal, 0) for animal in ANIMALS]
    assert max(ours.scores) > 2**11


@pytest.mark.parametrize("animals", ANIMAL_SETS[::14], ids=len)
def test_a_thousand_turns(animals):
    """Nobody takes Ice Age, and nobody dies out."""
    rules = ds.Rules(animals, **LARGEST | {"max_turns": 1000, "cards": ["ice_age"], "pawns": 6})
    state, rng = ds.State(rules, seed=1), random.Random(1)
    for _ in walk(state, lambda node, legal: quiet(rng, node, legal)):
        state.verify()
    assert (state.turn, state.truncated) == (1000, True)
    assert max(state.scores) > 10_000


def quiet(rng, node, legal):
    """Places anywhere but on Domination, keeps its gene pool, attacks nobody."""
    if node == "place":
        return rng.choice([action for action in legal if action < 37])
    forgone = ("initiative", "compete_tile", "dominate", "speciate_corner", "speciate_free")
    return legal[0] if node in forgone else rng.choice(legal)


@pytest.mark.parametrize("pawns", [0, 1])
def test_a_thousand_turns_without_decisions(pawns):
    """Nothing to place and no free action: the game runs to its end by itself."""
    rules = ds.Rules(("mammal", "bird"), pawns={"bird": pawns, "mammal": 0}, max_turns=1000, gene_pool=0)
    state = play_out(ds.State(rules, seed=1), uniform(random.Random(1)))
    state.verify()
    assert state.is_terminal and state.turn >= 1 and state.winner in rules.animals


def test_most_cubes_on_one_tile():
    """204 species of each animal on one tile: counters of a byte, asked in parts of fifteen (P-3)."""
    crowd = {"E4": dict.fromkeys(ANIMALS, 204)}
    state = execute(
        " ".join(ANIMALS), {"migration_7": "mammal"}, species=crowd, gene_pool=dict.fromkeys(ANIMALS, 0)
    )
    state.verify()
    counts = row_of(state)["tiles"][ds.board.HEX_ID["E4"]][:6]
    assert counts.tolist() == [204] * 6
    for _ in walk(state, largest(random.Random(2)), 400):
        state.verify()


@pytest.mark.parametrize("animals", ANIMAL_SETS[::8], ids=lambda animals: f"{len(animals)}-{animals[0]}")
def test_smallest_rule_sets(animals):
    rules = ds.Rules(
        animals,
        seats=[animals],
        gene_pool=0,
        bonus_vp=[0],
        tile_values={kind: [] for kind in TILE_KINDS},
        speciation_limits=dict.fromkeys(TILE_KINDS, 0),
        tundra_tiles=0,
        cards=[],
        abilities=dict.fromkeys(animals, False),
        max_turns=30,
    )
    state = play_out(ds.State(rules, seed=1), uniform(random.Random(1)))
    state.verify()
    assert state.returns("win").sum() == len(animals) and state.returns("rank").sum() == len(animals)


# ---- E-24 ----


def test_ice_age_with_a_save_still_to_come():
    """Scored once, after the mammal saved one of its endangered species (R-RES-1, R-RES-3, R-END-1).

    Bird: a desert alone, 4 VPs; Ice Age for the one tile it dominates, 1; final scoring of the desert, 4.
    Mammal: it saves one of two on the wetland, worth 8 at the end, and loses the other tile.
    """
    species = {"E4": {"bird": 1}, "D2": {"mammal": 2}, "C3": {"mammal": 3}}
    abilities = {"insect": False, "arachnid": False}
    state = execute(
        "mammal bird",
        {"domination_1": "bird"},
        species=species,
        corners={"E4.e": "seed"},
        deck=["omnivore"],
        abilities=abilities,
    )
    play(state, "hex:E4", "card:ice_age")
    assert (state.node, state.actor) == ("save", "mammal") and not state.is_terminal
    assert state.scores.tolist() == [0, 0, 4 + 1, 0, 0, 0]
    play(state, "hex:D2")
    assert state.is_terminal and not state.truncated
    assert state.scores.tolist() == [8, 0, 4 + 1 + 4, 0, 0, 0]
    assert state.winner == "bird"
    assert state.to_dict()["eliminated"] == {"mammal": 4}


def test_the_last_turn_with_a_save_still_to_come():
    species = {"E4": {"bird": 1}, "D2": {"mammal": 2}, "C3": {"mammal": 3}}
    state = execute(
        "mammal bird", {"depletion": "bird"}, species=species, corners={"E4.e": "seed"}, turn=2, max_turns=2
    )
    while state.node != "save":
        state.apply("pass")
    play(state, "hex:C3")
    assert state.is_terminal and state.truncated and state.turn == 2
    assert state.scores.tolist() == [6, 0, 4, 0, 0, 0]
