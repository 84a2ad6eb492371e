/* The printed game for the tests: its rule set, and states at a few places of it. */
#ifndef DS_FIXTURE_H
#define DS_FIXTURE_H

#include "ds_flow.h"
#include "test.h"

/* The hexes of the starting earth, and some of those around it. */
enum { B2 = 5, B3 = 6, B4 = 7, C2 = 10, C3 = 11, C4 = 12, C5 = 13, D1 = 15, D2 = 16, D3 = 17, D4 = 18, D5 = 19, E2 = 21,
       E3 = 22, E4 = 23, E5 = 24, F2 = 27, F3 = 28, F4 = 29 };
enum { MEAT, SUN, SEED, WATER, GRUB, GRASS };
enum { ALL_ANIMALS = 0x3f };

static const ds_rules_t PRINTED = {
    .animals = ALL_ANIMALS,
    .n_animals = 6,
    .abilities = ALL_ANIMALS,
    .n_seats = 6,
    .seats = {1, 2, 4, 8, 16, 32},
    .pawns = {3, 3, 3, 3, 3, 3},
    .gene_pool = {30, 30, 30, 30, 30, 30},
    .fixed = {2, 2, 2, 3, 2, 2},
    .tile_values = {{9, 5, 3, 2}, {8, 4, 2, 1}, {7, 4, 2}, {6, 3, 2}, {5, 3, 2}, {4, 2}, {3, 2}, {1}},
    .speciation_limits = {4, 4, 3, 3, 3, 2, 2, 1},
    .tundra_tiles = 11,
    .max_turns = 100,
    .bonus_vp = {0,  1,  3,  6,  10, 15, 21, 28, 36, 45, 45, 45, 45, 45, 45, 45, 45, 45,
                 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45, 45},
    .cards = (1u << DS_CARDS) - 1,
};

static ds_rules_t rules;   /* what a test plays under; PRINTED unless it says otherwise */
static ds_tally_t tally;
static ds_state_t state;
static const ds_context_t CONTEXT = {&rules, &tally};

/* A game at its first chance node, under the rules as they are. */
static inline void begin(uint64_t seed)
{
    ds_tally_clear(&tally);
    ds_setup(&state, &CONTEXT, ds_rng_stream(seed, 0, DS_LANE_CHANCE));
}

static inline void begin_printed(void)
{
    rules = PRINTED;
    begin(7);
}

static inline void step(unsigned action) { ds_step(&state, &CONTEXT, action); }

/* Draws at chance nodes until an animal decides. */
static inline void draw_all(void)
{
    while (ds_is_chance(state.node))
        step(ds_sample(&state, &rules));
}

/* The printed game at the first placement: the insect's. */
static inline void begin_planning(void)
{
    begin_printed();
    draw_all();
}

/* The printed game at a placement of this animal, who alone has a pawn, and one only; no free actions but the mammal's save. */
static inline void begin_alone(unsigned animal)
{
    rules = PRINTED;
    rules.abilities = 1u << DS_MAMMAL | 1u << DS_AMPHIBIAN;
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        rules.pawns[a] = a == animal;
    begin(7);
    draw_all();
}

/* Makes an empty earth of the starting tiles: no species, no elements on corners. */
static inline void clear_earth(void)
{
    for (unsigned h = 0; h < DS_HEXES; h++)
        for (unsigned a = 0; a < DS_ANIMALS; a++) {
            state.gene_pool[a] = (uint8_t)(state.gene_pool[a] + state.tiles[h].species[a]);
            ds_take_species(&state, a, h, state.tiles[h].species[a]);
        }
    ds_remove_elements(&state, ds_occupied_corners(&state));
}

/* Moves an element from the bag to a corner. */
static inline void put_element(unsigned type, unsigned corner)
{
    state.bag[type]--;
    ds_place_element(&state, type, corner);
}

/* A box with n elements of one type and no others; the bag gives and takes. */
static inline void fill_box(unsigned box, unsigned type, unsigned n)
{
    for (unsigned e = 0; e < DS_ELEMENTS; e++) {
        state.bag[e] = (uint8_t)(state.bag[e] + state.boxes[box][e]);
        state.boxes[box][e] = 0;
    }
    state.bag[type] = (uint8_t)(state.bag[type] - n);
    state.boxes[box][type] = (uint8_t)n;
}

/* An animal takes an element from the bag. */
static inline void give_element(unsigned animal, unsigned type)
{
    state.bag[type]--;
    state.held[type][animal]++;
}

static inline unsigned species_on(unsigned hex, unsigned animal) { return state.tiles[hex].species[animal]; }
static inline unsigned match_on(unsigned hex, unsigned animal) { return ds_matches(&state, hex) >> 8 * animal & 0xff; }

static inline unsigned elements_on_earth(void) { return ds_corners_count(ds_occupied_corners(&state)); }

static inline const char *fault(void) { return ds_verify(&state, &rules); }

/* Checks that the state is possible, and tells what is wrong if not. */
#define POSSIBLE()                                                                                  \
    do {                                                                                            \
        const char *wrong = fault();                                                                \
        if (wrong)                                                                                  \
            printf("%s\n", wrong);                                                                  \
        CHECK(wrong == NULL);                                                                       \
    } while (0)

#endif
