"""Write the board tables of the C library from ``ds_sim/data/board.json``.

    python tools/make_tables.py            write csrc/ds_board.h and csrc/ds_board.c
    python tools/make_tables.py --check    change nothing; exit 1 if they are not up to date

Slow and plain on purpose: this script is the only place where the board of the rules turns into bit sets.
It needs nothing but the standard library, so it runs before anything is built.
"""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOARD = ROOT / "ds_sim" / "data" / "board.json"
HEADER = ROOT / "csrc" / "ds_board.h"
SOURCE = ROOT / "csrc" / "ds_board.c"

# The ids of the rules' names (R-SET-2, protocol section 1).
ANIMALS = ("mammal", "reptile", "bird", "amphibian", "arachnid", "insect")
ELEMENTS = ("meat", "sun", "seed", "water", "grub", "grass")
TERRAINS = ("sea", "wetland", "savannah", "jungle", "forest", "desert", "mountain")

NONE = 0xFF
LINE_LENGTH = 100

NOTICE = "/* Made by tools/make_tables.py from ds_sim/data/board.json. Do not edit. */\n"

HEADER_TEXT = """\
#ifndef DS_BOARD_H
#define DS_BOARD_H

#include <stdint.h>

#include "ds_bits.h"

/* The board and the setup as constant tables. A hex set is one word, a corner set a ds_corners_t:
   bit i stands for id i of board.json. */

enum { DS_HEXES = 35, DS_CORNERS = 92, DS_CORNER_WORDS = 2 };

extern const uint64_t DS_HEX_NEIGHBORS[35];       /* the hexes adjacent to a hex */
extern const ds_corners_t DS_HEX_CORNERS[35];     /* the six corners of a hex */
extern const uint8_t DS_HEX_CORNER_LIST[35][6];   /* the same, ascending */
extern const uint64_t DS_CORNER_HEXES[92];        /* the one to three hexes a corner touches */
extern const uint8_t DS_CORNER_HEX_LIST[92][3];   /* the same, ascending, padded with 0xff */

extern const uint64_t DS_BYTE_BITS[256];          /* the positions of a byte's bits, ascending, a byte each */

extern const uint8_t DS_SETUP_TERRAIN[35];        /* sea .. mountain = 0..6, 0xff where no tile lies */
extern const uint64_t DS_SETUP_TUNDRA;            /* the tiles that carry a tundra tile */
extern const uint8_t DS_SETUP_ELEMENT[92];        /* meat .. grass = 0..5, 0xff where none lies */
extern const uint8_t DS_SETUP_SPECIES[35][6];     /* species of mammal .. insect on a hex */

#endif
"""


def bit_set(ids):
    """The integer whose bits are `ids`."""
    return sum(1 << i for i in ids)


def pad(ids, length):
    return list(ids) + [NONE] * (length - len(ids))


def corner_words(ids):
    """A corner set as two 64-bit words, the lower corners first."""
    bits = bit_set(ids)
    return [bits & (2**64 - 1), bits >> 64]


def byte_bits(byte):
    """The positions of the bits of a byte, packed the same way, the lowest first."""
    return sum(bit << 8 * i for i, bit in enumerate(b for b in range(8) if byte >> b & 1))


def build(board):
    """The tables by name, as nested lists of integers."""
    hexes, corners, setup = board["hexes"], board["corners"], board["setup"]
    hex_id = {h["name"]: h["id"] for h in hexes}
    corner_id = {name: c["id"] for c in corners for name in c["names"]}

    hex_neighbors = [sorted(h["neighbors"].values()) for h in hexes]
    hex_corners = [sorted(h["corners"].values()) for h in hexes]
    corner_hexes = [sorted(c["hexes"]) for c in corners]

    terrain = [NONE] * len(hexes)
    for name, value in setup["tiles"].items():
        terrain[hex_id[name]] = TERRAINS.index(value)

    element = [NONE] * len(corners)
    for name, value in setup["elements"].items():
        element[corner_id[name]] = ELEMENTS.index(value)

    species = [[0] * len(ANIMALS) for _ in hexes]
    for animal, places in setup["species"].items():
        for name, count in places.items():
            species[hex_id[name]][ANIMALS.index(animal)] = count

    return {
        "HEX_NEIGHBORS": [bit_set(ids) for ids in hex_neighbors],
        "HEX_CORNERS": [corner_words(ids) for ids in hex_corners],
        "HEX_CORNER_LIST": hex_corners,
        "CORNER_HEXES": [bit_set(ids) for ids in corner_hexes],
        "CORNER_HEX_LIST": [pad(ids, 3) for ids in corner_hexes],
        "BYTE_BITS": [byte_bits(byte) for byte in range(256)],
        "SETUP_TERRAIN": terrain,
        "SETUP_TUNDRA": bit_set(hex_id[name] for name in setup["tundra"]),
        "SETUP_ELEMENT": element,
        "SETUP_SPECIES": species,
    }


def small(value):
    return "0xff" if value == NONE else str(value)


def word(value):
    return f"UINT64_C(0x{value:09x})"


def corners(words):
    return "{{" + ", ".join(f"UINT64_C(0x{w:016x})" for w in words) + "}}"


def row(values):
    return "{" + ", ".join(map(small, values)) + "}"


def array(declaration, items):
    """A C array definition, its items wrapped to the line length."""
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > LINE_LENGTH:
            lines.append(line)
            line = "   "
        line += f" {item},"
    lines.append(line)
    return f"const {declaration} = {{\n" + "\n".join(lines) + "\n};\n"


def source_text(tables):
    parts = [
        NOTICE + '#include "ds_board.h"\n',
        array("uint64_t DS_HEX_NEIGHBORS[35]", map(word, tables["HEX_NEIGHBORS"])),
        array("ds_corners_t DS_HEX_CORNERS[35]", map(corners, tables["HEX_CORNERS"])),
        array("uint8_t DS_HEX_CORNER_LIST[35][6]", map(row, tables["HEX_CORNER_LIST"])),
        array("uint64_t DS_CORNER_HEXES[92]", map(word, tables["CORNER_HEXES"])),
        array("uint8_t DS_CORNER_HEX_LIST[92][3]", map(row, tables["CORNER_HEX_LIST"])),
        array("uint64_t DS_BYTE_BITS[256]", map(word, tables["BYTE_BITS"])),
        array("uint8_t DS_SETUP_TERRAIN[35]", map(small, tables["SETUP_TERRAIN"])),
        f"const uint64_t DS_SETUP_TUNDRA = {word(tables['SETUP_TUNDRA'])};\n",
        array("uint8_t DS_SETUP_ELEMENT[92]", map(small, tables["SETUP_ELEMENT"])),
        array("uint8_t DS_SETUP_SPECIES[35][6]", map(row, tables["SETUP_SPECIES"])),
    ]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description="Write csrc/ds_board.h and csrc/ds_board.c from board.json.")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 if a file is not up to date"
    )
    check = parser.parse_args().check

    tables = build(json.loads(BOARD.read_text(encoding="utf-8")))
    stale = []
    for path, text in ((HEADER, NOTICE + HEADER_TEXT), (SOURCE, source_text(tables))):
        current = path.read_text(encoding="utf-8") if path.exists() else None
        if text == current:
            continue
        stale.append(path.relative_to(ROOT).as_posix())
        if not check:
            path.write_text(text, encoding="utf-8", newline="\n")
    if check and stale:
        print(f"not up to date: {', '.join(stale)}; run python tools/make_tables.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
