# cython: language_level=3
"""Native loops that the benchmarks set beside ours, and what the core was built with."""
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from ds_sim._core.csrc cimport *
from ds_sim._core.state cimport CoreState

cdef extern from *:
    """
    #if defined(__VERSION__)
    #define DS_COMPILER __VERSION__
    #elif defined(_MSC_VER)
    #define DS_COMPILER "MSVC"
    #else
    #define DS_COMPILER "unknown"
    #endif
    #if defined(DS_X86_PATHS)
    #define DS_PATH_POPCNT __builtin_cpu_supports("popcnt")
    #define DS_PATH_PDEP ds_has_fast_pdep()
    #else
    #define DS_PATH_POPCNT 0
    #define DS_PATH_PDEP 0
    #endif
    /* Keeps the compiler from dropping or merging what it would otherwise see to be unused. */
    #if defined(__GNUC__)
    #define DS_TOUCH(p) __asm__ volatile("" : : "r"(p) : "memory")
    #else
    #define DS_TOUCH(p) ((void)(p))
    #endif
    """
    const char* DS_COMPILER
    bint DS_PATH_POPCNT, DS_PATH_PDEP
    void DS_TOUCH(const void* p) noexcept nogil


def build():
    """The compiler of the core, and the instruction paths taken on this processor."""
    return {"compiler": DS_COMPILER.decode(), "popcnt": bool(DS_PATH_POPCNT), "pdep": bool(DS_PATH_PDEP)}


def floor_loop(uint64_t n):
    """n times one bounded draw, one bit select and one dependent load of a state: what a random decision costs at least."""
    cdef ds_state_t s
    cdef ds_rng_t rng = ds_rng_stream(1, 1, DS_LANE_POLICY)
    cdef uint64_t i, total = 0, spaces = ds_bit(DS_SPACES) - 1
    memset(&s, 0, sizeof(s))
    for i in range(DS_SPACES):
        s.owner[i] = <uint8_t>(i % DS_ANIMALS)
    with nogil:
        for i in range(n):
            total += s.owner[ds_select(spaces, ds_rng_below(&rng, DS_SPACES))]
    return total


def copy_loop(CoreState state not None, uint64_t n):
    """n times a state copied by assignment, as the search does it."""
    cdef ds_state_t copy
    cdef uint64_t i
    with nogil:
        for i in range(n):
            copy = state.s
            DS_TOUCH(&copy)


def memcpy_loop(CoreState state not None, uint64_t n):
    """n times a memcpy of as many bytes between two plain buffers."""
    cdef uint8_t[4096] a, b
    cdef uint64_t i
    memcpy(a, &state.s, sizeof(ds_state_t))
    with nogil:
        for i in range(n):
            memcpy(b, a, sizeof(ds_state_t))
            DS_TOUCH(b)
