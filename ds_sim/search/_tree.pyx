# cython: language_level=3
"""The tree of a Monte Carlo tree search, grown without the GIL. `ds_sim.search` checks what comes in.

A tree holds, for every node, its visits and the sum of the returns of all six animals (max^n backup: whoever decides
looks at its own component). With open-loop chance a node stands for a sequence of decisions, and chance is drawn anew in
each simulation; with explicit chance the outcomes are nodes too.
"""
from libc.math cimport INFINITY, isfinite, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

from ds_sim._core.csrc cimport *
from ds_sim._core.driver cimport advance, go
from ds_sim._core.playout cimport FINISHED, OUT_OF_MEMORY, POLICY_FAILED, Table, View, ask, play_out, raise_failure
from ds_sim._core.playout cimport set_policies, set_table
from ds_sim._core.rules cimport CoreRules
from ds_sim._core.state cimport CoreState

from ds_sim._core.layout import STATE

# An evaluator compiled by Numba: what a position is worth to each of the six animals; below zero on failure.
ctypedef int32_t (*evaluator_fn)(const View* view, double* out) noexcept nogil

cdef enum:
    NOBODY = -1

cdef enum Utility:
    WIN, RANK, VP

cdef enum Stop:
    EVALUATOR_FAILED = -3
    PRIOR_FAILED = -4

cdef struct Node:
    int32_t first_child, next_sibling  # or NOBODY
    uint32_t visits
    uint8_t action   # that led here
    uint8_t choice   # what the playout policy would do here, valid once chosen
    uint8_t chosen
    double total[6]  # of returns
    double square    # sum of squares of the returns of the animal that chose this node
    float* priors    # by action, where a prior function is used

# A leaf that waits for its value.
cdef struct Leaf:
    int32_t* path
    uint8_t* movers  # who chose each node of the path after the first
    int32_t length, room
    double value[6]
    bint settled     # value is known


cdef void fill_returns(const ds_state_t* s, const ds_rules_t* r, int utility, double* out) noexcept nogil:
    """State.returns at the end of a game."""
    cdef uint64_t[6] keys
    cdef unsigned a, i, k, better, lowest
    memset(out, 0, 6 * sizeof(double))
    if utility == VP:
        for a in range(DS_ANIMALS):
            out[a] = s.vp[a]
        return
    for i in range(r.n_seats):  # R-END-1: a seat is compared by its lowest animal, ties by food chain
        lowest = ds_first(r.seats[i])
        for a in range(DS_ANIMALS):
            if ds_has(r.seats[i], a) and s.vp[a] < s.vp[lowest]:
                lowest = a
        keys[i] = <uint64_t>s.vp[lowest] * 6 + (5 - lowest)
    for i in range(r.n_seats):
        better = 0
        for k in range(r.n_seats):
            better += keys[k] > keys[i]
        for a in range(DS_ANIMALS):
            if ds_has(r.seats[i], a):
                if utility == WIN:
                    out[a] = better == 0
                else:
                    out[a] = 1.0 - <double>better / max(<int>r.n_seats - 1, 1)


cdef class Tree:
    cdef readonly CoreRules core
    cdef Node* nodes
    cdef readonly int32_t used, room
    cdef readonly int64_t simulations
    cdef ds_state_t root
    cdef ds_legal_t root_legal
    cdef Table table
    cdef readonly uint64_t seed
    cdef bint explicit_chance, puct, policy_prior
    cdef int utility
    cdef double exploration, first_play, prior_weight, low, high
    cdef Leaf* leaves
    cdef readonly int32_t batch
    cdef object leaf_states      # (batch,) of STATE
    cdef ds_state_t* leaf_state
    cdef evaluator_fn evaluator
    cdef object python_evaluator, python_prior, prototype
    cdef object policies, error

    def __cinit__(
        self, CoreState state not None, list policies not None, *, uint64_t seed, bint explicit_chance, bint puct,
        double exploration, double first_play, double prior_weight, int utility, int32_t room, int32_t batch,
        int32_t truncate, size_t evaluator, python_evaluator, python_prior
    ):
        cdef int32_t i
        self.core = state.core
        self.policies = policies  # keeps callbacks alive
        set_table(&self.table, &self.core.c, NULL)
        set_policies(&self.table, policies)
        self.table.limit = truncate
        self.prototype = state
        self.root = state.s
        self.root_legal = state.legal
        self.seed, self.room, self.batch = seed, room, batch
        self.explicit_chance, self.puct = explicit_chance, puct
        self.policy_prior = prior_weight > 0 and python_prior is None
        self.exploration, self.first_play, self.prior_weight = exploration, first_play, prior_weight
        self.utility = utility
        self.low, self.high = INFINITY, -INFINITY
        self.evaluator = <evaluator_fn>evaluator
        self.python_evaluator, self.python_prior = python_evaluator, python_prior
        self.nodes = <Node*>malloc(room * sizeof(Node))
        self.leaves = <Leaf*>calloc(batch, sizeof(Leaf))
        self.leaf_states = np.zeros(batch, STATE)
        cdef uint8_t[::1] raw = self.leaf_states.view(np.uint8)
        self.leaf_state = <ds_state_t*>&raw[0]
        if self.nodes == NULL or self.leaves == NULL:
            raise MemoryError
        self.new_node(NOBODY, DS_PASS)

    def __dealloc__(self):
        cdef int32_t i
        if self.nodes != NULL:
            for i in range(self.used):
                free(self.nodes[i].priors)
        free(self.nodes)
        if self.leaves != NULL:
            for i in range(self.batch):
                free(self.leaves[i].path)
                free(self.leaves[i].movers)
        free(self.leaves)

    # ---- nodes ----

    cdef int32_t new_node(self, int32_t parent, unsigned action) noexcept nogil:
        """A new child, or NOBODY when the pool is full."""
        cdef Node* node
        if self.used == self.room:
            return NOBODY
        node = &self.nodes[self.used]
        memset(node, 0, sizeof(Node))
        node.first_child = node.next_sibling = NOBODY
        node.action = <uint8_t>action
        if parent != NOBODY:
            node.next_sibling = self.nodes[parent].first_child
            self.nodes[parent].first_child = self.used
        self.used += 1
        return self.used - 1

    cdef int32_t child_of(self, int32_t parent, unsigned action) noexcept nogil:
        cdef int32_t child = self.nodes[parent].first_child
        while child != NOBODY and self.nodes[child].action != action:
            child = self.nodes[child].next_sibling
        return child

    # ---- selection ----

    cdef double worth(self, const Node* node, unsigned actor) noexcept nogil:
        """The mean return of an animal, scaled to 0..1 for utility "vp" by the least and most seen."""
        cdef double mean = node.total[actor] / node.visits
        if self.utility != VP:
            return mean
        return (mean - self.low) / (self.high - self.low) if self.high > self.low else 0.5

    cdef double prior(self, const Node* node, unsigned action, unsigned n) noexcept nogil:
        cdef double uniform = 1.0 / n
        if node.priors != NULL:
            return (1 - self.prior_weight) * uniform + self.prior_weight * node.priors[action]
        if self.policy_prior:
            return (1 - self.prior_weight) * uniform + (self.prior_weight if action == node.choice else 0)
        return uniform

    cdef int prepare(self, Node* node, const ds_state_t* s, const ds_legal_t* legal) noexcept nogil:
        """Priors of a node that is selected from for the first time."""
        cdef int action
        node.chosen = True
        if self.python_prior is not None:
            with gil:
                return self.ask_prior(node, s, legal)
        if self.policy_prior:
            if self.table.policies[s.actor].fn == NULL and self.table.policies[s.actor].callback == NULL:
                node.choice = 255
                return 0
            action = ask(s, &self.table.policies[s.actor], legal, &self.table)
            if action < 0:
                return POLICY_FAILED
            node.choice = <uint8_t>action
        return 0

    cdef int ask_prior(self, Node* node, const ds_state_t* s, const ds_legal_t* legal) noexcept:
        cdef CoreState shown
        cdef float[::1] given
        cdef double total = 0
        cdef unsigned a
        try:
            shown = self.prototype.clone()
            shown.s, shown.legal, shown.n_legal = s[0], legal[0], <int>ds_legal_count(legal)
            shown.reseed(self.seed)
            answer = np.asarray(self.python_prior(shown))
            if answer.shape != (DS_ACTIONS,) or answer.dtype.kind not in "fiu":
                raise ValueError(f"prior: {answer.dtype} {answer.shape}, expected numbers of shape ({DS_ACTIONS},)")
            given = np.ascontiguousarray(answer, dtype=np.float32)
            if not np.isfinite(given).all() or np.min(given) < 0:
                raise ValueError("prior: expected finite numbers that are not negative")
            node.priors = <float*>calloc(DS_ACTIONS, sizeof(float))
            if node.priors == NULL:
                raise MemoryError
            for a in range(DS_ACTIONS):
                if ds_legal_has(legal, a):
                    total += given[a]
            for a in range(DS_ACTIONS):
                if ds_legal_has(legal, a):
                    node.priors[a] = <float>(given[a] / total) if total > 0 else <float>(1.0 / shown.n_legal)
            return 0
        except BaseException as error:
            self.error = error
            return PRIOR_FAILED

    cdef unsigned select(self, int32_t index, const ds_state_t* s, const ds_legal_t* legal, int32_t* child) noexcept nogil:
        """The action to look at next, and the node it leads to, NOBODY if it is new."""
        cdef Node* node = &self.nodes[index]
        cdef Node* option
        cdef uint8_t[256] actions
        cdef uint64_t[4] tried
        cdef unsigned n = ds_legal_list(legal, actions), k, action, best = actions[0], actor = s.actor, ties = 0
        cdef double parent = node.visits if node.visits > 1 else 1
        cdef double value, p, most = -INFINITY
        cdef double unseen = self.worth(node, actor) - self.first_play if node.visits else 0.5
        cdef int32_t i = node.first_child
        memset(tried, 0, sizeof(tried))
        child[0] = NOBODY
        while i != NOBODY:
            option = &self.nodes[i]
            if ds_legal_has(legal, option.action) and option.visits > 0:
                tried[option.action >> 6] |= ds_bit(option.action & 63)
                if self.puct:
                    p = self.prior(node, option.action, n)
                    value = self.worth(option, actor) + self.exploration * p * sqrt(parent) / (1 + option.visits)
                else:
                    value = self.worth(option, actor) + self.exploration * sqrt(log(parent) / option.visits)
                if value > most:
                    most, best, child[0] = value, option.action, i
            i = option.next_sibling
        for k in range(n):
            action = actions[k]
            if ds_has(tried[action >> 6], action & 63):
                continue
            p = self.prior(node, action, n)
            value = unseen + self.exploration * p * sqrt(parent) if self.puct else 1e9 + p
            if value < most:
                continue
            ties = ties + 1 if value == most and child[0] == NOBODY else 1
            if ties == 1 or ds_rng_below(&self.table.rng, ties) == 0:  # among equals one at random
                most, best, child[0] = value, action, NOBODY
        if child[0] == NOBODY:
            child[0] = self.child_of(index, best)  # made, but not visited
        return best

    cdef int descend(self, Leaf* leaf, ds_state_t* s) noexcept nogil:
        """One simulation down the tree to a new node, then the playout. Fills in the leaf; visits are counted here."""
        cdef ds_legal_t legal = self.root_legal
        cdef int32_t index = 0, child
        cdef unsigned action, mover
        cdef int n, fault
        cdef bint grown = False
        s[0] = self.root
        s.rng = ds_rng_stream(self.seed, <uint64_t>self.simulations, DS_LANE_CHANCE)
        self.table.rng = ds_rng_stream(self.seed, <uint64_t>self.simulations, DS_LANE_POLICY)
        self.simulations += 1
        leaf.length = 0
        leaf.settled = False
        n = <int>ds_legal_count(&legal)
        while True:
            if self.note(leaf, index, mover if leaf.length else 0) < 0:
                return OUT_OF_MEMORY
            self.nodes[index].visits += 1
            if grown or n == 0:
                break
            mover = s.actor
            if ds_is_chance(s.node):
                action = ds_sample(s, self.table.ctx.rules)
                child = self.child_of(index, action)
            else:
                if not self.nodes[index].chosen:
                    fault = self.prepare(&self.nodes[index], s, &legal)
                    if fault < 0:
                        return fault
                action = self.select(index, s, &legal, &child)
            if child == NOBODY:
                grown = mover != DS_CHANCE  # outcomes of chance are passed through
                child = self.new_node(index, action)
            n = go(s, &self.table.ctx, action, self.explicit_chance, NULL, &legal)
            if child == NOBODY:
                break
            index = child
        self.table.decisions = 0
        if n > 0 or ds_is_chance(s.node):
            n = advance(s, &self.table.ctx, False, NULL, &legal)
            if n > 0:
                fault = play_out(s, &self.table, NULL, &legal)
                if fault < 0:
                    return fault
        if s.node == DS_END:
            fill_returns(s, self.table.ctx.rules, self.utility, leaf.value)
            leaf.settled = True
        return 0

    cdef int note(self, Leaf* leaf, int32_t index, unsigned mover) noexcept nogil:
        cdef void* grown
        if leaf.length == leaf.room:
            grown = realloc(leaf.path, (2 * leaf.room + 64) * sizeof(int32_t))
            if grown == NULL:
                return -1
            leaf.path = <int32_t*>grown
            grown = realloc(leaf.movers, 2 * leaf.room + 64)
            if grown == NULL:
                return -1
            leaf.movers = <uint8_t*>grown
            leaf.room = 2 * leaf.room + 64
        leaf.path[leaf.length] = index
        leaf.movers[leaf.length] = <uint8_t>mover
        leaf.length += 1
        return 0

    # ---- evaluation, backup ----

    cdef int settle(self, int32_t count) noexcept nogil:
        """Values for the leaves whose playout was cut off."""
        cdef int32_t i
        cdef unsigned a
        cdef bint open_leaves = False
        for i in range(count):
            if self.leaves[i].settled:
                continue
            if self.evaluator == NULL:
                open_leaves = True
                continue
            self.table.view.state = self.leaf_state[i]
            self.table.view.state.rng.word[0] = ds_rng_next(&self.table.rng)
            self.table.view.state.rng.word[1] = 0
            memset(self.leaves[i].value, 0, sizeof(self.leaves[i].value))
            if self.evaluator(&self.table.view, self.leaves[i].value) < 0:
                return EVALUATOR_FAILED
            for a in range(DS_ANIMALS):
                if not isfinite(self.leaves[i].value[a]):
                    return EVALUATOR_FAILED
        if open_leaves:
            with gil:
                return self.ask_evaluator(count)
        return 0

    cdef int ask_evaluator(self, int32_t count) noexcept:
        """One call of the Python evaluator for all open leaves."""
        cdef const double[:, :] values
        cdef int32_t i, k = 0
        cdef unsigned a
        try:
            rows = [i for i in range(count) if not self.leaves[i].settled]
            states = self.leaf_states[rows]
            states["rng"] = 0
            answer = np.asarray(self.python_evaluator(states))
            if answer.shape != (len(rows), DS_ANIMALS) or answer.dtype.kind not in "fiu":
                raise ValueError(
                    f"evaluator: {answer.dtype} {answer.shape}, expected numbers of shape ({len(rows)}, {DS_ANIMALS})"
                )
            answer = np.ascontiguousarray(answer, dtype=np.float64)
            if not np.isfinite(answer).all():
                raise ValueError("evaluator: expected finite numbers")
            values = answer
            for i in rows:
                for a in range(DS_ANIMALS):
                    self.leaves[i].value[a] = values[k, a]
                k += 1
            return 0
        except BaseException as error:
            self.error = error
            return EVALUATOR_FAILED

    cdef void back_up(self, const Leaf* leaf) noexcept nogil:
        cdef Node* node
        cdef int32_t i
        cdef unsigned a, mover
        for i in range(leaf.length):
            node = &self.nodes[leaf.path[i]]
            for a in range(DS_ANIMALS):
                node.total[a] += leaf.value[a]
            mover = leaf.movers[i]
            if i > 0 and mover < DS_ANIMALS:
                node.square += leaf.value[mover] * leaf.value[mover]
        for a in range(DS_ANIMALS):
            if ds_in_play(self.table.ctx.rules, a):
                self.low = min(self.low, leaf.value[a])
                self.high = max(self.high, leaf.value[a])

    cdef void withdraw(self, int32_t count) noexcept nogil:
        """Takes back the visits of simulations that failed."""
        cdef int32_t i, k
        for i in range(count):
            for k in range(self.leaves[i].length):
                self.nodes[self.leaves[i].path[k]].visits -= 1

    def grow(self, int64_t simulations, const uint8_t[::1] stop not None, int64_t[::1] done not None):
        """Runs simulations, in batches; ends early once stop[0] is set. done[0] counts them."""
        cdef int64_t made = 0
        cdef int32_t count, i = 0
        cdef int fault = 0
        with nogil:
            while made < simulations and not stop[0]:
                count = <int32_t>min(<int64_t>self.batch, simulations - made)
                for i in range(count):
                    fault = self.descend(&self.leaves[i], &self.leaf_state[i])
                    if fault < 0:
                        self.withdraw(i + 1)
                        break
                if fault == 0:
                    fault = self.settle(count)
                    if fault < 0:
                        self.withdraw(count)
                if fault < 0:
                    break
                for i in range(count):
                    self.back_up(&self.leaves[i])
                made += count
                done[0] = made
        if fault < 0:
            self.fail(fault, i)

    cdef fail(self, int fault, int32_t i):
        if fault == OUT_OF_MEMORY:
            raise MemoryError
        if fault == POLICY_FAILED:
            raise_failure(&self.leaf_state[i], &self.table)
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        raise ValueError("evaluator: raised, or returned a number that is not finite")

    # ---- results ----

    def root_statistics(self):
        """actions uint8 (n,), visits int64 (n,), totals (n, 6), squares (n,) of all legal actions, ascending."""
        cdef uint8_t[256] legal
        cdef unsigned n = ds_legal_list(&self.root_legal, legal), k, a
        cdef int32_t child
        actions = np.array([legal[k] for k in range(n)], dtype=np.uint8)
        visits = np.zeros(n, np.int64)
        totals, squares = np.zeros((n, DS_ANIMALS)), np.zeros(n)
        for k in range(n):
            child = self.child_of(0, legal[k])
            if child == NOBODY:
                continue
            visits[k] = self.nodes[child].visits
            squares[k] = self.nodes[child].square
            for a in range(DS_ANIMALS):
                totals[k, a] = self.nodes[child].total[a]
        return actions, visits, totals, squares

    def principal_variation(self, int length):
        """The most visited actions from the root on; with explicit chance the most visited outcomes among them."""
        cdef int32_t index = 0, child, best
        line = []
        while len(line) < length:
            best = NOBODY
            child = self.nodes[index].first_child
            while child != NOBODY:
                if best == NOBODY or self.nodes[child].visits > self.nodes[best].visits or (
                    self.nodes[child].visits == self.nodes[best].visits and self.nodes[child].action < self.nodes[best].action
                ):
                    best = child
                child = self.nodes[child].next_sibling
            if best == NOBODY or self.nodes[best].visits == 0:
                break
            line.append(self.nodes[best].action)
            index = best
        return line

    # ---- reuse ----

    def move_root(self, action, CoreState state not None):
        """Makes the node behind an action the root, for a state that has come about; the rest of the tree is forgotten."""
        cdef int32_t child = self.child_of(0, action) if action is not None else NOBODY
        cdef Node* old = self.nodes
        cdef int32_t old_used = self.used, i
        cdef Node* fresh = <Node*>malloc(self.room * sizeof(Node))
        if fresh == NULL:
            raise MemoryError
        self.nodes, self.used = fresh, 0
        self.new_node(NOBODY, DS_PASS)
        if child != NOBODY:
            self.copy_subtree(old, child)
        for i in range(old_used):
            free(old[i].priors)  # those taken over are NULL by now
        free(old)
        self.root = state.s
        self.root_legal = state.legal
        self.prototype = state
        self.nodes[0].chosen = False

    cdef void copy_subtree(self, Node* old, int32_t top):
        """Copies old[top] and all below over the root, breadth first."""
        cdef int32_t i = 0, child, copy
        sources = [top]
        self.take_over(0, &old[top])
        while i < self.used:
            child = old[<int32_t>sources[i]].first_child
            while child != NOBODY:
                copy = self.new_node(i, old[child].action)
                self.take_over(copy, &old[child])
                sources.append(child)
                child = old[child].next_sibling
            i += 1

    cdef void take_over(self, int32_t index, Node* source):
        cdef Node* node = &self.nodes[index]
        cdef int32_t next_sibling = node.next_sibling
        cdef int32_t first_child = node.first_child
        node[0] = source[0]
        node.next_sibling, node.first_child = next_sibling, first_child
        source.priors = NULL
