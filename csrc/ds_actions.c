/* What the pawns on the action display do (rules.md section 4). */
#include "ds_flow.h"

/* ---- Initiative ---- */

void ds_step_initiative(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS) { /* R-INI-1 */
        ds_swap_initiative(s, s->actor);
        ds_place_pawn(s, ctx, s->actor, action - DS_PLACE);
    }
    ds_next_space(s, ctx);
}

/* ---- Adaptation, Regression ---- */

void ds_step_adapt(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS) { /* R-ADA-1 */
        s->boxes[DS_BOX_ADAPTATION][action - DS_ELEMENT]--;
        s->held[action - DS_ELEMENT][s->actor]++;
    }
    ds_next_space(s, ctx);
}

void ds_step_regress(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS) /* R-REG-1 */
        s->cursor.protects[s->actor] |= (uint8_t)(1u << (action - DS_ELEMENT));
    ds_next_space(s, ctx);
}

/* ---- Abundance, Wasteland, Depletion ---- */

void ds_step_abundance_element(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.element = (uint8_t)(action - DS_ELEMENT);
    ds_ask(s, DS_ABUNDANCE_CORNER, s->actor);
}

void ds_step_abundance_corner(ds_state_t *s, const ds_context_t *ctx, unsigned action) /* R-ABU-1 */
{
    s->boxes[DS_BOX_ABUNDANCE][s->cursor.element]--;
    ds_place_element(s, s->cursor.element, action - DS_CORNER);
    ds_next_space(s, ctx);
}

void ds_step_wasteland(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS) { /* R-WAS-1 */
        s->boxes[DS_BOX_WASTELAND][action - DS_ELEMENT]--;
        s->bag[action - DS_ELEMENT]++;
    }
    ds_next_space(s, ctx);
}

void ds_step_deplete(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS) /* R-DEP-1 */
        ds_remove_element(s, action - DS_CORNER);
    ds_next_space(s, ctx);
}

/* ---- Glaciation, also Ice Sheet (C-15) ---- */

void ds_step_glaciate(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action != DS_PASS)
        ds_glaciate(s, ctx, s->actor, action - DS_HEX);
    ds_next_space(s, ctx);
}

/* ---- Speciation ---- */

void ds_step_speciate_corner(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.element = 0;
    s->cursor.targets = DS_CORNER_HEXES[action - DS_CORNER] & s->earth;
    ds_ask(s, DS_SPECIATE_COUNT, s->actor);
}

void ds_step_speciate_count(ds_state_t *s, const ds_context_t *ctx, unsigned action) /* R-SPE-1 */
{
    ds_breed(s, s->actor, ds_first(s->cursor.targets), action - DS_COUNT);
    s->cursor.targets = ds_without_first(s->cursor.targets);
    if (!s->cursor.targets)
        ds_next_space(s, ctx);
}

void ds_step_speciate_free(ds_state_t *s, const ds_context_t *ctx, unsigned action) /* R-SPE-2 */
{
    if (action != DS_PASS)
        ds_breed(s, DS_INSECT, action - DS_HEX, 1);
    ds_next_space(s, ctx);
}

/* ---- Wanderlust ---- */

/* R-WAN-4: asks the next animal, from one on, that has species next to the new tile. */
static void ask_wander_move(ds_state_t *s, const ds_context_t *ctx, unsigned from)
{
    ds_hexes_t near = ds_neighbors(s, s->cursor.hex);
    for (unsigned a = from; a < DS_ANIMALS; a++)
        if (near & s->presence[a]) {
            s->cursor.targets = near & s->presence[a];
            ds_ask(s, DS_WANDER_MOVE, a);
            return;
        }
    ds_next_space(s, ctx);
}

void ds_step_wander_stack(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ds_next_space(s, ctx);
        return;
    }
    s->cursor.stack = (uint8_t)(action - DS_STACK);
    ds_ask(s, DS_WANDER_HEX, s->actor);
}

void ds_step_wander_hex(ds_state_t *s, const ds_context_t *ctx, unsigned action) /* R-WAN-1, R-WAN-2 */
{
    unsigned hex = action - DS_HEX;
    ds_add_tile(s, hex, s->stack_face_up[s->cursor.stack]);
    s->stack_face_up[s->cursor.stack] = DS_NONE;
    s->cursor.stack = 0;
    s->cursor.hex = (uint8_t)hex;
    ds_score(s, ctx, s->actor, ds_bonus(ctx->rules, ds_count(ds_neighbors(s, hex))), DS_FROM_WANDERLUST);
    ds_ask(s, DS_WANDER_ELEMENT, s->actor);
}

void ds_step_wander_element(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ask_wander_move(s, ctx, 0);
        return;
    }
    s->cursor.element = (uint8_t)(action - DS_ELEMENT);
    ds_ask(s, DS_WANDER_CORNER, s->actor);
}

void ds_step_wander_corner(ds_state_t *s, const ds_context_t *ctx, unsigned action) /* R-WAN-3 */
{
    s->boxes[DS_BOX_WANDERLUST][s->cursor.element]--;
    ds_place_element(s, s->cursor.element, action - DS_CORNER);
    s->cursor.element = 0;
    ask_wander_move(s, ctx, 0);
}

void ds_step_wander_move(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned n = action - DS_COUNT;
    ds_move_species(s, s->actor, ds_first(s->cursor.targets), s->cursor.hex, n);
    if (n == DS_COUNT_MOST) /* P-3 */
        return;
    s->cursor.targets = ds_without_first(s->cursor.targets);
    if (!s->cursor.targets)
        ask_wander_move(s, ctx, s->actor + 1u);
}

/* ---- Migration ---- */

unsigned ds_unmoved(const ds_state_t *s, unsigned animal, unsigned hex)
{
    unsigned n = s->tiles[hex].species[animal];
    for (unsigned i = 0; i < DS_MIGRATION_MOST; i++)
        if (s->cursor.moved[i][0] == hex + 1)
            n -= s->cursor.moved[i][1];
    return n;
}

ds_hexes_t ds_migration_targets(const ds_state_t *s, const ds_rules_t *rules, unsigned animal, unsigned hex)
{
    ds_hexes_t reach = ds_reach(s, rules, animal, hex);
    return s->cursor.hex == hex && s->cursor.target != DS_NONE ? reach & ds_at_least(s->cursor.target + 1u) : reach;
}

void ds_step_migrate_from(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ds_next_space(s, ctx);
        return;
    }
    unsigned hex = action - DS_HEX;
    if (hex != s->cursor.hex)
        s->cursor.target = DS_NONE;
    s->cursor.hex = (uint8_t)hex;
    ds_ask(s, DS_MIGRATE_TO, s->actor);
}

void ds_step_migrate_to(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    (void)ctx;
    s->cursor.target = (uint8_t)(action - DS_HEX);
    ds_ask(s, DS_MIGRATE_COUNT, s->actor);
}

/* Keeps the hexes entered in ascending order, so that equal positions have equal bytes. */
static void note_moved(ds_cursor_t *c, unsigned hex, unsigned n)
{
    unsigned i = 0;
    while (c->moved[i][0] != 0 && c->moved[i][0] < hex + 1)
        i++;
    if (c->moved[i][0] != hex + 1) {
        memmove(c->moved[i + 1], c->moved[i], (DS_MIGRATION_MOST - 1 - i) * sizeof c->moved[0]);
        c->moved[i][0] = (uint8_t)(hex + 1);
        c->moved[i][1] = 0;
    }
    c->moved[i][1] += (uint8_t)n;
}

void ds_step_migrate_count(ds_state_t *s, const ds_context_t *ctx, unsigned action) /* R-MIG-1 */
{
    unsigned n = action - DS_COUNT;
    ds_move_species(s, s->actor, s->cursor.hex, s->cursor.target, n);
    s->cursor.left -= (uint8_t)n;
    if (s->cursor.left == 0) {
        ds_next_space(s, ctx);
        return;
    }
    note_moved(&s->cursor, s->cursor.target, n);
    ds_ask(s, DS_MIGRATE_FROM, s->actor);
}

/* ---- Competition ---- */

static const uint8_t COMPETITION_TERRAINS[7][3] = {
    {DS_JUNGLE, DS_WETLAND, DS_TUNDRA},  {DS_WETLAND, DS_DESERT, DS_TUNDRA},    {DS_DESERT, DS_FOREST, DS_TUNDRA},
    {DS_FOREST, DS_SAVANNAH, DS_TUNDRA}, {DS_SAVANNAH, DS_MOUNTAIN, DS_TUNDRA}, {DS_MOUNTAIN, DS_SEA, DS_TUNDRA},
    {DS_SEA, DS_JUNGLE, DS_TUNDRA},
};

ds_hexes_t ds_competition_tiles(const ds_state_t *s)
{
    ds_hexes_t tiles = s->presence[s->actor] & ds_opposing(s, s->actor);
    if (s->cursor.space <= DS_SPACE_COMPETITION)
        return tiles;
    unsigned terrain = COMPETITION_TERRAINS[s->cursor.space - 1 - DS_SPACE_COMPETITION][2 - s->cursor.left];
    return tiles & (terrain == DS_TUNDRA ? s->tundra : s->terrain[terrain] & ~s->tundra);
}

/* Asks about the terrain at hand or the next one with anything to attack; cursor.left counts the terrains after it. */
static void ask_terrain(ds_state_t *s, const ds_context_t *ctx)
{
    while (!ds_competition_tiles(s))
        if (s->cursor.left-- == 0) {
            ds_next_space(s, ctx);
            return;
        }
    ds_ask(s, DS_COMPETE_TILE, s->actor);
}

/* R-COM-1 (before the first space: any tile) and R-COM-2 (two terrains, then tundra). */
void ds_ask_competition(ds_state_t *s, const ds_context_t *ctx, unsigned animal)
{
    s->cursor.left = s->cursor.space > DS_SPACE_COMPETITION ? 2 : 0;
    s->actor = (uint8_t)animal;
    ask_terrain(s, ctx);
}

static void next_terrain(ds_state_t *s, const ds_context_t *ctx)
{
    s->cursor.hex = DS_NONE;
    if (s->cursor.left-- == 0)
        ds_next_space(s, ctx);
    else
        ask_terrain(s, ctx);
}

void ds_step_compete_tile(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        next_terrain(s, ctx);
        return;
    }
    s->cursor.hex = (uint8_t)(action - DS_HEX);
    ds_ask(s, DS_COMPETE_VICTIM, s->actor);
}

void ds_step_compete_victim(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    ds_eliminate(s, ctx, action - DS_ANIMAL, s->cursor.hex, 1);
    next_terrain(s, ctx);
}

/* ---- Domination ---- */

void ds_step_dominate(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ds_next_space(s, ctx);
        return;
    }
    unsigned hex = action - DS_HEX, dominant = ds_dominant(s, ctx->rules, hex);
    ds_score_tile(s, ctx, hex, DS_FROM_DOMINATION); /* R-DMN-1 */
    s->scored |= ds_bit(hex);
    s->cursor.hex = (uint8_t)hex;
    if (dominant != DS_NONE) /* R-DMN-2 */
        ds_ask(s, DS_TAKE_CARD, dominant);
    else if (ctx->rules->declared && (dominant = ds_deserves(s, hex)) != DS_NONE)
        ds_ask(s, DS_CLAIM, dominant);
    else
        ds_next_space(s, ctx);
}

void ds_step_claim(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action == DS_PASS) {
        ds_next_space(s, ctx);
        return;
    }
    s->tiles[s->cursor.hex].cone = s->actor;
    ds_ask(s, DS_TAKE_CARD, s->actor);
}
