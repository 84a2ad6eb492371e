/* What lies on the earth: moving species and elements about, matches and dominance. Every change of tiles, elements or
 * species goes through here, so that the cached sets stay right. */
#ifndef DS_EARTH_H
#define DS_EARTH_H

#include "ds_state.h"

/* ---- questions ---- */

/* Species on a hex, lane a for animal a. */
static inline ds_lanes_t ds_species(const ds_state_t *s, unsigned hex)
{
    ds_lanes_t lanes;
    memcpy(&lanes, &s->tiles[hex], sizeof lanes);
    return lanes & UINT64_C(0x0000ffffffffffff);
}

/* Animals with species on a hex, as bits. */
static inline unsigned ds_animals_on(const ds_state_t *s, unsigned hex) { return ds_lanes_nonzero(ds_species(s, hex)); }

static inline ds_hexes_t ds_inhabited(const ds_state_t *s)
{
    const uint64_t *p = s->presence;
    return p[0] | p[1] | p[2] | p[3] | p[4] | p[5];
}

/* Hexes with species of any animal but this one. */
static inline ds_hexes_t ds_opposing(const ds_state_t *s, unsigned animal)
{
    ds_hexes_t set = 0;
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        set |= a == animal ? 0 : s->presence[a];
    return set;
}

static inline ds_hexes_t ds_neighbors(const ds_state_t *s, unsigned hex) { return DS_HEX_NEIGHBORS[hex] & s->earth; }

/* Terrain as far as scoring and speciation limits go: DS_TUNDRA for a tundra tile. */
static inline unsigned ds_terrain(const ds_state_t *s, unsigned hex)
{
    return ds_has(s->tundra, hex) ? DS_TUNDRA : s->tiles[hex].terrain;
}

static inline ds_corners_t ds_occupied_corners(const ds_state_t *s)
{
    ds_corners_t set = s->elements[0];
    for (unsigned e = 1; e < DS_ELEMENTS; e++)
        set = ds_corners_or(set, s->elements[e]);
    return set;
}

/* Corners with an element of one of these types. */
static inline ds_corners_t ds_corners_of_types(const ds_state_t *s, unsigned types)
{
    ds_corners_t set = {{0, 0}};
    DS_FOR_EACH(e, types)
        set = ds_corners_or(set, s->elements[e]);
    return set;
}

static inline ds_corners_t ds_vacant_corners(const ds_state_t *s)
{
    return ds_corners_minus(s->shore, ds_occupied_corners(s));
}

static inline ds_corners_t ds_vacant_corners_of(const ds_state_t *s, unsigned hex)
{
    return ds_corners_minus(DS_HEX_CORNERS[hex], ds_occupied_corners(s));
}

/* Elements each animal holds, of all types together, by lane. */
static inline ds_lanes_t ds_elements_held(const ds_state_t *s)
{
    ds_lanes_t sum = 0;
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        sum += ds_lanes(s->held[e]);
    return sum;
}

/* Elements of a type on an animal beyond its fixed ones (R-SET-2: of its own type only). */
static inline unsigned ds_loose(const ds_state_t *s, const ds_rules_t *rules, unsigned animal, unsigned type)
{
    return s->held[type][animal] - (type == animal ? rules->fixed[animal] : 0u);
}

/* Types of which an animal holds more than its fixed elements, as bits. */
static inline unsigned ds_loose_types(const ds_state_t *s, const ds_rules_t *rules, unsigned animal)
{
    unsigned types = 0;
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        types |= (unsigned)(ds_loose(s, rules, animal, e) > 0) << e;
    return types;
}

static inline unsigned ds_elements_on(const ds_state_t *s, unsigned hex)
{
    return ds_corners_count(ds_corners_and(DS_HEX_CORNERS[hex], ds_occupied_corners(s)));
}

/* R-DOM-1: the match of every animal on a hex, by lane, at most 36. */
static inline ds_lanes_t ds_matches(const ds_state_t *s, unsigned hex)
{
    ds_lanes_t sum = 0;
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        sum += ds_lanes(s->held[e]) * ds_corners_count(ds_corners_and(DS_HEX_CORNERS[hex], s->elements[e]));
    return sum;
}

ds_hexes_t ds_tiles_with_two_elements(const ds_state_t *s);
/* R-DOM-3: the animal that deserves dominance of the hex, or DS_NONE. */
unsigned ds_deserves(const ds_state_t *s, unsigned hex);
/* R-DOM-4: the animal that dominates the hex, or DS_NONE. */
unsigned ds_dominant(const ds_state_t *s, const ds_rules_t *rules, unsigned hex);
/* Hexes an animal may claim (declared claims): deserved, and its cone not there. */
ds_hexes_t ds_claimable(const ds_state_t *s, unsigned animal);
/* R-DOM-2 without hibernation: hexes where the animal has species that Extinction would take, C-13. */
ds_hexes_t ds_doomed(const ds_state_t *s, unsigned animal);
/* R-GLA-2: tiles that can be glaciated; empty if no tundra tile is left. */
ds_hexes_t ds_glaciable(const ds_state_t *s);
/* R-WAN-1: empty hexes adjacent to a tile. */
ds_hexes_t ds_frontier(const ds_state_t *s);
/* R-MIG-1, R-MIG-2: tiles an animal's species can move to from a hex. */
ds_hexes_t ds_reach(const ds_state_t *s, const ds_rules_t *rules, unsigned animal, unsigned hex);
/* C-1: sea and wetland tiles to choose from; *element tells whether an element is to be placed. */
ds_hexes_t ds_aquatic_hexes(const ds_state_t *s, bool *element);

/* ---- changes ---- */

static inline void ds_add_tile(ds_state_t *s, unsigned hex, unsigned terrain)
{
    s->tiles[hex].terrain = (uint8_t)terrain;
    s->earth |= ds_bit(hex);
    s->terrain[terrain] |= ds_bit(hex);
    s->shore = ds_corners_or(s->shore, DS_HEX_CORNERS[hex]);
}

static inline void ds_add_species(ds_state_t *s, unsigned animal, unsigned hex, unsigned n)
{
    s->tiles[hex].species[animal] += (uint8_t)n;
    s->presence[animal] |= (uint64_t)(n > 0) << hex;
}

/* R-CAR-3: hibernating species are the last to leave. */
static inline void ds_take_species(ds_state_t *s, unsigned animal, unsigned hex, unsigned n)
{
    unsigned rest = s->tiles[hex].species[animal] -= (uint8_t)n;
    s->presence[animal] &= ~((uint64_t)(rest == 0) << hex);
    if (s->hibernating_count > rest && s->hibernating_hex == hex && s->hibernating_animal == animal) {
        s->hibernating_count = (uint8_t)rest;
        if (rest == 0)
            s->hibernating_animal = s->hibernating_hex = 0;
    }
}

static inline void ds_move_species(ds_state_t *s, unsigned animal, unsigned from, unsigned to, unsigned n)
{
    ds_take_species(s, animal, from, n);
    ds_add_species(s, animal, to, n);
}

/* New species from the gene pool. */
static inline void ds_breed(ds_state_t *s, unsigned animal, unsigned hex, unsigned n)
{
    s->gene_pool[animal] -= (uint8_t)n;
    ds_add_species(s, animal, hex, n);
}

/* R-COM-3: off the earth for good. */
static inline void ds_eliminate(ds_state_t *s, const ds_context_t *ctx, unsigned animal, unsigned hex, unsigned n)
{
    ds_take_species(s, animal, hex, n);
    s->eliminated[animal] += (uint8_t)n;
    if (ctx->tally)
        ctx->tally->eliminated[animal] += (uint16_t)n;
}

static inline void ds_place_element(ds_state_t *s, unsigned type, unsigned corner)
{
    ds_corners_add(&s->elements[type], corner);
}

/* The element on a corner goes to the bag. */
static inline void ds_remove_element(ds_state_t *s, unsigned corner)
{
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        if (ds_corners_has(s->elements[e], corner)) {
            ds_corners_remove(&s->elements[e], corner);
            s->bag[e]++;
        }
}

static inline void ds_remove_elements(ds_state_t *s, ds_corners_t corners)
{
    for (unsigned e = 0; e < DS_ELEMENTS; e++) {
        ds_corners_t gone = ds_corners_and(s->elements[e], corners);
        s->bag[e] += (uint8_t)ds_corners_count(gone);
        s->elements[e] = ds_corners_minus(s->elements[e], gone);
    }
}

static inline void ds_lose_element(ds_state_t *s, unsigned animal, unsigned type)
{
    s->held[type][animal]--;
    s->bag[type]++;
}

/* R-GLA-2 to R-GLA-5, with the VPs. */
void ds_glaciate(ds_state_t *s, const ds_context_t *ctx, unsigned animal, unsigned hex);
/* Declared claims: cones no longer deserved fall. */
void ds_settle_cones(ds_state_t *s, const ds_rules_t *rules);

/* ---- VPs (ds_score.c) ---- */

static inline unsigned ds_bonus(const ds_rules_t *rules, unsigned n) { return rules->bonus_vp[n]; } /* R-VP-1 */

static inline void ds_score(ds_state_t *s, const ds_context_t *ctx, unsigned animal, unsigned n, unsigned source)
{
    s->vp[animal] += (int32_t)n;
    if (ctx->tally)
        ctx->tally->vp[animal][source] += (int32_t)n;
}

void ds_lose_vp(ds_state_t *s, const ds_context_t *ctx, unsigned animal, unsigned n); /* R-VP-2 */
void ds_score_tile(ds_state_t *s, const ds_context_t *ctx, unsigned hex, unsigned source); /* R-DMN-1 */
void ds_score_survival(ds_state_t *s, const ds_context_t *ctx);                           /* R-RES-2 */
void ds_score_dominance(ds_state_t *s, const ds_context_t *ctx);                          /* C-14 */

#endif
