/* VPs: tiles, survival, dominance, losses, and the tally of where they came from. */
#include "fixture.h"

static int vp_gained(unsigned animal) { return (int)state.vp[animal]; }

static void a_tile_is_ranked_by_species_then_food_chain(void) /* R-DMN-1 */
{
    begin_printed();
    ds_score_tile(&state, &CONTEXT, D2, DS_FROM_DOMINATION); /* wetland 8 4 2: amphibian 2, arachnid 1, insect 1 */
    EQUAL(vp_gained(DS_AMPHIBIAN), 8);
    EQUAL(vp_gained(DS_ARACHNID), 4);
    EQUAL(vp_gained(DS_INSECT), 2);
    EQUAL(vp_gained(DS_MAMMAL), 0);
    EQUAL(tally.vp[DS_AMPHIBIAN][DS_FROM_DOMINATION], 8);
}

static void beyond_the_list_there_is_nothing(void)
{
    begin_printed();
    ds_score_tile(&state, &CONTEXT, E4, DS_FROM_DOMINATION); /* desert 4 2: reptile 2, mammal 1, insect 1 */
    EQUAL(vp_gained(DS_REPTILE), 4);
    EQUAL(vp_gained(DS_MAMMAL), 2);
    EQUAL(vp_gained(DS_INSECT), 0);
}

static void tundra_gives_one_to_the_first(void)
{
    begin_printed();
    ds_breed(&state, DS_INSECT, D3, 3);
    ds_breed(&state, DS_BIRD, D3, 2);
    ds_score_tile(&state, &CONTEXT, D3, DS_FROM_DOMINATION);
    EQUAL(vp_gained(DS_INSECT), 1);
    EQUAL(vp_gained(DS_BIRD), 0);
}

static void all_six_are_ranked(void)
{
    begin_printed();
    clear_earth();
    memcpy(rules.tile_values[DS_SEA], (uint8_t[6]){60, 50, 40, 30, 20, 10}, 6);
    state.tundra = 0;
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        ds_breed(&state, a, D3, a < 3 ? 2 : 5);
    ds_score_tile(&state, &CONTEXT, D3, DS_FROM_DOMINATION);
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        EQUAL(vp_gained(a), a < 3 ? 30 - 10 * (int)a : 60 - 10 * ((int)a - 3));
}

static void survival_goes_to_the_most_species_on_tundra(void) /* R-RES-2 */
{
    begin_printed();
    state.tundra = ds_bit(D3) | ds_bit(D2) | ds_bit(E3);
    clear_earth();
    ds_score_survival(&state, &CONTEXT);
    EQUAL(vp_gained(DS_MAMMAL) + vp_gained(DS_BIRD), 0); /* nobody there */
    ds_breed(&state, DS_BIRD, D2, 1);
    ds_breed(&state, DS_BIRD, E3, 1);
    ds_breed(&state, DS_INSECT, D3, 2);
    ds_breed(&state, DS_MAMMAL, D4, 9); /* no tundra */
    ds_score_survival(&state, &CONTEXT);
    EQUAL(vp_gained(DS_BIRD) + vp_gained(DS_INSECT) + vp_gained(DS_MAMMAL), 0); /* a tie */
    ds_breed(&state, DS_BIRD, E3, 1);
    ds_score_survival(&state, &CONTEXT);
    EQUAL(vp_gained(DS_BIRD), 3); /* two tiles */
    EQUAL(tally.vp[DS_BIRD][DS_FROM_SURVIVAL], 3);
    EQUAL(vp_gained(DS_INSECT), 0);
}

static void dominance_pays_the_bonus_for_tiles(void) /* C-14 */
{
    begin_printed();
    ds_score_dominance(&state, &CONTEXT); /* at the start everybody dominates one tile */
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        EQUAL(vp_gained(a), 1);
    ds_take_species(&state, DS_ARACHNID, C3, 2); /* C3 falls to the amphibian, who has D2 */
    ds_score_dominance(&state, &CONTEXT);
    EQUAL(vp_gained(DS_AMPHIBIAN), 1 + 3);
    EQUAL(vp_gained(DS_ARACHNID), 1);
}

static void vps_never_fall_below_zero(void) /* R-VP-2 */
{
    begin_printed();
    ds_score(&state, &CONTEXT, DS_BIRD, 5, DS_FROM_FERTILE);
    ds_lose_vp(&state, &CONTEXT, DS_BIRD, 3);
    EQUAL(vp_gained(DS_BIRD), 2);
    ds_lose_vp(&state, &CONTEXT, DS_BIRD, 9);
    EQUAL(vp_gained(DS_BIRD), 0);
    EQUAL(tally.vp[DS_BIRD][DS_LOST], -5); /* what was lost, not what was to be lost */
}

static void vps_can_grow_beyond_sixteen_bits(void)
{
    begin_printed();
    for (unsigned i = 0; i < 100; i++)
        ds_score(&state, &CONTEXT, DS_BIRD, 1000, DS_FROM_WANDERLUST);
    EQUAL(vp_gained(DS_BIRD), 100000);
    EQUAL(tally.vp[DS_BIRD][DS_FROM_WANDERLUST], 100000);
}

static void no_tally_is_needed(void)
{
    const ds_context_t untold = {&rules, NULL};
    begin_printed();
    ds_score_tile(&state, &untold, D2, DS_FROM_DOMINATION);
    ds_lose_vp(&state, &untold, DS_AMPHIBIAN, 1);
    EQUAL(vp_gained(DS_AMPHIBIAN), 7);
    EQUAL(tally.vp[DS_AMPHIBIAN][DS_FROM_DOMINATION], 0);
}

int main(void)
{
    RUN(a_tile_is_ranked_by_species_then_food_chain);
    RUN(beyond_the_list_there_is_nothing);
    RUN(tundra_gives_one_to_the_first);
    RUN(all_six_are_ranked);
    RUN(survival_goes_to_the_most_species_on_tundra);
    RUN(dominance_pays_the_bonus_for_tiles);
    RUN(vps_never_fall_below_zero);
    RUN(vps_can_grow_beyond_sixteen_bits);
    RUN(no_tally_is_needed);
    return test_close("score");
}
