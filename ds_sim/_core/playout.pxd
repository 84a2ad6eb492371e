from libc.stdint cimport int32_t, uint8_t

from ds_sim._core.csrc cimport ds_context_t, ds_legal_t, ds_rng_t, ds_rules_t, ds_state_t, ds_tally_t
from ds_sim._core.driver cimport History

# What a compiled policy is shown: a copy of the state whose random stream is replaced by a private random word, and
# the rule set.
cdef struct View:
    ds_state_t state
    ds_rules_t rules

# A policy compiled by Numba. Returns an index into the n legal actions, or something below zero on failure.
ctypedef int32_t (*policy_fn)(const View* view, const uint8_t* legal, int32_t n) noexcept nogil

# One animal's policy; with neither fn nor callback: uniform.
cdef struct Policy:
    policy_fn fn
    void* callback  # a PythonCallback, run with the GIL

cdef enum Outcome:
    FINISHED = 0
    OUT_OF_MEMORY = -1
    POLICY_FAILED = -2
    STOPPED = -6

# All that is needed to play games one after the other in one thread.
cdef struct Table:
    ds_context_t ctx
    Policy policies[6]
    ds_rng_t rng       # the policies' own random stream
    int32_t decisions  # presented in this game, chance not counted
    int32_t limit      # stop after so many decisions; below zero: only at the end
    const uint8_t* stop  # or NULL; once it is set, no policy is asked any more
    View view          # as last shown to a policy
    uint8_t legal[256]
    uint8_t shown[256] # the policy's own copy of it
    int32_t n_legal
    int32_t answer     # what it returned

cdef class PythonCallback:
    cdef readonly object choose
    cdef readonly object prototype
    cdef public object error

cdef void set_table(Table* table, const ds_rules_t* rules, ds_tally_t* tally) noexcept nogil
cdef int set_policies(Table* table, list policies) except -1
cdef int ask(const ds_state_t* s, const Policy* policy, const ds_legal_t* legal, Table* table) noexcept nogil
cdef int decide(const ds_state_t* s, const ds_legal_t* legal, int n, Table* table) noexcept nogil
cdef int play_out(ds_state_t* s, Table* table, History* history, ds_legal_t* legal) noexcept nogil
cdef raise_failure(const ds_state_t* s, const Table* table)
