"""What the commands share: options, tables, JSON."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from rich import box
from rich.console import Console
from rich.table import Table

from ..errors import DsSimError
from ..rules import Rules

Command = TypeVar("Command", bound=Callable[..., Any])

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
SEED = click.IntRange(0, 2**64 - 1)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def rules_options(command: Command) -> Command:
    """The options a rule set is made of; `make_rules` reads them."""
    for option in (
        click.option("--rules", "rules_file", type=FILE, help="A rule set as JSON."),
        click.option("--animals", help="Animals in play, separated by commas.", metavar="NAMES"),
    ):
        command = option(command)
    return command


def seed_option(command: Command) -> Command:
    return click.option("--seed", type=SEED, help="Default: drawn at random, and printed.")(command)


def make_rules(rules_file: Path | None, animals: str | None) -> Rules:
    rules = Rules() if rules_file is None else Rules.from_dict(read_json(rules_file))
    return rules if animals is None else rules.replace(animals=animals.replace(" ", "").split(","))


def make_seed(seed: int | None) -> int:
    """The seed given, else a short random one."""
    return secrets.randbits(32) if seed is None else seed


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:  # bad JSON as well as bad UTF-8
        raise DsSimError(f"{path}: not JSON: {error}") from error


def say(message: str) -> None:
    """One line on stderr."""
    click.echo(f"ds-sim: {message}", err=True)


def print_json(data: object) -> None:
    click.echo(json.dumps(data))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table: the first column to the left, the others to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(str, row))
    # Piped output is not to be cut to the width of a terminal that is not there.
    console = Console(markup=False, emoji=False, highlight=False, width=None if sys.stdout.isatty() else 200)
    console.print(table)
