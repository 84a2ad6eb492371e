from ds_sim._core.csrc cimport ds_rules_t

cdef class CoreRules:
    cdef ds_rules_t c

cdef void fill_bytes(Py_buffer* buffer, object owner, void* data, Py_ssize_t size)
