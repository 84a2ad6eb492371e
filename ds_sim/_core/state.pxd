from ds_sim._core.csrc cimport ds_context_t, ds_legal_t, ds_state_t
from ds_sim._core.driver cimport History
from ds_sim._core.rules cimport CoreRules

cdef class CoreState:
    cdef ds_state_t s
    cdef ds_legal_t legal        # at the node at hand
    cdef int n_legal
    cdef ds_context_t ctx
    cdef History log             # empty unless recording
    cdef readonly CoreRules core
    cdef readonly bint explicit_chance
    cdef readonly bint recording
