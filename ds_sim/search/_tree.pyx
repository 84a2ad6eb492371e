# cython: language_level=3
"""The tree of a Monte Carlo tree search, grown without the GIL. `ds_sim.search` checks what comes in.

A tree holds, for every node, its visits and the sum of the returns of all six animals (max^n backup: whoever decides
looks at its own component). With open-loop chance a node stands for a sequence of decisions, and chance is drawn anew in
each simulation; with explicit chance the outcomes are nodes too.

Visits are counted on the way down and returns on the way up: within a batch of leaves, what waits for its value counts
as visits that brought nothing (a virtual loss), so the leaves spread.
"""
from libc.math cimport INFINITY, isfinite, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

from ds_sim._core.csrc cimport *
from ds_sim._core.driver cimport advance, go
from ds_sim._core.playout cimport OUT_OF_MEMORY, POLICY_FAILED, STOPPED, Policy, Table, View
from ds_sim._core.playout cimport ask, play_out, raise_failure, set_policies, set_table
from ds_sim._core.rules cimport CoreRules
from ds_sim._core.state cimport CoreState

from ds_sim._core.layout import STATE, VIEW
from ds_sim._core.playout import PolicyFailure

# An evaluator compiled by Numba: what a position is worth to each of the six animals; below zero on failure.
ctypedef int32_t (*evaluator_fn)(const View* view, double* out) noexcept nogil

cdef enum:
    NOBODY = -1
    NO_CHOICE = 255

cdef enum Utility:
    WIN, RANK, VP

cdef enum Fault:  # and those of playouts
    EVALUATOR_FAILED = -3
    PRIOR_FAILED = -4
    PRIOR_POLICY_FAILED = -5

cdef struct Node:
    int32_t first_child, next_sibling  # or NOBODY
    uint32_t visits
    uint8_t action    # that led here
    uint8_t choice    # what the prior policy would do here, or NO_CHOICE
    uint8_t prepared  # priors are known
    double total[6]   # of returns
    double square[6]  # sums of squares of returns
    float* priors     # by action, as a prior function gave them; NULL without one

# A leaf that waits for its value.
cdef struct Leaf:
    int32_t* path    # from the root on
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


class PriorFailure(Exception):
    """A policy failed that was asked for a prior."""

    def __init__(self, failure):
        super().__init__()
        self.failure = failure


class EvaluatorFailure(Exception):
    """A compiled evaluator raised, or answered a number that is not finite, when shown `view`."""

    def __init__(self, view):
        super().__init__()
        self.view = view


cdef class Tree:
    cdef readonly CoreRules core
    cdef Node* nodes
    cdef readonly int32_t used, room
    cdef readonly int64_t simulations
    cdef ds_state_t root
    cdef ds_legal_t root_legal
    cdef Table table
    cdef Policy[6] prior_policies
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
    cdef object kept, error

    def __cinit__(
        self, CoreState state not None, list policies not None, list prior_policies, *, uint64_t seed,
        bint explicit_chance, bint puct, double exploration, double first_play, double prior_weight, int utility,
        int32_t room, int32_t batch, int32_t truncate, size_t evaluator, python_evaluator, python_prior
    ):
        self.core = state.core
        self.kept = policies, prior_policies  # callbacks must live as long as this
        set_table(&self.table, &self.core.c, NULL)
        if prior_policies is not None:
            set_policies(&self.table, prior_policies)
            self.prior_policies = self.table.policies
            set_table(&self.table, &self.core.c, NULL)
        set_policies(&self.table, policies)
        self.table.limit = truncate
        self.prototype = state
        self.root = state.s
        self.root_legal = state.legal
        self.seed, self.room, self.batch = seed, room, batch
        self.explicit_chance, self.puct = explicit_chance, puct
        self.policy_prior = prior_weight > 0 and prior_policies is not None
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

    cdef double worth(self, double total, uint32_t visits) noexcept nogil:
        """A mean return, for utility "vp" scaled to 0..1 by the least and most seen; 0.5 where nothing is known."""
        if visits == 0:
            return 0.5
        if self.utility != VP:
            return total / visits
        return (total / visits - self.low) / (self.high - self.low) if self.high > self.low else 0.5

    cdef int prepare(self, Node* node, const ds_state_t* s, const ds_legal_t* legal) noexcept nogil:
        """Priors of a node that is selected from for the first time."""
        cdef const Policy* policy = &self.prior_policies[s.actor]
        cdef int action
        node.choice = NO_CHOICE
        if self.python_prior is not None:
            with gil:
                if self.ask_prior(node, s, legal) < 0:
                    return PRIOR_FAILED
        elif self.policy_prior and (policy.fn != NULL or policy.callback != NULL):
            action = ask(s, policy, legal, &self.table)
            if action < 0:
                return PRIOR_POLICY_FAILED if action == POLICY_FAILED else action
            node.choice = <uint8_t>action
        node.prepared = True
        return 0

    cdef int ask_prior(self, Node* node, const ds_state_t* s, const ds_legal_t* legal) noexcept:
        cdef CoreState shown
        cdef float[::1] given
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
            node.priors = <float*>malloc(DS_ACTIONS * sizeof(float))
            if node.priors == NULL:
                raise MemoryError
            memcpy(node.priors, &given[0], DS_ACTIONS * sizeof(float))
            return 0
        except BaseException as error:
            self.error = error
            return PRIOR_FAILED

    cdef void fill_priors(self, const Node* node, const uint8_t* actions, unsigned n, double* prior) noexcept nogil:
        """By action: the priors of the n actions that are legal now, with sum 1."""
        cdef double uniform = 1.0 / n, rest = (1 - self.prior_weight) * uniform, total = 0
        cdef unsigned k
        cdef bint chosen = False
        for k in range(n):
            chosen |= actions[k] == node.choice
            if node.priors != NULL:
                total += node.priors[actions[k]]
        for k in range(n):
            if total > 0:
                prior[actions[k]] = rest + self.prior_weight * node.priors[actions[k]] / total
            elif chosen:
                prior[actions[k]] = rest + (self.prior_weight if actions[k] == node.choice else 0)
            else:
                prior[actions[k]] = uniform

    cdef unsigned select(self, int32_t index, const ds_state_t* s, const ds_legal_t* legal, int32_t* child) noexcept nogil:
        """The action to look at next, and the node it leads to, NOBODY if it is new.

        Once the pool is full only visited actions count, as long as one of them is legal.
        """
        cdef Node* node = &self.nodes[index]
        cdef Node* option
        cdef uint8_t[256] actions
        cdef double[256] prior
        cdef uint64_t[4] tried
        cdef unsigned n = ds_legal_list(legal, actions), k, action, best = actions[0], actor = s.actor, ties = 0
        cdef double parent = node.visits, value, most = -INFINITY
        # Its visits include the one under way.
        cdef double unseen = self.worth(node.total[actor], node.visits - 1) - self.first_play
        cdef int32_t i = node.first_child
        self.fill_priors(node, actions, n, prior)
        memset(tried, 0, sizeof(tried))
        child[0] = NOBODY
        while i != NOBODY:
            option = &self.nodes[i]
            action = option.action
            if option.visits > 0 and ds_legal_has(legal, action):
                tried[action >> 6] |= ds_bit(action & 63)
                value = self.worth(option.total[actor], option.visits)
                if self.puct:
                    value += self.exploration * prior[action] * sqrt(parent) / (1 + option.visits)
                else:
                    value += self.exploration * sqrt(log(parent) / option.visits)
                if value > most:
                    most, best, child[0] = value, action, i
            i = option.next_sibling
        if child[0] != NOBODY and self.used == self.room:
            return best
        for k in range(n):
            action = actions[k]
            if ds_has(tried[action >> 6], action & 63):
                continue
            value = unseen + self.exploration * prior[action] * sqrt(parent) if self.puct else 1e9 + prior[action]
            if value < most:
                continue
            ties = ties + 1 if value == most and child[0] == NOBODY else 1
            if ties == 1 or ds_rng_below(&self.table.rng, ties) == 0:  # among equals one at random
                most, best, child[0] = value, action, NOBODY
        if child[0] == NOBODY:
            child[0] = self.child_of(index, best)  # made, but not visited: of a simulation that failed
        return best

    cdef int descend(self, Leaf* leaf, ds_state_t* s) noexcept nogil:
        """One simulation down the tree to a new node, then the playout. Fills in the leaf; visits are counted here."""
        cdef ds_legal_t legal = self.root_legal
        cdef int32_t index = 0, child
        cdef unsigned action
        cdef int n, fault
        cdef bint chance, grown = False
        s[0] = self.root
        s.rng = ds_rng_stream(self.seed, <uint64_t>self.simulations, DS_LANE_CHANCE)
        self.table.rng = ds_rng_stream(self.seed, <uint64_t>self.simulations, DS_LANE_POLICY)
        self.simulations += 1
        leaf.length = 0
        leaf.settled = False
        n = <int>ds_legal_count(&legal)
        while True:
            if self.note(leaf, index) < 0:
                return OUT_OF_MEMORY
            self.nodes[index].visits += 1
            if grown or n == 0:
                break
            chance = ds_is_chance(s.node)
            if chance:
                action = ds_sample(s, self.table.ctx.rules)
                child = self.child_of(index, action)
            else:
                if not self.nodes[index].prepared:
                    fault = self.prepare(&self.nodes[index], s, &legal)
                    if fault < 0:
                        return fault
                action = self.select(index, s, &legal, &child)
            if child == NOBODY:
                grown = not chance  # outcomes of chance are passed through
                child = self.new_node(index, action)
            n = go(s, &self.table.ctx, action, self.explicit_chance, NULL, &legal)
            if child == NOBODY:
                break
            index = child
        self.table.decisions = 0
        if ds_is_chance(s.node):
            advance(s, &self.table.ctx, False, NULL, &legal)
        fault = play_out(s, &self.table, NULL, &legal)
        if fault < 0:
            return fault
        if s.node == DS_END:
            fill_returns(s, self.table.ctx.rules, self.utility, leaf.value)
            leaf.settled = True
        return 0

    cdef int note(self, Leaf* leaf, int32_t index) noexcept nogil:
        cdef void* grown
        if leaf.length == leaf.room:
            grown = realloc(leaf.path, (2 * leaf.room + 64) * sizeof(int32_t))
            if grown == NULL:
                return -1
            leaf.path = <int32_t*>grown
            leaf.room = 2 * leaf.room + 64
        leaf.path[leaf.length] = index
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
            self.table.view.state, self.table.view.rules = self.leaf_state[i], self.table.ctx.rules[0]
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
        cdef unsigned a
        for i in range(leaf.length):
            node = &self.nodes[leaf.path[i]]
            for a in range(DS_ANIMALS):
                node.total[a] += leaf.value[a]
                node.square[a] += leaf.value[a] * leaf.value[a]
        for a in range(DS_ANIMALS):
            if ds_in_play(self.table.ctx.rules, a):
                self.low = min(self.low, leaf.value[a])
                self.high = max(self.high, leaf.value[a])

    cdef void withdraw(self, int32_t count) noexcept nogil:
        """Takes back the visits of simulations that are not backed up."""
        cdef int32_t i, k
        for i in range(count):
            for k in range(self.leaves[i].length):
                self.nodes[self.leaves[i].path[k]].visits -= 1

    cdef int run_batch(self, int32_t count, int32_t* last) noexcept nogil:
        """Simulations whose leaves are evaluated together: all are backed up, or none."""
        cdef int fault = 0
        cdef int32_t i
        for i in range(count):
            last[0] = i
            fault = self.descend(&self.leaves[i], &self.leaf_state[i])
            if fault == 0 and self.table.stop[0]:
                fault = STOPPED
            if fault < 0:
                self.withdraw(i + 1)
                return fault
        fault = self.settle(count)
        if fault < 0:
            self.withdraw(count)
            return fault
        for i in range(count):
            self.back_up(&self.leaves[i])
        return 0

    def grow(self, int64_t simulations, const uint8_t[::1] stop not None, int64_t[::1] done not None):
        """Runs simulations, in batches; ends early once stop[0] is set. Counts them up in done[0]."""
        cdef int64_t made = 0
        cdef int32_t count, last = 0
        cdef int fault = 0
        self.table.stop = &stop[0]
        with nogil:
            while made < simulations and not stop[0]:
                count = <int32_t>min(<int64_t>self.batch, simulations - made)
                fault = self.run_batch(count, &last)
                if fault < 0:
                    break
                made += count
                done[0] += count
        self.table.stop = NULL
        if fault < 0 and fault != STOPPED:
            self.fail(fault, &self.leaf_state[last])

    cdef fail(self, int fault, const ds_state_t* state):
        if fault == OUT_OF_MEMORY:
            raise MemoryError
        if fault == POLICY_FAILED:
            raise_failure(state, &self.table)
        if fault == PRIOR_POLICY_FAILED:
            try:
                raise_failure(state, &self.table)
            except PolicyFailure as failure:
                raise PriorFailure(failure) from None
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        raise EvaluatorFailure(np.frombuffer((<const char*>&self.table.view)[:sizeof(View)], VIEW))

    # ---- results ----

    def root_statistics(self):
        """actions uint8 (n,), visits int64 (n,), totals and sums of squares (n, 6) of all legal actions, ascending."""
        cdef uint8_t[256] legal
        cdef unsigned n = ds_legal_list(&self.root_legal, legal), k, a
        cdef int32_t child
        actions = np.array([legal[k] for k in range(n)], dtype=np.uint8)
        visits = np.zeros(n, np.int64)
        totals, squares = np.zeros((2, n, DS_ANIMALS))
        for k in range(n):
            child = self.child_of(0, legal[k])
            if child == NOBODY:
                continue
            visits[k] = self.nodes[child].visits
            for a in range(DS_ANIMALS):
                totals[k, a] = self.nodes[child].total[a]
                squares[k, a] = self.nodes[child].square[a]
        return actions, visits, totals, squares

    def principal_variation(self, int first, int length):
        """An action of the root, then the most visited ones below it; with explicit chance outcomes are among them."""
        cdef int32_t best = self.child_of(0, <unsigned>first), child
        line = []
        while best != NOBODY and self.nodes[best].visits > 0 and len(line) < length:
            line.append(self.nodes[best].action)
            child = self.nodes[best].first_child
            best = NOBODY
            while child != NOBODY:
                if best == NOBODY or self.nodes[child].visits > self.nodes[best].visits or (
                    self.nodes[child].visits == self.nodes[best].visits and self.nodes[child].action < self.nodes[best].action
                ):
                    best = child
                child = self.nodes[child].next_sibling
        return line

    # ---- reuse ----

    def move_root(self, action, CoreState state not None):
        """Makes the node behind an action the root, for a state that has come about; the rest of the tree is forgotten.

        Without a node behind it, or with None, a new tree begins.
        """
        cdef int32_t top = self.child_of(0, action) if action is not None else NOBODY
        cdef int32_t i, old_used = self.used
        cdef Node* old = self.nodes
        cdef Node* fresh = <Node*>malloc(self.room * sizeof(Node))
        cdef int32_t* sources = <int32_t*>malloc(old_used * sizeof(int32_t))
        if fresh == NULL or sources == NULL:
            free(fresh)
            free(sources)
            raise MemoryError
        self.nodes, self.used = fresh, 0
        with nogil:
            self.new_node(NOBODY, DS_PASS)
            if top != NOBODY:
                self.copy_subtree(old, top, sources)
            for i in range(old_used):
                free(old[i].priors)  # those taken over are NULL by now
            free(old)
            free(sources)
            # They were of a position that chance may have made another.
            free(fresh.priors)
            fresh.priors = NULL
            fresh.prepared = False
        self.root = state.s
        self.root_legal = state.legal
        self.prototype = state

    cdef void copy_subtree(self, Node* old, int32_t top, int32_t* sources) noexcept nogil:
        """Copies old[top] and all below over the root, breadth first; sources[i] is where node i comes from."""
        cdef int32_t i = 0, child, copy
        sources[0] = top
        self.take_over(0, &old[top])
        while i < self.used:
            child = old[sources[i]].first_child
            while child != NOBODY:
                copy = self.new_node(i, old[child].action)
                self.take_over(copy, &old[child])
                sources[copy] = child
                child = old[child].next_sibling
            i += 1

    cdef void take_over(self, int32_t index, Node* source) noexcept nogil:
        """All of a node but its place in the tree."""
        cdef Node* node = &self.nodes[index]
        cdef int32_t first_child = node.first_child, next_sibling = node.next_sibling
        node[0] = source[0]
        node.first_child, node.next_sibling = first_child, next_sibling
        source.priors = NULL
