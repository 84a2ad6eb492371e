"""`ds-sim campaign` and `ds-sim report`, in processes of their own."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

import ds_sim as ds
from ds_sim import lab
from ds_sim.cli import campaign, simulate
from ds_sim.cli.campaign import Lines, Rate

COMMAND = [sys.executable, "-c", "from ds_sim.cli import main; main()"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(ds.__file__).parent.parent)}

TOML = """
seed = 21
games = 240
chunk = 20
detailed = 20
animals = ["bird", "insect"]
[rules]
max_turns = 6
"""


def run(*arguments, cwd, **environment):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=cwd,
        env=ENVIRONMENT | environment,
        capture_output=True,
        check=False,
    )


def start(*arguments, cwd, **options):
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        cwd=cwd,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **options,
    )


def parts(folder: Path) -> list[Path]:
    return list(folder.glob("games/*/*.parquet"))


def wait_for_parts(folder: Path, count: int, process: subprocess.Popen) -> None:
    while len(parts(folder)) < count and process.poll() is None:
        wait(process, 0.02)


def wait(process: subprocess.Popen, seconds: float) -> None:
    """Lets a process run for so long."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


@pytest.fixture
def place(tmp_path):
    """E-39"""
    folder = tmp_path / "Zoë 日本"
    folder.mkdir()
    (folder / "campaign.toml").write_text(TOML)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory, digests):
    folder = tmp_path_factory.mktemp("whole")
    (folder / "campaign.toml").write_text(TOML)
    done = run("campaign", "run", "campaign.toml", "--out", "out", "--workers", 1, cwd=folder)
    assert done.returncode == 0, done.stderr
    return digests(folder / "out")


def test_one_after_the_other(place, whole, digests):
    """Plan, run, status and report, through pipes that know no Japanese. (E-5, E-39, E-40)"""
    planned = run("campaign", "plan", "campaign.toml", "--json", cwd=place)
    assert json.loads(planned.stdout)["total"] == 240
    ran = run(
        "campaign", "run", place / "campaign.toml", "--out", place / "out", "--workers", 2, "--json",
        cwd=place, PYTHONIOENCODING="cp1252", PYTHONHASHSEED="1",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["seed"] == 21
    assert b"\r" not in ran.stderr and b"240 of 240 games" in ran.stderr
    assert digests(place / "out") == whole
    status = run("campaign", "status", place / "out", cwd=place, PYTHONIOENCODING="cp1252")
    assert b"240 of 240 games, seed 21" in status.stdout
    page = place / "out" / "report.html"
    reported = run("report", "out", "--json", "--out", page, cwd=place, PYTHONIOENCODING="cp1252")
    assert json.loads(reported.stdout)["games"] == 240 and reported.stderr == b""
    assert 100_000 < page.stat().st_size < 5_000_000
    again = run("campaign", "run", place / "campaign.toml", "--out", place / "out", cwd=place)
    assert b"0 of them played now" in again.stdout  # the report does not get in the way


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("run", "bad.toml", "--out", "out"), 1, b"bad.toml: gmaes: no such key"),
        (("run", "none.toml", "--out", "out"), 2, b"none.toml"),
        (("run", "campaign.toml"), 2, b"--out"),
        (("run", "campaign.toml", "--out", "out", "--executor", "tpc"), 1, b"expected 'processes'"),
        (("run", "campaign.toml", "--out", "."), 1, b"is not empty, and no campaign"),
        (("status", "."), 1, b"no campaign here"),
    ],
)
def test_mistakes_have_their_exit_code(place, arguments, code, words):
    (place / "bad.toml").write_text("gmaes = 1\n")
    done = run("campaign", *arguments, cwd=place)
    assert done.returncode == code and words in done.stderr and b"Traceback" not in done.stderr


def test_ctrl_c_ends_cleanly(place, whole, digests):
    """E-20: the signal goes to the whole group, as a terminal sends it."""
    process = start("campaign", "run", "campaign.toml", "--out", "out", "--workers", 2, cwd=place)
    wait_for_parts(place / "out", 1, process)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in errors and errors.rstrip().endswith(b"ds-sim: interrupted")
    assert not list((place / "out").rglob("*.tmp"))
    done = run("campaign", "run", "campaign.toml", "--out", "out", "--workers", 1, cwd=place)
    assert done.returncode == 0 and digests(place / "out") == whole


def kill_and_go_on(place: Path, moment: int) -> None:
    """Starts, kills the process alone after so many parts, and sees its workers end by themselves."""
    process = start("campaign", "run", "campaign.toml", "--out", "out", "--workers", 1, cwd=place)
    wait_for_parts(place / "out", moment, process)
    workers = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []


def test_kill_9_costs_no_byte(place, whole, digests):
    """E-34, E-35"""
    kill_and_go_on(place, 2)
    assert not (place / "out" / "SHA256SUMS").exists()
    assert run("campaign", "run", "campaign.toml", "--out", "out", "--workers", 1, cwd=place).returncode == 0
    assert digests(place / "out") == whole


@pytest.mark.soak
def test_kill_9_at_twenty_random_moments_costs_no_byte(place, digests):
    """E-34, E-35"""
    (place / "campaign.toml").write_text(TOML.replace("games = 240", "games = 4000"))
    command = ("campaign", "run", "campaign.toml", "--workers", 1, "--out")
    rng = random.Random(9)
    kept = []
    for _ in range(20):
        process = start(*command, "out", cwd=place)
        wait_for_parts(place / "out", (kept or [0])[-1] + rng.choice([0, 1, 1, 1]), process)
        wait(process, rng.uniform(0, 0.5))
        process.kill()
        process.communicate()
        kept.append(len(parts(place / "out")))
    assert kept == sorted(kept) and len(set(kept)) > 5  # the moments lay within the campaign
    for folder in ("out", "whole"):
        done = run(*command, folder, cwd=place)
        assert done.returncode == 0, done.stderr
    assert digests(place / "out") == digests(place / "whole")


@pytest.mark.soak
@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_hash_seeds_change_no_byte(place, whole, digests, hash_seed):
    """E-5"""
    run(
        "campaign",
        "run",
        "campaign.toml",
        "--out",
        "out",
        "--workers",
        3,
        cwd=place,
        PYTHONHASHSEED=hash_seed,
    )
    assert digests(place / "out") == whole


def test_a_file_system_that_takes_no_more_loses_nothing(place, whole, digests):
    limit = 20_000  # bytes of a file; a part is larger
    process = start(
        "campaign", "run", "campaign.toml", "--out", "out", "--workers", 1,
        cwd=place, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    _, errors = process.communicate()
    assert process.returncode == 1 and b"cannot be written: File too large" in errors
    assert not list((place / "out").rglob("*.tmp"))
    run("campaign", "run", "campaign.toml", "--out", "out", "--workers", 1, cwd=place)
    assert digests(place / "out") == whole


def test_a_game_that_breaks_down_is_found_for_a_report(monkeypatch):
    """E-48: `main` writes the record of a `Crash` for `ds-sim replay`."""
    played = simulate.playouts

    def broken(rules, games, *arguments, first=0, **options):
        if first <= 31 < first + games:
            raise RuntimeError("cubes were lost")
        return played(rules, games, *arguments, first=first, **options)

    monkeypatch.setattr(simulate, "playouts", broken)
    cell = lab.from_dict(
        {"seed": 2, "games": 60, "animals": ["bird", "insect"], "rules": {"max_turns": 3}}
    ).cells[0]
    with pytest.raises(simulate.Crash) as crash:
        campaign.find(lab.GameFailed(lab.Chunk(cell, 1, 25, 25), 2, "RuntimeError: cubes were lost"))
    record = crash.value.record
    assert (record.index, record.seed, record.rules) == (
        31,
        2,
        cell.rules,
    ) and "cubes were lost" in record.error


# ---- progress ----


def test_lines_tell_games_rate_and_time_left(capsys):
    now = [100.0]
    lines = Lines(lambda: now[0])
    for seconds, done in ((0, 500), (5, 700), (11, 1000), (12, 1100), (22, 2000), (22, 2000)):
        now[0] = 100.0 + seconds
        lines(done, 2000)
    assert capsys.readouterr().err.splitlines() == [
        "ds-sim: 500 of 2,000 games",
        "ds-sim: 1,000 of 2,000 games, 45 games/s, 22 s left",
        "ds-sim: 2,000 of 2,000 games, 68 games/s, 0 s left",
    ]


def test_the_rate_leaves_out_what_was_there_before():
    now = [0.0]
    rate = Rate(lambda: now[0])
    assert rate(1000) == 0
    now[0] = 2.0
    assert rate(1100) == 50
