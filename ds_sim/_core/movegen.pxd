from ds_sim._core.csrc cimport ds_legal_t, ds_rules_t, ds_state_t

cdef void legal_actions(const ds_state_t* s, const ds_rules_t* r, ds_legal_t* out) noexcept nogil
