"""Many states in one structured array, stepped at once."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._core.batch import CoreBatch
from ._core.playout import PolicyFailure
from .actions import N_ACTIONS, text
from .errors import IllegalAction, RunError, show
from .playouts import Results, first_index, play_positions
from .policies import PolicyLike, blame, by_animal, handles
from .rules import Rules
from .state import State, as_word


class Batch(CoreBatch):
    """`size` games under one rule set, each at a decision or at its end; chance is sampled.

    Row i is game `first + i` of the run with `seed`, exactly as `State(rules, seed=seed, index=first + i)`
    plays it. With `auto_reset` a row whose game ends begins the game `size` further on at once.

    >>> batch = Batch(Rules(animals=("bird", "insect")), size=3, seed=1)
    >>> batch.legal_mask().shape, batch.array["turn"].tolist()
    ((3, 235), [1, 1, 1])
    >>> batch.apply(batch.random_actions(seed=5))
    >>> batch.state(0).turn
    1
    """

    rules: Rules
    """The rule set of all rows."""
    auto_reset: bool

    def __new__(
        cls,
        rules: Rules | None = None,
        size: int = 1024,
        *,
        seed: int | None = None,
        first: int = 0,
        auto_reset: bool = False,
    ) -> Batch:
        rules = Rules() if rules is None else rules
        if not isinstance(rules, Rules):
            raise RunError(f"rules = {show(rules)}: expected a ds_sim.Rules")
        size = _size(size)
        seed = secrets.randbits(64) if seed is None else as_word("seed", seed)
        batch: Batch = CoreBatch.__new__(cls, rules.core, size, seed, first_index(first, size))
        batch.rules, batch.auto_reset = rules, bool(auto_reset)
        batch._begin()
        return batch

    @classmethod
    def of(cls, states: Sequence[State], *, seed: int | None = None) -> Batch:
        """A batch of copies of states, random streams included. They share one rule set; at chance nodes
        chance goes on.

        `reset` begins games of the run with `seed`, from index `len(states)` on; None draws a seed.
        """
        states = list(states)
        if not states or not all(isinstance(state, State) for state in states):
            raise RunError(f"states = {show(states)}: expected one or more ds_sim.State")
        rules = states[0].rules
        if any(state.rules != rules for state in states):
            raise RunError("states: expected the same rules in all")
        seed = secrets.randbits(64) if seed is None else as_word("seed", seed)
        batch: Batch = CoreBatch.__new__(cls, rules.core, len(states), seed, 0)
        batch.rules, batch.auto_reset = rules, False
        for i, state in enumerate(states):
            batch._set_row(i, state)
        return batch

    def __len__(self) -> int:
        return int(self.size)

    @property
    def array(self) -> npt.NDArray[Any]:
        """The states as a read-only structured array (size,) of `ds_sim._core.layout.STATE`, without a
        copy."""
        array: npt.NDArray[Any] = self.states[:]  # a view: nobody can make it writable
        return array

    @property
    def indices(self) -> npt.NDArray[np.uint64]:
        """The index of the game in each row: uint64 (size,)."""
        indices: npt.NDArray[np.uint64] = self._indices()
        return indices

    @property
    def is_terminal(self) -> npt.NDArray[np.bool_]:
        """Rows whose game is over: bool (size,)."""
        return np.asarray(self.array["node"] == 0)

    def state(self, row: int) -> State:
        """A copy of one row as a `State`, random stream included."""
        i = self._row(row)
        state = State(self.rules, seed=int(self.seed), index=int(self._indices()[i]))
        self._get_row(i, state)
        return state

    def clone(self) -> Batch:
        """An independent copy, random streams included."""
        other: Batch = CoreBatch.__new__(Batch, self.rules.core, self.size, self.seed, self.first)
        other.rules, other.auto_reset = self.rules, self.auto_reset
        other._copy_from(self)
        return other

    def legal_mask(self, out: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]:
        """Which actions are legal in each row: bool (size, 235), nothing in rows whose game is over."""
        mask = _output(out, (len(self), N_ACTIONS), np.bool_)
        self._legal_mask(mask.view(np.uint8))
        return mask

    def legal_counts(self, out: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """How many actions are legal in each row: int32 (size,), 0 where the game is over, else 2 or more."""
        counts = _output(out, (len(self),), np.int32)
        self._legal_counts(counts)
        return counts

    def random_actions(
        self, seed: int, index: int = 0, out: npt.NDArray[np.uint8] | None = None
    ) -> npt.NDArray[np.uint8]:
        """A uniformly drawn legal action for each row: uint8 (size,), PASS where the game is over.

        Drawn from the policies' random stream of (seed, index); use another index at every step.
        """
        actions = _output(out, (len(self),), np.uint8)
        self._random_actions(as_word("seed", seed), as_word("index", index), actions)
        return actions

    def policy_actions(
        self,
        policies: PolicyLike | Mapping[str, PolicyLike],
        seed: int,
        index: int = 0,
        where: npt.NDArray[np.bool_] | None = None,
        out: npt.NDArray[np.uint8] | None = None,
    ) -> npt.NDArray[np.uint8]:
        """The action that a policy chooses in each row: uint8 (size,), PASS where the game is over.

        `policies`: one for all animals, or a map by animal. With `where`, bool (size,), the other rows are
        not asked and get PASS. Randomness is as in `random_actions`. Raises `PolicyError`.

        >>> batch = Batch(Rules(animals=("bird", "insect")), size=3, seed=1)
        >>> batch.apply(batch.policy_actions("greedy", seed=5))
        """
        chosen = by_animal(policies, self.rules)
        held = handles(chosen, State(self.rules, seed=0))
        words = as_word("seed", seed), as_word("index", index)
        actions = _output(out, (len(self),), np.uint8)
        try:
            self._policy_actions(held, *words, self._marks(where), actions)
        except PolicyFailure as failure:
            blame(failure, chosen, held)
        return actions

    def reset(self, where: npt.NDArray[np.bool_] | None = None) -> None:
        """Begins, in all rows or those marked in `where`, bool (size,), the game `size` further on."""
        self._restart(self._marks(where))

    def apply(
        self,
        actions: npt.ArrayLike,
        ended: npt.NDArray[np.bool_] | None = None,
        where: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Takes one legal action in each row, by id: integers (size,). Where the game is over only PASS (0)
        is taken.

        If any is illegal, `IllegalAction` names the rows and nothing is changed. `ended`, bool (size,), is
        filled with the rows whose game came to its end just now. With `where`, bool (size,), the other rows
        are left as they are, and what stands for them in `actions` is not looked at.
        """
        ids = self._ids(actions)
        chosen = self._marks(where)
        flags = None if ended is None else _output(ended, (len(self),), np.bool_, "ended").view(np.uint8)
        bad = np.empty(len(self), np.uint8)
        if self._first_illegal(ids, chosen, bad):
            rows = np.flatnonzero(bad)
            i = int(rows[0])
            shown = ", ".join(map(str, rows[:8])) + (f", ... ({len(rows)} in all)" if len(rows) > 8 else "")
            raise IllegalAction(
                f"actions: illegal in row {shown}; in row {i}: {ids[i]} ({_shown(ids[i])}) "
                f"at node {self.state(i).node!r}"
            )
        self._apply(ids, chosen, self.auto_reset, flags)

    def playout(
        self,
        policies: PolicyLike | Mapping[str, PolicyLike] = "uniform",
        *,
        seed: int | None = None,
        threads: int | None = 1,
    ) -> Results:
        """Plays a copy of each row to its end, and leaves the batch as it is; row i of the results is row i
        here.

        The random stream of row i is that of game i of the run with `seed`. A game that is over counts as
        played. `vp_by_source` and the other counting columns hold what came after the position.
        """
        return play_positions(self, policies, seed, threads)

    def observation(self, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """What the acting animal of each row sees: float32 (size, SIZE), field by field in
        `ds_sim.observation.FIELDS`."""
        from .observation import observe

        return observe(self.array, out=out)

    def _row(self, row: int) -> int:
        try:
            i = operator.index(row)
        except TypeError:
            raise RunError(f"row = {show(row)}: expected an integer") from None
        if not -len(self) <= i < len(self):
            raise RunError(f"row = {i}: expected {-len(self)} to {len(self) - 1}")
        return i % len(self)

    def _marks(self, where: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.uint8] | None:
        if where is None:
            return None
        marks = np.asarray(where)
        if marks.dtype != np.bool_ or marks.shape != (len(self),):
            raise RunError(f"where: {marks.dtype} {marks.shape}, expected an array of bool ({len(self)},)")
        return np.ascontiguousarray(marks).view(np.uint8)

    def _ids(self, actions: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        given = np.asarray(actions)
        if given.shape != (len(self),):
            raise IllegalAction(f"actions: shape {given.shape}, expected ({len(self)},)")
        if given.dtype == np.uint8:
            return np.ascontiguousarray(given)
        if given.dtype.kind not in "iu":
            raise IllegalAction(f"actions: dtype {given.dtype}, expected integers")
        wrong = np.flatnonzero((given < 0) | (given >= N_ACTIONS))
        if len(wrong):
            raise IllegalAction(
                f"actions: {given[wrong[0]]} in row {wrong[0]}, expected 0 to {N_ACTIONS - 1}"
            )
        return given.astype(np.uint8)


def _shown(action: Any) -> str:
    return text(int(action)) if action < N_ACTIONS else "no action"


def _size(size: object) -> int:
    try:
        number = -1 if isinstance(size, bool) else operator.index(size)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 1 <= number <= 2**32:
        raise RunError(f"size = {show(size)}: expected an integer from 1 to {2**32}")
    return number


def _output(
    out: npt.NDArray[Any] | None, shape: tuple[int, ...], dtype: Any, name: str = "out"
) -> npt.NDArray[Any]:
    """`out` if it fits to the letter, or a new array."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != shape:
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else show(out)
        raise RunError(f"{name}: {got}, expected an array of {np.dtype(dtype)} {shape}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise RunError(f"{name}: expected a C-contiguous array that can be written")
    return out
