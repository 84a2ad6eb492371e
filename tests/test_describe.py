"""Actions and states in words."""

import base64
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from positions import execute, play, position, take

import ds_sim as ds
from ds_sim import actions
from ds_sim.board import ELEMENTS, TERRAINS
from ds_sim.describe import SENTENCES, describe, text
from ds_sim.errors import IllegalAction, UnknownAction
from ds_sim.nodes import NODES

GOLDEN = Path(__file__).parent / "golden" / "games.jsonl"
PER_KIND = 6  # states kept of each node and shape of its legal actions


def sample_states():
    """States by node, chance nodes and the end included, from all over the golden games."""
    states = {node: [] for node in NODES}
    kept = Counter()
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        state = ds.State(ds.Rules.from_dict(game["rules"]), seed=1, explicit_chance=True)
        met = set()
        for number, action in enumerate(base64.b64decode(game["actions"])):
            legal = state.legal_actions()
            shape = (state.node, *(actions.kind(int(legal[i])) for i in (0, -2, -1)))
            if number % 3 == 0 and shape not in met and kept[shape] < PER_KIND:
                met.add(shape)  # once a game
                kept[shape] += 1
                states[state.node].append(state.clone())
            state.apply(action)
        states["end"].append(state)
    return states


STATES = sample_states()
ALL_STATES = [state for states in STATES.values() for state in states]
DECISIONS = [state for state in ALL_STATES if not state.is_terminal]


def legal(state):
    return [int(action) for action in state.legal_actions()]


def map_of(state):
    """The lines of the map: between the decision and the notes below, or the table of animals."""
    return re.split(r"\n\n  (?:scored|hibernating|initiative)", text(state))[0].split("\n\n", 1)[1]


def test_the_sample_has_every_node_and_every_kind_of_action():
    assert all(STATES.values())
    met = {(state.node, actions.kind(action)) for state in DECISIONS for action in legal(state)}
    assert met == {(node, kind) for node, kinds in SENTENCES.items() for kind in kinds}


# ---- actions ----


@pytest.mark.parametrize("node", [node for node in NODES if node != "end"])
def test_legal_actions_have_different_sentences_about_what_they_name(node):
    for state in STATES[node]:
        sentences = {action: state.describe(action) for action in legal(state)}
        assert len(set(sentences.values())) == len(sentences)
        for action, sentence in sentences.items():
            assert state.is_chance or state.actor in sentence
            assert "None" not in sentence and "  " not in sentence and not sentence.endswith(" ")
            if actions.kind(action) in ("element", "corner", "hex", "animal", "terrain"):
                assert actions.argument(action) in sentence
            if actions.kind(action) == "card":
                assert actions.argument(action).split("_")[0] in sentence.lower()


def test_a_text_is_described_like_its_number():
    state = ds.State(seed=7)
    assert state.describe("place:domination_2") == describe(state, 38) == "insect puts a pawn on Domination 2"


@pytest.mark.parametrize("action", ["hex:D3", 0, 234])
def test_what_is_not_legal_is_not_described(action):
    with pytest.raises(IllegalAction, match="place"):
        ds.State(seed=7).describe(action)


@pytest.mark.parametrize("action", [235, -1, "place:domination_6", True])
def test_what_is_no_action_is_not_described(action):
    with pytest.raises(UnknownAction):
        ds.State(seed=7).describe(action)


def test_planning():
    state = position("mammal bird", "bird", species={"C3": {"bird": 1}}, corners={"C3.e": "seed"},
                     dominance_claims="declared")  # fmt: skip
    assert state.describe("place:competition_sea_jungle") == "bird puts a pawn on Competition (sea, jungle)"
    assert state.describe("place:speciation_grub") == "bird puts a pawn on Speciation (grub)"
    assert state.describe("hex:C3") == "bird claims dominance of C3 (jungle)"


def test_elements():
    state = execute("mammal bird", {"abundance_1": "bird"})
    assert state.describe("element:grass") == "bird takes grass from the Abundance box to put on earth"
    play(state, "element:grass")
    assert state.describe("corner:D2.e") == "bird puts grass on D2.e (at D2, E3)"
    state = execute("mammal bird", {"depletion": "bird"}, boxes={"depletion": "sun"}, corners={"D2.e": "sun"})
    assert state.describe("corner:D2.e") == "bird removes the sun on D2.e (at D2, E3)"
    assert state.describe("pass") == "bird removes no element from earth"


def test_migration():
    state = execute("mammal insect", {"migration_4": "insect"}, species={"C4": {"insect": 3}},
                    abilities={"insect": False})  # fmt: skip
    assert state.describe("hex:C4") == "insect migrates from C4 (forest), 4 moves left"
    play(state, "hex:C4")
    assert state.describe("hex:D3") == "insect migrates from C4 (forest) to D3 (tundra)"
    play(state, "hex:D3")
    assert state.describe("count:3") == "insect moves 3 species from C4 (forest) to D3 (tundra)"
    play(state, "count:2")
    assert state.describe("pass") == "insect ends its migration, 2 moves left"


def test_competition_names_the_terrain_at_hand():
    both = {"mammal": 1, "bird": 1}
    state = execute("mammal bird", {"competition_jungle_wetland": "bird"},
                    species={"C3": both, "D2": both, "D3": both})  # fmt: skip
    told = []
    for _ in range(3):
        told.append(state.describe("pass"))
        state.apply("pass")
    assert told == [f"bird attacks nobody on {terrain}" for terrain in ("jungle", "wetland", "tundra")]


def test_cards_are_named_first():
    state = take("disease", held={"mammal": "sun grass"})
    assert state.describe("element:sun") == "Disease: mammal loses sun"
    state = take("mass_exodus", "hex:D4", species={"D4": {"mammal": 2}})
    sent = "bird sends 2 species of the mammal from D4 (mountain) to C4 (forest)"
    assert state.describe("count:2") == f"Mass Exodus: {sent}"
    assert f"count:2  {sent}\n" in text(state)


# ---- states ----


@pytest.mark.parametrize("node", NODES)
def test_every_state_is_told_in_plain_lines(node):
    for state in STATES[node]:
        lines = text(state).splitlines()
        assert max(map(len, lines)) <= 100
        assert all(line == line.rstrip() and line.isascii() for line in lines)
        assert state.is_terminal or node in lines[0]
        assert state.actor is None or state.actor in lines[0]


def test_the_map_shows_every_tile_species_and_element():
    for state in ALL_STATES:
        drawn, plain = map_of(state), state.to_dict()
        for name, tile in plain["tiles"].items():
            assert f"{name} {'TUNDRA' if tile.get('tundra') else tile['terrain']}" in drawn
        cubes = sum(sum(tile.get("species", {}).values()) for tile in plain["tiles"].values())
        assert sum(int(n) for n in _numbers(drawn)) == cubes
        assert drawn.count("*") == sum("dominant" in tile for tile in plain["tiles"].values())
        elements = Counter(plain["corners"].values())
        assert {e: _words(drawn).count(e) for e in ELEMENTS} == {e: elements[e] for e in ELEMENTS}


def _words(drawn):
    return drawn.replace("_", " ").replace("/", " ").replace("\\", " ").split()


def _numbers(drawn):
    """The numbers behind the codes of animals (M12, Am3*), not those of hexes (B3 sea, or in parentheses)."""
    of_a_hex = rf" (?:TUNDRA|{'|'.join(TERRAINS)})"
    return re.findall(rf"(?<![A-Za-z(])(?:Am|Ar|[MRBI])(\d+)(?!{of_a_hex})(?!\d)", drawn)


def test_the_starting_earth():
    state = ds.State(ds.Rules(animals=("mammal", "bird", "arachnid")), seed=7)
    assert (
        map_of(state)
        == r"""
                 ___________
                / D2 wetland\
    _______water     Ar1*    grass_______
   / C3 jungle \             /E3 savannah\
  /   B1 Ar2*   grub____water             \
  \             / D3 TUNDRA \             /
   grub_____seed             grass_____sun
   / C4 forest \             / E4 desert \
  /  M1 B2* Ar1 meat______sun     M1*     \
  \             /D4 mountain\             /
   \________seed    M2* B1   meat________/
               \             /
                \___________/"""[1:]
    )


def test_crowded_tiles_take_two_lines():
    crowd = {"mammal": 12, "reptile": 1, "bird": 10, "amphibian": 11, "arachnid": 10, "insect": 13}
    drawn = map_of(position(" ".join(crowd), "bird", species={"D3": crowd}))
    assert "M12 R1 B10" in drawn and " Am11Ar10I13 " in drawn
    drawn = map_of(position(" ".join(crowd), "bird", species={"D3": crowd}, corners={"D3.e": "grass"}))
    assert "M12 R1 B10" in drawn and "Am11Ar10I13*" in drawn


def test_few_choices_are_told_in_sentences_many_in_short():
    few = text(execute("mammal bird", {"adaptation_1": "bird"}, boxes={"adaptation": "sun sun grub"}))
    assert "  element:grub  bird takes grub from the Adaptation box\n" in few
    many = text(ds.State(seed=7))
    assert "initiative; adaptation 1 2 3; regression 1 2;" in many
    assert "for example:  insect puts a pawn on Initiative" in many


def test_empty_hexes_are_named_when_a_tile_is_laid():
    state = execute("mammal bird", {"wanderlust_1": "bird"})
    play(state, "stack:1")
    assert "(D1)" in map_of(state) and "(B2)" in map_of(state)


def test_the_end_names_the_winner():
    for state in STATES["end"]:
        vp = state.scores[ds.board.ANIMAL_ID[state.winner]]
        assert f"{state.winner} wins with {vp} VPs" in text(state).splitlines()[0]


def test_seats_are_told_when_a_player_runs_several():
    seats = (("mammal", "bird"), ("reptile",))
    shared = text(ds.State(ds.Rules(animals=("mammal", "reptile", "bird"), seats=seats), seed=7))
    assert "seat" in shared and "seat" not in text(ds.State(seed=7))


def test_str_and_repr():
    state = ds.State(seed=7)
    assert str(state) == text(state)
    assert repr(state) == "<State turn 1, place of insect>"
    assert repr(STATES["end"][0]) == f"<State turn {STATES['end'][0].turn}, end>"
    assert "reveal_card of chance" in repr(ds.State(seed=7, explicit_chance=True))
