"""What a campaign costs on top of bare playouts, in turns in one run.

    python benchmarks/campaign_overhead.py [--rounds 5]

Four animals, all columns. Both play the same games on one thread of this process, the bare ones in calls of a
part's size; times are of the processor. The table has medians over the rounds, after a round that is not
counted. Needs the lab: pip install 'ds-sim[lab]'.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ds_sim as ds
from ds_sim import lab

RULES = ds.Rules(animals=("mammal", "bird", "amphibian", "insect"))
CASES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("uniform", 10_000, {}),
    ("uniform", 10_000, {"detailed": 0}),
    ("uniform", 100_000, {}),
    ("greedy", 2_000, {}),
    ("greedy", 10_000, {}),
)


def processor_time(run: Callable[[], object]) -> float:
    """Seconds that it takes."""
    begin = time.process_time()
    run()
    return time.process_time() - begin


def bare(campaign: lab.Campaign, policy: str) -> None:
    for chunk in campaign.chunks:
        ds.playouts(RULES, chunk.games, policy, seed=campaign.seed, first=chunk.first, threads=1)


def written(campaign: lab.Campaign) -> int:
    """Runs a campaign and returns the bytes of its parts."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        lab.run(campaign, folder, executor=thread, workers=1)
        return sum(part.stat().st_size for part in Path(folder).rglob("*.parquet"))


def measure(policy: str, games: int, options: dict[str, Any], rounds: int) -> str:
    """One row of the table."""
    plain = {"seed": 1, "games": games, "animals": list(RULES.animals), "policies": policy}
    campaign = lab.from_dict(plain | options)
    times, extra, sizes = [], [], []
    for _ in range(rounds + 1):
        times.append(processor_time(lambda: bare(campaign, policy)))
        extra.append(processor_time(lambda: sizes.append(written(campaign))) / times[-1] - 1)
    del times[0], extra[0]
    overhead = f"{statistics.median(extra):.1%} ({min(extra):.1%} to {max(extra):.1%})"
    game = statistics.median(times) / games * 1e3
    cells = (policy, f"{games:,}", campaign.detailed, f"{game:.3f}", overhead, f"{sizes[0] / games:.0f}")
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print("| policy | games | detailed | bare, ms a game | a campaign, on top | bytes a game |")
    print("|---|---|---|---|---|---|")
    for policy, games, options in CASES:
        print(measure(policy, games, options, rounds), flush=True)


if __name__ == "__main__":
    main()
