"""The built-in players: legal everywhere, the same every time, right where it is obvious, and strong."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from positions import execute, play, position, take

import ds_sim as ds
from ds_sim.nodes import CHANCE_NODES, NODES

PLAYERS = ("greedy", "expert")
RULES = (
    ds.Rules(animals=("mammal", "insect")),
    ds.Rules(animals=("reptile", "bird", "amphibian"), dominance_claims="declared"),
    ds.Rules(animals=("mammal", "bird", "insect"), seats=(("mammal", "insect"), ("bird",))),
    ds.Rules(initiative_restay=True, abilities=dict.fromkeys(ds.board.ANIMALS, False)),
    ds.Rules(animals=("bird", "arachnid", "insect"), pawns=14, gene_pool=200, speciation_limits={"sea": 15}),
    ds.Rules(animals=("mammal", "amphibian"), pawns=0, tundra_tiles=0, cards=(), max_turns=5),
    ds.Rules(pawns=8, tile_values={"sea": [], "tundra": [100] * 6}, bonus_vp=[1000], handicap=1000),
    ds.Rules(gene_pool=0, max_turns=9, tundra_tiles=28),
)


def chosen(player: str, state: ds.State, seed: int = 1) -> str:
    """What a player does in a position, as text."""
    record = ds.playouts_from(state, 1, player, seed=seed, keep_records=True).records[0]
    return ds.actions.text(record[0])


def nodes_asked(results: ds.Results) -> set[str]:
    """The nodes at which the games of a run were decided."""
    seen = set()
    for record in results.records:
        state = ds.State(results.rules, seed=0, explicit_chance=True)
        for action in record:
            seen.add(state.node)
            state.apply(action)
        assert state.is_terminal
    return seen


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_plays_any_rule_set(player: str, rules: ds.Rules) -> None:
    """A policy that answers anything but a legal index is an error."""
    results = ds.playouts(rules, 20, player, seed=3)
    assert (results.turns >= 1).all()


@pytest.mark.parametrize("player", PLAYERS)
def test_every_node_is_met(player: str) -> None:
    """All but chance and the end, over games of the printed rules and of declared claims."""
    seen: set[str] = set()
    for rules in (ds.Rules(), ds.Rules(animals=("bird", "insect", "mammal"), dominance_claims="declared")):
        seen |= nodes_asked(ds.playouts(rules, 60, player, seed=8, keep_records=True))
    assert seen - set(CHANCE_NODES) == set(NODES) - set(CHANCE_NODES) - {"end"}


@pytest.mark.parametrize("player", PLAYERS)
def test_the_same_every_time(player: str) -> None:
    one, two, three = (
        ds.playouts(ds.Rules(), 40, player, seed=5, threads=n, keep_records=True) for n in (1, 2, 3)
    )
    assert one.records == two.records == three.records
    other = ds.playouts(ds.Rules(), 40, player, seed=6, keep_records=True)
    assert one.records != other.records


def test_equal_actions_are_drawn_by_lot() -> None:
    """The insect may put its species on either of two mountains that are alike in everything."""
    state = execute(
        "insect bird",
        {"initiative": "bird"},
        tiles={"E5": "mountain", "C5": "mountain"},
        corners={"E5.se": "grass", "C5.sw": "grass"},
    )
    state = play(state, "pass")
    assert state.node == "speciate_free"
    assert {chosen("greedy", state, seed) for seed in range(40)} == {"hex:E5", "hex:C5"}


# ---- positions where one action is plainly best ----


def domination(**parts: Any) -> ds.State:
    return execute("mammal bird", {"domination_1": "bird"}, abilities={"mammal": False}, **parts)


OBVIOUS = {
    "place: score the tile it leads": (
        lambda: position(
            "mammal bird",
            "bird",
            species={"D2": {"bird": 6}, "C4": {"mammal": 3}},
            corners={"D2.ne": "seed", "C4.sw": "meat"},
            gene_pool={"bird": 0},
            pawns={"bird": 1, "mammal": 0},
        ),
        {f"place:domination_{n}" for n in range(1, 6)},
    ),
    "adapt: out of danger": (
        lambda: execute(
            "mammal bird",
            {"adaptation_1": "bird"},
            species={"D2": {"bird": 4}},
            corners={"D2.ne": "water", "D2.nw": "water"},
            boxes={"adaptation": "meat sun water grub"},
        ),
        {"element:water"},
    ),
    "regress: keep what keeps it alive": (
        lambda: execute(
            "mammal bird",
            {"regression_1": "bird"},
            species={"D2": {"bird": 4}},
            corners={"D2.ne": "water"},
            held={"bird": "water grub"},
            boxes={"regression": "water grub"},
        ),
        {"element:water"},
    ),
    "abundance_element: what it lives on": (
        lambda: execute(
            "mammal bird",
            {"abundance_1": "bird"},
            species={"D2": {"bird": 4, "mammal": 1}},
            boxes={"abundance": "meat seed grass"},
        ),
        {"element:seed"},
    ),
    "wasteland: the last of its type": (
        lambda: execute(
            "mammal bird",
            {"wasteland": "bird"},
            species={"D3": {"bird": 2}},
            corners={"D3.e": "seed", "D3.w": "meat"},
            boxes={"wasteland": "meat seed"},
        ),
        {"element:seed"},
    ),
    "deplete: what rivals live on": (
        lambda: execute(
            "mammal bird",
            {"depletion": "bird"},
            species={"D2": {"mammal": 4}, "C4": {"bird": 2}},
            corners={"D2.ne": "meat", "C4.sw": "seed"},
            boxes={"depletion": "meat seed"},
        ),
        {"corner:D1.se"},
    ),
    "glaciate: where rivals stand thick": (
        lambda: execute(
            "mammal bird",
            {"glaciation_1": "bird"},
            species={"D2": {"mammal": 6, "bird": 1}, "D4": {"bird": 3}},
            corners={"D2.ne": "meat", "D2.nw": "seed", "D4.se": "seed"},
        ),
        {"hex:D2"},
    ),
    "speciate_corner: where it takes a first place": (
        lambda: execute(
            "mammal bird",
            {"speciation_seed": "bird"},
            corners={"D2.ne": "seed", "C4.sw": "seed"},
            species={"D2": {"bird": 6}},
        ),
        {"corner:B4.e"},
    ),
    "speciate_count: all of them": (
        lambda: play(
            execute(
                "mammal bird",
                {"speciation_seed": "bird"},
                corners={"D2.ne": "seed"},
                species={"D2": {"bird": 1, "mammal": 2}},
            ),
            "corner:D2.ne",
        ),
        {"count:4"},
    ),
    "compete_tile: where it decides the rank": (
        lambda: execute(
            "mammal bird",
            {"competition_forest_savannah": "bird"},
            species={"C4": {"bird": 2, "mammal": 2}, "E3": {"bird": 5, "mammal": 1}},
            corners={"C4.sw": "seed", "C4.w": "meat", "E3.e": "seed"},
        ),
        {"hex:C4"},
    ),
    "dominate: the richest that it leads": (
        lambda: domination(
            species={"D2": {"bird": 3}, "D4": {"bird": 3}, "C4": {"mammal": 3}},
            corners={"D2.ne": "seed", "D4.se": "seed", "C4.sw": "meat"},
        ),
        {"hex:D2"},
    ),
    "dominate: nothing that helps others only": (
        lambda: domination(
            species={"D2": {"mammal": 3}, "C4": {"mammal": 3}}, corners={"D2.ne": "meat", "C4.sw": "meat"}
        ),
        {"pass"},
    ),
    "fertile: the fullest tile": (
        lambda: take("fertile", species={"D2": {"bird": 1, "mammal": 7}, "C4": {"bird": 2}}),
        {"hex:D2"},
    ),
    "disease: what it can spare": (
        lambda: take(
            "disease",
            taker="mammal",
            held={"bird": "water grub"},
            corners={"D2.ne": "water"},
            species={"D2": {"bird": 4}},
        ),
        {"element:grub"},
    ),
    "immigrants: not the last defence": (
        lambda: take("immigrants", species={"D2": {"mammal": 1}}, held={"mammal": "grass"}),
        {"element:grass", "lose_species"},
    ),
    "aquatic_element: what it lives on": (
        lambda: take("aquatic", species={"D2": {"bird": 1, "mammal": 1}}),
        {"element:seed"},
    ),
    "catastrophe_keep: its own": (
        lambda: take(
            "catastrophe", "hex:D2", species={"D2": {"bird": 1, "mammal": 5}}, corners={"D2.ne": "seed"}
        ),
        {"animal:bird"},
    ),
    "hibernate_count: all of them": (
        lambda: take("hibernation", "hex:E4", eliminated={"bird": 3}),
        {"count:3"},
    ),
    "metamorphosis_give: what it can spare": (
        lambda: take(
            "metamorphosis",
            held={"bird": "water grub"},
            corners={"D2.ne": "water"},
            species={"D2": {"bird": 4}},
        ),
        {"element:grub"},
    ),
    "evolution_hex: where it takes the lead": (
        lambda: take(
            "evolution",
            "animal:mammal",
            species={"D2": {"bird": 2, "mammal": 3}, "C4": {"mammal": 1}},
            corners={"E4.e": "seed", "D2.ne": "seed", "D2.nw": "meat", "C4.sw": "meat"},
        ),
        {"hex:D2"},
    ),
}


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("case", OBVIOUS)
def test_obvious(player: str, case: str) -> None:
    make, expected = OBVIOUS[case]
    state = make()
    assert case.split(":")[0] in (state.node, state.node.removesuffix("_hex"))
    assert chosen(player, state) in expected


# ---- strength, compilation ----


def wins(strong: str, weak: str, rules: ds.Rules, games: int) -> float:
    """How often an animal wins that alone plays the stronger policy, over all animals in turn."""
    won = 0
    for animal in rules.animals:
        policies = {other: strong if other == animal else weak for other in rules.animals}
        winner = ds.playouts(rules, games, policies, seed=17).winner
        won += int((winner == ds.board.ANIMALS.index(animal)).sum())
    return won / (games * len(rules.animals))


@pytest.mark.parametrize("animals", [("mammal", "insect"), ("reptile", "bird", "amphibian", "arachnid")])
def test_greedy_beats_uniform(animals: tuple[str, ...]) -> None:
    assert wins("greedy", "uniform", ds.Rules(animals=animals), 25) > 0.9


@pytest.mark.parametrize("animals", [("mammal", "insect"), ("reptile", "bird", "amphibian", "arachnid")])
def test_expert_beats_greedy(animals: tuple[str, ...]) -> None:
    assert wins("expert", "greedy", ds.Rules(animals=animals), 50) > 1.5 / len(animals)


WARM = """
import ds_sim as ds
from numba.core import event
heard = event.RecordingListener()
with event.install_listener("numba:compile", heard):
    ds.playouts(ds.Rules(), 2, {player!r}, seed=1)
print(len(heard.buffer))
"""


@pytest.mark.parametrize("player", PLAYERS)
def test_a_new_process_compiles_nothing(player: str) -> None:
    ds.playouts(ds.Rules(), 1, player, seed=1)
    done = subprocess.run(
        [sys.executable, "-c", WARM.format(player=player)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0"]


CHECKED = """
import ds_sim as ds
declared = ds.Rules(animals=("bird", "insect"), dominance_claims="declared", pawns=12)
for i, rules in enumerate((ds.Rules(), declared)):
    for player in ("greedy", "expert"):
        ds.playouts(rules, 200, player, seed=i)
"""


@pytest.mark.soak
def test_no_index_is_out_of_bounds() -> None:
    """With all array indices checked, in compiled code too: an error there is an error of the policy."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    subprocess.run([sys.executable, "-c", CHECKED], env=environment, check=True)
