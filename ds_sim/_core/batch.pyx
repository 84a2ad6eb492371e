# cython: language_level=3
"""Many states stepped at once. `ds_sim.Batch` checks what comes in and adds names."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

import numpy as np

from ds_sim._core.csrc cimport *
from ds_sim._core.driver cimport advance, go
from ds_sim._core.playout cimport Table, decide, raise_failure, set_policies, set_table
from ds_sim._core.rules cimport CoreRules
from ds_sim._core.state cimport CoreState

from ds_sim._core.layout import STATE

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define DS_PREFETCH(p) __builtin_prefetch(p)
    #else
    #define DS_PREFETCH(p) ((void)(p))
    #endif
    """
    void DS_PREFETCH(const void* p) noexcept nogil


cdef inline void prefetch_state(const ds_state_t* s) noexcept nogil:
    cdef size_t line
    for line in range(0, sizeof(ds_state_t), 64):
        DS_PREFETCH(<const char*>s + line)


cdef class CoreBatch:
    """`states` is a structured array (n,) of layout.STATE that only this class writes to."""

    cdef readonly CoreRules core
    cdef readonly object states
    cdef ds_state_t* s
    cdef ds_legal_t* legal
    cdef ds_context_t ctx
    cdef readonly Py_ssize_t size
    cdef readonly uint64_t seed, first
    cdef uint64_t[::1] games  # the index of the game in each row

    def __cinit__(self, CoreRules core not None, Py_ssize_t size, uint64_t seed, uint64_t first):
        self.core = core
        self.ctx.rules = &core.c
        self.ctx.tally = NULL
        self.size = size
        self.seed = seed
        self.first = first
        self.states = np.zeros(size, STATE)
        cdef uint8_t[::1] raw = self.states.view(np.uint8)
        self.s = <ds_state_t*>&raw[0]
        self.states.flags.writeable = False
        self.games = np.uint64(first) + np.arange(size, dtype=np.uint64)
        self.legal = <ds_legal_t*>calloc(size, sizeof(ds_legal_t))
        if self.legal == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.legal)

    def _begin(self):
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.size):
                self.begin_row(i)

    cdef void begin_row(self, Py_ssize_t i) noexcept nogil:
        ds_setup(&self.s[i], &self.ctx, ds_rng_stream(self.seed, self.games[i], DS_LANE_CHANCE))
        advance(&self.s[i], &self.ctx, False, NULL, &self.legal[i])

    def _copy_from(self, CoreBatch other not None):
        memcpy(self.s, other.s, self.size * sizeof(ds_state_t))
        memcpy(self.legal, other.legal, self.size * sizeof(ds_legal_t))
        self.games[:] = other.games

    def _set_row(self, Py_ssize_t i, CoreState state not None):
        self.s[i] = state.s
        advance(&self.s[i], &self.ctx, False, NULL, &self.legal[i])

    def _get_row(self, Py_ssize_t i, CoreState into not None):
        into.s = self.s[i]
        into.legal = self.legal[i]
        into.n_legal = <int>ds_legal_count(&self.legal[i])

    def _indices(self):
        return np.array(self.games)

    def _legal_mask(self, uint8_t[:, ::1] out not None):
        with nogil:
            ds_legal_flags_of(self.legal, <size_t>self.size, &out[0, 0])

    def _legal_counts(self, int32_t[::1] out not None):
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.size):
                out[i] = <int32_t>ds_legal_count(&self.legal[i])

    def _random_actions(self, uint64_t seed, uint64_t index, uint8_t[::1] out not None):
        cdef ds_rng_t rng = ds_rng_stream(seed, index, DS_LANE_POLICY)
        cdef Py_ssize_t i
        cdef unsigned n
        with nogil:
            for i in range(self.size):
                n = ds_legal_count(&self.legal[i])
                out[i] = <uint8_t>ds_legal_at(&self.legal[i], ds_rng_below(&rng, n)) if n else <uint8_t>DS_PASS

    def _policy_actions(
        self, list policies not None, uint64_t seed, uint64_t index, const uint8_t[::1] where, uint8_t[::1] out not None
    ):
        """The actions that policies choose, in all rows or those marked. Raises PolicyFailure."""
        cdef Table table
        cdef Py_ssize_t i
        cdef int n, action = 0
        set_table(&table, &self.core.c, NULL)
        set_policies(&table, policies)
        table.rng = ds_rng_stream(seed, index, DS_LANE_POLICY)
        with nogil:
            for i in range(self.size):
                n = <int>ds_legal_count(&self.legal[i])
                out[i] = <uint8_t>DS_PASS
                if n == 0 or (where is not None and not where[i]):
                    continue
                action = decide(&self.s[i], &self.legal[i], n, &table)
                if action < 0:
                    break
                out[i] = <uint8_t>action
        if action < 0:
            raise_failure(&self.s[i], &table)

    def _restart(self, const uint8_t[::1] where):
        """Begins, in all rows or those marked, the game `size` further on."""
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.size):
                if where is None or where[i]:
                    self.games[i] += <uint64_t>self.size
                    self.begin_row(i)

    def _first_illegal(self, const uint8_t[::1] actions not None, const uint8_t[::1] where, uint8_t[::1] bad not None):
        """Marks the rows whose action is not legal; at the end of a game only PASS is taken. Returns their number."""
        cdef Py_ssize_t i, n = 0
        with nogil:
            for i in range(self.size):
                bad[i] = (where is None or where[i]) and not (
                    ds_legal_has(&self.legal[i], actions[i]) or (self.s[i].node == DS_END and actions[i] == DS_PASS)
                )
                n += bad[i]
        return n

    def _apply(self, const uint8_t[::1] actions not None, const uint8_t[::1] where, bint auto_reset, uint8_t[::1] ended):
        """Takes a legal action in every row; UNCHECKED. `ended`, if given: rows whose game came to its end in this call."""
        cdef Py_ssize_t i
        cdef bint over
        with nogil:
            for i in range(self.size):
                if i + 1 < self.size:
                    prefetch_state(&self.s[i + 1])
                over = False
                if self.s[i].node != DS_END and (where is None or where[i]):
                    over = go(&self.s[i], &self.ctx, actions[i], False, NULL, &self.legal[i]) == 0
                    if over and auto_reset:
                        self.games[i] += <uint64_t>self.size
                        self.begin_row(i)
                if ended is not None:
                    ended[i] = over
