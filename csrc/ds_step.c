/* One step of the game: carry out an action at the node at hand. */
#include "ds_flow.h"

static ds_step_fn *const STEPS[DS_NODES] = {
    [DS_REVEAL_CARD] = ds_step_reveal_card,
    [DS_REVEAL_TILE] = ds_step_reveal_tile,
    [DS_DRAW_ELEMENT] = ds_step_draw_element,
    [DS_PLACE_PAWN] = ds_step_place,
    [DS_INITIATIVE] = ds_step_initiative,
    [DS_ADAPT] = ds_step_adapt,
    [DS_REGRESS] = ds_step_regress,
    [DS_ABUNDANCE_ELEMENT] = ds_step_abundance_element,
    [DS_ABUNDANCE_CORNER] = ds_step_abundance_corner,
    [DS_WASTELAND] = ds_step_wasteland,
    [DS_DEPLETE] = ds_step_deplete,
    [DS_GLACIATE] = ds_step_glaciate,
    [DS_SPECIATE_CORNER] = ds_step_speciate_corner,
    [DS_SPECIATE_COUNT] = ds_step_speciate_count,
    [DS_SPECIATE_FREE] = ds_step_speciate_free,
    [DS_WANDER_STACK] = ds_step_wander_stack,
    [DS_WANDER_HEX] = ds_step_wander_hex,
    [DS_WANDER_ELEMENT] = ds_step_wander_element,
    [DS_WANDER_CORNER] = ds_step_wander_corner,
    [DS_WANDER_MOVE] = ds_step_wander_move,
    [DS_MIGRATE_FROM] = ds_step_migrate_from,
    [DS_MIGRATE_TO] = ds_step_migrate_to,
    [DS_MIGRATE_COUNT] = ds_step_migrate_count,
    [DS_COMPETE_TILE] = ds_step_compete_tile,
    [DS_COMPETE_VICTIM] = ds_step_compete_victim,
    [DS_DOMINATE] = ds_step_dominate,
    [DS_CLAIM] = ds_step_claim,
    [DS_TAKE_CARD] = ds_step_take_card,
    [DS_SAVE] = ds_step_save,
    [DS_AQUATIC_HEX] = ds_step_aquatic_hex,
    [DS_AQUATIC_ELEMENT] = ds_step_aquatic_element,
    [DS_AQUATIC_CORNER] = ds_step_aquatic_corner,
    [DS_AQUATIC_COUNT] = ds_step_aquatic_count,
    [DS_BIOMASS_VICTIM] = ds_step_biomass_victim,
    [DS_BLIGHT_HEX] = ds_step_blight_hex,
    [DS_BLIGHT_KEEP] = ds_step_blight_keep,
    [DS_CATASTROPHE_HEX] = ds_step_catastrophe_hex,
    [DS_CATASTROPHE_KEEP] = ds_step_catastrophe_keep,
    [DS_CATASTROPHE_VICTIM] = ds_step_catastrophe_victim,
    [DS_DISEASE_ELEMENT] = ds_step_disease,
    [DS_EVOLUTION_ANIMAL] = ds_step_evolution_animal,
    [DS_EVOLUTION_HEX] = ds_step_evolution_hex,
    [DS_FECUNDITY_COUNT] = ds_step_fecundity,
    [DS_FERTILE_HEX] = ds_step_fertile,
    [DS_HABITAT_ELEMENT] = ds_step_habitat_element,
    [DS_HABITAT_CORNER] = ds_step_habitat_corner,
    [DS_HIBERNATE_HEX] = ds_step_hibernate_hex,
    [DS_HIBERNATE_COUNT] = ds_step_hibernate_count,
    [DS_IMMIGRANTS_LOSS] = ds_step_immigrants,
    [DS_INSTINCT_PLACE] = ds_step_instinct,
    [DS_EXODUS_HEX] = ds_step_exodus_hex,
    [DS_EXODUS_COUNT] = ds_step_exodus_count,
    [DS_METAMORPHOSIS_GIVE] = ds_step_metamorphosis_give,
    [DS_METAMORPHOSIS_TAKE] = ds_step_metamorphosis_take,
    [DS_PREDATOR_VICTIM] = ds_step_predator_victim,
};

void ds_step(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    STEPS[s->node](s, ctx, action);
    if (ctx->rules->declared)
        ds_settle_cones(s, ctx->rules);
}

unsigned ds_chance_weights(const ds_state_t *s, const ds_rules_t *rules, uint8_t weights[DS_CARDS], unsigned *base)
{
    memset(weights, 0, DS_CARDS);
    if (s->node == DS_REVEAL_CARD) {
        uint32_t cards = ds_unseen_cards(s, rules);
        *base = DS_CARD;
        DS_FOR_EACH(c, cards)
            weights[c] = 1;
        return ds_count(cards);
    }
    *base = s->node == DS_REVEAL_TILE ? DS_TERRAIN : DS_ELEMENT;
    memcpy(weights, s->node == DS_REVEAL_TILE ? s->unseen_tiles : s->bag, 8);
    return ds_lanes_sum(ds_lanes(weights));
}

unsigned ds_sample(ds_state_t *s, const ds_rules_t *rules)
{
    if (s->node == DS_REVEAL_CARD) {
        uint32_t cards = ds_unseen_cards(s, rules);
        return DS_CARD + ds_select(cards, ds_rng_below(&s->rng, ds_count(cards)));
    }
    bool tile = s->node == DS_REVEAL_TILE;
    ds_lanes_t lanes = ds_lanes(tile ? s->unseen_tiles : s->bag);
    return (tile ? DS_TERRAIN : DS_ELEMENT) + ds_lanes_pick(lanes, ds_rng_below(&s->rng, ds_lanes_sum(lanes)));
}

void ds_pass_chance(ds_state_t *s, const ds_context_t *ctx)
{
    while (ds_is_chance(s->node))
        ds_step(s, ctx, ds_sample(s, ctx->rules));
}
