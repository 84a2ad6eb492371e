"""E-30: the NumPy record is the C struct, field by field."""

import numpy as np
from engine_games import row_of, sealed, struct_at

import ds_sim as ds
from ds_sim._core import state as core
from ds_sim._core.layout import CURSOR, STATE


def test_offsets_and_size():
    size, offsets = core.layout()
    fields = {name: at for name, (_, at, *_) in STATE.fields.items() if name != "cursor"}
    cursor = {f"cursor.{name}": STATE.fields["cursor"][1] + at for name, (_, at, *_) in CURSOR.fields.items()}
    assert fields | cursor == offsets
    assert STATE.itemsize == size <= 1024
    assert STATE.isalignedstruct and CURSOR.isalignedstruct


def test_known_values_stand_where_they_should():
    """The setup of rules.md section 1, read through the record."""
    row = row_of(ds.State(ds.Rules(("mammal", "amphibian"), handicap={"amphibian": 1000}), seed=3))
    assert row["vp"].tolist() == [0, 0, 0, 1000, 0, 0]
    assert row["initiative"].tolist() == [3, 0, 255, 255, 255, 255]
    assert row["pawns"].tolist() == [7, 0, 0, 7, 0, 0, 0, 0]
    assert row["gene_pool"].tolist() == [50, 0, 0, 50, 0, 0, 0, 0]
    assert row["held"][0].tolist() == [2, 0, 0, 0, 0, 0, 0, 0] and row["held"][3].tolist() == [
        0,
        0,
        0,
        3,
        0,
        0,
        0,
        0,
    ]
    assert (row["turn"], row["tundra_left"], row["stack_left"].tolist()) == (1, 11, [7, 7, 7])
    assert int(row["earth"]).bit_count() == 7 and int(row["tundra"]).bit_count() == 1
    assert row["boxes"].sum(axis=1).tolist() == [4, 0, 4, 0, 0, 4]
    assert row["tiles"][:, :6].sum(axis=0).tolist() == [4, 0, 0, 4, 0, 0]
    assert np.count_nonzero(row["rng"]) == 2
    assert (row["cursor"]["card"], row["cursor"]["hex"], row["cursor"]["target"]) == (255, 255, 255)


def test_padding_is_no_part_of_a_state():
    """Bytes between the fields are dropped when a state is read, so that equal positions are equal bytes."""
    state = ds.State(seed=1)
    used = np.zeros(STATE.itemsize, bool)
    for kind, at, *_ in STATE.fields.values():
        used[at : at + kind.itemsize] = True
    data = bytearray(state.to_bytes()[:-4])
    start = struct_at(data)
    for at in np.flatnonzero(~used):
        data[start + int(at)] ^= 0xFF
    copy = ds.State.from_bytes(sealed(data))
    assert copy == state and hash(copy) == hash(state) and copy.to_bytes() == state.to_bytes()
