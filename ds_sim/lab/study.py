"""A campaign's results on disk, as lazy frames and as sums.

Sums are of integers, so no figure depends on the number of threads; they are formed part by part, so memory
does not grow with the number of games.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from ..tables import load
from .campaign import BASE, Campaign, CampaignError, Cell, Chunk
from .folder import Folder
from .statistics import wilson

if TYPE_CHECKING:
    import polars

Types = Mapping[str, type]

CELL: Final[Types] = {"cell": int, "variant": str, "lineup": str, "animals": str}
"""The columns every frame begins with: the number of the cell (-1 for a sum over several), and what it is."""

RATE: Final[Types] = {"games": int, "wins": int, "rate": float, "low": float, "high": float}
"""A rate with its Wilson interval."""


def open_study(path: str | os.PathLike[str]) -> Study:
    """The campaign in a folder, complete or not. Raises `CampaignError`."""
    return Study(Folder.open(path))


class Study:
    """A campaign's results, of the games that are there when a cell is first looked at: a campaign may run on
    meanwhile. A part that holds other games than its name says raises `CampaignError`.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._there: dict[tuple[str, Cell], list[Chunk]] = {}

    @property
    def campaign(self) -> Campaign:
        """What was to be played."""
        return self.folder.campaign

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of which games are there."""
        return tuple(cell for cell in self.campaign.cells if self._chunks("games", cell))

    @property
    def base_cells(self) -> tuple[Cell, ...]:
        """The cells under the rules without a variant."""
        return tuple(cell for cell in self.cells if cell.variant == BASE)

    def games(self, cell: Cell) -> polars.LazyFrame:
        """The games of a cell, a row each (`ds_sim.tables`), lazily."""
        return self._scan("games", cell)

    def events(self, cell: Cell) -> polars.LazyFrame:
        """What happened in the detailed games of a cell, a row an event (`ds_sim.lab.events`), lazily."""
        return self._scan("events", cell)

    def has_events(self, cell: Cell) -> bool:
        """Whether a cell has detailed games."""
        return bool(self._chunks("events", cell))

    def has_group(self, group: str) -> bool:
        """Whether a group of columns was kept."""
        return group in self.campaign.columns

    def _chunks(self, kind: str, cell: Cell) -> list[Chunk]:
        """The chunks whose part is there; it is looked for once, and has to be what its name says."""
        if (kind, cell) not in self._there:
            chunks = self.folder.there(kind, cell)
            for chunk in chunks:
                fault = self.folder.stranger(kind, chunk)
                if fault:
                    raise CampaignError(f"{fault} (`ds-sim campaign run` plays it again)")
            self._there[kind, cell] = chunks
        return self._there[kind, cell]

    def common(self, cells: Sequence[Cell]) -> list[polars.LazyFrame]:
        """The games that all of these cells have, a frame for each; none while they have none in common."""
        there = [{chunk.number for chunk in self._chunks("games", cell)} for cell in cells]
        numbers = set.intersection(*there)
        if not numbers:
            return []
        return [self._scan("games", cell, numbers) for cell in cells]

    def _scan(self, kind: str, cell: Cell, numbers: Container[int] | None = None) -> polars.LazyFrame:
        """The parts of these numbers, or all."""
        pl = load("polars", "lab")
        chunks = [chunk for chunk in self._chunks(kind, cell) if numbers is None or chunk.number in numbers]
        paths = [self.folder.part(kind, cell, chunk.number) for chunk in chunks]
        if not paths:
            raise CampaignError(f"{self.folder.path}: no {kind} of cell {cell.label}")
        # Names are compared as plain text, whatever way the parts hold them.
        lazy: polars.LazyFrame = pl.scan_parquet(paths)
        return lazy.with_columns(pl.selectors.categorical().cast(pl.String))

    def collect(self, frame: polars.LazyFrame) -> polars.DataFrame:
        """A lazy frame computed, part by part. A part that cannot be read raises `CampaignError`."""
        pl = load("polars", "lab")
        try:
            return frame.collect(engine="streaming")
        except (pl.exceptions.PolarsError, OSError) as error:
            raise CampaignError(
                f"{self.folder.path}: a part cannot be read (`ds-sim campaign run` plays it again): {error}"
            ) from error

    def sums(self, frame: polars.LazyFrame, expressions: Mapping[str, Any]) -> dict[str, int]:
        """The sum of every expression over the rows of a frame, and under "n" the number of rows."""
        pl = load("polars", "lab")
        named = [expression.cast(pl.Int64).sum().alias(name) for name, expression in expressions.items()]
        return dict(self.collect(frame.select(pl.len().cast(pl.Int64).alias("n"), *named)).row(0, named=True))

    def count(self, cell: Cell) -> int:
        """How many games of a cell are there."""
        return sum(chunk.games for chunk in self._chunks("games", cell))

    def detailed(self, cell: Cell) -> int:
        """How many of them are told turn by turn."""
        end = self.campaign.detailed
        return sum(min(chunk.games, end - chunk.first) for chunk in self._chunks("events", cell))


# ---- rows of frames ----


def frame(rows: Iterable[Mapping[str, Any]], columns: Types) -> polars.DataFrame:
    """A frame of rows, of the columns of `CELL` and these."""
    pl = load("polars", "lab")
    types = {str: pl.String, int: pl.Int64, float: pl.Float64}
    every = {**CELL, **columns}
    made: polars.DataFrame = pl.DataFrame(
        [{name: row[name] for name in every} for row in rows],
        schema={name: types[kind] for name, kind in every.items()},
    )
    return made


def about(cell: Cell) -> dict[str, Any]:
    """The first columns of a row."""
    return {
        "cell": cell.number,
        "variant": cell.variant,
        "lineup": cell.players,
        "animals": ", ".join(cell.rules.animals),
    }


def rate(wins: int, games: int) -> dict[str, Any]:
    """The columns of `RATE`."""
    low, high = wilson([wins], [games])
    return {
        "games": games,
        "wins": wins,
        "rate": wins / games if games else float("nan"),
        "low": float(low[0]),
        "high": float(high[0]),
    }


def seat_name(seat: tuple[str, ...]) -> str:
    """A seat in words.

    >>> seat_name(("mammal", "bird"))
    'mammal + bird'
    """
    return " + ".join(seat)


def seat_of(cell: Cell, animal: str) -> tuple[str, ...]:
    """The seat that runs an animal."""
    return next(seat for seat in cell.rules.seats if animal in seat)


def won(seat: tuple[str, ...]) -> polars.Expr:
    """Whether a seat won: the winner names one of its animals (R-END-1)."""
    pl = load("polars", "lab")
    expression: polars.Expr = pl.col("winner").is_in(list(seat))
    return expression


def score(seat: tuple[str, ...]) -> polars.Expr:
    """A seat's score: that of its lowest animal (R-SET-3)."""
    pl = load("polars", "lab")
    expression: polars.Expr = pl.min_horizontal([f"vp_{animal}" for animal in seat])
    return expression
