"""What positions are worth, on one state or on many: matches, dominance, and what actions would bring.

Every function takes `states`: a `State`, a `Batch`, or an array (n,) of the states' layout (`State.array`,
`Batch.array`, a slice or a copy of them, read-only or not). Results have a leading axis n, which a single
state (or an array of no axis) does not have. What depends on the rule set takes `rules`, a `Rules`: a State
and a Batch bring their own, an array needs it. `out` takes results into arrays of the same shape and dtype;
they are returned. `parallel=True` spreads the rows over threads, one for each processor this process may
use. The GIL is not held. The first call compiles (some seconds) or loads what was compiled before.

The functions of `ds_sim.scoring.kernels` answer the same questions for one hex of one position, from compiled
policies.

>>> import ds_sim as ds
>>> from ds_sim import scoring
>>> state = ds.State(ds.Rules(), seed=7)
>>> bird, sea = ds.board.ANIMAL_ID["bird"], ds.board.HEX_ID["D3"]
>>> int(scoring.matches(state)[bird, sea])
2
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .._core.layout import RULES, STATE
from .._jit import jit
from .._threads import available_threads
from ..errors import DsSimError, InvalidState, show
from ..rules import Rules
from ..state import State
from . import kernels
from .kernels import N_ANIMALS, N_HEXES, N_TYPES

__all__ = [
    "Glaciation",
    "Survival",
    "dominance",
    "endangered",
    "glaciation_worth",
    "kernels",
    "matches",
    "survival",
    "tile_scores",
    "wanderlust_worth",
]

Bool: TypeAlias = npt.NDArray[np.bool_]
Int8: TypeAlias = npt.NDArray[np.int8]
UInt8: TypeAlias = npt.NDArray[np.uint8]
Int32: TypeAlias = npt.NDArray[np.int32]


class Survival(NamedTuple):
    """Who would score Survival (R-RES-2) now, and how much."""

    animal: Int8
    """int8 (n,): the animal 0 to 5, or -1 for nobody."""
    vp: Int32
    """int32 (n,): its VPs; 0 for nobody."""


class Glaciation(NamedTuple):
    """What Glaciation would bring, for every tile; where it cannot be chosen nothing changes."""

    legal: Bool
    """bool (n, 35): whether the tile can be chosen (R-GLA-2)."""
    bonus: Int32
    """int32 (n, 35): VPs for the animal that glaciates (R-GLA-5)."""
    lost: UInt8
    """uint8 (n, 35, 6): species every animal would lose to its gene pool (R-GLA-3)."""
    vanished: UInt8
    """uint8 (n, 35, 6): elements of every type that would go to the bag (R-GLA-4)."""
    gained: UInt8
    """uint8 (n, 35, 6): tiles every animal would newly dominate; none with declared claims."""
    ceded: UInt8
    """uint8 (n, 35, 6): tiles every animal would no longer dominate."""
    survivor: Int8
    """int8 (n, 35): the animal that would then score Survival (R-RES-2), or -1; compare `survival`."""
    survival_vp: Int32
    """int32 (n, 35): its VPs."""


# ---- the public functions ----


def matches(states: Any, *, out: UInt8 | None = None, parallel: bool = False) -> UInt8:
    """The match of every animal with every tile (R-DOM-1): uint8 (n, 6, 35), 0 to 36; 0 where no tile is."""
    return _score_one(_matches, _rows_alone(states), np.uint8, (N_ANIMALS, N_HEXES), out, parallel)


def dominance(
    states: Any,
    rules: Rules | None = None,
    *,
    deserved: bool = False,
    out: Int8 | None = None,
    parallel: bool = False,
) -> Int8:
    """Who dominates every hex (R-DOM-4): int8 (n, 35), an animal 0 to 5, or -1 for nobody.

    With declared claims these are the cones. `deserved=True` tells who deserves dominance (R-DOM-3) under
    either kind of claims, and needs no rules.
    """
    if deserved:
        return _score_one(_deserved, _rows_alone(states), np.int8, (N_HEXES,), out, parallel)
    return _score_one(_dominance, _rows(states, rules), np.int8, (N_HEXES,), out, parallel)


def tile_scores(
    states: Any, rules: Rules | None = None, *, out: Int32 | None = None, parallel: bool = False
) -> Int32:
    """VPs that every animal would get from every tile if it were scored now (R-DMN-1): int32 (n, 35, 6)."""
    return _score_one(_tile_scores, _rows(states, rules), np.int32, (N_HEXES, N_ANIMALS), out, parallel)


def endangered(states: Any, *, out: UInt8 | None = None, parallel: bool = False) -> UInt8:
    """Endangered species that Extinction would take (R-DOM-2, R-RES-1): uint8 (n, 6, 35).

    Hibernating species (C-13) do not count; the one the mammal may save does.
    """
    return _score_one(_endangered, _rows_alone(states), np.uint8, (N_ANIMALS, N_HEXES), out, parallel)


def survival(
    states: Any, rules: Rules | None = None, *, out: Survival | None = None, parallel: bool = False
) -> Survival:
    """Who would score Survival if it came now, and how much (R-RES-2)."""
    fields = ((np.int8, ()), (np.int32, ()))
    return Survival(*_score(_survival, _rows(states, rules), fields, out, Survival._fields, parallel))


def glaciation_worth(
    states: Any, rules: Rules | None = None, *, out: Glaciation | None = None, parallel: bool = False
) -> Glaciation:
    """What glaciating every tile would bring (R-GLA-2 to R-GLA-5)."""
    hexes, by_animal = (N_HEXES,), (N_HEXES, N_ANIMALS)
    fields = (
        (np.bool_, hexes),
        (np.int32, hexes),
        (np.uint8, by_animal),
        (np.uint8, (N_HEXES, N_TYPES)),
        (np.uint8, by_animal),
        (np.uint8, by_animal),
        (np.int8, hexes),
        (np.int32, hexes),
    )
    return Glaciation(*_score(_glaciation, _rows(states, rules), fields, out, Glaciation._fields, parallel))


def wanderlust_worth(
    states: Any, rules: Rules | None = None, *, out: Int32 | None = None, parallel: bool = False
) -> Int32:
    """VPs for a tile put on an empty hex adjacent to a tile (R-WAN-2): int32 (n, 35), 0 for other hexes."""
    return _score_one(_wanderlust, _rows(states, rules), np.int32, (N_HEXES,), out, parallel)


# ---- the loops over rows: each writes every element of its results ----


@jit
def _unpack(lanes: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = kernels.lane(lanes, i)


@jit
def _matches(states: Any, tables: Any, out: Any) -> None:
    for row in range(len(states)):
        state = states[row]
        for hex in range(N_HEXES):
            there = kernels.has(state.earth, hex)
            _unpack(kernels.matches(state, hex) if there else kernels.ZERO, out[row, :, hex])


@jit
def _deserved(states: Any, tables: Any, out: Any) -> None:
    for row in range(len(states)):
        state = states[row]
        there = kernels.inhabited(state)
        for hex in range(N_HEXES):
            out[row, hex] = kernels.deserves(state, hex) if kernels.has(there, hex) else kernels.NOBODY


@jit
def _dominance(states: Any, tables: Any, out: Any) -> None:
    if not tables[0].declared:
        _deserved(states, tables, out)
        return
    for row in range(len(states)):
        for hex in range(N_HEXES):
            out[row, hex] = kernels.cone(states[row], hex)


@jit
def _tile_scores(states: Any, tables: Any, out: Any) -> None:
    for row in range(len(states)):
        for hex in range(N_HEXES):
            _unpack(kernels.tile_scores(states[row], tables[0], hex), out[row, hex])


@jit
def _endangered(states: Any, tables: Any, out: Any) -> None:
    for row in range(len(states)):
        for hex in range(N_HEXES):
            _unpack(kernels.endangered_on(states[row], hex), out[row, :, hex])


@jit
def _survival(states: Any, tables: Any, animal: Any, vp: Any) -> None:
    for row in range(len(states)):
        animal[row], vp[row] = kernels.survival(states[row], tables[0])


@jit
def _glaciation(
    states: Any,
    tables: Any,
    legal: Any,
    bonus: Any,
    lost: Any,
    vanished: Any,
    gained: Any,
    ceded: Any,
    survivor: Any,
    survival_vp: Any,
) -> None:
    for row in range(len(states)):
        state, rules = states[row], tables[0]
        allowed = kernels.glaciable(state)
        unchanged = kernels.not_glaciated(state, rules)
        for hex in range(N_HEXES):
            worth = kernels.glaciated(state, rules, hex) if kernels.has(allowed, hex) else unchanged
            legal[row, hex], bonus[row, hex] = worth.legal, worth.bonus
            _unpack(worth.lost, lost[row, hex])
            _unpack(worth.vanished, vanished[row, hex])
            _unpack(worth.gained, gained[row, hex])
            _unpack(worth.ceded, ceded[row, hex])
            survivor[row, hex], survival_vp[row, hex] = worth.survivor, worth.survival_vp


@jit
def _wanderlust(states: Any, tables: Any, out: Any) -> None:
    for row in range(len(states)):
        for hex in range(N_HEXES):
            out[row, hex] = kernels.wanderlust_worth(states[row], tables[0], hex)


# ---- what is given ----


class _Rows(NamedTuple):
    states: npt.NDArray[Any]
    """(n,) of STATE, contiguous and read-only, so that every loop is compiled once."""
    tables: npt.NDArray[Any]
    """(1,) of RULES."""
    single: bool
    """Whether results have no leading axis."""


_ANY_RULES: Final = np.zeros(1, RULES)
_ANY_RULES.flags.writeable = False


def _rows(states: Any, rules: Rules | None) -> _Rows:
    array, own, single = _opened(states)
    if rules is None:
        rules = own
    if not isinstance(rules, Rules):
        raise InvalidState(f"rules = {show(rules)}: expected a ds_sim.Rules; an array of states brings none")
    if own not in (None, rules):
        raise InvalidState("rules: not those of the states; leave them out")
    return _Rows(array, rules.core.array, single)


def _rows_alone(states: Any) -> _Rows:
    array, _, single = _opened(states)
    return _Rows(array, _ANY_RULES, single)


def _opened(states: Any) -> tuple[npt.NDArray[Any], Rules | None, bool]:
    own = getattr(states, "rules", None)
    single = isinstance(states, State)
    array = states.array if isinstance(own, Rules) else states
    if not isinstance(array, (np.ndarray, np.void)):
        raise InvalidState(f"states = {show(states)}: expected a State, a Batch or an array of states")
    if array.dtype != STATE:
        raise InvalidState(f"states: dtype {_short(array.dtype)}, expected that of State.array")
    if array.ndim > 1:
        raise InvalidState(f"states: shape {array.shape}, expected (n,)")
    single = single or array.ndim == 0
    array = np.require(array, requirements=["C", "ALIGNED"]).reshape(-1).view(STATE)
    array.flags.writeable = False
    return array, own if isinstance(own, Rules) else None, single


def _short(dtype: np.dtype[Any]) -> str:
    return f"of another structure ({dtype.itemsize} bytes)" if dtype.names else str(dtype)


# ---- where results go ----

_Field: TypeAlias = tuple[Any, tuple[int, ...]]  # dtype, shape of a row
_CHUNK: Final = 1024  # rows between two looks at Ctrl-C, about a millisecond's work


def _score_one(
    loop: Callable[..., None],
    rows: _Rows,
    dtype: Any,
    shape: tuple[int, ...],
    out: npt.NDArray[Any] | None,
    parallel: bool,
) -> Any:
    [result] = _score(loop, rows, [(dtype, shape)], None if out is None else (out,), ("",), parallel)
    return result


def _score(
    loop: Callable[..., None],
    rows: _Rows,
    fields: Sequence[_Field],
    out: Sequence[npt.NDArray[Any]] | None,
    names: Sequence[str],
    parallel: bool,
) -> list[Any]:
    n = len(rows.states)
    lead = () if rows.single else (n,)
    if out is None:
        results = [np.empty(lead + shape, dtype) for dtype, shape in fields]
    else:
        results = _checked(out, names, [(dtype, lead + shape) for dtype, shape in fields])
    whole = [r if r.flags.c_contiguous else np.empty(r.shape, r.dtype) for r in results]
    flat = [w.reshape((n, *shape)) for w, (_, shape) in zip(whole, fields, strict=True)]

    def run(start: int) -> None:
        chunk = slice(start, start + _CHUNK)
        loop(rows.states[chunk], rows.tables, *(f[chunk] for f in flat))

    _run_all(run, range(0, n, _CHUNK), parallel)
    for result, computed in zip(results, whole, strict=True):
        if result is not computed:
            result[...] = computed
    return [r[()] if out is None and r.ndim == 0 else r for r in results]


def _checked(out: Any, names: Sequence[str], fields: Sequence[_Field]) -> list[npt.NDArray[Any]]:
    if not isinstance(out, tuple) or len(out) != len(fields):
        raise DsSimError(f"out = {show(out)}: expected a tuple of arrays ({', '.join(names)})")
    for array, name, (dtype, shape) in zip(out, names, fields, strict=True):
        where = f"out.{name}" if name else "out"
        if not isinstance(array, np.ndarray):
            raise DsSimError(f"{where} = {show(array)}: expected an array")
        if array.dtype != dtype or array.shape != shape:
            expected = f"{np.dtype(dtype)} {shape}"
            raise DsSimError(f"{where}: {_short(array.dtype)} {array.shape}, expected {expected}")
        if not array.flags.writeable:
            raise DsSimError(f"{where}: read-only, expected an array that can be written")
    return list(out)


def _run_all(run: Callable[[int], None], starts: range, parallel: bool) -> None:
    """Runs every chunk. Threads live only within a call, so that a fork finds none."""
    threads = min(available_threads(), len(starts)) if parallel else 1
    if threads <= 1:
        for start in starts:
            run(start)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        for _ in pool.map(run, starts):
            pass
    finally:
        pool.shutdown(cancel_futures=True)
