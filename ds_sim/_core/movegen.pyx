# cython: language_level=3
"""Move generation: which actions are legal at a node (protocol.md section 2), as bit sets.

One small function per node, named after it; `legal_actions` chooses. All of them only read the state.
"""
from libc.stdint cimport uint8_t, uint64_t

from ds_sim._core.csrc cimport *


# ---- shapes of answers ----

cdef inline void one_range(ds_legal_t* out, bint may_pass, unsigned base, uint64_t bits) noexcept nogil:
    out.pass_ = may_pass
    out.base[0] = <uint8_t>base
    out.base[1] = <uint8_t>base
    out.bits[0] = bits
    out.bits[1] = 0


cdef inline void second_range(ds_legal_t* out, unsigned base, uint64_t bits) noexcept nogil:
    out.base[1] = <uint8_t>base
    out.bits[1] = bits


cdef inline void corners(ds_legal_t* out, bint may_pass, ds_corners_t choice) noexcept nogil:
    one_range(out, may_pass, DS_CORNER, choice.word[0])
    second_range(out, DS_CORNER + 64, choice.word[1])


cdef inline void hexes(ds_legal_t* out, bint may_pass, uint64_t choice) noexcept nogil:
    one_range(out, may_pass, DS_HEX, choice)


cdef inline void elements(ds_legal_t* out, bint may_pass, unsigned types) noexcept nogil:
    one_range(out, may_pass, DS_ELEMENT, types)


cdef inline void animals(ds_legal_t* out, bint may_pass, unsigned choice) noexcept nogil:
    one_range(out, may_pass, DS_ANIMAL, choice)


cdef inline void counts(ds_legal_t* out, unsigned least, unsigned most) noexcept nogil:
    """COUNT(least..most), at most 15 (P-3)."""
    most = min(most, <unsigned>DS_COUNT_MOST)
    one_range(out, False, DS_COUNT, (ds_bit(most + 1) - 1) & ds_at_least(least))


cdef inline unsigned types_in(const uint8_t* counters) noexcept nogil:
    return ds_lanes_nonzero(ds_lanes(counters))


cdef inline uint64_t vacant_spaces(const ds_state_t* s) noexcept nogil:
    return ~s.spaces & (ds_bit(DS_SPACES) - 1)


# ---- chance ----

cdef inline void reveal_card(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    one_range(out, False, DS_CARD, ds_unseen_cards(s, r))


cdef inline void reveal_tile(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    one_range(out, False, DS_TERRAIN, types_in(s.unseen_tiles))


cdef inline void draw_element(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    elements(out, False, types_in(s.bag))


# ---- Planning, Initiative ----

cdef inline void place(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    one_range(out, False, DS_PLACE, vacant_spaces(s))
    if r.declared:
        second_range(out, DS_HEX, ds_claimable(s, s.actor))


cdef inline void initiative(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    one_range(out, True, DS_PLACE, vacant_spaces(s) & ~<uint64_t>(not r.initiative_restay))  # R-INI-2


# ---- elements: Adaptation to Depletion ----

cdef inline void adapt(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    cdef unsigned held = (ds_elements_held(s) >> 8 * s.actor) & 0xff
    elements(out, True, types_in(s.boxes[DS_BOX_ADAPTATION]) if held < DS_ANIMAL_ELEMENTS_MOST else 0)


cdef inline void regress(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    cdef unsigned types = types_in(s.boxes[DS_BOX_REGRESSION]) & ~s.cursor.protects[s.actor]
    elements(out, True, types & ds_loose_types(s, r, s.actor) if types else 0)


cdef inline void abundance_element(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    elements(out, True, types_in(s.boxes[DS_BOX_ABUNDANCE]) if ds_corners_any(ds_vacant_corners(s)) else 0)


cdef inline void wasteland(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    elements(out, True, types_in(s.boxes[DS_BOX_WASTELAND]))


cdef inline void deplete(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    corners(out, True, ds_corners_of_types(s, types_in(s.boxes[DS_BOX_DEPLETION])))


# ---- Glaciation, Speciation ----

cdef inline void glaciate(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    hexes(out, s.cursor.card == DS_NONE, ds_glaciable(s))


cdef inline void speciate_corner(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    if s.gene_pool[s.actor] > 0:
        corners(out, True, s.elements[s.cursor.element])
    else:
        one_range(out, True, DS_CORNER, 0)


cdef inline void speciate_count(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    cdef unsigned limit = r.speciation_limits[ds_terrain(s, ds_first(s.cursor.targets))]
    counts(out, 0, min(limit, <unsigned>s.gene_pool[s.actor]))


cdef inline void speciate_free(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    hexes(out, True, s.earth if s.gene_pool[s.actor] > 0 else 0)


# ---- Wanderlust ----

cdef inline void wander_stack(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    cdef unsigned k, stacks = 0
    for k in range(DS_STACKS):
        stacks |= <unsigned>(s.stack_face_up[k] != DS_NONE) << k
    one_range(out, True, DS_STACK, stacks if stacks and ds_frontier(s) else 0)


cdef inline void wander_element(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    cdef bint vacant = ds_corners_any(ds_vacant_corners_of(s, s.cursor.hex))
    elements(out, True, types_in(s.boxes[DS_BOX_WANDERLUST]) if vacant else 0)


cdef inline void wander_move(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    counts(out, 0, s.tiles[ds_first(s.cursor.targets)].species[s.actor])


# ---- Migration ----

cdef inline void migrate_from(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    # Every tile has a neighbour, so every unmoved species has a tile in reach.
    cdef uint64_t sources = s.presence[s.actor]
    cdef unsigned i, hex
    if s.cursor.hex != DS_NONE:
        sources &= ds_at_least(s.cursor.hex)
        for i in range(7):
            if s.cursor.moved[i][0] == 0:
                break
            hex = s.cursor.moved[i][0] - 1
            if ds_unmoved(s, s.actor, hex) == 0:
                sources &= ~ds_bit(hex)
        if not ds_migration_targets(s, r, s.actor, s.cursor.hex):
            sources &= ~ds_bit(s.cursor.hex)
    hexes(out, True, sources)


cdef inline void migrate_count(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    counts(out, 1, min(ds_unmoved(s, s.actor, s.cursor.hex), <unsigned>s.cursor.left))


# ---- cards ----

cdef inline void aquatic_hex(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    cdef cbool element
    hexes(out, False, ds_aquatic_hexes(s, &element))


cdef inline void catastrophe_hex(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    cdef uint64_t inhabited = ds_inhabited(s), choice = 0
    cdef unsigned h
    for h in range(DS_HEXES):
        if ds_neighbors(s, h) & inhabited or ds_lanes_sum(ds_species(s, h)) >= 2:
            choice |= ds_bit(h)
    hexes(out, False, choice & s.earth)


cdef inline void evolution_animal(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    cdef unsigned a, choice = 0
    if s.gene_pool[s.actor] > 0:
        for a in range(DS_ANIMALS):
            choice |= <unsigned>(s.presence[a] != 0) << a
    animals(out, True, choice & ~<unsigned>s.cursor.targets)


cdef inline void habitat_element(const ds_state_t* s, ds_legal_t* out) noexcept nogil:
    elements(out, False, types_in(s.bag) if ds_corners_any(ds_vacant_corners(s)) else 0)


cdef inline void immigrants(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    elements(out, False, ds_loose_types(s, r, s.actor))
    second_range(out, DS_LOSE_PAWN, 3 if s.pawns[s.actor] > 0 else 2)  # LOSE_SPECIES always (R-CAR-6)


cdef inline void metamorphosis_give(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    elements(out, False, ds_loose_types(s, r, s.actor) if ds_lanes(s.bag) else 0)


# ---- all nodes ----

cdef void legal_actions(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil:
    """What is legal at the state's node; outcomes at a chance node; perhaps nothing, which the driver passes over."""
    cdef unsigned node = s.node, hex = s.cursor.hex, actor = s.actor
    cdef unsigned target = ds_first(s.cursor.targets | ds_bit(63))
    cdef ds_corners_t occupied
    if node == DS_PLACE_PAWN:
        place(s, r, out)
    elif node == DS_REVEAL_CARD:
        reveal_card(s, r, out)
    elif node == DS_REVEAL_TILE:
        reveal_tile(s, out)
    elif node == DS_DRAW_ELEMENT:
        draw_element(s, out)
    elif node == DS_INITIATIVE:
        initiative(s, r, out)
    elif node == DS_ADAPT:
        adapt(s, out)
    elif node == DS_REGRESS:
        regress(s, r, out)
    elif node == DS_ABUNDANCE_ELEMENT:
        abundance_element(s, out)
    elif node == DS_ABUNDANCE_CORNER or node == DS_HABITAT_CORNER:
        corners(out, False, ds_vacant_corners(s))
    elif node == DS_WASTELAND:
        wasteland(s, out)
    elif node == DS_DEPLETE:
        deplete(s, out)
    elif node == DS_GLACIATE:
        glaciate(s, out)
    elif node == DS_SPECIATE_CORNER:
        speciate_corner(s, out)
    elif node == DS_SPECIATE_COUNT:
        speciate_count(s, r, out)
    elif node == DS_SPECIATE_FREE:
        speciate_free(s, out)
    elif node == DS_WANDER_STACK:
        wander_stack(s, out)
    elif node == DS_WANDER_HEX:
        hexes(out, False, ds_frontier(s))
    elif node == DS_WANDER_ELEMENT:
        wander_element(s, out)
    elif node == DS_WANDER_CORNER or node == DS_AQUATIC_CORNER:
        corners(out, False, ds_vacant_corners_of(s, hex))
    elif node == DS_WANDER_MOVE:
        wander_move(s, out)
    elif node == DS_MIGRATE_FROM:
        migrate_from(s, r, out)
    elif node == DS_MIGRATE_TO:
        hexes(out, False, ds_migration_targets(s, r, actor, hex))
    elif node == DS_MIGRATE_COUNT:
        migrate_count(s, out)
    elif node == DS_COMPETE_TILE:
        hexes(out, True, ds_competition_tiles(s))
    elif node == DS_COMPETE_VICTIM:
        animals(out, False, ds_animals_on(s, hex) & ~<unsigned>ds_bit(actor))
    elif node == DS_DOMINATE:
        hexes(out, True, ds_inhabited(s) & ~s.scored)
    elif node == DS_CLAIM:
        hexes(out, True, ds_bit(hex))
    elif node == DS_TAKE_CARD:
        one_range(out, False, DS_CARD, s.face_up)
    elif node == DS_SAVE:
        hexes(out, False, ds_doomed(s, DS_MAMMAL) if ds_has_ability(r, DS_MAMMAL) else 0)
    elif node == DS_AQUATIC_HEX:
        aquatic_hex(s, out)
    elif node == DS_AQUATIC_ELEMENT or node == DS_METAMORPHOSIS_TAKE:
        elements(out, False, types_in(s.bag))
    elif node == DS_AQUATIC_COUNT:
        counts(out, 0, min(4, <unsigned>s.gene_pool[actor]))
    elif node == DS_BIOMASS_VICTIM or node == DS_CATASTROPHE_VICTIM:
        animals(out, False, ds_animals_on(s, target))
    elif node == DS_BLIGHT_HEX:
        hexes(out, False, ds_tiles_with_two_elements(s))
    elif node == DS_BLIGHT_KEEP:
        occupied = ds_occupied_corners(s)
        corners(out, False, ds_corners_and(DS_HEX_CORNERS[hex], occupied))
    elif node == DS_CATASTROPHE_HEX:
        catastrophe_hex(s, out)
    elif node == DS_CATASTROPHE_KEEP:
        animals(out, False, ds_animals_on(s, hex))
    elif node == DS_DISEASE_ELEMENT:
        elements(out, False, ds_loose_types(s, r, actor))
    elif node == DS_EVOLUTION_ANIMAL:
        evolution_animal(s, out)
    elif node == DS_EVOLUTION_HEX:
        hexes(out, False, s.presence[s.cursor.animal])
    elif node == DS_FECUNDITY_COUNT:
        counts(out, 0, min(1, <unsigned>s.gene_pool[actor]))
    elif node == DS_FERTILE_HEX:
        hexes(out, False, s.presence[actor])
    elif node == DS_HABITAT_ELEMENT:
        habitat_element(s, out)
    elif node == DS_HIBERNATE_HEX:
        hexes(out, False, s.earth if s.eliminated[actor] > 0 else 0)
    elif node == DS_HIBERNATE_COUNT:
        counts(out, 0, min(<unsigned>DS_HIBERNATING_MOST, <unsigned>s.eliminated[actor]))
    elif node == DS_IMMIGRANTS_LOSS:
        immigrants(s, r, out)
    elif node == DS_INSTINCT_PLACE:
        one_range(out, False, DS_PLACE, vacant_spaces(s) if s.pawns[actor] > 0 else 0)
    elif node == DS_EXODUS_HEX:
        hexes(out, False, ds_inhabited(s))
    elif node == DS_EXODUS_COUNT:
        counts(out, 0, s.tiles[hex].species[s.cursor.animal])
    elif node == DS_METAMORPHOSIS_GIVE:
        metamorphosis_give(s, r, out)
    elif node == DS_PREDATOR_VICTIM:
        animals(out, False, ds_animals_on(s, target) & ~<unsigned>ds_bit(actor))
    else:
        one_range(out, False, DS_PASS, 0)
