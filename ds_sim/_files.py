"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write that stands at the path, and on the disk, if the block ends well; else nothing changes.

    A symbolic link stays, and the file it leads to is replaced. What is no regular file (a device, a pipe) is
    written to as it is.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    scratch = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with scratch.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(target)
        _sync(target.parent)
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Puts the names in a folder on the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
