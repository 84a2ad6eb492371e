"""Results as tables: one row a game, one named column per number, one explicit Arrow schema.

>>> import ds_sim as ds
>>> rules = ds.Rules(animals=("bird", "insect"))
>>> schema(rules, ["vp"]).names
['game', 'winner', 'turns', 'decisions', 'truncated', 'vp_bird', 'vp_insect']
>>> to_arrow(ds.playouts(rules, games=3, seed=1)).column("card_omnivore").type
DictionaryType(dictionary<values=string, indices=int8, ordered=0>)

Columns stand in groups, `GROUPS`, of which some can be left out; only animals in play and cards in the deck
have any. pyarrow, pandas and polars are loaded when first used.
"""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .board import ANIMAL_ID, ANIMALS, CARD_ID, SPACES
from .errors import DsSimError, nearest, show
from .nodes import SOURCES

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .playouts import Results
    from .rules import Rules

GROUPS: Final[Mapping[str, str]] = {
    "vp": "vp_ANIMAL: final VPs",
    "sources": "vp_ANIMAL_SOURCE: VPs by where they came from; losses are negative",
    "cards": "card_CARD: the animal that took the card, or null",
    "spaces": "placed_ANIMAL_SPACE: pawns placed on the space",
    "species": "eliminated_ANIMAL: species eliminated; dominated_ANIMAL: tiles dominated at the end",
}
"""The groups of columns besides `game`, `winner`, `turns`, `decisions` and `truncated`, and what is in them.
"""


class Column(NamedTuple):
    """One column: its name, the NumPy type of its numbers or "animal", and where in `Results` they stand."""

    name: str
    kind: str
    source: str
    place: tuple[int, ...] = ()


class MissingDependency(DsSimError, ImportError):
    """An optional dependency is not installed; the message names the extra that brings it."""


def load(module: str, extra: str) -> Any:
    """An optional dependency, or an error that says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingDependency(f"{package} is not installed; pip install 'ds-sim[{extra}]'") from error


def columns(rules: Rules, groups: Iterable[str] = tuple(GROUPS)) -> list[Column]:
    """The columns of a table of games under these rules. Raises `DsSimError` for an unknown group."""
    wanted = set(groups)
    for group in sorted(wanted - set(GROUPS)):
        raise DsSimError(
            f"columns = {show(group)}: expected names out of {', '.join(GROUPS)}{nearest(group, GROUPS)}"
        )
    found = [
        Column("winner", "animal", "winner"),
        Column("turns", "int32", "turns"),
        Column("decisions", "int32", "decisions"),
        Column("truncated", "bool", "truncated"),
    ]
    for group in GROUPS:
        if group in wanted:
            found += _group(group, rules)
    return found


def _group(group: str, rules: Rules) -> Iterator[Column]:
    if group == "cards":
        for card in rules.cards:
            yield Column(f"card_{card}", "animal", "card_taker", (CARD_ID[card],))
        return
    for animal in rules.animals:
        i = ANIMAL_ID[animal]
        if group == "vp":
            yield Column(f"vp_{animal}", "int32", "vp", (i,))
        elif group == "sources":
            for k, source in enumerate(SOURCES):
                yield Column(f"vp_{animal}_{source}", "int32", "vp_by_source", (i, k))
        elif group == "spaces":
            for k, space in enumerate(SPACES):
                yield Column(f"placed_{animal}_{space}", "uint16", "placed", (i, k))
        else:
            yield Column(f"eliminated_{animal}", "uint16", "eliminated", (i,))
            yield Column(f"dominated_{animal}", "uint8", "dominated", (i,))


def schema(rules: Rules, groups: Iterable[str] = tuple(GROUPS)) -> pyarrow.Schema:
    """The Arrow schema of games under these rules: `game`, the index in its run, then `columns`. Never
    inferred.
    """
    return _layout(rules, tuple(groups))[1]


@functools.lru_cache(maxsize=64)
def _layout(rules: Rules, groups: tuple[str, ...]) -> tuple[list[Column], pyarrow.Schema]:
    """`columns` and `schema`; kept, since each has hundreds of entries."""
    pa = load("pyarrow", "arrow")
    animal = pa.dictionary(pa.int8(), pa.string())
    kinds = {"animal": animal, "bool": pa.bool_()} | {
        k: getattr(pa, k)() for k in ("int32", "uint16", "uint8")
    }
    found = columns(rules, groups)
    fields = [
        pa.field(column.name, kinds[column.kind], nullable=column.source == "card_taker") for column in found
    ]
    return found, pa.schema([pa.field("game", pa.uint64(), nullable=False), *fields])


def to_arrow(results: Results, groups: Iterable[str] = tuple(GROUPS)) -> pyarrow.Table:
    """The games as a `pyarrow.Table`. Its metadata `ds_sim` is JSON: version, rules, policies, seed."""
    pa = load("pyarrow", "arrow")
    found, schema = _layout(results.rules, tuple(groups))
    arrays = [pa.array(results.first + np.arange(len(results), dtype=np.uint64))]
    for column in found:
        values = getattr(results, column.source)[(slice(None), *column.place)]
        arrays.append(_animals(values) if column.kind == "animal" else pa.array(np.ascontiguousarray(values)))
    table = pa.Table.from_arrays(arrays, schema=schema)
    return table.replace_schema_metadata({"ds_sim": json.dumps(_about(results), sort_keys=True)})


def _animals(ids: npt.NDArray[np.int8]) -> pyarrow.DictionaryArray:
    """Ids of animals, -1 for none, as names."""
    pa = load("pyarrow", "arrow")
    indices = pa.array(np.ascontiguousarray(ids), mask=np.ascontiguousarray(ids < 0))
    return pa.DictionaryArray.from_arrays(indices, pa.array(ANIMALS))


def _about(results: Results) -> dict[str, Any]:
    from . import __version__

    players = {a: name for a, name in zip(ANIMALS, results.policies, strict=True) if name is not None}
    rules = results.rules.to_dict()
    return {"version": __version__, "rules": rules, "policies": players, "seed": results.seed}


def to_pandas(results: Results) -> pandas.DataFrame:
    """The games as a `pandas.DataFrame`; animals are categories."""
    load("pandas", "pandas")
    load("pyarrow", "pandas")
    return to_arrow(results).to_pandas()


def to_polars(results: Results) -> polars.DataFrame:
    """The games as a `polars.DataFrame`; animals are categories."""
    pl = load("polars", "polars")
    load("pyarrow", "polars")
    table: polars.DataFrame = pl.from_arrow(to_arrow(results))
    return table
