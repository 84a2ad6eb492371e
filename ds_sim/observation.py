"""States as vectors of numbers, for learning.

One number is one fact of the position, as it stands there: 1 or 0 for what is so or not, else a count.
Animals keep their places; who looks is told by `viewer`. Nothing is hidden in the position, so nothing else
depends on the viewer, and the random stream is never read.

>>> import ds_sim as ds
>>> state = ds.State(seed=7)
>>> observation = observe(state.array)
>>> observation.shape, observation.dtype
((1, 2302), dtype('float32'))
>>> field(observation, "species").shape                         # by animal and hex
(1, 6, 35)
>>> [ds.board.ANIMALS[a] for a in np.flatnonzero(field(observation, "viewer"))]
['insect']
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ._core.layout import STATE
from .board import ANIMALS, BOXES, CARDS, CORNER_NAMES, ELEMENTS, HEX_NAMES, SPACES, TERRAINS, TILE_KINDS
from .errors import InvalidState, show
from .nodes import NODES, PHASES

A, E, H, C, S = len(ANIMALS), len(ELEMENTS), len(HEX_NAMES), len(CORNER_NAMES), len(SPACES)
_NOBODY: Final = 255


class Field(NamedTuple):
    """A part of an observation."""

    name: str
    shape: tuple[int, ...]
    high: int
    """No number is above it; none is below 0."""
    scale: int
    """Divide by it to come to about 0..1."""
    meaning: str


def _flags(name: str, shape: tuple[int, ...], meaning: str) -> Field:
    return Field(name, shape, 1, 1, meaning)


def _counts(name: str, shape: tuple[int, ...], scale: int, meaning: str, high: int = 255) -> Field:
    return Field(name, shape, high, scale, meaning)


FIELDS: Final = (
    _flags("viewer", (A,), "the animal that looks; none: nobody"),
    _flags("actor", (A + 1,), "the animal that decides, last: chance; none at the end"),
    _flags("node", (len(NODES),), "the node, in the order of `nodes.NODES`"),
    _flags("phase", (len(PHASES),), "planning, execution, reset, ended"),
    _counts("turn", (1,), 20, "the turn, from 1", 1000),
    _counts("vp", (A,), 100, "VPs", 2**21),
    _flags("initiative", (A, A), "by place from the left: the animal there"),
    _counts("pawns", (A,), 7, "available APs"),
    _counts("gene_pool", (A,), 50, "species in the gene pool"),
    _counts("eliminated", (A,), 50, "species eliminated"),
    _counts("held", (E, A), 6, "elements by type on each animal, fixed ones included"),
    _flags("tiles", (len(TILE_KINDS), H), "tiles by kind: the terrains, then tundra whatever lies below"),
    _flags("scored", (H,), "tiles scored this turn"),
    _counts("species", (A, H), 10, "species by animal on each tile"),
    _flags("cones", (A, H), "declared claims: the animal whose cone stands on the tile"),
    _flags("elements", (E, C), "elements by type on the corners"),
    _counts("hibernating", (A, H), 5, "species that hibernate, by animal and tile", 5),
    _flags("spaces", (A, S), "pawns on the display, by owner"),
    _counts("boxes", (len(BOXES), E), 4, "elements in each box"),
    _counts("bag", (E,), 18, "elements in the bag", 20),
    _flags("face_up", (len(CARDS),), "cards face up"),
    _flags("taken", (len(CARDS),), "cards taken"),
    _flags("stack_face_up", (3, len(TERRAINS)), "the tile face up on each stack"),
    _counts("stack_left", (3,), 8, "tiles face down in each stack"),
    _counts("unseen_tiles", (len(TERRAINS),), 6, "tiles face down by terrain, over all stacks"),
    _counts("tundra_left", (1,), 11, "tundra tiles not yet laid"),
    # Inside a turn, and inside a compound action:
    _flags("done", (S + 1,), "Execution: how many spaces are done"),
    _counts("place", (1,), 6, "Planning: place on the initiative track"),
    _counts("stage", (1,), 6, "Execution: steps of the engine done"),
    _counts("draws", (1,), 12, "setup and Reseed: elements drawn or found missing"),
    _flags("protects", (A, E), "element types protected in Regression"),
    _flags("card", (len(CARDS),), "the card being carried out"),
    _flags("hex", (H,), "the hex chosen before: source, tile scored, ..."),
    _flags("target", (H,), "a migration's last target"),
    _flags("element", (E,), "the element chosen before, or of the space; the first where the node has none"),
    _flags("animal", (A,), "the animal chosen before or asked about; the first where the node has none"),
    _flags("stack", (3,), "the stack chosen before; the first where the node has none"),
    _counts("left", (1,), 7, "moves, terrains or choices left"),
    _flags("asked", (H,), "hexes (animals, where those are asked) still to be asked about, the lowest now"),
    _counts("moved", (H,), 7, "species that entered the tile in this migration"),
)
"""Every field, in the order of the vector."""

SIZE: Final = sum(math.prod(f.shape) for f in FIELDS)
"""The length of an observation."""


def _slices() -> dict[str, tuple[slice, tuple[int, ...]]]:
    slices, at = {}, 0
    for f in FIELDS:
        size = math.prod(f.shape)
        slices[f.name] = (slice(at, at + size), f.shape)
        at += size
    return slices


_SLICES: Final[Mapping[str, tuple[slice, tuple[int, ...]]]] = MappingProxyType(_slices())


_TILES, _SPACES, _VIEWER, _VP = (_SLICES[name][0] for name in ("tiles", "spaces", "viewer", "vp"))
_TURN = _SLICES["turn"][0].start


def _spread(what: str) -> npt.NDArray[np.float32]:
    numbers = np.concatenate([np.full(math.prod(f.shape), getattr(f, what), np.float32) for f in FIELDS])
    numbers.flags.writeable = False
    return numbers


HIGH: Final[npt.NDArray[np.float32]] = _spread("high")
"""(SIZE,) float32: the most each number can be; the least is 0."""

SCALE: Final[npt.NDArray[np.float32]] = _spread("scale")
"""(SIZE,) float32: `observation / SCALE` lies in about 0..1."""


def field(observation: npt.NDArray[np.float32], name: str) -> npt.NDArray[np.float32]:
    """One field of an observation (..., SIZE), as a view of its own shape (..., *shape)."""
    if name not in _SLICES:
        raise InvalidState(f"name = {show(name)}: expected one of {', '.join(_SLICES)}")
    if observation.shape[-1:] != (SIZE,):
        raise InvalidState(f"observation: shape {observation.shape}, expected (..., {SIZE})")
    where, shape = _SLICES[name]
    return observation[..., where].reshape(*observation.shape[:-1], *shape)


def observe(
    array: npt.NDArray[Any],
    viewers: npt.ArrayLike | None = None,
    out: npt.NDArray[np.float32] | None = None,
) -> npt.NDArray[np.float32]:
    """The observations of states: float32 (n, SIZE), new unless `out` is given.

    `array`: structured (n,), as `State.array` and `Batch.array` give it. `viewers`: who looks, integers (n,)
    or one for all: 0..5 an animal, anything else nobody; the actors by default.
    """
    if not isinstance(array, np.ndarray) or array.dtype != STATE or array.ndim != 1:
        raise InvalidState(f"array: {show(array)}, expected a structured array (n,) of states")
    if out is None:
        out = np.empty((len(array), SIZE), np.float32)
    elif not isinstance(out, np.ndarray) or out.shape != (len(array), SIZE) or out.dtype != np.float32:
        raise InvalidState(f"out: {show(out)}, expected a float32 array ({len(array)}, {SIZE})")
    raw = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), STATE.itemsize)
    numbers = raw.take(_BYTE, axis=1)
    np.copyto(numbers, numbers == _CHOICE, where=_IS_CHOICE)
    numbers >>= _SHIFT
    numbers &= _MASK
    # A tundra tile is no longer its old terrain.
    tiles = numbers[:, _TILES].reshape(-1, len(TILE_KINDS), H)
    tiles[:, :-1] &= 1 - tiles[:, -1:]
    # A space without a pawn has owner zero like the mammal's; the first row holds whether there is a pawn.
    spaces = numbers[:, _SPACES].reshape(-1, A, S)
    spaces[:, 0] -= spaces[:, 1:].sum(axis=1, dtype=np.uint8)
    out[...] = numbers
    viewers = array["actor"] if viewers is None else np.asarray(viewers)
    out[:, _VIEWER] = viewers[..., None] == np.arange(A)
    out[:, _TURN] = array["turn"]
    out[:, _VP] = array["vp"]
    _add_sleepers(array, out)
    _add_moves(array, out)
    return out


def _add_sleepers(array: npt.NDArray[Any], out: npt.NDArray[np.float32]) -> None:
    (rows,) = np.nonzero(array["hibernating_count"])
    if len(rows):
        at = array[rows]
        animal, hex, count = (at[f"hibernating_{what}"] for what in ("animal", "hex", "count"))
        field(out, "hibernating")[rows, animal, hex] = count


def _add_moves(array: npt.NDArray[Any], out: npt.NDArray[np.float32]) -> None:
    # (n, 7, 2): a hex entered plus one, species that entered it; a hex may come more than once.
    moved = array["cursor"]["moved"]
    rows, moves = np.nonzero(moved[..., 0])
    if len(rows):
        np.add.at(field(out, "moved"), (rows, moved[rows, moves, 0] - 1), moved[rows, moves, 1])


# Nearly all numbers are a bit of the state's bytes, a byte, or whether a byte has a value. So: a byte, a
# shift and a mask for each number, and a value to compare with for choices.


class _Source(NamedTuple):
    byte: int
    shift: int = 0
    mask: int = 255
    choice: int | None = None


def _at(name: str) -> int:
    dtype, at = STATE, 0
    for part in name.split("."):
        dtype, offset = dtype.fields[part][:2]  # type: ignore[index]
        at += offset
    return at


def _bits(name: str, words: int, bits: int) -> Iterator[_Source]:
    """`bits` of each of `words` sets, which take whole words of 64."""
    stride = 8 * -(-bits // 64)
    for word in range(words):
        for bit in range(bits):
            yield _Source(_at(name) + word * stride + bit // 8, bit % 8, 1)


def _word_bits(name: str, bits: int) -> Iterator[_Source]:
    return _bits(name, 1, bits)


def _bytes(name: str, rows: int, columns: int, stride: int = 8) -> Iterator[_Source]:
    for row in range(rows):
        for column in range(columns):
            yield _Source(_at(name) + row * stride + column)


def _choice(name: str, values: int) -> Iterator[_Source]:
    for value in range(values):
        yield _Source(_at(name), choice=value)


def _by_tile(lane: int) -> list[int]:
    return [_at("tiles") + 8 * h + lane for h in range(H)]


def _sources() -> dict[str, list[_Source]]:
    nothing = _Source(0, 0, 0)
    cone, track = _by_tile(7), _at("initiative")
    owners = (_Source(_at("owner") + s, choice=a) for a in range(1, A) for s in range(S))
    sources: dict[str, Iterator[_Source]] = {
        "actor": _choice("actor", A + 1),
        "node": _choice("node", len(NODES)),
        "phase": _choice("phase", len(PHASES)),
        "initiative": (_Source(track + place, choice=a) for place in range(A) for a in range(A)),
        "pawns": _bytes("pawns", 1, A),
        "gene_pool": _bytes("gene_pool", 1, A),
        "eliminated": _bytes("eliminated", 1, A),
        "held": _bytes("held", E, A),
        "tiles": (s for part in (_bits("terrain", len(TERRAINS), H), _word_bits("tundra", H)) for s in part),
        "scored": _word_bits("scored", H),
        "species": (_Source(byte) for a in range(A) for byte in _by_tile(a)),
        "cones": (_Source(byte, choice=a) for a in range(A) for byte in cone),
        "elements": _bits("elements", E, C),
        "spaces": (s for part in (_word_bits("spaces", S), owners) for s in part),
        "boxes": _bytes("boxes", len(BOXES), E),
        "bag": _bytes("bag", 1, E),
        "face_up": _word_bits("face_up", len(CARDS)),
        "taken": _word_bits("taken", len(CARDS)),
        "stack_face_up": (
            _Source(_at("stack_face_up") + k, choice=t) for k in range(3) for t in range(len(TERRAINS))
        ),
        "stack_left": _bytes("stack_left", 1, 3),
        "unseen_tiles": _bytes("unseen_tiles", 1, len(TERRAINS)),
        "tundra_left": _bytes("tundra_left", 1, 1),
        "done": _choice("cursor.space", S + 1),
        "place": _bytes("cursor.place", 1, 1),
        "stage": _bytes("cursor.stage", 1, 1),
        "draws": _bytes("cursor.draw", 1, 1),
        "protects": (_Source(_at("cursor.protects") + a, e, 1) for a in range(A) for e in range(E)),
        "card": _choice("cursor.card", len(CARDS)),
        "hex": _choice("cursor.hex", H),
        "target": _choice("cursor.target", H),
        "element": _choice("cursor.element", E),
        "animal": _choice("cursor.animal", A),
        "stack": _choice("cursor.stack", 3),
        "left": _bytes("cursor.left", 1, 1),
        "asked": _word_bits("cursor.targets", H),
    }
    return {f.name: list(sources.get(f.name, [nothing] * math.prod(f.shape))) for f in FIELDS}


_ALL: Final = [source for sources in _sources().values() for source in sources]
_BYTE: Final = np.array([s.byte for s in _ALL])
_SHIFT: Final = np.array([s.shift for s in _ALL], np.uint8)
_MASK: Final = np.array([s.mask for s in _ALL], np.uint8)
_IS_CHOICE: Final = np.array([s.choice is not None for s in _ALL])
_CHOICE: Final = np.array([s.choice or 0 for s in _ALL], np.uint8)
