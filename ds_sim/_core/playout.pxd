from libc.stdint cimport int32_t, uint8_t

from ds_sim._core.csrc cimport ds_context_t, ds_legal_t, ds_rng_t, ds_state_t
from ds_sim._core.driver cimport History

# A policy compiled by Numba: sees a copy of the state whose `rng` holds private random words instead, and the legal
# actions; returns an index into them, or something below zero on failure.
ctypedef int32_t (*policy_fn)(const ds_state_t* view, const uint8_t* legal, int32_t n) noexcept nogil

# One animal's policy. Neither fn nor callback: uniform.
cdef struct Policy:
    policy_fn fn
    void* callback  # a Python callable, run with the GIL

cdef enum Outcome:
    FINISHED = 0
    OUT_OF_MEMORY = -1
    POLICY_FAILED = -2

# What a failed policy did: whose it was, the state it saw, what it returned.
cdef struct Failure:
    uint8_t animal
    int32_t answer
    int32_t n_legal
    ds_state_t view

cdef int play_out(
    ds_state_t* s, const ds_context_t* ctx, const Policy* policies, ds_rng_t* rng, History* history,
    ds_legal_t* legal, int32_t* decisions, Failure* failure
) noexcept nogil
