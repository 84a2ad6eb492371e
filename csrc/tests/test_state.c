/* The setup, and who wins. */
#include "fixture.h"

static void the_setup_is_the_printed_one(void) /* R-SET-2 to R-SET-7 */
{
    begin_printed();
    for (unsigned a = 0; a < DS_ANIMALS; a++) {
        unsigned on_earth = 0;
        for (unsigned h = 0; h < DS_HEXES; h++)
            on_earth += species_on(h, a);
        EQUAL(on_earth, 4);
        EQUAL(state.gene_pool[a], 30);
        EQUAL(state.pawns[a], 3);
        EQUAL(state.held[a][a], a == DS_AMPHIBIAN ? 3 : 2);
        EQUAL(state.initiative[a], 5 - a);
        EQUAL(state.vp[a], 0);
        EQUAL(state.bag[a], 18);
    }
    EQUAL(ds_lanes_sum(ds_lanes(state.unseen_tiles)), 24);
    EQUAL(state.unseen_tiles[DS_SEA], 6);
    EQUAL(state.tundra_left, 11);
    EQUAL(elements_on_earth(), 12);
    EQUAL(state.turn, 1);
    EQUAL(state.node, DS_REVEAL_CARD);
    EQUAL(state.actor, DS_CHANCE);
    POSSIBLE();
}

static void only_the_animals_in_play_are_set_up(void) /* R-SET-3 */
{
    rules = PRINTED;
    rules.animals = 1u << DS_MAMMAL | 1u << DS_INSECT;
    rules.n_animals = rules.n_seats = 2;
    begin(7);
    EQUAL(ds_inhabited(&state), state.presence[DS_MAMMAL] | state.presence[DS_INSECT]);
    EQUAL(state.initiative[0], DS_INSECT);
    EQUAL(state.initiative[1], DS_MAMMAL);
    EQUAL(state.initiative[2], DS_NONE);
    EQUAL(state.gene_pool[DS_BIRD] + state.pawns[DS_BIRD] + state.held[SEED][DS_BIRD], 0);
    EQUAL(elements_on_earth(), 12);
    POSSIBLE();
}

static void handicaps_are_scored_at_the_start(void)
{
    rules = PRINTED;
    rules.handicap[DS_BIRD] = 1000;
    begin(7);
    EQUAL(state.vp[DS_BIRD], 1000);
    EQUAL(tally.vp[DS_BIRD][DS_FROM_HANDICAP], 1000);
    EQUAL(state.vp[DS_INSECT], 0);
}

static void the_largest_rule_set_fits(void)
{
    rules = PRINTED;
    for (unsigned a = 0; a < DS_ANIMALS; a++) {
        rules.gene_pool[a] = 200;
        rules.pawns[a] = 40;
    }
    rules.tundra_tiles = 28;
    begin(7);
    EQUAL(state.gene_pool[DS_MAMMAL], 200);
    POSSIBLE();
}

static void most_vps_win_and_ties_go_up_the_food_chain(void) /* R-END-1 */
{
    begin_printed();
    EQUAL(ds_winner(&state, &rules), DS_MAMMAL);
    state.vp[DS_ARACHNID] = state.vp[DS_BIRD] = 5;
    EQUAL(ds_winner(&state, &rules), DS_BIRD);
    state.vp[DS_ARACHNID] = 6;
    EQUAL(ds_winner(&state, &rules), DS_ARACHNID);
}

static void a_seat_counts_by_its_lowest_animal(void)
{
    rules = PRINTED;
    rules.n_seats = 2;
    rules.seats[0] = 1u << DS_MAMMAL | 1u << DS_INSECT | 1u << DS_BIRD;
    rules.seats[1] = ALL_ANIMALS & (uint8_t)~rules.seats[0];
    begin(7);
    state.vp[DS_MAMMAL] = 100;
    for (unsigned a = DS_REPTILE; a <= DS_INSECT; a++)
        state.vp[a] = 3;
    state.vp[DS_AMPHIBIAN] = 9;
    EQUAL(ds_winner(&state, &rules), DS_REPTILE); /* 3 against 3; the reptile stands above the bird */
    state.vp[DS_INSECT] = state.vp[DS_BIRD] = 4;
    EQUAL(ds_winner(&state, &rules), DS_BIRD); /* among equals the highest names the seat */
}

int main(void)
{
    RUN(the_setup_is_the_printed_one);
    RUN(only_the_animals_in_play_are_set_up);
    RUN(handicaps_are_scored_at_the_start);
    RUN(the_largest_rule_set_fits);
    RUN(most_vps_win_and_ties_go_up_the_food_chain);
    RUN(a_seat_counts_by_its_lowest_animal);
    return test_close("state");
}
