from ds_sim._core.csrc cimport ds_rules_t

cdef class CoreRules:
    cdef ds_rules_t c
