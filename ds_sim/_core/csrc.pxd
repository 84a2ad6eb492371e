# The C core as declared in csrc/*.h.
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "stdbool.h" nogil:
    ctypedef bint cbool "bool"

cdef extern from "ds_bits.h" nogil:
    ctypedef struct ds_corners_t:
        uint64_t word[2]
    uint64_t ds_bit(unsigned i) noexcept
    bint ds_has(uint64_t set, unsigned i) noexcept
    uint64_t ds_at_least(unsigned i) noexcept
    uint64_t ds_without_first(uint64_t set) noexcept
    unsigned ds_first(uint64_t set) noexcept
    unsigned ds_count(uint64_t set) noexcept
    unsigned ds_select(uint64_t set, unsigned k) noexcept
    unsigned ds_count_portable(uint64_t set) noexcept
    unsigned ds_select_portable(uint64_t set, unsigned k) noexcept
    bint ds_corners_any(ds_corners_t a) noexcept
    ds_corners_t ds_corners_and(ds_corners_t a, ds_corners_t b) noexcept
    uint64_t ds_lanes(const uint8_t* counters) noexcept
    unsigned ds_lanes_nonzero(uint64_t lanes) noexcept
    unsigned ds_lanes_sum(uint64_t lanes) noexcept

cdef extern from "ds_rng.h" nogil:
    ctypedef struct ds_rng_t:
        uint64_t word[2]
    enum: DS_LANE_CHANCE, DS_LANE_POLICY
    ds_rng_t ds_rng_stream(uint64_t seed, uint64_t index, uint64_t lane) noexcept
    uint64_t ds_rng_next(ds_rng_t* rng) noexcept
    uint32_t ds_rng_below(ds_rng_t* rng, uint32_t n) noexcept

cdef extern from "ds_board.h" nogil:
    enum: DS_HEXES, DS_CORNERS
    const uint64_t* DS_HEX_NEIGHBORS
    const ds_corners_t* DS_HEX_CORNERS

cdef extern from "ds_rules.h" nogil:
    enum: DS_ANIMALS, DS_ELEMENTS, DS_TERRAINS, DS_CARDS, DS_SPACES, DS_NONE, DS_MAMMAL, DS_INSECT
    ctypedef struct ds_rules_t:
        uint8_t animals, n_animals, abilities, n_seats
        uint8_t seats[6]
        uint8_t pawns[6]
        uint8_t gene_pool[6]
        uint8_t fixed[6]
        uint8_t tile_values[8][6]
        uint8_t speciation_limits[8]
        uint8_t tundra_tiles
        bint initiative_restay, declared
        uint16_t max_turns
        uint16_t handicap[6]
        uint16_t bonus_vp[36]
        uint32_t cards

cdef extern from "ds_state.h" nogil:
    enum: DS_PASS, DS_PLACE, DS_ELEMENT, DS_CORNER, DS_HEX, DS_ANIMAL, DS_COUNT, DS_STACK, DS_CARD
    enum: DS_LOSE_PAWN, DS_LOSE_SPECIES, DS_TERRAIN, DS_ACTIONS, DS_COUNT_MOST
    enum:
        DS_END, DS_REVEAL_CARD, DS_REVEAL_TILE, DS_DRAW_ELEMENT
        DS_PLACE_PAWN, DS_INITIATIVE, DS_ADAPT, DS_REGRESS, DS_ABUNDANCE_ELEMENT, DS_ABUNDANCE_CORNER
        DS_WASTELAND, DS_DEPLETE, DS_GLACIATE, DS_SPECIATE_CORNER, DS_SPECIATE_COUNT, DS_SPECIATE_FREE
        DS_WANDER_STACK, DS_WANDER_HEX, DS_WANDER_ELEMENT, DS_WANDER_CORNER, DS_WANDER_MOVE
        DS_MIGRATE_FROM, DS_MIGRATE_TO, DS_MIGRATE_COUNT, DS_COMPETE_TILE, DS_COMPETE_VICTIM
        DS_DOMINATE, DS_CLAIM, DS_TAKE_CARD, DS_SAVE
        DS_AQUATIC_HEX, DS_AQUATIC_ELEMENT, DS_AQUATIC_CORNER, DS_AQUATIC_COUNT, DS_BIOMASS_VICTIM
        DS_BLIGHT_HEX, DS_BLIGHT_KEEP, DS_CATASTROPHE_HEX, DS_CATASTROPHE_KEEP, DS_CATASTROPHE_VICTIM
        DS_DISEASE_ELEMENT, DS_EVOLUTION_ANIMAL, DS_EVOLUTION_HEX, DS_FECUNDITY_COUNT, DS_FERTILE_HEX
        DS_HABITAT_ELEMENT, DS_HABITAT_CORNER, DS_HIBERNATE_HEX, DS_HIBERNATE_COUNT, DS_IMMIGRANTS_LOSS
        DS_INSTINCT_PLACE, DS_EXODUS_HEX, DS_EXODUS_COUNT, DS_METAMORPHOSIS_GIVE, DS_METAMORPHOSIS_TAKE
        DS_PREDATOR_VICTIM, DS_NODES
    enum: DS_PLANNING, DS_EXECUTION, DS_RESET, DS_ENDED, DS_CHANCE
    enum: DS_BOX_ADAPTATION, DS_BOX_REGRESSION, DS_BOX_ABUNDANCE, DS_BOX_WASTELAND, DS_BOX_DEPLETION
    enum: DS_BOX_WANDERLUST, DS_BOXES, DS_STACKS, DS_ANIMAL_ELEMENTS_MOST, DS_HIBERNATING_MOST
    enum: DS_SEA, DS_WETLAND, DS_SOURCES
    bint ds_is_chance(unsigned node) noexcept

    ctypedef struct ds_tile_t:
        uint8_t species[6]
        uint8_t terrain, cone
    ctypedef struct ds_cursor_t:
        uint64_t targets
        uint8_t place, space, stage, draw
        uint8_t protects[6]
        uint8_t card, hex, target, element, animal, left, stack
        uint8_t moved[7][2]
    ctypedef struct ds_state_t:
        ds_tile_t tiles[35]
        uint64_t presence[6]
        uint64_t terrain[7]
        uint64_t earth, tundra, scored
        ds_corners_t elements[6]
        ds_corners_t shore
        uint64_t spaces
        uint8_t held[6][8]
        uint8_t boxes[6][8]
        uint8_t bag[8]
        uint8_t unseen_tiles[8]
        uint8_t pawns[8]
        uint8_t gene_pool[8]
        uint8_t eliminated[8]
        int32_t vp[6]
        uint32_t face_up, taken
        uint8_t owner[41]
        uint8_t initiative[6]
        uint8_t stack_face_up[3]
        uint8_t stack_left[3]
        uint8_t tundra_left, hibernating_animal, hibernating_hex, hibernating_count
        uint8_t node, actor, phase
        bint truncated
        uint16_t turn
        ds_cursor_t cursor
        ds_rng_t rng
    ctypedef struct ds_tally_t:
        int32_t vp[6][11]
        uint16_t placed[6][41]
        uint16_t eliminated[6]
        uint8_t card_taker[26]
        uint8_t dominated[6]
    ctypedef struct ds_context_t:
        const ds_rules_t* rules
        ds_tally_t* tally

    bint ds_in_play(const ds_rules_t* rules, unsigned animal) noexcept
    bint ds_has_ability(const ds_rules_t* rules, unsigned animal) noexcept
    void ds_setup(ds_state_t* s, const ds_context_t* ctx, ds_rng_t rng) noexcept
    void ds_tally_clear(ds_tally_t* tally) noexcept
    unsigned ds_winner(const ds_state_t* s, const ds_rules_t* rules) noexcept
    void ds_step(ds_state_t* s, const ds_context_t* ctx, unsigned action) noexcept
    unsigned ds_sample(ds_state_t* s, const ds_rules_t* rules) noexcept
    void ds_pass_chance(ds_state_t* s, const ds_context_t* ctx) noexcept
    unsigned ds_chance_weights(const ds_state_t* s, const ds_rules_t* rules, uint8_t* weights, unsigned* base) noexcept
    const char* ds_verify(const ds_state_t* s, const ds_rules_t* rules) noexcept

cdef extern from "ds_earth.h" nogil:
    unsigned ds_animals_on(const ds_state_t* s, unsigned hex) noexcept
    uint64_t ds_species(const ds_state_t* s, unsigned hex) noexcept
    uint64_t ds_inhabited(const ds_state_t* s) noexcept
    uint64_t ds_opposing(const ds_state_t* s, unsigned animal) noexcept
    uint64_t ds_neighbors(const ds_state_t* s, unsigned hex) noexcept
    unsigned ds_terrain(const ds_state_t* s, unsigned hex) noexcept
    ds_corners_t ds_occupied_corners(const ds_state_t* s) noexcept
    ds_corners_t ds_corners_of_types(const ds_state_t* s, unsigned types) noexcept
    ds_corners_t ds_vacant_corners(const ds_state_t* s) noexcept
    ds_corners_t ds_vacant_corners_of(const ds_state_t* s, unsigned hex) noexcept
    uint64_t ds_elements_held(const ds_state_t* s) noexcept
    unsigned ds_loose_types(const ds_state_t* s, const ds_rules_t* rules, unsigned animal) noexcept
    uint64_t ds_matches(const ds_state_t* s, unsigned hex) noexcept
    uint64_t ds_tiles_with_two_elements(const ds_state_t* s) noexcept
    unsigned ds_deserves(const ds_state_t* s, unsigned hex) noexcept
    unsigned ds_dominant(const ds_state_t* s, const ds_rules_t* rules, unsigned hex) noexcept
    uint64_t ds_claimable(const ds_state_t* s, unsigned animal) noexcept
    uint64_t ds_doomed(const ds_state_t* s, unsigned animal) noexcept
    uint64_t ds_glaciable(const ds_state_t* s) noexcept
    uint64_t ds_frontier(const ds_state_t* s) noexcept
    uint64_t ds_aquatic_hexes(const ds_state_t* s, cbool* element) noexcept

cdef extern from "ds_flow.h" nogil:
    unsigned ds_unmoved(const ds_state_t* s, unsigned animal, unsigned hex) noexcept
    uint64_t ds_migration_targets(const ds_state_t* s, const ds_rules_t* rules, unsigned animal, unsigned hex) noexcept
    uint64_t ds_competition_tiles(const ds_state_t* s) noexcept
    uint32_t ds_unseen_cards(const ds_state_t* s, const ds_rules_t* rules) noexcept

cdef extern from "ds_legal.h" nogil:
    ctypedef struct ds_legal_t:
        uint64_t bits[2]
        uint8_t base[2]
        bint pass_ "pass"
    unsigned ds_legal_count(const ds_legal_t* legal) noexcept
    unsigned ds_legal_at(const ds_legal_t* legal, unsigned k) noexcept
    enum: DS_LEGAL_ROOM
    void ds_legal_flags(const ds_legal_t* legal, uint8_t* out) noexcept
    void ds_legal_flags_of(const ds_legal_t* legal, size_t n, uint8_t* out) noexcept
    unsigned ds_legal_list(const ds_legal_t* legal, uint8_t* out) noexcept
    bint ds_legal_has(const ds_legal_t* legal, unsigned action) noexcept
