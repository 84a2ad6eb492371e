"""A campaign on disk.

    manifest.json             the whole campaign, every rule set complete, and the versions; written first
    games/0003/000017.parquet    part 17 of cell 3: a row a game
    events/0003/000017.parquet   its detailed games, told turn by turn
    SHA256SUMS                the sum of every part (`sha256sum -c` reads it); written when all are there
    SHA256SUMS.journal        the same while they come in

A part appears whole or not at all: it is written under another name, synced, and renamed. A chunk is done
when its part of games is there; that of events comes first. A kill can cost a line of the journal, no more:
such a part is checked by the checksums inside it.
"""

from __future__ import annotations

import fcntl
import hashlib
import itertools
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from .._files import replacing
from ..tables import load
from .campaign import Campaign, CampaignError, Cell, Chunk
from .parts import Made, VersionMismatch, differing, signature, versions

FORMAT: Final = 1
_MANIFEST, _SUMS, _JOURNAL = "manifest.json", "SHA256SUMS", "SHA256SUMS.journal"
_KINDS: Final = ("games", "events")
_PART, _TEMPORARY, _DAMAGED = ".parquet", ".tmp", ".damaged"
_DIGEST: Final = 64  # hexadecimal digits of a sum


class Folder:
    """The folder of a campaign."""

    def __init__(self, path: str | os.PathLike[str], manifest: dict[str, Any]) -> None:
        self.path = Path(path)
        self.manifest = manifest

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Folder:
        """The folder of a campaign that was begun. Raises `CampaignError` if it is none."""
        file = Path(path) / _MANIFEST
        try:
            manifest = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise CampaignError(f"{path}: no campaign here ({_MANIFEST} is missing)") from None
        except (ValueError, RecursionError) as error:
            raise CampaignError(f"{file}: damaged: {error}") from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise CampaignError(f"{file}: not a manifest of format {FORMAT}")
        return cls(path, manifest)

    @classmethod
    def begin(cls, path: str | os.PathLike[str], campaign: Campaign) -> Folder:
        """The folder of this campaign: a new one, or one to go on with.

        Raises `CampaignError` if another campaign is there, or anything else; nothing is touched then.
        """
        target, manifest = Path(path), manifest_of(campaign)
        if (target / _MANIFEST).exists():
            folder = cls.open(target)
            try:
                _compare(target, folder.manifest, manifest)
            except (KeyError, TypeError, AttributeError) as error:
                raise CampaignError(f"{target / _MANIFEST}: damaged: {error!r}") from error
            return folder
        # A kill before the manifest was there may have left its temporary file.
        if target.exists() and any(entry.suffix != _TEMPORARY for entry in target.iterdir()):
            raise CampaignError(f"{target}: is not empty, and no campaign; expected a new folder")
        target.mkdir(parents=True, exist_ok=True)
        write(target / _MANIFEST, _json(manifest))
        return cls(target, manifest)

    @cached_property
    def campaign(self) -> Campaign:
        """The campaign, from the manifest."""
        try:
            data = self.manifest["campaign"]
            cells = tuple(Cell.from_dict(cell) for cell in data["cells"])
            campaign = Campaign(**data | {"cells": cells, "columns": tuple(data["columns"])})
            damaged = campaign.key != self.manifest["key"] or not isinstance(self.manifest["versions"], dict)
        except (KeyError, TypeError, ValueError) as error:
            raise CampaignError(f"{self.path / _MANIFEST}: damaged: {error!r}") from error
        if damaged:
            raise CampaignError(f"{self.path / _MANIFEST}: damaged: it was altered")
        return campaign

    def signature(self, cell: Cell) -> str:
        """What the engine made of the first games of a cell when the campaign was begun."""
        return str(self.manifest["signatures"][cell.number])

    # ---- parts ----

    def part(self, kind: str, cell: Cell, number: int) -> Path:
        """Where a part stands; `kind` is games or events."""
        return self.path / kind / f"{cell.number:04}" / f"{number:06}{_PART}"

    def there(self, kind: str, cell: Cell) -> list[Chunk]:
        """The chunks of a cell whose part is there, in order. What else lies in the folder is no part."""
        chunks = self.campaign.chunks_of(cell)
        return [chunk for chunk in chunks if self.part(kind, cell, chunk.number).exists()]

    def stranger(self, kind: str, chunk: Chunk) -> str | None:
        """Whether a part that is there is of other games than its name says, by what it says of itself."""
        path = self.part(kind, chunk.cell, chunk.number)
        pa, pq = load("pyarrow", "lab"), load("pyarrow.parquet", "lab")
        try:
            fault = _misplaced(pq.read_metadata(path), kind, self.campaign.key, chunk)
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
            fault = f"damaged: {error}"
        return fault and f"{path}: {fault}"

    def has(self, chunk: Chunk) -> bool:
        """Whether a chunk is done."""
        kinds = _KINDS if self.campaign.detailed > chunk.first else _KINDS[:1]
        return all(self.part(kind, chunk.cell, chunk.number).exists() for kind in kinds)

    def keep(self, chunk: Chunk, made: Made) -> None:
        """Writes the parts of a chunk. Those that are there already stay as they are."""
        for kind in reversed(_KINDS):
            data = getattr(made, kind)
            path = self.part(kind, chunk.cell, chunk.number)
            if data is not None and not path.exists():
                write(path, data)
                self._note(path, hashlib.sha256(data).hexdigest())

    def fault(self, chunk: Chunk) -> str | None:
        """What is wrong with a part of a chunk that is there, or None. Every byte is read and checked."""
        for kind in _KINDS:
            path = self.part(kind, chunk.cell, chunk.number)
            if path.exists():
                known = self._sums.get(self._name(path))
                fault = (
                    _inner_fault(path, self.campaign.key, chunk) if known is None else _changed(path, known)
                )
                if fault:
                    return f"{path}: {fault}"
        return None

    def set_aside(self, chunk: Chunk) -> None:
        """Takes the parts of a chunk out of the way; they stay beside as *.damaged."""
        for kind in _KINDS:
            path = self.part(kind, chunk.cell, chunk.number)
            if path.exists():
                path.rename(path.with_suffix(_DAMAGED))

    def seal(self) -> None:
        """Writes the sums of all parts: the campaign is complete."""
        sums = {}
        for kind, cell in itertools.product(_KINDS, self.campaign.cells):
            for chunk in self.there(kind, cell):
                path = self.part(kind, cell, chunk.number)
                sums[self._name(path)] = self._sums.get(self._name(path)) or _sum(path)
        write(self.path / _SUMS, "".join(_line(name, sums[name]) for name in sorted(sums)).encode())
        (self.path / _JOURNAL).unlink(missing_ok=True)

    @cached_property
    def _sums(self) -> dict[str, str]:
        """The sums of parts noted so far, by name. Lines cut short by a kill are left aside."""
        sums = {}
        for file in (self.path / _SUMS, self.path / _JOURNAL):
            text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
            for line in text.splitlines():
                digest, _, name = line.partition("  ")
                if len(digest) == _DIGEST and name.endswith(_PART):
                    sums[name] = digest
        return sums

    def _note(self, path: Path, digest: str) -> None:
        name = self._name(path)
        self._sums[name] = digest
        with (self.path / _JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(_line(name, digest))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.path).as_posix()

    def sweep(self) -> None:
        """Removes what an earlier run was writing when it was killed. Only for who holds the lock."""
        for path in self.path.rglob(f"*{_TEMPORARY}"):
            path.unlink()

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other processes from running this campaign; the system lets go when this one ends."""
        handle = os.open(self.path, os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise CampaignError(f"{self.path}: another process is running this campaign") from error
            yield
        finally:
            os.close(handle)


def manifest_of(campaign: Campaign) -> dict[str, Any]:
    """What the manifest of a campaign says."""
    return {
        "format": FORMAT,
        "versions": versions(),
        "campaign": campaign.to_dict(),
        "key": campaign.key,
        "signatures": [signature(cell, campaign.seed) for cell in campaign.cells],
    }


def _compare(path: Path, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    """Raises if a folder's manifest is not that of the campaign at hand."""
    difference = differing(theirs["versions"], ours["versions"])
    if difference:
        raise VersionMismatch(f"{path}: begun under other versions; now {difference}")
    for key, value in ours["campaign"].items():
        there = theirs["campaign"].get(key)
        if there != value and key != "cells":
            raise CampaignError(f"{path}: holds another campaign: {key} is {there!r} there, {value!r} here")
    if theirs["campaign"] != ours["campaign"]:
        raise CampaignError(f"{path}: holds another campaign: its rules, animals or policies differ")
    if theirs["signatures"] != ours["signatures"]:
        raise VersionMismatch(
            f"{path}: begun with another build of ds_sim, or of a policy, which may play other games"
        )


def _inner_fault(path: Path, campaign: str, chunk: Chunk) -> str | None:
    pa, pq = load("pyarrow", "lab"), load("pyarrow.parquet", "lab")
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for _ in file.iter_batches():
                pass
            return _misplaced(file.metadata, path.parts[-3], campaign, chunk)
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
        return f"damaged: {error}"


def _misplaced(footer: Any, kind: str, campaign: str, chunk: Chunk) -> str | None:
    """Why a part with this footer does not belong where it stands, or None."""
    about = json.loads(footer.metadata[b"ds_sim"])
    expected = (campaign, chunk.cell.number, chunk.first, chunk.games)
    if tuple(about.get(key) for key in ("campaign", "cell", "first", "games")) != expected:
        return "belongs to other games"
    names = footer.schema.names
    if ("event" in names) != (kind == "events") or not footer.num_rows:
        return f"holds no {kind}"
    if kind == "games" and footer.num_rows != chunk.games:
        return f"holds {footer.num_rows} games instead of {chunk.games}"
    return None


def _changed(path: Path, known: str) -> str | None:
    return None if _sum(path) == known else "damaged: its SHA-256 is not the one it was written with"


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _line(name: str, digest: str) -> str:
    return f"{digest}  {name}\n"


def write(path: Path, data: bytes) -> None:
    """A file that is there whole, and on the disk, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(data)
    except OSError as error:
        raise CampaignError(
            f"{path}: cannot be written: {error.strerror}; what is there stays good"
        ) from error


def _json(data: object) -> bytes:
    return (json.dumps(data, indent=1, sort_keys=True) + "\n").encode()
