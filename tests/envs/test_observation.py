"""Observations against the plain data of the same states, and against what they must not tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ds_sim as ds
from ds_sim.board import ANIMALS, BOXES, CARDS, CORNER_ID, ELEMENTS, HEX_NAMES, SPACES, TERRAINS, TILE_KINDS
from ds_sim.nodes import NODES, PHASES
from ds_sim.observation import FIELDS, HIGH, SCALE, SIZE, field, observe


def counts(numbers: dict[str, int], names: tuple[str, ...]) -> list[int]:
    return [numbers.get(name, 0) for name in names]


def where(names: tuple[str, ...], *present: str | None) -> list[int]:
    return [int(name in present) for name in names]


def expected(plain: dict[str, Any], declared: bool) -> dict[str, Any]:
    """The fields that the plain data gives."""
    tiles = [plain["tiles"].get(name) for name in HEX_NAMES]
    species = [tile.get("species", {}) if tile else {} for tile in tiles]
    cones = [tile.get("dominant") if tile and declared else None for tile in tiles]
    kinds = [tile and ("tundra" if tile.get("tundra") else tile["terrain"]) for tile in tiles]
    corners = {CORNER_ID[name]: element for name, element in plain["corners"].items()}
    sleep = plain["hibernating"] or {"animal": None, "hex": None, "count": 0}
    track = [*plain["initiative"], *[None] * 6][:6]
    return {
        "actor": where((*ANIMALS, "chance"), plain["actor"]),
        "node": where(NODES, plain["node"]),
        "phase": where(PHASES, plain["phase"]),
        "turn": [plain["turn"]],
        "vp": counts(plain["vp"], ANIMALS),
        "initiative": [where(ANIMALS, animal) for animal in track],
        "pawns": counts(plain["pawns"], ANIMALS),
        "gene_pool": counts(plain["gene_pool"], ANIMALS),
        "eliminated": counts(plain["eliminated"], ANIMALS),
        "held": [[plain["elements"].get(a, {}).get(e, 0) for a in ANIMALS] for e in ELEMENTS],
        "tiles": [[int(kind == k) for k in kinds] for kind in TILE_KINDS],
        "scored": [int(bool(tile and tile.get("scored"))) for tile in tiles],
        "species": [[on.get(animal, 0) for on in species] for animal in ANIMALS],
        "cones": [[int(cone == animal) for cone in cones] for animal in ANIMALS],
        "elements": [[int(corners.get(c) == element) for c in range(92)] for element in ELEMENTS],
        "hibernating": [
            [sleep["count"] * (animal == sleep["animal"] and name == sleep["hex"]) for name in HEX_NAMES]
            for animal in ANIMALS
        ],
        "spaces": [[int(plain["spaces"].get(space) == animal) for space in SPACES] for animal in ANIMALS],
        "boxes": [counts(plain["boxes"][box], ELEMENTS) for box in BOXES],
        "bag": counts(plain["bag"], ELEMENTS),
        "face_up": where(CARDS, *plain["cards"]["face_up"]),
        "taken": where(CARDS, *plain["cards"]["taken"]),
        "stack_face_up": [where(TERRAINS, stack["face_up"]) for stack in plain["stacks"]],
        "stack_left": [stack["left"] for stack in plain["stacks"]],
        "unseen_tiles": counts(plain["unseen_tiles"], TERRAINS),
        "tundra_left": [plain["tundra_left"]],
    }


def test_fields_are_the_plain_data(every_node):
    for state in every_node:
        observation = observe(state.array)[0]
        for name, values in expected(state.to_dict(), state.rules.dominance_claims == "declared").items():
            np.testing.assert_array_equal(field(observation, name), values, f"{name} at {state.node}")


def test_numbers_stay_within_their_bounds(every_node):
    observations = observe(np.concatenate([state.array for state in every_node]))
    assert (observations >= 0).all() and (observations <= HIGH).all()
    assert len(HIGH) == len(SCALE) == SIZE == sum(int(np.prod(f.shape)) for f in FIELDS)
    assert (SCALE > 0).all() and not HIGH.flags.writeable


def leaves(dtype: np.dtype, at: int = 0, path: str = "") -> list[tuple[str, int, int]]:
    """Name, offset and size of every plain field, arrays in rows of one axis."""
    if dtype.names:
        return [
            leaf
            for name in dtype.names
            for leaf in leaves(dtype[name], at + dtype.fields[name][1], f"{path}.{name}".lstrip("."))
        ]
    return [(path, at, dtype.itemsize)]


def test_every_fact_of_the_position_counts(every_node):
    """E-23: the bytes that no observation notices are derived from the rest, or never used."""
    itemsize = every_node[0].array.dtype.itemsize
    silent = set(range(itemsize))
    bases = [state.array.copy() for state in {state.node: state for state in every_node}.values()]
    bases[0]["hibernating_animal"], bases[0]["hibernating_hex"], bases[0]["hibernating_count"] = 1, 3, 2
    bases[0]["cursor"]["moved"] = 1  # seven times one species to the first hex
    for base in bases:
        places = np.repeat(sorted(silent), 9)
        changed = np.repeat(base, len(places))
        raw = changed.view(np.uint8).reshape(len(places), itemsize)
        old = raw[np.arange(len(places)), places].reshape(-1, 9)
        flips = np.append(1 << np.arange(8), 0).astype(np.uint8)
        new = np.where(np.arange(9) < 8, old ^ flips, 0)  # each bit flipped, and zero
        raw[np.arange(len(places)), places] = new.ravel()
        # Hexes and animals that are none may not be looked at.
        moved, asleep, hex = (
            changed["cursor"]["moved"][..., 0],
            changed["hibernating_animal"],
            changed["hibernating_hex"],
        )
        sound = (moved <= 35).all(axis=1) & (asleep < 6) & (hex < 35)
        seen = (observe(changed[sound], 0) != observe(base, 0)).any(axis=1)
        silent -= set(places[sound][seen].tolist())

    derived = {"presence", "earth", "shore", "rng", "truncated"}
    used = set()
    for name, at, size in leaves(every_node[0].array.dtype):
        if name in derived:
            continue
        lanes = range(size)
        if name in ("held", "boxes", "bag", "pawns", "gene_pool", "eliminated"):
            lanes = [i for i in lanes if i % 8 < 6]
        elif name == "unseen_tiles":
            lanes = range(7)
        elif name in ("terrain", "tundra", "scored", "cursor.targets"):  # sets of 35
            lanes = [i for i in lanes if i % 8 < 5]
        elif name == "elements":  # sets of 92
            lanes = [i for i in lanes if i % 16 < 12]
        elif name == "spaces":  # a set of 41
            lanes = range(6)
        used |= {at + i for i in lanes}
    tiles = every_node[0].array.dtype.fields["tiles"][1]
    used -= {tiles + 8 * h + 6 for h in range(35)}  # terrain, told by the sets
    assert silent == set(range(itemsize)) - used


def test_only_the_viewer_depends_on_the_viewer(every_node):
    for state in every_node[::5]:
        nobody = observe(state.array, -1)[0]
        assert not field(nobody, "viewer").any()
        for animal in range(6):
            seen = observe(state.array, animal)[0]
            assert np.flatnonzero(seen != nobody).tolist() == [animal]
            assert np.flatnonzero(field(seen, "viewer")).tolist() == [animal]


def test_the_actor_looks_by_default():
    state = ds.State(seed=1)
    np.testing.assert_array_equal(observe(state.array), observe(state.array, ANIMALS.index(state.actor)))


def test_the_future_is_not_told():
    """E-23: the unseen rest is drawn when revealed, and nothing before tells how."""
    futures, pasts = set(), set()
    for seed in range(8):
        state = ds.State(ds.Rules(animals=("mammal", "bird")), seed=5)
        state.reseed(seed)
        pasts.add(observe(state.array).tobytes())
        while state.turn == 1:
            state.apply(state.legal_actions()[0])
        futures.add(observe(state.array).tobytes())
    assert len(pasts) == 1 and len(futures) == 8


def test_an_observation_is_not_overwritten():
    """E-15."""
    state = ds.State(seed=2)
    kept = observe(state.array)
    copy = kept.copy()
    state.apply(state.legal_actions()[0])
    assert (observe(state.array) != kept).any()
    np.testing.assert_array_equal(kept, copy)


def test_rows_are_independent(every_node):
    batch = np.concatenate([state.array for state in every_node])
    rows = np.concatenate([observe(state.array) for state in every_node])
    np.testing.assert_array_equal(observe(batch), rows)
    out = np.full((len(batch), SIZE), 9, np.float32)
    assert observe(batch[::-1], out=out) is out
    np.testing.assert_array_equal(out, rows[::-1])


@pytest.mark.parametrize(
    ("array", "out", "said"),
    [
        (np.zeros(3), None, "array"),
        ([1, 2], None, "array"),
        (ds.State(seed=1).array.reshape(1, 1), None, "array"),
        (ds.State(seed=1).array, np.zeros((2, SIZE), np.float32), "out"),
        (ds.State(seed=1).array, np.zeros((1, SIZE)), "out"),
        (ds.State(seed=1).array, [0], "out"),
    ],
)
def test_wrong_arrays_are_refused(array, out, said):
    with pytest.raises(ds.DsSimError, match=f"^{said}"):
        observe(array, out=out)


def test_wrong_fields_are_refused():
    observation = observe(ds.State(seed=1).array)
    with pytest.raises(ds.DsSimError, match=r"speces.*expected one of viewer, actor"):
        field(observation, "speces")
    with pytest.raises(ds.DsSimError, match="shape"):
        field(observation[:, 1:], "species")
