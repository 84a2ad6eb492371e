"""Scoring: time per call of a kernel, and of each function over a batch. Positions and seeds are fixed."""

import random
from typing import Any

import numpy as np
import pytest

import ds_sim as ds
from ds_sim import scoring
from ds_sim._jit import jit
from ds_sim.scoring import kernels

RULES = ds.Rules()


@jit
def total(worth: Any) -> Any:
    """All of it, so that none of it is optimised away."""
    lanes = worth.lost + worth.vanished + worth.gained + worth.ceded
    return lanes + np.uint64(worth.bonus + worth.survivor + worth.survival_vp)


KERNELS = {
    "species": lambda state, rules, hex: kernels.species(state, hex),
    "match": lambda state, rules, hex: kernels.match(state, 2, hex),
    "matches": lambda state, rules, hex: kernels.matches(state, hex),
    "deserves": lambda state, rules, hex: kernels.deserves(state, hex),
    "dominant": lambda state, rules, hex: kernels.dominant(state, rules, hex),
    "endangered": lambda state, rules, hex: kernels.endangered(state, 2, hex),
    "endangered_on": lambda state, rules, hex: kernels.endangered_on(state, hex),
    "tile_score": lambda state, rules, hex: kernels.tile_score(state, rules, hex, 2),
    "tile_scores": lambda state, rules, hex: kernels.tile_scores(state, rules, hex),
    "survival": lambda state, rules, hex: kernels.survival(state, rules)[1],
    "frontier": lambda state, rules, hex: kernels.frontier(state),
    "glaciable": lambda state, rules, hex: kernels.glaciable(state),
    "glaciation_worth": lambda state, rules, hex: total(kernels.glaciation_worth(state, rules, hex)),
    "glaciated": lambda state, rules, hex: total(kernels.glaciated(state, rules, hex)),
    "wanderlust_worth": lambda state, rules, hex: kernels.wanderlust_worth(state, rules, hex),
}
WITHOUT_RULES = ["matches", "endangered"]
WITH_RULES = ["dominance", "tile_scores", "survival", "glaciation_worth", "wanderlust_worth"]


@pytest.fixture(scope="module")
def states() -> Any:
    rng = random.Random(1)
    rows = []
    for seed in range(10):
        state = ds.State(RULES, seed=seed)
        while not state.is_terminal:
            state.apply(int(rng.choice(state.legal_actions())))
            if rng.random() < 0.1:
                rows.append(state.array[0].copy())
    return np.array(rows)


def over_all_hexes(kernel: Any) -> Any:
    """A compiled loop of a kernel over positions and hexes; the sum keeps it from being optimised away."""
    inner = jit(kernel)

    @jit
    def loop(states: Any, tables: Any) -> Any:
        total = np.uint64(0)
        for row in range(len(states)):
            for hex in range(35):
                total += np.uint64(inner(states[row], tables[0], hex))
        return total

    return loop


@pytest.mark.benchmark(group="scoring kernels: ns per call is the time over rows x 35")
@pytest.mark.parametrize("name", KERNELS)
def test_kernel(benchmark: Any, states: Any, name: str) -> None:
    loop, tables = over_all_hexes(KERNELS[name]), RULES.core.array
    loop(states, tables)
    benchmark(loop, states, tables)
    calls = len(states) * 35
    benchmark.extra_info.update(rows=len(states), ns_per_call=round(benchmark.stats["min"] / calls * 1e9, 1))


@pytest.mark.benchmark(group="scoring functions: ns per row")
@pytest.mark.parametrize("name", WITHOUT_RULES + WITH_RULES)
def test_function(benchmark: Any, states: Any, name: str) -> None:
    function = getattr(scoring, name)
    arguments = (states,) if name in WITHOUT_RULES else (states, RULES)
    function(*arguments)
    benchmark(function, *arguments)
    benchmark.extra_info.update(
        rows=len(states), ns_per_row=round(benchmark.stats["min"] / len(states) * 1e9)
    )
