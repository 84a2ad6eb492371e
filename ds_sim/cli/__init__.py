"""The command line, `ds-sim`.

Exit codes: 0 done, 1 failed or refused, 2 an option or argument that cannot be, 130 interrupted. Results go
to stdout, everything else to stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from .. import __version__
from ..errors import DsSimError
from . import arena, bench, campaign, perft, replay, report, show, simulate
from .output import say
from .simulate import Crash, write_report

FAILED, INTERRUPTED = 1, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ds-sim")
def cli() -> None:
    """Simulate the board game Dominant Species, exactly and fast."""


for module in (simulate, replay, perft, show, arena, bench, campaign, report):
    cli.add_command(module.command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        # A pipe may have an encoding without some character of a path: escape it rather than fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # policies given as module:attribute are found here too
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = cli.main(arguments, prog_name="ds-sim", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        help_at = (
            f" (see {error.ctx.command_path} --help)"
            if isinstance(error, click.UsageError) and error.ctx
            else ""
        )
        say(f"error: {error.format_message()}{help_at}")
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # whoever reads, as in `| head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (DsSimError, OSError) as error:
        say(f"error: {error}")
    except Crash as crash:
        say(f"internal error: {crash}")
        say(f"please report it with {write_report(crash.record)}")
    return FAILED
