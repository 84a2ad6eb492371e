"""Simulations per second beside OpenSpiel's C++ MCTS, one random playout for each leaf, in one run.

    python benchmarks/search_peers.py [--simulations 2000] [--rounds 5]

Games differ in length, so what is compared is the time per playout decision: that of a simulation, its way
down the tree included, over the mean number of decisions in a playout. Rounds go over all programs in turn;
the table has medians. Needs OpenSpiel: pip install 'ds-sim[openspiel]'.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import pyspiel

import ds_sim as ds

PLAYOUTS = 200


class Program(NamedTuple):
    name: str
    search: Callable[[int], None]
    """Runs so many simulations from the start of the game."""
    decisions: float
    """Mean decisions of a random playout."""


def ours(threads: int = 1) -> Program:
    state = ds.State(ds.Rules(), seed=1)
    length = ds.playouts_from(state, PLAYOUTS, seed=1).decisions.mean()

    def search(simulations: int) -> None:
        ds.search.mcts(state, simulations, selection="uct", threads=threads, seed=1)

    return Program(f"ds-sim, {threads} thread{'s' * (threads > 1)}", search, float(length))


def openspiel(name: str) -> Program:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    rng = random.Random(1)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    length = statistics.fmean(random_length(state.clone(), rng) for _ in range(PLAYOUTS))

    def search(simulations: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
        bot.step(state)

    return Program(f"OpenSpiel {name}", search, length)


def random_length(state: pyspiel.State, rng: random.Random) -> int:
    """Decisions to the end; dice count as well, in OpenSpiel's favour."""
    count = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    programs = [ours(1), ours(2), openspiel("backgammon"), openspiel("chess")]
    seconds: dict[str, list[float]] = {program.name: [] for program in programs}
    for _ in range(options.rounds):
        for program in programs:
            began = time.perf_counter()
            program.search(options.simulations)
            seconds[program.name].append(time.perf_counter() - began)
    print("| program | simulations/s | decisions per playout | ns per playout decision | ours is faster by |")
    print("|---|---|---|---|---|")
    base = None
    for program in programs:
        rate = options.simulations / statistics.median(seconds[program.name])
        each = 1e9 / (rate * program.decisions)
        base = base or each
        print(
            f"| {program.name} | {rate:,.0f} | {program.decisions:,.0f} | {each:,.1f} | {each / base:.1f} |"
        )


if __name__ == "__main__":
    main()
