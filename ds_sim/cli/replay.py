"""`ds-sim replay`: verify recorded games, and print them step by step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ..board import ANIMALS
from ..errors import RecordError
from ..records import Record, Step, play_record, read_records
from .output import FILE, json_option, print_json, print_table, say


@click.command("replay")
@click.argument("file", type=FILE)
@click.option("--steps", is_flag=True, help="Print every step.")
@json_option
@click.pass_context
def command(context: click.Context, file: Path, steps: bool, as_json: bool) -> None:
    """Replay the games of FILE (.dsl.jsonl) and check that they end as recorded."""
    results = []
    for number, record in enumerate(read_records(file), start=1):
        if steps and not as_json:
            click.echo(f"game {number}: seed {record.seed}, index {record.index}")
        result = check(record, steps, quiet=as_json)
        results.append(result)
        if result["error"] is not None:
            say(f"game {number}: {result['error']}")
    failed = sum(result["error"] is not None for result in results)
    if as_json:
        print_json({"file": str(file), "games": results, "failed": failed})
    else:
        print_results(results)
        click.echo(f"{len(results)} games, {failed} failed")
    if failed:
        context.exit(1)


def check(record: Record, steps: bool, *, quiet: bool) -> dict[str, Any]:
    """What became of one game; `error` is None if it is as recorded."""
    result: dict[str, Any] = {
        "seed": record.seed,
        "index": record.index,
        "actions": len(record.actions),
        "turns": record.turns,
        "winner": record.winner,
        "error": None,
    }
    lines: list[dict[str, Any]] = []
    if steps:
        result["steps"] = lines
    try:
        for line in walk(record) if steps else ():
            lines.append(line)
            if not quiet:
                click.echo(words(line))
        if record.error is None:
            record.verify()
        else:
            recur(record)
    except RecordError as error:
        result["error"] = str(error)
    except BrokenPipeError:  # nobody reads on
        raise
    except Exception as error:
        # A bug; that it is met again here is what error reports are for.
        result["error"] = f"internal error: {type(error).__name__}: {error}"
    else:
        if record.error is not None:
            say(f"the reported error does not recur: {record.error}")
    return result


def recur(record: Record) -> None:
    """Go through what an error report tells of, up to where it failed."""
    for step in record.replay():
        step.state.legal_actions()
    if not record.actions:  # it failed in the native loop: all that is known is which game it was
        play_record(record.rules, seed=record.seed, index=record.index, policies=record.policies or "uniform")


def walk(record: Record) -> Iterator[dict[str, Any]]:
    """The steps of a game as plain data."""
    scores = record.start().scores
    for step in record.replay():
        gains = step.state.scores - scores
        scores = step.state.scores
        yield describe(step, {a: int(gain) for a, gain in zip(ANIMALS, gains, strict=True) if gain})


def describe(step: Step, gains: dict[str, int]) -> dict[str, Any]:
    return {
        "number": step.number,
        "actor": step.actor,
        "node": step.node,
        "action": step.text,
        "vp": gains,
    }


def words(line: dict[str, Any]) -> str:
    """One step in words, with the VPs it brought."""
    gains = "".join(f"   {animal} {gain:+d} VP" for animal, gain in line["vp"].items())
    return f"{line['number']:5}  {line['actor']:<9}  {line['node']:<20}  {line['action']}{gains}"


def print_results(results: list[dict[str, Any]]) -> None:
    print_table(
        ("game", "seed", "index", "actions", "turns", "winner", "replay"),
        (
            (
                number,
                r["seed"],
                r["index"],
                r["actions"],
                r["turns"],
                r["winner"] or "-",
                "failed" if r["error"] else "ok",
            )
            for number, r in enumerate(results, start=1)
        ),
    )
