/* A turn from Planning to Reset, and the reveals of the setup (rules.md sections 1, 3, 5). */
#include "ds_flow.h"

/* ---- Planning ---- */

/* R-PLA-1: asks the next animal with an available AP, from a position on the initiative track on; ends Planning when
 * nobody has one or no space is vacant. */
static void ask_place(ds_state_t *s, const ds_context_t *ctx, unsigned from)
{
    unsigned n = ctx->rules->n_animals;
    bool vacant = s->spaces != ds_bit(DS_SPACES) - 1;
    for (unsigned i = 0; vacant && i < n; i++) {
        unsigned position = from + i < n ? from + i : from + i - n;
        if (s->pawns[s->initiative[position]] > 0) {
            s->cursor.place = (uint8_t)position;
            ds_ask(s, DS_PLACE_PAWN, s->initiative[position]);
            return;
        }
    }
    s->phase = DS_EXECUTION;
    s->cursor.place = 0;
    ds_next_space(s, ctx);
}

void ds_step_place(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    if (action >= DS_HEX) { /* a claim; the same animal goes on */
        s->tiles[action - DS_HEX].cone = s->actor;
        return;
    }
    ds_place_pawn(s, ctx, s->actor, action - DS_PLACE);
    ask_place(s, ctx, s->cursor.place + 1u);
}

void ds_swap_initiative(ds_state_t *s, unsigned animal)
{
    for (unsigned i = 1; i < DS_ANIMALS; i++)
        if (s->initiative[i] == animal) {
            s->initiative[i] = s->initiative[i - 1];
            s->initiative[i - 1] = (uint8_t)animal;
            return;
        }
}

/* ---- Execution: the spaces in order, with what the engine does between them ---- */

static void regression_losses(ds_state_t *s, const ds_context_t *ctx) /* R-REG-2, R-REG-3 */
{
    ds_settle_cones(s, ctx->rules);
    DS_FOR_EACH(e, ds_lanes_nonzero(ds_lanes(s->boxes[DS_BOX_REGRESSION])))
        DS_FOR_EACH(a, ctx->rules->animals)
            if (!ds_has(s->cursor.protects[a], (unsigned)e) && ds_loose(s, ctx->rules, (unsigned)a, (unsigned)e) > 0)
                ds_lose_element(s, (unsigned)a, (unsigned)e);
    memset(s->cursor.protects, 0, sizeof s->cursor.protects);
    ds_settle_cones(s, ctx->rules);
}

static void wasteland_removal(ds_state_t *s, const ds_context_t *ctx) /* R-WAS-2 */
{
    ds_corners_t touched = {{0, 0}};
    ds_settle_cones(s, ctx->rules);
    DS_FOR_EACH(h, s->tundra)
        touched = ds_corners_or(touched, DS_HEX_CORNERS[h]);
    unsigned types = ds_lanes_nonzero(ds_lanes(s->boxes[DS_BOX_WASTELAND]));
    ds_remove_elements(s, ds_corners_and(touched, ds_corners_of_types(s, types)));
    ds_settle_cones(s, ctx->rules);
}

static void begin_reset(ds_state_t *s)
{
    s->phase = DS_RESET;
    s->cursor.space = s->cursor.stage = 0;
    ds_ask(s, DS_SAVE, DS_MAMMAL); /* R-RES-1 */
}

enum { REGRESSION_FREE, REGRESSION_LOSSES, WASTELAND_REMOVAL, SPECIATION_FREE, COMPETITION_FREE, RESET };
/* The first space that comes after each engine step. */
static const uint8_t STAGE_BEFORE[] = {DS_SPACE_ABUNDANCE,  DS_SPACE_ABUNDANCE,   DS_SPACE_DEPLETION,
                                       DS_SPACE_WANDERLUST, DS_SPACE_COMPETITION, DS_SPACES};

/* Carries out an engine step; true if it asks something. */
static bool run_stage(ds_state_t *s, const ds_context_t *ctx, unsigned stage)
{
    switch (stage) {
    case REGRESSION_FREE: ds_ask(s, DS_REGRESS, DS_REPTILE); return ds_has_ability(ctx->rules, DS_REPTILE);
    case REGRESSION_LOSSES: regression_losses(s, ctx); return false;
    case WASTELAND_REMOVAL: wasteland_removal(s, ctx); return false;
    case SPECIATION_FREE: ds_ask(s, DS_SPECIATE_FREE, DS_INSECT); return ds_has_ability(ctx->rules, DS_INSECT);
    case COMPETITION_FREE:
        if (ds_has_ability(ctx->rules, DS_ARACHNID))
            ds_ask_competition(s, ctx, DS_ARACHNID);
        return ds_has_ability(ctx->rules, DS_ARACHNID);
    default: begin_reset(s); return true;
    }
}

/* The question that a pawn on each space leads to. */
static const uint8_t FIRST_NODE[DS_SPACES] = {
    [DS_SPACE_INITIATIVE] = DS_INITIATIVE,
    [DS_SPACE_ADAPTATION] = DS_ADAPT, DS_ADAPT, DS_ADAPT,
    [DS_SPACE_REGRESSION] = DS_REGRESS, DS_REGRESS,
    [DS_SPACE_ABUNDANCE] = DS_ABUNDANCE_ELEMENT, DS_ABUNDANCE_ELEMENT,
    [DS_SPACE_WASTELAND] = DS_WASTELAND,
    [DS_SPACE_DEPLETION] = DS_DEPLETE,
    [DS_SPACE_GLACIATION] = DS_GLACIATE, DS_GLACIATE, DS_GLACIATE, DS_GLACIATE,
    [DS_SPACE_SPECIATION] = DS_SPECIATE_CORNER, DS_SPECIATE_CORNER, DS_SPECIATE_CORNER, DS_SPECIATE_CORNER,
                            DS_SPECIATE_CORNER, DS_SPECIATE_CORNER,
    [DS_SPACE_WANDERLUST] = DS_WANDER_STACK, DS_WANDER_STACK, DS_WANDER_STACK,
    [DS_SPACE_MIGRATION] = DS_MIGRATE_FROM, DS_MIGRATE_FROM, DS_MIGRATE_FROM, DS_MIGRATE_FROM, DS_MIGRATE_FROM,
                           DS_MIGRATE_FROM,
    [DS_SPACE_COMPETITION] = DS_COMPETE_TILE, DS_COMPETE_TILE, DS_COMPETE_TILE, DS_COMPETE_TILE, DS_COMPETE_TILE,
                             DS_COMPETE_TILE, DS_COMPETE_TILE,
    [DS_SPACE_DOMINATION] = DS_DOMINATE, DS_DOMINATE, DS_DOMINATE, DS_DOMINATE, DS_DOMINATE,
};

static void begin_action(ds_state_t *s, const ds_context_t *ctx, unsigned space, unsigned owner)
{
    unsigned node = FIRST_NODE[space];
    ds_ask(s, node, owner);
    switch (node) {
    case DS_GLACIATE: s->cursor.space = DS_SPACE_SPECIATION; break; /* R-GLA-1: the others stay */
    case DS_SPECIATE_CORNER: s->cursor.element = (uint8_t)(space - DS_SPACE_SPECIATION); break;
    case DS_MIGRATE_FROM: s->cursor.left = (uint8_t)(DS_MIGRATION_MOST - (space - DS_SPACE_MIGRATION)); break;
    case DS_COMPETE_TILE: ds_ask_competition(s, ctx, owner); break;
    default: break;
    }
}

void ds_next_space(ds_state_t *s, const ds_context_t *ctx)
{
    ds_cursor_t *c = &s->cursor;
    ds_clear_action(c);
    for (;;) {
        uint64_t ahead = s->spaces & ds_at_least(c->space);
        unsigned space = ahead ? ds_first(ahead) : DS_SPACES;
        if (space < STAGE_BEFORE[c->stage]) {
            unsigned owner = s->owner[space];
            c->space = (uint8_t)(space + 1);
            s->spaces &= ~ds_bit(space); /* R-EXE-1: the pawn is available before its action */
            s->owner[space] = 0;
            s->pawns[owner]++;
            begin_action(s, ctx, space, owner);
            return;
        }
        /* Spaces passed over count as done, so that equal positions have equal cursors. */
        if (c->space < STAGE_BEFORE[c->stage])
            c->space = STAGE_BEFORE[c->stage];
        if (run_stage(s, ctx, c->stage++))
            return;
    }
}

/* ---- Reset ---- */

static void extinguish(ds_state_t *s, const ds_context_t *ctx, unsigned saved) /* R-RES-1 */
{
    ds_settle_cones(s, ctx->rules);
    DS_FOR_EACH(h, ds_inhabited(s)) {
        unsigned endangered = ds_animals_on(s, (unsigned)h) & ~ds_lanes_nonzero(ds_matches(s, (unsigned)h));
        DS_FOR_EACH(a, endangered) {
            unsigned safe = a == DS_MAMMAL && h == saved;
            if (s->hibernating_count > 0 && s->hibernating_hex == h && s->hibernating_animal == a)
                safe += s->hibernating_count;
            ds_eliminate(s, ctx, (unsigned)a, (unsigned)h, s->tiles[h].species[a] - safe);
        }
    }
    ds_settle_cones(s, ctx->rules);
}

static bool life_is_over(const ds_state_t *s) /* R-END-2 */
{
    return ds_inhabited(s) == 0 && ds_lanes(s->gene_pool) == 0;
}

static void end_game(ds_state_t *s, const ds_context_t *ctx) /* R-END-1 */
{
    DS_FOR_EACH(h, ds_inhabited(s))
        ds_score_tile(s, ctx, (unsigned)h, DS_FROM_FINAL_SCORING);
    if (ctx->tally)
        DS_FOR_EACH(h, ds_inhabited(s)) {
            unsigned animal = ds_dominant(s, ctx->rules, (unsigned)h);
            if (animal != DS_NONE)
                ctx->tally->dominated[animal]++;
        }
    s->phase = DS_ENDED;
    ds_ask(s, DS_END, DS_NONE);
}

void ds_step_save(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    extinguish(s, ctx, action == DS_PASS ? DS_NONE : action - DS_HEX);
    ds_score_survival(s, ctx);
    bool ends = ds_has(s->taken, DS_ICE_AGE) || life_is_over(s); /* R-RES-3, R-END-2 */
    if (!ends && s->turn >= ctx->rules->max_turns)                /* R-END-3 */
        ends = s->truncated = true;
    if (ends)
        end_game(s, ctx);
    else
        ds_begin_reveals(s, ctx);
}

/* ---- reveals: cards, tiles, then elements, at setup (R-SET-7) and Reseed (R-RES-4) ---- */

uint32_t ds_unseen_cards(const ds_state_t *s, const ds_rules_t *rules)
{
    uint32_t unseen = rules->cards & ~s->face_up & ~s->taken, but_last = unseen & ~(1u << DS_ICE_AGE);
    return but_last ? but_last : unseen;
}

static void begin_turn(ds_state_t *s, const ds_context_t *ctx)
{
    if (s->phase == DS_RESET) {
        s->turn++;
        s->scored = 0;
        s->hibernating_animal = s->hibernating_hex = s->hibernating_count = 0; /* R-RES-5 */
    }
    s->cursor.draw = 0;
    s->phase = DS_PLANNING;
    ask_place(s, ctx, 0);
}

static void ask_draw(ds_state_t *s, const ds_context_t *ctx)
{
    if (s->cursor.draw < 3 * DS_BOX_DRAWS && ds_lanes(s->bag))
        ds_ask(s, DS_DRAW_ELEMENT, DS_CHANCE);
    else
        begin_turn(s, ctx);
}

static void slide_glaciation_pawns(ds_state_t *s)
{
    unsigned to = DS_SPACE_GLACIATION;
    for (unsigned from = to; from < DS_SPACE_SPECIATION; from++)
        if (ds_has(s->spaces, from)) {
            uint8_t owner = s->owner[from];
            s->spaces &= ~ds_bit(from);
            s->owner[from] = 0;
            s->spaces |= ds_bit(to);
            s->owner[to++] = owner;
        }
}

static void empty_box(ds_state_t *s, unsigned box)
{
    for (unsigned e = 0; e < DS_ELEMENTS; e++)
        s->bag[e] += s->boxes[box][e];
    memset(s->boxes[box], 0, sizeof s->boxes[box]);
}

static void move_box(ds_state_t *s, unsigned from, unsigned to)
{
    memcpy(s->boxes[to], s->boxes[from], sizeof s->boxes[to]);
    memset(s->boxes[from], 0, sizeof s->boxes[from]);
}

static void reseed_boxes(ds_state_t *s)
{
    empty_box(s, DS_BOX_REGRESSION);
    empty_box(s, DS_BOX_DEPLETION);
    empty_box(s, DS_BOX_WANDERLUST);
    move_box(s, DS_BOX_WASTELAND, DS_BOX_DEPLETION);
    move_box(s, DS_BOX_ABUNDANCE, DS_BOX_WASTELAND);
    move_box(s, DS_BOX_ADAPTATION, DS_BOX_REGRESSION);
}

static void ask_reveal_tile(ds_state_t *s, const ds_context_t *ctx)
{
    for (unsigned k = 0; k < DS_STACKS; k++)
        if (s->stack_face_up[k] == DS_NONE && s->stack_left[k] > 0) {
            s->cursor.stack = (uint8_t)k;
            ds_ask(s, DS_REVEAL_TILE, DS_CHANCE);
            return;
        }
    s->cursor.stack = 0;
    if (s->phase == DS_RESET) {
        slide_glaciation_pawns(s);
        reseed_boxes(s);
    }
    ask_draw(s, ctx);
}

void ds_begin_reveals(ds_state_t *s, const ds_context_t *ctx)
{
    if (ds_count(s->face_up) < DS_FACE_UP_CARDS && ds_unseen_cards(s, ctx->rules))
        ds_ask(s, DS_REVEAL_CARD, DS_CHANCE);
    else
        ask_reveal_tile(s, ctx);
}

void ds_step_reveal_card(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    s->face_up |= 1u << (action - DS_CARD);
    ds_begin_reveals(s, ctx);
}

void ds_step_reveal_tile(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    unsigned k = s->cursor.stack;
    s->stack_face_up[k] = (uint8_t)(action - DS_TERRAIN);
    s->stack_left[k]--;
    s->unseen_tiles[action - DS_TERRAIN]--;
    ask_reveal_tile(s, ctx);
}

void ds_step_draw_element(ds_state_t *s, const ds_context_t *ctx, unsigned action)
{
    static const uint8_t DRAWN_TO[] = {DS_BOX_ADAPTATION, DS_BOX_ABUNDANCE, DS_BOX_WANDERLUST};
    unsigned element = action - DS_ELEMENT;
    s->bag[element]--;
    if (s->phase == DS_EXECUTION) {
        ds_symbiotic_draw(s, ctx, element);
        return;
    }
    s->boxes[DRAWN_TO[s->cursor.draw++ / DS_BOX_DRAWS]][element]++;
    ask_draw(s, ctx);
}
