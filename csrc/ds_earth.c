#include "ds_earth.h"

enum { DS_INNER = 3 }; /* hexes around a corner that is not on the rim */

ds_hexes_t ds_tiles_with_two_elements(const ds_state_t *s)
{
    ds_corners_t occupied = ds_occupied_corners(s);
    ds_hexes_t one = 0, two = 0;
    DS_FOR_EACH_CORNER(c, occupied) {
        two |= one & DS_CORNER_HEXES[c];
        one |= DS_CORNER_HEXES[c];
    }
    return two & s->earth;
}

unsigned ds_deserves(const ds_state_t *s, unsigned hex)
{
    ds_lanes_t matches = ds_matches(s, hex);
    unsigned best = 0, animal = DS_NONE;
    DS_FOR_EACH(a, ds_animals_on(s, hex)) {
        unsigned match = matches >> 8 * a & 0xff;
        if (match > best) {
            best = match;
            animal = (unsigned)a;
        } else if (match == best)
            animal = DS_NONE;
    }
    return animal;
}

unsigned ds_dominant(const ds_state_t *s, const ds_rules_t *rules, unsigned hex)
{
    return rules->declared ? s->tiles[hex].cone : ds_deserves(s, hex);
}

ds_hexes_t ds_claimable(const ds_state_t *s, unsigned animal)
{
    ds_hexes_t set = 0;
    DS_FOR_EACH(h, s->presence[animal])
        if (s->tiles[h].cone != animal && ds_deserves(s, (unsigned)h) == animal)
            set |= ds_bit((unsigned)h);
    return set;
}

ds_hexes_t ds_doomed(const ds_state_t *s, unsigned animal)
{
    ds_hexes_t set = 0;
    DS_FOR_EACH(h, s->presence[animal])
        if ((ds_matches(s, (unsigned)h) >> 8 * animal & 0xff) == 0)
            set |= ds_bit((unsigned)h);
    bool all_asleep = s->hibernating_count > 0 && s->hibernating_animal == animal &&
                      s->tiles[s->hibernating_hex].species[animal] == s->hibernating_count;
    return all_asleep ? set & ~ds_bit(s->hibernating_hex) : set;
}

ds_hexes_t ds_glaciable(const ds_state_t *s)
{
    ds_hexes_t near = 0;
    if (s->tundra_left > 0)
        DS_FOR_EACH(h, s->tundra)
            near |= DS_HEX_NEIGHBORS[h];
    return near & s->earth & ~s->tundra;
}

ds_hexes_t ds_frontier(const ds_state_t *s)
{
    ds_hexes_t near = 0;
    DS_FOR_EACH(h, s->earth)
        near |= DS_HEX_NEIGHBORS[h];
    return near & ~s->earth;
}

ds_hexes_t ds_reach(const ds_state_t *s, const ds_rules_t *rules, unsigned animal, unsigned hex)
{
    ds_hexes_t near = ds_neighbors(s, hex), reach = near;
    if (animal == DS_BIRD && ds_has_ability(rules, DS_BIRD))
        DS_FOR_EACH(h, near)
            reach |= ds_neighbors(s, (unsigned)h);
    return reach & ~ds_bit(hex);
}

ds_hexes_t ds_aquatic_hexes(const ds_state_t *s, bool *element)
{
    ds_hexes_t aquatic = (s->terrain[DS_SEA] | s->terrain[DS_WETLAND]) & ~s->tundra, vacant = 0;
    ds_corners_t occupied = ds_occupied_corners(s);
    if (ds_lanes(s->bag))
        DS_FOR_EACH(h, aquatic)
            vacant |= (uint64_t)ds_corners_any(ds_corners_minus(DS_HEX_CORNERS[h], occupied)) << h;
    *element = vacant != 0;
    return vacant ? vacant : aquatic;
}

void ds_glaciate(ds_state_t *s, const ds_context_t *ctx, unsigned animal, unsigned hex)
{
    s->tundra |= ds_bit(hex);
    s->tundra_left--;
    DS_FOR_EACH(a, ds_animals_on(s, hex)) { /* R-GLA-3 */
        unsigned surplus = s->tiles[hex].species[a] - 1u;
        ds_take_species(s, (unsigned)a, hex, surplus);
        s->gene_pool[a] += (uint8_t)surplus;
    }
    ds_corners_t frozen = {{0, 0}}, occupied = ds_occupied_corners(s);
    DS_FOR_EACH_CORNER(c, occupied) /* R-GLA-4 */
        if (ds_count(DS_CORNER_HEXES[c] & s->tundra) == DS_INNER)
            ds_corners_add(&frozen, (unsigned)c);
    ds_remove_elements(s, frozen);
    unsigned neighbors = ds_count(DS_HEX_NEIGHBORS[hex] & s->tundra);
    ds_score(s, ctx, animal, ds_bonus(ctx->rules, neighbors), DS_FROM_GLACIATION); /* R-GLA-5 */
}

void ds_settle_cones(ds_state_t *s, const ds_rules_t *rules)
{
    if (rules->declared)
        DS_FOR_EACH(h, s->earth)
            if (s->tiles[h].cone != DS_NONE && ds_deserves(s, (unsigned)h) != s->tiles[h].cone)
                s->tiles[h].cone = DS_NONE;
}
