"""A progress bar for long calls (`progress=True`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(label: str = "games") -> Iterator[Callable[[int, int], object]]:
    """Yields a function of (done, total) that draws a bar on stderr, if that is a terminal; else nothing."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:  # where even a bar that is disabled leaves an empty line
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
