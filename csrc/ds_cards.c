/* The dominance cards (rules.md section 7). A card begins in ds_step_take_card and ends in ds_next_space; those that
 * ask nothing are done at once. The taker stands in cursor.animal only where another is asked meanwhile. */
#include "ds_flow.h"

static unsigned more_than(ds_lanes_t lanes, unsigned n, unsigned animals) /* animals whose lane exceeds n, as bits */
{
    unsigned set = 0;
    DS_FOR_EACH(a, animals)
        set |= (unsigned)((lanes >> 8 * a & 0xff) > n) << a;
    return set;
}

/* Goes on to the next of cursor.targets, or ends the card. */
static void next_target(ds_state_t *s, const ds_context_t *ctx)
{
    s->cursor.targets = ds_without_first(s->cursor.targets);
    if (!s->cursor.targets)
        ds_next_space(s, ctx);
}

/* Asks the node about each of a set of hexes, or ends the card if there are none. */
static void ask_each(ds_state_t *s, const ds_context_t *ctx, ds_hexes_t targets, unsigned node, unsigned actor)
{
    s->cursor.targets = targets;
    if (targets)
        ds_ask(s, node, actor);
    else
        ds_next_space(s, ctx);
}

/* The same for a set of animals, each asked for itself. */
static void ask_animals(ds_state_t *s, const ds_context_t *ctx, uint64_t animals, unsigned node)
{
    ask_each(s, ctx, animals, node, animals ? ds_first(animals) : DS_NONE);
}

/* ---- C-1 aquatic ---- */

void ds_step_aquatic_hex(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    bool element;
    if (action == DS_PASS) { /* no such tile */
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.hex = (uint8_t)(action - DS_HEX);
    ds_aquatic_hexes(s, &element);
    ds_ask(s, element ? DS_AQUATIC_ELEMENT : DS_AQUATIC_COUNT, s->actor);
}

void ds_step_aquatic_element(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    (void)ctx;
    s->cursor.element = (uint8_t)(action - DS_ELEMENT);
    ds_ask(s, DS_AQUATIC_CORNER, s->actor);
}

void ds_step_aquatic_corner(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    (void)ctx;
    s->bag[s->cursor.element]--;
    ds_place_element(s, s->cursor.element, action - DS_CORNER);
    s->cursor.element = 0;
    ds_ask(s, DS_AQUATIC_COUNT, s->actor);
}

void ds_step_aquatic_count(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    ds_breed(s, s->actor, s->cursor.hex, action - DS_COUNT);
    ds_next_space(s, ctx);
}

/* ---- C-2 biodiversity, C-8 ecodiversity, C-11 fertile ---- */

static void biodiversity(ds_state_t *s, const ds_context_t *ctx, unsigned taker)
{
    ds_score(s, ctx, taker, ds_count(s->presence[taker] & ds_opposing(s, taker)), DS_FROM_BIODIVERSITY);
}

static void ecodiversity(ds_state_t *s, const ds_context_t *ctx, unsigned taker)
{
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        if (s->held[e][taker] > 0)
            ds_score(s, ctx, taker, ds_corners_count(s->elements[e]), DS_FROM_ECODIVERSITY);
}

void ds_step_fertile(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS)
        ds_score(s, ctx, s->actor, ds_lanes_sum(ds_species(s, action - DS_HEX)), DS_FROM_FERTILE);
    ds_next_space(s, ctx);
}

/* ---- C-3 biomass, C-25 predator ---- */

static ds_hexes_t crowded_tiles(const ds_state_t *s)
{
    ds_hexes_t set = 0;
    DS_FOR_EACH(h, ds_inhabited(s))
        if (ds_lanes_sum(ds_species(s, (unsigned)h)) > ds_elements_on(s, (unsigned)h))
            set |= ds_bit((unsigned)h);
    return set;
}

static void eliminate_one(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    ds_eliminate(s, ctx, action - DS_ANIMAL, ds_first(s->cursor.targets), 1);
    next_target(s, ctx);
}

void ds_step_biomass_victim(ds_state_t *s, const ds_context_t *ctx, unsigned action) { eliminate_one(s, ctx, action); }
void ds_step_predator_victim(ds_state_t *s, const ds_context_t *ctx, unsigned action) { eliminate_one(s, ctx, action); }

/* ---- C-4 blight ---- */

void ds_step_blight_hex(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.hex = (uint8_t)(action - DS_HEX);
    ds_ask(s, DS_BLIGHT_KEEP, s->actor);
}

void ds_step_blight_keep(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    ds_corners_t others = DS_HEX_CORNERS[s->cursor.hex];
    ds_corners_remove(&others, action - DS_CORNER);
    ds_remove_elements(s, others);
    ds_next_space(s, ctx);
}

/* ---- C-5 catastrophe ---- */

static void ask_catastrophe_victims(ds_state_t *s, const ds_context_t *ctx)
{
    ask_each(s, ctx, ds_neighbors(s, s->cursor.hex) & ds_inhabited(s), DS_CATASTROPHE_VICTIM, s->actor);
}

void ds_step_catastrophe_hex(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) { /* no such tile */
        ds_next_space(s, ctx);
        return;
    }
    unsigned hex = action - DS_HEX;
    s->cursor.hex = (uint8_t)hex;
    if (ds_lanes_sum(ds_species(s, hex)) >= 2)
        ds_ask(s, DS_CATASTROPHE_KEEP, s->actor);
    else
        ask_catastrophe_victims(s, ctx);
}

void ds_step_catastrophe_keep(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned hex = s->cursor.hex;
    DS_FOR_EACH(a, ds_animals_on(s, hex))
        ds_eliminate(s, ctx, (unsigned)a, hex, s->tiles[hex].species[a] - (unsigned)(a == action - DS_ANIMAL));
    ask_catastrophe_victims(s, ctx);
}

void ds_step_catastrophe_victim(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    eliminate_one(s, ctx, action);
}

/* ---- C-6 cold_snap ---- */

static void cold_snap(ds_state_t *s, const ds_context_t *ctx, unsigned taker)
{
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        if (a != taker)
            DS_FOR_EACH(h, s->presence[a] & s->tundra)
                ds_eliminate(s, ctx, a, (unsigned)h, 1);
}

/* ---- C-7 disease ---- */

static void disease(ds_state_t *s, const ds_context_t *ctx, unsigned taker)
{
    ds_lanes_t held = ds_elements_held(s);
    ask_animals(s, ctx, more_than(held, held >> 8 * taker & 0xff, ctx->rules->animals), DS_DISEASE_ELEMENT);
}

void ds_step_disease(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS) /* else: fixed elements only */
        ds_lose_element(s, s->actor, action - DS_ELEMENT);
    ask_animals(s, ctx, ds_without_first(s->cursor.targets), DS_DISEASE_ELEMENT);
}

/* ---- C-9 evolution ---- */

static void evolution(ds_state_t *s, unsigned taker)
{
    s->cursor.left = 2;
    ds_ask(s, DS_EVOLUTION_ANIMAL, taker); /* targets: animals not to be chosen any more */
    s->cursor.targets = ds_bit(taker);
}

void ds_step_evolution_animal(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.animal = (uint8_t)(action - DS_ANIMAL);
    ds_ask(s, DS_EVOLUTION_HEX, s->actor);
}

void ds_step_evolution_hex(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned hex = action - DS_HEX;
    ds_eliminate(s, ctx, s->cursor.animal, hex, 1);
    ds_breed(s, s->actor, hex, 1);
    if (--s->cursor.left == 0) {
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.targets = ds_bit(s->actor) | (ds_bit(s->cursor.animal + 1u) - 1);
    s->cursor.animal = 0;
    ds_ask(s, DS_EVOLUTION_ANIMAL, s->actor);
}

/* ---- C-10 fecundity ---- */

void ds_step_fecundity(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    ds_breed(s, s->actor, ds_first(s->cursor.targets), action - DS_COUNT);
    next_target(s, ctx);
}

/* ---- C-12 habitat ---- */

void ds_step_habitat_element(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) { /* empty bag or no vacant corner */
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.element = (uint8_t)(action - DS_ELEMENT);
    ds_ask(s, DS_HABITAT_CORNER, s->actor);
}

void ds_step_habitat_corner(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    s->bag[s->cursor.element]--;
    ds_place_element(s, s->cursor.element, action - DS_CORNER);
    ds_next_space(s, ctx);
}

/* ---- C-13 hibernation ---- */

void ds_step_hibernate_hex(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) { /* nothing eliminated yet */
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.hex = (uint8_t)(action - DS_HEX);
    ds_ask(s, DS_HIBERNATE_COUNT, s->actor);
}

void ds_step_hibernate_count(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned n = action - DS_COUNT, hex = s->cursor.hex;
    if (n > 0) {
        s->eliminated[s->actor] -= (uint8_t)n;
        ds_add_species(s, s->actor, hex, n);
        s->hibernating_animal = s->actor;
        s->hibernating_hex = (uint8_t)hex;
        s->hibernating_count = (uint8_t)n;
    }
    ds_next_space(s, ctx);
}

/* ---- C-16 immigrants ---- */

void ds_step_immigrants(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned animal = s->actor;
    if (action == DS_LOSE_PAWN)
        s->pawns[animal]--;
    else if (action == DS_LOSE_SPECIES)
        DS_FOR_EACH(h, s->presence[animal])
            ds_eliminate(s, ctx, animal, (unsigned)h, s->tiles[h].species[animal] - 1u);
    else
        ds_lose_element(s, animal, action - DS_ELEMENT);
    ask_animals(s, ctx, ds_without_first(s->cursor.targets), DS_IMMIGRANTS_LOSS);
}

/* ---- C-17 instinct; C-18 intelligence, C-23 omnivore, C-24 parasitism ---- */

void ds_step_instinct(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS)
        ds_place_pawn(s, ctx, s->actor, action - DS_PLACE);
    ds_next_space(s, ctx);
}

static void gain_pawns(ds_state_t *s, const ds_context_t *ctx, uint64_t animals)
{
    DS_FOR_EACH(a, animals & ctx->rules->animals)
        s->pawns[a]++;
}

/* ---- C-19 mass_exodus ---- */

/* The next animal, from one on, leaves the tile; where there is but one way to go, all take it. */
static void ask_exodus(ds_state_t *s, const ds_context_t *ctx, unsigned from)
{
    unsigned hex = s->cursor.hex;
    ds_hexes_t ways = ds_neighbors(s, hex);
    DS_FOR_EACH(a, ds_animals_on(s, hex) & ds_at_least(from)) {
        if (ds_without_first(ways)) {
            s->cursor.animal = (uint8_t)a;
            s->cursor.targets = ways;
            ds_ask(s, DS_EXODUS_COUNT, s->actor);
            return;
        }
        ds_move_species(s, (unsigned)a, hex, ds_first(ways), s->tiles[hex].species[a]);
    }
    ds_next_space(s, ctx);
}

void ds_step_exodus_hex(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) { /* no species on earth */
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.hex = (uint8_t)(action - DS_HEX);
    ask_exodus(s, ctx, 0);
}

void ds_step_exodus_count(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned n = action - DS_COUNT, animal = s->cursor.animal, hex = s->cursor.hex;
    ds_move_species(s, animal, hex, ds_first(s->cursor.targets), n);
    if (n == DS_COUNT_MOST) /* P-3 */
        return;
    s->cursor.targets = ds_without_first(s->cursor.targets);
    if (ds_without_first(s->cursor.targets))
        return;
    ds_move_species(s, animal, hex, ds_first(s->cursor.targets), s->tiles[hex].species[animal]);
    ask_exodus(s, ctx, animal + 1);
}

/* ---- C-20 metamorphosis ---- */

void ds_step_metamorphosis_give(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) { /* empty bag, or fixed elements only */
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.element = (uint8_t)(action - DS_ELEMENT);
    ds_ask(s, DS_METAMORPHOSIS_TAKE, s->actor);
}

void ds_step_metamorphosis_take(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned type = action - DS_ELEMENT;
    ds_lose_element(s, s->actor, s->cursor.element);
    s->bag[type]--;
    s->held[type][s->actor]++;
    ds_next_space(s, ctx);
}

/* ---- C-21 niche_biomes ---- */

static void niche_biomes(ds_state_t *s, const ds_context_t *ctx, unsigned taker, unsigned scored)
{
    unsigned value = ctx->rules->tile_values[ds_terrain(s, scored)][0]; /* R-CAR-5 */
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        if (s->vp[a] > s->vp[taker])
            ds_lose_vp(s, ctx, a, value);
}

/* ---- C-26 symbiotic ---- */

/* Asks chance for the next element of the animals in cursor.targets; cursor.animal draws now. */
static void ask_symbiotic(ds_state_t *s, const ds_context_t *ctx)
{
    ds_lanes_t held = ds_elements_held(s);
    while (s->cursor.targets && ds_lanes(s->bag)) {
        unsigned animal = ds_has(s->cursor.targets, s->cursor.animal) ? s->cursor.animal : ds_first(s->cursor.targets);
        s->cursor.animal = (uint8_t)animal;
        s->cursor.targets &= ~ds_bit(animal);
        if ((held >> 8 * animal & 0xff) < DS_ANIMAL_ELEMENTS_MOST) {
            ds_ask(s, DS_DRAW_ELEMENT, DS_CHANCE);
            return;
        }
    }
    ds_next_space(s, ctx);
}

static void symbiotic(ds_state_t *s, const ds_context_t *ctx, unsigned taker)
{
    ds_lanes_t held = ds_elements_held(s);
    unsigned own = held >> 8 * taker & 0xff;
    s->cursor.animal = (uint8_t)taker;
    s->cursor.targets = ds_bit(taker) | (ctx->rules->animals & ~more_than(held, own - 1, ctx->rules->animals));
    ask_symbiotic(s, ctx);
}

void ds_symbiotic_draw(ds_state_t *s, const ds_context_t *ctx, unsigned element)
{
    s->held[element][s->cursor.animal]++;
    ask_symbiotic(s, ctx);
}

/* ---- taking a card (R-DMN-2) ---- */

void ds_step_take_card(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned taker = s->actor, card = action - DS_CARD, scored = s->cursor.hex;
    if (action == DS_PASS) { /* none face up */
        ds_next_space(s, ctx);
        return;
    }
    s->face_up &= ~(1u << card);
    s->taken |= 1u << card;
    s->cursor.card = (uint8_t)card;
    s->cursor.hex = DS_NONE;
    if (ctx->tally)
        ctx->tally->card_taker[card] = (uint8_t)taker;
    switch (card) {
    case DS_AQUATIC: ds_ask(s, DS_AQUATIC_HEX, taker); return;
    case DS_BIODIVERSITY: biodiversity(s, ctx, taker); break;
    case DS_BIOMASS: ask_each(s, ctx, crowded_tiles(s), DS_BIOMASS_VICTIM, taker); return;
    case DS_BLIGHT: ds_ask(s, DS_BLIGHT_HEX, taker); return;
    case DS_CATASTROPHE: ds_ask(s, DS_CATASTROPHE_HEX, taker); return;
    case DS_COLD_SNAP: cold_snap(s, ctx, taker); break;
    case DS_DISEASE: disease(s, ctx, taker); return;
    case DS_ECODIVERSITY: ecodiversity(s, ctx, taker); break;
    case DS_EVOLUTION: evolution(s, taker); return;
    case DS_FECUNDITY: ask_each(s, ctx, s->presence[taker], DS_FECUNDITY_COUNT, taker); return;
    case DS_FERTILE: ds_ask(s, DS_FERTILE_HEX, taker); return;
    case DS_HABITAT: ds_ask(s, DS_HABITAT_ELEMENT, taker); return;
    case DS_HIBERNATION: ds_ask(s, DS_HIBERNATE_HEX, taker); return;
    case DS_ICE_AGE: ds_score_dominance(s, ctx); break;
    case DS_ICE_SHEET: ds_ask(s, DS_GLACIATE, taker); return;
    case DS_IMMIGRANTS: ask_animals(s, ctx, ctx->rules->animals, DS_IMMIGRANTS_LOSS); return;
    case DS_INSTINCT: ds_ask(s, DS_INSTINCT_PLACE, taker); return;
    case DS_INTELLIGENCE: gain_pawns(s, ctx, ds_bit(taker + 1) - 1); break;
    case DS_MASS_EXODUS: ds_ask(s, DS_EXODUS_HEX, taker); return;
    case DS_METAMORPHOSIS: ds_ask(s, DS_METAMORPHOSIS_GIVE, taker); return;
    case DS_NICHE_BIOMES: niche_biomes(s, ctx, taker, scored); break;
    case DS_NOCTURNAL: ds_swap_initiative(s, taker); break;
    case DS_OMNIVORE: gain_pawns(s, ctx, ds_bit(taker)); break;
    case DS_PARASITISM: gain_pawns(s, ctx, ds_at_least(taker)); break;
    case DS_PREDATOR:
        ask_each(s, ctx, s->presence[taker] & ds_opposing(s, taker), DS_PREDATOR_VICTIM, taker);
        return;
    case DS_SYMBIOTIC: symbiotic(s, ctx, taker); return;
    default: break;
    }
    ds_next_space(s, ctx);
}
