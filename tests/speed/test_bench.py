"""`ds-sim bench`: a report that holds together, and a signature of play."""

import json
import math

import pytest
from playing import said

from ds_sim import bench

SIGNATURE = "ecdcea2ee13fe91c"
"""What the fixed run plays. It changes with rules, random stream and order of actions alone."""


@pytest.fixture(scope="module")
def report():
    small = pytest.MonkeyPatch()
    for name, value in (("FLOOR_LOOPS", 20_000), ("GAMES", 30), ("SIGNATURE_GAMES", 3)):
        small.setattr(bench, name, value)
    *steps, report = bench.measure(rounds=2, policies=(), peers=False)
    small.undo()
    assert len(steps) == 3 * len(report["lines"]) and all(isinstance(step, str) for step in steps)
    return report


def test_the_signature_is_that_of_play():
    assert bench.signature() == SIGNATURE


def test_the_report_is_plain_data_and_finite(report):
    assert json.loads(json.dumps(report)) == report
    for line in report["lines"]:
        assert math.isfinite(line["per_second"]) and line["per_second"] > 0
        assert line["ns"] == pytest.approx(1e9 / line["per_second"])
        assert (line["games_per_second"] > 0) == (line["unit"] == "decisions")
    assert all(math.isfinite(ratio) and ratio > 0 for ratio in report["ratios"].values())


def test_every_number_of_animals_and_every_claim_is_measured(report):
    names = [line["name"] for line in report["lines"]]
    assert [name for name in names if name.endswith("animals") and name.startswith("uniform")] == [
        f"uniform, {n} animals" for n in range(2, 7)
    ]
    assert {"floor", "trivial Numba policy, 4 animals", "copy of a state", "memcpy of its size"} <= set(names)
    assert set(report["ratios"]) == {
        *(f"floor / uniform, {n} animals" for n in range(2, 7)),
        "floor / uniform, 4 animals, 2 threads",
        "uniform, 4 animals / trivial Numba policy, 4 animals",
        "uniform, 4 animals, 2 threads / 1",
        "memcpy / copy of a state",
    }


def test_ratios_are_medians_of_the_rounds():
    fast, slow = bench.Line("a", "loops", [8.0, 12.0, 9.0]), bench.Line("b", "loops", [4.0, 3.0, 3.0])
    assert (fast.rate, slow.rate) == (9.0, 3.0)


def test_the_machine_is_told(report):
    machine = report["machine"]
    assert machine["cpu"] and machine["compiler"] and machine["versions"]["numpy"]
    assert isinstance(machine["popcnt"], bool) and machine["processors"] >= 1


def test_the_command_prints_one_document():
    """E-40."""
    script = """
from ds_sim import bench
from ds_sim.cli import main
bench.FLOOR_LOOPS, bench.GAMES, bench.SIGNATURE_GAMES = 1000, 30, 1
measure = bench.measure
bench.measure = lambda rounds, peers: measure(rounds, (), peers)
main(["bench", "--rounds", "1", "--no-peers", "--json"])
"""
    report = json.loads(said(script))
    assert set(report) == {"signature", "lines", "ratios", "machine"}
    assert json.loads(said("from ds_sim.cli import main; main(['bench', '--signature', '--json'])")) == {
        "signature": SIGNATURE
    }
