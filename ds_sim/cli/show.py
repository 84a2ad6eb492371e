"""`ds-sim show`: a state as text or picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from .. import actions, view
from .._files import replacing
from ..records import play_record
from ..state import State
from .output import (
    FILE,
    NEW_FILE,
    json_option,
    make_rules,
    make_seed,
    print_json,
    print_table,
    read_json,
    rules_options,
    seed_option,
)


@click.command("show")
@click.argument("file", type=FILE, required=False)
@rules_options
@seed_option
@click.option(
    "--steps",
    type=click.IntRange(min=0),
    default=0,
    help="Steps to take, chance included.",
)
@click.option("--svg", "picture", type=NEW_FILE, metavar="FILE", help="Write a picture of it as well.")
@json_option
def command(
    file: Path | None,
    rules_file: Path | None,
    animals: str | None,
    seed: int | None,
    steps: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Show the state in FILE (JSON), or one out of the first game that `simulate` plays with this seed."""
    if file is None:
        seed = make_seed(seed)
        record = play_record(make_rules(rules_file, animals), seed=seed)
        state = record.start()
        for action in record.actions[:steps]:
            state.apply(action)
    elif rules_file or animals or seed is not None or steps:
        raise click.UsageError("FILE is shown as it is: leave out --rules, --animals, --seed and --steps")
    else:
        state = State.from_dict(read_json(file), explicit_chance=True)
    if picture is not None:
        title = None if file is not None else f"seed {seed}, after {steps} steps"
        with replacing(picture) as svg:
            svg.write(view.svg(state, title=title).encode())
    plain = state.to_dict()
    if as_json:
        print_json(plain)
        return
    if file is None:
        click.echo(f"seed {seed}, after {steps} steps")
    print_state(plain)


def print_state(plain: dict[str, Any]) -> None:
    click.echo(f"turn {plain['turn']}, {plain['phase']}; {plain['actor'] or 'nobody'} at {plain['node']}")
    print_table(("animal", "VP", "APs", "gene pool", "eliminated", "elements"), animal_rows(plain))
    print_table(("tile", "kind", "dominant", "scored", "species"), tile_rows(plain))
    for title, text in lines(plain):
        click.echo(f"{title + ':':<12} {text or '-'}")


def animal_rows(plain: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    counts = [plain[key] for key in ("vp", "pawns", "gene_pool", "eliminated")]
    for animal in plain["initiative"]:
        numbers = (count.get(animal, 0) for count in counts)
        yield animal, *numbers, counted(plain["elements"].get(animal, {}))


def tile_rows(plain: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    for name, tile in plain["tiles"].items():
        kind = f"tundra ({tile['terrain']})" if tile.get("tundra") else tile["terrain"]
        scored = "yes" if tile.get("scored") else ""
        yield name, kind, tile.get("dominant", ""), scored, counted(tile.get("species", {}))


def lines(plain: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "initiative", " ".join(plain["initiative"])
    yield "corners", listed(plain["corners"])
    yield "display", listed(plain["spaces"])
    for box, elements in plain["boxes"].items():
        yield box, counted(elements)
    yield "bag", counted(plain["bag"])
    yield "cards", " ".join(plain["cards"]["face_up"])
    yield "taken", " ".join(plain["cards"]["taken"])
    stacks = (f"{stack['face_up'] or 'nothing'} (+{stack['left']})" for stack in plain["stacks"])
    yield "stacks", ", ".join(stacks)
    yield "tundra left", str(plain["tundra_left"])
    yield "legal", " ".join(map(actions.text, plain["legal"]))


def counted(numbers: Mapping[str, int]) -> str:
    return " ".join(f"{n} {name}" for name, n in numbers.items())


def listed(pairs: Mapping[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in pairs.items())
