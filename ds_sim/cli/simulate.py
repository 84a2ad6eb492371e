"""`ds-sim simulate`: play games and say who wins."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import click
import numpy as np

from ..board import ANIMAL_ID, ANIMALS
from ..errors import DsSimError
from ..playouts import Results, playouts
from ..progress import bar
from ..records import Record, records_of, write_records
from ..rules import Rules
from .output import (
    json_option,
    make_rules,
    make_seed,
    print_json,
    print_table,
    rules_options,
    seed_option,
)

Z_95 = 1.959964
CHUNK = 10_000  # games held in memory at once


@click.command("simulate")
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True)
@rules_options
@click.option(
    "--policies",
    default="uniform",
    show_default=True,
    help="A name for all, or animal=name,...; module:attribute for your own.",
)
@seed_option
@click.option("--threads", type=click.IntRange(min=1), help="Default: the processors at hand.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Record the games here (.dsl.jsonl)."
)
@click.option("--check", is_flag=True, help="Replay every game and check every state of it (slow).")
@json_option
def command(
    games: int,
    rules_file: Path | None,
    animals: str | None,
    policies: str,
    seed: int | None,
    threads: int | None,
    out: Path | None,
    check: bool,
    as_json: bool,
) -> None:
    """Play games and count who wins."""
    rules = make_rules(rules_file, animals)
    run = Run(rules, make_policies(policies, rules), make_seed(seed), games, threads)
    summary = Summary(rules)
    recording = check or out is not None
    chunks = summary.watch(run.chunks(keep_records=recording))
    if recording:
        records = chain.from_iterable(map(records_of, chunks))
        keep(map(checked, records) if check else records, out)
    else:
        deque(chunks, maxlen=0)
    result = {"seed": run.seed, "policies": run.policies} | summary.to_dict()
    if as_json:
        print_json(result)
    else:
        print_summary(result)


def keep(records: Iterator[Record], out: Path | None) -> None:
    if out is None:
        deque(records, maxlen=0)
    else:
        write_records(out, records)


def make_policies(text: str, rules: Rules) -> dict[str, str]:
    """The policies by animal that a text names: one for all, or one for each."""
    if "=" not in text:
        return dict.fromkeys(rules.animals, text)
    pairs = [pair.partition("=") for pair in text.split(",")]
    return {animal.strip(): name.strip() for animal, _, name in pairs}


class Crash(Exception):
    """A bug of this package, with the game up to it."""

    def __init__(self, record: Record, error: Exception) -> None:
        message = f"{type(error).__name__}: {error}"
        super().__init__(message)
        self.record = replace(record, error=message)


@dataclass(frozen=True)
class Run:
    """Games to be played."""

    rules: Rules
    policies: dict[str, str]
    seed: int
    games: int
    threads: int | None

    def chunks(self, *, keep_records: bool) -> Iterator[Results]:
        """Plays the games, some thousands at a time."""
        with bar() as report:
            for first in range(0, self.games, CHUNK):
                games = min(CHUNK, self.games - first)
                yield self.play(
                    range(first, first + games),
                    progress=lambda done, _, first=first: report(first + done, self.games),
                    keep_records=keep_records,
                )

    def play(self, games: range, **options: Any) -> Results:
        """Plays these games of the run. What goes wrong, other than wrong input, is a bug: a `Crash`."""
        try:
            return playouts(
                self.rules,
                len(games),
                self.policies,
                seed=self.seed,
                first=games.start,
                threads=self.threads,
                **options,
            )
        except DsSimError:
            raise
        except Exception as error:
            if len(games) > 1:
                # Alone, the game that fails is found.
                for index in games:
                    self.play(range(index, index + 1))
            raise Crash(self.unplayed(games.start), error) from error

    def unplayed(self, index: int) -> Record:
        """A record of a game of which nothing but its name is known."""
        nothing = dict.fromkeys(self.rules.animals, 0)
        return Record(self.rules, self.seed, index, b"", nothing, None, 1, False, policies=self.policies)


def checked(record: Record) -> Record:
    """The record, after a replay in which every state is checked."""
    state, taken = record.start(), 0
    try:
        for step in record.replay():
            state, taken = step.state, step.number + 1
        record.check_end(state)
    except Exception as error:
        raise Crash(replace(record, actions=record.actions[: taken + 1], winner=None), error) from error
    return record


def write_report(record: Record) -> Path:
    """Write the game of a crash into the working folder, for `ds-sim replay`."""
    path = Path(f"ds-sim-error-{record.seed}-{record.index}.dsl.jsonl")
    write_records(path, [record])
    return path


class Summary:
    """Sums over games."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.games = self.truncated = self.turns = 0
        self.wins = np.zeros(len(ANIMALS), np.int64)
        self.vp = np.zeros(len(ANIMALS), np.int64)
        self.shortest, self.longest = rules.max_turns, 0

    def watch(self, chunks: Iterable[Results]) -> Iterator[Results]:
        """Sums up the results that pass."""
        for results in chunks:
            self.add(results)
            yield results

    def add(self, results: Results) -> None:
        self.games += len(results)
        self.wins += results.returns("win").sum(axis=0).astype(np.int64)
        self.vp += results.vp.sum(axis=0)
        self.turns += int(results.turns.sum())
        self.shortest = min(self.shortest, int(results.turns.min()))
        self.longest = max(self.longest, int(results.turns.max()))
        self.truncated += int(results.truncated.sum())

    def to_dict(self) -> dict[str, Any]:
        rows = {animal: ANIMAL_ID[animal] for animal in self.rules.animals}
        return {
            "rules": self.rules.to_dict(),
            "games": self.games,
            "animals": {
                animal: {
                    "wins": int(self.wins[i]),
                    "win_rate": int(self.wins[i]) / self.games,
                    "wilson_95": wilson(int(self.wins[i]), self.games),
                    "mean_vp": int(self.vp[i]) / self.games,
                }
                for animal, i in rows.items()
            },
            "turns": {"mean": self.turns / self.games, "min": self.shortest, "max": self.longest},
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
