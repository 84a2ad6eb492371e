"""What holds at every node of every game."""

import random
from collections import Counter

import numpy as np
import pytest
from engine_games import ANIMAL_SETS, CHANCE_NODES, biased, random_rules, uniform, walk

import ds_sim as ds
from ds_sim.board import ANIMALS, ELEMENTS, TERRAINS
from ds_sim.nodes import NODE_ID


def check_node(state):
    """E-13, E-14, E-25: everything cached is right, and there is a true choice, the same in list and mask."""
    state.verify()
    legal, mask = state.legal_actions(), state.legal_mask()
    assert (legal.dtype, mask.dtype, mask.shape) == (np.uint8, np.bool_, (235,))
    assert mask.nonzero()[0].tolist() == legal.tolist()  # ascending and each once, too
    assert legal.size >= 2 or (state.is_terminal and legal.size == 0)
    assert state.node in NODE_ID and not state.is_chance
    assert (state.actor is None) == state.is_terminal


def check_conservation(state):
    """E-26, counted from the plain form: cubes, elements, tiles, tundra tiles, cards, pawns."""
    plain, rules = state.to_dict(), state.rules
    tiles, boxes = plain["tiles"].values(), plain["boxes"].values()
    for animal in rules.animals:
        on_earth = sum(tile.get("species", {}).get(animal, 0) for tile in tiles)
        cubes = on_earth + plain["gene_pool"].get(animal, 0) + plain["eliminated"].get(animal, 0)
        assert cubes == rules.gene_pool[animal] + 4
        check_pawns(plain, rules, animal)
    held = Counter()
    for animal, elements in plain["elements"].items():
        fixed = 3 if animal == "amphibian" and rules.abilities[animal] else 2
        assert fixed <= elements[ELEMENTS[ANIMALS.index(animal)]] and sum(elements.values()) <= 6
        held.update(elements)
        held[ELEMENTS[ANIMALS.index(animal)]] -= fixed
    for element in ELEMENTS:
        on_corners = list(plain["corners"].values()).count(element)
        in_boxes = sum(box.get(element, 0) for box in boxes)
        assert on_corners + in_boxes + plain["bag"].get(element, 0) + held[element] == 20
    for terrain in TERRAINS:
        seen = [tile["terrain"] for tile in tiles] + [stack["face_up"] for stack in plain["stacks"]]
        assert seen.count(terrain) + plain["unseen_tiles"].get(terrain, 0) == (7 if terrain == "sea" else 4)
    assert sum(stack["left"] for stack in plain["stacks"]) == sum(plain["unseen_tiles"].values())
    assert sum(tile.get("tundra", False) for tile in tiles) + plain["tundra_left"] == rules.tundra_tiles + 1
    cards = plain["cards"]["face_up"] + plain["cards"]["taken"]
    assert len(cards) == len(set(cards)) and set(cards) <= set(rules.cards)


def check_pawns(plain, rules, animal):
    pawns = plain["pawns"].get(animal, 0) + list(plain["spaces"].values()).count(animal)
    taken = plain["cards"]["taken"]
    gained = [card for card in ("intelligence", "omnivore", "parasitism") if card in taken]
    assert rules.pawns[animal] - ("immigrants" in taken) <= pawns <= rules.pawns[animal] + len(gained)


def check_game(rules, seed):
    rng = random.Random(seed)
    choose = uniform(rng) if rng.random() < 0.3 else biased(rng)
    turn = 1
    for state in walk(ds.State(rules, seed=seed), choose):
        check_node(state)
        if rng.random() < 0.01 or state.is_terminal:
            check_conservation(state)
        assert turn <= state.turn
        turn = state.turn
    assert state.turn <= rules.max_turns


@pytest.mark.parametrize("part", range(9))
def test_games_under_random_rules(part):
    """1,539 games, 27 with each of the 57 sets of animals."""
    for seed in range(171 * part, 171 * part + 171):
        rules = random_rules(random.Random(seed), ANIMAL_SETS[seed % 57])
        check_game(ds.Rules.from_dict(rules), seed)


@pytest.mark.parametrize("part", range(9))
def test_games_as_printed(part):
    """513 whole games under the printed rules, nine with each of the 57 sets of animals."""
    for animals in ANIMAL_SETS:
        check_game(ds.Rules(animals), part)


def test_explicit_chance_nodes():
    """The same at the nodes where chance is asked; they are the only ones that are `is_chance`."""
    kinds = Counter()
    for seed in range(57):
        rules = ds.Rules.from_dict(random_rules(random.Random(seed), ANIMAL_SETS[seed]))
        for state in walk(ds.State(rules, explicit_chance=True), uniform(random.Random(seed))):
            state.verify()
            kinds[state.node] += state.is_chance
            assert state.is_chance == (state.node in CHANCE_NODES) == (state.actor == "chance")
            assert state.is_terminal or state.legal_actions().size >= 2
    assert all(kinds[node] for node in CHANCE_NODES)
