/* Inside the engine: how one node leads to the next. A step function carries out the action chosen at its node and asks
 * the next question; ds_next_space ends an action. Whether a question has an answer is not decided here: move
 * generation finds out, and the driver goes on with DS_PASS where there is none. */
#ifndef DS_FLOW_H
#define DS_FLOW_H

#include "ds_earth.h"

typedef void ds_step_fn(ds_state_t *s, const ds_context_t *ctx, unsigned action);

static inline void ds_ask(ds_state_t *s, unsigned node, unsigned actor)
{
    s->node = (uint8_t)node;
    s->actor = (uint8_t)actor;
}

/* Forgets all of a compound action, once it is done. */
static inline void ds_clear_action(ds_cursor_t *c)
{
    c->targets = 0;
    c->card = c->hex = c->target = DS_NONE;
    c->element = c->animal = c->left = c->stack = 0;
    memset(c->moved, 0, sizeof c->moved);
}

/* A pawn of the animal goes from its available APs to a space (R-PLA-1, R-INI-1, C-17). */
static inline void ds_place_pawn(ds_state_t *s, const ds_context_t *ctx, unsigned animal, unsigned space)
{
    s->pawns[animal]--;
    s->owner[space] = (uint8_t)animal;
    s->spaces |= ds_bit(space);
    if (ctx->tally)
        ctx->tally->placed[animal][space]++;
}

/* Swaps the initiative marker with the one directly to its left (R-INI-1, C-22). */
void ds_swap_initiative(ds_state_t *s, unsigned animal);
void ds_next_space(ds_state_t *s, const ds_context_t *ctx);
void ds_begin_reveals(ds_state_t *s, const ds_context_t *ctx);
void ds_ask_competition(ds_state_t *s, const ds_context_t *ctx, unsigned animal);

/* Species of a migration's source that have not moved yet. */
unsigned ds_unmoved(const ds_state_t *s, unsigned animal, unsigned hex);
/* Migration targets from a source, after those chosen before. */
ds_hexes_t ds_migration_targets(const ds_state_t *s, const ds_rules_t *rules, unsigned animal, unsigned hex);
/* The tiles on which the terrain now at hand of a competition allows an attack. */
ds_hexes_t ds_competition_tiles(const ds_state_t *s);
/* Unseen cards that may be revealed now (Ice Age only when no other is left). */
uint32_t ds_unseen_cards(const ds_state_t *s, const ds_rules_t *rules);

/* Step functions, by node. */
#define DS_STEP(name) ds_step_fn ds_step_##name
DS_STEP(reveal_card); DS_STEP(reveal_tile); DS_STEP(draw_element); DS_STEP(place); DS_STEP(save);      /* ds_turn.c */
DS_STEP(initiative); DS_STEP(adapt); DS_STEP(regress); DS_STEP(abundance_element);                      /* ds_actions.c */
DS_STEP(abundance_corner); DS_STEP(wasteland); DS_STEP(deplete); DS_STEP(glaciate); DS_STEP(speciate_corner);
DS_STEP(speciate_count); DS_STEP(speciate_free); DS_STEP(wander_stack); DS_STEP(wander_hex);
DS_STEP(wander_element); DS_STEP(wander_corner); DS_STEP(wander_move); DS_STEP(migrate_from);
DS_STEP(migrate_to); DS_STEP(migrate_count); DS_STEP(compete_tile); DS_STEP(compete_victim);
DS_STEP(dominate); DS_STEP(claim);
DS_STEP(take_card); DS_STEP(aquatic_hex); DS_STEP(aquatic_element); DS_STEP(aquatic_corner);            /* ds_cards.c */
DS_STEP(aquatic_count); DS_STEP(biomass_victim); DS_STEP(blight_hex); DS_STEP(blight_keep);
DS_STEP(catastrophe_hex); DS_STEP(catastrophe_keep); DS_STEP(catastrophe_victim); DS_STEP(disease);
DS_STEP(evolution_animal); DS_STEP(evolution_hex); DS_STEP(fecundity); DS_STEP(fertile);
DS_STEP(habitat_element); DS_STEP(habitat_corner); DS_STEP(hibernate_hex); DS_STEP(hibernate_count);
DS_STEP(immigrants); DS_STEP(instinct); DS_STEP(exodus_hex); DS_STEP(exodus_count);
DS_STEP(metamorphosis_give); DS_STEP(metamorphosis_take); DS_STEP(predator_victim);
void ds_symbiotic_draw(ds_state_t *s, const ds_context_t *ctx, unsigned element); /* ds_cards.c */

#endif
