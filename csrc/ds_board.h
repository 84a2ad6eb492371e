/* Made by tools/make_tables.py from ds_sim/data/board.json. Do not edit. */
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
