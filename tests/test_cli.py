"""The command line, run as its users run it: in a process of its own."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import ds_sim as ds
from ds_sim import actions, cli, records
from ds_sim.cli import simulate
from ds_sim.playouts import playouts
from ds_sim.records import Record, play_record, read_records

PERFT = Path(__file__).parent / "golden" / "perft.jsonl"
COMMAND = [sys.executable, "-c", "from ds_sim.cli import main; main()"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(ds.__file__).parent.parent)}
TWO = ["--animals", "bird,insect"]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(*arguments: object, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=tmp_path,
            env=ENVIRONMENT | {"PYTHONIOENCODING": encoding},
            capture_output=True,
            encoding=encoding,
            check=False,
        )

    return run


def main_in_process(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        cli.main([str(argument) for argument in arguments])
    assert isinstance(left.value.code, int)
    return left.value.code


# simulate


def test_a_policy_beside_the_caller_is_found(run, tmp_path):
    (tmp_path / "mine.py").write_text("def first(state):\n    return state.legal_actions()[0]\n")
    done = run(
        "simulate", "--games", 2, *TWO, "--seed", 1, "--policies", "mine:first", "--out", "games.jsonl"
    )
    assert done.returncode == 0, done.stderr

    def first(state: ds.State) -> int:
        return int(state.legal_actions()[0])

    rules = ds.Rules(animals=("bird", "insect"))
    assert next(read_records(tmp_path / "games.jsonl")) == play_record(rules, seed=1, policies=first)
    arena = run("arena", "mine:first", "uniform", *TWO, "--rounds", 1, "--seed", 1)
    assert arena.returncode == 0 and "first" in arena.stdout, arena.stderr


def test_simulate_prints_a_table_and_its_seed(run):
    done = run("simulate", "--games", 3, *TWO)
    assert done.returncode == 0, done.stderr
    assert "95 % (Wilson)" in done.stdout and "3 games, seed " in done.stdout
    assert done.stderr == ""


def test_simulate_checks_every_state(run):
    assert run("simulate", "--games", 3, *TWO, "--check").returncode == 0


def test_recording_the_games_changes_nothing(run):
    arguments = ("simulate", "--games", 30, *TWO, "--seed", 8, "--json")
    assert run(*arguments).stdout == run(*arguments, "--out", "games.dsl.jsonl").stdout


def test_threads_change_nothing(run):
    arguments = (
        "simulate",
        "--games",
        30,
        *TWO,
        "--seed",
        8,
        "--json",
        "--policies",
        "bird=uniform,insect=uniform",
    )
    one, two = (run(*arguments, "--threads", n).stdout for n in (1, 2))
    assert one == two


def test_simulate_counts_what_it_records(run, tmp_path):
    done = run("simulate", "--games", 5, *TWO, "--seed", 9, "--out", "games.dsl.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    games = list(read_records(tmp_path / "games.dsl.jsonl"))
    assert [(game.seed, game.index) for game in games] == [(9, index) for index in range(5)]
    assert result["games"] == 5 and result["seed"] == 9
    for animal, row in result["animals"].items():
        assert row["wins"] == sum(game.winner == animal for game in games)
        assert row["mean_vp"] == sum(game.vp[animal] for game in games) / 5
        low, high = row["wilson_95"]
        assert 0 <= low <= row["win_rate"] <= high <= 1
    assert result["turns"]["max"] == max(game.turns for game in games)


def test_a_seed_makes_the_output(run):
    """E-3: the seed decides, 0 is a seed like any other, none is drawn and reported."""
    arguments = ("simulate", "--games", 2, *TWO, "--json")
    outputs = [run(*arguments, "--seed", seed).stdout for seed in (0, 0, 1)]
    assert outputs[0] == outputs[1] != outputs[2]
    drawn = run(*arguments).stdout
    assert run(*arguments, "--seed", json.loads(drawn)["seed"]).stdout == drawn


def test_a_seat_wins_with_all_its_animals(run, tmp_path):
    rules = {"animals": ["mammal", "bird", "insect"], "seats": [["mammal", "insect"], ["bird"]]}
    (tmp_path / "rules.json").write_text(json.dumps(rules), encoding="utf-8")
    result = json.loads(run("simulate", "--games", 4, "--rules", "rules.json", "--seed", 1, "--json").stdout)
    wins = {animal: row["wins"] for animal, row in result["animals"].items()}
    assert wins["mammal"] == wins["insect"] == 4 - wins["bird"]


@pytest.mark.parametrize(
    ("wins", "games", "interval"),
    # Wilson 1927 as tabled by Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [
        (81, 263, (0.2553, 0.3662)),
        (15, 148, (0.0624, 0.1605)),
        (0, 20, (0.0, 0.1611)),
        (1, 29, (0.0061, 0.1718)),
    ],
)
def test_wilson_intervals_of_the_literature(wins, games, interval):
    assert simulate.wilson(wins, games) == pytest.approx(interval, abs=5e-5)


# replay


@pytest.fixture
def games(run, tmp_path) -> Path:
    path = tmp_path / "games.dsl.jsonl"
    assert run("simulate", "--games", 2, *TWO, "--seed", 4, "--out", path).returncode == 0
    return path


def test_replay_verifies(run, games):
    done = run("replay", games)
    assert done.returncode == 0, done.stderr
    assert "2 games, 0 failed" in done.stdout


def test_replay_prints_every_step(run, games):
    steps = sum(len(game.actions) for game in read_records(games))
    done = run("replay", games, "--steps")
    assert len(re.findall(r"^ *\d+  (?:chance|bird|insect) ", done.stdout, re.MULTILINE)) == steps
    assert "place:" in done.stdout and " VP" in done.stdout


def test_the_gains_of_the_steps_add_up_to_the_vps(run, games):
    result = json.loads(run("replay", games, "--steps", "--json").stdout)
    for game, record in zip(result["games"], read_records(games), strict=True):
        for animal, vp in record.vp.items():
            assert sum(step["vp"].get(animal, 0) for step in game["steps"]) == vp


def test_replay_fails_on_a_record_that_differs(run, games):
    text = games.read_text(encoding="utf-8")
    record = Record.from_json(text.splitlines()[1])
    games.write_text(text.replace(f'"turns":{record.turns}', f'"turns":{record.turns - 1}'), encoding="utf-8")
    done = run("replay", games, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["failed"] >= 1
    assert "turns: recorded as" in done.stderr


# perft and show


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in map(json.loads, PERFT.read_text(encoding="utf-8").splitlines())
        if case["leaves"] < 20_000
    ][:6],
    ids=lambda case: f"depth-{case['depth']}-leaves-{case['leaves']}",
)
def test_perft_counts_the_golden_leaves(run, tmp_path, case):
    state = ds.State(ds.Rules.from_dict(case["rules"]), seed=0, explicit_chance=True)
    for action in base64.b64decode(case["actions"]):
        state.apply(action)
    (tmp_path / "state.json").write_text(json.dumps(state.to_dict()), encoding="utf-8")
    done = run("perft", case["depth"], "--from", "state.json", "--divide", "--json")
    result = json.loads(done.stdout)
    assert result["leaves"] == case["leaves"] == sum(result["divide"].values())


def test_perft_of_depth_0_is_1(run):
    assert run("perft", 0).stdout == "1\n"


def test_perft_of_the_first_step_is_one_for_each_card_but_ice_age(run):
    done = run("perft", 1, "--divide")
    assert done.stdout.splitlines()[-1] == "25"
    assert done.stdout.count("card:") == 25


def test_show_a_state_of_a_seed_and_of_a_file(run, tmp_path):
    plain = run("show", *TWO, "--seed", 3, "--steps", 20, "--json").stdout
    (tmp_path / "state.json").write_text(plain, encoding="utf-8")
    assert json.loads(run("show", "state.json", "--json").stdout) == json.loads(plain)
    seeded, from_file = run("show", *TWO, "--seed", 3, "--steps", 20).stdout, run("show", "state.json").stdout
    assert seeded == "seed 3, after 20 steps\n" + from_file
    *_, last = islice(play_record(ds.Rules(animals=("bird", "insect")), seed=3).replay(), 20)
    assert json.loads(plain) == last.state.to_dict()
    for title in ("gene pool", "tile", "initiative:", "corners:", "legal:"):
        assert title in from_file


# Exit codes, streams, encodings


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("simulate", "--games", "0"), 2, "--games"),
        (("simulate", "--nonsense"), 2, "--nonsense"),
        (("nonsense",), 2, "nonsense"),
        (("replay", "nowhere.dsl.jsonl"), 2, "nowhere.dsl.jsonl"),
        (("show", "bad.json", "--seed", "1"), 2, "--seed"),
        (("perft", "1", "--from", "bad.json", *TWO), 2, "--animals"),
        (("simulate", "--animals", "bird,insekt"), 1, "did you mean 'insect'"),
        (("simulate", "--policies", "uniforn"), 1, "did you mean 'uniform'"),
        (("simulate", *TWO, "--policies", "bird=uniform"), 1, "insect"),
        (("simulate", "--rules", "bad.json"), 1, "bad.json: not JSON"),
        (("simulate", "--rules", "rules.json"), 1, "max_turns = 0"),
        (("simulate", "--games", "1", *TWO, "--out", "nowhere/x.dsl.jsonl"), 1, "nowhere"),
        (("replay", "bad.json"), 1, "line 1"),
        (("show", "bad.json"), 1, "not JSON"),
        (("show", "rules.json"), 1, "error"),
    ],
)
def test_a_failure_is_one_line_on_stderr_and_a_code(run, tmp_path, arguments, code, said):
    """E-40"""
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "rules.json").write_text('{"max_turns": 0}', encoding="utf-8")
    done = run(*arguments)
    assert done.returncode == code
    assert done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1 and done.stderr.startswith("ds-sim: error: ")


def test_json_is_one_document_and_pipes_get_no_progress_bar(run, games):
    """E-40"""
    for arguments in (
        ("simulate", "--games", 2, *TWO),
        ("replay", games, "--steps"),
        ("perft", 2, *TWO, "--divide"),
        ("show", *TWO),
    ):
        plain, document = run(*arguments), run(*arguments, "--json")
        assert isinstance(json.loads(document.stdout), dict)
        for done in (plain, document):
            assert done.returncode == 0
            assert "\r" not in done.stdout + done.stderr and "\x1b" not in done.stdout + done.stderr


def test_paths_and_pipes_beyond_ascii(run, tmp_path):
    """E-39"""
    folder = tmp_path / "Zoë 日本"
    folder.mkdir()
    path = folder / "Spiele.dsl.jsonl"
    assert run("simulate", "--games", 1, *TWO, "--out", path, encoding="cp1252").returncode == 0
    done = run("replay", path, encoding="cp1252")
    assert done.returncode == 0 and "1 games, 0 failed" in done.stdout
    assert json.loads(run("replay", path, "--json", encoding="cp1252").stdout)["file"] == str(path)
    path.write_text("{", encoding="utf-8")
    assert run("replay", path, encoding="cp1252").returncode == 1
    missing = run("replay", folder / "nichts", encoding="cp1252")
    assert missing.returncode == 2 and "Zoë" in missing.stderr


def test_an_interrupt_ends_with_130_and_leaves_no_half_file(tmp_path):
    """E-20"""
    process = subprocess.Popen(
        [*COMMAND, "simulate", "--games", "1000000", *TWO, "--out", "games.dsl.jsonl"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not os.listdir(tmp_path):
        pass  # until the temporary file shows that games are being played
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert output == "" and "interrupted" in errors
    assert os.listdir(tmp_path) == []


def test_a_reader_that_has_seen_enough_is_no_error(games, tmp_path):
    with subprocess.Popen(
        [*COMMAND, "replay", str(games), "--steps"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith("game 1: seed ")
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(60) == 1


def test_the_source_folder_says_that_it_is_not_built(tmp_path):
    source = Path(ds.__file__).parent
    shutil.copytree(
        source, tmp_path / "ds_sim", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    )
    done = subprocess.run(
        [sys.executable, "-c", "import ds_sim"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "start Python in another folder, or run `pip install -e .`" in done.stderr


def test_the_package_loads_without_the_command_line_and_without_numba(tmp_path):
    """E-38"""
    program = (
        "import ds_sim, sys; print(*{'click', 'rich', 'numba', 'pyarrow', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "\n"


# Bugs


class BrokenState(ds.State):
    """An engine with a bug: once somebody is on Wasteland, its states are not sound."""

    def clone(self):
        return self  # a clone would be a sound state again

    def verify(self):
        if "wasteland" in self.to_dict()["spaces"]:
            raise AssertionError("the bug")
        super().verify()


def test_a_bug_in_the_engine_writes_a_report_that_reproduces_it(tmp_path, monkeypatch, capsys):
    """E-48"""
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(records, "State", BrokenState)
        assert main_in_process("simulate", "--games", 50, *TWO, "--seed", 2, "--check") == 1
        assert "internal error: AssertionError: the bug" in capsys.readouterr().err
        (report,) = tmp_path.iterdir()
        (game,) = read_records(report)
        assert game.seed == 2 and game.rules == ds.Rules(animals=("bird", "insect")) and game.winner is None
        assert game.actions[-1] == actions.place("wasteland")
        assert main_in_process("replay", report) == 1
        assert "internal error: AssertionError: the bug" in capsys.readouterr().err
    assert main_in_process("replay", report) == 0
    assert "the reported error does not recur: AssertionError: the bug" in capsys.readouterr().err


def test_a_bug_in_the_native_loop_is_reported_by_the_game_it_is_in(tmp_path, monkeypatch, capsys):
    """E-48"""

    def broken_playouts(rules, games, policies, *, first, **options):
        if first <= 13 < first + games:
            raise RuntimeError("the bug")
        return playouts(rules, games, policies, first=first, **options)

    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(simulate, "playouts", broken_playouts)
        broken.setattr(records, "playouts", broken_playouts)
        assert main_in_process("simulate", "--games", 20, *TWO, "--seed", 2, "--policies", "uniform") == 1
        (report,) = tmp_path.iterdir()
        assert f"please report it with {report.name}" in capsys.readouterr().err
        (game,) = read_records(report)
        assert (game.seed, game.index, dict(game.policies)) == (
            2,
            13,
            {"bird": "uniform", "insect": "uniform"},
        )
        assert main_in_process("replay", report) == 1
        assert "internal error: RuntimeError: the bug" in capsys.readouterr().err
    assert main_in_process("replay", report) == 0
