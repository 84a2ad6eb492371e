"""Runs a campaign: hands its chunks to a pool and keeps what comes back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Final

from ..playouts import Progress, reporter
from .campaign import Campaign, CampaignError, Chunk
from .executors import ExecutorLike, Pool, pool
from .folder import Folder
from .parts import GameFailed, Made, task

_POLL_SECONDS: Final = 0.1
_MOST_LOSSES: Final = 3
"""Times in a row that workers may be lost without a single chunk coming back."""


@dataclass(frozen=True)
class Outcome:
    """What a run did."""

    played: int
    """Games played now; the others were there."""
    repaired: tuple[str, ...]
    """Damaged parts that were played again, and what was wrong with them."""
    losses: int
    """Times that a worker was lost."""


def run(
    campaign: Campaign,
    out: str | os.PathLike[str],
    *,
    executor: ExecutorLike = None,
    workers: int | None = None,
    progress: Progress = None,
) -> Outcome:
    """Plays what is missing of a campaign in a folder. The bytes in it depend on the campaign and the
    versions alone.

    `executor`: see `ExecutorLike`; `workers`: how many local processes, or how many an executor of the
    caller's has (default: the processors at hand). `progress` is told games, those already there included. It
    can be interrupted at any moment, or killed, and called again. Raises `CampaignError`, and `GameFailed` if
    a game breaks down (a bug).

    >>> import tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from ds_sim.lab import from_dict
    >>> campaign = from_dict({"seed": 7, "games": 20, "animals": ["bird", "insect"], "detailed": 2})
    >>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as threads:
    ...     run(campaign, folder, executor=threads).played, run(campaign, folder, executor=threads).played
    (20, 0)
    """
    folder = Folder.begin(out, campaign)
    with folder.lock(), reporter(progress) as report:
        folder.sweep()
        repaired = tuple(_repair(folder, campaign))
        there = sum(chunk.games for chunk in campaign.chunks if folder.has(chunk))
        report(there, campaign.total)
        losses = 0
        if there < campaign.total:
            with pool(executor, workers) as opened:
                losses = _Runner(folder, campaign, opened).run(there, report)
        folder.seal()
    return Outcome(campaign.total - there, repaired, losses)


def _repair(folder: Folder, campaign: Campaign) -> Iterator[str]:
    """Sets damaged parts aside, so that they are played again."""
    for chunk in campaign.chunks:
        fault = folder.fault(chunk)
        if fault:
            folder.set_aside(chunk)
            yield fault


class _Runner:
    """The chunks on their way."""

    def __init__(self, folder: Folder, campaign: Campaign, pool: Pool) -> None:
        self.folder, self.campaign, self.pool = folder, campaign, pool
        self.running: dict[Future[Made], Chunk] = {}
        self.losses = self.in_a_row = 0

    def run(self, done: int, report: Callable[[int, int], object]) -> int:
        """Plays every missing chunk; returns how often workers were lost."""
        todo = (chunk for chunk in self.campaign.chunks if not self.folder.has(chunk))
        while True:
            while len(self.running) < self.pool.width and (chunk := next(todo, None)):
                self.submit(chunk)
            if not self.running:
                return self.losses
            finished, _ = wait(self.running, _POLL_SECONDS, FIRST_COMPLETED)
            lost: list[Chunk] = []
            for future in finished:
                chunk = self.running.pop(future)
                if self.take(chunk, future):
                    done += chunk.games
                else:
                    lost.append(chunk)
            report(done, self.campaign.total)
            if lost or self.pool.lost():
                self.recover(lost)

    def submit(self, chunk: Chunk) -> None:
        signature = self.folder.signature(chunk.cell)
        try:
            self.running[self.pool.submit(task(self.campaign, chunk, signature))] = chunk
        except BrokenExecutor:
            self.recover([chunk])

    def take(self, chunk: Chunk, future: Future[Made]) -> bool:
        """Keeps what a future brought; False if its worker was lost."""
        try:
            made = future.result()
        except (BrokenExecutor, CancelledError):
            return False
        except (GameFailed, CampaignError):
            raise
        except Exception as error:
            raise CampaignError(f"cell {chunk.cell.label}, part {chunk.number}: {error}") from error
        self.folder.keep(chunk, made)
        self.in_a_row = 0
        return True

    def recover(self, lost: list[Chunk]) -> None:
        """Plays again what lost workers held: with a pool of processes that is all it was running."""
        self.losses += 1
        self.in_a_row += 1
        if self.in_a_row > _MOST_LOSSES:
            raise CampaignError(
                f"workers were lost {self.in_a_row} times in a row, last with {lost[0].cell.label}, "
                f"part {lost[0].number}; out of memory? The parts there stay good"
            )
        lost += self.running.values()
        self.running.clear()
        self.pool.renew()
        for chunk in lost:
            self.submit(chunk)
