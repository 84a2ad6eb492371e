# cython: language_level=3
"""The driver: from one presented node to the next (P-1)."""
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, realloc

from ds_sim._core.csrc cimport *
from ds_sim._core.movegen cimport legal_actions


cdef int history_add(History* history, unsigned action) noexcept nogil:
    """Appends an action; -1 when memory is out."""
    cdef size_t capacity
    cdef uint8_t* grown
    if history.size == history.capacity:
        capacity = 2 * history.capacity + 1024
        grown = <uint8_t*>realloc(history.actions, capacity)
        if grown == NULL:
            return -1
        history.actions = grown
        history.capacity = capacity
    history.actions[history.size] = <uint8_t>action
    history.size += 1
    return 0


cdef void history_free(History* history) noexcept nogil:
    free(history.actions)
    history.actions = NULL
    history.size = history.capacity = 0


cdef int advance(
    ds_state_t* s, const ds_context_t* ctx, bint explicit_chance, History* history, ds_legal_t* legal
) noexcept nogil:
    """Goes on by itself to the next node with a choice, or to the end, and fills in what is legal there.

    Forced decisions are taken; chance is sampled unless explicit. Chance outcomes among several go into the
    history, if there is one. Returns the number of legal actions, 0 at the end, -1 when memory is out.
    """
    cdef int n
    cdef unsigned action
    while True:
        if not explicit_chance and ds_is_chance(s.node):
            # Drawn even where there is but one outcome, so that a game is the same recorded or not.
            if history == NULL:
                ds_pass_chance(s, ctx)
            else:
                legal_actions(s, ctx.rules, legal)
                action = ds_sample(s, ctx.rules)
                if ds_legal_count(legal) > 1 and history_add(history, action) < 0:
                    return -1
                ds_step(s, ctx, action)
                continue
        legal_actions(s, ctx.rules, legal)
        if s.node == DS_END:
            return 0
        n = <int>ds_legal_count(legal)
        if n > 1:
            return n
        ds_step(s, ctx, ds_legal_at(legal, 0) if n == 1 else <unsigned>DS_PASS)


cdef int go(
    ds_state_t* s, const ds_context_t* ctx, unsigned action, bint explicit_chance, History* history,
    ds_legal_t* legal
) noexcept nogil:
    """Carries out a legal action, notes it, and advances. UNCHECKED: see ds_step."""
    if history != NULL and history_add(history, action) < 0:
        return -1
    ds_step(s, ctx, action)
    return advance(s, ctx, explicit_chance, history, legal)
