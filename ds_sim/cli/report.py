"""`ds-sim report`: what a campaign found, as one HTML file or as JSON."""

from __future__ import annotations

from pathlib import Path

import click

from .output import NEW_FILE, json_option, print_json

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("report")
@click.argument("folder", type=FOLDER)
@click.option("--against", type=FOLDER, help="Another campaign to compare with.")
@click.option("--out", type=NEW_FILE, help="The file to write. Default: report.html in FOLDER.")
@json_option
def command(folder: Path, against: Path | None, out: Path | None, as_json: bool) -> None:
    """Say what the campaign in FOLDER found."""
    from ..lab.report import Report
    from ..lab.study import open_study

    report = Report(open_study(folder), open_study(against) if against else None)
    if as_json:
        print_json(report.to_dict())
        if out is None:
            return
    target = out or folder / "report.html"
    report.write(target)
    if not as_json:
        click.echo(f"{report.findings[0]}\n{target}")
