"""Every example in the pages and in the docstrings runs, and every command they name can be given."""

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import click
import pytest

import ds_sim
from ds_sim.cli import cli

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "studies").glob("*.sh"))]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(ds_sim.__path__, "ds_sim.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if ">>>" in page.read_text("utf-8")], ids=lambda p: p.name
)
def test_pages(page):
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried > 0 and failed == 0


@pytest.mark.parametrize("name", ["ds_sim", *MODULES])
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def commands(text: str) -> list[list[str]]:
    """The words of every `ds-sim` command on a line of its own; variables set above stand for themselves."""
    text = text.replace("\\\n", " ")
    for name, value in re.findall(r'^\s*(\w+)="(.*)"$', text, re.MULTILINE):
        text = text.replace(f"${name}", value)
    lines = re.findall(r"^ *(?:.* && )?ds-sim ([a-z].*)$", text, re.MULTILINE)
    return [shlex.split(re.split(r"  +| [#>]", line)[0]) for line in lines]


COMMANDS = [
    pytest.param(words, id=" ".join(words)) for page in PAGES for words in commands(page.read_text("utf-8"))
]


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_of_the_pages(words, tmp_path, monkeypatch):
    """Options, values and numbers of arguments; not what they do."""
    monkeypatch.chdir(tmp_path)
    for name in words:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        if Path(name).suffix:
            Path(name).touch()
        else:
            Path(name).mkdir(exist_ok=True)
    command: click.Command = cli
    while isinstance(command, click.Group):
        command = command.commands[words.pop(0)]
    command.make_context("ds-sim", words)


def test_commands_are_found():
    assert len(COMMANDS) > 15
