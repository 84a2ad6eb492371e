"""The page on environments and its example do what they say."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

from ds_sim.observation import FIELDS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "environments.md"


def test_page():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried > 0 and failed == 0


def test_page_lists_every_field():
    page = PAGE.read_text(encoding="utf-8")
    rows = [
        f"| `{f.name}` | {' x '.join(map(str, f.shape))} | {f.high} | {f.scale} | {f.meaning} |"
        for f in FIELDS
    ]
    assert "\n".join(rows) in page


def test_openspiel_example():
    example = ROOT / "examples" / "openspiel_bot.py"
    done = subprocess.run(
        [sys.executable, example, "--turns", "1"], capture_output=True, text=True, check=True
    )
    assert "mammal:" in done.stdout and "returns" in done.stdout
