/* Matches, dominance, danger, glaciation and reach on positions made by hand. Corner 48 is D3.ne, shared by D2, D3, E3. */
#include "fixture.h"

enum { D3_NE = 48, D3_NW = 42, D3_E = 55, D4_SW = 44 };

static void matches_are_sums_of_products(void) /* R-DOM-1 */
{
    begin_printed();
    /* C3: water, seed and two grubs on its corners. */
    EQUAL(match_on(C3, DS_ARACHNID), 2 * 2);
    EQUAL(match_on(C3, DS_AMPHIBIAN), 3 * 1);
    EQUAL(match_on(C3, DS_BIRD), 2 * 1);
    EQUAL(match_on(C3, DS_MAMMAL), 0);
    state.held[GRUB][DS_BIRD] = 4;
    EQUAL(match_on(C3, DS_BIRD), 2 * 1 + 4 * 2);
}

static void the_largest_match_is_36(void)
{
    begin_printed();
    clear_earth();
    DS_FOR_EACH_CORNER(c, DS_HEX_CORNERS[D3])
        put_element(SUN, (unsigned)c);
    state.held[SUN][DS_REPTILE] = 6;
    EQUAL(match_on(D3, DS_REPTILE), 36);
    EQUAL(match_on(D3, DS_MAMMAL), 0);
}

static void the_highest_match_dominates_however_few_the_species(void) /* R-DOM-3 */
{
    begin_printed();
    EQUAL(ds_dominant(&state, &rules, C3), DS_ARACHNID);
    ds_breed(&state, DS_BIRD, C3, 9);
    EQUAL(ds_dominant(&state, &rules, C3), DS_ARACHNID);
    ds_take_species(&state, DS_ARACHNID, C3, 2);
    EQUAL(ds_dominant(&state, &rules, C3), DS_AMPHIBIAN);
}

static void a_tie_at_the_top_and_a_match_of_zero_dominate_nothing(void)
{
    begin_printed();
    clear_earth();
    ds_breed(&state, DS_MAMMAL, D3, 1);
    EQUAL(ds_dominant(&state, &rules, D3), DS_NONE);
    put_element(MEAT, D3_NE);
    EQUAL(ds_dominant(&state, &rules, D3), DS_MAMMAL);
    put_element(SUN, D3_NW);
    ds_breed(&state, DS_REPTILE, D3, 1);
    EQUAL(ds_dominant(&state, &rules, D3), DS_NONE);
    ds_breed(&state, DS_INSECT, D3, 1); /* present, below the tie: does not break it */
    put_element(GRASS, D3_E);
    EQUAL(ds_dominant(&state, &rules, D3), DS_NONE);
    state.held[SUN][DS_INSECT] = 1; /* 3 against 2 and 2 */
    EQUAL(ds_dominant(&state, &rules, D3), DS_INSECT);
}

static void declared_dominance_is_what_cones_say(void) /* R-DOM-4 */
{
    rules = PRINTED;
    rules.declared = true;
    begin(7);
    EQUAL(ds_dominant(&state, &rules, C3), DS_NONE);
    CHECK(ds_claimable(&state, DS_ARACHNID) == ds_bit(C3));
    state.tiles[C3].cone = DS_ARACHNID;
    EQUAL(ds_dominant(&state, &rules, C3), DS_ARACHNID);
    CHECK(ds_claimable(&state, DS_ARACHNID) == 0);
    ds_settle_cones(&state, &rules);
    EQUAL(state.tiles[C3].cone, DS_ARACHNID);
    ds_remove_element(&state, D3_NW); /* a grub: 2 against the amphibian's 3 */
    ds_settle_cones(&state, &rules);
    EQUAL(state.tiles[C3].cone, DS_NONE);
}

static void species_without_a_match_are_doomed_unless_asleep(void) /* R-DOM-2, C-13 */
{
    begin_printed();
    CHECK(ds_doomed(&state, DS_MAMMAL) == 0);
    ds_breed(&state, DS_MAMMAL, C3, 2);
    CHECK(ds_doomed(&state, DS_MAMMAL) == ds_bit(C3));
    state.hibernating_animal = DS_MAMMAL;
    state.hibernating_hex = C3;
    state.hibernating_count = 1;
    CHECK(ds_doomed(&state, DS_MAMMAL) == ds_bit(C3));
    state.hibernating_count = 2;
    CHECK(ds_doomed(&state, DS_MAMMAL) == 0);
}

static void hibernating_species_leave_last(void) /* R-CAR-3 */
{
    begin_printed();
    ds_breed(&state, DS_MAMMAL, C3, 5);
    state.hibernating_animal = DS_MAMMAL;
    state.hibernating_hex = C3;
    state.hibernating_count = 3;
    ds_take_species(&state, DS_MAMMAL, C3, 2);
    EQUAL(state.hibernating_count, 3);
    ds_take_species(&state, DS_MAMMAL, C3, 1);
    EQUAL(state.hibernating_count, 2);
    ds_add_species(&state, DS_MAMMAL, C3, 1);
    EQUAL(state.hibernating_count, 2); /* never grows */
    ds_take_species(&state, DS_MAMMAL, C3, 3);
    EQUAL(state.hibernating_count, 0);
    EQUAL(state.hibernating_hex, 0);
}

static void tundra_spreads_to_its_neighbors(void) /* R-GLA-2 */
{
    begin_printed();
    CHECK(ds_glaciable(&state) == DS_HEX_NEIGHBORS[D3]);
    ds_glaciate(&state, &CONTEXT, DS_BIRD, D2);
    CHECK(ds_glaciable(&state) == (DS_HEX_NEIGHBORS[D3] & ~ds_bit(D2))); /* what is frozen stays so */
    state.tundra_left = 0;
    CHECK(ds_glaciable(&state) == 0);
}

static void glaciation_freezes_species_and_elements(void) /* R-GLA-3 to R-GLA-5 */
{
    begin_printed();
    ds_glaciate(&state, &CONTEXT, DS_BIRD, D2);
    EQUAL(ds_terrain(&state, D2), DS_TUNDRA);
    EQUAL(species_on(D2, DS_AMPHIBIAN), 1);
    EQUAL(state.gene_pool[DS_AMPHIBIAN], 31);
    EQUAL(species_on(D2, DS_INSECT), 1);
    EQUAL(state.gene_pool[DS_INSECT], 30);
    EQUAL(state.vp[DS_BIRD], 1); /* next to D3 */
    EQUAL(elements_on_earth(), 12);
    ds_glaciate(&state, &CONTEXT, DS_BIRD, E3);
    EQUAL(state.vp[DS_BIRD], 1 + 3); /* next to D2 and D3 */
    EQUAL(elements_on_earth(), 11);
    CHECK(!ds_corners_has(state.elements[WATER], D3_NE));
    EQUAL(state.bag[WATER], 19);
    EQUAL(state.tundra_left, 9);
    EQUAL(tally.vp[DS_BIRD][DS_FROM_GLACIATION], 4);
    POSSIBLE();
}

static void the_frontier_is_the_ring_around_the_earth(void) /* R-WAN-1 */
{
    begin_printed();
    EQUAL(ds_count(ds_frontier(&state)), 12);
    CHECK((ds_frontier(&state) & state.earth) == 0);
    CHECK(ds_has(ds_frontier(&state), B2) && ds_has(ds_frontier(&state), F4) && !ds_has(ds_frontier(&state), 0));
}

static void birds_fly_over_one_tile(void) /* R-MIG-2 */
{
    begin_printed();
    CHECK(ds_reach(&state, &rules, DS_MAMMAL, D2) == (ds_bit(C3) | ds_bit(D3) | ds_bit(E3)));
    CHECK(ds_reach(&state, &rules, DS_BIRD, D2) == (state.earth & ~ds_bit(D2)));
    rules.abilities &= (uint8_t)~(1u << DS_BIRD);
    CHECK(ds_reach(&state, &rules, DS_BIRD, D2) == ds_reach(&state, &rules, DS_MAMMAL, D2));
}

static void the_tile_flown_over_must_exist(void)
{
    begin_printed();
    ds_add_tile(&state, D1, DS_SEA); /* D1 touches D2 alone */
    CHECK(ds_reach(&state, &rules, DS_BIRD, D1) == (ds_bit(D2) | ds_bit(C3) | ds_bit(D3) | ds_bit(E3)));
}

static void aquatic_tiles_are_wet_and_not_frozen(void) /* C-1 */
{
    bool element;
    begin_printed();
    CHECK(ds_aquatic_hexes(&state, &element) == ds_bit(D2) && element);
    ds_add_tile(&state, B2, DS_SEA);
    CHECK(ds_aquatic_hexes(&state, &element) == (ds_bit(D2) | ds_bit(B2)) && element);
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        DS_FOR_EACH_CORNER(c, ds_vacant_corners_of(&state, D2))
            ds_place_element(&state, e, (unsigned)c);
    CHECK(ds_aquatic_hexes(&state, &element) == ds_bit(B2) && element);
    memset(state.bag, 0, sizeof state.bag);
    CHECK(ds_aquatic_hexes(&state, &element) == (ds_bit(D2) | ds_bit(B2)) && !element);
}

static void elements_are_counted_on_tiles(void)
{
    begin_printed();
    CHECK(ds_tiles_with_two_elements(&state) == state.earth);
    EQUAL(ds_elements_on(&state, D3), 6);
    clear_earth();
    put_element(MEAT, D4_SW); /* C5, D4, D5: D4 alone is a tile */
    CHECK(ds_tiles_with_two_elements(&state) == 0);
    put_element(MEAT, D3_NE);
    CHECK(ds_tiles_with_two_elements(&state) == 0);
    put_element(MEAT, D3_NW); /* C3, D2, D3 */
    CHECK(ds_tiles_with_two_elements(&state) == (ds_bit(D2) | ds_bit(D3)));
    POSSIBLE();
}

static void removed_elements_go_to_the_bag(void)
{
    begin_printed();
    ds_remove_element(&state, D3_NE);
    ds_remove_element(&state, D3_NE); /* nothing there any more */
    EQUAL(state.bag[WATER], 19);
    ds_remove_elements(&state, DS_HEX_CORNERS[D3]);
    EQUAL(state.bag[WATER], 19);
    EQUAL(ds_lanes_sum(ds_lanes(state.bag)), 6 * 18 + 6);
    POSSIBLE();
}

static void fixed_elements_are_not_loose(void) /* R-SET-2 */
{
    begin_printed();
    EQUAL(ds_loose_types(&state, &rules, DS_AMPHIBIAN), 0);
    state.held[WATER][DS_AMPHIBIAN]++;
    state.held[SUN][DS_AMPHIBIAN]++;
    EQUAL(ds_loose_types(&state, &rules, DS_AMPHIBIAN), 1u << WATER | 1u << SUN);
    EQUAL(ds_loose(&state, &rules, DS_AMPHIBIAN, WATER), 1);
    EQUAL(ds_elements_held(&state) >> 8 * DS_AMPHIBIAN & 0xff, 5);
}

static void eliminated_species_do_not_return(void) /* R-COM-3 */
{
    begin_printed();
    ds_eliminate(&state, &CONTEXT, DS_ARACHNID, C3, 2);
    EQUAL(state.eliminated[DS_ARACHNID], 2);
    EQUAL(tally.eliminated[DS_ARACHNID], 2);
    EQUAL(state.gene_pool[DS_ARACHNID], 30);
    CHECK(!ds_has(state.presence[DS_ARACHNID], C3));
    EQUAL(ds_animals_on(&state, C3), 1u << DS_BIRD | 1u << DS_AMPHIBIAN);
    POSSIBLE();
}

int main(void)
{
    RUN(matches_are_sums_of_products);
    RUN(the_largest_match_is_36);
    RUN(the_highest_match_dominates_however_few_the_species);
    RUN(a_tie_at_the_top_and_a_match_of_zero_dominate_nothing);
    RUN(declared_dominance_is_what_cones_say);
    RUN(species_without_a_match_are_doomed_unless_asleep);
    RUN(hibernating_species_leave_last);
    RUN(tundra_spreads_to_its_neighbors);
    RUN(glaciation_freezes_species_and_elements);
    RUN(the_frontier_is_the_ring_around_the_earth);
    RUN(birds_fly_over_one_tile);
    RUN(the_tile_flown_over_must_exist);
    RUN(aquatic_tiles_are_wet_and_not_frozen);
    RUN(elements_are_counted_on_tiles);
    RUN(removed_elements_go_to_the_bag);
    RUN(fixed_elements_are_not_loose);
    RUN(eliminated_species_do_not_return);
    return test_close("earth");
}
