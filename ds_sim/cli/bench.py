"""`ds-sim bench`: how fast this machine plays, beside a bare floor and OpenSpiel."""

from __future__ import annotations

from typing import Any

import click

from .output import json_option, print_json, print_table


@click.command("bench")
@click.option("--rounds", type=click.IntRange(min=1, max=1000), default=5, show_default=True)
@click.option("--peers/--no-peers", default=True, help="OpenSpiel beside us, where it is installed.")
@click.option(
    "--signature", "only_signature", is_flag=True, help="Only the signature of what a fixed run plays."
)
@json_option
def command(rounds: int, peers: bool, only_signature: bool, as_json: bool) -> None:
    """Measure throughput, in about a minute, and print the signature of play."""
    from .. import bench

    if only_signature:
        signature = bench.signature()
        if as_json:
            print_json({"signature": signature})
        else:
            click.echo(signature)
        return
    report = _measure(rounds, peers)
    if as_json:
        print_json(report)
    else:
        _print(report)


def _measure(rounds: int, peers: bool) -> dict[str, Any]:
    from rich.console import Console

    from .. import bench

    console = Console(stderr=True)
    report: dict[str, Any] = {}
    with console.status("measuring") as status:
        for step in bench.measure(rounds, peers=peers):
            if isinstance(step, dict):
                report = step
            else:
                status.update(step)
    return report


def _print(report: dict[str, Any]) -> None:
    rows = [
        (
            line["name"],
            f"{line['games_per_second']:,.0f}" if line["games_per_second"] else "",
            f"{line['per_second'] / 1e6:,.2f}",
            f"{line['ns']:,.1f}",
        )
        for line in report["lines"]
    ]
    print_table(("measured", "games/s", "million/s", "ns each"), rows)
    print_table(
        ("ratio, in the same rounds", "times"),
        [(name, f"{value:.2f}") for name, value in report["ratios"].items()],
    )
    machine = report["machine"]
    paths = ", ".join(name for name in ("popcnt", "pdep") if machine[name]) or "plain C"
    click.echo(f"signature {report['signature']}")
    click.echo(
        f"{machine['cpu']}, {machine['processors']} processors; "
        f"compiler {machine['compiler']}; paths: {paths}"
    )
