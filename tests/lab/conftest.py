"""Small campaigns, and folders compared byte for byte."""

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ds_sim import lab

SMALL = {
    "seed": 11,
    "games": 60,
    "chunk": 25,
    "detailed": 30,
    "animals": ["bird", "insect"],
    "rules": {"max_turns": 6},
}

Digests = Callable[[Path], dict[str, str]]
Play = Callable[..., lab.Outcome]


@pytest.fixture
def small() -> dict[str, Any]:
    """A campaign of six parts, as plain data."""
    return SMALL | {"variants": {"head_start": {"handicap": {"bird": 5}}}}


@pytest.fixture
def play() -> Play:
    """Runs a campaign on one thread of this process."""

    def play(data: dict[str, Any], out: Path, **options: Any) -> lab.Outcome:
        with ThreadPoolExecutor(1) as threads:
            return lab.run(lab.from_dict(data), out, executor=threads, **options)

    return play


@pytest.fixture(scope="session")
def digests() -> Digests:
    """The sum of every file of a folder, by its path there."""

    def digests(folder: Path) -> dict[str, str]:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in files
        }

    return digests
