/* The rule set (rules.md section 8) in full tables, made and validated by ds_sim.Rules. Read only, shared by
 * all states that play under it. Arrays over animals are in food chain order. */
#ifndef DS_RULES_H
#define DS_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "ds_board.h"

enum { DS_ANIMALS = 6, DS_ELEMENTS = 6, DS_TERRAINS = 7, DS_TUNDRA = 7, DS_CARDS = 26, DS_SPACES = 41 };
enum { DS_MAMMAL, DS_REPTILE, DS_BIRD, DS_AMPHIBIAN, DS_ARACHNID, DS_INSECT };
enum { DS_SEA, DS_WETLAND, DS_SAVANNAH, DS_JUNGLE, DS_FOREST, DS_DESERT, DS_MOUNTAIN };
enum { DS_NONE = 0xff }; /* no hex, animal, terrain, card */

typedef struct {
    uint8_t animals;   /* those in play, bit a for animal a */
    uint8_t n_animals; /* 2..6 */
    uint8_t abilities; /* bit a: animal a has its innate ability */
    uint8_t n_seats;
    uint8_t seats[DS_ANIMALS]; /* animals of each seat as bits */
    uint8_t pawns[DS_ANIMALS];
    uint8_t gene_pool[DS_ANIMALS];
    uint8_t fixed[DS_ANIMALS]; /* printed elements, R-SET-2 */
    uint8_t tile_values[DS_TERRAINS + 1][DS_ANIMALS]; /* by terrain, tundra last; R-DMN-1 */
    uint8_t speciation_limits[DS_TERRAINS + 1];       /* likewise; R-SPE-1 */
    uint8_t tundra_tiles;
    bool initiative_restay; /* R-INI-2 off */
    bool declared;          /* dominance_claims="declared" */
    uint16_t max_turns;
    uint16_t handicap[DS_ANIMALS];
    uint16_t bonus_vp[DS_HEXES + 1]; /* for quantities 0..35; R-VP-1 */
    uint32_t cards;                  /* those in the deck, bit c for card c */
} ds_rules_t;

#endif
