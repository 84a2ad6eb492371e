"""Monte Carlo tree search: what a user calls; the tree itself is in _tree.pyx."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import actions
from .._core.playout import PolicyFailure
from ..board import ANIMAL_ID
from ..errors import DsSimError, SearchError, show
from ..playouts import Progress, reporter, run_chunks
from ..policies import Policy, PolicyLike, blame, by_animal, handles
from ..state import State, Utility, as_word
from ._tree import EvaluatorFailure, PriorFailure, Tree
from .evaluators import BatchEvaluator, Evaluator
from .result import Analysis, SearchResult, most_visited, stopping

_UTILITIES: Final = ("win", "rank", "vp")
_PAUSE: Final = 0.05  # seconds, about, between looks at the clock and for Ctrl-C
_SHORT: Final = 256  # leaves in a batch that need not be interrupted
_SLICE: Final = 64  # simulations between looks at the node count
_IDLE: Final = 1024  # simulations without a new node that end a search for nodes
_LINE: Final = 40  # actions of a principal variation

Prior: TypeAlias = Callable[[State], npt.ArrayLike]
"""A prior function: numbers (235,), not negative, for the actions of a state; those of legal ones are scaled
to sum 1."""


class Search:
    """A search that can go on, and follow the game: `run`, then `advance` by what was played, then `run`
    again.

    `policy` plays out, by name, policy or map by animal. `utility` is what is backed up: "win", "rank" or
    "vp". `prior`: a policy, by name, policy or map, or a function of a state (a `Prior`); by default the
    playout policy. `prior_weight` of the prior lies on the action that this policy would take (or as the
    function tells), the rest is even. A uniform policy prefers nothing. `truncate`: decisions after which a
    playout is cut and the `evaluator` asked: the built-in one ("standing"), one of your own (`evaluator`), or
    a Python function on an array of states, called for `batch` leaves at once. `max_nodes` caps the tree, at
    120 bytes a node (1 KB with a prior function); when it is full, simulations go on without growing it. With
    several threads each grows a tree of its own (root parallelism); results depend on (state, arguments,
    seed, threads) alone, unless the budget is time.

    >>> import ds_sim as ds
    >>> state = ds.State(ds.Rules(animals=("bird", "insect")), seed=3)
    >>> search = Search(state, seed=1)
    >>> action = search.run(simulations=100).best
    >>> state.apply(action)
    >>> search.advance(action, state)
    >>> search.run(simulations=100).simulations
    100
    """

    def __init__(
        self,
        state: State,
        *,
        policy: PolicyLike | Mapping[str, PolicyLike] = "uniform",
        utility: Utility = "win",
        chance: Literal["open", "explicit"] = "open",
        selection: Literal["puct", "uct"] = "puct",
        exploration: float = 1.0,
        first_play: float = 0.0,
        prior: Prior | str | Policy | Mapping[str, PolicyLike] | None = None,
        prior_weight: float = 0.5,
        truncate: int | None = None,
        evaluator: Evaluator | BatchEvaluator | None = None,
        batch: int | None = None,
        max_nodes: int = 1_000_000,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        _check_root(state)
        self.seed = secrets.randbits(64) if seed is None else as_word("seed", seed)
        self._busy = threading.Lock()
        self._threads = _integer("threads", threads, 1, 1024)
        room = _integer("max_nodes", max_nodes, 2 * self._threads, 2**31 - 1) // self._threads
        self._explicit = _choice("chance", chance, ("open", "explicit")) == "explicit"
        _choice("utility", utility, _UTILITIES)
        truncate = -1 if truncate is None else _integer("truncate", truncate, 0, 2**31 - 1)
        self._evaluator = _evaluator(evaluator, truncate, utility)
        compiled = self._evaluator if isinstance(self._evaluator, Evaluator) else None
        in_python = None if compiled else self._evaluator
        if batch is None:
            batch = 64 if in_python else 1
        self._chosen = by_animal(policy, state.rules)
        python_prior, self._prior = _prior(prior, self._chosen, state)
        self._state = self._own(state)
        prototype = State(state.rules, seed=0)
        self._held = handles(self._chosen, prototype)
        self._prior_held = None if self._prior is None else handles(self._prior, prototype)
        options: dict[str, Any] = {
            "explicit_chance": self._explicit,
            "puct": _choice("selection", selection, ("puct", "uct")) == "puct",
            "exploration": _number("exploration", exploration, 0.0, 1e6),
            "first_play": _number("first_play", first_play, -1e6, 1e6),
            "prior_weight": _number("prior_weight", prior_weight, 0.0, 1.0),
            "utility": _UTILITIES.index(utility),
            "room": room,
            "batch": _integer("batch", batch, 1, 2**20),
            "truncate": truncate,
            "evaluator": compiled.address if compiled else 0,
            "python_evaluator": in_python,
            "python_prior": python_prior,
        }
        seeds = ((self.seed + k * 0x9E3779B97F4A7C15) % 2**64 for k in range(self._threads))
        try:
            self._trees = [
                Tree(self._state, self._held, self._prior_held, seed=seed, **options) for seed in seeds
            ]
        except MemoryError:
            raise SearchError(
                f"max_nodes = {max_nodes}: no memory for so many nodes, 120 bytes each"
            ) from None

    def _own(self, state: State) -> State:
        """A copy of the position that stops at chance nodes exactly when the search does."""
        return state.clone() if state.explicit_chance == self._explicit else stopping(state, self._explicit)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise SearchError("search: it is running; expected one call at a time")
        try:
            yield
        finally:
            self._busy.release()

    def run(
        self,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        progress: Progress = None,
    ) -> SearchResult:
        """Searches on until the first budget is spent: simulations, seconds, or nodes of the tree. At least
        one is needed.

        A search for nodes ends too when a thousand simulations in a row find none. Ctrl-C returns within a
        second. The result counts everything since the tree began.
        """
        with self._alone():
            return self._run(simulations, seconds, nodes, progress)

    def _run(
        self, simulations: int | None, seconds: float | None, nodes: int | None, progress: Progress
    ) -> SearchResult:
        _check_root(self._state)
        if simulations is None and seconds is None and nodes is None:
            raise SearchError("budget: expected simulations, seconds or nodes")
        total = 2**62 if simulations is None else _integer("simulations", simulations, 0, 2**62)
        limit = None if seconds is None else _number("seconds", seconds, 0.0, 1e9)
        most = None if nodes is None else max(1, _integer("nodes", nodes, 1, 2**40) // self._threads)
        began = time.perf_counter()
        stop = np.zeros(1, np.uint8)
        done = np.zeros(self._threads, np.int64)
        shown = total if simulations is not None else 0
        of_progress: list[Exception] = []

        def tell(done: int, total: int) -> None:
            assert callable(progress)
            try:
                progress(done, total)
            except Exception as error:
                of_progress.append(error)
                raise

        told: Progress = tell if callable(progress) else progress

        def grow(k: int, report: Callable[[int, int], object] | None = None) -> None:
            tree, count = self._trees[k], done[k : k + 1]
            share = total // self._threads + (k < total % self._threads)
            portion = tree.batch if most is None else max(_SLICE, tree.batch)
            grown_at, used = 0, -1
            while count[0] < share and not stop[0]:
                started = time.perf_counter()
                if limit is not None and started - began >= limit:
                    break
                if tree.used != used:
                    grown_at, used = int(count[0]), tree.used
                if most is not None and (used >= min(most, tree.room) or count[0] - grown_at >= _IDLE):
                    break
                tree.grow(min(share - int(count[0]), portion), stop, count)
                if most is None and time.perf_counter() - started < _PAUSE / 2:
                    portion *= 2
                if report is not None:
                    report(int(done.sum()), shown)

        try:
            if self._threads == 1 and self._trees[0].batch <= _SHORT:
                # Here, without the cost of a thread: searches may be short and many.
                with reporter(told) as report:
                    grow(0, report)
                    report(int(done.sum()), shown)
            else:
                run_chunks(grow, self._threads, self._threads, stop, lambda: int(done.sum()), shown, told)
        except PolicyFailure as failure:
            blame(failure, self._chosen, self._held)
        except PriorFailure as failure:
            assert self._prior is not None and self._prior_held is not None
            blame(failure.failure, self._prior, self._prior_held)
        except EvaluatorFailure as failure:
            assert isinstance(self._evaluator, Evaluator)
            explained = self._evaluator.explain(failure.view)
            raise explained from explained.__cause__
        except (DsSimError, MemoryError):
            raise
        except Exception as error:
            if error in of_progress:
                raise
            raise SearchError(f"evaluator or prior: {type(error).__name__}: {error}") from error
        return self._result(int(done.sum()), time.perf_counter() - began)

    def advance(self, action: int | str, state: State | None = None) -> None:
        """Follows the game by one action of the root; what was found below it stays.

        `state`: the position it led to in the game, else the search takes the action itself, drawing chance
        by its own copy's random stream. A position that the action cannot have led to is refused, where no
        chance came between. With explicit chance and without `state` the root may then be a chance node:
        advance by the outcome too; with a `state` beyond a chance node a new tree begins.
        """
        with self._alone():
            own, played = self._state.clone(), self._state._action_id(action)
            own.apply(played)
            taken: int | None = played
            if state is not None:
                own, known = self._given(state, played)
                if self._explicit and not known:
                    taken = None
            for tree in self._trees:
                tree.move_root(taken, own)
            self._state = own

    def _given(self, state: State, action: int) -> tuple[State, bool]:
        """The position that an action led to, and whether no chance came between."""
        if not isinstance(state, State) or state.rules != self._state.rules:
            raise SearchError(f"state = {show(state)}: expected a state under the same rules")
        expected = stopping(self._state, True)
        expected.apply(action)
        known = expected == state
        if not known and not expected.is_chance:
            raise SearchError(
                f"state = {show(state)}: expected the position that {actions.text(action)} leads to"
            )
        return self._own(state), known

    def _result(self, simulations: int, seconds: float) -> SearchResult:
        parts = [tree.root_statistics() for tree in self._trees]
        visits, totals, squares = (np.sum([part[i] for part in parts], axis=0) for i in (1, 2, 3))
        me = ANIMAL_ID[str(self._state.actor)]
        with np.errstate(invalid="ignore", divide="ignore"):
            values = np.where(visits[:, None] > 0, totals / visits[:, None], np.nan)
            variance = np.maximum(squares[:, me] / visits - values[:, me] ** 2, 0.0) * visits / (visits - 1)
            errors = np.where(visits > 1, np.sqrt(variance / visits), np.nan)
        best = most_visited(parts[0][0], visits, values[:, me])
        line = max((tree.principal_variation(best, _LINE) for tree in self._trees), key=len)
        return SearchResult(
            actor=str(self._state.actor),
            actions=parts[0][0],
            visits=visits,
            values=values,
            standard_errors=errors,
            principal_variation=tuple(actions.text(action) for action in line),
            simulations=simulations,
            nodes=sum(int(tree.used) for tree in self._trees),
            seconds=seconds,
            seed=self.seed,
            _state=self._state.clone(),
            _explicit=self._explicit,
        )


def mcts(
    state: State,
    simulations: int | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> SearchResult:
    """Searches a position once: `Search(state, **options).run(...)`; 2,000 simulations if no budget is given.

    >>> import ds_sim as ds
    >>> mcts(ds.State(seed=1), simulations=50, seed=1, policy="uniform").visits.sum()
    np.int64(50)
    """
    if simulations is None and seconds is None and nodes is None:
        simulations = 2000
    return Search(state, **options).run(simulations, seconds=seconds, nodes=nodes, progress=progress)


def analyse(state: State, simulations: int | None = None, *, best: int = 5, **options: Any) -> Analysis:
    """The best actions of a position with win probability and interval (normal, from the standard error).

    >>> import ds_sim as ds
    >>> analysis = analyse(ds.State(seed=1), simulations=200, best=3, seed=1)
    >>> len(analysis.rows), str(analysis).splitlines()[0].split()[0]
    (3, 'action')
    """
    _integer("best", best, 1, actions.N_ACTIONS)
    if options.get("utility", "win") != "win":
        raise SearchError(f"utility = {show(options['utility'])}: an analysis is of 'win'")
    result = mcts(state, simulations, **options)
    rows = []
    mean = result.values[:, ANIMAL_ID[result.actor]]
    for i in np.lexsort((-np.nan_to_num(mean), -result.visits))[:best]:
        if result.visits[i] == 0:
            break
        action, margin = int(result.actions[i]), 1.96 * np.nan_to_num(result.standard_errors[i], nan=1.0)
        low, high = max(0.0, mean[i] - margin), min(1.0, mean[i] + margin)
        rows.append(
            (
                actions.text(action),
                state.describe(action),
                int(result.visits[i]),
                float(mean[i]),
                float(low),
                float(high),
            )
        )
    return Analysis(result.actor, tuple(rows), result)


def _evaluator(given: object, truncate: int, utility: str) -> Evaluator | BatchEvaluator | None:
    if truncate < 0:
        if given is not None:
            raise SearchError(
                "evaluator: without truncate every playout goes to the end; expected truncate=0, 1, ..."
            )
        return None
    if given is None:
        from .standing import STANDING

        return STANDING[utility]
    if not isinstance(given, Evaluator) and not callable(given):
        raise SearchError(
            f"evaluator = {show(given)}: expected an Evaluator or a function of an array of states"
        )
    return given


def _prior(
    given: object, playout: tuple[Policy | None, ...], state: State
) -> tuple[Prior | None, tuple[Policy | None, ...] | None]:
    """A prior function, or the policies whose choice the prior is."""
    if given is None:
        return None, playout
    if isinstance(given, (str, Policy, Mapping)):
        return None, by_animal(given, state.rules)
    if callable(given):
        return given, None
    raise SearchError(f"prior = {show(given)}: expected a policy or a function of a state")


def _check_root(state: object) -> None:
    if not isinstance(state, State):
        raise SearchError(f"state = {show(state)}: expected a ds_sim.State")
    if state.is_terminal:
        raise SearchError("state: the game is over; expected a position with something to decide")
    if state.is_chance:
        raise SearchError(f"state: at the chance node {state.node!r}; expected an animal's decision")


def _choice(name: str, value: object, accepted: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in accepted:
        raise SearchError(f"{name} = {show(value)}: expected one of {', '.join(accepted)}")
    return value


def _integer(name: str, value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise SearchError(f"{name} = {show(value)}: expected an integer from {low} to {high}")
    return int(value)


def _number(name: str, value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not low <= value <= high:
        raise SearchError(f"{name} = {show(value)}: expected a number from {low:g} to {high:g}")
    return float(value)
