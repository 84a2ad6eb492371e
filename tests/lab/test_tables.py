"""Results as tables."""

import json
import subprocess
import sys

import numpy as np
import pytest

import ds_sim as ds
from ds_sim import tables
from ds_sim.board import ANIMAL_ID, ANIMALS, CARD_ID, SPACE_ID
from ds_sim.nodes import SOURCES

RULES = ds.Rules(animals=("mammal", "bird", "insect"), cards=["omnivore", "predator"])


@pytest.fixture(scope="module")
def results():
    return ds.playouts(RULES, games=20, seed=4, first=100)


def test_a_row_holds_the_numbers_of_its_game(results):
    table = results.to_arrow()
    assert table.column("game").to_pylist() == list(range(100, 120))
    assert table.column("winner").to_pylist() == [ANIMALS[w] for w in results.winner]
    assert table.column("truncated").to_pylist() == results.truncated.tolist()
    for name in ("turns", "decisions"):
        assert table.column(name).to_pylist() == getattr(results, name).tolist()
    for animal in RULES.animals:
        i = ANIMAL_ID[animal]
        assert table.column(f"vp_{animal}").to_pylist() == results.vp[:, i].tolist()
        assert table.column(f"eliminated_{animal}").to_pylist() == results.eliminated[:, i].tolist()
        assert table.column(f"dominated_{animal}").to_pylist() == results.dominated[:, i].tolist()
        placed = table.column(f"placed_{animal}_domination_5").to_pylist()
        assert placed == results.placed[:, i, SPACE_ID["domination_5"]].tolist()
        losses = table.column(f"vp_{animal}_losses").to_pylist()
        assert losses == results.vp_by_source[:, i, SOURCES.index("losses")].tolist()
    takers = [None if a < 0 else ANIMALS[a] for a in results.card_taker[:, CARD_ID["omnivore"]]]
    assert table.column("card_omnivore").to_pylist() == takers


def test_only_animals_in_play_and_cards_in_the_deck_have_columns(results):
    names = results.to_arrow().column_names
    assert not [name for name in names if "reptile" in name]
    assert [name for name in names if name.startswith("card_")] == [
        "card_ice_age",
        "card_omnivore",
        "card_predator",
    ]
    assert len(set(names)) == len(names) == 5 + 3 * (1 + 11 + 41 + 2) + 3


def test_the_schema_does_not_depend_on_the_games(results):
    one = ds.playouts(RULES, games=1, seed=9)
    assert one.to_arrow().schema.equals(tables.schema(RULES))
    assert results.to_arrow().schema.equals(tables.schema(RULES))


def test_groups_of_columns_can_be_left_out(results):
    assert tables.to_arrow(results, ["cards"]).column_names[5:] == [
        "card_ice_age",
        "card_omnivore",
        "card_predator",
    ]


def test_the_metadata_say_where_the_games_come_from(results):
    about = json.loads(results.to_arrow().schema.metadata[b"ds_sim"])
    assert about["seed"] == 4 and about["version"] == ds.__version__
    assert ds.Rules.from_dict(about["rules"]) == RULES
    assert about["policies"] == dict.fromkeys(RULES.animals, "uniform")


def test_pandas_and_polars_frames_are_the_same_table(results):
    table = results.to_arrow()
    pandas, polars = results.to_pandas(), results.to_polars()
    assert list(pandas.columns) == list(polars.columns) == table.column_names
    assert pandas["winner"].tolist() == polars["winner"].to_list() == table.column("winner").to_pylist()
    assert np.array_equal(pandas["vp_bird"], polars["vp_bird"])


@pytest.mark.parametrize(
    ("module", "method", "extra"),
    [
        ("pyarrow", "to_arrow", "arrow"),
        ("pandas", "to_pandas", "pandas"),
        ("polars", "to_polars", "polars"),
    ],
)
def test_a_missing_library_is_named_with_the_extra_that_brings_it(
    monkeypatch, results, module, method, extra
):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        tables.MissingDependency, match=rf"{module} is not installed; pip install 'ds-sim\[{extra}\]'"
    ):
        getattr(results, method)()


def test_importing_the_package_and_the_lab_loads_no_heavy_library():
    """E-38"""
    code = "import sys, ds_sim.lab, ds_sim.tables; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numba", "pyarrow", "pandas", "polars", "matplotlib", "statsmodels", "distributed"} & set(
        loaded
    )
