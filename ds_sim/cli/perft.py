"""`ds-sim perft`: count the sequences of actions, to compare engines."""

from __future__ import annotations

from pathlib import Path

import click

from .. import actions
from ..progress import bar
from ..state import State
from .output import FILE, json_option, make_rules, print_json, print_table, read_json, rules_options


@click.command("perft")
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--divide", is_flag=True, help="Count for each first action.")
@click.option("--from", "state_file", type=FILE, help="A state as JSON; default: the start of a game.")
@rules_options
@json_option
def command(
    depth: int,
    divide: bool,
    state_file: Path | None,
    rules_file: Path | None,
    animals: str | None,
    as_json: bool,
) -> None:
    """Count the sequences of exactly DEPTH steps, chance outcomes included.

    A game that ends earlier counts once.
    """
    if state_file is None:
        start = State(make_rules(rules_file, animals), seed=0, explicit_chance=True)
    elif rules_file or animals:
        raise click.UsageError("--from brings its own rule set: leave out --rules and --animals")
    else:
        start = State.from_dict(read_json(state_file), explicit_chance=True)

    parts = split(start, depth) if depth else {}
    total = sum(parts.values()) if parts else 1
    if as_json:
        divided = {"divide": {actions.text(action): n for action, n in parts.items()}} if divide else {}
        print_json({"depth": depth, "leaves": total} | divided)
        return
    if divide:
        print_table(("action", "leaves"), ((actions.text(action), n) for action, n in parts.items()))
    click.echo(total)


def split(start: State, depth: int) -> dict[int, int]:
    """The leaves below each first action."""
    first = start.legal_actions().tolist()
    parts: dict[int, int] = {}
    with bar("first actions") as report:
        for action in first:
            parts[action] = leaves(after(start, action), depth - 1)
            report(len(parts), len(first))
    return parts


def after(state: State, action: int) -> State:
    child = state.clone()
    child.apply(action)
    return child


def leaves(state: State, depth: int) -> int:
    """How many sequences of exactly `depth` actions follow, `state` being in explicit mode."""
    if depth == 0 or state.is_terminal:
        return 1
    legal = state.legal_actions()
    return len(legal) if depth == 1 else sum(leaves(after(state, int(action)), depth - 1) for action in legal)
