# cython: language_level=3
"""The rule set as the C core reads it."""
from libc.string cimport memset

from ds_sim._core.csrc cimport *


cdef class CoreRules:
    """The C form of `ds_sim.Rules`, made from its `tables()`, which are already validated."""

    def __cinit__(self, tables):
        cdef ds_rules_t* r = &self.c
        cdef unsigned a, i, t
        memset(r, 0, sizeof(ds_rules_t))
        for a in range(DS_ANIMALS):
            r.animals |= tables.animals[a] << a
            r.abilities |= tables.abilities[a] << a
            r.pawns[a] = tables.pawns[a]
            r.gene_pool[a] = tables.gene_pool[a]
            r.handicap[a] = tables.handicap[a]
            # R-SET-2: two printed elements, the amphibian's ability is a third.
            r.fixed[a] = 3 if a == 3 and tables.abilities[a] else 2
        r.n_animals = sum(tables.animals)
        r.n_seats = len(tables.seats)
        for i, seat in enumerate(tables.seats):
            r.seats[i] = seat
        for t in range(DS_TERRAINS + 1):
            r.speciation_limits[t] = tables.speciation_limits[t]
            for i, value in enumerate(tables.tile_values[t]):
                r.tile_values[t][i] = value
        for i in range(1, DS_HEXES + 1):  # R-VP-1: the last value holds for all above
            r.bonus_vp[i] = tables.bonus_vp[min(i, len(tables.bonus_vp)) - 1]
        r.tundra_tiles = tables.tundra_tiles
        r.initiative_restay = tables.initiative_restay
        r.declared = tables.declared
        r.max_turns = tables.max_turns
        r.cards = tables.cards
