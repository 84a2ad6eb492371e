"""Measures the built-in policies and writes the tables of docs/policies.md between their markers.

    python tools/strength_table.py [--games 200] [--seed 1]

For every number of animals and every animal: how often it wins when it alone plays the stronger policy and
all others the weaker one, and how often when it plays the weaker one as well, from the same seeds. With fewer
than six, the animals in play are every run of neighbours in the food chain, taken as a ring.
"""

from __future__ import annotations

import argparse
import math
import re
import time
from pathlib import Path

import numpy as np

import ds_sim as ds

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "policies.md"
PAIRS = (("greedy", "uniform"), ("expert", "greedy"))
ANIMALS = ds.board.ANIMALS
NUMBERS = range(2, len(ANIMALS) + 1)
Z = 1.959964  # 95 %
GAMES = {"uniform": 20, "greedy": 4, "expert": 2}
"""Games of a run of `costs`: a few milliseconds each, short enough to be left alone now and then."""


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a rate."""
    rate, spread = wins / games, Z * Z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = Z * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return middle - half, middle + half


def tables(number: int) -> list[ds.Rules]:
    """The rule sets for a number of animals, so that each animal is in as many as any other."""
    if number == len(ANIMALS):
        return [ds.Rules()] * len(ANIMALS)
    ring = ANIMALS * 2
    return [ds.Rules(animals=ring[i : i + number]) for i in range(len(ANIMALS))]


def won(rules: ds.Rules, games: int, policies: str | dict[str, str], seed: int) -> dict[str, int]:
    """How many games each animal wins."""
    winner = ds.playouts(rules, games, policies, seed=seed).winner
    return {animal: int((winner == ANIMALS.index(animal)).sum()) for animal in rules.animals}


def measure(strong: str, weak: str, games: int, seed: int) -> list[tuple[int, str, int, int, int]]:
    """(number of animals, animal, games, wins with the stronger policy, wins with the weaker one) for all."""
    rows = []
    for number in NUMBERS:
        counts = {animal: np.zeros(3, int) for animal in ANIMALS}
        for i, rules in enumerate(tables(number)):
            run = seed * 1000 + number * 10 + i
            before = won(rules, games, weak, run)
            for animal in rules.animals:
                mixed = {other: strong if other == animal else weak for other in rules.animals}
                counts[animal] += games, won(rules, games, mixed, run)[animal], before[animal]
        rows += [(number, animal, *map(int, counts[animal])) for animal in ANIMALS]
    return rows


def rate(wins: int, games: int) -> str:
    low, high = wilson(wins, games)
    return f"{100 * wins / games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def strength(strong: str, weak: str, games: int, seed: int) -> str:
    """The table of a pair of policies, in Markdown."""
    lines = [f"| animals | animal | games | {strong} wins, % | {weak} wins, % |", "|---|---|---|---|---|"]
    for number, animal, n, ours, theirs in measure(strong, weak, games, seed):
        lines.append(f"| {number} | {animal} | {n} | {rate(ours, n)} | {rate(theirs, n)} |")
    return "\n".join(lines)


def costs() -> str:
    """What decisions cost under each policy, in Markdown: the best of many short runs in turn, one thread."""
    lines = ["| animals | policy | ns a decision | times uniform | ms a game |", "|---|---|---|---|---|"]
    for number in (2, 4, 6):
        rules = tables(number)[0]
        best = dict.fromkeys(GAMES, (math.inf, math.inf))
        for _ in range(40):
            for policy, games in GAMES.items():
                start = time.perf_counter()
                results = ds.playouts(rules, games, policy, seed=1, threads=1)
                seconds = time.perf_counter() - start
                cost = seconds / results.decisions.sum() * 1e9, seconds / games * 1e3
                best[policy] = min(best[policy], cost)
        for policy, (ns, ms) in best.items():
            lines.append(f"| {number} | {policy} | {ns:.0f} | {ns / best['uniform'][0]:.1f} | {ms:.2f} |")
    return "\n".join(lines)


def replace(document: str, name: str, table: str) -> str:
    """The document with a table between its markers."""
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
    document, found = re.subn(pattern, rf"\g<1>\n{table}\n\n\g<2>", document, flags=re.DOTALL)
    if found != 1:
        raise SystemExit(f"{DOCUMENT.name}: expected one pair of markers for {name}, found {found}")
    return document


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="games of each animal in each set of animals")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    document = replace(DOCUMENT.read_text(encoding="utf-8"), "costs", costs())
    for strong, weak in PAIRS:
        document = replace(document, f"{strong} over {weak}", strength(strong, weak, asked.games, asked.seed))
    DOCUMENT.write_text(document, encoding="utf-8")


if __name__ == "__main__":
    main()
