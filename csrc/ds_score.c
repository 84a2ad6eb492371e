/* VPs: tiles, survival, dominance (rules.md sections 4 to 6). */
#include "ds_earth.h"

void ds_lose_vp(ds_state_t *s, const ds_context_t *ctx, unsigned animal, unsigned n)
{
    int32_t loss = (int32_t)n < s->vp[animal] ? (int32_t)n : s->vp[animal];
    s->vp[animal] -= loss;
    if (ctx->tally)
        ctx->tally->vp[animal][DS_LOST] -= loss;
}

void ds_score_tile(ds_state_t *s, const ds_context_t *ctx, unsigned hex, unsigned source)
{
    const uint8_t *values = ctx->rules->tile_values[ds_terrain(s, hex)];
    const uint8_t *species = s->tiles[hex].species;
    unsigned unranked = ds_animals_on(s, hex);
    for (unsigned rank = 0; unranked; rank++) {
        unsigned first = ds_first(unranked); /* ties: the higher in the food chain */
        DS_FOR_EACH(a, ds_without_first(unranked))
            first = species[a] > species[first] ? (unsigned)a : first;
        ds_score(s, ctx, first, values[rank], source);
        unranked &= ~(1u << first);
    }
}

void ds_score_survival(ds_state_t *s, const ds_context_t *ctx)
{
    unsigned most = 0, survivor = DS_NONE;
    for (unsigned a = 0; a < DS_ANIMALS; a++) {
        unsigned n = 0;
        DS_FOR_EACH(h, s->presence[a] & s->tundra)
            n += s->tiles[h].species[a];
        if (n > most) {
            most = n;
            survivor = a;
        } else if (n == most)
            survivor = DS_NONE;
    }
    if (survivor != DS_NONE)
        ds_score(s, ctx, survivor, ds_bonus(ctx->rules, ds_count(s->presence[survivor] & s->tundra)), DS_FROM_SURVIVAL);
}

void ds_score_dominance(ds_state_t *s, const ds_context_t *ctx)
{
    unsigned tiles[DS_ANIMALS] = {0};
    DS_FOR_EACH(h, ds_inhabited(s)) {
        unsigned animal = ds_dominant(s, ctx->rules, (unsigned)h);
        if (animal != DS_NONE)
            tiles[animal]++;
    }
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        ds_score(s, ctx, a, ds_bonus(ctx->rules, tiles[a]), DS_FROM_ICE_AGE);
}
