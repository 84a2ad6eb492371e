# cython: language_level=3
"""Playing games to their end, without the GIL, under any policies."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from ds_sim._core.csrc cimport *
from ds_sim._core.driver cimport advance, go, history_free
from ds_sim._core.rules cimport CoreRules
from ds_sim._core.state cimport CoreState

from ds_sim._core.layout import VIEW

assert VIEW.itemsize == sizeof(View)


cdef void set_table(Table* table, const ds_rules_t* rules, ds_tally_t* tally) noexcept nogil:
    memset(table, 0, sizeof(Table))
    table.ctx.rules = rules
    table.ctx.tally = tally
    table.view.rules = rules[0]
    table.limit = -1


cdef int set_policies(Table* table, list policies) except -1:
    """One for each of the six animals: None (uniform), the address of a policy_fn, or a PythonCallback.

    The caller keeps the callbacks alive.
    """
    cdef unsigned a
    for a in range(DS_ANIMALS):
        if isinstance(policies[a], PythonCallback):
            table.policies[a].callback = <void*>policies[a]
        elif policies[a] is not None:
            table.policies[a].fn = <policy_fn><size_t>policies[a]
    return 0


cdef class PythonCallback:
    """A Python policy as the native loop calls it: `choose(state)` returns an action of the state it is shown.

    `prototype` is any state under the same rule set; what is shown are copies of it, set to the position.
    """

    def __init__(self, choose, CoreState prototype not None):
        self.choose = choose
        self.prototype = prototype
        self.error = None


cdef int ask_python(const ds_state_t* s, PythonCallback callback, const ds_legal_t* legal, Table* table) noexcept with gil:
    cdef CoreState shown
    cdef int action
    try:
        shown = callback.prototype.clone()
        shown.s = s[0]
        shown.legal = legal[0]
        shown.n_legal = table.n_legal
        shown.reseed(ds_rng_next(&table.rng))
        action = shown._action_id(callback.choose(shown.clone()))
        if not 0 <= action < DS_ACTIONS or not ds_legal_has(legal, <unsigned>action):
            shown._refuse_action(action)
        return action
    except BaseException as error:
        callback.error = error
        return POLICY_FAILED


cdef int ask(const ds_state_t* s, const Policy* policy, const ds_legal_t* legal, Table* table) noexcept nogil:
    """The action that a policy chooses, or POLICY_FAILED; then the table tells what it saw and answered.

    STOPPED if the table was told to stop. The policy works on copies, so what it writes there has no effect.
    """
    if table.stop != NULL and table.stop[0]:
        return STOPPED
    table.n_legal = <int32_t>ds_legal_list(legal, table.legal)
    memcpy(&table.view.state, s, sizeof(ds_state_t) - sizeof(ds_rng_t))
    if policy.callback != NULL:
        return ask_python(s, <PythonCallback>policy.callback, legal, table)
    table.view.state.rng.word[0] = ds_rng_next(&table.rng)
    table.view.rules = table.ctx.rules[0]
    memcpy(table.shown, table.legal, table.n_legal)
    table.answer = policy.fn(&table.view, table.shown, table.n_legal)
    if 0 <= table.answer < table.n_legal:
        return table.legal[table.answer]
    return POLICY_FAILED


cdef int decide(const ds_state_t* s, const ds_legal_t* legal, int n, Table* table) noexcept nogil:
    """The action, out of n, that the acting animal's policy chooses; or what `ask` says if it does not."""
    cdef const Policy* policy = &table.policies[s.actor]
    if policy.fn == NULL and policy.callback == NULL:
        return <int>ds_legal_at(legal, ds_rng_below(&table.rng, <unsigned>n))
    return ask(s, policy, legal, table)


cdef int play_out(ds_state_t* s, Table* table, History* history, ds_legal_t* legal) noexcept nogil:
    """Plays a game to its end, or to the table's limit, counting decisions. Returns an Outcome.

    `legal` is what advance filled in for the state, and is used up.
    """
    cdef int n = <int>ds_legal_count(legal), action
    while n > 0 and table.decisions != table.limit:
        action = decide(s, legal, n, table)
        if action < 0:
            return action
        table.decisions += 1
        n = go(s, &table.ctx, <unsigned>action, False, history, legal)
    return OUT_OF_MEMORY if n < 0 else FINISHED


def choose(CoreState state not None, list policies not None, uint64_t seed):
    """What the acting animal's policy does in a state that is no chance node; its random stream is of (seed, 0)."""
    cdef Table table
    cdef int action
    set_table(&table, state.ctx.rules, NULL)
    set_policies(&table, policies)
    table.rng = ds_rng_stream(seed, 0, DS_LANE_POLICY)
    with nogil:
        action = decide(&state.s, &state.legal, state.n_legal, &table)
    if action < 0:
        raise_failure(&state.s, &table)
    return action


# ---- games in bulk ----

cdef class Columns:
    """Rows of the result arrays, one a game; see ds_sim.playouts.Results."""

    cdef int8_t[::1] winner
    cdef int32_t[:, ::1] vp
    cdef int32_t[::1] turns, decisions
    cdef uint8_t[::1] truncated
    cdef int32_t[:, :, ::1] vp_by_source
    cdef int8_t[:, ::1] card_taker
    cdef uint16_t[:, :, ::1] placed
    cdef uint16_t[:, ::1] eliminated
    cdef uint8_t[:, ::1] dominated

    def __init__(self, arrays):
        self.winner = arrays["winner"]
        self.vp = arrays["vp"]
        self.turns = arrays["turns"]
        self.decisions = arrays["decisions"]
        self.truncated = arrays["truncated"].view(np.uint8)
        self.vp_by_source = arrays["vp_by_source"]
        self.card_taker = arrays["card_taker"]
        self.placed = arrays["placed"]
        self.eliminated = arrays["eliminated"]
        self.dominated = arrays["dominated"]

    cdef void fill(self, Py_ssize_t i, const ds_state_t* s, const Table* table) noexcept nogil:
        cdef const ds_tally_t* tally = table.ctx.tally
        cdef unsigned c
        self.winner[i] = <int8_t>ds_winner(s, table.ctx.rules)
        memcpy(&self.vp[i, 0], s.vp, sizeof(s.vp))
        self.turns[i] = s.turn
        self.decisions[i] = table.decisions
        self.truncated[i] = s.truncated
        memcpy(&self.vp_by_source[i, 0, 0], tally.vp, sizeof(tally.vp))
        for c in range(DS_CARDS):
            self.card_taker[i, c] = <int8_t>tally.card_taker[c]  # DS_NONE becomes -1
        memcpy(&self.placed[i, 0, 0], tally.placed, sizeof(tally.placed))
        memcpy(&self.eliminated[i, 0], tally.eliminated, sizeof(tally.eliminated))
        memcpy(&self.dominated[i, 0], tally.dominated, sizeof(tally.dominated))


class PolicyFailure(Exception):
    """A policy raised or answered nonsense: whose policy, what it saw, what it returned."""

    def __init__(self, animal, view, legal, answer):
        super().__init__(animal, answer)
        self.animal, self.view, self.legal, self.answer = animal, view, legal, answer


cdef raise_failure(const ds_state_t* s, const Table* table):
    view = np.frombuffer((<const char*>&table.view)[:sizeof(View)], VIEW)
    legal = np.frombuffer((<const char*>table.legal)[:table.n_legal], np.uint8)
    raise PolicyFailure(s.actor, view, legal, table.answer)


def play_games(
    CoreRules core not None, const uint8_t[::1] starts, list policies not None, uint64_t seed, uint64_t first,
    Py_ssize_t row, Py_ssize_t games, Columns columns not None, list records, const uint8_t[::1] stop not None, int64_t[::1] done not None
):
    """Plays games first, first + 1, ... of the run with a seed into rows row, row + 1, ... of the columns.

    From the setup, or from positions: `starts` holds the bytes of one state for all games, or of one for each row.
    Ends early once stop[0] is set; done[0] counts games. With a list `records`, appends (row, action bytes). Raises
    PolicyFailure. Holds no GIL while it plays.
    """
    cdef ds_state_t s
    cdef ds_legal_t legal
    cdef ds_tally_t tally
    cdef Table table
    cdef History history
    cdef History* log = NULL
    cdef Py_ssize_t i = 0
    cdef uint64_t index
    cdef int outcome = FINISHED
    cdef bint one = starts is not None and starts.shape[0] == sizeof(ds_state_t)
    set_table(&table, &core.c, &tally)
    set_policies(&table, policies)
    table.stop = &stop[0]
    memset(&history, 0, sizeof(history))
    if records is not None:
        log = &history
    try:
        with nogil:
            while i < games and not stop[0]:
                index = first + <uint64_t>i
                ds_tally_clear(&tally)
                table.rng = ds_rng_stream(seed, index, DS_LANE_POLICY)
                table.decisions = 0
                history.size = 0
                if starts is None:
                    ds_setup(&s, &table.ctx, ds_rng_stream(seed, index, DS_LANE_CHANCE))
                else:
                    memcpy(&s, &starts[0 if one else (row + i) * <Py_ssize_t>sizeof(ds_state_t)], sizeof(ds_state_t))
                    s.rng = ds_rng_stream(seed, index, DS_LANE_CHANCE)
                outcome = advance(&s, &table.ctx, False, log, &legal)
                if outcome > 0:
                    outcome = play_out(&s, &table, log, &legal)
                if outcome < 0:
                    break
                columns.fill(row + i, &s, &table)
                if log != NULL:
                    with gil:
                        records.append((row + i, (<const char*>history.actions)[:history.size]))
                i += 1
                done[0] = i
        if outcome == OUT_OF_MEMORY:
            raise MemoryError
        if outcome == POLICY_FAILED:
            raise_failure(&s, &table)
    finally:
        history_free(&history)
