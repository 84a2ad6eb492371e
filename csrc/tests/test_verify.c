/* A good state passes, planted faults are found, and any bytes whatever are read safely. */
#include "fixture.h"

enum { D3_NE = 48 };

typedef struct {
    const char *names; /* how the message begins */
    void (*plant)(void);
} fault_t;

#define FAULT(name, statement)                                                                      \
    static void name(void) { statement; }

/* Counted, conserved. */
FAULT(one_species_too_many, state.tiles[D2].species[DS_BIRD] = 1)
FAULT(a_cube_from_nowhere, state.gene_pool[DS_BIRD]++)
FAULT(a_cube_lost, state.eliminated[DS_BIRD]--)
FAULT(species_in_the_void, ds_breed(&state, DS_BIRD, 0, 1))
FAULT(an_element_too_many, state.bag[SUN]++)
FAULT(an_element_of_no_type, state.bag[6] = 1)
FAULT(a_box_too_full, fill_box(DS_BOX_REGRESSION, SEED, 5))
FAULT(two_elements_on_a_corner, put_element(SUN, D3_NE))
FAULT(an_element_in_the_void, put_element(SUN, 0))
FAULT(a_fixed_element_lost, ds_lose_element(&state, DS_BIRD, SEED))
FAULT(seven_elements_held, for (unsigned i = 0; i < 5; i++) give_element(DS_BIRD, SUN))
FAULT(a_pawn_too_many, state.pawns[DS_BIRD]++)
FAULT(an_owner_without_a_pawn, state.owner[40] = DS_BIRD)
FAULT(a_pawn_off_the_display, state.spaces |= ds_bit(41))
FAULT(a_tile_from_nowhere, ds_add_tile(&state, B3, DS_SEA))
FAULT(a_starting_tile_changed, state.tiles[D3].terrain = DS_FOREST)
FAULT(a_stack_too_high, state.stack_left[0] = 9)
FAULT(a_tundra_tile_too_many, state.tundra |= ds_bit(D2))
FAULT(tundra_in_the_void, (state.tundra |= ds_bit(0), state.tundra_left--))
FAULT(negative_vps, state.vp[DS_BIRD] = -1)
FAULT(a_card_twice, state.taken |= state.face_up & (~state.face_up + 1))
FAULT(an_unknown_card, state.face_up |= 1u << DS_CARDS)
FAULT(ice_age_too_early, (state.face_up &= state.face_up - 1, state.face_up |= 1u << DS_ICE_AGE))

/* Cached. */
FAULT(presence_forgotten, state.presence[DS_BIRD] &= state.presence[DS_BIRD] - 1)
FAULT(terrain_set_wrong, state.terrain[DS_SEA] = 0)
FAULT(shore_wrong, ds_corners_add(&state.shore, 0))

/* Where the game stands. */
FAULT(an_unknown_node, state.node = DS_NODES)
FAULT(an_unknown_phase, state.phase = 9)
FAULT(a_phase_of_another_node, state.phase = DS_RESET)
FAULT(no_turn, state.turn = 0)
FAULT(too_many_turns, state.turn = 101)
FAULT(nobody_acts, state.actor = DS_NONE)
FAULT(chance_places_pawns, state.actor = DS_CHANCE)
FAULT(another_animal_acts, state.actor = DS_BIRD)
FAULT(truncated_before_the_end, state.truncated = true)
FAULT(an_animal_twice_in_initiative, state.initiative[0] = state.initiative[1])
FAULT(a_cone_under_automatic_claims, state.tiles[D2].cone = DS_AMPHIBIAN)
FAULT(sleep_without_the_card, (state.hibernating_animal = DS_BIRD, state.hibernating_hex = C4, state.hibernating_count = 1))
FAULT(scored_in_planning, state.scored = ds_bit(D3))
FAULT(a_card_at_a_placement, state.cursor.card = DS_AQUATIC)
FAULT(a_hex_at_a_placement, state.cursor.hex = D3)
FAULT(moves_at_a_placement, state.cursor.moved[6][1] = 1)
FAULT(protection_at_a_placement, state.cursor.protects[DS_BIRD] = 1)
FAULT(targets_at_a_placement, state.cursor.targets = 1)
FAULT(a_place_off_the_track, state.cursor.place = 6)

static const fault_t FAULTS[] = {
    {"tiles: cached presence", one_species_too_many},
    {"species:", a_cube_from_nowhere},
    {"species:", a_cube_lost},
    {"tiles: species where no tile is", species_in_the_void},
    {"elements: those of a type", an_element_too_many},
    {"bag:", an_element_of_no_type},
    {"boxes:", a_box_too_full},
    {"corners: two elements", two_elements_on_a_corner},
    {"corners: an element where no tile is", an_element_in_the_void},
    {"elements: a fixed", a_fixed_element_lost},
    {"elements: an animal holds", seven_elements_held},
    {"pawns:", a_pawn_too_many},
    {"spaces: an owner", an_owner_without_a_pawn},
    {"spaces: unknown space", a_pawn_off_the_display},
    {"unseen_tiles:", a_tile_from_nowhere},
    {"tiles: a starting tile", a_starting_tile_changed},
    {"stacks: a stack", a_stack_too_high},
    {"tundra_left:", a_tundra_tile_too_many},
    {"tundra:", tundra_in_the_void},
    {"vp:", negative_vps},
    {"cards: face up and taken", a_card_twice},
    {"cards: one that is not", an_unknown_card},
    {"cards: Ice Age", ice_age_too_early},
    {"tiles: cached presence", presence_forgotten},
    {"tiles: cached hex sets", terrain_set_wrong},
    {"corners: cached shore", shore_wrong},
    {"node:", an_unknown_node},
    {"phase:", an_unknown_phase},
    {"phase:", a_phase_of_another_node},
    {"turn:", no_turn},
    {"turn:", too_many_turns},
    {"actor:", nobody_acts},
    {"actor:", chance_places_pawns},
    {"cursor: place", another_animal_acts},
    {"truncated:", truncated_before_the_end},
    {"initiative:", an_animal_twice_in_initiative},
    {"dominant:", a_cone_under_automatic_claims},
    {"hibernating:", sleep_without_the_card},
    {"tiles: scored in Planning", scored_in_planning},
    {"cursor: card", a_card_at_a_placement},
    {"cursor: hex", a_hex_at_a_placement},
    {"cursor: moves", moves_at_a_placement},
    {"cursor: protects", protection_at_a_placement},
    {"cursor: targets", targets_at_a_placement},
    {"cursor: place", a_place_off_the_track},
};

static void planted_faults_are_named(void)
{
    for (unsigned i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        begin_planning();
        CHECK(fault() == NULL);
        FAULTS[i].plant();
        const char *found = fault();
        bool named = found && strncmp(found, FAULTS[i].names, strlen(FAULTS[i].names)) == 0;
        if (!named)
            printf("fault %u, expected \"%s...\": %s\n", i, FAULTS[i].names, found ? found : "not found");
        CHECK(named);
    }
}

static void a_choice_that_does_not_stand_is_found(void)
{
    begin_alone(DS_BIRD);
    fill_box(DS_BOX_ABUNDANCE, GRASS, 1);
    step(DS_PLACE + DS_SPACE_ABUNDANCE);
    step(DS_ELEMENT + GRASS);
    CHECK(fault() == NULL);
    state.cursor.element = SUN; /* none in the box */
    CHECK(fault() != NULL);
}

static void moves_that_cannot_have_been_made_are_found(void)
{
    begin_alone(DS_MAMMAL);
    step(DS_PLACE + DS_SPACE_MIGRATION);
    step(DS_HEX + D4);
    step(DS_HEX + D3);
    step(DS_COUNT + 1);
    CHECK(fault() == NULL);
    state.cursor.left++;
    CHECK(fault() != NULL);
    state.cursor.left--;
    state.cursor.moved[0][1] = 200;
    CHECK(fault() != NULL);
}

/* Mostly faulty, sometimes by luck not: the sanitizers watch that nothing is read out of bounds. */
static void every_flipped_bit_is_read_safely(void)
{
    enum { BITS = 8 * sizeof(ds_state_t) };
    unsigned found = 0;
    begin_planning();
    ds_state_t good = state;
    for (unsigned i = 0; i < BITS; i++) {
        memcpy(&state, &good, sizeof state);
        ((uint8_t *)&state)[i / 8] ^= (uint8_t)(1u << i % 8);
        found += fault() != NULL;
    }
    CHECK(found > BITS / 2 && found < BITS);
}

static void random_bytes_are_read_safely(void)
{
    ds_rng_t rng = ds_rng_stream(23, 0, 0);
    begin_planning();
    ds_state_t good = state;
    for (unsigned i = 0; i < 20000; i++) {
        memcpy(&state, &good, sizeof state);
        state.node = (uint8_t)ds_rng_below(&rng, DS_NODES);
        state.phase = (uint8_t)ds_rng_below(&rng, 4);
        state.actor = (uint8_t)ds_rng_below(&rng, 7);
        for (size_t at = 0; at < sizeof state.cursor; at++)
            ((uint8_t *)&state.cursor)[at] = (uint8_t)(ds_rng_below(&rng, 4) ? 0 : ds_rng_next(&rng));
        if (i % 2 == 0)
            for (size_t at = 0; at < sizeof state; at++)
                ((uint8_t *)&state)[at] = (uint8_t)ds_rng_next(&rng);
        CHECK(fault() != NULL);
    }
}

int main(void)
{
    RUN(planted_faults_are_named);
    RUN(a_choice_that_does_not_stand_is_found);
    RUN(moves_that_cannot_have_been_made_are_found);
    RUN(every_flipped_bit_is_read_safely);
    RUN(random_bytes_are_read_safely);
    return test_close("verify");
}
