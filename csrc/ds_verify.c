/* Is a state possible? Recomputes everything cached, counts everything that is conserved, and checks that what is
 * remembered inside an action fits the node. Reads any bytes safely: nothing is used before its range is checked. */
#include "ds_flow.h"

#define REQUIRE(condition, message)                                                                 \
    do {                                                                                            \
        if (!(condition))                                                                           \
            return message;                                                                         \
    } while (0)
#define CHECK(call)                                                                                 \
    do {                                                                                            \
        const char *fault = (call);                                                                 \
        if (fault)                                                                                  \
            return fault;                                                                           \
    } while (0)

enum { VP_MOST = 100000000 }; /* beyond anything 1,000 turns can bring */

static bool within(uint64_t set, uint64_t whole) { return (set & ~whole) == 0; }

/* ---- earth ---- */

static bool connected(ds_hexes_t earth)
{
    ds_hexes_t seen = 0, next = earth & (~earth + 1);
    while (next & ~seen) {
        seen |= next;
        DS_FOR_EACH(h, seen)
            next |= DS_HEX_NEIGHBORS[h] & earth;
    }
    return seen == earth;
}

static const char *verify_tiles(const ds_state_t *s, const ds_rules_t *rules)
{
    ds_hexes_t terrain[DS_TERRAINS] = {0}, earth = 0;
    ds_corners_t shore = {{0, 0}};
    for (unsigned h = 0; h < DS_HEXES; h++) {
        unsigned t = s->tiles[h].terrain;
        REQUIRE(t < DS_TERRAINS || t == DS_NONE, "tiles: unknown terrain");
        REQUIRE(DS_SETUP_TERRAIN[h] == DS_NONE || DS_SETUP_TERRAIN[h] == t, "tiles: a starting tile is missing or changed");
        if (t == DS_NONE)
            continue;
        terrain[t] |= ds_bit(h);
        earth |= ds_bit(h);
        shore = ds_corners_or(shore, DS_HEX_CORNERS[h]);
    }
    REQUIRE(s->earth == earth && memcmp(s->terrain, terrain, sizeof terrain) == 0, "tiles: cached hex sets are wrong");
    REQUIRE(memcmp(&s->shore, &shore, sizeof shore) == 0, "corners: cached shore is wrong");
    REQUIRE(connected(earth), "tiles: the earth is not connected");
    REQUIRE(within(s->tundra, earth) && within(DS_SETUP_TUNDRA, s->tundra), "tundra: not on tiles, or the first is missing");
    REQUIRE(ds_count(s->tundra) + s->tundra_left == rules->tundra_tiles + ds_count(DS_SETUP_TUNDRA),
            "tundra_left: tundra tiles do not add up to the rule set's");
    REQUIRE(within(s->scored, earth), "tiles: a hex without a tile is scored");
    REQUIRE(s->phase != DS_PLANNING || s->scored == 0, "tiles: scored in Planning");
    return NULL;
}

static const char *verify_stacks(const ds_state_t *s)
{
    unsigned left = 0, unseen = 0, face_up[DS_TERRAINS] = {0};
    for (unsigned k = 0; k < DS_STACKS; k++) {
        unsigned t = s->stack_face_up[k];
        REQUIRE(t < DS_TERRAINS || t == DS_NONE, "stacks: unknown terrain");
        REQUIRE(s->stack_left[k] <= 8 - (t != DS_NONE), "stacks: a stack is too high");
        left += s->stack_left[k];
        if (t != DS_NONE)
            face_up[t]++;
    }
    for (unsigned t = 0; t < DS_TERRAINS; t++) {
        unsigned supply = (t == DS_SEA ? 6u : 3u) + 1, on_earth = ds_count(s->terrain[t]);
        REQUIRE(s->unseen_tiles[t] + face_up[t] + on_earth == supply, "unseen_tiles: tiles of a terrain do not add up");
        unseen += s->unseen_tiles[t];
    }
    REQUIRE(s->unseen_tiles[DS_TERRAINS] == 0, "unseen_tiles: unknown terrain");
    REQUIRE(left == unseen, "stacks: do not add up to unseen_tiles");
    return NULL;
}

static const char *verify_species(const ds_state_t *s, const ds_rules_t *rules)
{
    for (unsigned a = 0; a < DS_ANIMALS; a++) {
        ds_hexes_t presence = 0;
        unsigned cubes = s->gene_pool[a] + s->eliminated[a];
        for (unsigned h = 0; h < DS_HEXES; h++) {
            cubes += s->tiles[h].species[a];
            presence |= (uint64_t)(s->tiles[h].species[a] > 0) << h;
        }
        REQUIRE(s->presence[a] == presence, "tiles: cached presence is wrong");
        REQUIRE(within(presence, s->earth), "tiles: species where no tile is");
        REQUIRE(cubes == (ds_in_play(rules, a) ? rules->gene_pool[a] + 0u + DS_EARTH_SPECIES : 0u),
                "species: an animal's cubes do not add up to the rule set's");
    }
    REQUIRE((ds_lanes(s->gene_pool) | ds_lanes(s->eliminated)) >> 48 == 0, "gene_pool: unknown animal");
    return NULL;
}

static const char *verify_hibernation(const ds_state_t *s)
{
    unsigned a = s->hibernating_animal, h = s->hibernating_hex, n = s->hibernating_count;
    if (n == 0) {
        REQUIRE(a == 0 && h == 0, "hibernating: set without species");
        return NULL;
    }
    REQUIRE(a < DS_ANIMALS && h < DS_HEXES, "hibernating: unknown animal or hex");
    REQUIRE(n <= DS_HIBERNATING_MOST && n <= s->tiles[h].species[a], "hibernating: more than there are");
    REQUIRE(ds_has(s->taken, DS_HIBERNATION), "hibernating: the card is not taken");
    REQUIRE(s->phase != DS_PLANNING, "hibernating: in Planning");
    return NULL;
}

static const char *verify_cones(const ds_state_t *s, const ds_rules_t *rules)
{
    for (unsigned h = 0; h < DS_HEXES; h++)
        if (s->tiles[h].cone != DS_NONE)
            REQUIRE(rules->declared && s->tiles[h].terrain != DS_NONE && ds_deserves(s, h) == s->tiles[h].cone,
                    "dominant: a cone stands where it is not deserved");
    return NULL;
}

/* ---- elements ---- */

static const char *verify_held(const ds_state_t *s, const ds_rules_t *rules)
{
    for (unsigned a = 0; a < 8; a++) {
        unsigned total = 0;
        for (unsigned e = 0; e < DS_ELEMENTS; e++) {
            unsigned held = s->held[e][a];
            REQUIRE(held <= DS_ANIMAL_ELEMENTS_MOST, "elements: an animal holds more than six");
            REQUIRE(a != e || !ds_has(rules->animals, a) || held >= rules->fixed[a], "elements: a fixed element is missing");
            total += held;
        }
        REQUIRE(total <= DS_ANIMAL_ELEMENTS_MOST, "elements: an animal holds more than six");
        REQUIRE(ds_has(rules->animals, a) || total == 0, "elements: held by an animal not in play");
    }
    return NULL;
}

static const char *verify_elements(const ds_state_t *s, const ds_rules_t *rules)
{
    ds_corners_t occupied = {{0, 0}};
    CHECK(verify_held(s, rules));
    for (unsigned e = 0; e < DS_ELEMENTS; e++) {
        unsigned n = s->bag[e] + ds_corners_count(s->elements[e]);
        REQUIRE(!ds_corners_any(ds_corners_and(occupied, s->elements[e])), "corners: two elements on one corner");
        occupied = ds_corners_or(occupied, s->elements[e]);
        for (unsigned box = 0; box < DS_BOXES; box++)
            n += s->boxes[box][e];
        DS_FOR_EACH(a, rules->animals)
            n += ds_loose(s, rules, (unsigned)a, e);
        REQUIRE(n == DS_ELEMENT_SUPPLY, "elements: those of a type do not add up to 20");
    }
    REQUIRE(!ds_corners_any(ds_corners_minus(occupied, s->shore)), "corners: an element where no tile is");
    for (unsigned box = 0; box < DS_BOXES; box++)
        REQUIRE(ds_lanes_sum(ds_lanes(s->boxes[box])) <= DS_BOX_DRAWS && ds_lanes(s->boxes[box]) >> 48 == 0,
                "boxes: more than four elements in a box");
    REQUIRE(ds_lanes(s->bag) >> 48 == 0, "bag: unknown element");
    return NULL;
}

/* ---- pawns, initiative, cards, VPs ---- */

static const char *verify_pawns(const ds_state_t *s, const ds_rules_t *rules)
{
    unsigned total[DS_ANIMALS], gained = 0;
    REQUIRE(within(s->spaces, ds_bit(DS_SPACES) - 1), "spaces: unknown space");
    REQUIRE(ds_lanes(s->pawns) >> 48 == 0, "pawns: unknown animal");
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        total[a] = s->pawns[a];
    for (unsigned i = 0; i < DS_SPACES; i++) {
        REQUIRE(s->owner[i] < DS_ANIMALS, "spaces: unknown owner");
        REQUIRE(ds_has(s->spaces, i) || s->owner[i] == 0, "spaces: an owner without a pawn");
        total[s->owner[i]] += ds_has(s->spaces, i);
    }
    gained = ds_has(s->taken, DS_INTELLIGENCE) + 0u + ds_has(s->taken, DS_OMNIVORE) + ds_has(s->taken, DS_PARASITISM);
    for (unsigned a = 0; a < DS_ANIMALS; a++) {
        unsigned own = ds_in_play(rules, a) ? rules->pawns[a] : 0;
        REQUIRE(ds_in_play(rules, a) || total[a] == 0, "pawns: of an animal not in play");
        bool not_asked_yet = s->node == DS_IMMIGRANTS_LOSS && ds_has(s->cursor.targets, a);
        unsigned lost = ds_has(s->taken, DS_IMMIGRANTS) && !not_asked_yet;
        REQUIRE(!ds_in_play(rules, a) || (total[a] + lost >= own && total[a] <= own + gained),
                "pawns: an animal's pawns do not add up to the rule set's and the cards'");
    }
    return NULL;
}

static const char *verify_initiative(const ds_state_t *s, const ds_rules_t *rules)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < DS_ANIMALS; i++) {
        unsigned a = s->initiative[i];
        REQUIRE(i < rules->n_animals ? a < DS_ANIMALS && !ds_has(seen, a) : a == DS_NONE,
                "initiative: not the animals in play, each once");
        seen |= i < rules->n_animals ? 1u << a : 0;
    }
    REQUIRE(seen == rules->animals, "initiative: not the animals in play, each once");
    return NULL;
}

static const char *verify_cards(const ds_state_t *s, const ds_rules_t *rules)
{
    uint32_t seen = s->face_up | s->taken;
    REQUIRE(within(seen, rules->cards), "cards: one that is not in the deck");
    REQUIRE((s->face_up & s->taken) == 0, "cards: face up and taken");
    REQUIRE(ds_count(s->face_up) <= DS_FACE_UP_CARDS, "cards: more than five face up");
    REQUIRE(!ds_has(seen, DS_ICE_AGE) || seen == rules->cards, "cards: Ice Age before the last of the deck");
    REQUIRE(!ds_has(s->taken, DS_ICE_AGE) || s->phase != DS_PLANNING, "cards: Ice Age taken, and the game goes on");
    return NULL;
}

static const char *verify_vp(const ds_state_t *s, const ds_rules_t *rules)
{
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        REQUIRE(s->vp[a] >= 0 && s->vp[a] <= (ds_in_play(rules, a) ? VP_MOST : 0), "vp: out of range");
    return NULL;
}

/* ---- where the game stands ---- */

/* What the cursor holds at each node, besides progress within the turn. */
enum { HEX = 1, MAYBE_HEX = 2, TARGETS = 4, ELEMENT = 8, ANIMAL = 16, LEFT = 32, STACK = 64, MIGRATION = 128 };

typedef struct {
    uint8_t first_space, last_space; /* of the action display; or of Execution as a whole for none */
    uint8_t card;
    uint8_t holds;
} node_t;

#define AT(row, next) .first_space = DS_SPACE_##row, .last_space = DS_SPACE_##next - 1
#define CARD(name) .first_space = DS_SPACE_DOMINATION, .last_space = DS_SPACES - 1, .card = DS_##name

static const node_t NODES[DS_NODES] = {
    [DS_REVEAL_TILE] = {.card = DS_NONE, .holds = STACK},
    [DS_INITIATIVE] = {AT(INITIATIVE, ADAPTATION), DS_NONE, 0},
    [DS_ADAPT] = {AT(ADAPTATION, REGRESSION), DS_NONE, 0},
    [DS_REGRESS] = {AT(REGRESSION, ABUNDANCE), DS_NONE, 0},
    [DS_ABUNDANCE_ELEMENT] = {AT(ABUNDANCE, WASTELAND), DS_NONE, 0},
    [DS_ABUNDANCE_CORNER] = {AT(ABUNDANCE, WASTELAND), DS_NONE, ELEMENT},
    [DS_WASTELAND] = {AT(WASTELAND, DEPLETION), DS_NONE, 0},
    [DS_DEPLETE] = {AT(DEPLETION, GLACIATION), DS_NONE, 0},
    [DS_GLACIATE] = {AT(GLACIATION, SPECIATION), DS_NONE, 0},
    [DS_SPECIATE_CORNER] = {AT(SPECIATION, WANDERLUST), DS_NONE, ELEMENT},
    [DS_SPECIATE_COUNT] = {AT(SPECIATION, WANDERLUST), DS_NONE, TARGETS},
    [DS_SPECIATE_FREE] = {AT(SPECIATION, WANDERLUST), DS_NONE, 0},
    [DS_WANDER_STACK] = {AT(WANDERLUST, MIGRATION), DS_NONE, 0},
    [DS_WANDER_HEX] = {AT(WANDERLUST, MIGRATION), DS_NONE, STACK},
    [DS_WANDER_ELEMENT] = {AT(WANDERLUST, MIGRATION), DS_NONE, HEX},
    [DS_WANDER_CORNER] = {AT(WANDERLUST, MIGRATION), DS_NONE, HEX | ELEMENT},
    [DS_WANDER_MOVE] = {AT(WANDERLUST, MIGRATION), DS_NONE, HEX | TARGETS},
    [DS_MIGRATE_FROM] = {AT(MIGRATION, COMPETITION), DS_NONE, MIGRATION | MAYBE_HEX | LEFT},
    [DS_MIGRATE_TO] = {AT(MIGRATION, COMPETITION), DS_NONE, MIGRATION | HEX | LEFT},
    [DS_MIGRATE_COUNT] = {AT(MIGRATION, COMPETITION), DS_NONE, MIGRATION | HEX | LEFT},
    [DS_COMPETE_TILE] = {AT(COMPETITION, DOMINATION), DS_NONE, LEFT},
    [DS_COMPETE_VICTIM] = {AT(COMPETITION, DOMINATION), DS_NONE, LEFT | HEX},
    [DS_DOMINATE] = {CARD(NONE), 0},
    [DS_CLAIM] = {CARD(NONE), HEX},
    [DS_TAKE_CARD] = {CARD(NONE), HEX},
    [DS_AQUATIC_HEX] = {CARD(AQUATIC), 0},
    [DS_AQUATIC_ELEMENT] = {CARD(AQUATIC), HEX},
    [DS_AQUATIC_CORNER] = {CARD(AQUATIC), HEX | ELEMENT},
    [DS_AQUATIC_COUNT] = {CARD(AQUATIC), HEX},
    [DS_BIOMASS_VICTIM] = {CARD(BIOMASS), TARGETS},
    [DS_BLIGHT_HEX] = {CARD(BLIGHT), 0},
    [DS_BLIGHT_KEEP] = {CARD(BLIGHT), HEX},
    [DS_CATASTROPHE_HEX] = {CARD(CATASTROPHE), 0},
    [DS_CATASTROPHE_KEEP] = {CARD(CATASTROPHE), HEX},
    [DS_CATASTROPHE_VICTIM] = {CARD(CATASTROPHE), HEX | TARGETS},
    [DS_DISEASE_ELEMENT] = {CARD(DISEASE), TARGETS},
    [DS_EVOLUTION_ANIMAL] = {CARD(EVOLUTION), TARGETS | LEFT},
    [DS_EVOLUTION_HEX] = {CARD(EVOLUTION), TARGETS | LEFT | ANIMAL},
    [DS_FECUNDITY_COUNT] = {CARD(FECUNDITY), TARGETS},
    [DS_FERTILE_HEX] = {CARD(FERTILE), 0},
    [DS_HABITAT_ELEMENT] = {CARD(HABITAT), 0},
    [DS_HABITAT_CORNER] = {CARD(HABITAT), ELEMENT},
    [DS_HIBERNATE_HEX] = {CARD(HIBERNATION), 0},
    [DS_HIBERNATE_COUNT] = {CARD(HIBERNATION), HEX},
    [DS_IMMIGRANTS_LOSS] = {CARD(IMMIGRANTS), TARGETS},
    [DS_INSTINCT_PLACE] = {CARD(INSTINCT), 0},
    [DS_EXODUS_HEX] = {CARD(MASS_EXODUS), 0},
    [DS_EXODUS_COUNT] = {CARD(MASS_EXODUS), HEX | TARGETS | ANIMAL},
    [DS_METAMORPHOSIS_GIVE] = {CARD(METAMORPHOSIS), 0},
    [DS_METAMORPHOSIS_TAKE] = {CARD(METAMORPHOSIS), ELEMENT},
    [DS_PREDATOR_VICTIM] = {CARD(PREDATOR), TARGETS},
};

static node_t node_at(const ds_state_t *s)
{
    node_t node = NODES[s->node];
    if (s->node == DS_GLACIATE && s->cursor.card != DS_NONE)
        return (node_t){CARD(ICE_SHEET), 0};
    if (s->node == DS_DRAW_ELEMENT && s->phase == DS_EXECUTION)
        return (node_t){CARD(SYMBIOTIC), ANIMAL | TARGETS};
    if (node.last_space == 0 && s->node != DS_INITIATIVE)
        node.card = DS_NONE;
    return node;
}

static unsigned phase_of(const ds_state_t *s)
{
    switch (s->node) {
    case DS_END: return DS_ENDED;
    case DS_PLACE_PAWN: return DS_PLANNING;
    case DS_SAVE: return DS_RESET;
    case DS_DRAW_ELEMENT:
        if (s->phase == DS_EXECUTION)
            return DS_EXECUTION; /* symbiotic */
        return s->turn == 1 && s->phase == DS_PLANNING ? DS_PLANNING : DS_RESET;
    case DS_REVEAL_CARD:
    case DS_REVEAL_TILE: return s->turn == 1 && s->phase == DS_PLANNING ? DS_PLANNING : DS_RESET;
    default: return DS_EXECUTION;
    }
}

static const char *verify_node(const ds_state_t *s, const ds_rules_t *rules)
{
    REQUIRE(s->node < DS_NODES, "node: unknown");
    REQUIRE(s->phase <= DS_ENDED && s->phase == phase_of(s), "phase: does not fit the node");
    REQUIRE(s->turn >= 1 && s->turn <= rules->max_turns, "turn: out of range");
    if (s->node == DS_END)
        REQUIRE(s->actor == DS_NONE, "actor: at the end");
    else if (ds_is_chance(s->node))
        REQUIRE(s->actor == DS_CHANCE, "actor: not chance at a chance node");
    else
        REQUIRE(s->actor < DS_ANIMALS && ds_in_play(rules, s->actor), "actor: not in play");
    uint8_t truncated;
    memcpy(&truncated, &s->truncated, 1);
    REQUIRE(truncated <= (s->node == DS_END && s->turn == rules->max_turns), "truncated: out of range");
    REQUIRE(s->node != DS_SAVE || (s->actor == DS_MAMMAL && ds_has_ability(rules, DS_MAMMAL)), "actor: only mammals save");
    return NULL;
}

/* Engine steps done and spaces done belong together (ds_turn.c). */
static const char *verify_progress(const ds_state_t *s, const ds_rules_t *rules, const node_t *node)
{
    static const uint8_t AFTER[] = {0, DS_SPACE_ABUNDANCE, DS_SPACE_ABUNDANCE, DS_SPACE_DEPLETION, DS_SPACE_WANDERLUST,
                                    DS_SPACE_COMPETITION, DS_SPACES};
    const ds_cursor_t *c = &s->cursor;
    bool planning = s->node == DS_PLACE_PAWN;
    REQUIRE(planning ? c->place < rules->n_animals && s->initiative[c->place] == s->actor : c->place == 0,
            "cursor: place does not fit the actor");
    REQUIRE(!planning || s->pawns[s->actor] > 0, "actor: no pawn to place");
    bool draws = s->node == DS_DRAW_ELEMENT && s->phase != DS_EXECUTION;
    REQUIRE(c->draw < (draws ? 3 * DS_BOX_DRAWS : 1), "cursor: draw out of range");
    for (unsigned a = 0; a < DS_ANIMALS; a++)
        REQUIRE(within(c->protects[a], s->node == DS_REGRESS && ds_in_play(rules, a) ? 0x3f : 0), "cursor: protects out of range");
    if (s->phase != DS_EXECUTION) {
        REQUIRE(c->space == 0 && c->stage == 0, "cursor: space outside Execution");
        return NULL;
    }
    REQUIRE(c->stage < sizeof AFTER - 1 && c->space >= AFTER[c->stage] && c->space <= AFTER[c->stage + 1],
            "cursor: space and stage do not fit");
    if (c->stage == 1 || s->node == DS_SPECIATE_FREE || (s->node == DS_COMPETE_TILE && c->space == DS_SPACE_COMPETITION) ||
        (s->node == DS_COMPETE_VICTIM && c->space == DS_SPACE_COMPETITION)) {
        unsigned owner = s->node == DS_REGRESS ? DS_REPTILE : s->node == DS_SPECIATE_FREE ? DS_INSECT : DS_ARACHNID;
        unsigned stage = s->node == DS_REGRESS ? 1 : s->node == DS_SPECIATE_FREE ? 4 : 5;
        REQUIRE(s->actor == owner && ds_has_ability(rules, owner) && c->stage == stage && c->space == AFTER[stage],
                "actor: not the owner of the free action");
        return NULL;
    }
    bool glaciation = s->node == DS_GLACIATE && c->card == DS_NONE;
    unsigned done = glaciation ? DS_SPACE_SPECIATION - 1u : c->space - 1u;
    bool owner_asked = done < DS_SPACE_DOMINATION && s->node != DS_WANDER_MOVE;
    REQUIRE(!owner_asked || s->pawns[s->actor] > 0, "pawns: the one in hand is missing"); /* R-EXE-1 */
    REQUIRE(c->space > 0 && done >= node->first_space && done <= node->last_space, "cursor: space does not fit the node");
    REQUIRE(!glaciation || c->space == DS_SPACE_SPECIATION, "cursor: space does not fit the node");
    return NULL;
}

/* Every field that the node does not use is cleared, every other in range. */
static const char *verify_cursor(const ds_state_t *s, const ds_rules_t *rules, const node_t *node)
{
    const ds_cursor_t *c = &s->cursor;
    unsigned holds = node->holds;
    bool no_moves = true;
    for (unsigned i = 0; i < DS_MIGRATION_MOST; i++)
        no_moves = no_moves && c->moved[i][0] == 0 && c->moved[i][1] == 0;
    REQUIRE(c->card == node->card && (c->card == DS_NONE || (c->card < DS_CARDS && ds_has(s->taken, c->card))),
            "cursor: card does not fit the node");
    if (holds & HEX)
        REQUIRE(c->hex < DS_HEXES && ds_has(s->earth, c->hex), "cursor: hex is no tile");
    else if (!(holds & MAYBE_HEX))
        REQUIRE(c->hex == DS_NONE, "cursor: hex at a node without one");
    REQUIRE(holds & MIGRATION || (c->target == DS_NONE && no_moves), "cursor: moves outside a migration");
    REQUIRE(holds & ELEMENT ? c->element < DS_ELEMENTS : c->element == 0, "cursor: element out of range");
    REQUIRE(holds & ANIMAL ? c->animal < DS_ANIMALS && ds_in_play(rules, c->animal) : c->animal == 0,
            "cursor: animal not in play");
    REQUIRE(holds & LEFT || c->left == 0, "cursor: left out of range");
    REQUIRE(holds & STACK ? c->stack < DS_STACKS : c->stack == 0, "cursor: stack out of range");
    REQUIRE(holds & TARGETS || c->targets == 0, "cursor: targets at a node without any");
    return NULL;
}

static const char *verify_targets(const ds_state_t *s, const ds_rules_t *rules)
{
    const ds_cursor_t *c = &s->cursor;
    uint64_t whole = 0;
    switch (s->node) {
    case DS_DRAW_ELEMENT: REQUIRE(within(c->targets, rules->animals), "cursor: targets are no animals"); return NULL;
    case DS_SPECIATE_COUNT: whole = s->earth; break;
    case DS_WANDER_MOVE: whole = ds_neighbors(s, c->hex) & s->presence[s->actor]; break;
    case DS_BIOMASS_VICTIM: whole = ds_inhabited(s); break;
    case DS_CATASTROPHE_VICTIM: whole = ds_inhabited(s) & ds_neighbors(s, c->hex); break;
    case DS_PREDATOR_VICTIM: whole = s->presence[s->actor] & ds_opposing(s, s->actor); break;
    case DS_FECUNDITY_COUNT: whole = s->presence[s->actor]; break;
    case DS_EXODUS_COUNT:
        whole = ds_neighbors(s, c->hex);
        REQUIRE(ds_count(c->targets) >= 2, "cursor: too few targets");
        break;
    case DS_DISEASE_ELEMENT:
    case DS_IMMIGRANTS_LOSS:
        whole = rules->animals;
        REQUIRE(c->targets && ds_first(c->targets) == s->actor, "cursor: the actor is not the next of the targets");
        break;
    case DS_EVOLUTION_ANIMAL:
    case DS_EVOLUTION_HEX:
        whole = ds_bit(DS_ANIMALS) - 1;
        REQUIRE(ds_has(c->targets, s->actor), "cursor: the taker may not be chosen");
        break;
    default: return NULL;
    }
    REQUIRE(c->targets && within(c->targets, whole), "cursor: targets out of range");
    return NULL;
}

static const char *verify_migration(const ds_state_t *s, const ds_rules_t *rules)
{
    const ds_cursor_t *c = &s->cursor;
    unsigned made = 0, before = 0;
    for (unsigned i = 0; i < DS_MIGRATION_MOST; i++) {
        unsigned hex = c->moved[i][0], n = c->moved[i][1];
        if (hex == 0) {
            REQUIRE(n == 0, "cursor: moves to no hex");
            before = DS_HEXES + 1;
            continue;
        }
        REQUIRE(hex > before && hex <= DS_HEXES && n > 0 && n <= s->tiles[hex - 1].species[s->actor],
                "cursor: moves that cannot have been made");
        before = hex;
        made += n;
    }
    REQUIRE(c->left >= 1 && c->left + made == DS_MIGRATION_MOST - (c->space - 1u - DS_SPACE_MIGRATION), "cursor: left does not fit the moves made");
    REQUIRE(c->hex == DS_NONE ? s->node == DS_MIGRATE_FROM && made == 0 : c->hex < DS_HEXES && ds_has(s->earth, c->hex),
            "cursor: hex is no tile");
    REQUIRE(c->target == DS_NONE || (c->hex != DS_NONE && c->target < DS_HEXES &&
                                     ds_has(ds_reach(s, rules, s->actor, c->hex), c->target)),
            "cursor: target out of reach");
    REQUIRE(s->node != DS_MIGRATE_FROM || (c->hex == DS_NONE) == (made == 0), "cursor: hex does not fit the moves made");
    REQUIRE(s->node == DS_MIGRATE_TO || (c->target == DS_NONE) == (c->hex == DS_NONE), "cursor: target is missing");
    REQUIRE(s->node == DS_MIGRATE_FROM || ds_unmoved(s, s->actor, c->hex) > 0, "cursor: nothing to move");
    return NULL;
}

/* At the reveals of setup and Reseed: what comes before is done, what comes after is not, and the game goes on. */
static const char *verify_reveals(const ds_state_t *s, const ds_rules_t *rules)
{
    static const uint8_t DRAWN_TO[] = {DS_BOX_ADAPTATION, DS_BOX_ABUNDANCE, DS_BOX_WANDERLUST};
    bool cards_done = ds_count(s->face_up) == DS_FACE_UP_CARDS || ds_unseen_cards(s, rules) == 0;
    unsigned stack = s->node == DS_REVEAL_TILE ? s->cursor.stack : DS_STACKS;
    REQUIRE(!ds_has(s->taken, DS_ICE_AGE) && s->turn + 0u < rules->max_turns + (s->phase == DS_PLANNING ? 1u : 0u),
            "node: nothing is revealed after the last turn");
    REQUIRE(s->phase == DS_PLANNING || ds_inhabited(s) || ds_lanes(s->gene_pool), "node: nothing is revealed after life");
    REQUIRE(cards_done == (s->node != DS_REVEAL_CARD), "cards: too many or too few face up for the node");
    for (unsigned k = 0; s->node != DS_REVEAL_CARD && k < stack; k++)
        REQUIRE(s->stack_face_up[k] != DS_NONE || s->stack_left[k] == 0, "stacks: one is not revealed yet");
    for (unsigned i = 0; s->node == DS_DRAW_ELEMENT && i < sizeof DRAWN_TO; i++) {
        unsigned before = i * DS_BOX_DRAWS, drawn = s->cursor.draw < before ? 0u : s->cursor.draw - before;
        REQUIRE(ds_lanes_sum(ds_lanes(s->boxes[DRAWN_TO[i]])) == (drawn < DS_BOX_DRAWS ? drawn : DS_BOX_DRAWS),
                "boxes: do not fit the elements drawn");
    }
    return NULL;
}

static bool choice_stands(const ds_state_t *s, const ds_rules_t *rules) /* what was chosen before is still there */
{
    const ds_cursor_t *c = &s->cursor;
    bool element;
    switch (s->node) {
    case DS_REVEAL_TILE: return s->stack_face_up[c->stack] == DS_NONE && s->stack_left[c->stack] > 0;
    case DS_DRAW_ELEMENT:
        return s->phase != DS_EXECUTION || (ds_elements_held(s) >> 8 * c->animal & 0xff) < DS_ANIMAL_ELEMENTS_MOST;
    case DS_ABUNDANCE_CORNER: return s->boxes[DS_BOX_ABUNDANCE][c->element] > 0;
    case DS_SPECIATE_CORNER: return c->element == c->space - 1 - DS_SPACE_SPECIATION;
    case DS_WANDER_HEX: return s->stack_face_up[c->stack] != DS_NONE;
    case DS_WANDER_CORNER: return s->boxes[DS_BOX_WANDERLUST][c->element] > 0;
    case DS_COMPETE_TILE: return c->left <= (c->space > DS_SPACE_COMPETITION ? 2 : 0);
    case DS_COMPETE_VICTIM:
        return c->left <= (c->space > DS_SPACE_COMPETITION ? 2 : 0) && ds_has(ds_competition_tiles(s), c->hex);
    case DS_CLAIM: return ds_has(s->scored, c->hex) && s->tiles[c->hex].cone == DS_NONE && rules->declared &&
                          ds_deserves(s, c->hex) == s->actor;
    case DS_TAKE_CARD: return ds_has(s->scored, c->hex) && ds_dominant(s, rules, c->hex) == s->actor;
    case DS_AQUATIC_ELEMENT:
    case DS_AQUATIC_CORNER:
        return ds_has(ds_aquatic_hexes(s, &element), c->hex) && element && s->bag[c->element] + (s->node == DS_AQUATIC_ELEMENT) > 0;
    case DS_AQUATIC_COUNT:
        return ds_has((s->terrain[DS_SEA] | s->terrain[DS_WETLAND]) & ~s->tundra, c->hex);
    case DS_BLIGHT_KEEP: return ds_elements_on(s, c->hex) >= 2;
    case DS_CATASTROPHE_KEEP: return ds_lanes_sum(ds_species(s, c->hex)) >= 2;
    case DS_EVOLUTION_ANIMAL: return c->left == 1 || c->left == 2;
    case DS_EVOLUTION_HEX:
        return (c->left == 1 || c->left == 2) && !ds_has(c->targets, c->animal) && s->presence[c->animal] &&
               s->gene_pool[s->actor] > 0;
    case DS_HABITAT_CORNER: return s->bag[c->element] > 0;
    case DS_HIBERNATE_COUNT: return s->eliminated[s->actor] > 0;
    case DS_EXODUS_COUNT: return s->tiles[c->hex].species[c->animal] > 0;
    case DS_METAMORPHOSIS_TAKE: return ds_loose(s, rules, s->actor, c->element) > 0;
    default: return true;
    }
}

const char *ds_verify(const ds_state_t *s, const ds_rules_t *rules)
{
    CHECK(verify_node(s, rules));
    CHECK(verify_tiles(s, rules));
    CHECK(verify_stacks(s));
    CHECK(verify_species(s, rules));
    CHECK(verify_elements(s, rules));
    CHECK(verify_cones(s, rules));
    CHECK(verify_initiative(s, rules));
    CHECK(verify_pawns(s, rules));
    CHECK(verify_cards(s, rules));
    CHECK(verify_vp(s, rules));
    CHECK(verify_hibernation(s));
    node_t node = node_at(s);
    CHECK(verify_cursor(s, rules, &node));
    CHECK(verify_progress(s, rules, &node));
    CHECK(verify_targets(s, rules));
    if (ds_is_chance(s->node) && s->phase != DS_EXECUTION)
        CHECK(verify_reveals(s, rules));
    if (node.holds & MIGRATION)
        CHECK(verify_migration(s, rules));
    REQUIRE(choice_stands(s, rules), "cursor: what was chosen before does not stand");
    return NULL;
}
