/* What pawns do, one at a time: the animal of a test places its only pawn, and the space is resolved at once. */
#include "fixture.h"

enum { D3_NE = 48, D3_SE = 49, D3_E = 55 };

static void place(unsigned space) { step(DS_PLACE + space); }
static bool done(void) { return state.node == DS_SAVE; } /* nothing else happens in this turn */

static void initiative_swaps_then_places(void) /* R-INI-1 */
{
    begin_alone(DS_BIRD);
    place(DS_SPACE_INITIATIVE);
    EQUAL(state.node, DS_INITIATIVE);
    EQUAL(state.pawns[DS_BIRD], 1); /* R-EXE-1: back before its action */
    EQUAL(state.initiative[3], DS_BIRD);
    step(DS_PLACE + DS_SPACE_ADAPTATION);
    EQUAL(state.initiative[2], DS_BIRD);
    EQUAL(state.initiative[3], DS_AMPHIBIAN);
    EQUAL(state.node, DS_ADAPT); /* the space is still to come */
    EQUAL(state.actor, DS_BIRD);
    POSSIBLE();
}

static void initiative_may_be_forgone(void)
{
    begin_alone(DS_BIRD);
    place(DS_SPACE_INITIATIVE);
    step(DS_PASS);
    EQUAL(state.initiative[3], DS_BIRD);
    EQUAL(state.pawns[DS_BIRD], 1);
    CHECK(done());
}

static void adaptation_takes_from_its_box(void) /* R-ADA-1 */
{
    begin_alone(DS_BIRD);
    fill_box(DS_BOX_ADAPTATION, SUN, 4);
    place(DS_SPACE_ADAPTATION + 2);
    step(DS_ELEMENT + SUN);
    EQUAL(state.held[SUN][DS_BIRD], 1);
    EQUAL(state.boxes[DS_BOX_ADAPTATION][SUN], 3);
    CHECK(done());
    POSSIBLE();
}

static void regression_takes_one_of_each_type_not_protected(void) /* R-REG-1, R-REG-2 */
{
    begin_alone(DS_BIRD);
    fill_box(DS_BOX_REGRESSION, SUN, 2);
    give_element(DS_BIRD, SUN);
    give_element(DS_REPTILE, SUN);
    give_element(DS_REPTILE, SUN);
    give_element(DS_INSECT, WATER); /* no water in the box */
    unsigned bag = state.bag[SUN];
    place(DS_SPACE_REGRESSION);
    step(DS_ELEMENT + SUN);
    EQUAL(state.held[SUN][DS_BIRD], 1);
    EQUAL(state.held[SUN][DS_REPTILE], 3); /* one lost, though the box holds two */
    EQUAL(state.held[WATER][DS_INSECT], 1);
    EQUAL(state.bag[SUN], bag + 1);
    EQUAL(state.cursor.protects[DS_BIRD], 0);
    POSSIBLE();
}

static void regression_leaves_fixed_elements(void) /* R-SET-2 */
{
    begin_alone(DS_BIRD);
    fill_box(DS_BOX_REGRESSION, SUN, 1);
    place(DS_SPACE_DOMINATION);
    EQUAL(state.held[SUN][DS_REPTILE], 2);
}

static void abundance_keeps_the_element_until_its_corner_is_named(void) /* R-ABU-1, P-4 */
{
    begin_alone(DS_BIRD);
    fill_box(DS_BOX_ABUNDANCE, GRASS, 1);
    place(DS_SPACE_ABUNDANCE);
    unsigned corner = 92;
    DS_FOR_EACH_CORNER(c, ds_vacant_corners(&state))
        corner = (unsigned)c;
    step(DS_ELEMENT + GRASS);
    EQUAL(state.node, DS_ABUNDANCE_CORNER);
    EQUAL(state.boxes[DS_BOX_ABUNDANCE][GRASS], 1);
    step(DS_CORNER + corner);
    EQUAL(state.boxes[DS_BOX_ABUNDANCE][GRASS], 0);
    CHECK(ds_corners_has(state.elements[GRASS], corner));
    POSSIBLE();
}

static void wasteland_spares_one_element_of_its_box(void) /* R-WAS-1, R-WAS-2 */
{
    begin_alone(DS_BIRD);
    fill_box(DS_BOX_WASTELAND, GRASS, 1);
    place(DS_SPACE_WASTELAND);
    step(DS_ELEMENT + GRASS);
    CHECK(ds_corners_has(state.elements[GRASS], D3_E)); /* touches the tundra */
    POSSIBLE();
}

static void wasteland_clears_the_tundra_of_its_types(void)
{
    begin_alone(DS_BIRD);
    fill_box(DS_BOX_WASTELAND, GRASS, 1);
    place(DS_SPACE_WASTELAND);
    step(DS_PASS);
    CHECK(!ds_corners_has(state.elements[GRASS], D3_E));
    EQUAL(ds_corners_count(state.elements[GRASS]), 1); /* the other grass does not touch D3 */
    EQUAL(ds_corners_count(state.elements[SUN]), 2);
    POSSIBLE();
}

static void depletion_removes_from_earth(void) /* R-DEP-1 */
{
    begin_alone(DS_BIRD);
    fill_box(DS_BOX_DEPLETION, SUN, 1);
    place(DS_SPACE_DEPLETION);
    step(DS_CORNER + D3_SE);
    EQUAL(ds_corners_count(state.elements[SUN]), 1);
    EQUAL(state.boxes[DS_BOX_DEPLETION][SUN], 1);
    POSSIBLE();
}

static void only_the_leftmost_glaciation_pawn_acts(void) /* R-GLA-1 */
{
    begin_alone(DS_BIRD);
    rules.pawns[DS_INSECT] = 1;
    state.spaces = ds_bit(DS_SPACE_GLACIATION + 3);
    state.owner[DS_SPACE_GLACIATION + 3] = DS_INSECT;
    place(DS_SPACE_GLACIATION + 1);
    EQUAL(state.actor, DS_BIRD);
    step(DS_HEX + D2);
    CHECK(ds_has(state.tundra, D2));
    CHECK(done());
    CHECK(state.spaces == ds_bit(DS_SPACE_GLACIATION + 3));
    POSSIBLE();
}

static void speciation_asks_for_each_tile_around_the_element(void) /* R-SPE-1 */
{
    begin_alone(DS_BIRD);
    place(DS_SPACE_SPECIATION + WATER);
    step(DS_CORNER + D3_NE); /* D2, D3, E3 */
    EQUAL(ds_first(state.cursor.targets), D2);
    step(DS_COUNT + 4);
    step(DS_COUNT + 0);
    EQUAL(ds_first(state.cursor.targets), E3);
    step(DS_COUNT + 3);
    EQUAL(species_on(D2, DS_BIRD), 4);
    EQUAL(species_on(D3, DS_BIRD), 0);
    EQUAL(species_on(E3, DS_BIRD), 3);
    EQUAL(state.gene_pool[DS_BIRD], 30 - 7);
    CHECK(done());
    POSSIBLE();
}

static void insects_speciate_for_nothing(void) /* R-SPE-2 */
{
    begin_alone(DS_BIRD);
    rules.abilities |= 1u << DS_INSECT;
    place(DS_SPACE_SPECIATION + WATER);
    step(DS_PASS);
    EQUAL(state.node, DS_SPECIATE_FREE);
    EQUAL(state.actor, DS_INSECT);
    step(DS_HEX + D3);
    EQUAL(species_on(D3, DS_INSECT), 1);
    CHECK(done());
    POSSIBLE();
}

static void wanderlust_lays_a_tile_and_others_follow(void) /* R-WAN-1 to R-WAN-5 */
{
    begin_alone(DS_BIRD);
    unsigned terrain = state.stack_face_up[1];
    place(DS_SPACE_WANDERLUST);
    step(DS_STACK + 1);
    CHECK(!ds_has(state.earth, C2));
    EQUAL(state.stack_face_up[1], terrain); /* P-4 */
    step(DS_HEX + C2);                      /* next to C3 and D2 */
    EQUAL(state.tiles[C2].terrain, terrain);
    EQUAL(state.stack_face_up[1], DS_NONE);
    EQUAL(state.vp[DS_BIRD], 3);
    step(DS_PASS); /* no element */
    EQUAL(state.node, DS_WANDER_MOVE);
    EQUAL(state.actor, DS_BIRD); /* the highest with species on C3 or D2 */
    step(DS_COUNT + 1);
    EQUAL(state.actor, DS_AMPHIBIAN); /* on both */
    step(DS_COUNT + 0);
    EQUAL(state.actor, DS_AMPHIBIAN);
    step(DS_COUNT + 2);
    EQUAL(state.actor, DS_ARACHNID);
    step(DS_COUNT + 0);
    step(DS_COUNT + 0);
    EQUAL(state.actor, DS_INSECT);
    step(DS_COUNT + 0);
    EQUAL(species_on(C2, DS_BIRD), 1);
    EQUAL(species_on(C2, DS_AMPHIBIAN), 2);
    EQUAL(species_on(C3, DS_BIRD), 0);
    CHECK(done());
    POSSIBLE();
}

static void more_than_fifteen_move_in_portions(void) /* P-3 */
{
    begin_alone(DS_BIRD);
    clear_earth();
    ds_breed(&state, DS_BIRD, D2, 20);
    place(DS_SPACE_WANDERLUST);
    step(DS_STACK);
    step(DS_HEX + D1);
    step(DS_PASS);
    step(DS_COUNT + 15);
    EQUAL(state.node, DS_WANDER_MOVE); /* asked again for the rest */
    step(DS_COUNT + 2);
    EQUAL(species_on(D1, DS_BIRD), 17);
    CHECK(done());
}

static void a_migrant_moves_once(void) /* R-MIG-1 */
{
    begin_alone(DS_MAMMAL);
    place(DS_SPACE_MIGRATION); /* seven moves; two mammals on D4, one each on C4 and E4 */
    EQUAL(state.cursor.left, 7);
    step(DS_HEX + C4);
    step(DS_HEX + D4);
    step(DS_COUNT + 1);
    EQUAL(species_on(D4, DS_MAMMAL), 3);
    EQUAL(ds_unmoved(&state, DS_MAMMAL, D4), 2);
    step(DS_HEX + D4);
    step(DS_HEX + E4);
    step(DS_COUNT + 2);
    EQUAL(ds_unmoved(&state, DS_MAMMAL, D4), 0);
    EQUAL(ds_unmoved(&state, DS_MAMMAL, E4), 1);
    EQUAL(state.cursor.left, 4);
    POSSIBLE();
    step(DS_PASS);
    CHECK(done());
    POSSIBLE();
}

static void targets_of_one_source_are_named_in_order(void)
{
    begin_alone(DS_MAMMAL);
    place(DS_SPACE_MIGRATION);
    step(DS_HEX + D4);
    step(DS_HEX + D3);
    step(DS_COUNT + 1);
    CHECK(ds_migration_targets(&state, &rules, DS_MAMMAL, D4) == ds_bit(E4)); /* C4 and D3 are behind */
    CHECK(ds_migration_targets(&state, &rules, DS_MAMMAL, E4) == (ds_bit(D3) | ds_bit(D4) | ds_bit(E3)));
}

static void the_last_move_ends_a_migration(void)
{
    begin_alone(DS_MAMMAL);
    place(DS_SPACE_MIGRATION + 5); /* two moves */
    step(DS_HEX + D4);
    step(DS_HEX + D3);
    step(DS_COUNT + 2);
    EQUAL(species_on(D3, DS_MAMMAL), 2);
    CHECK(done());
    POSSIBLE();
}

static void competition_attacks_two_terrains_and_tundra(void) /* R-COM-2 */
{
    begin_alone(DS_INSECT);
    ds_breed(&state, DS_INSECT, D3, 1);
    ds_breed(&state, DS_BIRD, D3, 1);
    ds_breed(&state, DS_INSECT, C3, 1);
    place(DS_SPACE_COMPETITION); /* jungle, wetland */
    CHECK(ds_competition_tiles(&state) == ds_bit(C3));
    step(DS_HEX + C3);
    step(DS_ANIMAL + DS_ARACHNID);
    EQUAL(species_on(C3, DS_ARACHNID), 1);
    CHECK(ds_competition_tiles(&state) == ds_bit(D2));
    step(DS_PASS);
    CHECK(ds_competition_tiles(&state) == ds_bit(D3)); /* a sea once, now tundra only */
    step(DS_HEX + D3);
    step(DS_ANIMAL + DS_BIRD);
    EQUAL(state.eliminated[DS_BIRD], 1);
    CHECK(done());
    POSSIBLE();
}

static void arachnids_compete_for_nothing(void) /* R-COM-1 */
{
    begin_alone(DS_BIRD);
    rules.abilities |= 1u << DS_ARACHNID;
    place(DS_SPACE_DOMINATION);
    EQUAL(state.node, DS_COMPETE_TILE);
    EQUAL(state.actor, DS_ARACHNID);
    CHECK(ds_competition_tiles(&state) == (ds_bit(C3) | ds_bit(C4) | ds_bit(D2)));
    step(DS_HEX + C4);
    step(DS_ANIMAL + DS_BIRD);
    EQUAL(species_on(C4, DS_BIRD), 1);
    EQUAL(state.node, DS_DOMINATE);
}

static void domination_scores_and_the_dominant_takes_a_card(void) /* R-DMN-1, R-DMN-2 */
{
    begin_alone(DS_BIRD);
    place(DS_SPACE_DOMINATION);
    step(DS_HEX + D2);
    EQUAL(state.vp[DS_AMPHIBIAN], 8);
    CHECK(ds_has(state.scored, D2));
    EQUAL(state.node, DS_TAKE_CARD);
    EQUAL(state.actor, DS_AMPHIBIAN); /* whoever's pawn it was */
}

static void nobody_takes_a_card_where_nobody_dominates(void)
{
    begin_alone(DS_BIRD);
    ds_remove_elements(&state, DS_HEX_CORNERS[D2]);
    place(DS_SPACE_DOMINATION);
    step(DS_HEX + D2);
    EQUAL(state.vp[DS_AMPHIBIAN], 8);
    CHECK(done());
}

static void a_scored_tile_may_be_claimed_there_and_then(void)
{
    begin_alone(DS_BIRD);
    rules.declared = true;
    place(DS_SPACE_DOMINATION);
    step(DS_HEX + D2);
    EQUAL(state.node, DS_CLAIM);
    EQUAL(state.actor, DS_AMPHIBIAN);
    step(DS_HEX + D2);
    EQUAL(state.tiles[D2].cone, DS_AMPHIBIAN);
    EQUAL(state.node, DS_TAKE_CARD);
    POSSIBLE();
}

int main(void)
{
    RUN(initiative_swaps_then_places);
    RUN(initiative_may_be_forgone);
    RUN(adaptation_takes_from_its_box);
    RUN(regression_takes_one_of_each_type_not_protected);
    RUN(regression_leaves_fixed_elements);
    RUN(abundance_keeps_the_element_until_its_corner_is_named);
    RUN(wasteland_spares_one_element_of_its_box);
    RUN(wasteland_clears_the_tundra_of_its_types);
    RUN(depletion_removes_from_earth);
    RUN(only_the_leftmost_glaciation_pawn_acts);
    RUN(speciation_asks_for_each_tile_around_the_element);
    RUN(insects_speciate_for_nothing);
    RUN(wanderlust_lays_a_tile_and_others_follow);
    RUN(more_than_fifteen_move_in_portions);
    RUN(a_migrant_moves_once);
    RUN(targets_of_one_source_are_named_in_order);
    RUN(the_last_move_ends_a_migration);
    RUN(competition_attacks_two_terrains_and_tundra);
    RUN(arachnids_compete_for_nothing);
    RUN(domination_scores_and_the_dominant_takes_a_card);
    RUN(nobody_takes_a_card_where_nobody_dominates);
    RUN(a_scored_tile_may_be_claimed_there_and_then);
    return test_close("actions");
}
