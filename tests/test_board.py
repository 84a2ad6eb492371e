"""The board tables: against the rules' own figures, and the C files against the script that makes them."""

import json
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from ds_sim import board
from ds_sim.errors import DsSimError, UnknownName

ROOT = Path(__file__).resolve().parent.parent
MAKE_TABLES = ROOT / "tools" / "make_tables.py"
BOARD_JSON = ROOT / "ds_sim" / "data" / "board.json"

DIRECTIONS = ("e", "se", "sw", "w", "nw", "ne")


def c_numbers(name: str) -> list[int]:
    """The numbers of one array (or constant) of csrc/ds_board.c."""
    text = (ROOT / "csrc" / "ds_board.c").read_text(encoding="utf-8")
    found = re.search(rf"\b{name}(?:\[\d+\])* = (.*?);", text, re.DOTALL)
    assert found, name
    return [int(number, 0) for number in re.findall(r"\b(?:0x[0-9a-f]+|\d+)\b", found[1])]


def members(bits: int) -> list[int]:
    return [i for i in range(128) if bits >> i & 1]


def tile_count(hexes: list[str]) -> Counter[str]:
    return Counter(name[0] for name in hexes)


def test_counts_of_names():
    assert tile_count(list(board.HEX_NAMES)) == {"A": 4, "B": 5, "C": 6, "D": 5, "E": 6, "F": 5, "G": 4}
    assert len(set(board.CORNER_NAMES)) == 92
    assert len(set(board.SPACES)) == 41
    assert len(set(board.CARDS)) == 26
    assert board.SPACES.index("domination_5") == 40 and board.SPACES.index("migration_7") == 23


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        (board.ANIMALS, board.ANIMAL_ID),
        (board.ELEMENTS, board.ELEMENT_ID),
        (board.TERRAINS, board.TERRAIN_ID),
        (board.CARDS, board.CARD_ID),
        (board.SPACES, board.SPACE_ID),
        (board.HEX_NAMES, board.HEX_ID),
        (board.CORNER_NAMES, board.CORNER_ID),
    ],
)
def test_names_and_ids_are_inverse(names, ids):
    assert [ids[name] for name in names] == list(range(len(names)))


def test_every_alias_of_a_corner_names_one_of_its_hexes():
    for name, corner in board.CORNER_ID.items():
        hex_name, direction = name.split(".")
        assert direction in DIRECTIONS
        assert corner in board.HEX_CORNERS[board.HEX_ID[hex_name]]
    assert len(board.CORNER_ID) == 35 * 6


def test_a_corner_is_named_by_its_lowest_numbered_hex():
    for corner, name in enumerate(board.CORNER_NAMES):
        assert board.HEX_ID[name.split(".")[0]] == board.CORNER_HEXES[corner, 0]


def test_adjacency_is_symmetric_and_never_with_oneself():
    assert (board.HEX_NEIGHBORS == board.HEX_NEIGHBORS.T).all()
    assert not board.HEX_NEIGHBORS.diagonal().any()


def test_adjacent_hexes_are_those_whose_centres_are_one_height_apart():
    distance = np.linalg.norm(board.HEX_XY[:, None] - board.HEX_XY[None], axis=-1)
    assert (np.isclose(distance, np.sqrt(3)) == board.HEX_NEIGHBORS).all()


def test_adjacent_hexes_share_two_corners_and_others_none():
    for a, b in combinations(range(35), 2):
        shared = set(board.HEX_CORNERS[a]) & set(board.HEX_CORNERS[b])
        assert len(shared) == (2 if board.HEX_NEIGHBORS[a, b] else 0)


def test_corners_lie_one_side_from_the_centres_of_their_hexes():
    for corner, hexes in enumerate(board.CORNER_HEXES):
        distance = np.linalg.norm(board.HEX_XY - board.CORNER_XY[corner], axis=1)
        assert sorted(np.flatnonzero(np.isclose(distance, 1.0))) == [h for h in hexes if h >= 0]


def test_hex_and_corner_tables_are_two_views_of_one_relation():
    by_hex = {(h, c) for h in range(35) for c in board.HEX_CORNERS[h]}
    by_corner = {(h, c) for c in range(92) for h in board.CORNER_HEXES[c] if h >= 0}
    assert by_hex == by_corner
    assert len(by_hex) == 35 * 6


def test_tables_cannot_be_written():
    for table in (board.HEX_NEIGHBORS, board.HEX_CORNERS, board.CORNER_HEXES, board.HEX_XY, board.CORNER_XY):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


def test_an_unknown_name_is_refused_with_a_hint():
    with pytest.raises(UnknownName, match=r"no hex is called 'd3'; did you mean 'D3'\?"):
        board.id_of("hex", "d3")
    with pytest.raises(DsSimError, match="no animal is called 7"):
        board.id_of("animal", 7)  # type: ignore[arg-type]


# The C tables.


def test_the_c_files_are_what_the_script_makes():
    run = subprocess.run(
        [sys.executable, MAKE_TABLES, "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_the_check_notices_a_stale_table(tmp_path):
    for part in ("csrc", "tools", "ds_sim/data"):
        (tmp_path / part).mkdir(parents=True)
    script = tmp_path / "tools" / "make_tables.py"
    script.write_bytes(MAKE_TABLES.read_bytes())
    (tmp_path / "ds_sim" / "data" / "board.json").write_bytes(BOARD_JSON.read_bytes())

    def run(*arguments: str) -> int:
        return subprocess.run(
            [sys.executable, script, *arguments], capture_output=True, check=False
        ).returncode

    assert run("--check") == 1
    assert run() == 0
    assert run("--check") == 0
    for name in ("ds_board.h", "ds_board.c"):
        made = tmp_path / "csrc" / name
        assert made.read_bytes() == (ROOT / "csrc" / name).read_bytes()
    made.write_text(made.read_text(encoding="utf-8").replace("0x000000032", "0x000000033"), encoding="utf-8")
    assert run("--check") == 1


def test_c_hex_sets_equal_the_python_tables():
    assert [members(bits) for bits in c_numbers("DS_HEX_NEIGHBORS")] == [
        np.flatnonzero(row).tolist() for row in board.HEX_NEIGHBORS
    ]
    assert [members(bits) for bits in c_numbers("DS_CORNER_HEXES")] == [
        [h for h in row if h >= 0] for row in board.CORNER_HEXES
    ]


def test_c_corner_sets_and_lists_equal_the_python_tables():
    words = c_numbers("DS_HEX_CORNERS")
    sets = [members(low | high << 64) for low, high in zip(words[::2], words[1::2], strict=True)]
    assert sets == board.HEX_CORNERS.tolist()
    assert c_numbers("DS_HEX_CORNER_LIST") == board.HEX_CORNERS.ravel().tolist()
    assert c_numbers("DS_CORNER_HEX_LIST") == board.CORNER_HEXES.view(np.uint8).ravel().tolist()


def test_c_setup_is_the_setup_of_the_board():
    setup = json.loads(BOARD_JSON.read_text(encoding="utf-8"))["setup"]
    terrain = c_numbers("DS_SETUP_TERRAIN")
    tiles = {board.HEX_NAMES[h]: board.TERRAINS[t] for h, t in enumerate(terrain) if t != 0xFF}
    assert tiles == setup["tiles"]
    assert [board.HEX_NAMES[h] for h in members(c_numbers("DS_SETUP_TUNDRA")[0])] == setup["tundra"]
    element = c_numbers("DS_SETUP_ELEMENT")
    elements = {board.CORNER_NAMES[c]: board.ELEMENTS[e] for c, e in enumerate(element) if e != 0xFF}
    assert elements == setup["elements"]
    species = np.array(c_numbers("DS_SETUP_SPECIES")).reshape(35, 6)
    for animal, places in setup["species"].items():
        column = species[:, board.ANIMAL_ID[animal]]
        assert {board.HEX_NAMES[h]: column[h] for h in np.flatnonzero(column)} == places


def test_setup_has_the_figures_of_the_rules():
    """R-SET-4, R-SET-5: seven tiles, two elements of each type, 2 + 1 + 1 species of each animal."""
    terrain = [t for t in c_numbers("DS_SETUP_TERRAIN") if t != 0xFF]
    assert sorted(terrain) == list(range(7))
    assert Counter(e for e in c_numbers("DS_SETUP_ELEMENT") if e != 0xFF) == dict.fromkeys(range(6), 2)
    species = np.array(c_numbers("DS_SETUP_SPECIES")).reshape(35, 6)
    for column in species.T:
        assert sorted(column[column > 0]) == [1, 1, 2]
    assert members(c_numbers("DS_SETUP_TUNDRA")[0]) == [board.HEX_ID["D3"]]
