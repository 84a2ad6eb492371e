"""What a position is worth to every animal, where a playout is cut short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import SearchError, show

BatchEvaluator: TypeAlias = Callable[[npt.NDArray[Any]], npt.ArrayLike]
"""A Python evaluator: structured array (n,) of states to numbers (n, 6), in one call for a whole batch of leaves."""


class Evaluator:
    """A function (view, out) that writes the worth of a position to each of the six animals into out, compiled by Numba.

    `view` is what policies see (`ds_sim.policies`), `out` a float64 array (6,), zero at first. The worth is on the scale of the
    search's utility: for "win" the probability of winning. A number that is not finite, or an exception, fails the search.
    """

    def __init__(self, function: Callable[..., None], *, name: str | None = None) -> None:
        if not callable(function):
            raise SearchError(f"evaluator = {show(function)}: expected a function of (view, out)")
        self.function = function
        self.name = name or getattr(function, "__name__", "evaluator")
        self._callback: Any = None

    @property
    def address(self) -> int:
        """The address of the compiled function; compiles it at first."""
        if self._callback is None:
            self._callback = _compile(self.function, self.name)
        return int(self._callback.address)

    def __repr__(self) -> str:
        return f"<evaluator {self.name}>"


def evaluator(function: Callable[..., None]) -> Evaluator:
    """Makes an evaluator of a function (view, out).

    >>> @evaluator
    ... def score_share(view, out):
    ...     total = view.vp.sum()
    ...     for animal in range(6):
    ...         out[animal] = view.vp[animal] / total if total > 0 else 0.0
    >>> score_share
    <evaluator score_share>
    """
    return Evaluator(function)


def _compile(function: Any, name: str) -> Any:
    import numba
    from numba import carray, types
    from numba.core.ccallback import CFunc

    from .._core.layout import VIEW
    from .._jit import cache_for

    inner = function if hasattr(function, "py_func") else numba.njit(nogil=True)(function)
    arguments = (types.CPointer(numba.from_dtype(VIEW)), types.CPointer(types.float64))

    def callback(view_pointer, out_pointer):  # type: ignore[no-untyped-def]
        try:
            inner(carray(view_pointer, (1,))[0], carray(out_pointer, (6,)))
        except Exception:
            return -1
        return 0

    try:
        compiled = CFunc(callback, (arguments, types.int32), locals={}, options={"nopython": True})
        compiled._cache = cache_for(getattr(function, "py_func", function), evaluator=True)
        compiled.compile()
    except numba.core.errors.NumbaError as error:
        raise SearchError(f"evaluator {name!r} does not compile: {error}") from error
    return compiled


TEMPERATURE: Final = 12.0
"""VPs that make a factor of e in the odds of `standing`."""


def _standing(view: Any, out: Any) -> None:
    """Odds of winning from VPs and what the tiles would bring at the end (R-END-1), by a softmax over the seats."""
    worth = np.zeros(6)
    for animal in range(6):
        worth[animal] = view.vp[animal]
    for h in range(35):
        terrain = view.tiles[h, 6]
        if terrain == 255:
            continue
        if view.tundra >> np.uint64(h) & np.uint64(1):
            terrain = 7
        for animal in range(6):
            n = view.tiles[h, animal]
            if n == 0:
                continue
            rank = 0
            for other in range(6):
                m = view.tiles[h, other]
                if m > n or (m == n and other < animal):
                    rank += 1
            worth[animal] += view.rules.tile_values[terrain, rank]
    best = -1.0
    for seat in range(view.rules.n_seats):
        lowest = 1e9
        for animal in range(6):
            if view.rules.seats[seat] >> animal & 1 and worth[animal] < lowest:
                lowest = worth[animal]
        for animal in range(6):
            if view.rules.seats[seat] >> animal & 1:
                worth[animal] = lowest
        best = max(best, lowest)
    total = 0.0
    for seat in range(view.rules.n_seats):
        for animal in range(6):
            if view.rules.seats[seat] >> animal & 1:
                total += np.exp((worth[animal] - best) / TEMPERATURE)
                break
    for animal in range(6):
        if view.rules.animals >> animal & 1:
            out[animal] = np.exp((worth[animal] - best) / TEMPERATURE) / total


STANDING: Final = Evaluator(_standing, name="standing")
"""The built-in evaluator, for the utility "win"."""
