"""`ds-sim simulate`: play games and say who wins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from ..records import Record, random_chooser, write_records
from ..rules import Rules
from ..state import State
from .output import (
    json_option,
    make_rules,
    make_seed,
    print_json,
    print_table,
    progress,
    rules_options,
    seed_option,
)

Z_95 = 1.959964


@click.command("simulate")
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True)
@rules_options
@seed_option
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Record the games here (.dsl.jsonl)."
)
@json_option
def command(
    games: int,
    rules_file: Path | None,
    animals: str | None,
    seed: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Play games between random players and count who wins."""
    rules, seed = make_rules(rules_file, animals), make_seed(seed)
    summary = Summary(rules)
    records = summary.watch(play_game(rules, seed, index) for index in progress(range(games), "games"))
    if out is None:
        for _ in records:
            pass
    else:
        write_records(out, records)
    result = {"seed": seed} | summary.to_dict()
    if as_json:
        print_json(result)
    else:
        print_summary(result)


class Crash(Exception):
    """A bug of this package, with the game up to it."""

    def __init__(self, record: Record) -> None:
        super().__init__(record.error)
        self.record = record


def play_game(rules: Rules, seed: int, index: int) -> Record:
    """Game `index` of the run. Whatever goes wrong in it is a bug, and raised as a `Crash`."""
    state = State(rules, seed=seed, index=index, record=True)
    choose = random_chooser(seed, index)
    tried = b""
    try:
        while not state.is_terminal:
            tried = b""
            action = choose(state)
            tried = bytes([action])
            state.apply(action)
    except Exception as error:
        record = Record.of(state, error=f"{type(error).__name__}: {error}")
        raise Crash(replace(record, actions=record.actions + tried)) from error
    return Record.of(state)


def write_report(record: Record) -> Path:
    """Write the game of a crash into the working folder, for `ds-sim replay`."""
    path = Path(f"ds-sim-error-{record.seed}-{record.index}.dsl.jsonl")
    write_records(path, [record])
    return path


@dataclass
class Summary:
    """Counts over games."""

    rules: Rules
    wins: dict[str, int] = field(init=False)
    vp: dict[str, int] = field(init=False)
    turns: list[int] = field(default_factory=list)
    truncated: int = 0

    def __post_init__(self) -> None:
        self.wins = dict.fromkeys(self.rules.animals, 0)
        self.vp = dict.fromkeys(self.rules.animals, 0)

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """Count the records that pass."""
        for record in records:
            self.add(record)
            yield record

    def add(self, record: Record) -> None:
        for seat in self.rules.seats:
            if record.winner in seat:
                for animal in seat:
                    self.wins[animal] += 1
        for animal, vp in record.vp.items():
            self.vp[animal] += vp
        self.turns.append(record.turns)
        self.truncated += record.truncated

    def to_dict(self) -> dict[str, Any]:
        games = len(self.turns)
        return {
            "rules": self.rules.to_dict(),
            "games": games,
            "animals": {
                animal: {
                    "wins": self.wins[animal],
                    "win_rate": self.wins[animal] / games,
                    "wilson_95": wilson(self.wins[animal], games),
                    "mean_vp": self.vp[animal] / games,
                }
                for animal in self.rules.animals
            },
            "turns": {"mean": sum(self.turns) / games, "min": min(self.turns), "max": max(self.turns)},
            "truncated": self.truncated,
        }


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The Wilson score interval of a rate, at 95 %.

    >>> [round(bound, 4) for bound in wilson(0, 10)]
    [0.0, 0.2775]
    """
    rate, z2 = successes / trials, Z_95**2
    centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z_95 * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return max(0.0, centre - half), min(1.0, centre + half)


def print_summary(result: dict[str, Any]) -> None:
    rows = []
    for animal, row in result["animals"].items():
        low, high = row["wilson_95"]
        interval = f"{100 * low:.1f} - {100 * high:.1f}"
        rows.append((animal, row["wins"], f"{100 * row['win_rate']:.1f}", interval, f"{row['mean_vp']:.1f}"))
    print_table(("animal", "wins", "win %", "95 % (Wilson)", "mean VP"), rows)
    turns = result["turns"]
    click.echo(
        f"{result['games']} games, seed {result['seed']}; turns {turns['mean']:.1f} on average, "
        f"{turns['min']} to {turns['max']}; {result['truncated']} truncated"
    )
