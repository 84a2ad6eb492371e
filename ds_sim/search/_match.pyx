# cython: language_level=3
"""Plays a state on under policies, up to the next decision of somebody who is not a policy."""
from libc.stdint cimport int64_t, uint8_t, uint64_t

from ds_sim._core.csrc cimport *
from ds_sim._core.driver cimport History, go
from ds_sim._core.playout cimport POLICY_FAILED, Table, ask, raise_failure, set_policies, set_table
from ds_sim._core.rules cimport CoreRules
from ds_sim._core.state cimport CoreState


cdef class Seats:
    """The policies of a game, with their own random stream: that of game `index` of the run with a seed."""

    cdef CoreRules core
    cdef list policies
    cdef unsigned free
    cdef Table table

    def __cinit__(self, CoreRules core not None, list policies not None, uint64_t seed, uint64_t index, *, unsigned free):
        """One policy for each of the six animals, as the core takes them; none is asked for the animals in the bits `free`."""
        self.core = core
        self.policies = policies  # callbacks must live as long as this
        self.free = free
        set_table(&self.table, &core.c, NULL)
        set_policies(&self.table, policies)
        self.table.rng = ds_rng_stream(seed, index, DS_LANE_POLICY)

    def play_on(self, CoreState state not None, const uint8_t[::1] stop not None):
        """Plays up to a decision of a free animal, the end, or until stop[0] is set.

        Returns the decisions played; raises PolicyFailure.
        """
        cdef int action = 0, n = state.n_legal
        cdef int64_t decisions = 0
        cdef History* log = &state.log if state.recording else NULL
        self.table.stop = &stop[0]
        with nogil:
            while n > 0 and not self.free >> state.s.actor & 1 and not stop[0]:
                if self.table.policies[state.s.actor].fn == NULL and self.table.policies[state.s.actor].callback == NULL:
                    action = <int>ds_legal_at(&state.legal, ds_rng_below(&self.table.rng, <unsigned>n))
                else:
                    action = ask(&state.s, &self.table.policies[state.s.actor], &state.legal, &self.table)
                    if action < 0:
                        break
                decisions += 1
                n = go(&state.s, &state.ctx, <unsigned>action, False, log, &state.legal)
                if n >= 0:
                    state.n_legal = n
        if n < 0:
            raise MemoryError
        if action == POLICY_FAILED:
            raise_failure(&state.s, &self.table)
        return decisions
