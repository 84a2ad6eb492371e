"""What a position is worth to every animal, where a playout is cut short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import SearchError, show

BatchEvaluator: TypeAlias = Callable[[npt.NDArray[Any]], npt.ArrayLike]
"""A Python evaluator: structured array (n,) of states to numbers (n, 6), in one call for a whole batch of
leaves."""


class Evaluator:
    """A function (view, out) that writes the worth of a position to each of the six animals into out,
    compiled by Numba.

    `view` is what policies see (`ds_sim.policies`), `out` a float64 array (6,), zero at first. The worth is
    on the scale of the search's utility: for "win" the probability of winning. A number that is not finite,
    or an exception, fails the search.
    """

    def __init__(self, function: Callable[..., None], *, name: str | None = None) -> None:
        if not callable(function):
            raise SearchError(f"evaluator = {show(function)}: expected a function of (view, out)")
        self.function = function
        self.name = str(name or getattr(function, "__name__", "evaluator"))
        self._callback: Any = None

    @property
    def address(self) -> int:
        """The address of the compiled function; compiles it at first."""
        if self._callback is None:
            self._callback = _compile(self.function, self.name)
        return int(self._callback.address)

    def explain(self, view: Any) -> SearchError:
        """What went wrong, found by running the Python function again on what it was shown."""
        out = np.zeros(6)
        try:
            getattr(self.function, "py_func", self.function)(view.view(np.recarray)[0], out)
        except Exception as error:
            explained = SearchError(f"evaluator {self.name!r} raised {type(error).__name__}: {error}")
            explained.__cause__ = error
            return explained
        return SearchError(f"evaluator {self.name!r} gave {out.tolist()}: expected six finite numbers")

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
    from numba import carray, types  # type: ignore[attr-defined]
    from numba.core.ccallback import CFunc

    from .._core.layout import VIEW
    from .._frozen import frozen
    from .._jit import cache_for

    python = getattr(function, "py_func", function)
    inner = function if python is not function else numba.njit(nogil=True)(python)
    pointer: Any = types.CPointer
    arguments = (pointer(numba.from_dtype(VIEW)), pointer(types.float64))

    def callback(view_pointer, out_pointer):  # type: ignore[no-untyped-def]
        try:
            inner(carray(view_pointer, (1,))[0], carray(out_pointer, (6,)))
        except Exception:
            return -1
        return 0

    try:
        compiled: Any = CFunc(callback, (arguments, types.int32), locals={}, options={"nopython": True})
        compiled._cache = cache_for(python, evaluator=True, frozen=frozen(python))
        compiled.compile()
    except Exception as error:  # Numba's own, and KeyError for an unknown field
        raise SearchError(f"evaluator {name!r} does not compile: {type(error).__name__}: {error}") from error
    return compiled
