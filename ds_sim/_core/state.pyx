# cython: language_level=3
"""A single state, checked at every door. `ds_sim.State` adds names and plain data on top."""
from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

cimport numpy as cnp
import numpy as np

from ds_sim._core.csrc cimport *
from ds_sim._core.driver cimport advance, go, history_add, history_free
from ds_sim._core.layout import STATE
from ds_sim._core.movegen cimport legal_actions as generate
from ds_sim._core.rules cimport fill_bytes

cnp.import_array()

cdef object UINT8 = np.uint8

cdef extern from "ds_state.h":
    """
    #include <stddef.h>
    enum { DS_POSITION_SIZE = offsetof(ds_state_t, rng) };
    #define DS_OFFSET(field) {#field, offsetof(ds_state_t, field)}
    static const struct { const char *name; size_t offset; } DS_OFFSETS[] = {
        DS_OFFSET(tiles), DS_OFFSET(presence), DS_OFFSET(terrain), DS_OFFSET(earth), DS_OFFSET(tundra),
        DS_OFFSET(scored), DS_OFFSET(elements), DS_OFFSET(shore), DS_OFFSET(spaces), DS_OFFSET(held),
        DS_OFFSET(boxes), DS_OFFSET(bag), DS_OFFSET(unseen_tiles), DS_OFFSET(pawns), DS_OFFSET(gene_pool),
        DS_OFFSET(eliminated), DS_OFFSET(vp), DS_OFFSET(face_up), DS_OFFSET(taken), DS_OFFSET(owner),
        DS_OFFSET(initiative), DS_OFFSET(stack_face_up), DS_OFFSET(stack_left), DS_OFFSET(tundra_left),
        DS_OFFSET(hibernating_animal), DS_OFFSET(hibernating_hex), DS_OFFSET(hibernating_count), DS_OFFSET(node),
        DS_OFFSET(actor), DS_OFFSET(phase), DS_OFFSET(truncated), DS_OFFSET(turn),
        DS_OFFSET(cursor.targets), DS_OFFSET(cursor.place), DS_OFFSET(cursor.space), DS_OFFSET(cursor.stage),
        DS_OFFSET(cursor.draw), DS_OFFSET(cursor.protects), DS_OFFSET(cursor.card), DS_OFFSET(cursor.hex),
        DS_OFFSET(cursor.target), DS_OFFSET(cursor.element), DS_OFFSET(cursor.animal), DS_OFFSET(cursor.left),
        DS_OFFSET(cursor.stack), DS_OFFSET(cursor.moved), DS_OFFSET(rng),
    };
    enum { DS_FIELDS = sizeof DS_OFFSETS / sizeof DS_OFFSETS[0] };
    """
    enum: DS_POSITION_SIZE, DS_FIELDS
    struct offset_t "":
        const char* name
        size_t offset
    const offset_t* DS_OFFSETS


def layout():
    """Size of a state in bytes, and offset of every field, as the C compiler laid them out."""
    return sizeof(ds_state_t), {DS_OFFSETS[i].name.decode(): DS_OFFSETS[i].offset for i in range(DS_FIELDS)}


cdef uint64_t hash_bytes(const void* data, size_t size, uint64_t seed) noexcept nogil:
    """Multiply and rotate over words; size is a multiple of 4. The same in every process."""
    cdef uint64_t h = seed ^ <uint64_t>0x9e3779b97f4a7c15
    cdef uint32_t word
    cdef size_t i
    for i in range(0, size, 4):
        memcpy(&word, <const char*>data + i, 4)
        h = (h ^ word) * <uint64_t>0xbf58476d1ce4e5b9
        h ^= h >> 29
    return h


cdef ds_rules_t NO_RULES  # of a state that was never begun; such a one is over
memset(&NO_RULES, 0, sizeof(ds_rules_t))
NO_RULES.animals = NO_RULES.seats[0] = NO_RULES.n_animals = NO_RULES.n_seats = 1

VP_MOST = 10_000_000  # accepted from outside; beyond anything that 1,000 turns can bring


cdef class CoreState:
    def __cinit__(self, *args, **kwargs):
        memset(&self.log, 0, sizeof(self.log))
        memset(&self.s, 0, sizeof(self.s))
        memset(&self.legal, 0, sizeof(self.legal))
        self.ctx.rules = &NO_RULES

    def __dealloc__(self):
        history_free(&self.log)

    # ---- beginnings ----

    def _begin(self, CoreRules core, uint64_t seed, uint64_t index, bint explicit_chance, bint recording):
        """The setup, at the first node that is presented."""
        self._attach(core, explicit_chance, recording)
        ds_setup(&self.s, &self.ctx, ds_rng_stream(seed, index, DS_LANE_CHANCE))
        self.n_legal = advance(
            &self.s, &self.ctx, self.explicit_chance, &self.log if self.recording else NULL, &self.legal
        )
        if self.n_legal < 0:
            raise MemoryError

    def _attach(self, CoreRules core, bint explicit_chance, bint recording):
        self.core = core
        self.ctx.rules = &core.c
        self.ctx.tally = NULL
        self.explicit_chance = explicit_chance
        self.recording = recording

    def _load(self, const uint8_t[::1] raw not None, const uint8_t[::1] history):
        """Takes over the bytes of a state after checking them; a text that says what is wrong, or None."""
        cdef const char* fault
        cdef ds_state_t s
        if raw.shape[0] != sizeof(ds_state_t):
            return f"size: {raw.shape[0]} bytes, expected {sizeof(ds_state_t)}"
        memcpy(&s, &raw[0], sizeof(ds_state_t))
        fault = ds_verify(&s, self.ctx.rules)
        if fault != NULL:
            return fault.decode()
        if max(s.vp) > VP_MOST:
            return f"vp: {max(s.vp)}, expected at most {VP_MOST}"
        if ds_is_chance(s.node) and not self.explicit_chance:
            return "node: a chance node, where a state that samples chance by itself never stands; use explicit_chance=True"
        self.s = s
        generate(&self.s, self.ctx.rules, &self.legal)
        self.n_legal = <int>ds_legal_count(&self.legal)
        if self.n_legal < 2 and self.s.node != DS_END:
            return f"node: {self.n_legal} actions are legal, but a state only stands where there are two or more (P-1)"
        if history is not None:
            for action in history:
                if history_add(&self.log, action) < 0:
                    raise MemoryError
        return None

    def _copy_from(self, CoreState other):
        self._attach(other.core, other.explicit_chance, other.recording)
        self.s = other.s
        self.legal = other.legal
        self.n_legal = other.n_legal
        cdef size_t i
        for i in range(other.log.size):
            if history_add(&self.log, other.log.actions[i]) < 0:
                raise MemoryError

    def _reseed(self, uint64_t seed, uint64_t index):
        self.s.rng = ds_rng_stream(seed, index, DS_LANE_CHANCE)

    # ---- play ----

    def apply(self, action):
        """Carries out a legal action, by id or text, and goes on to the next presented node.

        An illegal one raises `IllegalAction`, and nothing is changed.
        """
        cdef unsigned a
        if type(action) is not int:  # what legal_actions gives are np.uint8
            action = int(action) if type(action) is UINT8 else self._action_id(action)
        if not 0 <= action < DS_ACTIONS or not ds_legal_has(&self.legal, <unsigned>action):
            self._refuse_action(action)
        a = action
        self.n_legal = go(
            &self.s, &self.ctx, a, self.explicit_chance, &self.log if self.recording else NULL, &self.legal
        )
        if self.n_legal < 0:
            raise MemoryError

    def _trace(self, const uint8_t[::1] actions not None, const cnp.intp_t[::1] places not None,
               const cnp.intp_t[::1] widths not None, uint8_t[::1] out not None):
        """Carries out actions; writes those bytes of the state, `widths` from `places`, before each and after the
        last. How many were legal, and so carried out, before one was not.
        """
        cdef Py_ssize_t at = 0, i = 0, k
        with nogil:
            for i in range(actions.shape[0] + 1):
                for k in range(places.shape[0]):
                    memcpy(&out[at], <const char*>&self.s + places[k], widths[k])
                    at += widths[k]
                if i == actions.shape[0] or not ds_legal_has(&self.legal, actions[i]):
                    break
                self.n_legal = go(
                    &self.s, &self.ctx, actions[i], self.explicit_chance, &self.log if self.recording else NULL,
                    &self.legal,
                )
                if self.n_legal < 0:
                    break
        if self.n_legal < 0:
            raise MemoryError
        return i

    def _take_over(self, CoreState other not None):
        """Becomes what the other is, which is used up."""
        self.s, self.legal, self.n_legal = other.s, other.legal, other.n_legal
        self.log, other.log = other.log, self.log

    def legal_actions(self):
        """The legal actions in ascending order: uint8 array (n,), n at least 2, or 0 at the end of the game.

        At a chance node these are the possible outcomes.
        """
        cdef uint8_t[256] actions
        cdef cnp.npy_intp n = <cnp.npy_intp>ds_legal_list(&self.legal, actions)
        cdef cnp.ndarray out = cnp.PyArray_EMPTY(1, &n, cnp.NPY_UINT8, 0)
        memcpy(cnp.PyArray_DATA(out), actions, n)
        return out

    def legal_mask(self):
        """Which of the 235 actions are legal: bool array (235,)."""
        cdef cnp.npy_intp n = DS_ACTIONS
        cdef cnp.ndarray mask = cnp.PyArray_EMPTY(1, &n, cnp.NPY_BOOL, 0)
        ds_legal_flags(&self.legal, <uint8_t*>cnp.PyArray_DATA(mask))
        return mask

    def _chance_outcomes(self):
        cdef uint8_t weights[26]
        cdef unsigned base, total = ds_chance_weights(&self.s, self.ctx.rules, weights, &base)
        return [(base + i, <double>weights[i] / <double>total) for i in range(DS_CARDS) if weights[i] > 0]

    # ---- questions ----

    @property
    def is_terminal(self):
        """Whether the game is over."""
        return self.s.node == DS_END

    @property
    def is_chance(self):
        """Whether the state stands at a chance node (explicit chance only)."""
        return ds_is_chance(self.s.node)

    @property
    def turn(self):
        """The turn, from 1; at the end the last one played."""
        return self.s.turn

    @property
    def truncated(self):
        """Whether `max_turns` ended the game (R-END-3)."""
        return self.s.truncated

    @property
    def scores(self):
        """VPs now: int32 array (6,) in food chain order, zeros for animals not in play."""
        return np.array([self.s.vp[a] for a in range(DS_ANIMALS)], dtype=np.int32)

    @property
    def history(self):
        """The actions presented and taken so far, chance included, as bytes; empty unless made with `record=True`."""
        return self.log.actions[:self.log.size]

    @property
    def _node(self):
        return self.s.node

    @property
    def _actor(self):
        return self.s.actor

    def _winner(self):
        return ds_winner(&self.s, self.ctx.rules)

    def dominant(self):
        """Who dominates each hex (R-DOM-3, R-DOM-4): int8 array (35,), an animal 0..5, or -1 for nobody."""
        out = np.full(DS_HEXES, -1, dtype=np.int8)
        cdef cnp.int8_t[::1] view = out
        cdef unsigned h, animal
        for h in range(DS_HEXES):
            animal = ds_dominant(&self.s, self.ctx.rules, h)
            if animal != DS_NONE:
                view[h] = <cnp.int8_t>animal
        return out

    def matches(self):
        """The match of every animal with every hex (R-DOM-1): uint8 array (6, 35), 0..36; zero where no tile is."""
        out = np.zeros((DS_ANIMALS, DS_HEXES), dtype=np.uint8)
        cdef uint8_t[:, ::1] view = out
        cdef unsigned h, a
        cdef uint64_t lanes
        for h in range(DS_HEXES):
            lanes = ds_matches(&self.s, h) if ds_has(self.s.earth, h) else 0
            for a in range(DS_ANIMALS):
                view[a, h] = <uint8_t>((lanes >> 8 * a) & 0xff)
        return out

    def verify(self):
        """Recomputes all that is cached and counts all that is conserved; raises AssertionError if anything is off."""
        cdef const char* fault = ds_verify(&self.s, self.ctx.rules)
        if fault != NULL:
            raise AssertionError(fault.decode())

    # ---- bytes, equality, hash ----

    @property
    def array(self):
        """The state as a read-only structured array (1,) of layout.STATE, without a copy: it follows the game."""
        return np.frombuffer(self, STATE)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        if flags & 1:  # PyBUF_WRITABLE
            raise BufferError("a state is read-only; use apply")
        fill_bytes(buffer, self, &self.s, sizeof(ds_state_t))

    def _raw(self):
        return (<const char*>&self.s)[:sizeof(ds_state_t)]

    def _same_position(self, CoreState other not None):
        return memcmp(&self.s, &other.s, DS_POSITION_SIZE) == 0 and \
            memcmp(self.ctx.rules, other.ctx.rules, sizeof(ds_rules_t)) == 0

    def __hash__(self):
        cdef uint64_t h = hash_bytes(self.ctx.rules, sizeof(ds_rules_t), 0)
        return <Py_ssize_t>hash_bytes(&self.s, DS_POSITION_SIZE, h)
