"""`ds-sim campaign`: games by the million, kept as Parquet."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from .output import FILE, json_option, print_json, print_table, say
from .simulate import Run

if TYPE_CHECKING:
    from ..lab.campaign import Campaign
    from ..lab.parts import GameFailed

LINE_SECONDS = 10
"""Time between lines of progress where there is no terminal."""


@click.group("campaign")
def command() -> None:
    """Play campaigns of millions of games, and go on with them."""


@command.command("run")
@click.argument("file", type=FILE)
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder for the parts."
)
@click.option(
    "--executor",
    default="processes",
    show_default=True,
    help="processes, or the address of a Dask scheduler (tcp://HOST:PORT).",
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="Local processes. Default: the processors at hand."
)
@json_option
def run_command(file: Path, out: Path, executor: str, workers: int | None, as_json: bool) -> None:
    """Play the campaign in FILE, or what is missing of it."""
    from .. import lab
    from ..lab.parts import GameFailed

    campaign = lab.load(file)
    try:
        with progress(campaign.total) as report:
            outcome = lab.run(campaign, out, executor=executor, workers=workers, progress=report)
    except GameFailed as failure:
        find(failure)
        raise click.ClickException(f"{failure}; played alone, none of these games fails") from failure
    for fault in outcome.repaired:
        say(f"played again: {fault}")
    if outcome.losses:
        say(f"workers were lost {outcome.losses} times; what they held was played again")
    if as_json:
        print_json(
            {"out": str(out), "games": campaign.total, "played": outcome.played, "seed": campaign.seed}
        )
    else:
        click.echo(
            f"{campaign.total:,} games in {out}, {outcome.played:,} of them played now; seed {campaign.seed}"
        )


@command.command("plan")
@click.argument("file", type=FILE)
@json_option
def plan_command(file: Path, as_json: bool) -> None:
    """Check FILE and say what it would play."""
    from .. import lab

    campaign = lab.load(file)
    if as_json:
        print_json(campaign.to_dict() | {"total": campaign.total, "parts": campaign.parts})
        return
    print_table(("cell", "variant", "animals", "line-up"), rows(campaign))
    click.echo(f"{campaign.total:,} games in {campaign.parts:,} parts, seed {campaign.seed}")


@command.command("status")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@json_option
def status_command(folder: Path, as_json: bool) -> None:
    """Say how far the campaign in FOLDER has come."""
    from ..lab.folder import Folder

    opened = Folder.open(folder)
    campaign = opened.campaign
    there = sum(chunk.games for chunk in campaign.chunks if opened.has(chunk))
    result = {"name": campaign.name, "seed": campaign.seed, "games": campaign.total, "done": there}
    if as_json:
        print_json(result | {"versions": opened.manifest["versions"]})
    else:
        click.echo(f"{campaign.name}: {there:,} of {campaign.total:,} games, seed {campaign.seed}")


def rows(campaign: Campaign) -> Iterator[tuple[object, ...]]:
    """A row for each cell."""
    for cell in campaign.cells:
        yield cell.number, cell.variant, ", ".join(cell.rules.animals), cell.players


def find(failure: GameFailed) -> None:
    """Plays the chunk of a failure game by game; the game that fails alone becomes a `Crash`, with its
    report.
    """
    chunk, policies = failure.chunk, dict(failure.chunk.cell.policies)
    if any(":" in name for name in policies.values()):
        return  # a policy of the user's, which a report could not bring along
    games = range(chunk.first, chunk.first + chunk.games)
    run = Run(chunk.cell.rules, policies, failure.seed, games.stop, threads=1)
    for index in games:
        run.play(range(index, index + 1))


@contextmanager
def progress(total: int) -> Iterator[Callable[[int, int], object]]:
    """Yields a function of (done, total): a bar with games/s on a terminal, else now and then a line on
    stderr.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines(time.monotonic)
        return
    columns = (
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]} games/s"),
        TimeRemainingColumn(),
    )
    rate = Rate(time.monotonic)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=total, rate="?")
        yield lambda done, total: bar.update(
            task, completed=done, total=total, rate=f"{rate(done):,.0f}" if rate(done) else "?"
        )


class Rate:
    """Games per second since the first report, which tells what was there before."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.start: tuple[float, int] | None = None

    def __call__(self, done: int) -> float:
        now = self.clock()
        if self.start is None:
            self.start = now, done
        seconds, games = now - self.start[0], done - self.start[1]
        return games / seconds if seconds > 0 else 0.0


class Lines:
    """Progress as lines: one at the start, one every ten seconds while games come in, one at the end."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock, self.rate = clock, Rate(clock)
        self.next, self.last = 0.0, -1

    def __call__(self, done: int, total: int) -> None:
        rate = self.rate(done)
        if done == self.last or (self.clock() < self.next and done < total):
            return
        self.next, self.last = self.clock() + LINE_SECONDS, done
        text = f"{done:,} of {total:,} games"
        if rate:
            text += f", {rate:,.0f} games/s, {duration((total - done) / rate)} left"
        say(text)


def duration(seconds: float) -> str:
    """A time in words.

    >>> duration(59), duration(3700), duration(200_000)
    ('59 s', '1 h 1 min', '2 d 7 h')
    """
    whole = round(seconds)
    for unit, size, below, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if whole >= size:
            return f"{whole // size} {unit} {whole % size // part} {below}"
    return f"{whole} s"
