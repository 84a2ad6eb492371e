"""Whole games, the fastest round of each. Times are per decision, chance and forced steps included."""

from typing import Any

import numpy as np
import pytest
from positions import midgame, rules

import ds_sim as ds

GAMES = 400


@ds.policy
def trivial(view: Any, legal: Any, n: int) -> int:
    return int(view.random % np.uint64(n))


def python(state: ds.State) -> int:
    return int(state.legal_actions()[0])


def played(benchmark: Any, function: Any, games: int, rounds: int = 5) -> None:
    results = benchmark.pedantic(function, rounds=rounds, warmup_rounds=1)
    fastest = benchmark.stats["min"]
    benchmark.extra_info["ns_per_decision"] = round(fastest / int(results.decisions.sum()) * 1e9, 1)
    benchmark.extra_info["games_per_second"] = round(games / fastest)


@pytest.mark.benchmark(group="uniform playouts from the setup")
@pytest.mark.parametrize("animals", range(2, 7))
def test_from_setup(benchmark: Any, animals: int) -> None:
    played(benchmark, lambda: ds.playouts(rules(animals), GAMES, seed=1, threads=1), GAMES)


@pytest.mark.benchmark(group="uniform playouts from turn 4")
@pytest.mark.parametrize("animals", range(2, 7))
def test_from_midgame(benchmark: Any, animals: int) -> None:
    state = midgame(animals)
    played(benchmark, lambda: ds.playouts_from(state.clone(), GAMES, seed=1), GAMES)


@pytest.mark.benchmark(group="threads, 4 animals")
@pytest.mark.parametrize("threads", [1, 2])
def test_threads(benchmark: Any, threads: int) -> None:
    played(benchmark, lambda: ds.playouts(rules(4), 4 * GAMES, seed=1, threads=threads), 4 * GAMES)


@pytest.mark.benchmark(group="policies, 4 animals, 1 thread")
@pytest.mark.parametrize(
    ("policy", "games"),
    [("uniform", GAMES), (trivial, GAMES), ("greedy", 20), ("expert", 20), (python, 4)],
    ids=["uniform", "trivial", "greedy", "expert", "python"],
)
def test_policies(benchmark: Any, policy: Any, games: int) -> None:
    played(benchmark, lambda: ds.playouts(rules(4), games, policy, seed=1, threads=1), games, rounds=3)


@pytest.mark.benchmark(group="what is kept, 4 animals, 1 thread")
@pytest.mark.parametrize("records", [False, True], ids=["columns", "columns and records"])
def test_records(benchmark: Any, records: bool) -> None:
    played(benchmark, lambda: ds.playouts(rules(4), GAMES, seed=1, threads=1, keep_records=records), GAMES)


@pytest.mark.benchmark(group="results to Arrow: ns per game")
@pytest.mark.parametrize("games", [100, 10_000])
def test_to_arrow(per: Any, games: int) -> None:
    pytest.importorskip("pyarrow")
    results = ds.playouts(rules(4).replace(max_turns=1), games, seed=1)
    per(games, lambda results: results.to_arrow(), lambda: ((results,), {}), rounds=10, unit="game")
