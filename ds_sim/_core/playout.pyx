# cython: language_level=3
"""Playing games to their end without the GIL."""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from ds_sim._core.csrc cimport *
from ds_sim._core.driver cimport advance, go
from ds_sim._core.rules cimport CoreRules


cdef unsigned list_legal(const ds_legal_t* legal, uint8_t* actions) noexcept nogil:
    """The legal actions, ascending, into room for 235; returns their number."""
    cdef unsigned n = 0, i
    cdef uint64_t bits
    if legal.pass_:
        actions[0] = DS_PASS
        n = 1
    for i in range(2):
        bits = legal.bits[i]
        while bits:
            actions[n] = <uint8_t>(legal.base[i] + ds_first(bits))
            n += 1
            bits = ds_without_first(bits)
    return n


cdef int ask(
    const ds_state_t* s, const Policy* policy, const ds_legal_t* legal, ds_rng_t* rng, Failure* failure
) noexcept nogil:
    """The action that a compiled policy chooses, or POLICY_FAILED."""
    cdef uint8_t[235] actions
    cdef int32_t n = <int32_t>list_legal(legal, actions), index
    memcpy(&failure.view, s, sizeof(ds_state_t))
    failure.view.rng.word[0] = ds_rng_next(rng)
    failure.view.rng.word[1] = ds_rng_next(rng)
    index = policy.fn(&failure.view, actions, n)
    if 0 <= index < n:
        return actions[index]
    failure.animal = s.actor
    failure.answer = index
    failure.n_legal = n
    return POLICY_FAILED


cdef int play_out(
    ds_state_t* s, const ds_context_t* ctx, const Policy* policies, ds_rng_t* rng, History* history,
    ds_legal_t* legal, int32_t* decisions, Failure* failure
) noexcept nogil:
    """Plays a game to its end. `legal` is what advance filled in for the state, and is used up.

    `policies` has one for each of the six animals; `rng` is the policies' own random stream. Counts the
    decisions presented, chance not counted. Returns an Outcome.
    """
    cdef int n = <int>ds_legal_count(legal), action
    cdef const Policy* policy
    while n > 0:
        policy = &policies[s.actor]
        if policy.fn == NULL:
            action = <int>ds_legal_at(legal, ds_rng_below(rng, <unsigned>n))
        else:
            action = ask(s, policy, legal, rng, failure)
            if action < 0:
                return POLICY_FAILED
        decisions[0] += 1
        n = go(s, ctx, <unsigned>action, False, history, legal)
    return n


def _bench(CoreRules core, uint64_t seed, int games):
    cdef ds_state_t s
    cdef ds_legal_t legal
    cdef ds_context_t ctx
    cdef Policy[6] policies
    cdef ds_rng_t rng
    cdef int32_t decisions = 0
    cdef Failure failure
    cdef int i
    memset(policies, 0, sizeof(policies))
    ctx.rules = &core.c
    ctx.tally = NULL
    with nogil:
        for i in range(games):
            rng = ds_rng_stream(seed, i, DS_LANE_POLICY)
            ds_setup(&s, &ctx, ds_rng_stream(seed, i, DS_LANE_CHANCE))
            advance(&s, &ctx, False, NULL, &legal)
            play_out(&s, &ctx, policies, &rng, NULL, &legal, &decisions, &failure)
    return decisions


def _floor(uint64_t n):
    """One bounded draw, one bit select, one dependent load of a state."""
    cdef ds_state_t s
    cdef ds_rng_t rng = ds_rng_stream(1, 1, 0)
    cdef uint64_t i, x = 0, set = <uint64_t>0x1ffffffffff
    memset(&s, 0, sizeof(s))
    for i in range(41):
        s.owner[i] = <uint8_t>(i * 7)
    with nogil:
        for i in range(n):
            x += s.owner[ds_select(set, ds_rng_below(&rng, 41))]
    return x
