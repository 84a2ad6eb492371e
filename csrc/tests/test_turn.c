/* Turns: reveals, Planning, the order of Execution, Reset, and the three ways to end. */
#include "fixture.h"

static unsigned in_box(unsigned box) { return ds_lanes_sum(ds_lanes(state.boxes[box])); }

static void the_first_reveal(void) /* R-SET-7 */
{
    begin_planning();
    EQUAL(ds_count(state.face_up), 5);
    CHECK(!ds_has(state.face_up, DS_ICE_AGE));
    for (unsigned k = 0; k < DS_STACKS; k++) {
        CHECK(state.stack_face_up[k] != DS_NONE);
        EQUAL(state.stack_left[k], 7);
    }
    EQUAL(in_box(DS_BOX_ADAPTATION), 4);
    EQUAL(in_box(DS_BOX_ABUNDANCE), 4);
    EQUAL(in_box(DS_BOX_WANDERLUST), 4);
    EQUAL(in_box(DS_BOX_REGRESSION) + in_box(DS_BOX_WASTELAND) + in_box(DS_BOX_DEPLETION), 0);
    EQUAL(state.node, DS_PLACE_PAWN);
    EQUAL(state.actor, DS_INSECT);
    POSSIBLE();
}

static void chance_is_weighed_by_what_is_unseen(void)
{
    uint8_t weights[DS_CARDS];
    unsigned base;
    begin_printed();
    EQUAL(ds_chance_weights(&state, &rules, weights, &base), 25);
    EQUAL(base, DS_CARD);
    EQUAL(weights[DS_ICE_AGE], 0); /* last of the deck */
    EQUAL(weights[DS_AQUATIC], 1);
    while (state.node == DS_REVEAL_CARD)
        step(ds_sample(&state, &rules));
    EQUAL(ds_chance_weights(&state, &rules, weights, &base), 24);
    EQUAL(base, DS_TERRAIN);
    EQUAL(weights[DS_SEA], 6);
    EQUAL(weights[DS_MOUNTAIN], 3);
    while (state.node == DS_REVEAL_TILE)
        step(ds_sample(&state, &rules));
    EQUAL(ds_chance_weights(&state, &rules, weights, &base), 6 * 18);
    EQUAL(base, DS_ELEMENT);
}

static void sampled_chance_follows_the_weights(void)
{
    enum { GAMES = 4000, FIVE_SIGMA = 135 };
    unsigned seas = 0;
    for (unsigned i = 0; i < GAMES; i++) {
        begin(i);
        while (state.node != DS_REVEAL_TILE)
            step(ds_sample(&state, &rules));
        seas += ds_sample(&state, &rules) == DS_TERRAIN + DS_SEA;
    }
    CHECK(seas > GAMES / 4 - FIVE_SIGMA && seas < GAMES / 4 + FIVE_SIGMA); /* 6 of 24 */
}

static void ice_age_comes_when_no_other_card_is_left(void)
{
    rules = PRINTED;
    rules.cards = 1u << DS_ICE_AGE | 1u << DS_OMNIVORE;
    begin(7);
    EQUAL(ds_unseen_cards(&state, &rules), 1u << DS_OMNIVORE);
    step(DS_CARD + DS_OMNIVORE);
    EQUAL(ds_unseen_cards(&state, &rules), 1u << DS_ICE_AGE);
    step(DS_CARD + DS_ICE_AGE);
    EQUAL(state.node, DS_REVEAL_TILE); /* two face up, nothing more to reveal */
}

static void pawns_are_placed_in_initiative_order(void) /* R-PLA-1 */
{
    static const unsigned ORDER[] = {5, 4, 3, 2, 1, 0, 5, 4, 3, 1, 0, 5, 4, 3, 1, 0}; /* the bird has but one pawn */
    begin_planning();
    state.pawns[DS_BIRD] = 1;
    for (unsigned i = 0; i < sizeof ORDER / sizeof *ORDER; i++) {
        EQUAL(state.node, DS_PLACE_PAWN);
        EQUAL(state.actor, ORDER[i]);
        step(DS_PLACE + i);
        EQUAL(state.owner[i], ORDER[i]);
    }
    EQUAL(tally.placed[DS_INSECT][6], 1);
    EQUAL(state.phase, DS_EXECUTION);
}

static void planning_ends_when_the_display_is_full(void)
{
    begin_printed();
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        rules.pawns[a] = 40;
    begin(7);
    draw_all();
    for (unsigned i = 0; i < DS_SPACES; i++) {
        EQUAL(state.phase, DS_PLANNING);
        step(DS_PLACE + i);
    }
    EQUAL(state.phase, DS_EXECUTION);
    EQUAL(state.node, DS_INITIATIVE);
    POSSIBLE();
}

static void claims_do_not_end_a_placement(void)
{
    begin_planning();
    rules.declared = true;
    step(DS_HEX + E3); /* the insect's */
    EQUAL(state.tiles[E3].cone, DS_INSECT);
    EQUAL(state.actor, DS_INSECT);
    step(DS_PLACE + 0);
    EQUAL(state.actor, DS_ARACHNID);
    POSSIBLE();
}

/* Passes through Execution; notes every new pair of node and space. */
static void spaces_are_resolved_in_order(void) /* R-EXE-1, R-EXE-2 */
{
    static const unsigned EXPECTED[] = {DS_INITIATIVE, DS_ADAPT, DS_REGRESS, DS_REGRESS, DS_ABUNDANCE_ELEMENT, DS_WASTELAND,
                                        DS_DEPLETE, DS_GLACIATE, DS_SPECIATE_CORNER, DS_SPECIATE_FREE, DS_WANDER_STACK,
                                        /* the free competition; jungle, wetland; nobody stands on tundra */
                                        DS_MIGRATE_FROM, DS_COMPETE_TILE, DS_COMPETE_TILE, DS_COMPETE_TILE,
                                        DS_DOMINATE, DS_SAVE};
    static const unsigned SPACES[] = {DS_SPACE_DOMINATION, DS_SPACE_COMPETITION, DS_SPACE_MIGRATION, DS_SPACE_WANDERLUST,
                                      DS_SPACE_SPECIATION, DS_SPACE_GLACIATION, DS_SPACE_DEPLETION, DS_SPACE_WASTELAND,
                                      DS_SPACE_ABUNDANCE, DS_SPACE_REGRESSION, DS_SPACE_ADAPTATION, DS_SPACE_INITIATIVE};
    begin_printed();
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        rules.pawns[a] = 2;
    begin(7);
    draw_all();
    for (unsigned i = 0; i < 12; i++)
        step(DS_PLACE + SPACES[i]);
    for (unsigned i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        EQUAL(state.node, EXPECTED[i]);
        POSSIBLE();
        step(DS_PASS);
    }
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        EQUAL(state.pawns[a], 2);
    CHECK(state.spaces == 0);
}

static void boxes_and_pawns_move_at_reseed(void) /* R-RES-4 */
{
    begin_alone(DS_BIRD);
    rules.pawns[DS_INSECT] = 2;
    fill_box(DS_BOX_ADAPTATION, MEAT, 4);
    fill_box(DS_BOX_ABUNDANCE, SUN, 3);
    fill_box(DS_BOX_WASTELAND, SEED, 2);
    fill_box(DS_BOX_DEPLETION, GRASS, 1);
    for (unsigned i = 2; i < 4; i++) {
        state.spaces |= ds_bit(DS_SPACE_GLACIATION + i);
        state.owner[DS_SPACE_GLACIATION + i] = DS_INSECT;
    }
    step(DS_PLACE + DS_SPACE_GLACIATION + 1);
    step(DS_PASS);
    EQUAL(state.node, DS_SAVE);
    step(DS_PASS);
    EQUAL(state.turn, 1); /* until all is drawn */
    draw_all();
    EQUAL(state.turn, 2);
    EQUAL(state.boxes[DS_BOX_REGRESSION][MEAT], 4);
    EQUAL(state.boxes[DS_BOX_WASTELAND][SUN], 3);
    EQUAL(state.boxes[DS_BOX_DEPLETION][SEED], 2);
    EQUAL(in_box(DS_BOX_DEPLETION), 2);
    EQUAL(in_box(DS_BOX_ADAPTATION), 4);
    CHECK(state.spaces == (ds_bit(DS_SPACE_GLACIATION) | ds_bit(DS_SPACE_GLACIATION + 1)));
    EQUAL(state.owner[DS_SPACE_GLACIATION], DS_INSECT);
    EQUAL(state.owner[DS_SPACE_GLACIATION + 2], 0);
    POSSIBLE();
}

static void tiles_may_be_scored_again(void) /* R-RES-5 */
{
    begin_alone(DS_BIRD);
    ds_remove_elements(&state, DS_HEX_CORNERS[D2]);
    step(DS_PLACE + DS_SPACE_DOMINATION);
    step(DS_HEX + D2);
    step(DS_PASS);
    CHECK(state.scored == ds_bit(D2)); /* until the last draw */
    draw_all();
    CHECK(state.scored == 0);
    POSSIBLE();
}

static void what_the_bag_lacks_stays_missing(void)
{
    begin_printed();
    while (state.node != DS_DRAW_ELEMENT)
        step(ds_sample(&state, &rules));
    memset(state.bag, 0, sizeof state.bag);
    state.bag[GRUB] = 6;
    for (unsigned i = 0; i < 6; i++)
        step(DS_ELEMENT + GRUB);
    EQUAL(state.node, DS_PLACE_PAWN);
    EQUAL(in_box(DS_BOX_ADAPTATION), 4);
    EQUAL(in_box(DS_BOX_ABUNDANCE), 2);
    EQUAL(in_box(DS_BOX_WANDERLUST), 0);
}

/* The end of turn 1: a mammal without a match on C3 and another on D2. */
static void to_extinction(void)
{
    begin_alone(DS_BIRD);
    ds_breed(&state, DS_MAMMAL, C3, 2);
    ds_breed(&state, DS_MAMMAL, D2, 2);
    step(DS_PLACE + DS_SPACE_DOMINATION);
    step(DS_PASS);
    EQUAL(state.node, DS_SAVE);
}

static void the_endangered_die(void) /* R-RES-1 */
{
    to_extinction();
    step(DS_PASS);
    EQUAL(species_on(C3, DS_MAMMAL) + species_on(D2, DS_MAMMAL), 0);
    EQUAL(state.eliminated[DS_MAMMAL], 4);
    EQUAL(species_on(D4, DS_MAMMAL), 2); /* meat lies there */
}

static void the_mammal_saves_one(void)
{
    to_extinction();
    step(DS_HEX + D2);
    EQUAL(species_on(C3, DS_MAMMAL), 0);
    EQUAL(species_on(D2, DS_MAMMAL), 1);
    EQUAL(state.eliminated[DS_MAMMAL], 3);
}

static void the_sleeping_are_safe(void) /* C-13 */
{
    to_extinction();
    state.hibernating_animal = DS_MAMMAL;
    state.hibernating_hex = C3;
    state.hibernating_count = 1;
    step(DS_PASS);
    EQUAL(species_on(C3, DS_MAMMAL), 1);
    EQUAL(species_on(D2, DS_MAMMAL), 0);
    draw_all();
    EQUAL(state.hibernating_count, 0); /* R-RES-5 */
    to_extinction();
    state.hibernating_animal = DS_MAMMAL;
    state.hibernating_hex = D2;
    state.hibernating_count = 1;
    step(DS_HEX + D2); /* the one awake there is saved */
    EQUAL(species_on(D2, DS_MAMMAL), 2);
}

static void ice_age_ends_the_game_with_final_scoring(void) /* R-RES-3, R-END-1 */
{
    to_extinction();
    state.taken |= 1u << DS_ICE_AGE;
    step(DS_PASS);
    EQUAL(state.node, DS_END);
    EQUAL(state.phase, DS_ENDED);
    CHECK(!state.truncated);
    EQUAL(state.vp[DS_AMPHIBIAN], 8 + 2 + 2); /* first on D2 (wetland), third on C3 (jungle) and E3 (savannah) */
    EQUAL(tally.vp[DS_AMPHIBIAN][DS_FROM_FINAL_SCORING], state.vp[DS_AMPHIBIAN]);
    EQUAL(tally.dominated[DS_AMPHIBIAN], 1);
}

static void the_game_ends_when_life_does(void) /* R-END-2 */
{
    to_extinction();
    clear_earth();
    for (unsigned a = 0; a < DS_ANIMALS; a++) {
        state.eliminated[a] = (uint8_t)(state.eliminated[a] + state.gene_pool[a]);
        state.gene_pool[a] = 0;
    }
    step(DS_PASS);
    EQUAL(state.node, DS_END);
    CHECK(!state.truncated);
}

static void a_cube_in_a_gene_pool_is_life(void)
{
    to_extinction();
    clear_earth();
    memset(state.gene_pool, 0, sizeof state.gene_pool);
    state.gene_pool[DS_BIRD] = 1;
    step(DS_PASS);
    CHECK(state.node != DS_END);
}

/* The first vacant space for every pawn, nothing else: states stay possible, and turns pass until they run out. */
static void a_lazy_game_is_truncated(void) /* R-END-3 */
{
    begin_printed();
    rules.max_turns = 40;
    begin(7);
    while (state.node != DS_END) {
        unsigned action = ds_is_chance(state.node)      ? ds_sample(&state, &rules)
                          : state.node == DS_PLACE_PAWN ? DS_PLACE + ds_first(~state.spaces)
                                                        : DS_PASS;
        step(action);
        POSSIBLE();
    }
    EQUAL(state.turn, 40);
    CHECK(state.truncated);
    for (unsigned a = 0; a < DS_ANIMALS; a++) {
        int32_t sum = 0;
        for (unsigned source = 0; source < DS_SOURCES; source++)
            sum += tally.vp[a][source];
        EQUAL(sum, state.vp[a]);
    }
}

int main(void)
{
    RUN(the_first_reveal);
    RUN(chance_is_weighed_by_what_is_unseen);
    RUN(sampled_chance_follows_the_weights);
    RUN(ice_age_comes_when_no_other_card_is_left);
    RUN(pawns_are_placed_in_initiative_order);
    RUN(planning_ends_when_the_display_is_full);
    RUN(claims_do_not_end_a_placement);
    RUN(spaces_are_resolved_in_order);
    RUN(boxes_and_pawns_move_at_reseed);
    RUN(tiles_may_be_scored_again);
    RUN(what_the_bag_lacks_stays_missing);
    RUN(the_endangered_die);
    RUN(the_mammal_saves_one);
    RUN(the_sleeping_are_safe);
    RUN(ice_age_ends_the_game_with_final_scoring);
    RUN(the_game_ends_when_life_does);
    RUN(a_cube_in_a_gene_pool_is_life);
    RUN(a_lazy_game_is_truncated);
    return test_close("turn");
}
