#include "ds_flow.h"

enum { SETUP_STACK = 8, SETUP_SEAS = 6, SETUP_OTHERS = 3, SETUP_BAG = 18 }; /* R-SET-5 */

static void setup_earth(ds_state_t *s, const ds_rules_t *rules) /* R-SET-4 */
{
    for (unsigned h = 0; h < DS_HEXES; h++) {
        s->tiles[h].terrain = s->tiles[h].cone = DS_NONE;
        if (DS_SETUP_TERRAIN[h] != DS_NONE)
            ds_add_tile(s, h, DS_SETUP_TERRAIN[h]);
        DS_FOR_EACH(a, rules->animals)
            ds_add_species(s, (unsigned)a, h, DS_SETUP_SPECIES[h][a]);
    }
    s->tundra = DS_SETUP_TUNDRA;
    for (unsigned c = 0; c < DS_CORNERS; c++)
        if (DS_SETUP_ELEMENT[c] != DS_NONE)
            ds_place_element(s, DS_SETUP_ELEMENT[c], c);
}

static void setup_animals(ds_state_t *s, const ds_context_t *ctx) /* R-SET-2, R-SET-3, R-SET-6 */
{
    const ds_rules_t *rules = ctx->rules;
    unsigned position = rules->n_animals;
    memset(s->initiative, DS_NONE, sizeof s->initiative);
    DS_FOR_EACH(a, rules->animals) {
        s->initiative[--position] = (uint8_t)a;
        s->pawns[a] = rules->pawns[a];
        s->gene_pool[a] = rules->gene_pool[a];
        s->held[a][a] = rules->fixed[a];
        ds_score(s, ctx, (unsigned)a, rules->handicap[a], DS_FROM_HANDICAP);
    }
}

static void setup_supply(ds_state_t *s, const ds_rules_t *rules) /* R-SET-5 */
{
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        s->bag[e] = SETUP_BAG;
    for (unsigned t = 0; t < DS_TERRAINS; t++)
        s->unseen_tiles[t] = t == DS_SEA ? SETUP_SEAS : SETUP_OTHERS;
    memset(s->stack_face_up, DS_NONE, sizeof s->stack_face_up);
    memset(s->stack_left, SETUP_STACK, sizeof s->stack_left);
    s->tundra_left = rules->tundra_tiles;
}

void ds_setup(ds_state_t *s, const ds_context_t *ctx, ds_rng_t rng)
{
    memset(s, 0, sizeof *s);
    s->rng = rng;
    s->turn = 1;
    s->phase = DS_PLANNING;
    setup_earth(s, ctx->rules);
    setup_animals(s, ctx);
    setup_supply(s, ctx->rules);
    ds_clear_action(&s->cursor);
    ds_begin_reveals(s, ctx);
}

void ds_tally_clear(ds_tally_t *tally)
{
    memset(tally, 0, sizeof *tally);
    memset(tally->card_taker, DS_NONE, sizeof tally->card_taker);
}

/* The animal with the fewest VPs of a seat, the highest in the food chain among equals. */
static unsigned seat_animal(const ds_state_t *s, unsigned seat)
{
    unsigned lowest = ds_first(seat);
    DS_FOR_EACH(a, seat)
        lowest = s->vp[a] < s->vp[lowest] ? (unsigned)a : lowest;
    return lowest;
}

unsigned ds_winner(const ds_state_t *s, const ds_rules_t *rules)
{
    unsigned winner = seat_animal(s, rules->seats[0]);
    for (unsigned i = 1; i < rules->n_seats; i++) {
        unsigned animal = seat_animal(s, rules->seats[i]);
        if (s->vp[animal] > s->vp[winner] || (s->vp[animal] == s->vp[winner] && animal < winner))
            winner = animal;
    }
    return winner;
}
