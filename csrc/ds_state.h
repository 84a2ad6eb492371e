/* The state of a game: one struct of fixed size without pointers, copied with memcpy. */
#ifndef DS_STATE_H
#define DS_STATE_H

#include "ds_bits.h"
#include "ds_board.h"
#include "ds_rng.h"
#include "ds_rules.h"

/* Actions (protocol.md section 1): the first id of each kind. */
enum {
    DS_PASS = 0, DS_PLACE = 1, DS_ELEMENT = 42, DS_CORNER = 48, DS_HEX = 140, DS_ANIMAL = 175, DS_COUNT = 181,
    DS_STACK = 197, DS_CARD = 200, DS_LOSE_PAWN = 226, DS_LOSE_SPECIES = 227, DS_TERRAIN = 228, DS_ACTIONS = 235
};
enum { DS_COUNT_MOST = 15 };

/* Nodes (protocol.md section 2), in its order. ds_sim._core.names has their names. */
enum {
    DS_END,
    DS_REVEAL_CARD, DS_REVEAL_TILE, DS_DRAW_ELEMENT,
    DS_PLACE_PAWN, DS_INITIATIVE, DS_ADAPT, DS_REGRESS, DS_ABUNDANCE_ELEMENT, DS_ABUNDANCE_CORNER, DS_WASTELAND,
    DS_DEPLETE, DS_GLACIATE, DS_SPECIATE_CORNER, DS_SPECIATE_COUNT, DS_SPECIATE_FREE, DS_WANDER_STACK, DS_WANDER_HEX,
    DS_WANDER_ELEMENT, DS_WANDER_CORNER, DS_WANDER_MOVE, DS_MIGRATE_FROM, DS_MIGRATE_TO, DS_MIGRATE_COUNT,
    DS_COMPETE_TILE, DS_COMPETE_VICTIM, DS_DOMINATE, DS_CLAIM, DS_TAKE_CARD, DS_SAVE,
    DS_AQUATIC_HEX, DS_AQUATIC_ELEMENT, DS_AQUATIC_CORNER, DS_AQUATIC_COUNT, DS_BIOMASS_VICTIM, DS_BLIGHT_HEX,
    DS_BLIGHT_KEEP, DS_CATASTROPHE_HEX, DS_CATASTROPHE_KEEP, DS_CATASTROPHE_VICTIM, DS_DISEASE_ELEMENT,
    DS_EVOLUTION_ANIMAL, DS_EVOLUTION_HEX, DS_FECUNDITY_COUNT, DS_FERTILE_HEX, DS_HABITAT_ELEMENT, DS_HABITAT_CORNER,
    DS_HIBERNATE_HEX, DS_HIBERNATE_COUNT, DS_IMMIGRANTS_LOSS, DS_INSTINCT_PLACE, DS_EXODUS_HEX, DS_EXODUS_COUNT,
    DS_METAMORPHOSIS_GIVE, DS_METAMORPHOSIS_TAKE, DS_PREDATOR_VICTIM,
    DS_NODES
};
static inline bool ds_is_chance(unsigned node) { return node - DS_REVEAL_CARD <= DS_DRAW_ELEMENT - DS_REVEAL_CARD; }

enum { DS_PLANNING, DS_EXECUTION, DS_RESET, DS_ENDED }; /* phases */
enum { DS_CHANCE = DS_ANIMALS };                        /* the actor at a chance node */

/* First space of each row of the action display (rules.md section 4). */
enum {
    DS_SPACE_INITIATIVE = 0, DS_SPACE_ADAPTATION = 1, DS_SPACE_REGRESSION = 4, DS_SPACE_ABUNDANCE = 6,
    DS_SPACE_WASTELAND = 8, DS_SPACE_DEPLETION = 9, DS_SPACE_GLACIATION = 10, DS_SPACE_SPECIATION = 14,
    DS_SPACE_WANDERLUST = 20, DS_SPACE_MIGRATION = 23, DS_SPACE_COMPETITION = 29, DS_SPACE_DOMINATION = 36
};

enum { DS_BOX_ADAPTATION, DS_BOX_REGRESSION, DS_BOX_ABUNDANCE, DS_BOX_WASTELAND, DS_BOX_DEPLETION, DS_BOX_WANDERLUST,
       DS_BOXES };
enum { DS_BOX_DRAWS = 4, DS_FACE_UP_CARDS = 5, DS_STACKS = 3, DS_ANIMAL_ELEMENTS_MOST = 6, DS_ELEMENT_SUPPLY = 20,
       DS_GLACIATION_SPACES = 4, DS_HIBERNATING_MOST = 5, DS_MIGRATION_MOST = 7, DS_EARTH_SPECIES = 4 };

enum { /* cards C-1 to C-26 */
    DS_AQUATIC, DS_BIODIVERSITY, DS_BIOMASS, DS_BLIGHT, DS_CATASTROPHE, DS_COLD_SNAP, DS_DISEASE, DS_ECODIVERSITY,
    DS_EVOLUTION, DS_FECUNDITY, DS_FERTILE, DS_HABITAT, DS_HIBERNATION, DS_ICE_AGE, DS_ICE_SHEET, DS_IMMIGRANTS,
    DS_INSTINCT, DS_INTELLIGENCE, DS_MASS_EXODUS, DS_METAMORPHOSIS, DS_NICHE_BIOMES, DS_NOCTURNAL, DS_OMNIVORE,
    DS_PARASITISM, DS_PREDATOR, DS_SYMBIOTIC
};

/* Where VPs come from. */
enum {
    DS_FROM_DOMINATION, DS_FROM_FINAL_SCORING, DS_FROM_GLACIATION, DS_FROM_WANDERLUST, DS_FROM_SURVIVAL,
    DS_FROM_ICE_AGE, DS_FROM_BIODIVERSITY, DS_FROM_ECODIVERSITY, DS_FROM_FERTILE, DS_FROM_HANDICAP, DS_LOST,
    DS_SOURCES
};

/* A hex of the board with what lies on it. */
typedef struct {
    uint8_t species[DS_ANIMALS];
    uint8_t terrain; /* DS_NONE: an empty hex. Kept under a tundra tile */
    uint8_t cone;    /* declared claims: the animal whose cone stands here, else DS_NONE */
} ds_tile_t;

/* What is remembered inside a turn and inside a compound action. Whatever the node at hand does not need is zero (or
 * DS_NONE for card, hex and target), so that equal positions have equal bytes. */
typedef struct {
    uint64_t targets;                    /* hexes (or animals) still to be asked about, the present one included */
    uint8_t place;                       /* Planning: position on the initiative track */
    uint8_t space;                       /* Execution: spaces below this one are done */
    uint8_t stage;                       /* Execution: engine steps done, see ds_turn.c */
    uint8_t draw;                        /* setup and Reseed: elements drawn or found missing */
    uint8_t protects[DS_ANIMALS];        /* R-REG-1: element types protected, as bits */
    uint8_t card;                        /* being carried out */
    uint8_t hex;                         /* chosen before: tile scored, migration's source, ... */
    uint8_t target;                      /* migration's last target */
    uint8_t element;                     /* chosen before, or the type of a speciation space */
    uint8_t animal;                      /* chosen before, or being asked */
    uint8_t left;                        /* moves, terrains or choices left */
    uint8_t stack;                       /* chosen before, or being revealed */
    uint8_t moved[DS_MIGRATION_MOST][2]; /* migration: hex entered (plus one), species that entered it */
} ds_cursor_t;

typedef struct {
    ds_tile_t tiles[DS_HEXES];
    ds_hexes_t presence[DS_ANIMALS];          /* hexes with species of the animal */
    ds_hexes_t terrain[DS_TERRAINS];          /* tundra tiles keep their old terrain here */
    ds_hexes_t earth, tundra, scored;
    ds_corners_t elements[DS_ELEMENTS];       /* corners with an element of the type */
    ds_corners_t shore;                       /* corners that touch a tile */
    uint64_t spaces;                          /* spaces with a pawn */
    uint8_t held[DS_ELEMENTS][8];             /* elements of the type on each animal, fixed ones included */
    uint8_t boxes[DS_BOXES][8];               /* elements by type */
    uint8_t bag[8], unseen_tiles[8];          /* by type; by terrain */
    uint8_t pawns[8], gene_pool[8], eliminated[8]; /* by animal; pawns: the available ones */
    int32_t vp[DS_ANIMALS];
    uint32_t face_up, taken;                  /* cards */
    uint8_t owner[DS_SPACES];                 /* of the pawn on each space, zero where none */
    uint8_t initiative[DS_ANIMALS];           /* animals from the left, then DS_NONE */
    uint8_t stack_face_up[DS_STACKS], stack_left[DS_STACKS];
    uint8_t tundra_left;
    uint8_t hibernating_animal, hibernating_hex, hibernating_count; /* count zero: none, all zero */
    uint8_t node, actor, phase;
    bool truncated;
    uint16_t turn;
    ds_cursor_t cursor;
    ds_rng_t rng;                             /* not part of the position */
} ds_state_t;

/* What a game was made of; counts, never read by the rules. */
typedef struct {
    int32_t vp[DS_ANIMALS][DS_SOURCES];
    uint16_t placed[DS_ANIMALS][DS_SPACES]; /* pawns placed per space */
    uint16_t eliminated[DS_ANIMALS];
    uint8_t card_taker[DS_CARDS];           /* DS_NONE: not taken */
    uint8_t dominated[DS_ANIMALS];          /* tiles, at the end */
} ds_tally_t;

typedef struct {
    const ds_rules_t *rules;
    ds_tally_t *tally; /* or NULL */
} ds_context_t;

_Static_assert(sizeof(ds_tile_t) == 8, "a tile is one word");
_Static_assert(sizeof(ds_state_t) <= 1024, "a state is at most 1 KiB");

static inline bool ds_in_play(const ds_rules_t *rules, unsigned animal) { return ds_has(rules->animals, animal); }
static inline bool ds_has_ability(const ds_rules_t *rules, unsigned animal)
{
    return ds_has(rules->animals & rules->abilities, animal);
}

/* ---- ds_state.c: beginnings and endings ---- */

/* The setup (R-SET-3 to R-SET-7), at the first chance node. */
void ds_setup(ds_state_t *s, const ds_context_t *ctx, ds_rng_t rng);
void ds_tally_clear(ds_tally_t *tally);
/* The animal that wins, or names the winning seat (R-END-1); valid at the end. */
unsigned ds_winner(const ds_state_t *s, const ds_rules_t *rules);

/* ---- ds_step.c ---- */

/* Carry out an action that is legal at the node, and go to the next candidate node, where perhaps nothing or one thing
 * is legal. Where nothing is legal, DS_PASS goes on. UNCHECKED: an illegal action corrupts the state. */
void ds_step(ds_state_t *s, const ds_context_t *ctx, unsigned action);
/* An outcome of the chance node at hand, drawn with the state's own stream. */
unsigned ds_sample(ds_state_t *s, const ds_rules_t *rules);
/* Draws the outcomes of chance until the node is another. */
void ds_pass_chance(ds_state_t *s, const ds_context_t *ctx);
/* Weights of the outcomes by id minus *base: 26 for cards, 7 for terrains, 6 for elements; returns their sum. */
unsigned ds_chance_weights(const ds_state_t *s, const ds_rules_t *rules, uint8_t weights[DS_CARDS], unsigned *base);

/* ---- ds_verify.c ---- */

/* NULL if the state is possible and everything cached is right, else what is wrong. Safe on any bytes. */
const char *ds_verify(const ds_state_t *s, const ds_rules_t *rules);

#endif
