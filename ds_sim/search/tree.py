"""Monte Carlo tree search: what a user calls; the tree itself is in _tree.pyx."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from .. import actions
from .._core.playout import PolicyFailure
from ..board import ANIMAL_ID
from ..errors import DsSimError, IllegalAction, SearchError, show
from ..playouts import Progress, run_chunks
from ..policies import PolicyLike, blame, by_animal, handles
from ..state import State, Utility, as_word
from ._tree import Tree
from .evaluators import STANDING, BatchEvaluator, Evaluator

_UTILITIES: Final = ("win", "rank", "vp")
_SLICE: Final = 64  # simulations between looks at the clock and the node count

Prior = Callable[[State], npt.ArrayLike]
"""A prior function: numbers (235,), not negative, for the actions of a state; those of legal ones are scaled to sum 1."""


@dataclass(frozen=True)
class SearchResult:
    """What a search found at its root. Rows are the legal actions, ascending."""

    actor: str
    actions: npt.NDArray[np.uint8]
    """(n,): action ids."""
    visits: npt.NDArray[np.int64]
    """(n,): simulations that began with each."""
    values: npt.NDArray[np.float64]
    """(n, 6): mean return of every animal, NaN where never visited."""
    standard_errors: npt.NDArray[np.float64]
    """(n,): of the actor's mean return, simulations taken as independent; NaN below two visits."""
    principal_variation: tuple[str, ...]
    """The most visited line, as action texts."""
    simulations: int
    nodes: int
    """Nodes of the tree, over all threads."""
    seconds: float
    seed: int
    _state: State

    @property
    def best(self) -> int:
        """The most visited action; among equals that of the higher mean return, then the lower id."""
        mean = np.nan_to_num(self.values[:, ANIMAL_ID[self.actor]], nan=-np.inf)
        return int(self.actions[np.lexsort((-self.actions.astype(int), mean, self.visits))[-1]])

    @property
    def policy(self) -> npt.NDArray[np.float64]:
        """(235,): the share of visits of every action; a target for learning."""
        share = np.zeros(actions.N_ACTIONS)
        share[self.actions] = self.visits / max(1, self.visits.sum())
        return share

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation in words, from the root's position; it ends where chance has a say."""
        state, words = self._state.clone(), []
        for text in self.principal_variation:
            try:
                sentence = state.describe(text)
                state.apply(text)
            except IllegalAction:
                break
            words.append(sentence)
        return tuple(words)


class Search:
    """A search that can go on, and follow the game: `run`, then `advance` by what was played, then `run` again.

    `policy` plays out, by name, policy or map by animal. `utility` is what is backed up: "win", "rank" or "vp".
    `prior_weight` of the prior lies on the action that the playout policy would take (or on `prior`'s), the rest is even.
    `truncate`: decisions after which a playout is cut and the `evaluator` asked: the built-in one ("standing"), one of
    your own (`evaluator`), or a Python function on an array of states, called for `batch` leaves at once.
    `max_nodes` caps the tree; when it is full, simulations go on without growing it. With several threads each grows a tree
    of its own (root parallelism); results depend on (state, arguments, seed, threads) alone, unless the budget is time.

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
        prior: Prior | None = None,
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
        self._threads = _integer("threads", threads, 1, 1024)
        if truncate is not None:
            truncate = _integer("truncate", truncate, 0, 2**31 - 1)
            evaluator = STANDING if evaluator is None else evaluator
        elif evaluator is not None:
            raise SearchError("evaluator: without truncate every playout goes to the end; expected truncate=0, 1, ...")
        if evaluator is not None and not isinstance(evaluator, Evaluator) and not callable(evaluator):
            raise SearchError(f"evaluator = {show(evaluator)}: expected an Evaluator or a function of an array of states")
        if evaluator is STANDING and utility != "win":
            raise SearchError(f"utility = {utility!r}: the built-in evaluator tells 'win' only; expected an evaluator of your own")
        python_evaluator = None if evaluator is None or isinstance(evaluator, Evaluator) else evaluator
        if batch is None:
            batch = 64 if python_evaluator is not None else 1
        if prior is not None and not callable(prior):
            raise SearchError(f"prior = {show(prior)}: expected a function of a state")
        self._chosen = by_animal(policy, state.rules)
        self._explicit = _choice("chance", chance, ("open", "explicit")) == "explicit"
        self._state = self._own(state)
        self._held = handles(self._chosen, State(state.rules, seed=0))
        self._trees = [
            Tree(
                self._state,
                self._held,
                seed=as_word("seed", (self.seed + k * 0x9E3779B97F4A7C15) % 2**64),
                explicit_chance=self._explicit,
                puct=_choice("selection", selection, ("puct", "uct")) == "puct",
                exploration=_number("exploration", exploration, 0.0, 1e6),
                first_play=_number("first_play", first_play, -1e6, 1e6),
                prior_weight=_number("prior_weight", prior_weight, 0.0, 1.0),
                utility=_UTILITIES.index(_choice("utility", utility, _UTILITIES)),
                room=max(1, _integer("max_nodes", max_nodes, 1, 2**31 - 1) // self._threads),
                batch=_integer("batch", batch, 1, 2**20),
                truncate=-1 if truncate is None else truncate,
                evaluator=evaluator.address if isinstance(evaluator, Evaluator) else 0,
                python_evaluator=python_evaluator,
                python_prior=prior,
            )
            for k in range(self._threads)
        ]

    def _own(self, state: State) -> State:
        """A copy of the position that stops at chance nodes exactly when the search does."""
        own = state.clone()
        if own.explicit_chance != self._explicit:
            own = State.from_dict(state.to_dict(), seed=state.seed, explicit_chance=self._explicit)
        return own

    def run(
        self,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        progress: Progress = None,
    ) -> SearchResult:
        """Searches on until the first budget is spent: simulations, seconds, or nodes of the tree. At least one is needed.

        Ctrl-C returns within a second. The result counts everything since the tree began.
        """
        _check_root(self._state)
        if simulations is None and seconds is None and nodes is None:
            raise SearchError("budget: expected simulations, seconds or nodes")
        total = 2**62 if simulations is None else _integer("simulations", simulations, 0, 2**62)
        limit = None if seconds is None else _number("seconds", seconds, 0.0, 1e9)
        most = None if nodes is None else _integer("nodes", nodes, 1, 2**40) // self._threads
        began = time.perf_counter()
        stop = np.zeros(1, np.uint8)
        done = np.zeros(self._threads, np.int64)
        sliced = limit is not None or most is not None

        def grow(k: int) -> None:
            tree, made = self._trees[k], 0
            share = total // self._threads + (k < total % self._threads)
            counter = np.zeros(1, np.int64)
            while made < share and not stop[0]:
                if limit is not None and time.perf_counter() - began >= limit:
                    break
                if most is not None and tree.used >= min(most, tree.room):
                    break
                tree.grow(min(share - made, max(_SLICE, tree.batch)) if sliced else share, stop, counter if sliced else done[k : k + 1])
                made += int(counter[0]) if sliced else share
                done[k] = made if sliced else done[k]

        try:
            if total:
                shown = total if simulations is not None else 0
                run_chunks(grow, self._threads, self._threads, stop, lambda: int(done.sum()), shown, progress)
        except PolicyFailure as failure:
            raise blame(failure, self._chosen, self._held) from None
        except (DsSimError, MemoryError):
            raise
        except Exception as error:  # of the user's evaluator or prior
            raise SearchError(f"evaluator or prior: {type(error).__name__}: {error}") from error
        return self._result(int(done.sum()), time.perf_counter() - began)

    def advance(self, action: int | str, state: State | None = None) -> None:
        """Follows the game by one action of the root; what was found below it stays.

        `state`: the position it led to in the game, else the search takes the action itself, drawing chance by its own
        copy's random stream. With explicit chance the root may then be a chance node: advance by the outcome too.
        """
        own = self._state.clone()
        own.apply(action)
        taken: int | None = self._state._action_id(action)
        if state is not None:
            if not isinstance(state, State) or state.rules != self._state.rules:
                raise SearchError(f"state = {show(state)}: expected a state under the same rules")
            other = self._own(state)
            if self._explicit and other != own:
                taken = None  # chance came between, and what it drew is not known here
            own = other
        for tree in self._trees:
            tree.move_root(taken, own)
        self._state = own

    def _result(self, simulations: int, seconds: float) -> SearchResult:
        _check_root(self._state)
        parts = [tree.root_statistics() for tree in self._trees]
        legal = parts[0][0]
        visits = np.sum([part[1] for part in parts], axis=0)
        totals = np.sum([part[2] for part in parts], axis=0)
        squares = np.sum([part[3] for part in parts], axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            values = np.where(visits[:, None] > 0, totals / visits[:, None], np.nan)
            mean = values[:, ANIMAL_ID[str(self._state.actor)]]
            variance = np.maximum(squares / visits - mean**2, 0.0) * visits / (visits - 1)
            errors = np.where(visits > 1, np.sqrt(variance / visits), np.nan)
        first = max(self._trees, key=lambda tree: int(tree.simulations))
        line = tuple(actions.text(a) for a in first.principal_variation(40))
        return SearchResult(
            actor=str(self._state.actor),
            actions=legal,
            visits=visits,
            values=values,
            standard_errors=errors,
            principal_variation=line,
            simulations=simulations,
            nodes=sum(int(tree.used) for tree in self._trees),
            seconds=seconds,
            seed=self.seed,
            _state=self._state.clone(),
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


@dataclass(frozen=True)
class Analysis:
    """The best actions of a position in words: `str()` of it is a table for people."""

    actor: str
    rows: tuple[tuple[str, str, int, float, float, float], ...]
    """(action, in words, visits, win probability, and its 95 % interval), the most visited first."""
    result: SearchResult

    def __str__(self) -> str:
        width = max([len(row[1]) for row in self.rows] + [6])
        lines = [f"{'action':<{width}}  visits    win  95 % interval"]
        for _, words, visits, win, low, high in self.rows:
            lines.append(f"{words:<{width}}  {visits:6d}  {win:4.0%}   {low:4.0%} to {high:4.0%}")
        return "\n".join(lines)


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
            (actions.text(action), state.describe(action), int(result.visits[i]), float(mean[i]), float(low), float(high))
        )
    return Analysis(result.actor, tuple(rows), result)


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
