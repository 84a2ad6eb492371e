"""`ds-sim arena`: let players compete."""

from __future__ import annotations

from pathlib import Path

import click

from ..progress import bar
from .output import NEW_FILE, json_option, make_rules, make_seed, print_json, rules_options, seed_option


@click.command("arena")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=25,
    show_default=True,
    help="Of all rotations of the seats.",
)
@rules_options
@seed_option
@click.option(
    "--out", type=NEW_FILE, help="A line for each game (.jsonl); a run that was cut short goes on from it."
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Games at once.")
@json_option
def command(
    players: tuple[str, ...],
    rounds: int,
    rules_file: Path | None,
    animals: str | None,
    seed: int | None,
    out: Path | None,
    workers: int,
    as_json: bool,
) -> None:
    """Let players compete, and rate them.

    A player is a policy (uniform, greedy, expert, or module:attribute of your own) or a search:
    mcts:simulations=500,policy=greedy,truncate=20, with any option of ds_sim.search.Search;
    strong:simulations=500 begins with the options that play best. There is one player for each seat, or more;
    one may be given several times.
    """
    from ..search import arena

    rules = make_rules(rules_file, animals)
    if seed is None and out is not None:
        seed = arena.seed_of(out)
    competition = arena.Arena(players, rules=rules, seed=make_seed(seed))
    with bar() as report:
        result = competition.run(rounds, path=out, workers=workers, progress=report)
    if as_json:
        print_json({**result.to_dict(), "rules": rules.to_dict(), "rounds": rounds})
    else:
        click.echo(result)
        each = 100 / len(rules.seats)
        click.echo(f"{len(result.games)} games, seed {result.seed}; equals would win {each:.1f} % each")
