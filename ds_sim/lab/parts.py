"""A chunk of games as the bytes of its Parquet parts: the task that workers run.

The bytes depend on the campaign and the versions alone, not on who made them, when, or after what.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from .. import __version__
from ..errors import DsSimError
from ..playouts import COLUMNS, Results, playouts
from ..records import RULES_VERSION
from ..tables import load, to_arrow
from . import events
from .campaign import Campaign, CampaignError, Cell, Chunk

if TYPE_CHECKING:
    import pyarrow

SEED_SCHEME: Final = "game i of every cell is game i of ds_sim.playouts(rules, policies=policies, seed=seed)"

_SIGNATURE_GAMES: Final = 2


class VersionMismatch(CampaignError):
    """A worker, or a folder of results, is of other versions than this process."""


class GameFailed(Exception):
    """A bug: a game broke down inside. Where, and what was raised."""

    def __init__(self, chunk: Chunk, seed: int, error: str) -> None:
        super().__init__(chunk, seed, error)  # all of it, so that it can be pickled
        self.chunk, self.seed, self.error = chunk, seed, error

    def __str__(self) -> str:
        last = self.chunk.first + self.chunk.games - 1
        return f"cell {self.chunk.cell.label}, games {self.chunk.first} to {last}: {self.error}"


class Task(NamedTuple):
    """A chunk with all a worker needs to know."""

    chunk: Chunk
    seed: int
    detailed: int
    columns: tuple[str, ...]
    campaign: str
    """The key of the campaign."""
    versions: Mapping[str, str]
    signature: str

    @property
    def key(self) -> str:
        """A name that no other task of any campaign has."""
        return f"ds-sim-{self.campaign}-{self.chunk.cell.number}-{self.chunk.number}"


class Made(NamedTuple):
    """The parts of a chunk: games, and events if it has detailed games."""

    games: bytes
    events: bytes | None


def task(campaign: Campaign, chunk: Chunk, signature: str) -> Task:
    """The task of a chunk."""
    return Task(
        chunk, campaign.seed, campaign.detailed, campaign.columns, campaign.key, versions(), signature
    )


def versions() -> dict[str, str]:
    """What the bytes of a part depend on besides the campaign."""
    pa = load("pyarrow", "lab")
    return {"ds_sim": __version__, "rules_version": str(RULES_VERSION), "pyarrow": pa.__version__}


def differing(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """The versions that differ, in words; empty if none does."""
    names = (*ours, *(name for name in theirs if name not in ours))
    return "; ".join(
        f"{name} {theirs.get(name)} instead of {ours.get(name)}"
        for name in names
        if ours.get(name) != theirs.get(name)
    )


@functools.lru_cache(maxsize=4096)
def signature(cell: Cell, seed: int) -> str:
    """16 hexadecimal digits of what the first two games come to, and of the files of the user's own policies:
    equal engines and policies, equal digits.
    """
    results = playouts(cell.rules, _SIGNATURE_GAMES, dict(cell.policies), seed=seed, threads=1)
    digest = hashlib.sha256()
    for name in COLUMNS:
        digest.update(getattr(results, name).tobytes())
    for policy in sorted({policy for _, policy in cell.policies}):
        digest.update(_source(policy))
    return digest.hexdigest()[:16]


def _source(policy: str) -> bytes:
    """The file of a policy that is named as module:attribute."""
    module, colon, _ = policy.partition(":")
    file = getattr(sys.modules[module], "__file__", None) if colon else None
    return Path(file).read_bytes() if file else b""


def make(task: Task) -> Made:
    """Plays a chunk on one thread. Raises `VersionMismatch` where the versions or the engine are not those
    asked for.
    """
    difference = differing(task.versions, versions())
    if difference:
        raise VersionMismatch(f"a worker has {difference}")
    chunk = task.chunk
    try:
        if signature(chunk.cell, task.seed) != task.signature:
            raise VersionMismatch(
                f"a worker plays other games of cell {chunk.cell.label} under the same versions: "
                f"another build of ds_sim, or of a policy"
            )
        return _make(task)
    except DsSimError:
        raise
    except (Exception, SystemExit) as error:
        raise GameFailed(chunk, task.seed, f"{type(error).__name__}: {error}") from error


def _make(task: Task) -> Made:
    pa = load("pyarrow", "lab")
    chunk, about = task.chunk, _about(task)
    end = chunk.first + chunk.games
    plain = min(end, max(chunk.first, task.detailed))  # the games before it are detailed
    runs, told = [], None
    if plain > chunk.first:
        runs.append(_play(task, chunk.first, plain, keep_records=True))
        told = encode(_with_cell(events.to_arrow(runs[0]), chunk.cell), about)
    if plain < end:
        runs.append(_play(task, plain, end, keep_records=False))
    games = pa.concat_tables([to_arrow(results, task.columns) for results in runs])
    return Made(encode(_with_cell(games, chunk.cell), about), told)


def _play(task: Task, first: int, end: int, *, keep_records: bool) -> Results:
    """Games first, ..., end - 1."""
    cell = task.chunk.cell
    return playouts(
        cell.rules,
        end - first,
        dict(cell.policies),
        seed=task.seed,
        first=first,
        threads=1,
        keep_records=keep_records,
    )


def _about(task: Task) -> dict[str, Any]:
    """What stands in the metadata of a part."""
    chunk = task.chunk
    return chunk.cell.to_dict() | {
        "versions": dict(task.versions),
        "campaign": task.campaign,
        "seed": task.seed,
        "seed_scheme": SEED_SCHEME,
        "first": chunk.first,
        "games": chunk.games,
    }


def _with_cell(table: pyarrow.Table, cell: Cell) -> pyarrow.Table:
    """The table with the number of its cell in front."""
    pa = load("pyarrow", "lab")
    number = pa.array(np.full(len(table), cell.number, np.int32))
    return table.add_column(0, pa.field("cell", pa.int32(), nullable=False), number)


def encode(table: pyarrow.Table, about: Mapping[str, Any]) -> bytes:
    """A table as Parquet: zstd, a checksum on every page. Games as differences, names by a dictionary, small
    integers byte by byte: a third faster than by a dictionary, and a sixth smaller. Statistics where a reader
    could skip by them.
    """
    pa, pq = load("pyarrow", "lab"), load("pyarrow.parquet", "lab")
    sink = pa.BufferOutputStream()
    numbers = [field.name for field in table.schema if pa.types.is_integer(field.type)]
    pq.write_table(
        table.replace_schema_metadata({"ds_sim": json.dumps(about, sort_keys=True)}),
        sink,
        compression="zstd",
        use_dictionary=[name for name in table.column_names if name not in numbers],
        column_encoding=dict.fromkeys(numbers, "BYTE_STREAM_SPLIT") | {"game": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
        write_statistics=["game"],
    )
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]
