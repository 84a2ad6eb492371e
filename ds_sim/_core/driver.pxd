from libc.stdint cimport uint8_t

from ds_sim._core.csrc cimport ds_context_t, ds_legal_t, ds_state_t

# The presented actions of a game, chance included, as one growing string of bytes.
cdef struct History:
    uint8_t* actions
    size_t size, capacity

cdef int history_add(History* history, unsigned action) noexcept nogil
cdef void history_free(History* history) noexcept nogil
cdef int advance(
    ds_state_t* s, const ds_context_t* ctx, bint explicit_chance, History* history, ds_legal_t* legal
) noexcept nogil
cdef int go(
    ds_state_t* s, const ds_context_t* ctx, unsigned action, bint explicit_chance, History* history,
    ds_legal_t* legal
) noexcept nogil
