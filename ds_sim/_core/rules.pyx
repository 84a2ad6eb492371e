# cython: language_level=3
"""The rule set as the C core reads it."""
from libc.string cimport memset

import numpy as np

from ds_sim._core.csrc cimport *
from ds_sim._core.layout import RULES

cdef extern from "ds_rules.h":
    """
    #include <stddef.h>
    #define DS_RULE(field) {#field, offsetof(ds_rules_t, field)}
    static const struct { const char *name; size_t offset; } DS_RULE_OFFSETS[] = {
        DS_RULE(animals), DS_RULE(n_animals), DS_RULE(abilities), DS_RULE(n_seats), DS_RULE(seats), DS_RULE(pawns),
        DS_RULE(gene_pool), DS_RULE(fixed), DS_RULE(tile_values), DS_RULE(speciation_limits), DS_RULE(tundra_tiles),
        DS_RULE(initiative_restay), DS_RULE(declared), DS_RULE(max_turns), DS_RULE(handicap), DS_RULE(bonus_vp),
        DS_RULE(cards),
    };
    enum { DS_RULE_FIELDS = sizeof DS_RULE_OFFSETS / sizeof DS_RULE_OFFSETS[0] };
    """
    enum: DS_RULE_FIELDS
    struct rule_offset_t "":
        const char* name
        size_t offset
    const rule_offset_t* DS_RULE_OFFSETS


def layout():
    """Size of a rule set in bytes, and offset of every field, as the C compiler laid them out."""
    return sizeof(ds_rules_t), {
        DS_RULE_OFFSETS[i].name.decode(): DS_RULE_OFFSETS[i].offset for i in range(DS_RULE_FIELDS)
    }


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

    @property
    def array(self):
        """The rule set as a read-only structured array (1,) of layout.RULES, without a copy."""
        return np.frombuffer(self, RULES)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        if flags & 1:  # PyBUF_WRITABLE
            raise BufferError("a rule set is read-only")
        fill_bytes(buffer, self, &self.c, sizeof(ds_rules_t))


cdef void fill_bytes(Py_buffer* buffer, object owner, void* data, Py_ssize_t size):
    """A read-only buffer of bytes."""
    buffer.buf = data
    buffer.obj = owner
    buffer.len = size
    buffer.readonly = True
    buffer.itemsize = 1
    buffer.format = NULL
    buffer.ndim = 1
    buffer.shape = NULL
    buffer.strides = NULL
    buffer.suboffsets = NULL
    buffer.internal = NULL
