"""Pictures of positions: whole, readable, and standing on their own."""

import base64
import importlib.util
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ds_sim as ds
from ds_sim import _map
from ds_sim.board import BOXES, CORNER_ID, CORNER_XY, HEX_ID, HEX_XY
from ds_sim.cli import cli
from ds_sim.nodes import NODES
from ds_sim.view import _looks, svg

ROOT = Path(__file__).parent.parent
GAMES = Path(__file__).parent / "golden" / "games.jsonl"
NAMESPACE = "http://www.w3.org/2000/svg"
EACH = 2  # pictures of every kind of node


@pytest.fixture(scope="module")
def positions():
    """Some positions at every node kind, out of the golden games: the first, and the first of later games."""
    found = {node: [] for node in NODES}
    for line in GAMES.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        state = ds.State(ds.Rules.from_dict(game["rules"]), seed=0, explicit_chance=True)
        fresh = set(NODES)
        for action in [*base64.b64decode(game["actions"]), None]:
            if state.node in fresh and len(found[state.node]) < EACH:
                found[state.node].append(state.clone())
                fresh.remove(state.node)
            if action is not None:
                state.apply(action)
        if all(len(states) == EACH for states in found.values()):
            break
    return [state for states in found.values() for state in states]


@pytest.fixture(scope="module")
def drawn(positions):
    """The same positions as plain data, each with its picture."""
    pictures = [svg(state) for state in positions]
    return [
        (state.to_dict(), parse(picture), picture) for state, picture in zip(positions, pictures, strict=True)
    ]


def parse(picture):
    return ET.fromstring(picture)


def having(root, attribute):
    """The elements with this attribute, by its value; each value once."""
    found = [element for element in root.iter() if attribute in element.attrib]
    named = {element.get(attribute): element for element in found}
    assert len(named) == len(found)
    return named


def texts(element):
    return [text.text for text in element.iter(f"{{{NAMESPACE}}}text")]


def marked(element, mark):
    return [e for e in element.iter() if e.get("data-mark") == mark]


def elements_in(element):
    """How many discs of each element, by what is written on them as by what they say they are."""
    discs = [e for e in element.iter() if "data-element" in e.attrib]
    code = {look.code: name for name, look in _looks.ELEMENT_LOOKS.items()}
    for disc in discs:
        assert [code[text] for text in texts(disc)] == [disc.get("data-element")]
    return Counter(disc.get("data-element") for disc in discs)


def test_every_kind_of_node_is_drawn(drawn):
    assert {plain["node"] for plain, _, _ in drawn} == set(NODES)
    assert {root.tag for _, root, _ in drawn} == {f"{{{NAMESPACE}}}svg"}


def test_the_board_is_all_there(drawn):
    for plain, root, _ in drawn:
        hexes = having(root, "data-hex")
        assert set(hexes) == set(HEX_ID)
        for name, element in hexes.items():
            tile = plain["tiles"].get(name, {})
            cubes = {cube.get("data-animal"): cube for cube in element.iter() if "data-animal" in cube.attrib}
            assert {animal: int(cube.get("data-count")) for animal, cube in cubes.items()} == tile.get(
                "species", {}
            )
            for animal, cube in cubes.items():
                assert texts(cube) == [cube.get("data-count"), _map.CODES[animal]]
                assert len(marked(cube, "cone")) == (tile.get("dominant") == animal)
            assert len(marked(element, "cone")) == ("dominant" in tile)
            assert len(marked(element, "scored")) == tile.get("scored", False)
            kind = "tundra" if tile.get("tundra") else tile.get("terrain")
            assert [text for text in texts(element) if text in _looks.TILE_LOOKS] == ([kind] if tile else [])
            sleeping = (
                plain["hibernating"] if plain["hibernating"] and plain["hibernating"]["hex"] == name else None
            )
            shown = [text for mark in marked(element, "asleep") for text in texts(mark)]
            assert shown == ([f"z{sleeping['count']}"] if sleeping else [])


def test_elements_lie_on_their_corners(drawn):
    for plain, root, _ in drawn:
        discs = having(root, "data-corner")
        assert {name: disc.get("data-element") for name, disc in discs.items()} == plain["corners"]
        hexes = having(root, "data-hex")
        side = (place(hexes["E3"])[0] - place(hexes["D3"])[0]) / 1.5
        for things, ids, xy in ((discs, CORNER_ID, CORNER_XY), (hexes, HEX_ID, HEX_XY)):
            for name, thing in things.items():
                assert place(thing) == pytest.approx(xy[ids[name]] * side, abs=0.02)


def place(element):
    return tuple(map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform")).groups()))


def test_the_panel_is_all_there(drawn):
    for plain, root, _ in drawn:
        rows = having(root, "data-row")
        assert list(rows) == plain["initiative"]
        for animal, row in rows.items():
            numbers = [int(text) for text in texts(row) if text.isdigit()]
            counts = [plain[key].get(animal, 0) for key in ("vp", "pawns", "gene_pool", "eliminated")]
            cones = sum(tile.get("dominant") == animal for tile in plain["tiles"].values())
            assert numbers == [*counts, cones]
            assert elements_in(row) == plain["elements"][animal]
        pawns = having(root, "data-space")
        assert {space: pawn.get("data-animal") for space, pawn in pawns.items()} == plain["spaces"]
        for pawn in pawns.values():
            assert texts(pawn) == [_map.CODES[pawn.get("data-animal")]]
        boxes = having(root, "data-box")
        assert set(boxes) == set(BOXES)
        assert {name: elements_in(box) for name, box in boxes.items()} == plain["boxes"]
        cards = having(root, "data-card")
        assert list(cards) == plain["cards"]["face_up"]
        for name, card in cards.items():
            assert " ".join(texts(card)).lower().replace(" ", "_") == name


def test_the_supply_is_all_there(drawn):
    for plain, root, _ in drawn:
        words = texts(root)
        for title, key, names in (
            ("Tiles to come", "unseen_tiles", _looks.MOTIFS),
            ("Bag", "bag", _looks.ELEMENT_LOOKS),
        ):
            names = [name for name in names if name != "tundra"]
            first = words.index(title) + 1
            assert words[first + 1 : first + 3 * len(names) : 3] == names
            assert words[first + 2 : first + 3 * len(names) : 3] == [
                str(plain[key].get(name, 0)) for name in names
            ]
        assert f"{plain['tundra_left']} left" in words
        stacks = words[words.index("Stacks") + 1 : words.index("Bag")]
        assert [text for text in stacks if text[0] == "+"] == [
            f"+{stack['left']}" for stack in plain["stacks"]
        ]
        codes = [_looks.TILE_LOOKS[stack["face_up"]].code for stack in plain["stacks"] if stack["face_up"]]
        assert [text for text in stacks if text[0] != "+"] == codes


def test_the_decision_is_told(positions, drawn):
    for state, (_, root, _) in zip(positions, drawn, strict=True):
        label = root.get("aria-label")
        assert str(state.turn) in label
        assert (state.winner or state.actor) in label
        if not state.is_terminal:
            assert state.node.replace("_", " ") in label


def test_pictures_stand_on_their_own(drawn):
    """E-44, E-45: no addresses, nothing fetched, no ids that clash, an own background, a size that adapts."""
    for _, root, picture in drawn:
        assert re.findall(r"\w+://[^\"' ]*", picture) == [NAMESPACE]
        assert not re.search(r"href|url\(|@import|<(style|script|image|use|foreignObject)\b", picture)
        page = parse(f"<body>{picture}{picture}</body>")
        ids = [element.get("id") for element in page.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        x, y, width, height = map(float, root.get("viewBox").split())
        ground = root[0]
        assert (ground.tag, ground.get("fill")) == (f"{{{NAMESPACE}}}rect", _looks.PAPER)
        assert (x, y) == (0, 0) == (float(ground.get("x")), float(ground.get("y")))
        assert abs(width - float(ground.get("width"))) < 1 and abs(height - float(ground.get("height"))) < 1


def test_one_position_has_one_picture(positions, drawn):
    for plain, _, picture in drawn:
        assert picture == svg(ds.State.from_dict(plain))
    assert len({picture for _, _, picture in drawn}) == len(set(positions))


def test_the_bytes_do_not_depend_on_the_process():
    program = (
        "import ds_sim as ds; state = ds.State(seed=3);"
        "[state.apply(state.legal_actions()[-1]) for _ in range(90)]; print(ds.view.svg(state))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ
            | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(ds.__file__).parent.parent)},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_what_may_be_chosen_is_marked():
    start = ds.State(seed=7)
    placed = start.clone()
    placed.apply("place:domination_1")
    vacant = [
        svg(state).count(f'fill="{_looks.CHOSEN}" stroke="{_looks.CHOICE}"') for state in (start, placed)
    ]
    assert vacant == [len(start.legal_actions()), len(placed.legal_actions())]


@pytest.mark.parametrize("title", ["<b> & \"c\" 'd'", "Zoë 日本", "a\x00b\x1bc\ud800", "x" * 500, ""])
def test_any_title_can_be_drawn(title):
    root = parse(svg(ds.State(seed=1), title=title).encode())
    shown = "".join(c if c.isprintable() else " " for c in title)
    assert root.get("aria-label").startswith(shown)
    assert not title or any(text[:20] == shown[:20] for text in texts(root))
    assert max(map(len, texts(root))) < 60


def test_bad_arguments():
    with pytest.raises(ds.InvalidState, match=r"state = None: expected a ds_sim\.State"):
        svg(None)
    with pytest.raises(ds.InvalidState, match="title = 3: expected a text or None"):
        svg(ds.State(seed=1), title=3)


def test_notebooks_show_the_picture():
    state = ds.State(seed=1)
    assert state._repr_svg_() == svg(state)
    assert svg(state) in state._repr_html_()
    parse(state._repr_html_())


def test_the_command_line_writes_the_picture(tmp_path):
    path = tmp_path / "Zoë 日本.svg"
    done = CliRunner().invoke(cli, ["show", "--seed", "3", "--steps", "40", "--json", "--svg", str(path)])
    assert done.exit_code == 0
    state = ds.State.from_dict(json.loads(done.stdout), explicit_chance=True)
    assert path.read_text(encoding="utf-8") == svg(state, title="seed 3, after 40 steps")


def test_the_picture_of_the_readme_is_up_to_date():
    spec = importlib.util.spec_from_file_location("readme_picture", ROOT / "tools" / "readme_picture.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.PICTURE.read_text(encoding="utf-8") == tool.picture()
    assert "docs/pictures/board.svg" in (ROOT / "README.md").read_text(encoding="utf-8")


# Colours

TABLES = (_looks.ANIMAL_LOOKS, _looks.ELEMENT_LOOKS, _looks.TILE_LOOKS)

# Severe protanopia, deuteranopia and tritanopia in linear RGB (Machado, Oliveira and Fernandes, 2009).
VISIONS = {
    "full": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def linear(colour):
    c = np.array(list(bytes.fromhex(colour[1:]))) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    t = np.array(TO_XYZ) @ np.clip(rgb, 0, 1) / (0.9505, 1, 1.089)
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", VISIONS)
def test_colours_differ_for_every_colour_vision(vision):
    for looks, least in ((_looks.ANIMAL_LOOKS, 20), (_looks.ELEMENT_LOOKS, 15)):
        seen = {name: lab(np.array(VISIONS[vision]) @ linear(look.colour)) for name, look in looks.items()}
        for a, b in combinations(seen, 2):
            assert np.linalg.norm(seen[a] - seen[b]) > least, (a, b)


def test_letters_tell_what_colours_tell_and_can_be_read():
    assert {animal: look.code for animal, look in _looks.ANIMAL_LOOKS.items()} == _map.CODES
    for looks in TABLES:
        assert len({look.code for look in looks.values()}) == len(looks)
        for name, look in looks.items():
            light, dark = sorted((linear(c) @ TO_XYZ[1] for c in (look.colour, look.ink)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, name  # the contrast that WCAG AA asks for
