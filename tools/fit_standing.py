"""Fits the weights of the search's evaluator `standing` to games of a built-in player; writes
standing_weights.py.

    python tools/fit_standing.py --player greedy --roots 250

Positions are reached from the setup by a random number of the player's decisions, under 2 to 6 animals; from
each the player goes on to the end once. Least squares on what every animal gained from there, above the mean
of all; then the spread of the outcomes by maximum likelihood.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import ds_sim as ds
from ds_sim._jit import jit
from ds_sim.playouts import _run
from ds_sim.search import standing

FILE = Path(standing.__file__).with_name("standing_weights.py")
LEAVES = 200
LONGEST = 1000  # decisions


def positions(rules: ds.Rules, player: str, decisions: int, seed: int) -> np.ndarray:
    """States after so many decisions of the player, in games that are not over by then."""
    found = []

    def keep(states: np.ndarray) -> np.ndarray:
        found.append(states.copy())
        return np.zeros((len(states), 6))

    root = ds.State(rules, seed=seed)
    ds.search.mcts(root, LEAVES, policy=player, truncate=decisions, evaluator=keep, batch=LEAVES, seed=seed)
    return np.concatenate(found) if found else np.zeros(0, root.array.dtype)


@jit
def describe(views, x, left):
    for i in range(len(views)):
        standing.fill_features(views[i], x[i])
        left[i] = standing.left(views[i])


def sample(player: str, roots: int) -> list[tuple[np.ndarray, ...]]:
    """By root: features (n, 6, F), part of the cards left (n,), VPs now and at the end (n, 6), winner (n,),
    in play (6,)."""
    rng = np.random.default_rng(1)
    rows = []
    for seed in range(roots):
        animals = rng.choice(ds.board.ANIMALS, size=2 + seed % 5, replace=False)
        rules = ds.Rules(animals=tuple(animals))
        states = positions(rules, player, int(rng.integers(LONGEST)), seed)
        if not len(states):
            continue
        played = _run(rules, states.view(np.uint8).copy(), len(states), player, seed, 0, 1, None, False)
        views = np.zeros(len(states), ds._core.layout.VIEW)
        for name in states.dtype.names:
            if name != "rng":
                views[name] = states[name]
        views["rules"] = rules.core.array[0]
        x, left = np.zeros((len(states), 6, standing.N_FEATURES)), np.zeros(len(states))
        describe(views, x, left)
        playing = np.isin(ds.board.ANIMALS, animals)
        rows.append((x, left, states["vp"].astype(float), played.vp.astype(float), played.winner, playing))
    return rows


def relative(values: np.ndarray, playing: np.ndarray) -> np.ndarray:
    """Values (n, animals, ...) of the animals in play, less their mean."""
    values = values[:, playing]
    return values - values.mean(axis=1, keepdims=True)


def fit(rows: list[tuple[np.ndarray, ...]]) -> np.ndarray:
    gram = np.eye(2 * standing.N_FEATURES) * 100.0
    moment = np.zeros(2 * standing.N_FEATURES)
    for x, left, now, end, _, playing in rows:
        a = relative(np.concatenate([x, x * left[:, None, None]], axis=2), playing)
        y = relative(end - now, playing)
        gram += np.einsum("nai,naj->ij", a, a)
        moment += np.einsum("nai,na->i", a, y)
    return np.linalg.solve(gram, moment).reshape(2, -1).T


def log_loss(parameters: np.ndarray, rows: list[tuple[np.ndarray, ...]], weights: np.ndarray) -> float:
    total = count = 0.0
    for x, left, now, _, winner, playing in rows:
        worth = now + x @ weights[:, 0] + (x @ weights[:, 1]) * left[:, None]
        scale = np.maximum(parameters[0] + parameters[1] * np.sqrt(left), 0.1)[:, None]
        odds = np.where(playing, (worth - worth[:, playing].max(axis=1, keepdims=True)) / scale, -np.inf)
        total -= (odds[np.arange(len(winner)), winner] - np.log(np.exp(odds).sum(axis=1))).sum()
        count += len(winner)
    return total / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="greedy")
    parser.add_argument("--roots", type=int, default=250)
    options = parser.parse_args()
    rows = sample(options.player, options.roots)
    fitted, held = [r for i, r in enumerate(rows) if i % 5], rows[::5]
    weights = fit(fitted)
    spread = minimize(log_loss, np.array([3.0, 12.0]), (fitted, weights), method="Nelder-Mead").x
    none = np.zeros_like(weights)
    old = minimize(log_loss, np.array([3.0, 12.0]), (fitted, none), method="Nelder-Mead").x
    held_back = log_loss(spread, held, weights)
    alone = log_loss(old, held, none)
    print(f"{sum(len(r[1]) for r in rows)} positions; spread {spread}")
    print(f"log loss on those held back: {held_back:.4f}, of VPs alone {alone:.4f}")
    lines = [
        f"    ({w[0]:.3f}, {w[1]:.3f}),  # {name}" for w, name in zip(weights, standing.FEATURES, strict=True)
    ]
    FILE.write_text(
        '"""The weights of `standing`; written by tools/fit_standing.py."""\n\n'
        "from typing import Final\n\nimport numpy as np\n\n"
        "WEIGHTS: Final = np.array([\n" + "\n".join(lines) + "\n])\n"
        '"""VPs to come for one of each feature: with no card left, and what is added to it with all."""\n\n'
        f"SPREAD: Final = ({spread[0]:.2f}, {spread[1]:.2f})\n"
        '"""Of outcomes: with no card left, and what the root of the part that is left adds."""\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
