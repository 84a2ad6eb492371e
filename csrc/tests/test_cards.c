/* The dominance cards: the bird, who dominates D3 here, takes one after scoring it. */
#include "fixture.h"

enum { D3_NE = 48, D3_E = 55 };

static bool done(void) { return state.node == DS_SAVE; }

/* The printed game at take_card: a bird on D3, the scored tundra tile; only the card at hand is face up. */
static void before(unsigned card)
{
    begin_alone(DS_BIRD);
    ds_breed(&state, DS_BIRD, D3, 1);
    state.face_up = 1u << card;
    step(DS_PLACE + DS_SPACE_DOMINATION);
    step(DS_HEX + D3);
    EQUAL(state.node, DS_TAKE_CARD);
    EQUAL(state.actor, DS_BIRD);
}

static void take(unsigned card)
{
    step(DS_CARD + card);
    EQUAL(state.face_up, 0);
    EQUAL(state.taken, 1u << card);
    EQUAL(tally.card_taker[card], DS_BIRD);
}

static void aquatic(void) /* C-1 */
{
    before(DS_AQUATIC);
    take(DS_AQUATIC);
    unsigned corner = 92;
    DS_FOR_EACH_CORNER(c, ds_vacant_corners_of(&state, D2))
        corner = (unsigned)c;
    step(DS_HEX + D2);
    step(DS_ELEMENT + SEED);
    step(DS_CORNER + corner);
    CHECK(ds_corners_has(state.elements[SEED], corner));
    step(DS_COUNT + 4);
    EQUAL(species_on(D2, DS_BIRD), 4);
    CHECK(done());
    POSSIBLE();
}

static void biodiversity(void) /* C-2: the bird shares C3, C4, D4, but not D3 */
{
    before(DS_BIODIVERSITY);
    take(DS_BIODIVERSITY);
    EQUAL(state.vp[DS_BIRD], 1 + 3);
    CHECK(done());
}

static void biomass(void) /* C-3: where species outnumber elements, fixed before the first dies (R-CAR-1) */
{
    before(DS_BIOMASS);
    ds_breed(&state, DS_INSECT, D3, 9); /* 10 species, 6 elements */
    take(DS_BIOMASS);
    uint64_t tiles = state.cursor.targets;
    DS_FOR_EACH(h, state.earth)
        EQUAL(ds_has(tiles, (unsigned)h), ds_lanes_sum(ds_species(&state, (unsigned)h)) > ds_elements_on(&state, (unsigned)h));
    CHECK(ds_has(tiles, D3));
    while (state.node == DS_BIOMASS_VICTIM)
        step(DS_ANIMAL + ds_first(ds_animals_on(&state, ds_first(state.cursor.targets))));
    EQUAL(species_on(D3, DS_BIRD), 0);
    EQUAL(ds_lanes_sum(ds_lanes(state.eliminated)), ds_count(tiles));
    CHECK(done());
}

static void blight(void) /* C-4 */
{
    before(DS_BLIGHT);
    take(DS_BLIGHT);
    step(DS_HEX + D3);
    step(DS_CORNER + D3_E);
    EQUAL(ds_elements_on(&state, D3), 1);
    EQUAL(elements_on_earth(), 12 - 5);
    CHECK(done());
    POSSIBLE();
}

static void catastrophe(void) /* C-5 */
{
    before(DS_CATASTROPHE);
    take(DS_CATASTROPHE);
    step(DS_HEX + D2); /* two amphibians, an arachnid, an insect; next to C3, D3, E3 */
    step(DS_ANIMAL + DS_AMPHIBIAN);
    EQUAL(species_on(D2, DS_AMPHIBIAN), 1);
    EQUAL(ds_animals_on(&state, D2), 1u << DS_AMPHIBIAN);
    step(DS_ANIMAL + DS_ARACHNID);
    step(DS_ANIMAL + DS_BIRD);
    step(DS_ANIMAL + DS_INSECT);
    EQUAL(species_on(C3, DS_ARACHNID), 1);
    EQUAL(species_on(D3, DS_BIRD), 0);
    EQUAL(species_on(E3, DS_INSECT), 1);
    CHECK(done());
    POSSIBLE();
}

static void cold_snap(void) /* C-6 */
{
    before(DS_COLD_SNAP);
    ds_breed(&state, DS_INSECT, D3, 3);
    take(DS_COLD_SNAP);
    EQUAL(species_on(D3, DS_INSECT), 2);
    EQUAL(species_on(D3, DS_BIRD), 1);
    EQUAL(state.eliminated[DS_INSECT], 1);
    CHECK(done());
}

static void disease(void) /* C-7: those with more elements than the bird's two */
{
    before(DS_DISEASE);
    give_element(DS_INSECT, SUN);
    give_element(DS_REPTILE, SUN);
    take(DS_DISEASE);
    EQUAL(state.actor, DS_REPTILE);
    step(DS_ELEMENT + SUN);
    EQUAL(state.held[SUN][DS_REPTILE], 2);
    EQUAL(state.actor, DS_AMPHIBIAN); /* three, but fixed: nothing to lose */
    step(DS_PASS);
    EQUAL(state.actor, DS_INSECT);
    step(DS_ELEMENT + SUN);
    CHECK(done());
    POSSIBLE();
}

static void ecodiversity(void) /* C-8 */
{
    before(DS_ECODIVERSITY);
    give_element(DS_BIRD, GRASS);
    take(DS_ECODIVERSITY);
    EQUAL(state.vp[DS_BIRD], 1 + 2 + 2); /* two seeds, two grasses */
}

static void evolution(void) /* C-9 */
{
    before(DS_EVOLUTION);
    take(DS_EVOLUTION);
    step(DS_ANIMAL + DS_REPTILE);
    EQUAL(state.eliminated[DS_REPTILE], 0); /* P-4 */
    step(DS_HEX + E4);
    EQUAL(species_on(E4, DS_REPTILE), 1);
    EQUAL(species_on(E4, DS_BIRD), 1);
    EQUAL(state.cursor.targets, 1u << DS_MAMMAL | 1u << DS_REPTILE | 1u << DS_BIRD); /* not to be chosen */
    POSSIBLE();
    step(DS_ANIMAL + DS_INSECT);
    step(DS_HEX + E3);
    EQUAL(state.eliminated[DS_INSECT], 1);
    CHECK(done());
    POSSIBLE();
}

static void fecundity(void) /* C-10: C3, C4, D3, D4 in turn */
{
    before(DS_FECUNDITY);
    take(DS_FECUNDITY);
    for (unsigned i = 0; i < 4; i++)
        step(DS_COUNT + i % 2);
    EQUAL(species_on(C3, DS_BIRD), 1);
    EQUAL(species_on(C4, DS_BIRD), 3);
    EQUAL(species_on(D3, DS_BIRD), 1);
    EQUAL(species_on(D4, DS_BIRD), 2);
    CHECK(done());
    POSSIBLE();
}

static void fertile(void) /* C-11 */
{
    before(DS_FERTILE);
    take(DS_FERTILE);
    step(DS_HEX + C3);
    EQUAL(state.vp[DS_BIRD], 1 + 4);
}

static void habitat(void) /* C-12, P-4 */
{
    enum { A_RIM_CORNER_OF_D2 = 41 }; /* D2.nw */
    before(DS_HABITAT);
    take(DS_HABITAT);
    unsigned bag = state.bag[MEAT];
    step(DS_ELEMENT + MEAT);
    EQUAL(state.bag[MEAT], bag);
    step(DS_CORNER + A_RIM_CORNER_OF_D2);
    EQUAL(state.bag[MEAT], bag - 1);
    CHECK(ds_corners_has(state.elements[MEAT], A_RIM_CORNER_OF_D2));
    CHECK(done());
    POSSIBLE();
}

static void hibernation(void) /* C-13 */
{
    before(DS_HIBERNATION);
    ds_eliminate(&state, &CONTEXT, DS_BIRD, C4, 2);
    take(DS_HIBERNATION);
    step(DS_HEX + D2);
    step(DS_COUNT + 2);
    EQUAL(state.eliminated[DS_BIRD], 0);
    EQUAL(state.hibernating_hex, D2);
    EQUAL(state.hibernating_count, 2);
    POSSIBLE();
    step(DS_PASS); /* Extinction; no seed on D2 */
    EQUAL(species_on(D2, DS_BIRD), 2);
}

static void ice_sheet(void) /* C-15 */
{
    before(DS_ICE_SHEET);
    take(DS_ICE_SHEET);
    EQUAL(state.node, DS_GLACIATE);
    step(DS_HEX + D2);
    CHECK(ds_has(state.tundra, D2));
    CHECK(done());
}

static void immigrants(void) /* C-16 */
{
    before(DS_IMMIGRANTS);
    give_element(DS_REPTILE, MEAT);
    take(DS_IMMIGRANTS);
    step(DS_LOSE_SPECIES); /* the mammal: one each on C4 and E4, two on D4 */
    EQUAL(species_on(D4, DS_MAMMAL), 1);
    EQUAL(state.eliminated[DS_MAMMAL], 1);
    step(DS_ELEMENT + MEAT);
    EQUAL(state.held[MEAT][DS_REPTILE], 0);
    step(DS_LOSE_PAWN);
    EQUAL(state.pawns[DS_BIRD], 0);
    POSSIBLE();
    for (unsigned a = DS_AMPHIBIAN; a <= DS_INSECT; a++)
        step(DS_LOSE_SPECIES);
    CHECK(done());
}

static void instinct(void) /* C-17: the space just resolved acts next turn, one still to come now */
{
    before(DS_INSTINCT);
    take(DS_INSTINCT);
    step(DS_PLACE + DS_SPACE_DOMINATION);
    EQUAL(state.pawns[DS_BIRD], 0);
    CHECK(done());
    CHECK(state.spaces == ds_bit(DS_SPACE_DOMINATION));
    POSSIBLE();
    before(DS_INSTINCT);
    take(DS_INSTINCT);
    step(DS_PLACE + DS_SPACE_DOMINATION + 1);
    EQUAL(state.node, DS_DOMINATE);
    EQUAL(state.actor, DS_BIRD);
}

static void pawns_are_gained_up_and_down_the_food_chain(void) /* C-18, C-23, C-24 */
{
    static const unsigned CARDS[] = {DS_INTELLIGENCE, DS_OMNIVORE, DS_PARASITISM};
    for (unsigned i = 0; i < 3; i++) {
        before(CARDS[i]);
        take(CARDS[i]);
        for (unsigned a = 0; a < DS_ANIMALS; a++) {
            bool gains = i == 0 ? a <= DS_BIRD : i == 1 ? a == DS_BIRD : a >= DS_BIRD;
            EQUAL(state.pawns[a], rules.pawns[a] + gains);
        }
        POSSIBLE();
    }
}

static void mass_exodus(void) /* C-19 */
{
    before(DS_MASS_EXODUS);
    take(DS_MASS_EXODUS);
    step(DS_HEX + D4); /* two mammals, a reptile, a bird; to C4, D3, E4 */
    step(DS_COUNT + 1);
    step(DS_COUNT + 0); /* the other mammal goes to E4 */
    EQUAL(species_on(C4, DS_MAMMAL), 2);
    EQUAL(species_on(E4, DS_MAMMAL), 2);
    EQUAL(state.cursor.animal, DS_REPTILE);
    POSSIBLE();
    step(DS_COUNT + 1);
    step(DS_COUNT + 0); /* P-1: presented here, since the core decides nothing */
    step(DS_COUNT + 0);
    step(DS_COUNT + 1);
    EQUAL(species_on(D3, DS_BIRD), 2);
    EQUAL(ds_animals_on(&state, D4), 0);
    CHECK(done());
    POSSIBLE();
}

static void metamorphosis(void) /* C-20, P-4 */
{
    before(DS_METAMORPHOSIS);
    give_element(DS_BIRD, SUN);
    take(DS_METAMORPHOSIS);
    step(DS_ELEMENT + SUN);
    EQUAL(state.held[SUN][DS_BIRD], 1);
    step(DS_ELEMENT + GRUB);
    EQUAL(state.held[SUN][DS_BIRD], 0);
    EQUAL(state.held[GRUB][DS_BIRD], 1);
    POSSIBLE();
}

static void niche_biomes(void) /* C-21, R-CAR-5: a tundra tile is worth one */
{
    before(DS_NICHE_BIOMES);
    ds_score(&state, &CONTEXT, DS_INSECT, 9, DS_FROM_HANDICAP);
    ds_score(&state, &CONTEXT, DS_REPTILE, 1, DS_FROM_HANDICAP);
    take(DS_NICHE_BIOMES);
    EQUAL(state.vp[DS_INSECT], 8);
    EQUAL(state.vp[DS_REPTILE], 1); /* no more than the bird */
}

static void nocturnal(void) /* C-22 */
{
    before(DS_NOCTURNAL);
    take(DS_NOCTURNAL);
    EQUAL(state.initiative[2], DS_BIRD);
    EQUAL(state.initiative[3], DS_AMPHIBIAN);
}

static void predator(void) /* C-25 */
{
    before(DS_PREDATOR);
    take(DS_PREDATOR);
    CHECK(state.cursor.targets == (ds_bit(C3) | ds_bit(C4) | ds_bit(D4))); /* alone on D3 */
    step(DS_ANIMAL + DS_AMPHIBIAN);
    step(DS_ANIMAL + DS_MAMMAL);
    step(DS_ANIMAL + DS_MAMMAL);
    EQUAL(state.eliminated[DS_AMPHIBIAN], 1);
    EQUAL(state.eliminated[DS_MAMMAL], 2);
    CHECK(done());
    POSSIBLE();
}

static void symbiotic(void) /* C-26: the bird, then who has fewer elements */
{
    before(DS_SYMBIOTIC);
    give_element(DS_BIRD, SUN); /* three, like the amphibian */
    take(DS_SYMBIOTIC);
    EQUAL(state.node, DS_DRAW_ELEMENT);
    static const unsigned ORDER[] = {DS_BIRD, DS_MAMMAL, DS_REPTILE, DS_ARACHNID, DS_INSECT};
    for (unsigned i = 0; i < 5; i++) {
        EQUAL(state.cursor.animal, ORDER[i]);
        POSSIBLE();
        step(DS_ELEMENT + GRUB);
        CHECK(state.held[GRUB][ORDER[i]] == (ORDER[i] == DS_ARACHNID ? 3 : 1));
    }
    CHECK(done());
}

int main(void)
{
    RUN(aquatic);
    RUN(biodiversity);
    RUN(biomass);
    RUN(blight);
    RUN(catastrophe);
    RUN(cold_snap);
    RUN(disease);
    RUN(ecodiversity);
    RUN(evolution);
    RUN(fecundity);
    RUN(fertile);
    RUN(habitat);
    RUN(hibernation);
    RUN(ice_sheet);
    RUN(immigrants);
    RUN(instinct);
    RUN(pawns_are_gained_up_and_down_the_food_chain);
    RUN(mass_exodus);
    RUN(metamorphosis);
    RUN(niche_biomes);
    RUN(nocturnal);
    RUN(predator);
    RUN(symbiotic);
    return test_close("cards");
}
