"""Print how long uniform random games are, as the table of docs/engine.md: `python tools/game_lengths.py`."""

import argparse

import ds_sim as ds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200_000, help="for each number of animals")
    games = parser.parse_args().games
    print("| animals | games | turns, mean | turns, most | decisions, mean | decisions, most | stopped |")
    print("|---|---|---|---|---|---|---|")
    for n in range(2, len(ds.board.ANIMALS) + 1):
        rules = ds.Rules(ds.board.ANIMALS[:n])
        turns = decisions = truncated = longest = most = 0
        for first in range(0, games, 20_000):
            results = ds.playouts(rules, min(20_000, games - first), seed=1, first=first)
            turns += int(results.turns.sum())
            decisions += int(results.decisions.sum())
            truncated += int(results.truncated.sum())
            longest = max(longest, int(results.turns.max()))
            most = max(most, int(results.decisions.max()))
        row = (n, f"{games:,}", f"{turns / games:.1f}", longest, f"{decisions / games:,.0f}", f"{most:,}")
        print(f"| {' | '.join(map(str, row))} | {100 * truncated / games:.3f} % |", flush=True)


if __name__ == "__main__":
    main()
